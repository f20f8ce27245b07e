/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The type of the terminal, which the environment gives. */
#include "config.h"

#include "term/description.h"

#include "suite.h"

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
	ck_assert(!description_find(name, STDOUT_FILENO, &d, &err));
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

	ck_assert(!description_find(NULL, STDOUT_FILENO, &d, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "TERM is not set"));
	ck_assert(!description_find("", STDOUT_FILENO, &d, &empty));
	ck_assert_str_eq(empty.text, err.text);
}
END_TEST

START_TEST(terminal_without_cursor_movement_is_an_error)
{
	struct error err = ERROR_INIT;
	struct description d;

	ck_assert(!description_find("dumb", STDOUT_FILENO, &d, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "\"dumb\" (TERM)"));
}
END_TEST

START_TEST(family_tells_which_modes_are_known)
{
	struct error err = ERROR_INIT;
	struct description d;

	if (!description_find("xterm", STDOUT_FILENO, &d, &err))
		return; /* there is no such description here */
	ck_assert(d.knows_modes && d.can_ask);
	if (!description_find("vt100", STDOUT_FILENO, &d, &err))
		return;
	ck_assert(!d.knows_modes && d.can_ask);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "description", SUITE_SECONDS);

	tcase_add_test(t, type_is_visible_and_short_in_messages);
	tcase_add_test(t, type_that_is_missing_is_an_error);
	tcase_add_test(t, terminal_without_cursor_movement_is_an_error);
	tcase_add_test(t, family_tells_which_modes_are_known);
}

int main(void)
{
	return suite_run("description", add_tests);
}
