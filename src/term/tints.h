/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Darker and paler tones of a colour, where there are only those of the 256-colour palette. Pure.
 */
#ifndef FLAMETTY_TERM_TINTS_H
#define FLAMETTY_TERM_TINTS_H

#include <stdbool.h>
#include <stdint.h>

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

struct tint_wish {
	int32_t of;   /* the colour whose tone is wanted */
	int32_t near; /* the tone, if there were more colours */
	int32_t page;
	int32_t apart; /* a colour that the tone is not taken for; -1: none */
	int32_t other; /* a tone that this one rather differs from; -1: none */
	double least;  /* its contrast to the page is this or more; 1: it may be hardly visible */
	bool may_be_grey; /* where there is none of the hue: else it is the colour itself */
};

/* page: that of the wishes. */
void tints_init(struct tints *tints, int32_t page);

/* The colour of the palette for a tone: it has the hue of the colour or is grey, and lies between
 * the colour and the page. Black or white text can be read on it. If there is none, the colour
 * itself, or, where the tone may be hardly visible, the one nearest to the wish. */
int32_t tints_find(const struct tints *tints, const struct tint_wish *wish);

/* The same for a terminal with all colours: `percent` of the page and the rest of the colour, or
 * less of the page, as far as that can be seen. */
int32_t tints_blend(const struct tint_wish *wish, int percent);

/* The colour that has a contrast of `least` or more to the page and is most like wish->of, from
 * which it is farther away from the page; `near` and `other` do not matter. is_direct: of all
 * colours, not only of the palette. If there is none, black or white. */
int32_t tints_fit(const struct tints *tints, const struct tint_wish *wish, bool is_direct);

#endif
