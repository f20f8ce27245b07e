/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the terminal for its background colour. For term.c. */
#ifndef FLAMETTY_TERM_BACKGROUND_H
#define FLAMETTY_TERM_BACKGROUND_H

#include <stdbool.h>

/* The longest wait for the answer. Before the first picture: a local terminal needs a millisecond
 * or two, and the answer of a remote one is used when it comes. Before the terminal is given back:
 * so that the shell does not read the answer as input. */
#define BACKGROUND_START_MS 12
#define BACKGROUND_END_MS 300

/* The request. Terminals that do not know its first half still answer the second, which ends the
 * wait. */
#define BACKGROUND_REQUEST "\033]11;?\033\\\033[c"

/* The request was sent; input.h reads from the same terminal. */
void background_begin(int in_fd);

/* Wait for the answer, until `ms` after the request at most; keys that come in that time stay in
 * the input queue. Does nothing without a request. */
void background_await(int ms);

/* Take the answer, once. True: it differs from *is_light, which is changed. */
bool background_take(bool *is_light);

#endif
