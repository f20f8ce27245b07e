/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of what was sent the terminal has shown. A network takes much more than that: seconds of it, on a slow line. So
 * when pictures follow each other quickly, the terminal is asked behind each for its status; the answer says that it
 * has come so far. Before the first answer nothing waits. For term.c, which sends the question and brings the answers. */
#ifndef FLAMETTY_TERM_FLOW_H
#define FLAMETTY_TERM_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#define FLOW_REQUEST "\033[5n"

/* The terminal was taken, maybe not for the first time: nothing is under way. */
void flow_begin(void);

/* A picture was sent: whether to ask now, which is taken for done. */
bool flow_asks(void);

/* All that had come was looked at; n answers were among it. */
void flow_looked(void);
void flow_take(int n);

/* How long any answer is still to be waited for; how long before another picture may be sent. 0: not at all. */
int64_t flow_patience_ns(void);
int64_t flow_wait_ns(void);

/* How long the last answer took, at least. */
int64_t flow_trip_ns(void);

#endif
