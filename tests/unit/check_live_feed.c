/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many processes are shown live: none is started, none is recorded. */
#include "config.h"

#include "suite.h"

#include "session/live_feed.c"

static struct run run;

START_TEST(so_many_words_are_taken)
{
	struct live_feed f = { .run = &run, .n_processes = MANY_MAX };

	ck_assert(make_many(&f));
	ck_assert_uint_eq(f.options.most, MANY_MAX);
	free(f.processes);
	f = (struct live_feed){ .run = &run, .n_processes = MANY_MAX + 1 };
	ck_assert(!make_many(&f));
	ck_assert_int_eq(run.status, 2);
}
END_TEST

/* All places are taken: the one that begins now is left out. */
START_TEST(so_many_that_begin_are_shown)
{
	static struct live_process lives[MANY_MAX + 1];
	static struct record_process processes[MANY_MAX + 1];
	struct live_feed f = { .run = &run,
			       .n_processes = MANY_MAX,
			       .lives = lives,
			       .processes = processes };

	for (int i = 0; i < MANY_MAX; i++)
		lives[i].log = (void *)&f;
	add_process(&f, 4711);
	ck_assert_uint_eq(f.n_processes, MANY_MAX);
	ck_assert_ptr_null(lives[MANY_MAX].log);
	ck_assert_int_eq(processes[MANY_MAX].pid, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "limits", SUITE_SECONDS);

	tcase_add_test(tc, so_many_words_are_taken);
	tcase_add_test(tc, so_many_that_begin_are_shown);
}

int main(void)
{
	return suite_run("live_feed", add_tests);
}
