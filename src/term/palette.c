/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A role has a `look`: its colour as ink, its colour as fill, and the colour of
 * text on that fill. There is one table of looks for 8 colours, one for 16, none
 * for no colours, and one in RGB for each theme; the colours of the latter are
 * from the 256-colour cube, so that the two richer modes look the same.
 *
 * Two colours have no number: TEXT and PAGE, the terminal's own. A terminal can
 * put TEXT on anything and anything on PAGE, but PAGE on a colour, or a colour
 * on TEXT, only by swapping the two with the reverse attribute. finish() does
 * that in one place, and so the mode without colours, where a frame is simply
 * PAGE on TEXT, needs no code of its own.
 *
 * The hues were picked from the cube for the largest smallest distance (OKLab,
 * also as seen by protanopes and deuteranopes) among themselves and to the fixed
 * colours. Neighbouring numbers are far apart. */
#include "config.h"

#include "term/palette.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define TEXT (-1)
#define PAGE (-2)
#define BLACK 0x080808 /* direct-colour terminals take 0 to 7 for numbers of the palette */
#define WHITE 0xffffff
#define MATCH_RGB 0xffff5f

struct look {
	int32_t ink;
	int32_t fill;
	int32_t on_fill;
	uint8_t attrs; /* of text in this ink */
};

#define FRAME(rgb)                                                                                 \
	{                                                                                          \
		rgb, rgb, BLACK, 0                                                                 \
	}
#define HUES_RGB                                                                                   \
	[ROLE_FRAME + 0] = FRAME(0x5f87d7), [ROLE_FRAME + 1] = FRAME(0xafd75f),                    \
		      [ROLE_FRAME + 2] = FRAME(0xd787d7), [ROLE_FRAME + 3] = FRAME(0x00afaf),      \
		      [ROLE_FRAME + 4] = FRAME(0xd7af00), [ROLE_FRAME + 5] = FRAME(0xaf87ff),      \
		      [ROLE_FRAME + 6] = FRAME(0x00d7ff), [ROLE_FRAME + 7] = FRAME(0xaf8700),      \
		      [ROLE_FRAME + 8] = FRAME(0xd7afd7), [ROLE_FRAME + 9] = FRAME(0x00af5f),      \
		      [ROLE_FRAME + 10] = FRAME(0x87afff), [ROLE_FRAME + 11] = FRAME(0xafd7af)

/* A page whose theme had to be guessed may be light after all: text on it has
 * colours that can be read on both. */
static const struct look dark_looks[ROLE_COUNT] = {
	[ROLE_PLAIN] = { TEXT, PAGE, TEXT, 0 },
	[ROLE_DIM] = { 0x8a8a8a, PAGE, TEXT, 0 },
	[ROLE_PAGE] = { PAGE, PAGE, TEXT, 0 },
	[ROLE_LABEL] = { TEXT, PAGE, TEXT, 0 },
	[ROLE_HEADER] = { TEXT, 0x303030, 0xdadada, 0 },
	[ROLE_TITLE] = { TEXT, PAGE, TEXT, PAINT_BOLD },
	[ROLE_RULER] = { 0x5f8787, PAGE, TEXT, 0 },
	[ROLE_STATUS] = { TEXT, 0x303030, 0xdadada, 0 },
	[ROLE_KEY] = { 0x0087d7, PAGE, TEXT, PAINT_BOLD },
	[ROLE_WARN] = { 0xd75f00, PAGE, TEXT, PAINT_BOLD },
	[ROLE_TAB] = { 0x8a8a8a, PAGE, TEXT, 0 },
	[ROLE_TAB_ACTIVE] = { TEXT, 0xdadada, BLACK, PAINT_BOLD },
	[ROLE_HEAD] = { 0x5f8787, PAGE, TEXT, PAINT_BOLD },
	[ROLE_ROW] = { TEXT, 0xd0d0d0, BLACK, 0 },
	[ROLE_BAR] = { 0x5f5f87, 0x5f5f87, WHITE, 0 },
	[ROLE_PROMPT] = { TEXT, PAGE, TEXT, 0 },
	[ROLE_BUSY] = { 0x5faf87, 0x5faf87, BLACK, 0 },
	[ROLE_WINDOW] = { 0xd0d0d0, 0x3a3a3a, WHITE, 0 },
	[ROLE_IDLE] = { 0x262626, 0x262626, 0x949494, 0 },
	[ROLE_PROGRAM] = FRAME(0x8a8a8a),
	[ROLE_GC] = FRAME(0xff5f5f),
	[ROLE_NATIVE] = FRAME(0xd7af87),
	HUES_RGB
};

