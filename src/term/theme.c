/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A theme is one table: a row per role, and two lists of hues for each owner. Themes for the same
 * page share the rows that have no meaning of code (text, bands, marks).
 *
 * Loudness tells whose code it is. Own code: a chroma (OKLCH) of at most .13 and a lightness of .69
 * to .84 on a dark page; dependencies: at most .08, and .64 to .79. In direct colour all hues of an
 * owner have the same lightness and chroma: .76/.105 and .62/.045 on a dark page, .74/.105 and
 * .80/.05 on a light one.
 *
 * Each fill and each of its tones can be seen on the page: its contrast is THEME_MIN_DARK or
 * THEME_MIN_LIGHT or more. The colours below have it on black and on white; palette.c makes them
 * fit other pages.
 *
 * The garbage collector has the only red: all tones of other fills are .10 apart from it. A tone
 * has the hue of its colour (palette.c), so most hues of the 256 colours are those which the
 * palette has three tones of.
 *
 * The first hue of an owner stands for it where files do not matter (the overview): the two differ
 * clearly, and from the garbage collector, node and native.
 *
 * In the colour-blind themes, any two own hues are .06 apart (OKLab), also as seen by protanopes
 * and deuteranopes, and the garbage collector is .12 from every other fill. On a dark page it is
 * vermilion, as a red is for such eyes like the grey of node. The 256 colours have only eight such
 * hues that are not as muted as dependencies, and ten on a light page.
 * check_themes computes all this from the tables. */
#include "config.h"

#include "term/theme.h"

#include "base/alloc.h"
#include "base/text.h"
#include "draw/frame_roles.h"
#include "term/palette.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ==== color ====
 *
 * Luminance and contrast are those of WCAG: channels are decoded by the curve of sRGB, and contrast
 * is the ratio of luminances with 0.05 added to each. Colours 0 to 15 of the palette are not
 * considered: users change them. */

/* 4.5 and what rounding may take from it. */
#define TEXT_FACTOR 903
#define TEXT_DIVISOR 200

int32_t color_blend(int32_t a, int32_t b, int percent)
{
	int32_t rgb = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int32_t x = a >> shift & 255, y = b >> shift & 255;

		rgb |= (x * (100 - percent) + y * percent) / 100 << shift;
	}
	return rgb;
}

/* The linear value of a channel, in 1/100000. */
/* clang-format off */
static const int32_t linear[256] = {
	0, 30, 61, 91, 121, 152, 182, 212, 243, 273, 304, 335,
	368, 402, 439, 478, 518, 561, 605, 651, 700, 750, 802, 857,
	913, 972, 1033, 1096, 1161, 1229, 1298, 1370, 1444, 1521, 1600, 1681,
	1764, 1850, 1938, 2029, 2122, 2217, 2315, 2416, 2519, 2624, 2732, 2843,
	2956, 3071, 3190, 3310, 3434, 3560, 3689, 3820, 3955, 4092, 4231, 4374,
	4519, 4667, 4817, 4971, 5127, 5286, 5448, 5613, 5781, 5951, 6125, 6301,
	6480, 6663, 6848, 7036, 7227, 7421, 7619, 7819, 8022, 8228, 8438, 8650,
	8866, 9084, 9306, 9531, 9759, 9990, 10224, 10462, 10702, 10946, 11193, 11444,
	11697, 11954, 12214, 12477, 12744, 13014, 13287, 13563, 13843, 14126, 14413, 14703,
	14996, 15293, 15593, 15896, 16203, 16513, 16827, 17144, 17465, 17789, 18116, 18447,
	18782, 19120, 19462, 19807, 20156, 20508, 20864, 21223, 21586, 21953, 22323, 22697,
	23074, 23455, 23840, 24228, 24620, 25016, 25415, 25818, 26225, 26636, 27050, 27468,
	27889, 28315, 28744, 29177, 29614, 30054, 30499, 30947, 31399, 31855, 32314, 32778,
	33245, 33716, 34191, 34670, 35153, 35640, 36131, 36625, 37124, 37626, 38133, 38643,
	39157, 39676, 40198, 40724, 41254, 41789, 42327, 42869, 43415, 43966, 44520, 45079,
	45641, 46208, 46778, 47353, 47932, 48515, 49102, 49693, 50289, 50888, 51492, 52100,
	52712, 53328, 53948, 54572, 55201, 55834, 56471, 57112, 57758, 58408, 59062, 59720,
	60383, 61050, 61721, 62396, 63076, 63760, 64448, 65141, 65837, 66539, 67244, 67954,
	68669, 69387, 70110, 70838, 71569, 72306, 73046, 73791, 74540, 75294, 76052, 76815,
	77582, 78354, 79130, 79910, 80695, 81485, 82279, 83077, 83880, 84687, 85499, 86316,
	87137, 87962, 88792, 89627, 90466, 91310, 92158, 93011, 93869, 94731, 95597, 96469,
	97345, 98225, 99110, 100000,
};

