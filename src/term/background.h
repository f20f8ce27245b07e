/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the terminal for its background colour. For term.c. */
#ifndef FLAMETTY_TERM_BACKGROUND_H
#define FLAMETTY_TERM_BACKGROUND_H

#include <stdbool.h>
#include <stdint.h>

/* The longest wait for the answer before the terminal is given back: the shell would read a later
 * answer as input. */
#define BACKGROUND_END_MS 300

/* The request. Terminals that do not know its first half still answer the second, which ends the
 * wait. */
#define BACKGROUND_REQUEST "\033]11;?\033\\\033[c"

/* The request was sent; input.h reads from the same terminal. */
void background_begin(int in_fd);

/* Wait for the answer, until `ms` after the request at most; keys that come in that time stay in
 * the input queue. Does nothing without a request. */
void background_await(int ms);

/* Take the answer, once: the colour of the page, 0xRRGGBB. True: it differs from *page, which is
 * changed. */
bool background_take(int32_t *page);

/* Whether black text is more readable on a page of this colour than white text. */
bool background_is_light(int32_t page);

#endif
