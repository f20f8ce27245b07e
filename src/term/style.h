/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The colours of each role, in each mode and theme: one table, a row per role. Pure. */
#ifndef FLAMETTY_TERM_STYLE_H
#define FLAMETTY_TERM_STYLE_H

#include "layout/role.h"
#include "term/palette.h"

#include <stdint.h>

/* The terminal's own two colours, which have no number. */
#define STYLE_TEXT (-1)
#define STYLE_PAGE (-2)

/* Black and white where colours are RGB. Direct-colour terminals take 0 to 7 for numbers of the
 * 16-colour palette, so black is not 0. */
#define STYLE_BLACK 0x080808
#define STYLE_WHITE 0xffffff

/* Colours are 0xRRGGBB in PALETTE_256 and PALETTE_DIRECT, else numbers of the terminal's palette,
 * or one of the two above. */
struct style {
	int32_t ink;     /* as ink */
	int32_t fill;    /* as fill */
	int32_t on_fill; /* text on that fill */
	uint8_t attrs;   /* paint_attr bits of text in this ink */
};

/* The style of a role (below ROLE_COUNT), without regard to flags. */
struct style style_of(const struct palette *palette, unsigned role);

#endif
