/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cell's paint is made from the styles of its two roles (style_of()) in three steps: flags change
 * the style of a frame, then ink and fill become two colours, then finish() makes them colours that
 * a terminal can show.
 *
 * Where colours are RGB, a frame's fill has tones, which palette_tones() computes: blends towards
 * the page that say how much is in a cell, and what is no match. Few colours have patterns and
 * attributes instead.
 *
 * STYLE_TEXT and STYLE_PAGE, the terminal's own colours, have no number. A terminal can put the
 * text colour on anything and anything on the page colour, but the page colour on another one, or a
 * colour on the text colour, only by the reverse attribute. finish() does that in one place, so
 * that the mode without colours, where a frame is simply the page colour on the text colour, needs
 * no code of its own. */
#include "config.h"

#include "term/palette.h"

#include "base/alloc.h"
#include "draw/grid.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ==== style ====
 *
 * Where colours are RGB, the theme has the styles. This section has those of few colours, a row per
 * role: in 16 colours, in 8 colours, and without colours. Frames with a hue have no row: their
 * styles are in the lists of hues below, and each mode repeats its lists as often as it needs to.
 *
 * A page whose theme had to be guessed may be light after all: text on the page has colours that
 * can be read on both.
 *
 * In 16 colours, black is readable on the light half of the colours and white on the dark half: own
 * code has the light half, dependencies the dark one. Yellow is left to matches and scripting, red
 * to the garbage collector. */

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

/* The reserved colours of traces (frame_roles_cname()), in their order. */
static const uint8_t cnames_16[ROLE_CNAMES] = { 2, 3, 1, 8, 7,  15, 3, 3, 8, 3, 12, 9,
						3, 2, 5, 3, 10, 12, 7, 3, 6, 4, 5,  12,
						8, 4, 3, 3, 10, 9,  7, 3, 2, 1 };

static int32_t themed(const struct palette *p, int32_t color)
{
	if (color < THEMED)
		return color;
	return p->is_light ? color & 15 : color >> 4 & 15;
}

/* The style of a role (below ROLE_COUNT), without regard to flags. */
static struct style style_of(const struct palette *p, unsigned role)
{
	struct style s;

