/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Previews: profiles of the beginning of a file, for the time until the whole is loaded. A thread
 * of their own reads the file a second time, as if it ended where the loader is now.
 *
 * Who owns a profile:
 *   while it is read              the thread
 *   when it is ready              struct preview, until it is taken or a larger one replaces it
 *   after preview_take()          the caller, who returns it by preview_give_back() or keeps it
 *   after preview_give_back()     struct preview; the thread frees it, since that takes long
 *
 * Who calls what: the thread that loads calls preview_progress(); any thread preview_end(); the
 * thread that shows profiles all others. All functions but preview_new() accept NULL, which makes
 * no previews. */
#ifndef FLAMETTY_LOAD_PREVIEW_H
#define FLAMETTY_LOAD_PREVIEW_H

#include "base/fingerprint.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "model/profile.h"
#include "read/reader.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct preview_options {
	const char *path;            /* borrowed */
	const struct reader *reader; /* NULL: choose by the content */
	/* As of struct load_options. */
	bool is_raw, has_idle_gaps, keeps_strays;
	const char *sample_type;
	struct unpack_limits limits; /* see stream_set_unpack_limits() */
	int64_t max_memory;          /* bytes, of the whole program; 0: no limit */
	int64_t first_ns;            /* no preview before the loader has worked for that long */
	/* Set when the loader has read a first sample or slice; no preview before. Borrowed. */
	const atomic_bool *has_begun;
};

struct preview;

/* Start the thread. NULL: no thread can be started. */
struct preview *preview_new(const struct preview_options *options);

/* Report how far the loader is, and the identity of the file that it reads: only this file is
 * shown. */
void preview_progress(struct preview *v, const struct progress *progress,
		      const struct fingerprint *file);

/* Start no further preview, and stop the one that is being read. */
void preview_end(struct preview *v);

/* Get a preview that is larger than the last one; NULL: there is none. */
struct profile *preview_take(struct preview *v);

/* Free a preview later, on the thread. */
void preview_give_back(struct preview *v, struct profile *profile);

/* Whether a preview is being read: preview_free() would wait for the file. */
bool preview_is_reading(struct preview *v);

/* End previews, wait for the thread, and free all that was not taken. */
void preview_free(struct preview *v);

#endif
