/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a cell is painted, from its roles and flags. Pure: no terminal is needed.
 *
 * Colours are 0xRRGGBB in PALETTE_DIRECT, else numbers of the terminal's palette. In PALETTE_256
 * and PALETTE_DIRECT, labels have a contrast of 4.5 or more to every frame colour; the first 16
 * colours are the user's own, so there no contrast is known. */
#ifndef FLAMETTY_TERM_PALETTE_H
#define FLAMETTY_TERM_PALETTE_H

#include "draw/role.h"
#include "term/theme.h"

#include <stdbool.h>
#include <stdint.h>

struct cell;

#define TINTS 240 /* colours 16 to 255 of the palette: users change those below */

struct tint {
	int32_t rgb;
	double l, a, b, chroma; /* OKLab */
	double luminance;       /* 0 to 1 */
};

/* The colours of the palette, compared as eyes do. Made by tints_init(). */
struct tints {
	struct tint list[TINTS];
	struct tint page, black, white;
};

/* What the user asks for; the words of --color and --theme are in the same order. */
enum palette_color {
	PALETTE_COLOR_AUTO,
	PALETTE_COLOR_ALWAYS,
	PALETTE_COLOR_NEVER,
	PALETTE_COLOR_8,
	PALETTE_COLOR_16,
	PALETTE_COLOR_256,
	PALETTE_COLOR_DIRECT
};

enum palette_theme {
	PALETTE_THEME_AUTO,
	PALETTE_THEME_DARK,
	PALETTE_THEME_LIGHT,
	PALETTE_THEME_COLOUR_BLIND,
	PALETTE_THEME_MONO
};

enum palette_mode { PALETTE_MONO, PALETTE_8, PALETTE_16, PALETTE_256, PALETTE_DIRECT };

/* How much of a fill's colour is left: the rest is that of the page. */
enum palette_tone {
	PALETTE_PLAIN,
	PALETTE_ODD,    /* the same in every other row, where there are colours for it */
	PALETTE_SHARED, /* several spans share the cell and fill at least half of it */
	PALETTE_THIN,   /* they fill less */
	PALETTE_HINT,   /* a match is among them */
	PALETTE_DIM,    /* no match */
	PALETTE_DIM_SHARED,
	PALETTE_DIM_THIN,
	PALETTE_TONES
};

/* Made by palette_init(); for others, only the first four members, to be read. */
struct palette {
	enum palette_mode mode;
	bool is_light; /* the page is light */
	int32_t page;  /* its colour, 0xRRGGBB, as far as it is known */
	const struct theme *theme;
	struct palette_pair {
		int32_t fill, text;
	} tones[ROLE_COUNT][PALETTE_TONES]; /* where colours are RGB */
	bool has_tones[ROLE_COUNT];
	struct style styles[ROLE_COUNT]; /* those of the theme, made to fit the page */
	bool has_style[ROLE_COUNT];
	bool has_tints;
	struct tints tints;
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

/* What is known about a terminal and its environment. */
struct palette_terminal {
	int n_colors;          /* by its description; 0 or less: none */
	bool has_direct;       /* it takes direct colours, which the description does not tell */
	const char *colorterm; /* COLORTERM or NULL */
	const char *no_color;  /* NO_COLOR or NULL; empty counts as not set */
	bool is_remote;        /* a slow line is likely */
	bool is_screen;        /* GNU screen, which does not know what its terminal says */
};

/* The mode for a terminal. The user's choice gives a terminal no more colours than it has, as far
 * as that is known, and overrules NO_COLOR. Remote terminals have 256 colours unless the user
 * wants more: direct colours are more bytes. */
enum palette_mode palette_mode_find(const struct palette_terminal *t, enum palette_color option);

/* Whether palette_is_light() knows the theme from its arguments; otherwise it guesses. */
bool palette_is_known(enum palette_theme option, const char *colorfgbg);

/* Whether the page is light. colorfgbg: the value of COLORFGBG (`15;0`) or NULL; unless the option
 * tells, it decides. If it is NULL, the page counts as dark. */
bool palette_is_light(enum palette_theme option, const char *colorfgbg);

/* Make the palette of a theme, which must outlive it. page: its colour, or -1 for the theme's. */
void palette_init(struct palette *p, enum palette_mode mode, const struct theme *theme,
		  int32_t page);

/* The paint of a cell with these roles (enum role) and flags (cell_flag bits). CELL_SELECTED,
 * CELL_SAME and CELL_MATCH apply to the fill if it is a frame, else to the ink: the last part of a
 * span, drawn on the page. */
struct paint palette_lookup(struct palette *p, unsigned ink, unsigned fill, unsigned flags);

/* ---- style ----
 *
 * The style of each role in each mode: of the theme, or of few colours. Pure. */

/* Boxes differ in colour; where the terminal has few, two roles may have the same. Make the cell
 * that shows an edge nevertheless: a thin line. Where it has many, the low rest of a bar is a high
 * one. before: the cell on the left of `c`; NULL: none.
 * Returns false if `c` is right as it is; *out is then undefined. */
bool style_replace(const struct palette *palette, const struct cell *before, const struct cell *c,
		   struct cell *out);

#endif
