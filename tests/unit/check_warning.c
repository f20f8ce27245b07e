/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of warnings: a kind without a row would have neither a name nor a sentence. */
#include "config.h"

#include "suite.h"

#include "model/warning.h"

START_TEST(every_kind_has_a_row)
{
	enum warning_kind kind = (enum warning_kind)_i;

	ck_assert_msg(warning_name(kind) && warning_text(kind), "kind %d", _i);
	for (int i = 0; i < _i; i++)
		ck_assert_str_ne(warning_name((enum warning_kind)i), warning_name(kind));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "warning", SUITE_SECONDS);

	tcase_add_loop_test(t, every_kind_has_a_row, 0, WARN_COUNT);
}

int main(void)
{
	return suite_run("warning", add_tests);
}
