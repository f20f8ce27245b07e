/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work on a second thread: a pipeline of items, and blocks that are read ahead. */
#include "config.h"

#include "base/pipeline.h"
#include "base/read_ahead.h"

#include "suite.h"

#include <string.h>
#include <unistd.h>

struct job {
	int items[PIPELINE_ITEMS];
	int sum, n_worked, stop_after, delay_us;
};

static bool work(void *ctx, unsigned item)
{
	struct job *job = ctx;

	usleep((useconds_t)job->delay_us);
	ck_assert_int_eq(job->items[item], job->n_worked + 1);
	job->sum += job->items[item];
	return ++job->n_worked != job->stop_after;
}

START_TEST(items_are_worked_on_in_order)
{
	for (int delay_us = 0; delay_us < 300; delay_us += 100) {
		struct job job = { .delay_us = delay_us, .stop_after = -1 };
		struct pipeline *p = pipeline_start(work, &job);

		ck_assert_ptr_nonnull(p);
		for (int i = 1; i <= 100; i++) {
			unsigned item = pipeline_next(p);

			ck_assert_uint_lt(item, PIPELINE_ITEMS);
			job.items[item] = i;
			ck_assert(pipeline_pass(p));
			if (i == 50) {
				pipeline_drain(p);
				ck_assert_int_eq(job.sum, 50 * 51 / 2);
			}
		}
		pipeline_stop(p);
		ck_assert_int_eq(job.sum, 100 * 101 / 2);
	}
	pipeline_stop(NULL);
}
END_TEST

/* The worker is not woken for a single item; draining and stopping must do that. */
START_TEST(few_items_are_worked_on)
{
	for (int n = 0; n <= 2 * (int)PIPELINE_ITEMS; n++) {
		struct job job = { .stop_after = -1 };
		struct pipeline *p = pipeline_start(work, &job);

		for (int i = 1; i <= 2 * n; i++) {
			job.items[pipeline_next(p)] = i;
			pipeline_pass(p);
			if (i == n) {
				pipeline_drain(p);
				ck_assert_int_eq(job.n_worked, n);
			}
		}
		pipeline_stop(p);
		ck_assert_int_eq(job.n_worked, 2 * n);
	}
}
END_TEST

START_TEST(items_after_enough_are_passed_over)
{
	struct job job = { .stop_after = 3 };
	struct pipeline *p = pipeline_start(work, &job);
	bool is_wanted = true;

	for (int i = 1; i <= 20; i++) {
		job.items[pipeline_next(p)] = i;
		is_wanted = pipeline_pass(p);
	}
	pipeline_drain(p);
	ck_assert(!is_wanted);
	ck_assert_int_eq(job.n_worked, 3);
	pipeline_stop(p);
}
END_TEST

struct source {
	int n, last;
	bool fails;
	bool was_stopped;
};

static void fill(void *ctx, struct read_ahead *a, struct read_ahead_block *b)
{
	struct source *s = ctx;

	(void)a;
	memset(b->text - READ_AHEAD_HEAD, s->n & 0xFF,
	       READ_AHEAD_HEAD + READ_AHEAD_SIZE + READ_AHEAD_TAIL);
	b->n = s->n < s->last ? (ptrdiff_t)READ_AHEAD_SIZE - s->n : s->fails ? -1 : 0;
	b->file_bytes = s->n++;
}

static struct read_ahead_block *take(struct read_ahead *a)
{
	struct read_ahead_block *b;

	while (!(b = read_ahead_take(a, 20)))
		;
	return b;
}

START_TEST(blocks_come_in_order_and_stay_for_a_while)
{
	for (int fails = 0; fails < 2; fails++) {
		struct source source = { .last = 40, .fails = fails };
		struct read_ahead *a = read_ahead_start(fill, &source);
		struct read_ahead_block *kept[40], *b;

		for (int i = 0; i < 40; i++) {
			kept[i] = b = take(a);
			ck_assert_int_eq(b->n, (ptrdiff_t)READ_AHEAD_SIZE - i);
			ck_assert_int_eq(b->file_bytes, i);
			if (i % 7 == 0)
				usleep(3000);
			for (int k = i; k > i - (int)READ_AHEAD_KEPT && k >= 0; k--)
				ck_assert_int_eq(kept[k]->text[READ_AHEAD_SIZE - 1], k);
		}
		b = take(a);
		ck_assert_int_eq(b->n, fails ? -1 : 0);
		ck_assert_ptr_null(read_ahead_take(a, 1));
		read_ahead_stop(a);
		ck_assert_int_eq(source.n, 41);
	}
	read_ahead_stop(NULL);
}
END_TEST

static void fill_until_stopped(void *ctx, struct read_ahead *a, struct read_ahead_block *b)
{
	struct source *s = ctx;

	while (!read_ahead_is_stopping(a))
		usleep(100);
	s->was_stopped = true;
	b->n = 1;
}

START_TEST(stopping_ends_a_fill_that_waits)
{
	struct source source = { 0 };
	struct read_ahead *a = read_ahead_start(fill_until_stopped, &source);

	ck_assert_ptr_null(read_ahead_take(a, 5));
	read_ahead_stop(a);
	/* The thread may be stopped before its first block. */
	ck_assert_int_le(source.n, 1);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "pipeline", SUITE_SECONDS);

	tcase_add_test(t, items_are_worked_on_in_order);
	tcase_add_test(t, few_items_are_worked_on);
	tcase_add_test(t, items_after_enough_are_passed_over);
	t = suite_case(suite, "read_ahead", SUITE_SECONDS);
	tcase_add_test(t, blocks_come_in_order_and_stay_for_a_while);
	tcase_add_test(t, stopping_ends_a_fill_that_waits);
}

int main(void)
{
	return suite_run("pipeline", add_tests);
}
