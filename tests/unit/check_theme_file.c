/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Themes that users write: what a line changes, and what is wrong with it. */
#include "config.h"

#include "term/palette.h"
#include "term/theme.h"

#include "suite.h"

#include <string.h>

static bool parse(const char *text, struct theme *theme, struct error *err)
{
	*err = (struct error)ERROR_INIT;
	return theme_file_parse(text, strlen(text), theme, err);
}

static const struct {
	const char *text;
	unsigned role;
	int32_t fill, on_fill; /* of the role */
} colors[] = {
	{ "gc = #ff0000", ROLE_GC, 0xff0000, STYLE_BLACK },
	{ "gc=#f00 #0000ff", ROLE_GC, 0xff0000, 0x0000ff },
	{ "  node\t=  240  255 \r\n", ROLE_NODE, 0x585858, 0xeeeeee },
	{ "# gc = #123456\n\n   # again\n", ROLE_GC, 0xd75f5f, STYLE_BLACK },
	{ "base = light\n", ROLE_PROGRAM, 0xa8a8a8, 0x262626 },
	{ "own = #112233 #445566", ROLE_FRAME, 0x112233, STYLE_WHITE },
	{ "own = #112233 #445566", ROLE_FRAME + 3, 0x445566, STYLE_WHITE },
	{ "own = #112233 #445566", ROLE_DEPENDENCY, 0x87af87, STYLE_BLACK },
	{ "dependency = #aabbcc", ROLE_DEPENDENCY + 7, 0xaabbcc, STYLE_BLACK },
	{ "tab-active = 16", ROLE_TAB_ACTIVE, STYLE_BLACK, STYLE_WHITE },
	{ "good = #00ff00", ROLE_CNAME, 0x00ff00, STYLE_BLACK },
	{ "thread-state-running = 16", ROLE_CNAME + 16, STYLE_BLACK, STYLE_WHITE },
	{ "cname = off\ngc = #ff0000", ROLE_GC, 0xff0000, STYLE_BLACK },
	{ "idle = #333", ROLE_IDLE, 0x333333, STYLE_WHITE },
	{ "base = colour-blind-dark\ngc = 196\ngc = 197", ROLE_GC, 0xff005f, STYLE_BLACK },
};

START_TEST(a_line_changes_a_role)
{
	struct theme theme;
	struct error err;
	struct style style;

	ck_assert_msg(parse(colors[_i].text, &theme, &err), "%s", err.text);
	style = theme_style(&theme, colors[_i].role, false);
	ck_assert_int_eq(style.fill, colors[_i].fill);
	ck_assert_int_eq(style.on_fill, colors[_i].on_fill);
	style = theme_style(&theme, colors[_i].role, true);
	if (strncmp(colors[_i].text, "own", 3) != 0 || colors[_i].role < ROLE_DEPENDENCY)
		ck_assert_int_eq(style.fill, colors[_i].fill);
}
END_TEST

/* Other colours are made to fit the page that the terminal answered. */
START_TEST(colors_of_users_are_kept)
{
	static const unsigned roles[] = { ROLE_NODE, ROLE_FRAME + 3, ROLE_CNAME };
	struct palette p;
	struct theme theme;
	struct error err;

	ck_assert(parse("node = #282828\nown = #282828\ngood = #282828\ndim = #282828", &theme,
			&err));
	palette_init(&p, PALETTE_DIRECT, &theme, 0x202020);
	for (size_t i = 0; i < N(roles); i++)
		ck_assert_int_eq(palette_lookup(&p, ROLE_LABEL, roles[i], 0).bg, 0x282828);
	ck_assert_int_eq(palette_lookup(&p, ROLE_DIM, ROLE_PLAIN, 0).fg, 0x282828);
	ck_assert_int_ne(palette_lookup(&p, ROLE_LABEL, ROLE_PROGRAM, 0).bg, 0x3a3a3a);
	ck_assert_int_ne(palette_lookup(&p, ROLE_RULER, ROLE_PLAIN, 0).fg, -1);
}
END_TEST

START_TEST(ink_of_text_changes)
{
	struct theme theme;
	struct error err;

	ck_assert(parse("key = #abcdef\npage = #010203", &theme, &err));
	ck_assert_int_eq(theme_style(&theme, ROLE_KEY, false).ink, 0xabcdef);
	ck_assert_int_eq(theme_style(&theme, ROLE_KEY, false).fill, STYLE_PAGE);
	ck_assert_int_eq(theme.page, 0x010203);
}
END_TEST

static const struct {
	const char *text, *error;
} faults[] = {
	{ "gc", "1: no = after 'gc'" },
	{ "gc =", "1: no colour ''" },
	{ "gc = red", "1: no colour 'red'" },
	{ "\n\ngc = #12345", "3: no colour '#12345'" },
	{ "gc = 15", "1: no colour '15'" },
	{ "gc = 256", "1: no colour '256'" },
	{ "gc = 0x20", "1: no colour '0x20'" },
	{ "gc = #000 #111 #222", "1: one colour too many, '#222'" },
	{ "page = #000 #111", "1: one colour too many, '#111'" },
	{ "colour = #000", "1: no role 'colour'" },
	{ "label = #000", "1: no role 'label'" },
	{ "gcx = #000", "1: no role 'gcx'" },
	{ "g = #000", "1: no role 'g'" },
	{ "= #000", "1: no role at the start of the line ''" },
	{ "base = pink", "1: no theme 'pink'" },
	{ "base =", "1: no theme ''" },
	{ "base = dark light", "1: not expected: 'text after the value'" },
	{ "gc = #000\nbase = dark", "2: this must come before all colours: 'base'" },
	{ "gc = #000=", "1: no colour '='" },
	{ "own = 1 2", "1: no colour '1'" },
	{ "cname = maybe", "1: on or off, not 'maybe'" },
	{ "good = green", "1: no colour 'green'" },
};

START_TEST(faults_have_their_line)
{
	struct theme theme;
	struct error err;

	ck_assert(!parse(faults[_i].text, &theme, &err));
	ck_assert_str_eq(err.text, faults[_i].error);
}
END_TEST

/* Every beginning of a theme is read within its bounds. */
START_TEST(any_length)
{
	static const char text[] = "base = light\nown = #112233 17 #456\n\n# x\ntab-active = #1 \n";
	struct theme theme;

	for (size_t n = 0; n < sizeof text; n++) {
		struct error err = ERROR_INIT;
		char *copy = xmalloc(n ? n : 1);

		memcpy(copy, text, n);
		ck_assert(theme_file_parse(copy, n, &theme, &err) == (err.kind == ERR_NONE));
		free(copy);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "lines", SUITE_SECONDS);

	tcase_add_loop_test(t, a_line_changes_a_role, 0, N(colors));
	tcase_add_test(t, ink_of_text_changes);
	tcase_add_test(t, colors_of_users_are_kept);
	tcase_add_loop_test(t, faults_have_their_line, 0, N(faults));
	tcase_add_test(t, any_length);
}

int main(void)
{
	return suite_run("theme_file", add_tests);
}
