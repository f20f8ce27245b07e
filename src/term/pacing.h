/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output pacing: limits the output that the terminal has not shown yet. A network buffers much
 * more, on a slow line seconds of output. When pictures follow each other quickly, a status request
 * is sent after each; its answer tells that the terminal has shown what came before. A picture that
 * takes long is sent in parts, with a request after each, so that a key need not wait for the rest
 * of a picture that is out of date.
 *
 * Before the first answer nothing waits, except if the terminal is remote: then output is limited
 * to the rate of a slow line. For term.c, which sends the requests and passes the answers on. */
#ifndef FLAMETTY_TERM_PACING_H
#define FLAMETTY_TERM_PACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACING_REQUEST "\033[5n"

/* Start with a terminal of which nothing is known. is_remote: it is at the end of a network. */
void pacing_open(bool is_remote);

/* The terminal was taken, for the first time or again: no output is on its way. */
void pacing_begin(void);

/* The number of bytes to send at once; SIZE_MAX: a whole picture. */
size_t pacing_part_bytes(void);

/* About `bytes` bytes of a picture were sent. pacing_asks(): whether to send a request now; the
 * request counts as sent. is_part: they were a part of a picture. */
void pacing_sent(size_t bytes);
bool pacing_asks(bool is_part);

/* All input that had come was read. pacing_take(): n answers were among it. */
void pacing_looked(void);
void pacing_take(int n);

/* The time in ns to wait for answers that are still to come, and the time before more may be sent;
 * 0: no wait. */
int64_t pacing_patience_ns(void);
int64_t pacing_wait_ns(void);

/* The time in ns that the last answer took at least; 0: not known. */
int64_t pacing_trip_ns(void);

#endif
