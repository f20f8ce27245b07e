/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of what was sent the terminal has shown. A network takes much more than that: seconds of
 * it, on a slow line. So when pictures follow each other quickly, the terminal is asked behind each
 * for its status; the answer says that it has come so far. Where a picture takes long it is sent in
 * parts, the terminal is asked behind each, and so a key need not wait for all of a picture that
 * nobody wants any more.
 *
 * Before the first answer nothing waits, but that the terminal is known to be far away: then it is
 * sent no more than a slow line takes. For term.c, which sends the question and brings the answers.
 */
#ifndef FLAMETTY_TERM_PACING_H
#define FLAMETTY_TERM_PACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACING_REQUEST "\033[5n"

/* A terminal of which nothing is known; is_remote: but that it is far away. */
void pacing_open(bool is_remote);

/* It was taken, maybe not for the first time: nothing is under way. */
void pacing_begin(void);

/* How many bytes to send at once; SIZE_MAX: a whole picture. */
size_t pacing_part_bytes(void);

/* So many bytes were sent, about: a picture, or a part of one. Whether to ask now, which is taken
 * for done. */
void pacing_sent(size_t bytes);
bool pacing_asks(bool is_part);

/* All that had come was looked at; n answers were among it. */
void pacing_looked(void);
void pacing_take(int n);

/* How long any answer is still to be waited for; how long before more may be sent. 0: not at all.
 */
int64_t pacing_patience_ns(void);
int64_t pacing_wait_ns(void);

/* How long the last answer took, at least. */
int64_t pacing_trip_ns(void);

#endif
