/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of tests/input/runs, whose figures its README states. */
#include "config.h"

#include "suite.h"

#include "read/load/load.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/compare.c"

#define RUNS_MAX 8

struct fixture {
	struct profile *p;
	struct compare_run runs[RUNS_MAX];
	char path[RUNS_MAX][256];
	uint32_t n;
	struct scope scope;
	struct compare c;
};

static void load_runs(struct fixture *f, uint32_t n_before, uint32_t n_after)
{
	const char *top = getenv("srcdir");
	char *files[RUNS_MAX];
	struct load_result result;
	struct error err = ERROR_INIT;

	*f = (struct fixture){ .n = n_before + n_after };
	for (uint32_t i = 0; i < f->n; i++) {
		bool is_after = i >= n_before;

		snprintf(f->path[i], sizeof f->path[i], "%s/tests/input/runs/%s-%u.cpuprofile",
			 top ? top : ".", is_after ? "after" : "before",
			 (unsigned)(is_after ? i - n_before : i) + 1);
		files[i] = f->path[i];
	}
	load_all(&(struct load_options){ .files = files, .n_files = (int)f->n, .is_apart = true },
		 &result);
	f->p = result.profile;
	ck_assert_msg(f->p != NULL, "%s", buf_text(&result.messages));
	buf_done(&result.messages);
	for (uint32_t i = 0; i < f->n; i++) {
		f->runs[i].name = f->path[i];
		f->runs[i].is_after = i >= n_before;
		ck_assert_msg(compare_run_of_arguments(&f->runs[i], f->p, i, i + 1, &err), "%s",
			      err.text);
	}
	scope_all(&f->scope, f->p);
}

static void compare(struct fixture *f, struct compare_plan plan)
{
	struct error err = ERROR_INIT;

	plan.runs = f->runs;
	plan.n_runs = f->n;
	plan.scope = &f->scope;
	ck_assert_msg(compare_init(&f->c, f->p, &plan, &err), "%s", err.text);
}

static void done(struct fixture *f)
{
	compare_done(&f->c);
	scope_done(&f->scope);
	for (uint32_t i = 0; i < f->n; i++)
		compare_run_done(&f->runs[i]);
	profile_free(f->p);
}

static const struct compare_row *row_of(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->c.n_rows; i++)
		if (strcmp(profile_text(f->p, f->c.view.frames[f->c.rows[i].frame].name), name) ==
		    0)
			return &f->c.rows[i];
	ck_abort_msg("no row %s", name);
	return NULL;
}

static void is_near(double value, double expect)
{
	ck_assert_msg(fabs(value - expect) < 1e-6, "%.9g, not %.9g", value, expect);
}

/* ---- values ---- */

START_TEST(values_are_divided_by_what_is_asked)
{
	static const struct {
		enum compare_per per;
		double render; /* of the first run before: 21 ms of 100 ms, in 110 ms, in 1 call */
	} cases[] = {
		{ COMPARE_PER_TOTAL, 21 },
		{ COMPARE_PER_TIME, 21 / 0.110 },
		{ COMPARE_PER_NONE, 21 },
		{ COMPARE_PER_COUNT, 21 },
	};
	struct fixture f;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		load_runs(&f, 4, 4);
		compare(&f, (struct compare_plan){ .per = cases[i].per, .count = "^main$" });
		is_near(compare_values(&f.c, row_of(&f, "render"), COMPARE_SELF)[0],
			cases[i].render);
		done(&f);
	}
}
END_TEST

START_TEST(medians_spreads_and_p)
{
	struct fixture f;
	const struct compare_value *v;

	load_runs(&f, 4, 4);
	compare(&f, (struct compare_plan){ .floor = 0.01 });
	v = &row_of(&f, "render")->value[COMPARE_SELF];
	is_near(v->before, 22.5);
	is_near(v->after, 42.5);
	is_near(v->spread_before, 1.5);
	is_near(v->spread_after, 1.5);
	is_near(v->p, 2.0 / 70);
	is_near(v->corrected, 2.0 / 70 * 5 / 4);
	ck_assert(v->differs);
	v = &row_of(&f, "parse")->value[COMPARE_SELF];
	is_near(v->after - v->before, 0);
	ck_assert(!v->differs && v->is_tested);
	/* main has all the time on both sides */
	is_near(row_of(&f, "main")->value[COMPARE_TOTAL].after, 100);
	ck_assert(!row_of(&f, "main")->value[COMPARE_TOTAL].differs);
	ck_assert(row_of(&f, "old")->is_gone && !row_of(&f, "old")->is_new);
	ck_assert(row_of(&f, "fresh")->is_new && !row_of(&f, "fresh")->is_gone);
	done(&f);
}
END_TEST

