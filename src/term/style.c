/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row of the table has five styles: on a dark page and on a light page in RGB, in 16 colours, in
 * 8 colours, and without colours. The RGB colours are from the 256-colour cube, so that the two
 * richer modes look the same. Frames with a hue have no row: their styles are in the lists of hues
 * below, and each mode repeats its list as often as it needs to.
 *
 * A page whose theme had to be guessed may be light after all: text on the page has colours that
 * can be read on both.
 *
 * In 16 colours, black is readable on the light half of the colours and white on the dark half.
 * Yellow is left to matches and native frames, red to the garbage collector.
 *
 * The hues were picked from the cube for the largest smallest distance (OKLab, also as seen by
 * protanopes and deuteranopes) among themselves and to the fixed colours. Neighbouring numbers are
 * far apart. */
#include "config.h"

#include "term/style.h"

#include "base/alloc.h"

#include <assert.h>

#define TEXT STYLE_TEXT
#define PAGE STYLE_PAGE
#define BLACK STYLE_BLACK
#define WHITE STYLE_WHITE

/* Two numbers in one, for few colours: which one counts depends on the theme. */
#define THEMED 0x100
#define BY_THEME(dark, light) (THEMED | (dark) << 4 | (light))

/* clang-format off */
#define INK(ink) { ink, PAGE, TEXT, 0 }
#define INK_BOLD(ink) { ink, PAGE, TEXT, PAINT_BOLD }
#define INK_DIM { TEXT, PAGE, TEXT, PAINT_DIM }
#define INK_FILL(ink, fill, on_fill) { ink, fill, on_fill, 0 }
#define FILL(fill, on_fill) { TEXT, fill, on_fill, 0 }
#define FILL_BOLD(fill, on_fill) { TEXT, fill, on_fill, PAINT_BOLD }
#define BOX(color, on_fill) { color, color, on_fill, 0 } /* the same as ink and as fill */
#define EMPTY_DIM { PAGE, PAGE, TEXT, PAINT_DIM }
#define EMPTY BOX(PAGE, TEXT)
#define REVERSE FILL(TEXT, PAGE)
#define TEXT_BOX BOX(TEXT, PAGE)

