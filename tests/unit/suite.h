/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a check program: main() calls suite_run() with a function that adds the test cases.
 *
 *	static void add_tests(Suite *suite)
 *	{
 *		TCase *t = suite_case(suite, "rules", SUITE_SECONDS);
 *
 *		tcase_add_test(t, first_rule);
 *		tcase_add_loop_test(t, second_rule, 0, N(second_cases));
 *	}
 *
 *	int main(void)
 *	{
 *		return suite_run("file", add_tests);
 *	}
 *
 * Each test has a process of its own. With a sanitizer a process takes about 20 ms to start and to
 * end, so a program with hundreds of short tests that leave nothing behind defines SUITE_OF_MANY
 * before it includes this file: then all its tests are run in one process, where a sanitizer
 * watches. */
#ifndef FLAMETTY_TESTS_SUITE_H
#define FLAMETTY_TESTS_SUITE_H

#include "base/alloc.h"
#include "base/budget.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* Check writes down the place of each assertion that holds, to say where a test crashed: a write to
 * a file, which is most of the time of a loop over cells. These only tell what fails; a debugger
 * finds a crash. All other ck_assert_... are made of ck_assert_msg(). */
#undef ck_assert_msg
#define ck_assert_msg(claim, ...) ((claim) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#undef ck_assert
#define ck_assert(claim) ck_assert_msg(claim, "Assertion '%s' failed", #claim)

/* The number of elements of a table of cases, as tcase_add_loop_test() takes it. */
#define N(cases) ((int)ARRAY_LEN(cases))

/* How many of `n` random cases are tried: the first quarter, or all with ALL_CASES in the
 * environment, as .ci/run --all has it. Where a sanitizer makes each case several times slower it
 * is always a quarter. */
#define SUITE_CASES(n) (suite_tries_all() ? (n) : ((n) + 3) / 4)

static inline bool suite_tries_all(void)
{
#ifdef ALLOC_SANITIZED
	return false;
#else
	return getenv("ALL_CASES") != NULL;
#endif
}

/* Time limit of a test that takes no long time: generous, for slow or busy computers. */
#define SUITE_SECONDS 60

/* A new test case in the suite, which owns it. Each of its tests may take `seconds`. */
static inline TCase *suite_case(Suite *suite, const char *name, double seconds)
{
	TCase *t = tcase_create(name);

	tcase_set_timeout(t, seconds);
	suite_add_tcase(suite, t);
	return t;
}

/* A budget of one step, for a loop that calls until all is done. It stays until the next call. */
static inline struct budget *a_step(void)
{
	static struct budget budget;

	budget = budget_steps(1, 64);
	return &budget;
}

/* Runs all that `add` puts into a suite called `name`; returns the exit status of the program.
 * CK_RUN_CASE, CK_VERBOSITY and CK_FORK from the environment are obeyed. */
static inline int suite_run(const char *name, void (*add)(Suite *suite))
{
	Suite *suite = suite_create(name);
	SRunner *runner = srunner_create(suite);
	int n_failed;

	add(suite);
#if defined ALLOC_SANITIZED && defined SUITE_OF_MANY
	if (!getenv("CK_FORK")) {
		srunner_set_fork_status(runner, CK_NOFORK);
		alarm(10 * SUITE_SECONDS);
	}
#endif
	srunner_run_all(runner, CK_ENV);
	n_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return n_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