static const struct look light_looks[ROLE_COUNT] = {
	[ROLE_PLAIN] = { TEXT, PAGE, TEXT, 0 },
	[ROLE_DIM] = { 0x626262, PAGE, TEXT, 0 },
	[ROLE_PAGE] = { PAGE, PAGE, TEXT, 0 },
	[ROLE_LABEL] = { TEXT, PAGE, TEXT, 0 },
	[ROLE_HEADER] = { TEXT, 0xe4e4e4, 0x262626, 0 },
	[ROLE_TITLE] = { TEXT, PAGE, TEXT, PAINT_BOLD },
	[ROLE_RULER] = { 0x005f5f, PAGE, TEXT, 0 },
	[ROLE_STATUS] = { TEXT, 0xe4e4e4, 0x262626, 0 },
	[ROLE_KEY] = { 0x005faf, PAGE, TEXT, PAINT_BOLD },
	[ROLE_WARN] = { 0x875f00, PAGE, TEXT, PAINT_BOLD },
	[ROLE_TAB] = { 0x626262, PAGE, TEXT, 0 },
	[ROLE_TAB_ACTIVE] = { TEXT, 0x303030, WHITE, PAINT_BOLD },
	[ROLE_HEAD] = { 0x005f5f, PAGE, TEXT, PAINT_BOLD },
	[ROLE_ROW] = { TEXT, 0x3a3a3a, WHITE, 0 },
	[ROLE_BAR] = { 0xafafd7, 0xafafd7, BLACK, 0 },
	[ROLE_PROMPT] = { TEXT, PAGE, TEXT, 0 },
	[ROLE_BUSY] = { 0x00875f, 0x00875f, WHITE, 0 },
	[ROLE_WINDOW] = { 0x444444, 0xd0d0d0, BLACK, 0 },
	[ROLE_IDLE] = { 0xe4e4e4, 0xe4e4e4, 0x626262, 0 },
	[ROLE_PROGRAM] = FRAME(0xa8a8a8),
	[ROLE_GC] = FRAME(0xff5f5f),
	[ROLE_NATIVE] = FRAME(0xd7af87),
	HUES_RGB
};

/* Black is readable on the light half of 16 colours; the dark half takes white.
 * Yellow is left to matches and native frames, red to the garbage collector. */
static const struct look looks_16[ROLE_COUNT] = {
	[ROLE_PAGE] = { PAGE, PAGE, TEXT, 0 },
	[ROLE_HEADER] = { TEXT, TEXT, PAGE, 0 },
	[ROLE_STATUS] = { TEXT, TEXT, PAGE, 0 },
	[ROLE_TITLE] = { TEXT, PAGE, TEXT, PAINT_BOLD },
	[ROLE_KEY] = { TEXT, PAGE, TEXT, PAINT_BOLD },
	[ROLE_TAB_ACTIVE] = { TEXT, TEXT, PAGE, PAINT_BOLD },
	[ROLE_HEAD] = { TEXT, PAGE, TEXT, PAINT_BOLD },
	[ROLE_ROW] = { TEXT, TEXT, PAGE, 0 },
	[ROLE_BAR] = { 4, 4, 15, 0 },
	[ROLE_BUSY] = { 2, 2, 0, 0 },
	[ROLE_IDLE] = { PAGE, PAGE, TEXT, PAINT_DIM },
	[ROLE_PROGRAM] = { 8, 8, 15, 0 },
	[ROLE_GC] = { 9, 9, 0, 0 },
	[ROLE_NATIVE] = { 3, 3, 0, 0 },
};
static const struct look hues_16[] = {
	{ 14, 14, 0, 0 }, { 10, 10, 0, 0 }, { 13, 13, 0, 0 }, { 12, 12, 0, 0 },
	{ 6, 6, 0, 0 },   { 2, 2, 0, 0 },   { 5, 5, 15, 0 },  { 4, 4, 15, 0 },
};

static const struct look looks_8[ROLE_COUNT] = {
	[ROLE_BAR] = { 4, 4, 7, 0 },
	[ROLE_IDLE] = { PAGE, PAGE, TEXT, PAINT_DIM },
	[ROLE_PROGRAM] = { PAGE, PAGE, TEXT, 0 },
	[ROLE_GC] = { 1, 1, 7, 0 },
};
static const struct look hues_8[] = {
	{ 6, 6, 0, 0 }, { 2, 2, 0, 0 }, { 5, 5, 7, 0 }, { 4, 4, 7, 0 }
};

