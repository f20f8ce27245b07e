/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cell's paint is made from the styles of its two roles (style.h) in three steps: flags change
 * the style of a frame, then ink and fill become two colours, then finish() makes them colours that
 * a terminal can show.
 *
 * STYLE_TEXT and STYLE_PAGE, the terminal's own colours, have no number. A terminal can put the
 * text colour on anything and anything on the page colour, but the page colour on another one, or a
 * colour on the text colour, only by the reverse attribute. finish() does that in one place, so
 * that the mode without colours, where a frame is simply the page colour on the text colour, needs
 * no code of its own. */
#include "config.h"

#include "term/palette.h"

#include "base/alloc.h"
#include "term/color.h"
#include "term/style.h"

#include <stdlib.h>
#include <string.h>

#define TEXT STYLE_TEXT
#define PAGE STYLE_PAGE
#define BLACK STYLE_BLACK
#define WHITE STYLE_WHITE
#define MATCH_RGB 0xffff5f
#define MATCH_RGB_LIGHT 0xaf8700 /* as ink on a light page */

const char *palette_color_word(unsigned i)
{
	static const char *const words[] = { [PALETTE_COLOR_AUTO] = "auto",
					     [PALETTE_COLOR_ALWAYS] = "always",
					     [PALETTE_COLOR_NEVER] = "never" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

const char *palette_theme_word(unsigned i)
{
	static const char *const words[] = { [PALETTE_THEME_AUTO] = "auto",
					     [PALETTE_THEME_DARK] = "dark",
					     [PALETTE_THEME_LIGHT] = "light" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

enum palette_mode palette_mode_find(int n_colors, enum palette_color option, const char *no_color)
{
	if (option == PALETTE_COLOR_NEVER ||
	    (option == PALETTE_COLOR_AUTO && no_color && *no_color))
		return PALETTE_MONO;
	if (n_colors >= 1 << 24)
		return PALETTE_DIRECT;
	if (n_colors >= 256)
		return PALETTE_256;
	if (n_colors >= 16)
		return PALETTE_16;
	return n_colors >= 8 ? PALETTE_8 : PALETTE_MONO;
}

bool palette_is_known(enum palette_theme option, const char *colorfgbg)
{
	const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;

	return option != PALETTE_THEME_AUTO || (last && last[1] >= '0' && last[1] <= '9');
}

bool palette_is_light(enum palette_theme option, const char *colorfgbg)
{
	const char *last;
	char *end;
	long bg;

	if (option != PALETTE_THEME_AUTO)
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

static struct style matching(const struct palette *p, struct style style)
{
	switch (p->mode) {
	case PALETTE_MONO:
		style.attrs |= PAINT_UNDERLINE | PAINT_BOLD;
		return style;
	case PALETTE_8:
		return (struct style){ 3, 3, 0, PAINT_UNDERLINE };
	case PALETTE_16:
		return (struct style){ 11, 11, 0, PAINT_UNDERLINE };
	case PALETTE_256:
	case PALETTE_DIRECT:
		break;
	}
	return (struct style){ MATCH_RGB, MATCH_RGB, BLACK, PAINT_BOLD | PAINT_UNDERLINE };
}

/* Another span of the selected function; `is_match`: it has the colour of matches. */
static struct style same(const struct palette *p, struct style style, bool is_match)
{
	/* Blend away from the selected frame, which has the text colour. */
	if (is_rgb(p) && !is_match)
		style.ink = style.fill = color_blend(style.fill, p->is_light ? WHITE : BLACK, 40);
	if (is_rgb(p) && !color_has_contrast(style.on_fill, style.fill))
		style.on_fill = color_luminance(style.fill) > 2000 ? BLACK : WHITE;
	/* The Linux console cannot underline in colour: there the label changes its colour. */
	if (p->mode == PALETTE_8 && style.fill >= 0)
		style.on_fill = style.on_fill == 0 ? 4 : 3;
	/* Bold makes blue light on such terminals. */
	style.attrs |= (uint8_t)(style.on_fill == 4 ? PAINT_UNDERLINE
						    : PAINT_UNDERLINE | PAINT_BOLD);
	return style;
}

/* The style of a frame with these flags. */
static struct style flagged(const struct palette *p, struct style style, unsigned flags)
{
	if (flags & CELL_SELECTED)
		return selected(p, style);
	if (flags & CELL_MATCH)
		style = matching(p, style);
	if (flags & CELL_SAME)
		style = same(p, style, flags & CELL_MATCH);
	return style;
}

/* ---- ink and fill ---- */

/* Ink of the pattern in a shared cell: the fill, somewhat darker, or lighter if it is dark. */
static int32_t texture_of(const struct palette *p, struct style fill)
{
	if (p->mode == PALETTE_16 && fill.fill > 8)
		return fill.fill - 8;
	if (!is_rgb(p) || fill.fill < 0)
		return fill.on_fill;
	return color_luminance(fill.fill) < 1500 ? color_blend(fill.fill, WHITE, 30)
						 : color_blend(fill.fill, BLACK, 35);
}

/* Ink of the pattern in a shared cell with a match: the colour of matches, where it can be seen. */
static int32_t hint_of(const struct palette *p, struct style fill)
{
	if (!is_rgb(p) || fill.fill < 0)
		return texture_of(p, fill);
	return color_luminance(fill.fill) < 5000 ? MATCH_RGB : BLACK;
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

struct paint palette_lookup(const struct palette *p, unsigned ink_role, unsigned fill_role,
			    unsigned flags)
{
	struct style ink = style_of(p, ink_role), fill = style_of(p, fill_role);
	unsigned attrs = 0;
	int32_t fg, bg;

	if (is_frame(fill_role))
		fill = flagged(p, fill, flags);
	else if (is_frame(ink_role))
		ink = flagged(p, ink, flags);
	else if (flags & CELL_SELECTED)
		fill = style_of(p, ROLE_ROW);
	else if (flags & CELL_MATCH) {
		attrs |= PAINT_BOLD | PAINT_UNDERLINE;
		/* The overview has no text that bold could mark. */
		if (ink_role == ROLE_BUSY && is_rgb(p))
			ink.ink = p->is_light ? MATCH_RGB_LIGHT : MATCH_RGB;
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
	/* Bold black becomes grey; dim text in reverse dims the fill. */
	if (!is_rgb(p) && bg >= 0 && fg == 0)
		attrs &= (unsigned)~PAINT_BOLD;
	if (bg != PAGE)
		attrs &= (unsigned)~PAINT_DIM;
	return finish(p, fg, bg, attrs);
}
