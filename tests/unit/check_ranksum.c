/* SPDX-License-Identifier: GPL-2.0-or-later */
/* p values against all splits of random values, and against figures of SciPy 1.17.1: without ties
 * mannwhitneyu(method="exact"), with ties permutation_test() of the distance of the rank sum from
 * its mean over all splits, beyond the limit mannwhitneyu(method="asymptotic"). */
#include "config.h"

#define SUITE_OF_MANY
#include "suite.h"

#include "analyse/compare/ranksum.h"

#include <math.h>
#include <stdint.h>

#define SEEDS 60

static void same(double is, double want)
{
	ck_assert_msg(fabs(is - want) <= 1e-12 * fmax(want, 1e-3), "%.17g, wanted %.17g", is, want);
}

static const struct figure {
	double before[6], after[7];
	size_t n_before, n_after;
	double p;
} figures[] = {
	{ { 1, 2, 3 }, { 4, 5, 6 }, 3, 3, 0.1 },
	{ { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, 4, 4, 0.02857142857142857 },
	{ { 5, 6, 7, 8, 9 }, { 0, 1, 2, 3, 4 }, 5, 5, 0.007936507936507936 },
	{ { 1, 2, 3, 5, 4, 7 }, { 6, 8, 9, 10, 11, 12 }, 6, 6, 0.004329004329004329 },
	{ { 12.1, 13.4, 11.8, 12.9, 30.2, 12.5 },
	  { 14.0, 15.1, 13.2, 14.4, 0.3 },
	  6,
	  5,
	  0.5367965367965368 },
	{ { 1, 4, 6, 9 }, { 2, 3, 5, 7, 8, 10, 11 }, 4, 7, 0.5272727272727272 },
	{ { 1, 1, 2, 2 }, { 2, 3, 3, 3 }, 4, 4, 0.08571428571428572 },
	{ { 0, 0, 0, 5 }, { 0, 0, 6, 7 }, 4, 4, 0.42857142857142855 },
	{ { 1, 2, 2, 3, 5 }, { 2, 4, 4, 5, 5, 6 }, 5, 6, 0.09523809523809523 },
	{ { 3, 3, 3 }, { 3, 3, 3, 3 }, 3, 4, 1 },
	{ { 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 1 }, 6, 6, 1 },
	{ { 1 }, { 2 }, 1, 1, 1 },
	{ { 1 }, { 2, 3 }, 1, 0, 1 },
	{ { 1 }, { 2, 3 }, 0, 2, 1 },
};

START_TEST(figures_of_scipy)
{
	const struct figure *f = &figures[_i];

	same(ranksum_p(f->before, f->n_before, f->after, f->n_after), f->p);
	same(ranksum_p(f->after, f->n_after, f->before, f->n_before), f->p);
}
END_TEST

START_TEST(as_many_values_as_are_exact)
{
	double before[30], after[30];

	for (int i = 0; i < 30; i++) {
		before[i] = i;
		after[i] = i + 4.5;
	}
	same(ranksum_p(before, 30, after, 30), 0.0653991147132789);
	for (int i = 0; i < 30; i++)
		after[i] = i + 12.5;
	same(ranksum_p(before, 30, after, 30), 4.109080573709038e-06);
}
END_TEST

START_TEST(more_values_by_the_normal_distribution)
{
	double before[40], after[35];

	for (int i = 0; i < 40; i++)
		before[i] = i * 7 % 23;
	for (int i = 0; i < 35; i++)
		after[i] = i * 5 % 23 + 4;
	same(ranksum_p(before, 40, after, 35), 0.038213369238272996);
	for (int i = 0; i < 40; i++)
		before[i] = 1;
	for (int i = 0; i < 35; i++)
		after[i] = 1;
	same(ranksum_p(before, 40, after, 35), 1);
}
END_TEST

/* ---- all splits ---- */

/* Twice the rank of a value among n of them: 1 for itself and for each equal one, 2 for each that
 * is below. */
static int rank_of(const double *values, size_t n, double value)
{
	int rank = 1;

	for (size_t i = 0; i < n; i++)
		rank += (values[i] < value ? 2 : 0) + (values[i] == value ? 1 : 0);
	return rank;
}

static int distance(const int *ranks, size_t n, unsigned set, int mean)
{
	int sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += set >> i & 1 ? ranks[i] : 0;
	return abs(sum - mean);
}

/* The part of all splits that are as far from the mean as the first n_before values. */
static double by_all_splits(const double *values, size_t n_before, size_t n)
{
	unsigned own = (1u << n_before) - 1;
	double all = 0, far = 0;
	int ranks[16], mean = 0;

	for (size_t i = 0; i < n; i++)
		ranks[i] = rank_of(values, n, values[i]);
	mean = (int)(n_before * (n + 1));
	for (unsigned set = 0; set < 1u << n; set++) {
		if ((size_t)__builtin_popcount(set) != n_before)
			continue;
		all++;
		far += distance(ranks, n, set, mean) >= distance(ranks, n, own, mean);
	}
	return far / all;
}

START_TEST(p_of_random_values)
{
	uint32_t state = (uint32_t)_i * 2654435761u + 12345;
	double values[12];
	size_t n, n_before;

#define RANDOM(below) ((state = state * 1664525u + 1013904223u) >> 8) % (below)
	n = 2 + RANDOM(11);
	n_before = 1 + RANDOM(n - 1);
	for (size_t i = 0; i < n; i++)
		values[i] = RANDOM(_i % 2 ? 5 : 1000);
#undef RANDOM
	same(ranksum_p(values, n_before, values + n_before, n - n_before),
	     by_all_splits(values, n_before, n));
}
END_TEST

START_TEST(no_p_is_below_the_least)
{
	double values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

	for (size_t before = 1; before <= 6; before++)
		for (size_t after = 1; after <= 6; after++)
			same(ranksum_least_p(before, after),
			     ranksum_p(values, before, values + before, after));
	same(ranksum_least_p(4, 4), 2.0 / 70);
	same(ranksum_least_p(6, 6), 2.0 / 924);
	same(ranksum_least_p(0, 6), 1);
}
END_TEST

/* ---- corrections ---- */

static const struct correction {
	double p[5], bh[5], holm[5];
	size_t n;
} corrections[] = {
	{ { 0 }, { 0 }, { 0 }, 0 },
	{ { 0.03 }, { 0.03 }, { 0.03 }, 1 },
	{ { 0.01, 0.04, 0.03, 0.005, 0.2 },
	  { 0.025, 0.05, 0.05, 0.025, 0.2 },
	  { 0.04, 0.09, 0.09, 0.025, 0.2 },
	  5 },
	{ { 0.9, 0.6, 0.7 }, { 0.9, 0.9, 0.9 }, { 1, 1, 1 }, 3 },
	{ { 0.02, 0.02 }, { 0.02, 0.02 }, { 0.04, 0.04 }, 2 },
};

START_TEST(corrected_values)
{
	const struct correction *c = &corrections[_i];
	double bh[5], holm[5];

	for (size_t i = 0; i < c->n; i++)
		bh[i] = holm[i] = c->p[i];
	ranksum_bh(bh, c->n);
	ranksum_holm(holm, c->n);
	for (size_t i = 0; i < c->n; i++) {
		same(bh[i], c->bh[i]);
		same(holm[i], c->holm[i]);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *values = suite_case(suite, "values", SUITE_SECONDS);
	TCase *corrected = suite_case(suite, "corrections", SUITE_SECONDS);

	tcase_add_loop_test(values, figures_of_scipy, 0, N(figures));
	tcase_add_test(values, as_many_values_as_are_exact);
	tcase_add_test(values, more_values_by_the_normal_distribution);
	tcase_add_loop_test(values, p_of_random_values, 0, SUITE_CASES(SEEDS));
	tcase_add_test(values, no_p_is_below_the_least);
	tcase_add_loop_test(corrected, corrected_values, 0, N(corrections));
}

int main(void)
{
	return suite_run("ranksum", add_tests);
}
