/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recording misses: named a few times, then counted. */
#include "config.h"

#include "suite.h"

#include "record/remote/recorder.c"

START_TEST(a_worker_that_ended_is_named_with_its_time)
{
	struct losses l = { 0 };
	struct buf line = { 0 };

	losses_add_worker(&l, 2, "[worker 2] pool-1", 3240000000, &line);
	ck_assert_str_eq(buf_text(&line),
			 "worker 2 (pool-1) ended 3.2 s after the recording began: its last slice "
			 "is missing");
	buf_clear(&line);
	losses_add_worker(&l, 3, "[worker 3]", 0, &line);
	ck_assert_str_eq(buf_text(&line),
			 "worker 3 ended 0.0 s after the recording began: its last slice is "
			 "missing");
	buf_clear(&line);
	losses_add_worker(&l, 4, "a\033b", 0, &line);
	ck_assert_ptr_nonnull(strstr(buf_text(&line), "worker 4 (a^[b) ended"));
	buf_clear(&line);
	losses_workers(&l, &line);
	losses_chunks(&l, &line);
	ck_assert_str_eq(buf_text(&line), "");
	buf_done(&line);
}
END_TEST

START_TEST(many_are_counted)
{
	struct losses l = { .n_ended = 1 };
	struct buf line = { 0 };

	for (int i = 0; i < LOSSES_NAMED + 1; i++) {
		buf_clear(&line);
		losses_add_worker(&l, i, "", 0, &line);
		ck_assert_int_eq(line.len > 0, i < LOSSES_NAMED);
	}
	losses_workers(&l, &line);
	ck_assert_str_eq(buf_text(&line), "1 more worker ended: the last slice is missing");
	buf_clear(&line);
	losses_add_worker(&l, 0, "", 0, &line);
	losses_workers(&l, &line);
	ck_assert_str_eq(buf_text(&line), "2 more workers ended: the last slices are missing");
	buf_clear(&line);
	losses_chunks(&l, &line);
	ck_assert_ptr_nonnull(strstr(buf_text(&line), "ended 1 recording between slices by"));
	buf_clear(&line);
	l.n_ended = 4000;
	losses_chunks(&l, &line);
	ck_assert_ptr_nonnull(strstr(buf_text(&line), "ended 4000 recordings between slices by"));
	buf_done(&line);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, a_worker_that_ended_is_named_with_its_time);
	tcase_add_test(tc, many_are_counted);
}

int main(void)
{
	return suite_run("losses", add_tests);
}