#define STYLES(X) /* X(role, dark, light, 16 colours, 8 colours, no colours) */ \
	X(PLAIN, INK(TEXT), INK(TEXT), INK(TEXT), INK(TEXT), INK(TEXT)) \
	X(DIM, INK(0x8a8a8a), INK(0x626262), INK(8), INK_DIM, INK_DIM) \
	X(PAGE, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY) \
	X(LABEL, INK(TEXT), INK(TEXT), INK(TEXT), INK(TEXT), INK(TEXT)) \
	X(HEADER, FILL(0x303030, 0xdadada), FILL(0xe4e4e4, 0x262626), REVERSE, REVERSE, REVERSE) \
	X(TITLE, INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(RULER, INK(0x5f8787), INK(0x005f5f), INK(8), INK_DIM, INK_DIM) \
	X(STATUS, FILL(0x303030, 0xdadada), FILL(0xe4e4e4, 0x262626), REVERSE, REVERSE, REVERSE) \
	X(KEY, INK_BOLD(0x0087d7), INK_BOLD(0x005faf), \
	  INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(WARN, INK_BOLD(0xd75f00), INK_BOLD(0x875f00), \
	  INK_BOLD(BY_THEME(3, 1)), INK_BOLD(BY_THEME(3, 1)), INK_BOLD(TEXT)) \
	X(TAB, INK(0x8a8a8a), INK(0x626262), INK(8), INK_DIM, INK_DIM) \
	X(TAB_ACTIVE, FILL_BOLD(0xdadada, BLACK), FILL_BOLD(0x303030, WHITE), \
	  FILL_BOLD(TEXT, PAGE), FILL_BOLD(TEXT, PAGE), FILL_BOLD(TEXT, PAGE)) \
	X(HEAD, INK_BOLD(0x5f8787), INK_BOLD(0x005f5f), \
	  INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(ROW, FILL(0xd0d0d0, BLACK), FILL(0x3a3a3a, WHITE), REVERSE, REVERSE, REVERSE) \
	X(BAR, BOX(0x5f5f87, WHITE), BOX(0xafafd7, BLACK), BOX(4, 15), BOX(4, 7), TEXT_BOX) \
	X(PROMPT, INK(TEXT), INK(TEXT), INK(TEXT), INK(TEXT), INK(TEXT)) \
	X(BUSY, BOX(0x5faf87, BLACK), BOX(0x00875f, WHITE), BOX(2, 0), BOX(2, 0), INK(TEXT)) \
	X(WINDOW, INK_FILL(0xd0d0d0, 0x3a3a3a, WHITE), INK_FILL(0x444444, 0xd0d0d0, BLACK), \
	  FILL(BY_THEME(8, 7), BY_THEME(15, 0)), FILL(4, 7), REVERSE) \
	X(IDLE, BOX(0x262626, 0x949494), BOX(0xe4e4e4, 0x626262), EMPTY_DIM, EMPTY_DIM, EMPTY_DIM) \
	X(PROGRAM, BOX(0x8a8a8a, BLACK), BOX(0xa8a8a8, BLACK), BOX(8, 15), EMPTY, EMPTY) \
	X(GC, BOX(0xff5f5f, BLACK), BOX(0xff5f5f, BLACK), BOX(9, 0), BOX(1, 7), TEXT_BOX) \
	X(NATIVE, BOX(0xd7af87, BLACK), BOX(0xd7af87, BLACK), BOX(3, 0), BOX(3, 0), TEXT_BOX)
/* clang-format on */

enum column { OF_DARK, OF_LIGHT, OF_16, OF_8, OF_MONO, OF_COUNT };

#define STYLE_ROW(name, ...) [ROLE_##name] = { __VA_ARGS__ },
static const struct style styles[ROLE_FRAME][OF_COUNT] = { STYLES(STYLE_ROW) };

/* A second row for a role gives a compiler warning, a missing row an error. */
#define COUNT_ROW(name, dark, light, of_16, of_8, mono) +1
static_assert(0 STYLES(COUNT_ROW) == ROLE_FRAME, "each role has one row in STYLES");

static const struct style hues_rgb[] = {
	BOX(0x5f87d7, BLACK), BOX(0xafd75f, BLACK), BOX(0xd787d7, BLACK), BOX(0x00afaf, BLACK),
	BOX(0xd7af00, BLACK), BOX(0xaf87ff, BLACK), BOX(0x00d7ff, BLACK), BOX(0xaf8700, BLACK),
	BOX(0xd7afd7, BLACK), BOX(0x00af5f, BLACK), BOX(0x87afff, BLACK), BOX(0xafd7af, BLACK),
};
static_assert(ARRAY_LEN(hues_rgb) == ROLE_HUES, "each hue has a colour");
static const struct style hues_16[] = {
	BOX(14, 0), BOX(10, 0), BOX(13, 0), BOX(12, 0),
	BOX(6, 0),  BOX(2, 0),  BOX(5, 15), BOX(4, 15),
};
static const struct style hues_8[] = { BOX(6, 0), BOX(2, 0), BOX(5, 7), BOX(4, 7) };
static const struct style hue_mono = TEXT_BOX;

static struct style style_of_hue(const struct palette *p, unsigned hue)
{
	switch (p->mode) {
	case PALETTE_MONO:
		return hue_mono;
	case PALETTE_8:
		return hues_8[hue % ARRAY_LEN(hues_8)];
	case PALETTE_16:
		return hues_16[hue % ARRAY_LEN(hues_16)];
	case PALETTE_256:
	case PALETTE_DIRECT:
		break;
	}
	return hues_rgb[hue];
}

static int32_t themed(const struct palette *p, int32_t color)
{
	if (color < THEMED)
		return color;
	return p->is_light ? color & 15 : color >> 4 & 15;
}

struct style style_of(const struct palette *p, unsigned role)
{
	struct style s;

	if (role >= ROLE_FRAME)
		return style_of_hue(p, role - ROLE_FRAME);
	if (p->mode >= PALETTE_256)
		return styles[role][p->is_light ? OF_LIGHT : OF_DARK];
	s = styles[role][p->mode == PALETTE_16 ? OF_16 : p->mode == PALETTE_8 ? OF_8 : OF_MONO];
	s.ink = themed(p, s.ink);
	s.fill = themed(p, s.fill);
	s.on_fill = themed(p, s.on_fill);
	return s;
}