/* clang-format on */

double color_linear(int channel)
{
	return linear[channel & 255] / 100000.0;
}

int color_luminance(int32_t rgb)
{
	return (linear[rgb >> 16 & 255] * 213 + linear[rgb >> 8 & 255] * 715 +
		linear[rgb & 255] * 72) /
		10000;
}

double color_contrast(int32_t a, int32_t b)
{
	double x = color_luminance(a) + 500, y = color_luminance(b) + 500;

	return x > y ? x / y : y / x;
}

bool color_has_contrast(int32_t a, int32_t b)
{
	int x = color_luminance(a) + 500, y = color_luminance(b) + 500;

	return x > y ? x * TEXT_DIVISOR >= y * TEXT_FACTOR : y * TEXT_DIVISOR >= x * TEXT_FACTOR;
}

static int32_t cube_level(int n)
{
	return n ? 55 + 40 * n : 0;
}

static int32_t distance(int32_t a, int32_t b)
{
	int32_t sum = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int32_t d = (a >> shift & 255) - (b >> shift & 255);

		sum += d * d;
	}
	return sum;
}

int32_t color_nearest_256(int32_t rgb)
{
	int32_t cube = 0, grey = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		int32_t v = rgb >> shift & 255;

		cube = cube * 6 + (v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40);
		grey += v;
	}
	cube += 16;
	grey = grey / 3 < 8 ? 0 : (grey / 3 - 3) / 10;
	grey = 232 + (grey > 23 ? 23 : grey);
	return distance(color_of_256(cube), rgb) <= distance(color_of_256(grey), rgb) ? cube : grey;
}

int32_t color_of_256(int32_t number)
{
	if (number >= 232)
		return (8 + 10 * (number - 232)) * 0x010101;
	number -= 16;
	return cube_level(number / 36) << 16 | cube_level(number / 6 % 6) << 8 |
		cube_level(number % 6);
}

/* ==== theme ==== */

#define TEXT STYLE_TEXT
#define PAGE STYLE_PAGE
#define BLACK STYLE_BLACK
#define WHITE STYLE_WHITE

/* clang-format off */
#define INK(ink) { ink, PAGE, TEXT, 0 }
#define INK_BOLD(ink) { ink, PAGE, TEXT, PAINT_BOLD }
#define INK_FILL(ink, fill, on_fill) { ink, fill, on_fill, 0 }
#define FILL(fill, on_fill) { TEXT, fill, on_fill, 0 }
#define FILL_BOLD(fill, on_fill) { TEXT, fill, on_fill, PAINT_BOLD }
#define BOX(color) { color, color, STYLE_AUTO, 0 } /* the same as ink and as fill */
#define BOX_TEXT(color, on_fill) { color, color, on_fill, 0 }
#define EMPTY(on_fill) { PAGE, PAGE, on_fill, 0 }

/* One accent, for keys, the active tab, the row of the cursor and the ends of ranges; greys for the
 * rest. */
