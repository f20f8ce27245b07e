/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress and cancellation of a long computation. The waiting side sets a callback; the working
 * side reports bytes that it has read. The callback is called every 20 ms or every MiB, on the
 * thread that reports.
 *
 * Between two files and after the last one, what was read is put in order. Such a step has a name
 * and units of its own; the bytes stand still meanwhile. */
#ifndef FLAMETTY_BASE_PROGRESS_H
#define FLAMETTY_BASE_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	/* Returns false to cancel. NULL: nothing to call. */
	bool (*tick)(void *ctx, const struct progress *p);
	void *ctx;
	int64_t done;            /* bytes of the file read so far */
	int64_t total;           /* bytes in all; -1: unknown (a pipe) */
	int64_t n_done, n_total; /* files, if they are counted; else 0 */
	int64_t started_ns;      /* clock at progress_start() */
	int64_t elapsed_ns;      /* since then; set when tick is called */
	int64_t next_ns;         /* earliest clock for the next call of tick, */
	int64_t next_done;       /* unless this is done before */
	const char *doing;       /* "Loading", "Sorting"; static text */
	/* The step. NULL: none, files are read. */
	const char *step;              /* "making tables"; static text */
	int64_t step_done, step_total; /* of its units */
	int64_t step_started_ns, step_elapsed_ns;
	bool is_set; /* done and total cover several files: progress_start() leaves them alone */
	bool is_stopped;  /* tick returned false */
	bool is_given_up; /* set together with is_stopped when partial results are to be discarded
			   */
};

void progress_start(struct progress *p, const char *doing, int64_t total);

/* Report `more` bytes. Returns false when the work is cancelled. p may be NULL. */
bool progress_add(struct progress *p, int64_t more);

/* Begin a step of `total` units, or end it (step NULL). A step of 0 units is none. p may be NULL.
 */
void progress_step(struct progress *p, const char *step, int64_t total);

/* Report that `done` units of the step are done. Steps are not cancelled. p may be NULL. */
void progress_step_to(struct progress *p, int64_t done);

/* Progress of a step that several threads do. Only the thread that calls progress_shared_begin()
 * calls back. */
struct progress_shared {
	struct progress *p;
	pthread_t owner;
	atomic_int_least64_t done;
};

void progress_shared_begin(struct progress_shared *s, struct progress *p, const char *step,
			   int64_t total);

/* Report `more` units, on any thread. s may be NULL. */
void progress_shared_add(struct progress_shared *s, int64_t more);

#define PROGRESS_TEXT_MAX 384

/* The share of the step that is done, 0 to 1; -1: unknown, while a pipe is read. */
double progress_text_share(const struct progress *p);

/* `reading   12 MB of 40 MB   300 MB/s   0.1 s left`, `making tables   45 %   0.3 s left`; of files
 * that are counted, `reading   120 of 3 000 files   12 MB of 40 MB   ...`; of a pipe without what
 * is not known. text: PROGRESS_TEXT_MAX bytes. */
void progress_text_line(const struct progress *p, char *text);

/* `reading 43 %, 2.0 s left`; of a pipe, `reading 12 MB`. text: PROGRESS_TEXT_MAX bytes. */
void progress_text_short(const struct progress *p, char *text);

#endif