	if (p->mode >= PALETTE_256)
		return theme_style(p->theme, role, p->mode == PALETTE_DIRECT);
	if (role >= ROLE_CNAME) {
		unsigned i = role - ROLE_CNAME;
		int32_t color = cnames_16[i];
		bool is_dark;

		/* A box in one of 16 colours, or in the nearest one of 8. */
		if (p->mode == PALETTE_MONO)
			return hue_mono;
		if (p->mode == PALETTE_8)
			color = color == 8 ? 4 : color & 7;
		is_dark = color == 1 || color == 4 || color == 5 || color == 8;
		return (struct style)BOX(color, is_dark ? p->mode == PALETTE_8 ? 7 : 15 : 0);
	}
	if (role >= ROLE_FRAME) {
		unsigned hue = role - ROLE_FRAME;
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

/* Without colours, the upper half of a cell and the lower one have one character: that of the one
 * that has more, or of garbage collection. */
static void replace_cells(const struct cell *c, struct cell *out)
{
	static const uint32_t shades[] = { 0xb7, 0x2591, 0x2592, 0x2592, 0x2593, 0x2588 };
	unsigned more = c->ink == ROLE_GC || c->fill == ROLE_GC ? ROLE_GC
		: c->ink > c->fill                              ? c->ink
								: c->fill;

	out->ink = out->fill = ROLE_PLAIN;
	out->ch = c->ink == ROLE_BUSY || c->fill == ROLE_BUSY ? '@'
		: more == ROLE_GC                             ? 'G'
		: more >= ROLE_HEAT_0 && more <= ROLE_HEAT_5  ? shades[more - ROLE_HEAT_0]
							      : ' ';
}

/* A block in the colour of its box is not seen, and in any other colour it looks like a gap. */
bool style_replace(const struct palette *p, const struct cell *before, const struct cell *c,
		   struct cell *out)
{
	unsigned beside = is_edge(c) ? c->ink : before ? before->fill : c->fill;

	*out = *c;
	if (p->mode >= PALETTE_256) {
		/* The low rest of a bar, which is pale where there are tones. */
		out->ch = BLOCK_HIGH;
		return c->flags & CELL_THIN && c->ch == BLOCK_LOW && c->ink >= ROLE_IDLE &&
			c->fill < ROLE_IDLE && style_of(p, c->ink).fill >= 0;
	}
	if (p->mode == PALETTE_MONO && c->flags & CELL_PAIR) {
		replace_cells(c, out);
		return true;
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

/* ==== tints ====
 *
 * Few of the 240 colours have the hue of a given one, so the hue comes first: a tone of another hue
 * would be taken for another file. Where a hue is left, what counts is how far lightness, chroma
 * and hue are from what is wanted; a grey has to be much nearer. */

struct tint_wish {
	int32_t of;   /* the colour whose tone is wanted */
	int32_t near; /* the tone, if there were more colours */
	int32_t page;
	int32_t apart; /* colour to avoid; -1: none */
	int32_t other; /* a tone that this one rather differs from; -1: none */
	double least;  /* its contrast to the page is this or more; 1: it may be hardly visible */
	bool may_be_grey; /* where there is none of the hue: else it is the colour itself */
};

#define GREY_CHROMA 0.03      /* below it, a colour has no hue */
#define SAME_HUE_COSINE 0.939 /* of 20 degrees */
#define SAME_HUE_SINE 0.345
#define HUE_COST 0.15   /* of a hue that is as far away as it may be */
#define GREY_COST 0.3   /* of a grey for a colour with a hue */
#define OTHER_COST 0.06 /* of the tone that should be another one */
#define MORE_CHROMA 0.01
#define APART 0.1
#define TEXT_CONTRAST 4.5
#define LIGHT_LUMINANCE 0.179 /* of a page: from there on black text is the more readable one */
#define BLACK STYLE_BLACK
#define WHITE STYLE_WHITE

static struct tint tint_of(int32_t rgb)
{
	struct tint t = { .rgb = rgb, .luminance = color_luminance(rgb) / 10000.0 };
	double r = color_linear(rgb >> 16 & 255), g = color_linear(rgb >> 8 & 255),
	       b = color_linear(rgb & 255);
	double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
	       m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
	       s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	t.l = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
	t.a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
	t.b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
	t.chroma = sqrt(t.a * t.a + t.b * t.b);
	return t;
}

/* page: that of the wishes. */
static void tints_init(struct tints *tints, int32_t page)
{
	for (int32_t i = 0; i < TINTS; i++)
		tints->list[i] = tint_of(color_of_256(16 + i));
	tints->page = tint_of(page);
	tints->black = tint_of(BLACK);
	tints->white = tint_of(WHITE);
}

static double contrast(const struct tint *a, const struct tint *b)
{
	double x = a->luminance + 0.05, y = b->luminance + 0.05;

	return x > y ? x / y : y / x;
}

static double distance(const struct tint *x, const struct tint *y)
{
	double l = x->l - y->l, a = x->a - y->a, b = x->b - y->b;

	return sqrt(l * l + a * a + b * b);
}

/* The colours that are requested. */
struct wanted {
	const struct tints *tints;
	struct tint of, near, apart;
	bool has_apart, may_be_grey;
	double least, most; /* contrasts to the page; it is less than the latter */
};

/* What the hue of a colour costs; below 0: it is another hue. */
static double hue_cost(const struct tint *t, const struct tint *of, bool may_be_grey)
{
	double scale = t->chroma * of->chroma, dot = t->a * of->a + t->b * of->b,
	       cross = t->a * of->b - t->b * of->a;

	if (t->chroma < GREY_CHROMA)
		return of->chroma < GREY_CHROMA ? 0 : may_be_grey ? GREY_COST : -1;
	if (of->chroma < GREY_CHROMA || t->chroma > of->chroma + MORE_CHROMA ||
	    dot < SAME_HUE_COSINE * scale)
		return -1;
	return fabs(cross) / scale / SAME_HUE_SINE * HUE_COST;
}

static bool is_tone(const struct tint *t, const struct wanted *w)
{
	const struct tints *tints = w->tints;
	double c = contrast(t, &tints->page);

	return t->rgb != w->of.rgb && c >= w->least && c < w->most &&
		fmax(contrast(t, &tints->black), contrast(t, &tints->white)) >= TEXT_CONTRAST &&
		!(w->has_apart && distance(t, &w->apart) < APART);
}

static const struct tint *nearest(const struct wanted *w, int32_t other)
{
	const struct tint *best = NULL;
	double least = 0;

	for (size_t i = 0; i < ARRAY_LEN(w->tints->list); i++) {
		const struct tint *t = &w->tints->list[i];
		double cost = hue_cost(t, &w->of, w->may_be_grey);

		if (cost < 0)
			continue;
		cost += fabs(t->l - w->near.l) + (t->rgb == other ? OTHER_COST : 0);
		if (t->chroma >= GREY_CHROMA || w->of.chroma < GREY_CHROMA)
			cost += fabs(t->chroma - w->near.chroma);
		if ((!best || cost < least) && is_tone(t, w)) {
			best = t;
			least = cost;
		}
	}
	return best;
}

static void want(struct wanted *w, const struct tints *tints, const struct tint_wish *wish)
{
	*w = (struct wanted){ .tints = tints,
			      .of = tint_of(wish->of),
			      .near = tint_of(wish->near),
			      .apart = tint_of(wish->apart < 0 ? 0 : wish->apart),
			      .may_be_grey = wish->may_be_grey,
			      .least = wish->least };
	/* A colour that is itself so near to the other one has tones like it. */
	w->has_apart = wish->apart >= 0 && distance(&w->of, &w->apart) >= APART;
	w->most = contrast(&w->of, &tints->page);
}

/* The colour of the palette for a tone: it has the hue of the colour or is grey, and lies between
 * the colour and the page. Black or white text can be read on it. If there is none, the colour
 * itself, or, where the tone may be hardly visible, the one nearest to the requested one. */
static int32_t tints_find(const struct tints *tints, const struct tint_wish *wish)
{
	const struct tint *found;
	struct wanted w;

	want(&w, tints, wish);
	found = nearest(&w, wish->other);
	if (found)
		return found->rgb;
	return wish->least > 1 ? wish->of : color_of_256(color_nearest_256(wish->near));
}

/* Black or white text can be read on it, and it can be seen on the page. */
static bool is_usable(int32_t rgb, const struct tint_wish *wish)
{
	return color_contrast(rgb, wish->page) >= wish->least &&
		(color_has_contrast(rgb, BLACK) || color_has_contrast(rgb, WHITE));
}

/* As light as a colour. A blend with the colour itself would have something of its hue. */
static int32_t grey_of(int32_t rgb)
{
	return ((rgb >> 16 & 255) * 3 + (rgb >> 8 & 255) * 6 + (rgb & 255)) / 10 * 0x010101;
}

/* The same for a terminal with all colours: `percent` of the page and the rest of the colour, or
 * less of the page, as far as that can be seen. */
static int32_t tints_blend(const struct tint_wish *wish, int percent)
{
	int32_t page = grey_of(wish->page), rgb = color_blend(wish->of, page, percent);
	struct tint of = tint_of(wish->of), apart = tint_of(wish->apart < 0 ? 0 : wish->apart), t;
	bool has_apart = wish->apart >= 0 && distance(&of, &apart) >= APART;

	for (int less = percent; less > 0; less--) {
		t = tint_of(rgb);
		if (is_usable(rgb, wish) && !(has_apart && distance(&t, &apart) < APART))
			break;
		rgb = color_blend(wish->of, page, less - 1);
	}
	return rgb;
}

/* The colour that has a contrast of `least` or more to the page and is most like wish->of, from
 * which it is farther away from the page; `near` and `other` do not matter. is_direct: of all
 * colours, not only of the palette. If there is none, black or white. */
static int32_t tints_fit(const struct tints *tints, const struct tint_wish *wish, bool is_direct)
{
	int32_t far = tints->page.luminance < LIGHT_LUMINANCE ? WHITE : BLACK;
	struct tint_wish to = *wish;
	const struct tint *found;
	struct wanted w;

	to.near = wish->of;
	for (int percent = 1; percent <= 100 && !is_usable(to.near, wish); percent++)
		to.near = color_blend(wish->of, far, percent);
	if (is_direct || to.near == wish->of)
		return to.near;
	want(&w, tints, &to);
	w.most = INFINITY;
	found = nearest(&w, -1);
	return found ? found->rgb : far;
}

/* ==== palette ==== */

#define SEAM_CONTRAST 1.5

const char *palette_color_word(unsigned i)
{
	static const char *const words[] = {
		[PALETTE_COLOR_AUTO] = "auto",     [PALETTE_COLOR_ALWAYS] = "always",
		[PALETTE_COLOR_NEVER] = "never",   [PALETTE_COLOR_8] = "8",
		[PALETTE_COLOR_16] = "16",         [PALETTE_COLOR_256] = "256",
		[PALETTE_COLOR_DIRECT] = "direct",
	};

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

const char *palette_theme_word(unsigned i)
{
	static const char *const words[] = {
		[PALETTE_THEME_AUTO] = "auto",   [PALETTE_THEME_DARK] = "dark",
		[PALETTE_THEME_LIGHT] = "light", [PALETTE_THEME_COLOUR_BLIND] = "colour-blind",
		[PALETTE_THEME_MONO] = "mono",
	};

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

/* ---- which colours ---- */

/* The most colours that the terminal may have. */
static enum palette_mode most_of(const struct palette_terminal *t)
{
	if (t->n_colors >= 1 << 24 ||
	    (t->has_direct && !t->is_screen && t->colorterm &&
	     (!strcmp(t->colorterm, "truecolor") || !strcmp(t->colorterm, "24bit"))))
		return PALETTE_DIRECT;
	if (t->n_colors >= 256)
		return PALETTE_256;
	if (t->n_colors >= 16)
		return PALETTE_16;
	return t->n_colors >= 8 ? PALETTE_8 : PALETTE_MONO;
}

enum palette_mode palette_mode_find(const struct palette_terminal *t, enum palette_color option)
{
	static const enum palette_mode limit[] = {
		[PALETTE_COLOR_AUTO] = PALETTE_DIRECT,   [PALETTE_COLOR_ALWAYS] = PALETTE_DIRECT,
		[PALETTE_COLOR_NEVER] = PALETTE_MONO,    [PALETTE_COLOR_8] = PALETTE_8,
		[PALETTE_COLOR_16] = PALETTE_16,         [PALETTE_COLOR_256] = PALETTE_256,
		[PALETTE_COLOR_DIRECT] = PALETTE_DIRECT,
	};
	enum palette_mode mode = most_of(t);

	if (option == PALETTE_COLOR_AUTO && t->no_color && *t->no_color)
		return PALETTE_MONO;
	/* Who asks for direct colours knows what the environment does not tell. */
	if (option == PALETTE_COLOR_DIRECT && t->has_direct && t->n_colors >= 256)
		return PALETTE_DIRECT;
	/* Not where the description of the terminal is that of direct colours: it has no others. */
	if (mode == PALETTE_DIRECT && t->n_colors < 1 << 24 && t->is_remote)
		mode = PALETTE_256;
	return mode < limit[option] ? mode : limit[option];
}

bool palette_is_known(enum palette_theme option, const char *colorfgbg)
{
	const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;

	return option == PALETTE_THEME_DARK || option == PALETTE_THEME_LIGHT ||
		(last && last[1] >= '0' && last[1] <= '9');
}

bool palette_is_light(enum palette_theme option, const char *colorfgbg)
{
	const char *last;
	char *end;
	long bg;

	if (option == PALETTE_THEME_DARK || option == PALETTE_THEME_LIGHT)
		return option == PALETTE_THEME_LIGHT;
	last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
	if (!last)
		return false;
	bg = strtol(last + 1, &end, 10);
	return end != last + 1 && !*end && (bg == 7 || (bg >= 9 && bg <= 15));
}

static bool is_frame(unsigned role)
{
	return role >= ROLE_IDLE && role <= ROLE_FRAME_LAST;
}

/* Ink that is a picture and not text keeps its colour on any fill. */
static bool is_picture(unsigned role)
{
	return is_frame(role) || role == ROLE_BAR || role == ROLE_BUSY || role == ROLE_WINDOW;
}

static bool is_rgb(const struct palette *p)
{
	return p->mode >= PALETTE_256;
}

/* ---- what fits the page ---- */

#define QUIET_MAX 3.0 /* contrast of a quiet fill to the page */

static bool has_tones(unsigned role)
{
	return is_frame(role) || role == ROLE_BUSY;
}

static const struct tints *tints_of(struct palette *p)
{
	if (!p->has_tints)
		tints_init(&p->tints, p->page);
	p->has_tints = true;
	return &p->tints;
}

static int32_t fit(struct palette *p, int32_t rgb, double least, int32_t apart)
{
	const struct tint_wish wish = { .of = rgb,
					.page = p->page,
					.apart = apart,
					.least = least,
					.may_be_grey = true };

	return color_contrast(rgb, p->page) >= least
		? rgb
		: tints_fit(tints_of(p), &wish, p->mode == PALETTE_DIRECT);
}

/* Text that is no louder than it must be to be read. */
static int32_t quiet_text(const struct palette *p, int32_t fill)
{
	static const int32_t on_dark[] = { 0x8a8a8a, 0xa8a8a8, 0xc6c6c6, 0xe4e4e4, WHITE },
			     on_light[] = { 0x626262, 0x4e4e4e, 0x3a3a3a, 0x262626, BLACK };
	const int32_t *list = p->is_light ? on_light : on_dark;

	for (size_t i = 0; i < ARRAY_LEN(on_dark); i++)
		if (color_has_contrast(list[i], fill))
			return list[i];
	return p->is_light ? WHITE : BLACK;
}

/* The least contrast of the fill of a role to the page. */
static double least_contrast(const struct palette *p, unsigned role)
{
	if (role == ROLE_NODE && !p->is_light)
		return THEME_MIN_NODE;
	return p->is_light ? THEME_MIN_LIGHT : THEME_MIN_DARK;
}

/* The style of the theme, made to fit the page, which may be another one than the theme's: fills
 * can be seen on it, text can be read on it and on the fill. What the user chose is kept. */
static struct style fitted(struct palette *p, unsigned role)
{
	struct style style = theme_style(p->theme, role, p->mode == PALETTE_DIRECT);
	int32_t fill = style.fill, gc;

	if (p->theme->is_kept[role])
		return style;
	if (fill >= 0) {
		double least;

		gc = role == ROLE_GC ? -1 : theme_style(p->theme, ROLE_GC, false).fill;
		/* The fill that can be seen. A grey has the contrast that the theme gave it on its
		 * own page: bands, node and what else is quiet keep their order. */
		least = has_tones(role) || role == ROLE_BAR ? least_contrast(p, role) : 1;
		if (fill == (fill & 255) * 0x010101) {
			double own = color_contrast(fill, p->theme->page);

			own = own < QUIET_MAX ? own : QUIET_MAX;
			least = own > least ? own : least;
		}
		style.fill = fit(p, fill, least, gc);
		if (!color_has_contrast(style.on_fill, style.fill))
			style.on_fill = quiet_text(p, style.fill);
	} else if (style.on_fill >= 0) {
		style.on_fill = fit(p, style.on_fill, TEXT_CONTRAST, -1);
	}
	if (style.ink == fill && fill >= 0)
		style.ink = style.fill;
	else if (style.ink >= 0)
		style.ink = fit(p, style.ink, TEXT_CONTRAST, -1);
	return style;
}

/* The style of a role, without regard to flags. */
static struct style role_style(struct palette *p, unsigned role)
{
	if (!is_rgb(p))
		return style_of(p, role);
	if (!p->has_style[role]) {
		p->has_style[role] = true;
		p->styles[role] = fitted(p, role);
	}
	return p->styles[role];
}

/* ---- tones ---- */

/* The fill of a tone of a role. Only garbage collection looks like it. */
static int32_t tone_fill(struct palette *p, unsigned role, enum palette_tone tone)
{
	static const uint8_t percent[PALETTE_TONES] = {
		[PALETTE_ODD] = 12,      [PALETTE_SHARED] = 22, [PALETTE_THIN] = 62,
		[PALETTE_HINT] = 35,     [PALETTE_DIM] = 55,    [PALETTE_DIM_SHARED] = 65,
		[PALETTE_DIM_THIN] = 83,
	};
	const struct palette_pair *tones = p->tones[role];
	struct tint_wish wish = { .of = tones[PALETTE_PLAIN].fill,
				  .page = p->page,
				  .apart = role == ROLE_GC ? -1 : role_style(p, ROLE_GC).fill,
				  .other = tone == PALETTE_THIN ? tones[PALETTE_SHARED].fill : -1,
				  .least = tone >= PALETTE_DIM ? 1 : least_contrast(p, role),
				  .may_be_grey = tone >= PALETTE_THIN };
	int32_t fill;

	wish.near = color_blend(wish.of, p->page, percent[tone]);
	if (p->mode == PALETTE_DIRECT)
		return tints_blend(&wish, percent[tone]);
	/* Between the others there are no colours. */
	if (tone == PALETTE_ODD)
		return wish.of;
	if (tone == PALETTE_HINT)
		return tones[PALETTE_SHARED].fill;
	fill = tints_find(tints_of(p), &wish);
	/* The palette may have one colour of the hue only: it is left to what matches. */
	if (tone >= PALETTE_DIM &&
	    (fill == tones[PALETTE_SHARED].fill || fill == tones[PALETTE_HINT].fill))
		fill = color_of_256(color_nearest_256(grey_of(wish.near)));
	return fill;
}

void palette_init(struct palette *p, enum palette_mode mode, const struct theme *theme,
		  int32_t page)
{
	memset(p, 0, offsetof(struct palette, tints));
	p->mode = mode;
	p->is_light = theme->is_light;
	p->theme = theme;
	p->page = page >= 0 ? page : theme->page;
}

/* The tones of a role, PALETTE_TONES of them, made when they are asked for first: a picture has few
 * of the roles. Where colours are RGB: fill and text on it; in PALETTE_256 only colours of the
 * palette. */
static const struct palette_pair *palette_tones(struct palette *p, unsigned role)
{
	if (!p->has_tones[role] && is_rgb(p) && has_tones(role)) {
		struct style style;

		p->has_tones[role] = true;
		style = role_style(p, role);
		for (unsigned tone = 0; tone < PALETTE_TONES; tone++) {
			struct palette_pair *pair = &p->tones[role][tone];

			*pair = (struct palette_pair){ style.fill, style.on_fill };
			if (style.fill < 0 || tone == PALETTE_PLAIN)
				continue;
			pair->fill = tone_fill(p, role, tone);
			if (tone >= PALETTE_DIM)
				pair->text = quiet_text(p, pair->fill);
			else if (!color_has_contrast(pair->text, pair->fill))
				pair->text = theme_text_on(pair->fill);
		}
	}
	return p->tones[role];
}

static enum palette_tone tone_of(unsigned flags)
{
	bool is_dim = flags & CELL_DIM;

	if (flags & CELL_HINT)
		return PALETTE_HINT;
	if (flags & CELL_FAR)
		return PALETTE_THIN;
	if (flags & CELL_SHARED && flags & CELL_THIN)
		return is_dim ? PALETTE_DIM_THIN : PALETTE_THIN;
	if (flags & (CELL_SHARED | CELL_NAMED))
		return is_dim ? PALETTE_DIM_SHARED : PALETTE_SHARED;
	return is_dim ? PALETTE_DIM : flags & CELL_ODD ? PALETTE_ODD : PALETTE_PLAIN;
}

/* The style of a role with tones, where colours are RGB. */
static struct style toned(struct palette *p, unsigned role, enum palette_tone tone)
{
	const struct palette_pair *pair = &palette_tones(p, role)[tone];

	return (struct style){ pair->fill, pair->fill, pair->text, 0 };
}

/* ---- flags ---- */

static struct style selected(const struct palette *p, struct style style)
{
	/* Without colours, the selected frame is the inverse of the others: of frames that are
	 * filled, and of idle time, which is not. */
	if (p->mode == PALETTE_MONO && style.fill == PAGE)
		return (struct style){ TEXT, TEXT, PAGE, PAINT_BOLD | PAINT_UNDERLINE };
	if (p->mode == PALETTE_MONO)
		return (struct style){ PAGE, PAGE, TEXT, PAINT_BOLD | PAINT_UNDERLINE };
	/* The text colour is the one fill that differs from every page. */
	return (struct style){ TEXT, TEXT, PAGE, PAINT_BOLD };
}

/* A match, in few colours. */
static struct style matching(const struct palette *p, struct style style)
{
	if (p->mode == PALETTE_8)
		return (struct style){ 3, 3, 0, PAINT_UNDERLINE };
	if (p->mode == PALETTE_16)
		return (struct style){ 11, 11, 0, PAINT_UNDERLINE };
	style.attrs |= PAINT_UNDERLINE | PAINT_BOLD;
	return style;
}

/* Another span of the selected function, in few colours. */
static struct style same(const struct palette *p, struct style style)
{
	/* The Linux console cannot underline in colour: there the label changes its colour. */
	if (p->mode == PALETTE_8 && style.fill >= 0)
		style.on_fill = style.on_fill == 0 ? 4 : 3;
	/* Bold makes blue light on such terminals. */
	style.attrs |= (uint8_t)(style.on_fill == 4 ? PAINT_UNDERLINE
						    : PAINT_UNDERLINE | PAINT_BOLD);
	return style;
}

/* The style of a frame with these flags. */
static struct style flagged(struct palette *p, unsigned role, unsigned flags)
{
	struct style style = role_style(p, role);

	if (flags & CELL_SELECTED)
		return selected(p, style);
	if (is_rgb(p)) {
		style = toned(p, role, tone_of(flags));
		/* A match keeps its colour: all others are dim. */
		if (flags & CELL_MATCH)
			style.attrs |= PAINT_BOLD;
		if (flags & CELL_SAME)
			style.attrs |= PAINT_UNDERLINE | PAINT_BOLD;
		return style;
	}
	if (flags & CELL_MATCH)
		style = matching(p, style);
	if (flags & CELL_SAME)
		style = same(p, style);
	return style;
}

/* ---- ink and fill ---- */

/* Ink of the pattern in a shared cell. Where colours are RGB, the tone of the fill says it all. */
static int32_t texture_of(const struct palette *p, struct style fill)
{
	if (is_rgb(p))
		return fill.fill;
	if (p->mode == PALETTE_16 && fill.fill > 8)
		return fill.fill - 8;
	return fill.on_fill;
}

/* Ink of a frame's end on a frame of the same colour: another one, or the two would look like one
 * frame. May change the fill. */
static int32_t seam_of(const struct palette *p, struct style fill, int32_t *bg)
{
	if (fill.fill == TEXT)
		*bg = PAGE;
	else if (is_rgb(p))
		return color_blend(fill.fill, BLACK, 35);
	else if (fill.fill >= 0)
		return 0;
	return fill.fill;
}

/* Ink of the seam of a box: the page, or that of the label if it is hardly another one, because a
 * change of colour takes bytes. */
static int32_t seam_ink(const struct palette *p, const struct style *fill)
{
	bool is_near = is_rgb(p) && fill->fill >= 0 && fill->on_fill >= 0 &&
		color_contrast(p->page, fill->on_fill) < SEAM_CONTRAST;

	return is_near ? fill->on_fill : PAGE;
}

static int32_t text_color(const struct palette *p, const struct style *ink,
			  const struct style *fill, unsigned ink_role)
{
	if (fill->fill == PAGE && ink_role != ROLE_LABEL)
		return ink->ink;
	if (ink->ink < 0 || !is_rgb(p) || fill->fill < 0 ||
	    !color_has_contrast(ink->ink, fill->fill))
		return fill->on_fill;
	return ink->ink;
}

/* ---- what a terminal can show ---- */

static struct paint finish(const struct palette *p, int32_t fg, int32_t bg, unsigned attrs)
{
	struct paint paint = { PAINT_DEFAULT, PAINT_DEFAULT, (uint8_t)attrs };

	if (fg == bg) {
		fg = bg == TEXT ? PAGE : TEXT;
		paint.attrs |= PAINT_BLANK;
	}
	if (fg == PAGE || bg == TEXT) {
		int32_t swap = fg;

		fg = bg;
		bg = swap;
		paint.attrs |= PAINT_REVERSE;
	}
	if (fg >= 0)
		paint.fg = p->mode == PALETTE_256 ? color_nearest_256(fg) : fg;
	if (bg >= 0)
		paint.bg = p->mode == PALETTE_256 ? color_nearest_256(bg) : bg;
	return paint;
}

/* Flags of what is not a frame: of rows of tables and of the overview. */
static void flag_others(struct palette *p, unsigned ink_role, unsigned flags, struct style *ink,
			struct style *fill, unsigned *attrs)
{
	if (flags & CELL_SELECTED)
		*fill = role_style(p, ROLE_ROW);
	else if (flags & (CELL_DIM | CELL_FAR) && is_rgb(p) && has_tones(ink_role))
		*ink = toned(p, ink_role, flags & CELL_FAR ? PALETTE_THIN : PALETTE_DIM);
	else if (flags & CELL_MATCH && !(is_rgb(p) && ink_role == ROLE_BUSY))
		*attrs |= PAINT_BOLD | PAINT_UNDERLINE;
}

/* Whether a cell is of the rest of a bar and has the pale tone of its frame. */
static bool is_pale_bar(struct palette *p, unsigned ink_role, unsigned fill_role, unsigned flags)
{
	return flags & CELL_THIN && is_rgb(p) && is_frame(ink_role) && !is_frame(fill_role) &&
		palette_tones(p, ink_role)[PALETTE_THIN].fill >= 0;
}

struct paint palette_lookup(struct palette *p, unsigned ink_role, unsigned fill_role,
			    unsigned flags)
{
	struct style ink = role_style(p, ink_role), fill = role_style(p, fill_role);
	bool is_few = !is_rgb(p), is_thin = flags & CELL_THIN && is_few && is_frame(fill_role);
	unsigned attrs = 0;
	int32_t fg, bg;

	if (is_pale_bar(p, ink_role, fill_role, flags))
		return finish(p, palette_tones(p, ink_role)[PALETTE_THIN].fill, fill.fill, 0);
	if (is_frame(fill_role))
		fill = flagged(p, fill_role, flags);
	else if (is_frame(ink_role))
		ink = flagged(p, ink_role, flags);
	else
		flag_others(p, ink_role, flags, &ink, &fill, &attrs);
	if (is_frame(fill_role) && is_frame(ink_role) && !is_few)
		ink = toned(p, ink_role,
			    flags & CELL_DIM_INK       ? PALETTE_DIM
				    : flags & CELL_FAR ? PALETTE_THIN
				    : flags & CELL_ODD ? PALETTE_ODD
						       : PALETTE_PLAIN);
	bg = fill.fill;
	if (is_frame(fill_role) && !is_thin)
		attrs |= fill.attrs;
	if (flags & CELL_HINT && is_few)
		attrs |= PAINT_UNDERLINE;
	if (is_thin) {
		fg = fill.fill;
		bg = PAGE;
	} else if (flags & CELL_SHARED && is_frame(fill_role)) {
		fg = texture_of(p, fill);
	} else if (is_picture(ink_role) || ink_role == ROLE_PAGE) {
		fg = ink.ink;
		attrs &= (unsigned)~PAINT_BOLD;
		if (flags & CELL_SEAM && is_frame(fill_role))
			fg = seam_ink(p, &fill);
		if (flags & CELL_PAIR)
			return finish(p, fg, bg, attrs);
		if (fg == bg && is_frame(ink_role) && is_frame(fill_role))
			fg = seam_of(p, fill, &bg);
		else if (fg == bg && ink_role != ROLE_PAGE &&
			 (!is_frame(ink_role) || fill_role == ROLE_ROW))
			fg = fill.on_fill;
	} else {
		fg = flags & CELL_DIM_INK && ink_role == ROLE_DIM && ink.ink != fill.fill
			? ink.ink
			: text_color(p, &ink, &fill, ink_role);
		attrs |= ink.attrs;
		if (ink_role == ROLE_TAB_ACTIVE && fill_role == ROLE_PLAIN)
			attrs |= PAINT_REVERSE;
	}
	if (flags & CELL_BOLD)
		attrs |= PAINT_BOLD;
	if (flags & CELL_UNDERLINE)
		attrs |= PAINT_UNDERLINE;
	/* Bold black becomes grey; dim text in reverse dims the fill. */
	if (is_few && bg >= 0 && fg == 0)
		attrs &= (unsigned)~PAINT_BOLD;
	if (bg != PAGE)
		attrs &= (unsigned)~PAINT_DIM;
	return finish(p, fg, bg, attrs);
}
