/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the terminal for the colour behind its text. For term.c. */
#ifndef FLAMETTY_TERM_BACKGROUND_H
#define FLAMETTY_TERM_BACKGROUND_H

#include <stdbool.h>

/* How long to wait for the answer before the first picture: a terminal on this machine needs a
 * millisecond or two, and a far one is not worth the delay, as its answer is taken later, too. And
 * before the terminal is given back, so that no answer is left to whoever reads from it next. */
#define BACKGROUND_START_MS 12
#define BACKGROUND_END_MS 300

/* The request. Terminals that do not know it still answer the second half of it, so nobody waits
 * for nothing. */
#define BACKGROUND_REQUEST "\033]11;?\033\\\033[c"

/* The request was sent to the terminal that input.h reads from. */
void background_begin(int in_fd);

/* Wait until so long after the question for what is still to come; keys that come meanwhile wait in
 * the input's queue. Does nothing where nobody asked. */
void background_await(int ms);

/* Take the answer, once: true when it is another one than *is_light, which it is from then on. */
bool background_take(bool *is_light);

#endif