START_TEST(what_differs_comes_first)
{
	static const char *const order[] = { "render", "fresh", "main", "old", "parse" };
	struct fixture f;

	load_runs(&f, 4, 4);
	compare(&f, (struct compare_plan){ .floor = 0.01 });
	ck_assert_uint_eq(f.c.n_rows, ARRAY_LEN(order));
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		ck_assert_ptr_eq(&f.c.rows[i], row_of(&f, order[i]));
	done(&f);
}
END_TEST

/* The share over all runs of both sides decides: fresh has 0 and 5 %. */
START_TEST(floor_does_not_look_at_sides)
{
	struct fixture f;

	load_runs(&f, 4, 4);
	compare(&f, (struct compare_plan){ .floor = 0.03 });
	ck_assert(!row_of(&f, "fresh")->value[COMPARE_SELF].is_tested);
	ck_assert(!row_of(&f, "fresh")->value[COMPARE_SELF].differs);
	ck_assert_uint_eq(f.c.n_tested[COMPARE_SELF], 4);
	done(&f);
}
END_TEST

/* Less than 4 + 4 runs show nothing, not even where values tie, which lowers the exact p. */
START_TEST(few_runs_show_nothing)
{
	static const uint32_t n[][2] = { { 1, 1 }, { 3, 3 }, { 3, 4 } };
	struct fixture f;

	for (size_t k = 0; k < ARRAY_LEN(n); k++) {
		load_runs(&f, n[k][0], n[k][1]);
		compare(&f, (struct compare_plan){ .floor = 0.01 });
		for (size_t i = 0; i < f.c.n_rows; i++)
			ck_assert(!f.c.rows[i].value[COMPARE_SELF].differs);
		ck_assert_uint_eq(compare_stats_needed(&f.c, COMPARE_SELF), 0);
		done(&f);
	}
}
END_TEST

START_TEST(needed_functions)
{
	struct fixture f;

	load_runs(&f, 4, 4);
	compare(&f, (struct compare_plan){ .floor = 0.01 });
	/* 2/70 * 5/k < 0.05 */
	ck_assert_uint_eq(compare_stats_needed(&f.c, COMPARE_SELF), 3);
	done(&f);
}
END_TEST

/* ---- runs ---- */

START_TEST(run_off_by_more_than_two_is_odd)
{
	struct fixture f;
	struct error err = ERROR_INIT;

	load_runs(&f, 4, 4);
	ck_assert(compare_run_restrict(&f.runs[2], f.p, NULL, "49ms", &err));
	ck_assert(compare_run_restrict(&f.runs[5], f.p, NULL, "51ms", &err));
	compare(&f, (struct compare_plan){ .floor = 0.01 });
	for (uint32_t i = 0; i < f.n; i++)
		ck_assert_int_eq(f.c.figures[i].is_odd, i == 2);
	done(&f);
}
END_TEST

START_TEST(range_counts_from_the_start_of_the_run)
{
	struct fixture f;
	struct error err = ERROR_INIT;

	load_runs(&f, 1, 1);
	for (uint32_t i = 0; i < 2; i++) {
		int64_t t0 = f.runs[i].t0;

		ck_assert(compare_run_restrict(&f.runs[i], f.p, "40ms", "70ms", &err));
		ck_assert_int_eq(f.runs[i].t0, t0 + 40000000);
		ck_assert_int_eq(f.runs[i].t1, t0 + 70000000);
		ck_assert(!compare_run_restrict(&f.runs[i], f.p, "40ms", "40ms", &err));
	}
	done(&f);
}
END_TEST

