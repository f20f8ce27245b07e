/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose files the script may be below. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "record/run_place.c"

#include <stdio.h>

#define ANN "ann:x:1001:1001::/home/ann:/bin/sh\n"
#define BEN "ben:x:1002:1002::/home/ben:/bin/sh\n"

static const struct private_case {
	const char *users, *groups;
	bool is_private;
} private_cases[] = {
	{ ANN BEN, "ann:x:1001:\nben:x:1002:\n", true },
	{ ANN BEN, "ann:x:1001:ann\n", true },
	/* no such group, or another user's */
	{ ANN BEN, "ben:x:1002:\n", false },
	{ BEN, "ann:x:1001:\n", false },
	{ ANN BEN, "users:x:1001:\n", false },
	{ ANN BEN, "", false },
	{ "", "ann:x:1001:\n", false },
	/* others are in it */
	{ ANN BEN, "ann:x:1001:ben\n", false },
	{ ANN BEN, "ann:x:1001:ann,ben\n", false },
	{ ANN BEN, "ann:x:1001:\ntwo:x:1001:ben\n", false },
	{ ANN "cat:x:1003:1001::/:/bin/sh\n", "ann:x:1001:\n", false },
	{ "ann:x:1001:100::/home/ann:/bin/sh\n", "ann:x:1001:\n", false },
};

START_TEST(a_group_of_one_user_is_private)
{
	const struct private_case *c = &private_cases[_i];
	char paths[2][300];

	for (int i = 0; i < 2; i++) {
		FILE *file;

		temp_folder_path(paths[i], sizeof paths[i], i ? "group" : "passwd");
		file = fopen(paths[i], "w");
		ck_assert_ptr_nonnull(file);
		fputs(i ? c->groups : c->users, file);
		fclose(file);
	}
	ck_assert_int_eq(run_place_is_private(paths[0], paths[1], 1001, 1001), c->is_private);
	ck_assert(!run_place_is_private("/no/such", paths[1], 1001, 1001));
	ck_assert(!run_place_is_private(paths[0], "/no/such", 1001, 1001));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, temp_folder_make, temp_folder_remove);
	tcase_add_loop_test(tc, a_group_of_one_user_is_private, 0, N(private_cases));
}

int main(void)
{
	return suite_run("run_place", add_tests);
}
