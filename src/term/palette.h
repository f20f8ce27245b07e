/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From roles to colours, as pure functions: nothing here needs a terminal.
 * Colours are 0xRRGGBB in PALETTE_DIRECT, else numbers of the terminal's own
 * palette. Every frame colour carries its label with a contrast of 4.5 or more
 * in PALETTE_256 and PALETTE_DIRECT; the 16 and 8 colours are the user's. */
#ifndef FLAMETTY_TERM_PALETTE_H
#define FLAMETTY_TERM_PALETTE_H

#include "layout/role.h"
#include "term/term.h"

#include <stdbool.h>
#include <stdint.h>

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
	PAINT_REVERSE = 8, /* fg and bg change places, also where they are PAINT_DEFAULT */
	PAINT_BLANK = 16   /* ink and fill look the same here: show a blank */
};

struct paint {
	int32_t fg;
	int32_t bg;
	uint8_t attrs; /* paint_attr bits */
};

/* The mode for a terminal with `n_colors` colours (0 or less: none).
 * no_color: the value of NO_COLOR or NULL; empty counts as not set.
 * TERM_COLOR_ALWAYS overrules it, but cannot give a terminal colours. */
enum palette_mode palette_mode_find(int n_colors, enum term_color option, const char *no_color);

/* Whether palette_is_light() is told what the page is, and does not guess. */
bool palette_is_told(enum term_theme option, const char *colorfgbg);

/* Whether the page is light. colorfgbg: the value of COLORFGBG (`15;0`) or NULL;
 * it decides for TERM_THEME_AUTO, and without it the page counts as dark. */
bool palette_is_light(enum term_theme option, const char *colorfgbg);

/* How a cell with these roles (enum role) and flags (cell_flag bits) is painted.
 * CELL_SELECTED, CELL_SAME and CELL_MATCH are about the fill where the fill is a
 * frame, else about the ink: the last part of a span, on the page. */
struct paint palette_lookup(const struct palette *p, unsigned ink, unsigned fill, unsigned flags);

/* A colour of `p` as 0xRRGGBB; for 16 colours and fewer as xterm has them.
 * PAINT_DEFAULT: as_ink tells the text from the page. */
uint32_t palette_rgb(const struct palette *p, int32_t color, bool as_ink);

#endif
