/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal is asked for the colour of the page ("background" below), and, if the answer shows
 * that it may be asked more, for two capabilities (XTGETTCAP): RGB, direct colours, and Ms, the
 * control sequence that sets the clipboard, which has nothing to do with colours, but needs the
 * same care.
 *
 * These requests are device control strings. Terminals that do not know them print them, so they
 * are sent only when the terminal has said in its device attributes that it is a VT220 or later,
 * which must know them. GNU screen would pass them to the terminal behind it. Each capability has
 * a request of its own: after an unknown name xterm does not look at the names that follow. */
#include "config.h"

#include "term/colors.h"

#include "term/input.h"
#include "term/theme.h"
#include "term/tty.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== background ====
 *
 * The answer has the form of xterm: three or four channels of one to four hexadecimal digits each,
 * where all digits f is full intensity. */

/* The request. Terminals that do not know its first half still answer the second. */
#define BACKGROUND_REQUEST "\033]11;?\033\\\033[c"

/* Parse an answer like `11;rgb:ffff/ffff/dddd`. False: it is none, and *page is unchanged. */
static bool parse(const char *answer, int32_t *page)
{
	const char *p = answer;
	int32_t rgb = 0;

	if (strncmp(p, "11;rgb", 6) != 0)
		return false;
	p += 6;
	p += *p == 'a'; /* rgba: the fourth channel does not matter */
	if (*p != ':')
		return false;
	for (int i = 0; i < 3; i++) {
		size_t digits = strspn(++p, "0123456789abcdefABCDEF");

		if (digits < 1 || digits > 4)
			return false;
		rgb = rgb << 8 |
			(int32_t)(strtoul(p, NULL, 16) * 255 / ((1ul << (4 * digits)) - 1));
		p += digits;
		if (i < 2 && *p != '/')
			return false;
	}
	*page = rgb;
	return true;
}

/* Whether black text is more readable on a page of this colour than white text. */
static bool background_is_light(int32_t page)
{
	return color_contrast(0x000000, page) > color_contrast(0xffffff, page);
}

/* Take the answer: the colour of the page, 0xRRGGBB. True: it differs from *page, which is changed.
 */
static bool background_take(int32_t *page)
{
	char *text = input_answers()->text;
	int32_t before = *page;

	parse(text, page);
	*text = '\0';
	return *page != before;
}

/* ==== colors ==== */

#define DIRECT_REQUEST "\033P+q524742\033\\"
#define CLIPBOARD_REQUEST "\033P+q4d73\033\\"
#define ATTRIBUTES_REQUEST "\033[c" /* it comes last, and every terminal answers it */
#define VT220_LEVEL 62              /* and, as some have it, 61 for any such terminal */

static struct {
	struct term_options options;
	const struct description *type;
	struct palette_terminal described;
	struct palette palette;
	int32_t page;   /* its colour, as the terminal told it; -1: it did not */
	bool has_asked; /* for capabilities */
} colors;

/* The page as the terminal told it decides the theme where nothing else does. The tones of a theme
 * need a page that it is made for. */
static void choose(void)
{
	const struct term_options *o = &colors.options;
	const char *colorfgbg = getenv("COLORFGBG");
	bool is_told = colors.page >= 0;
	bool is_light = is_told && !palette_is_known(o->theme, colorfgbg)
		? background_is_light(colors.page)
		: palette_is_light(o->theme, colorfgbg);
	const struct theme *theme = o->user_theme
		? o->user_theme
		: theme_for(o->theme == PALETTE_THEME_COLOUR_BLIND, is_light);
	enum palette_mode mode = o->theme == PALETTE_THEME_MONO
		? PALETTE_MONO
		: palette_mode_find(&colors.described, o->color);

	palette_init(&colors.palette, mode, theme,
		     is_told && background_is_light(colors.page) == theme->is_light ? colors.page
										    : -1);
}

/* Only terminals that know the request or ignore it, and only where the answer changes colours: few
 * colours depend on it only if options and environment do not tell the background. */
static void ask_background(void)
{
	enum palette_mode mode = colors.palette.mode;

	if (!colors.type->knows_modes || mode == PALETTE_MONO ||
	    (mode < PALETTE_256 && palette_is_known(colors.options.theme, getenv("COLORFGBG"))))
		return;
	tty_write(BACKGROUND_REQUEST, strlen(BACKGROUND_REQUEST));
	input_asked(INPUT_ATTRIBUTES);
}

struct palette *colors_open(const struct term_options *options, const struct description *type)
{
	const char *name = getenv("TERM");

	memset(&colors, 0, sizeof colors);
	colors.options = *options;
	colors.type = type;
	colors.page = -1;
	colors.described = (struct palette_terminal){
		.n_colors = type->n_colors,
		/* Whatever its description tells. */
		.has_direct = type->is_usual,
		.colorterm = getenv("COLORTERM"),
		.no_color = getenv("NO_COLOR"),
		.is_remote = getenv("SSH_CONNECTION") || getenv("SSH_TTY"),
		.is_screen = name && !strncmp(name, "screen", 6) && !getenv("TMUX"),
	};
	choose();
	ask_background();
	return &colors.palette;
}

void colors_set_theme(enum palette_theme theme, const struct theme *user_theme)
{
	colors.options.theme = theme;
	colors.options.user_theme = user_theme;
	choose();
}

static void ask_capabilities(void)
{
	const struct palette_terminal *t = &colors.described;
	struct input_answers *answers = input_answers();
	bool is_direct = colors.palette.mode == PALETTE_256 && t->has_direct && !t->is_remote &&
		colors.options.color != PALETTE_COLOR_256;
	bool is_clipboard = !answers->has_clipboard;

	if (colors.has_asked || colors.described.is_screen || answers->level < VT220_LEVEL - 1)
		return;
	colors.has_asked = true;
	if (is_direct)
		tty_write(DIRECT_REQUEST, strlen(DIRECT_REQUEST));
	if (is_clipboard)
		tty_write(CLIPBOARD_REQUEST, strlen(CLIPBOARD_REQUEST));
	if (!is_direct && !is_clipboard)
		return;
	tty_write(ATTRIBUTES_REQUEST, strlen(ATTRIBUTES_REQUEST));
	input_asked(INPUT_ATTRIBUTES);
}

bool colors_take(void)
{
	bool has_changed = background_take(&colors.page);

	ask_capabilities();
	if (input_answers()->has_direct) {
		input_answers()->has_direct = false;
		colors.described.colorterm = "truecolor";
		has_changed = true;
	}
	if (has_changed)
		choose();
	return has_changed;
}