#define DARK_ACCENT 0x5fafd7
#define LIGHT_ACCENT 0x005f87

/* A row for each role: X(role, dark, light), where people who are colour-blind need other colours
 * Y(role, dark, light, their dark, their light). */
#define THEMES(X, Y) \
	X(PLAIN, INK(TEXT), INK(TEXT)) \
	X(DIM, INK(0x8a8a8a), INK(0x626262)) \
	X(PAGE, EMPTY(TEXT), EMPTY(TEXT)) \
	X(LABEL, INK(TEXT), INK(TEXT)) \
	X(HEADER, FILL(0x262626, 0xd0d0d0), FILL(0xe4e4e4, 0x303030)) \
	X(TITLE, FILL(0x262626, 0xd0d0d0), FILL(0xe4e4e4, 0x303030)) \
	X(RULER, INK(0x949494), INK(0x626262)) \
	X(STATUS, FILL(0x262626, 0xd0d0d0), FILL(0xe4e4e4, 0x303030)) \
	X(KEY, INK_BOLD(DARK_ACCENT), INK_BOLD(LIGHT_ACCENT)) \
	X(WARN, INK_BOLD(0xd7875f), INK_BOLD(0x875f00)) \
	X(TAB, INK(0x8a8a8a), INK(0x626262)) \
	X(TAB_ACTIVE, FILL_BOLD(DARK_ACCENT, BLACK), FILL_BOLD(LIGHT_ACCENT, WHITE)) \
	X(HEAD, INK_BOLD(0xa8a8a8), INK_BOLD(0x4e4e4e)) \
	X(ROW, FILL(0x3a3a3a, WHITE), FILL(0xd0d0d0, BLACK)) \
	X(ROW_MARK, INK_BOLD(DARK_ACCENT), INK_BOLD(LIGHT_ACCENT)) \
	X(RULE, INK(DARK_ACCENT), INK(LIGHT_ACCENT)) \
	X(BAR, BOX(0x4e4e4e), BOX(0xc6c6c6)) \
	X(PROMPT, INK(TEXT), INK(TEXT)) \
	X(COMMENT, INK(0x8a8a8a), INK(0x6c6c6c)) \
	X(STRING, INK(0x87af87), INK(0x005f00)) \
	X(KEYWORD, INK(0x87afd7), INK(0x5f5f87)) \
	X(BUSY, BOX(0x5f87af), BOX(0x5f87af)) \
	X(WINDOW, INK_FILL(DARK_ACCENT, 0x3a3a3a, WHITE), INK_FILL(LIGHT_ACCENT, 0xd0d0d0, BLACK)) \
	X(IDLE, EMPTY(0x8a8a8a), EMPTY(0x626262)) \
	Y(PROGRAM, BOX_TEXT(0x3a3a3a, 0xa8a8a8), BOX_TEXT(0xa8a8a8, 0x262626), \
	  BOX_TEXT(0x303030, 0x9e9e9e), BOX_TEXT(0xa8a8a8, 0x262626)) \
	Y(GC, BOX(0xd75f5f), BOX(0xd75f5f), BOX(0xd75f00), BOX(0xaf0000)) \
	X(NATIVE, BOX(0xbcbcbc), BOX(0x8a8a8a)) \
	Y(NODE, BOX_TEXT(0x444444, 0xc6c6c6), BOX_TEXT(0xbcbcbc, 0x3a3a3a), \
	  BOX_TEXT(0x3a3a3a, 0xbcbcbc), BOX_TEXT(0xbcbcbc, 0x3a3a3a)) \
	X(SCRIPTING, BOX(0xd7af5f), BOX(0xd7af5f)) \
	X(RENDERING, BOX(0xaf87d7), BOX(0xaf87d7)) \
	Y(PAINTING, BOX(0x87af5f), BOX(0x87af5f), BOX(0xafd787), BOX(0x87af5f)) \
	X(LOADING, BOX(0x5fafd7), BOX(0x5fafd7)) \
	Y(TASK, BOX_TEXT(0x585858, 0xe4e4e4), BOX_TEXT(0xb2b2b2, 0x303030), \
	  BOX(0x9e9e9e), BOX_TEXT(0xb2b2b2, 0x303030)) \
	X(HEAT_0, BOX_TEXT(0x3a3a3a, 0xa8a8a8), BOX_TEXT(0xbcbcbc, 0x3a3a3a)) \
	X(HEAT_1, BOX_TEXT(0x4e4e4e, 0xd0d0d0), BOX_TEXT(0xa8a8a8, 0x262626)) \
	X(HEAT_2, BOX_TEXT(0x6c6c6c, WHITE), BOX(0xd7af87)) \
	X(HEAT_3, BOX(0x87875f), BOX(0xd7af5f)) \
	X(HEAT_4, BOX(0xd7af5f), BOX(0xd78700)) \
	X(HEAT_5, BOX(0xffd787), BOX(0xaf5f00)) \
	X(LESS_2, BOX(0x5fafff), BOX(0x5f87ff)) \
	X(LESS_1, BOX(0x5f87af), BOX(0x87afd7)) \
	X(SAME, BOX_TEXT(0x444444, 0xc6c6c6), BOX_TEXT(0xbcbcbc, 0x3a3a3a)) \
	X(MORE_1, BOX(0xaf875f), BOX(0xd7af87)) \
	X(MORE_2, BOX(0xffaf5f), BOX(0xff8700))
