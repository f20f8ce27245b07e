/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a long step is, and whether it should go on. The one who waits sets a
 * callback; the one who works reports bytes. The callback is called at most
 * every 20 ms. */
#ifndef FLAMETTY_BASE_PROGRESS_H
#define FLAMETTY_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	/* Returns false to stop. NULL: nobody waits. */
	bool (*tick)(void *ctx, const struct progress *p);
	void *ctx;
	int64_t done;       /* bytes of the file read so far */
	int64_t total;      /* bytes in all; -1: unknown (a pipe) */
	int64_t started_ns; /* clock at progress_start() */
	int64_t elapsed_ns; /* since then, when tick is called */
	int64_t next_ns;    /* not called before */
	const char *doing;  /* "Loading", "Sorting"; static text */
	bool is_set;        /* done and total are over several files: starting leaves them */
	bool is_stopped;    /* tick said so */
	bool is_given_up;   /* set with it by whoever has no use for what was done so far, either */
};

void progress_start(struct progress *p, const char *doing, int64_t total);

/* Report `more` bytes. Returns false when the work should stop. p may be NULL. */
bool progress_add(struct progress *p, int64_t more);

#endif
