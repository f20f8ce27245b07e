/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes a theme readable, computed from the tables: text on every fill, also where it is
 * blended towards the page; hues that differ, also for colour-blind eyes; loudness that tells own
 * code from dependencies.
 *
 * Colours are compared in OKLab. Protanopes and deuteranopes see them as Vienot, Brettel and Mollon
 * (1999) describe it. Limits are given with two digits, so a colour may miss one by half of the
 * last digit. */
#include "config.h"

#include "draw/frame_roles.h"
#include "term/palette.c"
#include "term/theme.h"

#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDED 0.005
#define CONTRAST 4.5

struct lab {
	double l, a, b;
};

enum eyes { NORMAL, PROTANOPE, DEUTERANOPE, EYES };

static void linear(int32_t rgb, double out[3])
{
	for (int i = 0; i < 3; i++) {
		double c = (rgb >> (16 - 8 * i) & 255) / 255.0;

		out[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
}

static double luminance(int32_t rgb)
{
	double c[3];

	linear(rgb, c);
	return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

static double ratio(int32_t a, int32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* The linear channels that eyes without red or green cones cannot tell from these. */
static void see(double c[3], enum eyes eyes)
{
	static const double red[EYES] = { [PROTANOPE] = 0.11238, [DEUTERANOPE] = 0.29275 },
			    blue[EYES] = { [PROTANOPE] = 0.00401, [DEUTERANOPE] = -0.02234 };
	double r = c[0], g = c[1];

	if (eyes == NORMAL)
		return;
	c[0] = c[1] = red[eyes] * r + (1 - red[eyes]) * g;
	c[2] += blue[eyes] * (r - g);
	c[2] = c[2] < 0 ? 0 : c[2] > 1 ? 1 : c[2];
}

static struct lab lab_of(int32_t rgb, enum eyes eyes)
{
	double c[3], l, m, s;

	linear(rgb, c);
	see(c, eyes);
	l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
	m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
	s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
	return (struct lab){ 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
			     1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
			     0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s };
}

static double chroma(int32_t rgb)
{
	struct lab c = lab_of(rgb, NORMAL);

	return hypot(c.a, c.b);
}

static double lightness(int32_t rgb)
{
	return lab_of(rgb, NORMAL).l;
}

static double difference(int32_t a, int32_t b, enum eyes eyes)
{
	struct lab x = lab_of(a, eyes), y = lab_of(b, eyes);

	return sqrt((x.l - y.l) * (x.l - y.l) + (x.a - y.a) * (x.a - y.a) +
		    (x.b - y.b) * (x.b - y.b));
}

/* The distance for the eyes that see the least of it. */
static double least_distance(int32_t a, int32_t b)
{
	double least = difference(a, b, NORMAL);

	for (enum eyes eyes = PROTANOPE; eyes < EYES; eyes++)
		least = fmin(least, difference(a, b, eyes));
	return least;
}

/* ---- palettes ---- */

#define N_THEMES 4

static const struct theme *theme_nth(unsigned i)
{
	return theme_for(i / 2, i % 2);
}

/* Those of the themes, and what terminals answer. */
static const int32_t pages[] = { -1,       0x000000, 0x0c0c0c, 0x101010, 0x1e1e1e, 0x1e1e2e,
				 0x002b36, 0x282c34, 0x300a24, 0x2e3440, 0xffffff, 0xfafafa,
				 0xf0f0f0, 0xfdf6e3, 0xffffea, 0xeee8d5 };

/* Theme, 256 or direct colours, and a page of the theme's kind. False: the page is of the other
 * one. */
static bool nth_palette(int i, struct palette *p)
{
	const struct theme *theme = theme_nth((unsigned)i % N_THEMES);
	int32_t page = pages[i / N_THEMES / 2];

	palette_init(p, i / N_THEMES % 2 ? PALETTE_DIRECT : PALETTE_256, theme, page);
	return page < 0 || (luminance(page) > 0.5) == theme->is_light;
}

#define N_PALETTES (N_THEMES * 2 * N(pages))

static int32_t rgb_of(const struct palette *p, int32_t color)
{
	return p->mode == PALETTE_256 ? color_of_256(color) : color;
}

static bool is_frame_role(unsigned role)
{
	return role >= ROLE_IDLE && role <= ROLE_FRAME_LAST;
}

START_TEST(text_can_be_read_on_every_fill)
{
	static const unsigned flags[] = { 0,          CELL_SHARED | CELL_NAMED,
					  CELL_NAMED, CELL_NAMED | CELL_DIM,
					  CELL_DIM,   CELL_MATCH,
					  CELL_SAME,  CELL_DIM | CELL_SAME };
	static const unsigned inks[] = { ROLE_LABEL, ROLE_DIM, ROLE_KEY, ROLE_ROW_MARK };
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (unsigned role = 0; role < ROLE_COUNT; role++) {
		for (size_t f = 0; f < ARRAY_LEN(flags) && (is_frame_role(role) || !f); f++) {
			for (size_t k = 0; k < ARRAY_LEN(inks); k++) {
				struct paint paint = palette_lookup(
					&p, inks[k], role, flags[f] & ~(unsigned)CELL_SHARED);
				int32_t fg = paint.fg < 0 ? -1 : rgb_of(&p, paint.fg),
					bg = paint.bg < 0 ? p.page : rgb_of(&p, paint.bg);

				/* The text colour of the terminal itself is not known. */
				if (fg < 0 || paint.attrs & PAINT_REVERSE)
					continue;
				ck_assert_msg(ratio(fg, bg) >= CONTRAST,
					      "%s, %s: ink %u on role %u, flags %u: %06x on %06x: "
					      "%.2f",
					      p.theme->name,
					      p.mode == PALETTE_256 ? "256" : "direct", inks[k],
					      role, flags[f], (unsigned)fg, (unsigned)bg,
					      ratio(fg, bg));
			}
		}
	}
}
END_TEST

/* The terminal's own text colour is not known; what is drawn is no text. */
START_TEST(text_can_be_read_on_the_page)
{
	static const unsigned fills[] = { ROLE_PLAIN, ROLE_TITLE, ROLE_ROW };
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (unsigned ink = 0; ink < ROLE_BUSY; ink++) {
		for (size_t i = 0; i < N(fills); i++) {
			struct paint paint = palette_lookup(&p, ink, fills[i], 0);
			int32_t fg = paint.fg < 0 ? -1 : rgb_of(&p, paint.fg),
				bg = paint.bg < 0 ? p.page : rgb_of(&p, paint.bg);

			if (fg < 0 || ink == ROLE_PAGE || ink == ROLE_BAR ||
			    paint.attrs & PAINT_REVERSE)
				continue;
			ck_assert_msg(ratio(fg, bg) >= CONTRAST,
				      "%s: ink %u on %u: %06x on %06x: %.2f", p.theme->name, ink,
				      fills[i], (unsigned)fg, (unsigned)bg, ratio(fg, bg));
		}
	}
}
END_TEST

/* Blends differ from the whole colour and from the page. */
START_TEST(tones_differ)
{
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (unsigned role = ROLE_GC; role < ROLE_COUNT; role++) {
		const struct palette_pair *tones = palette_tones(&p, role);

		/* The coldest frames are hardly there. */
		if (role == ROLE_IDLE || role == ROLE_HEAT_0)
			continue;
		for (unsigned tone = PALETTE_SHARED; tone < PALETTE_DIM_SHARED; tone++)
			ck_assert_msg(tones[tone].fill != p.page, "%s role %u tone %u",
				      p.theme->name, role, tone);
		if (role >= ROLE_FRAME && role < ROLE_CNAME) {
			/* On some pages there is no room between the colour and what can be seen,
			 * and the 256 colours may have none of the hue there. */
			if (p.mode == PALETTE_DIRECT && ratio(tones[0].fill, p.page) > 1.75) {
				ck_assert_int_ne(tones[PALETTE_SHARED].fill, tones[0].fill);
				ck_assert_int_ne(tones[PALETTE_ODD].fill, tones[0].fill);
			}
			ck_assert_int_ne(tones[PALETTE_DIM].fill, tones[PALETTE_PLAIN].fill);
			/* A search shows by dimming what does not match. */
			ck_assert_int_ne(tones[PALETTE_DIM].fill, tones[PALETTE_SHARED].fill);
			ck_assert_int_ne(tones[PALETTE_DIM].fill, tones[PALETTE_HINT].fill);
		}
	}
}
END_TEST

static double hue_angle(int32_t rgb)
{
	struct lab c = lab_of(rgb, NORMAL);

	return atan2(c.b, c.a) * 180 / M_PI;
}

/* A tone of another hue would be taken for another file. Where little of a cell is filled, there
 * may be none of the hue: then it is grey. */
START_TEST(tones_keep_their_hue)
{
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (unsigned role = ROLE_GC; role < ROLE_COUNT; role++) {
		const struct palette_pair *tones = palette_tones(&p, role);
		double most = p.mode == PALETTE_DIRECT ? 30 : 21;

		if (tones[PALETTE_PLAIN].fill < 0 || chroma(tones[PALETTE_PLAIN].fill) < 0.03)
			continue;
		for (unsigned tone = PALETTE_SHARED; tone < PALETTE_DIM_SHARED; tone++) {
			int32_t fill = tones[tone].fill;
			double turn = fabs(hue_angle(fill) - hue_angle(tones[0].fill));

			turn = turn > 180 ? 360 - turn : turn;
			ck_assert_msg(chroma(fill) < 0.03 || turn < most,
				      "%s role %u tone %u: %06x on %06x: %.0f degrees",
				      p.theme->name, role, tone, (unsigned)fill, (unsigned)p.page,
				      turn);
		}
	}
}
END_TEST

/* Where a hue has no other tone, shared cells have its colour itself: a grey would be taken for
 * node. */
START_TEST(most_hues_have_a_tone_of_their_own)
{
	const struct theme *theme = theme_nth((unsigned)_i);
	unsigned n = 0, n_same = 0;
	struct palette p;

	palette_init(&p, PALETTE_256, theme, -1);
	for (unsigned role = ROLE_FRAME; role < ROLE_CNAME; role++, n++) {
		const struct palette_pair *tones = palette_tones(&p, role);

		ck_assert_double_ge(chroma(tones[PALETTE_SHARED].fill), 0.03);
		n_same += tones[PALETTE_SHARED].fill == tones[PALETTE_PLAIN].fill;
	}
	printf("%s: %u of %u shared fills are the fill itself\n", theme->name, n_same, n);
	ck_assert_uint_le(n_same, theme->is_light ? n / 2 + 3 : 6);
}
END_TEST

static double least_ratio(const struct palette *p, unsigned role)
{
	return p->theme->is_light ? 1.6 : role == ROLE_NODE ? 1.6 : 1.5;
}

/* Also where several spans share a cell, or little of it is filled. */
START_TEST(fills_can_be_seen_on_the_page)
{
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (unsigned role = ROLE_BUSY; role < ROLE_COUNT; role++) {
		const struct palette_pair *tones = palette_tones(&p, role);
		double least = least_ratio(&p, role) - ROUNDED;

		if (role == ROLE_IDLE || role == ROLE_WINDOW)
			continue;
		for (unsigned tone = PALETTE_PLAIN; tone < PALETTE_DIM; tone++)
			ck_assert_msg(ratio(tones[tone].fill, p.page) >= least,
				      "%s role %u tone %u: %06x on %06x: %.3f", p.theme->name, role,
				      tone, (unsigned)tones[tone].fill, (unsigned)p.page,
				      ratio(tones[tone].fill, p.page));
	}
}
END_TEST

/* The bar behind a number, the rest of a bar, and bands. */
START_TEST(bars_and_bands_can_be_seen_on_the_page)
{
	static const struct {
		unsigned ink, fill, flags;
		double least;
	} cells[] = { { ROLE_PLAIN, ROLE_BAR, 0, 1.5 },
		      { ROLE_BAR, ROLE_PLAIN, 0, 1.5 },
		      { ROLE_PLAIN, ROLE_TITLE, 0, 1.25 },
		      { ROLE_PLAIN, ROLE_HEADER, 0, 1.25 },
		      { ROLE_PLAIN, ROLE_ROW, 0, 1.5 },
		      { ROLE_PLAIN, ROLE_WINDOW, 0, 1.5 },
		      { ROLE_FRAME, ROLE_PLAIN, CELL_THIN, 1.5 },
		      { ROLE_NODE, ROLE_PLAIN, CELL_FAR, 1.5 },
		      { ROLE_FRAME, ROLE_PLAIN, CELL_FAR, 1.5 } };
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (size_t i = 0; i < N(cells); i++) {
		struct paint paint = palette_lookup(&p, cells[i].ink, cells[i].fill,
						    cells[i].flags);
		int32_t color = rgb_of(&p, paint.bg >= 0 ? paint.bg : paint.fg);

		ck_assert_msg(ratio(color, p.page) >= cells[i].least - ROUNDED,
			      "%s, cell %zu: %06x on %06x: %.3f", p.theme->name, i, (unsigned)color,
			      (unsigned)p.page, ratio(color, p.page));
	}
}
END_TEST

/* What is part of one picture differs, too: the quiet fills keep their order. */
START_TEST(quiet_fills_keep_their_order)
{
	static const unsigned roles[] = { ROLE_TITLE, ROLE_NODE, ROLE_TASK };
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (size_t i = 1; i < N(roles); i++) {
		struct paint a = palette_lookup(&p, ROLE_LABEL, roles[i - 1], 0),
			     b = palette_lookup(&p, ROLE_LABEL, roles[i], 0);

		ck_assert_double_lt(ratio(rgb_of(&p, a.bg), p.page),
				    ratio(rgb_of(&p, b.bg), p.page));
	}
	ck_assert_int_ne(palette_tones(&p, ROLE_NODE)[0].fill,
			 palette_tones(&p, ROLE_PROGRAM)[0].fill);
}
END_TEST

/* ---- loudness ---- */

static int32_t hue(const struct theme *theme, bool is_direct, enum theme_owner owner, unsigned i)
{
	const struct theme_hues *hues = is_direct ? theme->direct_hues : theme->hues;

	ck_assert_uint_le(hues[owner].n, ROLE_HUES);
	return i < hues[owner].n ? hues[owner].rgb[i] : -1;
}

START_TEST(own_code_is_louder_than_dependencies)
{
	static const struct {
		double chroma, from, to; /* lightness: on a dark page */
	} limits[] = { [THEME_OWN] = { 0.13, 0.69, 0.84 },
		       [THEME_DEPENDENCY] = { 0.08, 0.64, 0.79 } };
	const struct theme *theme = theme_nth((unsigned)_i % N_THEMES);
	bool is_direct = _i / N_THEMES;

	for (enum theme_owner owner = THEME_OWN; owner < THEME_OWNERS; owner++) {
		int32_t c;

		for (unsigned i = 0; (c = hue(theme, is_direct, owner, i)) >= 0; i++) {
			ck_assert_msg(chroma(c) <= limits[owner].chroma + ROUNDED, "%s: %06x: %.3f",
				      theme->name, (unsigned)c, chroma(c));
			/* In direct colour the lightness is fixed, see below. */
			if (theme->is_light || is_direct)
				continue;
			ck_assert_msg(lightness(c) >= limits[owner].from - ROUNDED &&
					      lightness(c) <= limits[owner].to + ROUNDED,
				      "%s: %06x: %.3f", theme->name, (unsigned)c, lightness(c));
		}
	}
}
END_TEST

static const struct {
	bool is_light;
	enum theme_owner owner;
	double l, c;
} direct[] = {
	{ false, THEME_OWN, 0.76, 0.105 },
	{ false, THEME_DEPENDENCY, 0.62, 0.045 },
	{ true, THEME_OWN, 0.74, 0.105 },
	{ true, THEME_DEPENDENCY, 0.80, 0.05 },
};

/* A blue of this lightness has a little less chroma. */
START_TEST(direct_hues_have_one_lightness_and_chroma)
{
	const struct theme *theme = theme_for(false, direct[_i].is_light);

	for (unsigned i = 0; i < ROLE_HUES; i++) {
		int32_t c = hue(theme, true, direct[_i].owner, i);

		ck_assert_int_ge(c, 0);
		ck_assert_double_eq_tol(lightness(c), direct[_i].l, ROUNDED);
		ck_assert_double_eq_tol(chroma(c), direct[_i].c, 0.011);
	}
}
END_TEST

/* ---- differences ---- */

/* The fills of what may lie beside garbage collection; heat and changes have colours of their own.
 * A colour that a trace asks for is kept. */
static bool is_beside_gc(unsigned role)
{
	return is_frame_role(role) && role < ROLE_CNAME && role != ROLE_GC && role != ROLE_IDLE &&
		!(role >= ROLE_HEAT_0 && role <= ROLE_MORE_2);
}

static double least_own(struct palette *p)
{
	const struct theme *theme = p->theme;
	unsigned n = (p->mode == PALETTE_DIRECT ? theme->direct_hues : theme->hues)[THEME_OWN].n;
	double least = 1;

	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < i; k++)
			least = fmin(least,
				     least_distance(palette_tones(p, ROLE_FRAME + i)[0].fill,
						    palette_tones(p, ROLE_FRAME + k)[0].fill));
	return least;
}

static double least_gc(struct palette *p)
{
	int32_t gc = palette_tones(p, ROLE_GC)[PALETTE_PLAIN].fill;
	double least = least_distance(gc, p->page);

	for (unsigned role = 0; role < ROLE_COUNT; role++)
		if (is_beside_gc(role))
			least = fmin(least, least_distance(gc, palette_tones(p, role)[0].fill));
	return least;
}

/* On all pages. The other themes report how far they are from this. */
START_TEST(colour_blind_eyes_see_differences)
{
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	printf("%s, %s colours, page %06x: own hues %.3f apart, garbage collection %.3f from other "
	       "fills\n",
	       p.theme->name, p.mode == PALETTE_DIRECT ? "direct" : "256", (unsigned)p.page,
	       least_own(&p), least_gc(&p));
	if (strncmp(p.theme->name, "colour-blind", 12) != 0)
		return;
	ck_assert_double_ge(least_own(&p), 0.06);
	ck_assert_double_ge(least_gc(&p), 0.12);
}
END_TEST

/* The largest number of colours of `open` that all differ. differs[i]: the colours that differ from
 * colour i, as bits. */
static unsigned most_that_differ(const uint64_t *differs, uint64_t open)
{
	unsigned most = 0;

	for (unsigned i = 0; i < 64 && open >> i; i++) {
		unsigned n;

		if (!(open >> i & 1))
			continue;
		open &= ~(UINT64_C(1) << i);
		n = 1 + most_that_differ(differs, open & differs[i]);
		most = n > most ? n : most;
		/* All others differ from this one: without it there are not more. */
		if ((open & differs[i]) == open)
			break;
	}
	return most;
}

#define DARKEST_LIGHT_PAGE 0xeee8d5 /* of those above */

/* Whether a colour is good for own code in a colour-blind theme. A colour with less chroma would be
 * taken for a dependency. */
static bool is_loud_enough(const struct theme *theme, int32_t c)
{
	if (chroma(c) < 0.06 || chroma(c) > 0.13 + ROUNDED ||
	    least_distance(c, theme_style(theme, ROLE_GC, false).fill) < 0.12)
		return false;
	if (theme->is_light)
		return ratio(c, DARKEST_LIGHT_PAGE) >= 1.6 && ratio(c, STYLE_BLACK) >= CONTRAST;
	return lightness(c) >= 0.69 - ROUNDED && lightness(c) <= 0.84 + ROUNDED;
}

START_TEST(colour_blind_theme_has_as_many_hues_as_there_are)
{
	const struct theme *theme = theme_for(true, _i);
	uint64_t differs[64] = { 0 };
	int32_t loud[64];
	unsigned n = 0;

	for (int32_t i = 16; i < 256; i++)
		if (is_loud_enough(theme, color_of_256(i))) {
			ck_assert_uint_lt(n, N(loud));
			loud[n++] = color_of_256(i);
		}
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++)
			if (least_distance(loud[i], loud[k]) >= 0.06)
				differs[i] |= UINT64_C(1) << k;
	ck_assert_uint_eq(theme->hues[THEME_OWN].n,
			  most_that_differ(differs, (UINT64_C(1) << n) - 1));
	ck_assert_uint_eq(theme->direct_hues[THEME_OWN].n, ROLE_HUES);
}
END_TEST

/* Parts of a bar of the overview lie side by side. */
START_TEST(parts_of_the_overview_differ)
{
	static const unsigned parts[] = { ROLE_GC, ROLE_FRAME, ROLE_DEPENDENCY, ROLE_NATIVE,
					  ROLE_NODE };
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (size_t i = 0; i < N(parts); i++) {
		for (size_t k = 0; k < i; k++) {
			int32_t a = palette_tones(&p, parts[i])[PALETTE_PLAIN].fill,
				b = palette_tones(&p, parts[k])[PALETTE_PLAIN].fill;

			ck_assert_msg(difference(a, b, NORMAL) >= 0.05, "%s: %06x %06x: %.3f",
				      p.theme->name, (unsigned)a, (unsigned)b,
				      difference(a, b, NORMAL));
		}
	}
}
END_TEST

/* Red means garbage collection: nothing else comes near it, however much of a cell it fills. */
START_TEST(only_garbage_collection_is_red)
{
	double least = 1;
	struct palette p;

	if (!nth_palette(_i, &p))
		return;
	for (unsigned role = 0; role < ROLE_COUNT; role++) {
		for (unsigned tone = PALETTE_PLAIN; is_beside_gc(role) && tone < PALETTE_TONES;
		     tone++) {
			int32_t fill = palette_tones(&p, role)[tone].fill;
			double d = difference(palette_tones(&p, ROLE_GC)[PALETTE_PLAIN].fill, fill,
					      NORMAL);

			ck_assert_msg(d >= 0.1, "%s: role %u, tone %u: %06x: %.3f", p.theme->name,
				      role, tone, (unsigned)fill, d);
			least = fmin(least, d);
		}
	}
	printf("%s, %s colours, page %06x: all tones %.3f or more from garbage collection\n",
	       p.theme->name, p.mode == PALETTE_256 ? "256" : "direct", (unsigned)p.page, least);
}
END_TEST

/* A shared cell of garbage collection is no other fill either. */
START_TEST(shared_garbage_collection_is_red)
{
	const struct theme *theme = theme_nth((unsigned)_i % N_THEMES);
	struct palette p;
	int32_t gc;

	palette_init(&p, _i / N_THEMES ? PALETTE_DIRECT : PALETTE_256, theme, -1);
	gc = palette_tones(&p, ROLE_GC)[PALETTE_SHARED].fill;
	for (unsigned role = 0; role < ROLE_COUNT; role++)
		for (unsigned tone = PALETTE_PLAIN; is_beside_gc(role) && tone < PALETTE_DIM;
		     tone++)
			ck_assert_msg(difference(gc, palette_tones(&p, role)[tone].fill, NORMAL) >=
					      0.06,
				      "%s: role %u, tone %u: %06x %06x", theme->name, role, tone,
				      (unsigned)gc, (unsigned)palette_tones(&p, role)[tone].fill);
}
END_TEST

/* ---- the colours that traces ask for ---- */

static unsigned cname(const char *name)
{
	for (unsigned i = 0; i < ROLE_CNAMES; i++)
		if (strcmp(frame_roles_cname(i), name) == 0)
			return ROLE_CNAME + i;
	ck_abort_msg("%s", name);
	return 0;
}

/* For each channel, whether the name wants much (+), little (-) or anything. */
static const struct {
	const char *name, *channels;
} cnames[] = {
	{ "good", "-+-" },
	{ "bad", "+ -" },
	{ "terrible", "+--" },
	{ "yellow", "++-" },
	{ "olive", "==-" },
	{ "black", "---" },
	{ "grey", "===" },
	{ "white", "+++" },
	{ "generic_work", "===" },
	{ "rail_response", "--+" },
	{ "rail_load", "-+-" },
	{ "thread_state_running", " + " },
	{ "startup", "++-" },
	{ "vsync_highlight_color", "--+" },
	{ "cq_build_passed", " +-" },
	{ "cq_build_failed", "+--" },
};

START_TEST(reserved_names_say_their_colour)
{
	const struct theme *theme = theme_nth((unsigned)_i % N_THEMES);
	size_t k = (size_t)_i / N_THEMES;
	int32_t rgb = theme_style(theme, cname(cnames[k].name), false).fill;
	int most = 0, least = 255;

	for (int c = 0; c < 3; c++) {
		int v = rgb >> (16 - 8 * c) & 255;

		most = v > most ? v : most;
		least = v < least ? v : least;
	}
	for (int c = 0; c < 3; c++) {
		int v = rgb >> (16 - 8 * c) & 255;
		char want = cnames[k].channels[c];
		bool is_grey = most - least < 16;

		if (want == '+')
			ck_assert_msg(is_grey ? v > 190 : v == most, "%s: %s %06x", theme->name,
				      cnames[k].name, (unsigned)rgb);
		else if (want == '-')
			ck_assert_msg(is_grey ? v < 80 : v < most, "%s: %s %06x", theme->name,
				      cnames[k].name, (unsigned)rgb);
		else if (want == '=')
			ck_assert_msg(v > 80 && v < 200, "%s: %s %06x", theme->name, cnames[k].name,
				      (unsigned)rgb);
	}
}
END_TEST

START_TEST(reserved_names_have_colours_of_their_own)
{
	const struct theme *theme = theme_nth((unsigned)_i);

	for (unsigned a = 0; a < ROLE_CNAMES; a++)
		for (unsigned b = 0; b < a; b++)
			ck_assert_msg(theme_style(theme, ROLE_CNAME + a, false).fill !=
					      theme_style(theme, ROLE_CNAME + b, false).fill,
				      "%s: %s and %s", theme->name, frame_roles_cname(a),
				      frame_roles_cname(b));
}
END_TEST

/* ---- the 256 colours ---- */

START_TEST(hues_are_colours_of_the_palette)
{
	const struct theme *theme = theme_nth((unsigned)_i);

	for (unsigned role = 0; role < ROLE_COUNT; role++) {
		struct style style = theme_style(theme, role, false);
		const int32_t colors[] = { style.ink, style.fill, style.on_fill };

		for (size_t i = 0; i < ARRAY_LEN(colors); i++)
			if (colors[i] >= 0)
				ck_assert_msg(color_of_256(color_nearest_256(colors[i])) ==
						      colors[i],
					      "%s: role %u: %06x", theme->name, role,
					      (unsigned)colors[i]);
	}
}
END_TEST

/* The contrast that the program computes is that of WCAG. */
START_TEST(contrast_is_exact)
{
	for (int32_t rgb = 0; rgb < 1 << 24; rgb += 0x30507) {
		ck_assert_double_eq_tol(color_contrast(rgb, 0xffffff), ratio(rgb, 0xffffff), 0.05);
		ck_assert_double_eq_tol(color_contrast(rgb, 0x303030), ratio(rgb, 0x303030), 0.05);
	}
}
END_TEST

/* What a folded thread of a trace does is drawn on the band of its title: mostly tasks. */
START_TEST(tasks_can_be_seen_on_a_title)
{
	struct palette p;
	double c;

	if (!nth_palette(_i, &p))
		return;
	c = ratio(rgb_of(&p, palette_lookup(&p, ROLE_LABEL, ROLE_TASK, 0).bg),
		  rgb_of(&p, palette_lookup(&p, ROLE_LABEL, ROLE_TITLE, 0).bg));
	ck_assert_msg(c >= 1.4, "%s: %.2f", p.theme->name, c);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "text", SUITE_SECONDS);

	tcase_add_loop_test(t, text_can_be_read_on_every_fill, 0, N_PALETTES);
	tcase_add_loop_test(t, text_can_be_read_on_the_page, 0, N_PALETTES);
	tcase_add_loop_test(t, tones_differ, 0, N_PALETTES);
	tcase_add_loop_test(t, tones_keep_their_hue, 0, N_PALETTES);
	tcase_add_loop_test(t, most_hues_have_a_tone_of_their_own, 0, N_THEMES);
	tcase_add_loop_test(t, fills_can_be_seen_on_the_page, 0, N_PALETTES);
	tcase_add_loop_test(t, bars_and_bands_can_be_seen_on_the_page, 0, N_PALETTES);
	tcase_add_loop_test(t, quiet_fills_keep_their_order, 0, N_PALETTES);
	tcase_add_test(t, contrast_is_exact);
	t = suite_case(suite, "loudness", SUITE_SECONDS);
	tcase_add_loop_test(t, own_code_is_louder_than_dependencies, 0, 2 * N_THEMES);
	tcase_add_loop_test(t, direct_hues_have_one_lightness_and_chroma, 0, N(direct));
	t = suite_case(suite, "reserved", SUITE_SECONDS);
	tcase_add_loop_test(t, reserved_names_say_their_colour, 0, N_THEMES * N(cnames));
	tcase_add_loop_test(t, reserved_names_have_colours_of_their_own, 0, N_THEMES);
	t = suite_case(suite, "differences", SUITE_SECONDS);
	tcase_add_loop_test(t, colour_blind_eyes_see_differences, 0, N_PALETTES);
	tcase_add_loop_test(t, colour_blind_theme_has_as_many_hues_as_there_are, 0, 2);
	tcase_add_loop_test(t, parts_of_the_overview_differ, 0, N_PALETTES);
	tcase_add_loop_test(t, only_garbage_collection_is_red, 0, N_PALETTES);
	tcase_add_loop_test(t, shared_garbage_collection_is_red, 0, 2 * N_THEMES);
	tcase_add_loop_test(t, tasks_can_be_seen_on_a_title, 0, N_PALETTES);
	tcase_add_loop_test(t, hues_are_colours_of_the_palette, 0, N_THEMES);
}

int main(void)
{
	return suite_run("themes", add_tests);
}
