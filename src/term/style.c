/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where colours are RGB, the theme has the styles. This file has those of few colours, a row per
 * role: in 16 colours, in 8 colours, and without colours. Frames with a hue have no row: their
 * styles are in the lists of hues below, and each mode repeats its lists as often as it needs to.
 *
 * A page whose theme had to be guessed may be light after all: text on the page has colours that
 * can be read on both.
 *
 * In 16 colours, black is readable on the light half of the colours and white on the dark half: own
 * code has the light half, dependencies the dark one. Yellow is left to matches and scripting, red
 * to the garbage collector. */
#include "config.h"

#include "term/style.h"

#include "base/alloc.h"

#include <assert.h>

#define TEXT STYLE_TEXT
#define PAGE STYLE_PAGE

/* Two numbers in one, for few colours: which one counts depends on the theme. */
#define THEMED 0x100
#define BY_THEME(dark, light) (THEMED | (dark) << 4 | (light))

/* clang-format off */
#define INK(ink) { ink, PAGE, TEXT, 0 }
#define INK_BOLD(ink) { ink, PAGE, TEXT, PAINT_BOLD }
#define INK_DIM { TEXT, PAGE, TEXT, PAINT_DIM }
#define FILL(fill, on_fill) { TEXT, fill, on_fill, 0 }
#define FILL_BOLD(fill, on_fill) { TEXT, fill, on_fill, PAINT_BOLD }
#define BOX(color, on_fill) { color, color, on_fill, 0 } /* the same as ink and as fill */
#define EMPTY_DIM { PAGE, PAGE, TEXT, PAINT_DIM }
#define EMPTY BOX(PAGE, TEXT)
#define REVERSE FILL(TEXT, PAGE)
#define TEXT_BOX BOX(TEXT, PAGE)

