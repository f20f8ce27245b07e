/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many lines about stalls are printed: a process that stalls all the time must not fill the log
 * of the machine. The stalls without a line are counted. */
#ifndef FLAMETTY_WATCH_LIMIT_H
#define FLAMETTY_WATCH_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#define WATCH_LIMIT_LINES 10
#define WATCH_LIMIT_NS (INT64_C(10) * 1000000000)

struct watch_limit {
	int64_t times[WATCH_LIMIT_LINES]; /* of the last lines, as a ring */
	uint64_t n;                       /* lines so far */
	/* Stalls without a line, since the last time that they were told. */
	uint64_t n_left;
	int64_t longest_ns, first_ns;
};

/* Whether a stall of a length gets a line at a time, which does not fall; ns of any clock. There
 * are at most WATCH_LIMIT_LINES in WATCH_LIMIT_NS. A stall without a line is counted, with when it
 * began. */
bool watch_limit_allows(struct watch_limit *limit, int64_t now_ns, int64_t began_ns,
			int64_t length_ns);

/* Whether stalls were left out and it is time to say so: a line is allowed again. */
bool watch_limit_has_left(const struct watch_limit *limit, int64_t now_ns);

/* They were told. */
void watch_limit_forget(struct watch_limit *limit);

#endif