#define DARK_OWN \
	0x5fafd7, 0xafd787, 0xd7af5f, 0xaf87d7, 0x5fd7af, 0xffafd7, \
	0xffaf87, 0x87afff, 0xd7afff, 0x5fd7d7, 0xafaf5f, 0x87d7ff
#define DARK_DEPENDENCY \
	0x87af87, 0x87afd7, 0xd7af87, 0xaf87af, 0x5fafaf, 0xafaf87, \
	0xafafd7, 0x8787af, 0x87afaf, 0xaf875f
#define DARK_OWN_DIRECT \
	0x6bbbeb, 0x9bbf76, 0xcdad5e, 0xb4a4ee, 0x75c596, 0xde97c6, \
	0xe1a269, 0x90b0f4, 0xcc9cdd, 0x56c7b7, 0xb6b765, 0x51c3d6
#define DARK_DEPENDENCY_DIRECT \
	0x728e79, 0x808b6d, 0x998269, 0x87819f, 0x6d8b9e, 0x9c7b8a, \
	0x9f7d72, 0x7986a2, 0x937e97, 0x688f88, 0x8e8668, 0x668e95
#define LIGHT_OWN \
	0x5fafd7, 0x87af5f, 0xd7af5f, 0xaf87d7, 0x5faf87, 0xffaf5f, \
	0x87afff, 0xafaf5f, 0x00afaf, 0x8787d7
#define LIGHT_DEPENDENCY \
	0x87af87, 0x87afd7, 0xd7af87, 0xd7afd7, 0x87afaf, 0xafafd7, \
	0xafaf87
#define LIGHT_OWN_DIRECT \
	0x65b5e5, 0x9db66a, 0xd69e5e, 0xae9ee7, 0x74be8c, 0xdd8fb5, \
	0xe1966f, 0x87abed, 0xca94d2, 0x51c0af, 0xbfab59, 0x49bdce
#define LIGHT_DEPENDENCY_DIRECT \
	0xa6c8ae, 0xb6c4a1, 0xd4b89c, 0xbfb8db, 0xa0c3da, 0xd7b1c3, \
	0xdbb4a6, 0xaebedf, 0xceb3d1, 0x9bc9c0, 0xc7be9a, 0x99c7cf
#define BLIND_DARK_OWN \
	0x87d7ff, 0xd7af5f, 0xafafff, 0xafd787, 0xd78787, 0x00afd7, \
	0xffafd7, 0x5fafaf
