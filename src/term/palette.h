/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a cell is painted, from its roles and flags. Pure: no terminal is needed.
 *
 * Colours are 0xRRGGBB in PALETTE_DIRECT, else numbers of the terminal's palette. In PALETTE_256
 * and PALETTE_DIRECT, labels have a contrast of 4.5 or more to every frame colour; the first 16
 * colours are the user's own, so there no contrast is known. */
#ifndef FLAMETTY_TERM_PALETTE_H
#define FLAMETTY_TERM_PALETTE_H

#include "layout/role.h"

#include <stdbool.h>
#include <stdint.h>

/* What the user asks for; the words of --color and --theme are in the same order. */
enum palette_color { PALETTE_COLOR_AUTO, PALETTE_COLOR_ALWAYS, PALETTE_COLOR_NEVER };
enum palette_theme { PALETTE_THEME_AUTO, PALETTE_THEME_DARK, PALETTE_THEME_LIGHT };

enum palette_mode { PALETTE_MONO, PALETTE_8, PALETTE_16, PALETTE_256, PALETTE_DIRECT };

struct palette {
	enum palette_mode mode;
	bool is_light; /* the page is light */
};

#define PAINT_DEFAULT (-1) /* the terminal's own colour */

enum paint_attr {
	PAINT_BOLD = 1,
	PAINT_UNDERLINE = 2,
	PAINT_DIM = 4,
	PAINT_REVERSE = 8, /* swap fg and bg, also where they are PAINT_DEFAULT */
	PAINT_BLANK = 16   /* ink and fill have the same colour: show a blank */
};

struct paint {
	int32_t fg;
	int32_t bg;
	uint8_t attrs; /* paint_attr bits */
};

/* The word for a value of the enums above; NULL: i is past the last one. */
const char *palette_color_word(unsigned i);
const char *palette_theme_word(unsigned i);

/* The mode for a terminal with `n_colors` colours (0 or less: none). no_color: the value of
 * NO_COLOR or NULL; empty counts as not set. PALETTE_COLOR_ALWAYS overrules NO_COLOR, but gives a
 * terminal no more colours than it has. */
enum palette_mode palette_mode_find(int n_colors, enum palette_color option, const char *no_color);

/* Whether palette_is_light() knows the theme from its arguments; otherwise it guesses. */
bool palette_is_known(enum palette_theme option, const char *colorfgbg);

/* Whether the page is light. colorfgbg: the value of COLORFGBG (`15;0`) or NULL; with
 * PALETTE_THEME_AUTO it decides. If it is NULL, the page counts as dark. */
bool palette_is_light(enum palette_theme option, const char *colorfgbg);

/* The paint of a cell with these roles (enum role) and flags (cell_flag bits). CELL_SELECTED,
 * CELL_SAME and CELL_MATCH apply to the fill if it is a frame, else to the ink: the last part of a
 * span, drawn on the page. */
struct paint palette_lookup(const struct palette *p, unsigned ink, unsigned fill, unsigned flags);

#endif
