/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The type of the terminal, which the environment gives. */
#include "config.h"

#include "term/description.h"

#include "suite.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(type_is_visible_and_short_in_messages)
{
	char name[5000];
	struct error err = ERROR_INIT;
	struct description d;

	memset(name, 'n', sizeof name - 1);
	memcpy(name, "\033]0;x\007\n", 7);
	name[sizeof name - 1] = '\0';
	ck_assert(!description_find(name, STDOUT_FILENO, true, &d, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
	for (const char *p = err.text; *p; p++)
		ck_assert_msg((unsigned char)*p >= ' ', "%s", err.text);
	ck_assert_ptr_nonnull(strstr(err.text, "\"^[]0;x^G^J"));
	ck_assert_ptr_nonnull(strstr(err.text, "\" (TERM)"));
	ck_assert_uint_lt(strlen(err.text), 150);
}
END_TEST

START_TEST(type_that_is_missing_is_an_error)
{
	struct error err = ERROR_INIT, empty = ERROR_INIT;
	struct description d;

	ck_assert(!description_find(NULL, STDOUT_FILENO, true, &d, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "TERM is not set"));
	ck_assert(!description_find("", STDOUT_FILENO, true, &d, &empty));
	ck_assert_str_eq(empty.text, err.text);
}
END_TEST

START_TEST(terminal_without_cursor_movement_is_an_error)
{
	struct error err = ERROR_INIT;
	struct description d;

	ck_assert(!description_find("dumb", STDOUT_FILENO, true, &d, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "\"dumb\" (TERM)"));
}
END_TEST

START_TEST(family_tells_which_modes_are_known)
{
	struct error err = ERROR_INIT;
	struct description d;

	if (!description_find("xterm", STDOUT_FILENO, true, &d, &err))
		return; /* there is no such description here */
	ck_assert(d.knows_modes && d.can_ask);
	if (!description_find("vt100", STDOUT_FILENO, true, &d, &err))
		return;
	ck_assert(!d.knows_modes && d.can_ask);
}
END_TEST

/* The description of an installed type; false: there is none here. */
static bool find(const char *name, struct description *d)
{
	struct error err = ERROR_INIT;

	return description_find(name, STDOUT_FILENO, !strcmp(nl_langinfo(CODESET), "UTF-8"), d,
				&err);
}

START_TEST(terminal_of_a_known_family_is_usual)
{
	struct description d;

	if (!setlocale(LC_ALL, "C.UTF-8"))
		return;
	if (find("xterm-256color", &d)) {
		ck_assert(d.is_usual);
		ck_assert(d.caps.bce && d.caps.ech && d.caps.el && d.caps.cuf && d.caps.cub &&
			  d.caps.hpa && d.caps.vpa && d.caps.cuu && d.caps.cud && d.caps.ri &&
			  d.caps.ich && d.caps.dch && d.caps.il && d.caps.dl);
		ck_assert_int_eq(d.caps.attrs,
				 PAINT_BOLD | PAINT_DIM | PAINT_UNDERLINE | PAINT_REVERSE);
		/* Not all terminals of this name have it. */
		ck_assert(!d.caps.rep);
	}
	if (find("screen", &d)) {
		ck_assert(d.is_usual);
		ck_assert(!d.caps.bce && !d.caps.rep && !d.caps.ech && d.caps.el);
	}
	if (find("rxvt", &d))
		ck_assert(d.is_usual && !(d.caps.attrs & PAINT_DIM));
}
END_TEST

START_TEST(terminal_that_is_not_known_is_not_usual)
{
	static const char *const names[] = { "vt100", "vt220", "linux", "ansi", "cygwin", "sun" };
	struct description d;

	if (!setlocale(LC_ALL, "C.UTF-8"))
		return;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (find(names[i], &d))
			ck_assert_msg(!d.is_usual, "%s", names[i]);
}
END_TEST

START_TEST(terminal_that_is_not_usual_has_oddities)
{
	struct description d;

	/* Its padding does not count: it stops output by XOFF. */
	if (find("vt100", &d))
		ck_assert(!d.caps.text && d.caps.no_off && !d.caps.no_steps && !d.caps.wraps &&
			  d.caps.el && d.caps.cuf && !d.caps.ech && d.n_colors == 0);
	if (find("linux", &d)) {
		ck_assert(!d.caps.text && !d.caps.no_off && d.caps.bce && d.n_colors == 8);
		ck_assert_int_eq(d.caps.uncolored, PAINT_UNDERLINE | PAINT_DIM);
	}
	if (find("ansi", &d))
		ck_assert(!d.caps.text && d.caps.no_off && d.caps.no_steps && d.caps.wraps);
	if (find("vt52", &d))
		ck_assert(d.caps.text && d.caps.attrs == 0 && !d.caps.el);
}
END_TEST

START_TEST(text_that_is_not_utf_8_is_not_usual)
{
	struct description d;

	if (setlocale(LC_ALL, "C") && find("xterm-256color", &d))
		ck_assert(!d.is_usual && d.caps.by_locale && !d.caps.text);
}
END_TEST

START_TEST(terminal_that_terminfo_lacks_has_a_built_in_description)
{
	struct description d;
	struct error err = ERROR_INIT;

	setenv("TERMINFO", "/nowhere", 1);
	ck_assert(description_find("foot-of-tomorrow", STDOUT_FILENO, true, &d, &err));
	ck_assert_str_eq(d.builtin, "xterm-256color");
	ck_assert(d.is_usual && d.knows_modes && d.can_ask);
	ck_assert(d.caps.bce && d.caps.ech && d.caps.hpa && d.caps.ich && !d.caps.rep);
	/* The user's variable is as before, and curses finds the description while it is lent. */
	ck_assert_str_eq(getenv("TERMINFO"), "/nowhere");
	description_lend(&d, "foot-of-tomorrow");
	ck_assert_int_eq(strncmp(getenv("TERMINFO"), "hex:1A01", 8), 0);
	description_take_back(&d);
	ck_assert_str_eq(getenv("TERMINFO"), "/nowhere");
	unsetenv("TERMINFO");
	description_lend(&d, "foot-of-tomorrow");
	description_take_back(&d);
	ck_assert_ptr_null(getenv("TERMINFO"));
	ck_assert(description_find("screen.of-tomorrow", STDOUT_FILENO, true, &d, &err));
	ck_assert(d.is_usual && !d.caps.bce);
	ck_assert(description_find("vt100-of-tomorrow", STDOUT_FILENO, true, &d, &err));
	ck_assert(!d.is_usual);
}
END_TEST

/* Only where there is none of the terminal itself. */
START_TEST(built_in_description_is_noted)
{
	struct description d = { .builtin = NULL };
	struct buf note = { 0 };

	buf_adds(&note, "before");
	description_note(&d, "xterm", &note);
	ck_assert_str_eq(buf_text(&note), "");
	description_note(&d, NULL, &note);
	ck_assert_str_eq(buf_text(&note), "");
	d.builtin = "xterm-256color";
	description_note(&d, NULL, &note);
	ck_assert_str_eq(buf_text(&note), "");
	description_note(&d, "foot-of-tomorrow", &note);
	ck_assert_str_eq(buf_text(&note),
			 "terminfo has no \"foot-of-tomorrow\" (TERM) here; "
			 "the built-in xterm-256color is used");
	buf_done(&note);
}
END_TEST

/* A description of a known family, with one change. */
static const struct odd_case {
	const char *change;
	bool is_usual;
	bool is_by_text; /* what is sent comes from terminfo */
} odd_cases[] = {
	{ "kich1=\\E[9~,", true, false },
	{ "rep@, ech@, el@, bce@, dim@,", true, false },
	{ "cup=\\E[%i%p1%d;%p2%dH$<5>,", false, true },
	{ "xon, cup=\\E[%i%p1%d;%p2%dH$<5>,", true, false },
	{ "msgr@,", false, true },
	{ "xenl@,", false, false },
	{ "ncv#3,", false, false },
	{ "xmc#1,", false, false },
	{ "op=\\E[m,", false, true },
	{ "setaf=\\E[1;3%p1%dm,", false, true },
	{ "setab=\\E[1;4%p1%dm,", false, true },
	{ "cud1=\\E[B,", false, false },
	{ "sgr0=\\E(B,", false, true },
	{ "bold=\\E[1;1m,", false, true },
	{ "bold@,", false, false },
};

START_TEST(odd_description_is_not_usual)
{
	const struct odd_case *c = &odd_cases[_i];
	char folder[] = "/tmp/flametty-terminfo.XXXXXX", command[400];
	struct description d;

	if (!setlocale(LC_ALL, "C.UTF-8") || !mkdtemp(folder))
		return;
	snprintf(command, sizeof command,
		 "printf 'xterm-odd,\\n\\t%%s\\n\\tuse=xterm,\\n' '%s' | tic -o %s - 2>/dev/null",
		 c->change, folder);
	if (system(command) == 0) {
		setenv("TERMINFO", folder, 1);
		ck_assert(find("xterm-odd", &d));
		ck_assert_msg(d.is_usual == c->is_usual, "%s", c->change);
		ck_assert_msg(!d.caps.text == !c->is_by_text, "%s", c->change);
	}
	snprintf(command, sizeof command, "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "description", SUITE_SECONDS);

	tcase_add_test(t, type_is_visible_and_short_in_messages);
	tcase_add_test(t, type_that_is_missing_is_an_error);
	tcase_add_test(t, terminal_without_cursor_movement_is_an_error);
	tcase_add_test(t, family_tells_which_modes_are_known);
	tcase_add_test(t, terminal_of_a_known_family_is_usual);
	tcase_add_test(t, terminal_that_is_not_known_is_not_usual);
	tcase_add_test(t, terminal_that_is_not_usual_has_oddities);
	tcase_add_test(t, text_that_is_not_utf_8_is_not_usual);
	tcase_add_test(t, terminal_that_terminfo_lacks_has_a_built_in_description);
	tcase_add_test(t, built_in_description_is_noted);
	tcase_add_loop_test(t, odd_description_is_not_usual, 0, N(odd_cases));
}

int main(void)
{
	return suite_run("description", add_tests);
}