enum palette_mode palette_mode_find(int n_colors, enum term_color option, const char *no_color)
{
	if (option == TERM_COLOR_NEVER || (option == TERM_COLOR_AUTO && no_color && *no_color))
		return PALETTE_MONO;
	if (n_colors >= 1 << 24)
		return PALETTE_DIRECT;
	if (n_colors >= 256)
		return PALETTE_256;
	if (n_colors >= 16)
		return PALETTE_16;
	return n_colors >= 8 ? PALETTE_8 : PALETTE_MONO;
}

bool palette_is_told(enum term_theme option, const char *colorfgbg)
{
	const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;

	return option != TERM_THEME_AUTO || (last && last[1] >= '0' && last[1] <= '9');
}

bool palette_is_light(enum term_theme option, const char *colorfgbg)
{
	const char *last;
	char *end;
	long bg;

	if (option != TERM_THEME_AUTO)
		return option == TERM_THEME_LIGHT;
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

/* These are pictures and not text: they keep their colour on any fill. */
static bool is_picture(unsigned role)
{
	return is_frame(role) || role == ROLE_BAR || role == ROLE_BUSY || role == ROLE_WINDOW;
}

static bool is_rgb(const struct palette *p)
{
	return p->mode >= PALETTE_256;
}

static struct look look_mono(unsigned role)
{
	switch (role) {
	case ROLE_HEADER:
	case ROLE_STATUS:
	case ROLE_ROW:
	case ROLE_BAR:
	case ROLE_WINDOW:
	case ROLE_GC:
	case ROLE_NATIVE:
		return (struct look){ TEXT, TEXT, PAGE, 0 };
	case ROLE_TAB_ACTIVE:
		return (struct look){ TEXT, TEXT, PAGE, PAINT_BOLD };
	case ROLE_TITLE:
	case ROLE_KEY:
	case ROLE_WARN:
	case ROLE_HEAD:
		return (struct look){ TEXT, PAGE, TEXT, PAINT_BOLD };
	case ROLE_DIM:
	case ROLE_TAB:
	case ROLE_RULER:
		return (struct look){ TEXT, PAGE, TEXT, PAINT_DIM };
	case ROLE_IDLE:
		return (struct look){ PAGE, PAGE, TEXT, PAINT_DIM };
	case ROLE_PROGRAM:
	case ROLE_PAGE:
		return (struct look){ PAGE, PAGE, TEXT, 0 };
	default:
		if (role >= ROLE_FRAME)
			return (struct look){ TEXT, TEXT, PAGE, 0 };
		return (struct look){ TEXT, PAGE, TEXT, 0 };
	}
}

static struct look look_few(const struct palette *p, unsigned role)
{
	unsigned hue = role - ROLE_FRAME;

	switch (role) {
	case ROLE_WARN:
		return (struct look){ p->is_light ? 1 : 3, PAGE, TEXT, PAINT_BOLD };
	case ROLE_WINDOW:
		if (p->mode == PALETTE_8)
			return (struct look){ TEXT, 4, 7, 0 };
		return (struct look){ TEXT, p->is_light ? 7 : 8, p->is_light ? 0 : 15, 0 };
	case ROLE_DIM:
	case ROLE_TAB:
	case ROLE_RULER:
		if (p->mode == PALETTE_16)
			return (struct look){ 8, PAGE, TEXT, 0 };
		return (struct look){ TEXT, PAGE, TEXT, PAINT_DIM };
	case ROLE_PLAIN:
	case ROLE_LABEL:
	case ROLE_PROMPT:
		return (struct look){ TEXT, PAGE, TEXT, 0 };
	default:
		break;
	}
	if (role >= ROLE_FRAME)
		return p->mode == PALETTE_16 ? hues_16[hue % ARRAY_LEN(hues_16)]
					     : hues_8[hue % ARRAY_LEN(hues_8)];
	if (p->mode == PALETTE_8 &&
	    (role == ROLE_BAR || role == ROLE_IDLE || role == ROLE_PROGRAM || role == ROLE_GC))
		return looks_8[role];
	return looks_16[role];
}

static struct look look_of(const struct palette *p, unsigned role)
{
	if (p->mode == PALETTE_MONO)
		return look_mono(role);
	if (!is_rgb(p))
		return look_few(p, role);
	return p->is_light ? light_looks[role] : dark_looks[role];
}

/* a * (100 - percent) + b * percent, per channel. */
static int32_t blend(int32_t a, int32_t b, int percent)
{
	int32_t rgb = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int32_t x = a >> shift & 255, y = b >> shift & 255;

		rgb |= (x * (100 - percent) + y * percent) / 100 << shift;
	}
	return rgb;
}

