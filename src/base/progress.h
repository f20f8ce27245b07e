/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress and cancellation of a long step. The waiting side sets a callback; the working side
 * reports bytes. The callback is called every 20 ms or every MiB, on the thread that reports. */
#ifndef FLAMETTY_BASE_PROGRESS_H
#define FLAMETTY_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	/* Returns false to cancel. NULL: nothing to call. */
	bool (*tick)(void *ctx, const struct progress *p);
	void *ctx;
	int64_t done;       /* bytes of the file read so far */
	int64_t total;      /* bytes in all; -1: unknown (a pipe) */
	int64_t started_ns; /* clock at progress_start() */
	int64_t elapsed_ns; /* since then; set when tick is called */
	int64_t next_ns;    /* earliest clock for the next call of tick, */
	int64_t next_done;  /* unless this is done before */
	const char *doing;  /* "Loading", "Sorting"; static text */
	bool is_set; /* done and total cover several files: progress_start() leaves them alone */
	bool is_stopped;  /* tick returned false */
	bool is_given_up; /* set together with is_stopped when partial results are to be discarded
			   */
};

void progress_start(struct progress *p, const char *doing, int64_t total);

/* Report `more` bytes. Returns false when the work is cancelled. p may be NULL. */
bool progress_add(struct progress *p, int64_t more);

#endif
