/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue gives slices in the order of raw_is_before(), as far as it can hold them. */
#include "config.h"

#include "model/build/subset.c"

#include "random_mix.h"
#include "suite.h"

static struct queued_slice slice_at(int64_t t0, int64_t t1, int64_t number)
{
	return (struct queued_slice){ { t0, t1, SLICE_WHERE(number, 0), (frame_id)number, 0 },
				      number * 3 };
}

static bool is_queued_before(const struct queued_slice *a, const struct queued_slice *b)
{
	return raw_is_before(&a->slice, &b->slice, true);
}

static int by_order(const void *a, const void *b)
{
	return is_queued_before(a, b) ? -1 : is_queued_before(b, a);
}

START_TEST(slices_come_in_order_with_their_ends)
{
	size_t n = (size_t[]){ 0, 1, 2, 3, 4, 7, 8, 1000, SLICE_QUEUE_MAX, 20000 }[_i];
	struct queued_slice *all = xcalloc(n, sizeof *all), next;
	struct slice_queue queue = { 0 };
	size_t n_taken = 0;

	set_seed(_i);
	for (size_t i = 0; i < n; i++) {
		int64_t t0 = (int64_t)(i / 8 + below(50));

		all[i] = slice_at(t0, t0 + (int64_t)below(3), (int64_t)i);
	}
	for (size_t i = 0; i < n; i++)
		slice_queue_add(&queue, &all[i].slice, all[i].end_offset);
	if (n)
		qsort(all, n, sizeof *all, by_order);
	for (int is_end = 0; is_end < 2; is_end++)
		while (slice_queue_take(&queue, is_end, &next)) {
			ck_assert_uint_lt(n_taken, n);
			ck_assert_uint_eq(next.slice.frame, all[n_taken].slice.frame);
			ck_assert_int_eq(next.end_offset, all[n_taken].end_offset);
			n_taken++;
			/* As many wait as may, before the end. */
			ck_assert(is_end || queue.n >= SLICE_QUEUE_MAX);
		}
	ck_assert_uint_eq(n_taken, n);
	ck_assert(!queue.is_lost);
	free(queue.heap);
	queue = (struct slice_queue){ 0 };
	free(all);
}
END_TEST

START_TEST(a_slice_before_the_last_one_taken_is_too_late)
{
	struct slice_queue queue = { 0 };
	struct queued_slice next, first = slice_at(100, 200, 5), same = slice_at(100, 200, 5),
				  outer = slice_at(100, 201, 6);

	/* Before any is taken, each order is possible. */
	slice_queue_add(&queue, &first.slice, -1);
	ck_assert(!slice_queue_take(&queue, false, &next));
	ck_assert(slice_queue_take(&queue, true, &next));
	slice_queue_add(&queue, &same.slice, -1);
	ck_assert(!queue.is_lost);
	slice_queue_add(&queue, &outer.slice, -1);
	ck_assert(queue.is_lost);
	/* Then nothing is queued or taken. */
	ck_assert(!slice_queue_take(&queue, true, &next));
	same = slice_at(900, 901, 9);
	slice_queue_add(&queue, &same.slice, -1);
	ck_assert(queue.is_lost);
	ck_assert_uint_eq(queue.n, 1);
	free(queue.heap);
	queue = (struct slice_queue){ 0 };
	ck_assert(!queue.is_lost);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "slice_queue", SUITE_SECONDS);

	tcase_add_loop_test(t, slices_come_in_order_with_their_ends, 0, 10);
	tcase_add_test(t, a_slice_before_the_last_one_taken_is_too_late);
}

int main(void)
{
	return suite_run("slice_queue", add_tests);
}