#define BLIND_DARK_OWN_DIRECT \
	0x80d8f8, 0xd8b048, 0x9090e8, 0xe89880, 0x50e0c8, 0xd08090, \
	0x60b8f8, 0xc0d870, 0xc880b8, 0x48c8d8, 0xf8b8a8, 0xe890b0
#define BLIND_DARK_DEPENDENCY \
	0x87afd7, 0xd7af87, 0x87afaf, 0xd7afaf, 0xafaf87, 0xafafd7
#define BLIND_LIGHT_OWN \
	0x00afd7, 0xd7af5f, 0xafafff, 0x878700, 0xd787af, 0x00af87, \
	0xd7875f, 0x5f87d7, 0x0087af, 0x008787
#define BLIND_LIGHT_OWN_DIRECT \
	0x7898e8, 0xe0b048, 0xd0a8f8, 0x58c890, 0xc86070, 0x40b0c0, \
	0xd09840, 0x6080c8, 0x68a890, 0xb87040, 0x48c8c0, 0x4088a0
#define BLIND_LIGHT_DEPENDENCY \
	0xd7af87, 0x87afd7, 0xd7afaf, 0x87afaf, 0xd7afd7, 0xafaf87

/* What the names of reserved colours say (frame_roles_cname()), in that order; where a name says
 * none, the colour that the format's first viewer gave it. */
#define DARK_CNAMES \
	0x5faf5f, 0xd78700, 0xaf0000, 0x3a3a3a, 0xa8a8a8, 0xeeeeee, \
	0xffff5f, 0x878700, 0x808080, 0xd7d700, 0x5f87ff, 0xff875f, \
	0xffaf00, 0x00af5f, 0xaf5f87, 0xff8700, 0x87d787, 0x87afd7, \
	0xe4e4e4, 0xd7af87, 0x00afaf, 0x0000d7, 0xaf00af, 0x5f5fff, \
	0x9e9e9e, 0x0000ff, 0xd75f00, 0xffff87, 0x87ff5f, 0xff8787, \
	0xbcbcbc, 0xd7d75f, 0x5fd700, 0xaf5f5f
#define LIGHT_CNAMES \
	0x5faf5f, 0xd78700, 0xaf0000, 0x303030, 0xb2b2b2, 0xc6c6c6, \
	0xafaf00, 0x878700, 0x808080, 0xafaf5f, 0x5f87ff, 0xff875f, \
	0xffaf00, 0x00af5f, 0xaf5f87, 0xff8700, 0x87d787, 0x87afd7, \
	0xbcbcbc, 0xd7af87, 0x00afaf, 0x0000d7, 0xaf00af, 0x5f5fff, \
	0x9e9e9e, 0x0000ff, 0xd75f00, 0xd7af5f, 0x87d75f, 0xff8787, \
	0xa8a8a8, 0xafaf87, 0x5fd700, 0xaf5f5f

/* clang-format on */

#define HUES(list)                                                                                 \
	{                                                                                          \
		sizeof((int32_t[]){ list }) / sizeof(int32_t),                                     \
		{                                                                                  \
			list                                                                       \
		}                                                                                  \
	}

/* A missing row gives an error, a second row for a role a compiler warning. */
#define COUNT_ROW(role, ...) +1

static_assert(0 THEMES(COUNT_ROW, COUNT_ROW) == ROLE_FRAME, "each role has one row");

#define DARK_ROW(role, dark, light) [ROLE_##role] = dark,
#define LIGHT_ROW(role, dark, light) [ROLE_##role] = light,
#define DARK_OF_FOUR(role, dark, light, blind_dark, blind_light) [ROLE_##role] = dark,
#define LIGHT_OF_FOUR(role, dark, light, blind_dark, blind_light) [ROLE_##role] = light,
#define BLIND_DARK_ROW(role, dark, light, blind_dark, blind_light) [ROLE_##role] = blind_dark,
#define BLIND_LIGHT_ROW(role, dark, light, blind_dark, blind_light) [ROLE_##role] = blind_light,