#define STYLES(X) /* X(role, 16 colours, 8 colours, no colours) */ \
	X(PLAIN, INK(TEXT), INK(TEXT), INK(TEXT)) \
	X(DIM, INK(8), INK_DIM, INK_DIM) \
	X(PAGE, EMPTY, EMPTY, EMPTY) \
	X(LABEL, INK(TEXT), INK(TEXT), INK(TEXT)) \
	X(HEADER, REVERSE, REVERSE, REVERSE) \
	X(TITLE, INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(RULER, INK(8), INK_DIM, INK_DIM) \
	X(STATUS, REVERSE, REVERSE, REVERSE) \
	X(KEY, INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(WARN, INK_BOLD(BY_THEME(3, 1)), INK_BOLD(BY_THEME(3, 1)), INK_BOLD(TEXT)) \
	X(TAB, INK(8), INK_DIM, INK_DIM) \
	X(TAB_ACTIVE, FILL_BOLD(TEXT, PAGE), FILL_BOLD(TEXT, PAGE), FILL_BOLD(TEXT, PAGE)) \
	X(HEAD, INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(ROW, REVERSE, REVERSE, REVERSE) \
	X(ROW_MARK, INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(RULE, INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(BAR, BOX(4, 15), BOX(4, 7), TEXT_BOX) \
	X(PROMPT, INK(TEXT), INK(TEXT), INK(TEXT)) \
	X(COMMENT, INK(8), INK_DIM, INK_DIM) \
	X(STRING, INK(TEXT), INK(TEXT), INK(TEXT)) \
	X(KEYWORD, INK_BOLD(TEXT), INK_BOLD(TEXT), INK_BOLD(TEXT)) \
	X(BUSY, BOX(2, 0), BOX(2, 0), INK(TEXT)) \
	X(WINDOW, FILL(BY_THEME(8, 7), BY_THEME(15, 0)), FILL(4, 7), REVERSE) \
	X(IDLE, EMPTY_DIM, EMPTY_DIM, EMPTY_DIM) \
	X(PROGRAM, EMPTY, EMPTY, EMPTY) \
	X(GC, BOX(9, 0), BOX(1, 7), TEXT_BOX) \
	X(NATIVE, BOX(7, 0), BOX(7, 0), TEXT_BOX) \
	X(NODE, BOX(8, 15), BOX(4, 7), TEXT_BOX) \
	X(SCRIPTING, BOX(3, 0), BOX(3, 0), TEXT_BOX) \
	X(RENDERING, BOX(5, 15), BOX(5, 7), TEXT_BOX) \
	X(PAINTING, BOX(2, 0), BOX(2, 0), TEXT_BOX) \
	X(LOADING, BOX(12, 0), BOX(6, 0), TEXT_BOX) \
	X(TASK, BOX(8, 15), BOX(4, 7), TEXT_BOX) \
	X(HEAT_0, EMPTY, EMPTY, EMPTY) \
	X(HEAT_1, BOX(8, 15), BOX(4, 7), TEXT_BOX) \
	X(HEAT_2, BOX(4, 15), BOX(4, 7), TEXT_BOX) \
	X(HEAT_3, BOX(6, 0), BOX(6, 0), TEXT_BOX) \
	X(HEAT_4, BOX(7, 0), BOX(7, 0), TEXT_BOX) \
	X(HEAT_5, BOX(3, 0), BOX(3, 0), TEXT_BOX) \
	X(LESS_2, BOX(12, 0), BOX(4, 7), TEXT_BOX) \
	X(LESS_1, BOX(4, 15), BOX(4, 7), TEXT_BOX) \
	X(SAME, BOX(8, 15), BOX(7, 0), TEXT_BOX) \
	X(MORE_1, BOX(1, 15), BOX(1, 7), TEXT_BOX) \
	X(MORE_2, BOX(9, 0), BOX(1, 7), TEXT_BOX)
/* clang-format on */

enum column { OF_16, OF_8, OF_MONO, OF_COUNT };

#define STYLE_ROW(name, ...) [ROLE_##name] = { __VA_ARGS__ },
static const struct style styles[ROLE_FRAME][OF_COUNT] = { STYLES(STYLE_ROW) };

/* A second row for a role gives a compiler warning, a missing row an error. */
#define COUNT_ROW(name, of_16, of_8, mono) +1
static_assert(0 STYLES(COUNT_ROW) == ROLE_FRAME, "each role has one row in STYLES");

static const struct style own_16[] = { BOX(14, 0), BOX(10, 0), BOX(13, 0), BOX(12, 0) };
static const struct style dependencies_16[] = { BOX(6, 0), BOX(2, 0), BOX(5, 15), BOX(4, 15) };
static const struct style own_8[] = { BOX(6, 0), BOX(2, 0) };
static const struct style dependencies_8[] = { BOX(5, 7) };
static const struct style hue_mono = TEXT_BOX;

/* The reserved colours of traces (role_cname()), in their order. */
static const uint8_t cnames_16[ROLE_CNAMES] = { 2, 3, 1, 8, 7,  15, 3, 3, 8, 3, 12, 9,
						3, 2, 5, 3, 10, 12, 7, 3, 6, 4, 5,  12,
						8, 4, 3, 3, 10, 9,  7, 3, 2, 1 };

/* A box in one of 16 colours, or in the nearest one of 8. */
static struct style style_of_cname(const struct palette *p, unsigned i)
{
	int32_t color = cnames_16[i];
	bool is_dark;

	if (p->mode == PALETTE_MONO)
		return hue_mono;
	if (p->mode == PALETTE_8)
		color = color == 8 ? 4 : color & 7;
	is_dark = color == 1 || color == 4 || color == 5 || color == 8;
	return (struct style)BOX(color, is_dark ? p->mode == PALETTE_8 ? 7 : 15 : 0);
}

static struct style style_of_hue(const struct palette *p, unsigned hue)
{
	bool is_own = hue < ROLE_HUES;

	hue %= ROLE_HUES;
	if (p->mode == PALETTE_MONO)
		return hue_mono;
	if (p->mode == PALETTE_8)
		return is_own ? own_8[hue % ARRAY_LEN(own_8)]
			      : dependencies_8[hue % ARRAY_LEN(dependencies_8)];
	return is_own ? own_16[hue % ARRAY_LEN(own_16)]
		      : dependencies_16[hue % ARRAY_LEN(dependencies_16)];
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

	if (p->mode >= PALETTE_256)
		return theme_style(p->theme, role, p->mode == PALETTE_DIRECT);
	if (role >= ROLE_CNAME)
		return style_of_cname(p, role - ROLE_CNAME);
	if (role >= ROLE_FRAME)
		return style_of_hue(p, role - ROLE_FRAME);
	s = styles[role][p->mode == PALETTE_16 ? OF_16 : p->mode == PALETTE_8 ? OF_8 : OF_MONO];
	s.ink = themed(p, s.ink);
	s.fill = themed(p, s.fill);
	s.on_fill = themed(p, s.on_fill);
	return s;
}

/* ---- edges ---- */

#define BLOCK_LEFT 0x258f /* a left block of one eighth; more eighths are below it */
#define BLOCK_FULL 0x2589
#define BLOCK_LOW 0x2582 /* lower blocks of two eighths and of seven */
#define BLOCK_HIGH 0x2587

static bool is_box(const struct cell *c)
{
	return c->fill >= ROLE_GC && c->fill <= ROLE_FRAME_LAST &&
		!(c->flags & (CELL_SHARED | CELL_SELECTED));
}

/* Whether the end of a frame is drawn on a frame. */
static bool is_edge(const struct cell *c)
{
	return c->ch >= BLOCK_FULL && c->ch <= BLOCK_LEFT && c->ink >= ROLE_GC &&
		c->ink <= ROLE_FRAME_LAST;
}

/* The low rest of a bar, which is pale where there are tones. */
static bool is_rest(const struct palette *p, const struct cell *c)
{
	return c->flags & CELL_THIN && c->ch == BLOCK_LOW && c->ink >= ROLE_IDLE &&
		c->fill < ROLE_IDLE && style_of(p, c->ink).fill >= 0;
}

/* A block in the colour of its box is not seen, and in any other colour it looks like a gap. */
bool style_replace(const struct palette *p, const struct cell *before, const struct cell *c,
		   struct cell *out)
{
	unsigned beside = is_edge(c) ? c->ink : before ? before->fill : c->fill;

	*out = *c;
	if (p->mode >= PALETTE_256) {
		out->ch = BLOCK_HIGH;
		return is_rest(p, c);
	}
	if (p->mode == PALETTE_MONO && grid_is_stacked(c)) {
		out->ch = ' ';
		out->ink = ROLE_LABEL;
		return true;
	}
	if (!is_box(c) || style_of(p, beside).fill != style_of(p, c->fill).fill)
		return false;
	out->ch = BLOCK_LEFT;
	out->ink = ROLE_PAGE;
	return is_edge(c) || (before && c->ch == ' ' && is_box(before) && beside != c->fill);
}