START_TEST(lanes_count_within_the_run)
{
	struct fixture f;
	struct error err = ERROR_INIT;

	load_runs(&f, 1, 1);
	ck_assert(compare_run_select(&f.runs[1], f.p, "1", &err));
	ck_assert(!compare_run_select(&f.runs[1], f.p, "2", &err));
	done(&f);
}
END_TEST

/* Two windows of one recording: 40 ms of main, then 60 ms of the others. */
START_TEST(windows_of_one_recording)
{
	struct fixture f;
	struct error err = ERROR_INIT;

	load_runs(&f, 1, 0);
	f.n = 2;
	ck_assert(compare_run_of_arguments(&f.runs[1], f.p, 0, 1, &err));
	f.runs[1].is_after = true;
	ck_assert(compare_run_restrict(&f.runs[0], f.p, "0ms", "40ms", &err));
	ck_assert(compare_run_restrict(&f.runs[1], f.p, "40ms", "100ms", &err));
	compare(&f, (struct compare_plan){ .floor = 0 });
	is_near(row_of(&f, "main")->value[COMPARE_SELF].before, 100);
	is_near(row_of(&f, "main")->value[COMPARE_SELF].after, 0);
	is_near(row_of(&f, "render")->value[COMPARE_SELF].after, 35);
	ck_assert(row_of(&f, "render")->is_new);
	done(&f);
}
END_TEST

/* Of all halves of eight runs, four of each side, only the one that is the sides differs. */
START_TEST(splits_find_the_sides)
{
	struct fixture f;
	uint64_t n_differ;

	load_runs(&f, 4, 4);
	for (uint32_t i = 0; i < f.n; i++)
		f.runs[i].is_after = false;
	compare(&f, (struct compare_plan){ .floor = 0.01 });
	ck_assert_uint_eq(compare_stats_splits(&f.c, COMPARE_SELF, &n_differ), 35);
	ck_assert_uint_eq(n_differ, 1);
	done(&f);
}
END_TEST

START_TEST(medians_of_few)
{
	is_near(compare_stats_median((const double[]){ 3, 1, 2 }, 3), 2);
	is_near(compare_stats_median((const double[]){ 4, 1, 2, 3 }, 4), 2.5);
	is_near(compare_stats_median(NULL, 0), 0);
	is_near(compare_stats_spread((const double[]){ 4, 1, 2 }, 3), 1.5);
	is_near(compare_stats_spread(NULL, 0), 0);
}
END_TEST

/* As sorting them finds it: ascending, descending, many of one value, and without an order. */
START_TEST(medians_of_many)
{
	for (uint32_t n = 1; n < 200; n++)
		for (int order = 0; order < 4; order++) {
			double values[200], median;
			uint32_t less = 0, more = 0;

			for (uint32_t i = 0; i < n; i++)
				values[i] = order == 0 ? i
					: order == 1   ? n - 1 - i
					: order == 2   ? i * 4 / n
						       : (i * 7919 + 13) % 211;
			if (order < 2)
				is_near(compare_stats_median(values, n), (n - 1) / 2.0);
			median = compare_stats_median(values, n);
			for (uint32_t i = 0; i < n; i++) {
				less += values[i] < median;
				more += values[i] > median;
			}
			ck_assert_uint_le(less, n / 2);
			ck_assert_uint_le(more, n / 2);
		}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "compare", SUITE_SECONDS);

	tcase_add_test(t, values_are_divided_by_what_is_asked);
	tcase_add_test(t, medians_spreads_and_p);
	tcase_add_test(t, what_differs_comes_first);
	tcase_add_test(t, floor_does_not_look_at_sides);
	tcase_add_test(t, few_runs_show_nothing);
	tcase_add_test(t, needed_functions);
	tcase_add_test(t, run_off_by_more_than_two_is_odd);
	tcase_add_test(t, range_counts_from_the_start_of_the_run);
	tcase_add_test(t, lanes_count_within_the_run);
	tcase_add_test(t, windows_of_one_recording);
	tcase_add_test(t, splits_find_the_sides);
	tcase_add_test(t, medians_of_few);
	tcase_add_test(t, medians_of_many);
}

int main(void)
{
	return suite_run("compare", add_tests);
}