static const struct theme themes[] = {
	{ .name = "dark",
	  .page = 0x000000,
	  .styles = { THEMES(DARK_ROW, DARK_OF_FOUR) },
	  .hues = { HUES(DARK_OWN), HUES(DARK_DEPENDENCY) },
	  .cnames = { DARK_CNAMES },
	  .direct_hues = { HUES(DARK_OWN_DIRECT), HUES(DARK_DEPENDENCY_DIRECT) } },
	{ .name = "light",
	  .is_light = true,
	  .page = 0xffffff,
	  .styles = { THEMES(LIGHT_ROW, LIGHT_OF_FOUR) },
	  .hues = { HUES(LIGHT_OWN), HUES(LIGHT_DEPENDENCY) },
	  .cnames = { LIGHT_CNAMES },
	  .direct_hues = { HUES(LIGHT_OWN_DIRECT), HUES(LIGHT_DEPENDENCY_DIRECT) } },
	{ .name = "colour-blind-dark",
	  .page = 0x000000,
	  .styles = { THEMES(DARK_ROW, BLIND_DARK_ROW) },
	  .hues = { HUES(BLIND_DARK_OWN), HUES(BLIND_DARK_DEPENDENCY) },
	  .cnames = { DARK_CNAMES },
	  .direct_hues = { HUES(BLIND_DARK_OWN_DIRECT), HUES(BLIND_DARK_DEPENDENCY) } },
	{ .name = "colour-blind-light",
	  .is_light = true,
	  .page = 0xffffff,
	  .styles = { THEMES(LIGHT_ROW, BLIND_LIGHT_ROW) },
	  .hues = { HUES(BLIND_LIGHT_OWN), HUES(BLIND_LIGHT_DEPENDENCY) },
	  .cnames = { LIGHT_CNAMES },
	  .direct_hues = { HUES(BLIND_LIGHT_OWN_DIRECT), HUES(BLIND_LIGHT_DEPENDENCY) } },
};

const struct theme *theme_for(bool is_colour_blind, bool is_light)
{
	return &themes[2 * is_colour_blind + is_light];
}

int32_t theme_text_on(int32_t fill)
{
	return color_contrast(STYLE_BLACK, fill) >= color_contrast(STYLE_WHITE, fill) ? STYLE_BLACK
										      : STYLE_WHITE;
}

struct style theme_style(const struct theme *theme, unsigned role, bool is_direct)
{
	const struct theme_hues *hues = is_direct ? theme->direct_hues : theme->hues;
	struct style style;

	if (role < ROLE_FRAME) {
		style = theme->styles[role];
	} else if (role >= ROLE_CNAME) {
		int32_t rgb = theme->cnames[role - ROLE_CNAME];

		style = (struct style){ rgb, rgb, STYLE_AUTO, 0 };
	} else {
		unsigned hue = (role - ROLE_FRAME) % ROLE_HUES;
		int32_t rgb;

		hues += role < ROLE_DEPENDENCY ? THEME_OWN : THEME_DEPENDENCY;
		rgb = hues->rgb[hue % hues->n];
		style = (struct style){ rgb, rgb, STYLE_AUTO, 0 };
	}
	if (style.on_fill == STYLE_AUTO)
		style.on_fill = theme_text_on(style.fill);
	return style;
}

/* ==== theme file ====
 *
 * Themes that users write: lines `role = colour`.
 *
 *	# A line that begins like this is a comment.
 *	base = dark
 *	page = #101010
 *	own = #5fafd7 #afd787 #d7af5f
 *	dependency = 109 144
 *	gc = #d75f5f #ffffff
 *	good = #5faf5f
 *	cname = off
 *
 * A colour is #rrggbb, #rgb, or a number from 16 to 255 of the 256-colour palette. A second one is
 * that of text on the first. Reserved colours of traces have their names; `cname = off` makes the
 * program ignore them. `base` is the built-in theme that has all other colours.
 *
 * A theme begins as a copy of the dark theme. Each line changes it at once; `base` replaces all of
 * it, so it must come first. */

