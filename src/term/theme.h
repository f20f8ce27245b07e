/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A theme: the colours of all roles where colours are RGB or of the 256-colour palette. The file
 * theme.c has the built-in themes in one table, and reads those of users. Few colours and none have
 * the styles of palette.c in every theme. Pure. */
#ifndef FLAMETTY_TERM_THEME_H
#define FLAMETTY_TERM_THEME_H

#include "base/error.h"
#include "draw/role.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The terminal's own two colours, which have no number. */
#define STYLE_TEXT (-1)
#define STYLE_PAGE (-2)

/* As text on a fill: black or white, by contrast. */
#define STYLE_AUTO (-3)

/* Black and white where colours are RGB. Direct-colour terminals take 0 to 7 for numbers of the
 * 16-colour palette, so black is not 0. */
#define STYLE_BLACK 0x080808
#define STYLE_WHITE 0xffffff

/* The least contrast of a fill to the page. Node has more than others on a dark page, where it is
 * the darkest fill but one. */
#define THEME_MIN_LIGHT 1.6
#define THEME_MIN_DARK 1.5
#define THEME_MIN_NODE 1.6

/* Colours are 0xRRGGBB in PALETTE_256 and PALETTE_DIRECT, else numbers of the terminal's palette,
 * or one of the above. */
struct style {
	int32_t ink;     /* as ink */
	int32_t fill;    /* as fill */
	int32_t on_fill; /* text on that fill */
	uint8_t attrs;   /* paint_attr bits of text in this ink */
};

/* The hues of own code and of dependencies: the first `n` of `rgb` count, and repeat. */
struct theme_hues {
	unsigned n;
	int32_t rgb[ROLE_HUES];
};

enum theme_owner { THEME_OWN, THEME_DEPENDENCY, THEME_OWNERS };

struct theme {
	const char *name;
	bool is_light;
	int32_t page; /* what the page is taken for until the terminal has told its colour */
	struct style styles[ROLE_FRAME];
	bool is_kept[ROLE_COUNT]; /* the user chose the colour: it is not made to fit the page */
	struct theme_hues hues[THEME_OWNERS]; /* colours of the 256-colour palette */
	/* The reserved colours of traces, in all colour modes from 256 on. */
	int32_t cnames[ROLE_CNAMES];
	bool ignores_cnames; /* slices do not get the colours that their trace asks for */
	struct theme_hues direct_hues[THEME_OWNERS]; /* the same in direct colour */
};

/* The built-in theme for a page. */
const struct theme *theme_for(bool is_colour_blind, bool is_light);

/* The style of a role (below ROLE_COUNT). on_fill is never STYLE_AUTO. */
struct style theme_style(const struct theme *theme, unsigned role, bool is_direct);

/* The more readable of black and white on a fill. */
int32_t theme_text_on(int32_t fill);

/* Parse a user's theme of `len` bytes ("theme file" in theme.c). False: err says what is wrong,
 * with the number of the line first, as in "3: no role 'x'". */
bool theme_file_parse(const char *text, size_t len, struct theme *theme,
		      struct error *err) MUST_USE;

/* `percent` (0 to 100) of b and the rest of a, per channel. */
int32_t color_blend(int32_t a, int32_t b, int percent);

/* The linear value of a channel of sRGB (0 to 255), 0 to 1. */
double color_linear(int channel);

/* Relative luminance, 0 to 10000. */
int color_luminance(int32_t rgb);

/* The contrast ratio, 1 to 21. */
double color_contrast(int32_t a, int32_t b);

/* Whether text of one colour can be read on the other: a contrast ratio of 4.5 or more. */
bool color_has_contrast(int32_t a, int32_t b);

/* The number of the nearest colour in the cube (16 to 231) or among the greys (232 to 255) of the
 * 256-colour palette. */
int32_t color_nearest_256(int32_t rgb);

/* The colour with number 16 to 255 of the 256-colour palette. */
int32_t color_of_256(int32_t number);

#endif
