/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The style of each role in each mode: of the theme, or of few colours. Pure. */
#ifndef FLAMETTY_TERM_STYLE_H
#define FLAMETTY_TERM_STYLE_H

#include "draw/grid.h"
#include "term/palette.h"

/* The style of a role (below ROLE_COUNT), without regard to flags. */
struct style style_of(const struct palette *palette, unsigned role);

/* Boxes differ in colour; where the terminal has few, two roles may have the same. Make the cell
 * that shows an edge nevertheless: a thin line. Where it has many, the low rest of a bar is a high
 * one. before: the cell on the left of `c`; NULL: none.
 * Returns false if `c` is right as it is; *out is then undefined. */
bool style_replace(const struct palette *palette, const struct cell *before, const struct cell *c,
		   struct cell *out);

#endif