#define WORD_MAX 32

struct parser {
	struct theme *theme;
	struct error *err;
	int line;
	bool has_colors;     /* a line before this one set a colour */
	const char *p, *end; /* what is left of the line */
};

/* ---- words ---- */

static void skip_blanks(struct parser *parser)
{
	while (parser->p < parser->end && isspace((unsigned char)*parser->p))
		parser->p++;
}

/* The next word, up to a blank or `=`. False: there is none, or it is too long. */
static bool take_name(struct parser *parser, char word[WORD_MAX])
{
	size_t n = 0;

	skip_blanks(parser);
	while (parser->p < parser->end && !isspace((unsigned char)*parser->p) &&
	       *parser->p != '=') {
		if (n + 1 == WORD_MAX)
			return false;
		word[n++] = *parser->p++;
	}
	word[n] = '\0';
	return n > 0;
}

static bool complain(struct parser *parser, const char *what, const char *word)
{
	BUF_LOCAL text = { 0 };

	text_fit(&text, word, strlen(word), WORD_MAX);
	error_set(parser->err, ERR_SYNTAX, -1, "%d: %s '%s'", parser->line, what, buf_text(&text));
	return false;
}

static bool parse_color(const char *word, int32_t *rgb)
{
	size_t n = strlen(word), digits = strspn(word + (*word == '#'), "0123456789abcdefABCDEF");
	unsigned long v;
	char *end;

	if (*word == '#' && digits + 1 == n && (n == 7 || n == 4)) {
		v = strtoul(word + 1, NULL, 16);
		*rgb = (int32_t)(n == 7 ? v
					: (v >> 8 & 15) * 0x110000 + (v >> 4 & 15) * 0x1100 +
						 (v & 15) * 0x11);
	} else {
		v = strtoul(word, &end, 10);
		if (!isdigit((unsigned char)*word) || *end || v < 16 || v > 255)
			return false;
		*rgb = color_of_256((int32_t)v);
	}
	/* Direct-colour terminals take smaller ones for numbers. */
	if (*rgb < 8)
		*rgb = STYLE_BLACK;
	return true;
}

/* The colours up to the end of the line, at most `most`; at least one. */
static bool take_colors(struct parser *parser, int32_t *rgb, unsigned most, unsigned *n)
{
	char word[WORD_MAX];

	*n = 0;
	while (skip_blanks(parser), parser->p < parser->end) {
		if (!take_name(parser, word))
			return complain(parser, "no colour", parser->p[0] == '=' ? "=" : word);
		if (*n == most)
			return complain(parser, "one colour too many,", word);
		if (!parse_color(word, &rgb[(*n)++]))
			return complain(parser, "no colour", word);
	}
	return *n > 0 || complain(parser, "no colour", "");
}

/* ---- lines ---- */

static bool take_base(struct parser *parser)
{
	char word[WORD_MAX];

	if (parser->has_colors)
		return complain(parser, "this must come before all colours:", "base");
	if (!take_name(parser, word))
		word[0] = '\0';
	for (unsigned i = 0; i < ARRAY_LEN(themes); i++) {
		if (!strcmp(themes[i].name, word)) {
			*parser->theme = themes[i];
			return true;
		}
	}
	return complain(parser, "no theme", word);
}

static bool take_hues(struct parser *parser, enum theme_owner owner)
{
	unsigned role = owner == THEME_OWN ? ROLE_FRAME : ROLE_DEPENDENCY;
	struct theme_hues hues = { 0 };

	if (!take_colors(parser, hues.rgb, ROLE_HUES, &hues.n))
		return false;
	memset(&parser->theme->is_kept[role], true, ROLE_HUES);
	parser->theme->hues[owner] = parser->theme->direct_hues[owner] = hues;
	return true;
}

