/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the files on the command line to a profile, on a thread of its own while somebody watches.
 * What was read so far can be had on the way: the beginning of the file is read a second time, as
 * if it ended where the first reading is, on a second thread. */
#ifndef FLAMETTY_LOAD_LOAD_H
#define FLAMETTY_LOAD_LOAD_H

#include "base/buf.h"
#include "base/error.h"
#include "base/progress.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* What to load of a profile; everything at first. */
struct load_choice {
	uint8_t *is_lane; /* by lane: 1 is chosen; malloc'ed, load frees it; NULL: all */
	int64_t t0, t1;   /* ns since the start of the profile */
};

struct load_options {
	char **files;
	int n_files;
	const char *format_in; /* name of a reader; NULL: look */
	bool is_raw;
	int64_t max_memory; /* bytes; 0: no limit */
	/* Called when max_memory is too little for everything, or if is_subset: choose what to
	 * load. survey: the profile without samples and slices. False and err: the options do not
	 * tell. NULL: everything was asked for. Called on the thread that loads. */
	bool (*choose)(void *ctx, const struct profile *survey, struct load_choice *choice,
		       struct error *err);
	void *choose_ctx;
	bool is_subset;     /* do not try to load everything: for tests */
	bool has_previews;  /* beginnings are wanted: */
	int64_t preview_ns; /* not before */
};

/* What came of it. */
struct load_result {
	struct profile *profile; /* the caller's; NULL: nothing, which `messages` tells why */
	struct buf messages;     /* lines for standard error; the caller's, too */
};

struct load;

/* Load here and now. */
void load_all(const struct load_options *options, struct load_result *result);

/* Begin to load on another thread; options, and what they point to, must outlive it. */
struct load *load_begin(const struct load_options *options);

/* Wait up to `ms` for the end: true when it is reached. */
bool load_wait(struct load *l, int ms);

/* How far it is; *name: the file that is read. */
void load_progress(struct load *l, struct progress *progress, const char **name);

/* Read no further: what was read is kept. */
void load_stop(struct load *l);

/* A profile of what was read so far, larger than the last one, which is the caller's; NULL: there
 * is no new one. */
struct profile *load_preview(struct load *l);

/* Free a profile that load_preview() gave, without waiting until that is done. */
void load_give_back(struct load *l, struct profile *profile);

/* Wait for the result. To be called once. */
void load_take(struct load *l, struct load_result *result);

/* Wait until the threads have ended, and free all that is not the caller's. */
void load_free(struct load *l);

#endif
