/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress: the steps after reading, and progress as text. */
#include "config.h"

#include "base/progress.h"
#include "base/units.h"
#include "load_text.h"
#include "suite.h"

#include <check.h>
#include <string.h>

static void ck_texts(const struct progress *p, const char *line, const char *brief)
{
	char text[PROGRESS_TEXT_MAX];

	progress_text_line(p, text);
	ck_assert_str_eq(text, line);
	progress_text_short(p, text);
	ck_assert_str_eq(text, brief);
}

START_TEST(reading_has_share_speed_and_time_left)
{
	struct progress p = { .done = 30000000, .total = 120000000, .elapsed_ns = NS_PER_S / 2 };

	ck_texts(&p, "reading   30.0 MB of 120 MB   60.0 MB/s   1.50 s left",
		 "reading 25.0 %, 1.50 s left");
	ck_assert_double_eq_tol(progress_text_share(&p), 0.25, 1e-9);
	p.elapsed_ns = 0;
	ck_texts(&p, "reading   30.0 MB of 120 MB   0 B/s", "reading 25.0 %");
	p.elapsed_ns = NS_PER_S;
	p.done = p.total - 1;
	ck_texts(&p, "reading   120 MB of 120 MB   120 MB/s", "reading 100.0 %");
	p.done = p.total + 1;
	ck_assert_double_eq_tol(progress_text_share(&p), 1, 1e-9);
}
END_TEST

/* How much will come is not known; the steps after reading know their size. */
START_TEST(a_pipe_has_bytes_and_its_steps_have_shares)
{
	struct progress p = { .done = 30000000, .total = -1, .elapsed_ns = NS_PER_S / 2 };

	ck_texts(&p, "reading   30.0 MB   60.0 MB/s", "reading 30.0 MB");
	ck_assert(progress_text_share(&p) < 0);
	p.step = "making tables";
	p.step_total = 400;
	ck_texts(&p, "making tables   0.0 %", "making tables 0.0 %");
	p.step_done = 100;
	p.step_elapsed_ns = NS_PER_S;
	ck_texts(&p, "making tables   25.0 %   3.00 s left", "making tables 25.0 %, 3.00 s left");
	ck_assert_double_eq_tol(progress_text_share(&p), 0.25, 1e-9);
}
END_TEST

static bool keep_seen(void *ctx, const struct progress *p)
{
	*(struct progress *)ctx = *p;
	return false;
}

START_TEST(steps_are_told_and_not_cancelled)
{
	struct progress seen = { 0 }, p = { .tick = keep_seen, .ctx = &seen };
	struct progress_shared shared;

	progress_start(&p, "Loading", 10);
	progress_step(&p, "making tables", 0);
	ck_assert_ptr_null(p.step);
	progress_step(&p, "making tables", 1);
	ck_assert_str_eq(seen.step, "making tables");
	ck_assert_int_eq(seen.step_total, 1);
	ck_assert(!p.is_stopped);
	p.next_ns = 0;
	progress_step_to(&p, 7);
	ck_assert_int_eq(seen.step_done, 1);
	progress_shared_begin(&shared, &p, "putting slices in order", 20);
	p.next_ns = 0;
	progress_shared_add(&shared, 5);
	ck_assert_int_eq(seen.step_done, 5);
	progress_step(&p, NULL, 0);
	ck_assert_ptr_null(p.step);
	progress_step_to(&p, 3);
	ck_assert_int_eq(seen.step_done, 5);
	progress_step(NULL, "none", 1);
	progress_shared_add(NULL, 1);
}
END_TEST

/* Append the name of each new step. */
static bool add_step(void *ctx, const struct progress *p)
{
	struct buf *steps = ctx;

	if (p->step && p->step_done == 0) {
		buf_adds(steps, steps->len ? ", " : "");
		buf_adds(steps, p->step);
	}
	return true;
}

static void ck_steps(const char *text, const char *expected)
{
	struct buf steps = { 0 };
	struct progress progress = { .tick = add_step, .ctx = &steps };
	struct builder *b = builder_new(&(struct builder_options){ .progress = &progress });
	struct error err = ERROR_INIT;
	char *copy = quoted(text);
	struct profile *p = load_text_with(b, copy, strlen(copy), SIZE_MAX, NULL, &err);

	ck_assert_ptr_nonnull(p);
	ck_assert_str_eq(buf_text(&steps), expected);
	ck_assert_ptr_null(progress.step);
	profile_free(p);
	buf_done(&steps);
	free(copy);
}

START_TEST(building_tells_its_steps)
{
	ck_steps("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},"
		 "{'id':2,'callFrame':{'functionName':'a'}}],'samples':[2,2],'timeDeltas':[1,1]}",
		 "putting samples in order, making tables");
	ck_steps("[{'ph':'B','name':'a','pid':1,'tid':1,'ts':1},"
		 "{'ph':'E','name':'a','pid':1,'tid':1,'ts':9}]",
		 "pairing begins and ends, putting slices in order");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, reading_has_share_speed_and_time_left);
	tcase_add_test(tc, a_pipe_has_bytes_and_its_steps_have_shares);
	tcase_add_test(tc, building_tells_its_steps);
	tcase_add_test(tc, steps_are_told_and_not_cancelled);
}

int main(void)
{
	return suite_run("progress", add_tests);
}