/* `TAB_ACTIVE` is written tab-active. */
static bool is_role(const char *role, const char *word)
{
	for (; *role && *word; role++, word++)
		if (*word != (*role == '_' ? '-' : (char)tolower((unsigned char)*role)))
			return false;
	return *role == *word;
}

/* A reserved colour of traces. False: there is none with this name. */
static bool take_cname(struct parser *parser, const char *word, bool *is_ok)
{
	unsigned n;

	for (unsigned i = 0; i < ROLE_CNAMES; i++) {
		if (!is_role(frame_roles_cname(i), word))
			continue;
		parser->theme->is_kept[ROLE_CNAME + i] = true;
		*is_ok = take_colors(parser, &parser->theme->cnames[i], 1, &n);
		return true;
	}
	return false;
}

/* `cname = off`, or on. */
static bool take_cnames(struct parser *parser)
{
	char word[WORD_MAX];

	if (!take_name(parser, word))
		word[0] = '\0';
	parser->theme->ignores_cnames = !strcmp(word, "off");
	return parser->theme->ignores_cnames || !strcmp(word, "on") ||
		complain(parser, "on or off, not", word);
}

static bool take_role(struct parser *parser, const char *word)
{
	static const char *const names[ROLE_FRAME] = {
#define NAME(name, letter) [ROLE_##name] = #name,
		ROLE_LIST(NAME)
#undef NAME
	};
	int32_t rgb[2];
	unsigned n, role = 0;
	struct style *style;
	bool is_ok;

	if (take_cname(parser, word, &is_ok))
		return is_ok;
	while (role < ROLE_FRAME && !is_role(names[role], word))
		role++;
	if (role == ROLE_FRAME || role == ROLE_PAGE || role == ROLE_LABEL)
		return complain(parser, "no role", word);
	if (!take_colors(parser, rgb, 2, &n))
		return false;
	style = &parser->theme->styles[role];
	parser->theme->is_kept[role] = true;
	if (role >= ROLE_IDLE || style->ink == style->fill) {
		*style = (struct style){ rgb[0], rgb[0], STYLE_AUTO, style->attrs };
	} else if (style->fill >= 0) {
		style->fill = rgb[0];
		style->on_fill = STYLE_AUTO;
	} else {
		style->ink = rgb[0];
	}
	if (n == 2)
		style->on_fill = rgb[1];
	return true;
}

static bool take_line(struct parser *parser)
{
	char word[WORD_MAX];
	unsigned n;

	skip_blanks(parser);
	if (parser->p == parser->end || *parser->p == '#')
		return true;
	if (!take_name(parser, word))
		return complain(parser, "no role at the start of the line", "");
	skip_blanks(parser);
	if (parser->p == parser->end || *parser->p != '=')
		return complain(parser, "no = after", word);
	parser->p++;
	if (!strcmp(word, "base"))
		return take_base(parser);
	parser->has_colors = true;
	if (!strcmp(word, "page"))
		return take_colors(parser, &parser->theme->page, 1, &n);
	if (!strcmp(word, "own"))
		return take_hues(parser, THEME_OWN);
	if (!strcmp(word, "cname"))
		return take_cnames(parser);
	if (!strcmp(word, "dependency"))
		return take_hues(parser, THEME_DEPENDENCY);
	return take_role(parser, word);
}

bool theme_file_parse(const char *text, size_t len, struct theme *theme, struct error *err)
{
	struct parser parser = { .theme = theme, .err = err };
	const char *end = text + len;

	*theme = *theme_for(false, false);
	for (const char *p = text; p < end; p = parser.end + 1) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));

		parser.line++;
		parser.p = p;
		parser.end = line_end ? line_end : end;
		if (!take_line(&parser))
			return false;
		skip_blanks(&parser);
		if (parser.p < parser.end && *parser.p != '#')
			return complain(&parser, "not expected:", "text after the value");
	}
	return true;
}