/* Relative luminance times 10000, with gamma 2 for 2.2: close enough here. */
static int luminance(int32_t rgb)
{
	int r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;

	return (r * r * 21 + g * g * 72 + b * b * 7) / 650;
}

static bool has_contrast(int32_t a, int32_t b)
{
	int x = luminance(a) + 500, y = luminance(b) + 500;

	return x > y ? x * 2 >= y * 9 : y * 2 >= x * 9;
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

/* The number among 16..255 whose colour is nearest: of the cube or of the greys. */
static int32_t nearest_256(int32_t rgb)
{
	const struct palette p = { PALETTE_256, false };
	int32_t cube = 0, grey = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		int32_t v = rgb >> shift & 255;

		cube = cube * 6 + (v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40);
		grey += v;
	}
	cube += 16;
	grey = grey / 3 < 8 ? 0 : (grey / 3 - 3) / 10;
	grey = 232 + (grey > 23 ? 23 : grey);
	return distance((int32_t)palette_rgb(&p, cube, true), rgb) <=
			distance((int32_t)palette_rgb(&p, grey, true), rgb)
		? cube
		: grey;
}

uint32_t palette_rgb(const struct palette *p, int32_t color, bool as_ink)
{
	static const uint32_t xterm_16[16] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00,
					       0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
					       0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
					       0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff };

	if (color < 0)
		return as_ink == p->is_light ? 0x101010 : p->is_light ? 0xffffff : 0xd0d0d0;
	if (p->mode == PALETTE_DIRECT)
		return (uint32_t)color;
	if (color < 16)
		return xterm_16[color];
	if (color >= 232)
		return (uint32_t)(8 + 10 * (color - 232)) * 0x010101u;
	color -= 16;
	return (uint32_t)(cube_level(color / 36) << 16 | cube_level(color / 6 % 6) << 8 |
			  cube_level(color % 6));
}

/* The look of a frame that is selected, found, or seen again. */
static struct look marked(const struct palette *p, struct look look, unsigned flags)
{
	if (flags & CELL_SELECTED) {
		/* The other way round than frames are, and than idle time is. */
		if (p->mode == PALETTE_MONO && look.fill == PAGE)
			return (struct look){ TEXT, TEXT, PAGE, PAINT_BOLD | PAINT_UNDERLINE };
		if (p->mode == PALETTE_MONO)
			return (struct look){ PAGE, PAGE, TEXT, PAINT_BOLD | PAINT_UNDERLINE };
		/* The one fill that is sure to stand out from the page, whatever that is. */
		return (struct look){ TEXT, TEXT, PAGE, PAINT_BOLD };
	}
	if (flags & CELL_MATCH) {
		if (is_rgb(p))
			look = (struct look){ MATCH_RGB, MATCH_RGB, BLACK,
					      PAINT_BOLD | PAINT_UNDERLINE };
		else if (p->mode == PALETTE_16)
			look = (struct look){ 11, 11, 0, PAINT_UNDERLINE };
		else if (p->mode == PALETTE_8)
			look = (struct look){ 3, 3, 0, PAINT_UNDERLINE };
		else
			look.attrs |= PAINT_UNDERLINE | PAINT_BOLD;
	}
	if (flags & CELL_SAME) {
		if (is_rgb(p) && !(flags & CELL_MATCH))
			/* Away from the selected one, which has the colour of the text. */
			look.ink = look.fill = blend(look.fill, p->is_light ? WHITE : BLACK, 40);
		if (is_rgb(p) && !has_contrast(look.on_fill, look.fill))
			look.on_fill = luminance(look.fill) > 2000 ? BLACK : WHITE;
		/* The Linux console has no underlined colours: there the label has another colour.
		 */
		if (p->mode == PALETTE_8 && look.fill >= 0)
			look.on_fill = look.on_fill == 0 ? 4 : 3;
		/* Bold blue turns light. */
		look.attrs |= (uint8_t)(look.on_fill == 4 ? PAINT_UNDERLINE
							  : PAINT_UNDERLINE | PAINT_BOLD);
	}
	return look;
}

