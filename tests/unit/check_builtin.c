/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal descriptions inside the program, read by curses and compared with terminfo's. */
#include "config.h"

#include "term/description.c"

#include "suite.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

static const char *const kinds[] = { "xterm-256color", "screen-256color", "linux", "vt100" };

/* Have curses read a built-in description. */
static void read_builtin(const char *kind)
{
	struct buf value = { 0 };
	int found = 0;

	builtin_terminfo(kind, "unheard-of", &value);
	setenv("TERMINFO", value.data, 1);
	ck_assert_int_eq(setupterm("unheard-of", STDOUT_FILENO, &found), OK);
	unsetenv("TERMINFO");
	buf_done(&value);
}

/* Without padding. */
static char *plain(const char *text)
{
	char *out = strdup(text), *to = out;

	for (const char *p = text; *p; p++)
		if (p[0] == '$' && p[1] == '<')
			p = strchr(p, '>');
		else
			*to++ = *p;
	*to = '\0';
	return out;
}

static const char *capability(const char *name)
{
	const char *text = tigetstr((char *)name);

	return text == (char *)-1 ? NULL : text;
}

/* Sequences that mean the same to the terminals in question, or that not all of them have. */
static bool may_differ(const char *name)
{
	static const char *const names[] = { "clear", "ed",   "sgr0", "cnorm", "civis", "smcup",
					     "rmcup", "rmso", "smso", "kbs",   "setaf", "setab",
					     "cuu1",  "cud1", "kf1",  "kf2",   "kf3",   "kf4",
					     "smkx",  "rmkx", "kcbt", "kich1", "dim",   "kdch1" };

	for (size_t i = 0; i < N(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

#define TEXTS_MAX 500

/* What each capability of the terminal that curses has read makes of two parameters; NULL: it has
 * none. */
static int read_texts(char *texts[TEXTS_MAX])
{
	int n = 0;

	for (; strnames[n]; n++) {
		const char *text = capability(strnames[n]);
		char *bare = text && *text ? plain(text) : NULL;

		ck_assert_int_lt(n, TEXTS_MAX);
		texts[n] = bare ? strdup(tparm(bare, 3L, 7L, 0L, 0L, 0L, 0L, 0L, 0L, 0L)) : NULL;
		free(bare);
	}
	return n;
}

START_TEST(descriptions_agree_with_those_of_terminfo)
{
	char *own[TEXTS_MAX], *theirs[TEXTS_MAX];
	int found = 0, n = 0;

	read_builtin(kinds[_i]);
	n = read_texts(own);
	ck_assert_ptr_nonnull(capability("cup"));
	del_curterm(cur_term);
	/* terminfo need not have such a terminal here. */
	if (setupterm(kinds[_i], STDOUT_FILENO, &found) == OK) {
		read_texts(theirs);
		del_curterm(cur_term);
	} else {
		memcpy(theirs, own, sizeof own);
		memset(own, 0, sizeof own);
	}
	for (int i = 0; i < n; i++) {
		if (own[i] && !may_differ(strnames[i]))
			ck_assert_msg(theirs[i] && !strcmp(own[i], theirs[i]), "%s", strnames[i]);
		free(own[i]);
		free(theirs[i]);
	}
}
END_TEST

START_TEST(descriptions_hold_numbers_and_flags)
{
	read_builtin("xterm-256color");
	ck_assert_int_eq(tigetnum("colors"), 256);
	ck_assert_int_eq(tigetnum("cols"), 80);
	ck_assert_int_eq(tigetnum("ncv"), -1);
	ck_assert_int_eq(tigetflag("bce"), 1);
	ck_assert_int_eq(tigetflag("am"), 1);
	del_curterm(cur_term);
	read_builtin("screen-256color");
	ck_assert_int_eq(tigetflag("bce"), 0);
	del_curterm(cur_term);
	read_builtin("linux");
	ck_assert_int_eq(tigetnum("colors"), 8);
	ck_assert_int_eq(tigetnum("ncv"), 18);
	del_curterm(cur_term);
	read_builtin("vt100");
	ck_assert_int_eq(tigetnum("colors"), -1);
	del_curterm(cur_term);
}
END_TEST

START_TEST(names_of_terminals_lead_to_descriptions)
{
	static const struct {
		const char *name, *kind;
	} cases[] = { { "foot", "xterm-256color" },
		      { "foot-extra", "xterm-256color" },
		      { "xterm-kitty", "xterm-256color" },
		      { "xterm-ghostty", "xterm-256color" },
		      { "alacritty-direct", "xterm-256color" },
		      { "wezterm", "xterm-256color" },
		      { "rxvt-unicode-256color", "xterm-256color" },
		      { "st-256color", "xterm-256color" },
		      { "screen.xterm-256color", "screen-256color" },
		      { "tmux-direct", "screen-256color" },
		      { "linux-16color", "linux" },
		      { "vt100+", "vt100" },
		      { "footloose", NULL },
		      { "stupid", NULL },
		      { "dumb", NULL },
		      { "", NULL } };

	for (size_t i = 0; i < N(cases); i++) {
		const char *kind = builtin_kind(cases[i].name);

		ck_assert_msg(cases[i].kind ? kind && !strcmp(kind, cases[i].kind) : !kind, "%s",
			      cases[i].name);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "builtin", SUITE_SECONDS);

	tcase_add_loop_test(t, descriptions_agree_with_those_of_terminfo, 0, N(kinds));
	tcase_add_test(t, descriptions_hold_numbers_and_flags);
	tcase_add_test(t, names_of_terminals_lead_to_descriptions);
}

int main(void)
{
	return suite_run("builtin", add_tests);
}
