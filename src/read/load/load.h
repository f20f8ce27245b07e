/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the files of the command line into a profile, on a thread of its own if the caller wants
 * to show progress meanwhile. Previews are profiles of the beginning, until loading is done. */
#ifndef FLAMETTY_READ_LOAD_LOAD_H
#define FLAMETTY_READ_LOAD_LOAD_H

#include "base/buf.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "model/profile.h"
#include "read/load/file_labels.h"
#include "source/maps.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What to load of a profile; everything at first. */
struct load_choice {
	uint8_t *is_lane; /* by lane: 1 is chosen; malloc'ed, load frees it; NULL: all */
	int64_t t0, t1;   /* ns since the start of the profile */
};

/* What samples without a stack are, where the format does not say what happened then:
 * load_options.has_idle_gaps. The words of --gaps; NULL after the last one. */
enum { LOAD_GAPS_UNSAMPLED, LOAD_GAPS_IDLE };

const char *load_gaps_word(unsigned i);

struct load_options {
	char **files;
	int n_files;
	const char *format_in;   /* name of a reader; NULL: recognise the content */
	bool is_raw;             /* samples as recorded */
	bool is_raw_part;        /* samples as recorded if only a part can be loaded */
	bool keeps_strays;       /* see builder_options */
	bool has_idle_gaps;      /* see struct builder_options */
	const char *sample_type; /* the same */
	bool is_two_sided;       /* the same */
	bool is_apart;           /* files of several arguments are never one trace (rotated), */
	int n_together;          /* except those of the first arguments, as many as this */
	bool is_recursive;       /* directories stand for those below them, too */
	struct file_labels_plan labels;
	struct maps_options maps;
	int64_t max_memory;          /* bytes; 0: no limit */
	struct unpack_limits limits; /* see stream_set_unpack_limits() */
	/* Called when max_memory is too little for everything, or if is_subset: choose what to
	 * load. survey: the profile without samples and slices. False and err: the options do not
	 * tell. NULL: everything was asked for. Called on the thread that loads. */
	bool (*choose)(void *ctx, const struct profile *survey, struct load_choice *choice,
		       struct error *err);
	void *choose_ctx;
	/* Called on the thread that loads when loading has ended: load_wait() returns at once.
	 * NULL: nothing is called. */
	void (*ended)(void *ctx);
	void *ended_ctx;
	bool is_subset;     /* do not try to load everything: for tests */
	bool has_previews;  /* make previews, */
	int64_t preview_ns; /* but none before this time */
};

/* The result of loading. */
struct load_result {
	struct profile *profile; /* owned by the caller; NULL: `messages` says why there is none */
	struct buf messages;     /* lines for standard error; owned by the caller */
};

struct load;

/* Load on the calling thread. */
void load_all(const struct load_options *options, struct load_result *result);

/* Begin to load on another thread. The options, and what they point to, must outlive it. When that
 * thread gets no memory, loading has ended without a profile. */
struct load *load_begin(const struct load_options *options);

/* Wait up to `ms` for loading to end. Returns whether it has ended. */
bool load_wait(struct load *l, int ms);

/* Get the progress. *name: the file that is being read; borrowed. */
void load_progress(struct load *l, struct progress *progress, const char **name);

/* Stop reading, and keep what was read. */
void load_stop(struct load *l);

/* Get a preview, which is larger than the last one and owned by the caller. NULL: there is no
 * new one. */
struct profile *load_preview(struct load *l);

/* Free a preview without waiting until that is done. */
void load_give_back(struct load *l, struct profile *profile);

/* Wait for the result. Call this once. */
void load_take(struct load *l, struct load_result *result);

/* Whether a thread is reading a file, or stopped while it did because there was no memory: then
 * load_free() must not be called. */
bool load_is_reading(struct load *l);

/* Wait until the threads have ended, and free all that the caller does not own. */
void load_free(struct load *l);

#endif
