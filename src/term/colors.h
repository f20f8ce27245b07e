/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which colours the terminal gets: from the options, the environment, and what the terminal answers
 * later. There is one palette per program. For term.c. */
#ifndef FLAMETTY_TERM_COLORS_H
#define FLAMETTY_TERM_COLORS_H

#include "term/term.h"

#include <stdbool.h>
#include <stdint.h>

struct colors_terminal {
	int n_colors;     /* by its description; 0: none */
	bool knows_modes; /* it knows private sequences, or ignores them */
	bool has_direct;  /* direct colours can be sent to it, whatever its description tells */
	int in_fd;        /* its answers come from there */
};

/* Choose the palette. */
void colors_open(const struct term_options *options, const struct colors_terminal *t);

/* Borrowed; colors_take() changes it. */
struct palette *colors_palette(void);

/* Choose the palette of another theme. */
void colors_set_theme(enum palette_theme theme, const struct theme *user_theme);

/* Ask the terminal what may change the palette, and later for its clipboard. Waits for nothing. */
void colors_ask(void);

/* Take the answers that have come. True: the palette has changed. */
bool colors_take(void);

/* The longest wait for the answer before the terminal is given back: the shell would read a later
 * answer as input. */
#define BACKGROUND_END_MS 300

/* Wait for the answer, until `ms` after the request at most; keys that come in that time stay in
 * the input queue. Does nothing without a request. */
void background_await(int ms);

#endif
