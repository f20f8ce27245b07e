/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which colours the terminal gets: from the options, the environment, and what the terminal answers
 * later. There is one palette per program. For term.c. */
#ifndef FLAMETTY_TERM_COLORS_H
#define FLAMETTY_TERM_COLORS_H

#include "term/description.h"
#include "term/term.h"

#include <stdbool.h>

/* Choose the palette, and ask the terminal what may change it, and later for its clipboard. Waits
 * for nothing. The type is borrowed while the terminal is open. Returns the palette, borrowed;
 * colors_take() changes it. */
struct palette *colors_open(const struct term_options *options, const struct description *type);

/* Choose the palette of another theme. */
void colors_set_theme(enum palette_theme theme, const struct theme *user_theme);

/* Take the answers that have come. True: the palette has changed. */
bool colors_take(void);

#endif
