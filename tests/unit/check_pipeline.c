/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work on a second thread: a pipeline of items, and blocks that are read ahead. */
#include "config.h"

#include "base/stream/stream.c"

#include "base/thread.h"

#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
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
		struct pipeline *p = pipeline_start(work, NULL, &job);

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
		struct pipeline *p = pipeline_start(work, NULL, &job);

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
	struct pipeline *p = pipeline_start(work, NULL, &job);
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

/* Counts of calls; the number of those that find something to do is limited. */
struct helped {
	struct job job;
	atomic_int n, most, n_nothing;
};

static bool helped_work(void *ctx, unsigned item)
{
	return work(&((struct helped *)ctx)->job, item);
}

static bool help(void *ctx)
{
	struct helped *h = ctx;

	if (h->n >= h->most) {
		h->n_nothing++;
		return false;
	}
	h->n++;
	return true;
}

static void wait_until(const atomic_int *count, int n)
{
	for (int i = 0; i < 5000 && *count < n; i++)
		usleep(1000);
	ck_assert_int_ge(*count, n);
}

/* It helps until there is nothing to do, and again after it has worked. */
START_TEST(a_worker_without_items_helps)
{
	struct helped h = { .job.stop_after = -1, .most = 3 };
	struct pipeline *p = pipeline_start(helped_work, help, &h);

	wait_until(&h.n_nothing, 1);
	ck_assert_int_eq(h.n, 3);
	for (int i = 1; i <= 50; i++) {
		int before = h.n_nothing;

		h.most++;
		h.job.items[pipeline_next(p)] = i;
		ck_assert(pipeline_pass(p));
		pipeline_drain(p);
		ck_assert_int_eq(h.job.n_worked, i);
		wait_until(&h.n_nothing, before + 1);
		ck_assert_int_eq(h.n, 3 + i);
	}
	pipeline_stop(p);
	ck_assert_int_eq(h.job.sum, 50 * 51 / 2);
}
END_TEST

#define RING_BLOCKS 400

/* What fills the blocks of a ring. */
struct ring_source {
	struct block_ring ring;
	int n, n_helped;
	atomic_bool is_filling, is_over;
};

static void ring_fill(void *ctx, struct read_ahead_block *b, bool is_helping)
{
	struct ring_source *s = ctx;

	ck_assert(!atomic_exchange(&s->is_filling, true));
	if (s->n % 16 == 0)
		usleep(300);
	memset(b->text - READ_AHEAD_HEAD, s->n & 0xFF,
	       READ_AHEAD_HEAD + READ_AHEAD_SIZE + READ_AHEAD_TAIL);
	b->n = s->n < RING_BLOCKS ? (ptrdiff_t)READ_AHEAD_SIZE - s->n : 0;
	b->file_bytes = s->n++;
	s->n_helped += is_helping;
	atomic_store(&s->is_filling, false);
}

static bool ring_more(void *ctx)
{
	return ((struct ring_source *)ctx)->n < RING_BLOCKS;
}

static void *help_ring(void *ctx)
{
	struct ring_source *s = ctx;

	while (!s->is_over)
		if (!block_ring_help(&s->ring, ring_fill, ring_more, s))
			usleep(20);
	return NULL;
}

/* The owner gets them in order, also those that another thread filled, and keeps the last ones. */
START_TEST(blocks_of_a_ring_come_in_order)
{
	for (int is_slow = 0; is_slow < 2; is_slow++) {
		struct ring_source s = { .n = 0 };
		struct read_ahead_block *kept[RING_BLOCKS], *b;
		pthread_t helper;
		bool has_help;
		int n_helped = 0;

		pthread_mutex_init(&s.ring.turn, NULL);
		ck_assert_int_eq(pthread_create(&helper, NULL, help_ring, &s), 0);
		for (int i = 0; i < RING_BLOCKS; i++) {
			kept[i] = b = block_ring_take(&s.ring, ring_fill, &s, &has_help);
			ck_assert_ptr_eq(block_after(&s.ring, 0), b);
			ck_assert_int_eq(b->n, (ptrdiff_t)READ_AHEAD_SIZE - i);
			ck_assert_int_eq(b->file_bytes, i);
			n_helped += has_help;
			if (is_slow)
				usleep(200);
			for (int k = i; k > i - (int)READ_AHEAD_KEPT && k >= 0; k--)
				ck_assert_int_eq(kept[k]->text[READ_AHEAD_SIZE - 1], k & 0xFF);
		}
		b = block_ring_take(&s.ring, ring_fill, &s, &has_help);
		ck_assert_int_eq(b->n, 0);
		ck_assert(!has_help);
		s.is_over = true;
		pthread_join(helper, NULL);
		ck_assert_int_eq(s.n, RING_BLOCKS + 1);
		ck_assert_int_eq(s.n_helped, n_helped);
		if (is_slow)
			ck_assert_int_gt(n_helped, 0);
		block_ring_done(&s.ring);
	}
}
END_TEST

/* Without the owner, as many are filled as it allows. */
START_TEST(few_blocks_of_a_ring_are_filled_early)
{
	struct ring_source s = { .n = 0 };
	struct read_ahead_block *b;
	bool has_help;

	pthread_mutex_init(&s.ring.turn, NULL);
	for (unsigned i = 0; i < BLOCK_RING_READY; i++)
		ck_assert(block_ring_help(&s.ring, ring_fill, ring_more, &s));
	ck_assert(!block_ring_help(&s.ring, ring_fill, ring_more, &s));
	ck_assert_int_eq(s.n, (int)BLOCK_RING_READY);
	b = block_ring_take(&s.ring, ring_fill, &s, &has_help);
	ck_assert(has_help);
	ck_assert_int_eq(b->file_bytes, 0);
	ck_assert_ptr_nonnull(b->text);
	ck_assert_int_eq(b->text[0], 0);
	block_ring_done(&s.ring);
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
	tcase_add_test(t, a_worker_without_items_helps);
	tcase_add_test(t, blocks_of_a_ring_come_in_order);
	tcase_add_test(t, few_blocks_of_a_ring_are_filled_early);
	t = suite_case(suite, "read_ahead", SUITE_SECONDS);
	tcase_add_test(t, blocks_come_in_order_and_stay_for_a_while);
	tcase_add_test(t, stopping_ends_a_fill_that_waits);
}

int main(void)
{
	return suite_run("pipeline", add_tests);
}