/* Colours with a number for a terminal, and the swap for those without. */
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
		paint.fg = p->mode == PALETTE_256 ? nearest_256(fg) : fg;
	if (bg >= 0)
		paint.bg = p->mode == PALETTE_256 ? nearest_256(bg) : bg;
	return paint;
}

/* The colour of the fill, somewhat darker (lighter, where it is dark). */
static int32_t texture_of(const struct palette *p, struct look fill)
{
	if (p->mode == PALETTE_16 && fill.fill > 8)
		return fill.fill - 8;
	if (!is_rgb(p) || fill.fill < 0)
		return fill.on_fill;
	return luminance(fill.fill) < 1500 ? blend(fill.fill, WHITE, 30)
					   : blend(fill.fill, BLACK, 35);
}

/* The texture of a cell that has a match among others: in the colour of matches where that can be
 * seen. */
static int32_t hint_of(const struct palette *p, struct look fill)
{
	if (!is_rgb(p) || fill.fill < 0)
		return texture_of(p, fill);
	return luminance(fill.fill) < 5000 ? MATCH_RGB : BLACK;
}

/* Where two frames of one colour meet, the end of the first is drawn in
 * something else, or one could not tell where the second begins. */
static int32_t seam_of(const struct palette *p, struct look fill, int32_t *bg)
{
	if (fill.fill == TEXT)
		*bg = PAGE;
	else if (is_rgb(p))
		return blend(fill.fill, BLACK, 35);
	else if (fill.fill >= 0)
		return 0;
	return fill.fill;
}

static int32_t text_color(const struct palette *p, const struct look *ink, const struct look *fill,
			  unsigned ink_role)
{
	if (fill->fill == PAGE && ink_role != ROLE_LABEL)
		return ink->ink;
	if (ink->ink < 0 || !is_rgb(p) || fill->fill < 0 || !has_contrast(ink->ink, fill->fill))
		return fill->on_fill;
	return ink->ink;
}

struct paint palette_lookup(const struct palette *p, unsigned ink_role, unsigned fill_role,
			    unsigned flags)
{
	struct look ink = look_of(p, ink_role), fill = look_of(p, fill_role);
	unsigned attrs = 0;
	int32_t fg, bg;

	if (is_frame(fill_role))
		fill = marked(p, fill, flags);
	else if (is_frame(ink_role))
		ink = marked(p, ink, flags);
	else if (flags & CELL_SELECTED)
		fill = look_of(p, ROLE_ROW);
	else if (flags & CELL_MATCH) {
		attrs |= PAINT_BOLD | PAINT_UNDERLINE;
		/* The overview has no text that could be bold. */
		if (ink_role == ROLE_BUSY && is_rgb(p))
			ink.ink = p->is_light ? 0xaf8700 : 0xffff5f;
	}
	bg = fill.fill;
	if (is_frame(fill_role))
		attrs |= fill.attrs;
	if (flags & CELL_HINT)
		attrs |= PAINT_UNDERLINE;
	if (flags & CELL_SHARED && is_frame(fill_role)) {
		fg = flags & CELL_HINT ? hint_of(p, fill) : texture_of(p, fill);
	} else if (is_picture(ink_role) || ink_role == ROLE_PAGE) {
		fg = ink.ink;
		attrs &= (unsigned)~PAINT_BOLD;
		if (fg == bg && is_frame(ink_role) && is_frame(fill_role))
			fg = seam_of(p, fill, &bg);
		else if (fg == bg && !is_frame(ink_role) && ink_role != ROLE_PAGE)
			fg = fill.on_fill;
	} else {
		fg = text_color(p, &ink, &fill, ink_role);
		attrs |= ink.attrs;
		if (ink_role == ROLE_TAB_ACTIVE && fill_role == ROLE_PLAIN)
			attrs |= PAINT_REVERSE;
	}
	if (flags & CELL_BOLD)
		attrs |= PAINT_BOLD;
	if (flags & CELL_UNDERLINE)
		attrs |= PAINT_UNDERLINE;
	/* Bold black turns grey, and dim text in reverse dims what is behind it. */
	if (!is_rgb(p) && bg >= 0 && fg == 0)
		attrs &= (unsigned)~PAINT_BOLD;
	if (bg != PAGE)
		attrs &= (unsigned)~PAINT_DIM;
	return finish(p, fg, bg, attrs);
}
