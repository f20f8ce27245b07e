/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares of time in windows that move, against sums by hand. */
#include "config.h"

#include "suite.h"

#include "analyse/shares.h"

#include "base/buf.h"
#include "random_profile.h"

#define MS INT64_C(1000000)

static void list(void *ctx, const struct shares_period *p)
{
	if (p->has_ended)
		buf_addf(ctx, "ended %lld-%lld ", (long long)(p->t0 / MS), (long long)(p->t1 / MS));
	else
		buf_addf(ctx, "%lld-%lld %lld ", (long long)(p->t0 / MS), (long long)(p->t1 / MS),
			 (long long)(p->ns / MS));
}

/* Pairs of milliseconds: without the kind, and with it. */
static void says(double limit, const int *ms, const char *expect)
{
	struct buf out = { 0 };
	struct shares s;
	int64_t t = 0;

	shares_init(&s, 1000 * MS, limit, list, &out);
	for (bool is_of_kind = false; *ms >= 0; t += *ms++ * MS, is_of_kind = !is_of_kind)
		shares_add(&s, t, t + *ms * MS, is_of_kind);
	shares_done(&s);
	ck_assert_str_eq(buf_text(&out), expect);
	buf_done(&out);
}

/* ---- rules ---- */

START_TEST(exactly_the_limit_begins_a_period)
{
	static const int all[] = { 0, 1000, 0, -1 }, most[] = { 100, 900, 0, -1 },
			 less[] = { 101, 899, 0, -1 };

	says(1, all, "0-1000 1000 ");
	says(0.9, most, "0-1000 900 ");
	says(0.9, less, "");
}
END_TEST

/* The first window must be full. */
START_TEST(a_short_recording_says_nothing)
{
	static const int ms[] = { 0, 900, -1 }, enough[] = { 0, 1000, -1 };

	says(0.5, ms, "");
	says(0.5, enough, "0-1000 1000 ");
}
END_TEST

START_TEST(a_period_ends_after_a_window_below_the_limit)
{
	static const int ms[] = { 0, 2000, 1500, 0, -1 },
			 again[] = { 0, 2000, 150, 2000, 3000, 0, -1 };

	says(0.9, ms, "0-1000 1000 ended 0-2100 ");
	/* Below the limit for less than a window. */
	says(0.9, again, "0-1000 1000 ended 0-4200 ");
}
END_TEST

START_TEST(lost_time_ends_a_period)
{
	struct buf out = { 0 };
	struct shares s;

	shares_init(&s, 1000 * MS, 0.9, list, &out);
	shares_add(&s, 0, 2000 * MS, true);
	shares_add(&s, 90000 * MS, 90900 * MS, true);
	ck_assert_str_eq(buf_text(&out), "0-1000 1000 ended 0-2000 ");
	shares_add(&s, 90900 * MS, 91100 * MS, true);
	shares_end(&s);
	ck_assert_str_eq(buf_text(&out),
			 "0-1000 1000 ended 0-2000 90000-91000 1000 ended 90000-91100 ");
	shares_done(&s);
	buf_done(&out);
}
END_TEST

/* ---- by hand ---- */

#define LENGTH 6000 /* ms */

/* By millisecond: 0 unknown, 1 without the kind, 2 with it. */
static void judge_by_hand(const char *of, int window, double limit, struct buf *out)
{
	bool is_on = false;
	int t0 = 0, last = 0, first = 0;

	while (of[first] == 0)
		first++;
	for (int t1 = first / 100 * 100 + 100; t1 <= LENGTH; t1 += 100) {
		int kind = 0, all = 0;

		for (int i = t1 - window < 0 ? 0 : t1 - window; i < t1; i++) {
			all += of[i] > 0;
			kind += of[i] == 2;
		}
		if (all * 10 > window * 9 && kind >= limit * all) {
			if (!is_on) {
				t0 = t1 - window;
				buf_addf(out, "%d-%d %d ", t0, t1, kind);
			}
			is_on = true;
			last = t1;
		} else if (is_on && t1 - last >= window) {
			is_on = false;
			buf_addf(out, "ended %d-%d ", t0, last);
		}
	}
	if (is_on)
		buf_addf(out, "ended %d-%d ", t0, last);
}

START_TEST(random_times)
{
	for (int i = 0; i < SUITE_CASES(40); i++) {
		char of[LENGTH] = { 0 };
		struct buf out = { 0 }, expect = { 0 };
		int window, bias;
		double limit;
		struct shares s;

		random_seed(_i * 1000 + i);
		window = 100 + 100 * (int)random_below(12);
		limit = (double)random_below(5) / 4;
		bias = (int)random_below(10);
		shares_init(&s, window * MS, limit, list, &out);
		for (int t = (int)random_below(500); t < LENGTH;) {
			int n = 1 + (int)random_below(random_below(3) ? 20 : 700);
			int kind = random_below(30) == 0 ? 0 : 1 + ((int)random_below(10) < bias);

			n = n < LENGTH - t ? n : LENGTH - t;
			n = kind == 0 && n > window ? window : n;
			memset(of + t, kind, (size_t)n);
			if (kind > 0)
				shares_add(&s, t * MS, (t + n) * MS, kind == 2);
			t += n;
		}
		/* The end is known, so that all steps are over. */
		if (of[LENGTH - 1] == 0) {
			of[LENGTH - 1] = 1;
			shares_add(&s, (LENGTH - 1) * MS, LENGTH * MS, false);
		}
		shares_end(&s);
		judge_by_hand(of, window, limit, &expect);
		ck_assert_msg(strcmp(buf_text(&out), buf_text(&expect)) == 0,
			      "case %d, window %d, limit %g: %s\nnot %s", i, window, limit,
			      buf_text(&out), buf_text(&expect));
		shares_done(&s);
		buf_done(&out);
		buf_done(&expect);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "shares", SUITE_SECONDS);

	tcase_add_test(t, exactly_the_limit_begins_a_period);
	tcase_add_test(t, a_short_recording_says_nothing);
	tcase_add_test(t, a_period_ends_after_a_window_below_the_limit);
	tcase_add_test(t, lost_time_ends_a_period);
	tcase_add_loop_test(t, random_times, 0, 4);
}

int main(void)
{
	return suite_run("shares", add_tests);
}
