/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks are doubled, so that the mean of two neighbouring ranks is an integer: all comparisons of
 * rank sums are exact. The distribution of the rank sum is counted by dynamic programming: the
 * values are taken one after the other, and count[k * width + s] is how many of the ways to choose
 * k of the values so far have the sum s. Counts are floating-point numbers: 60 values have up to
 * 1.2e17 ways, which an integer could count, but the result needs no more than their proportion. */
#include "config.h"

#include "analyse/compare/ranksum.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

struct value {
	double value;
	size_t rank;   /* doubled */
	bool is_small; /* of the smaller group */
};

struct ranks {
	struct value *values; /* by value */
	size_t n, n_small;
	size_t sum;  /* of the doubled ranks of the smaller group */
	double ties; /* the sum of t^3 - t over all groups of t equal values */
};

SORT_BEFORE(is_below, struct value, x->value < y->value)

static void set_ranks(struct ranks *ranks)
{
	size_t first = 0;

	while (first < ranks->n) {
		size_t end = first;
		double t;

		while (end < ranks->n && ranks->values[end].value <= ranks->values[first].value)
			end++;
		/* The ranks first + 1 to end: twice their mean is the sum of both. */
		for (size_t i = first; i < end; i++) {
			ranks->values[i].rank = first + 1 + end;
			ranks->sum += ranks->values[i].is_small ? ranks->values[i].rank : 0;
		}
		t = (double)(end - first);
		ranks->ties += t * t * t - t;
		first = end;
	}
}

static struct ranks ranks_of(const double *small, size_t n_small, const double *large,
			     size_t n_large)
{
	struct ranks ranks = { .n = n_small + n_large, .n_small = n_small };

	ranks.values = xcalloc(ranks.n, sizeof *ranks.values);
	for (size_t i = 0; i < n_small; i++)
		ranks.values[i] = (struct value){ .value = small[i], .is_small = true };
	for (size_t i = 0; i < n_large; i++)
		ranks.values[n_small + i] = (struct value){ .value = large[i] };
	sort_stable(ranks.values, ranks.n, sizeof *ranks.values, is_below, NULL);
	set_ranks(&ranks);
	return ranks;
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* The mean of the doubled rank sum. */
static size_t mean_sum(const struct ranks *ranks)
{
	return ranks->n_small * (ranks->n + 1);
}

static double exact_p(const struct ranks *ranks)
{
	size_t k = ranks->n_small, width = 1, mean = mean_sum(ranks);
	double far = 0, all = 0;
	ALLOC_LOCAL double *count = NULL;

	/* No sum is above that of the k highest ranks. */
	for (size_t i = ranks->n - k; i < ranks->n; i++)
		width += ranks->values[i].rank;
	count = xcalloc((k + 1) * width, sizeof *count);
	count[0] = 1;
	for (size_t i = 0; i < ranks->n; i++) {
		size_t rank = ranks->values[i].rank;

		/* Downwards: a value is chosen once. */
		for (size_t chosen = i + 1 < k ? i + 1 : k; chosen > 0; chosen--) {
			double *to = count + chosen * width;
			const double *from = to - width;

			for (size_t s = rank; s < width; s++)
				to[s] += from[s - rank];
		}
	}
	for (size_t s = 0; s < width; s++) {
		double ways = count[k * width + s];

		all += ways;
		if (distance(s, mean) >= distance(ranks->sum, mean))
			far += ways;
	}
	return far / all;
}

static double normal_p(const struct ranks *ranks)
{
	double n = (double)ranks->n, small = (double)ranks->n_small;
	double variance = small * (n - small) / 12 * (n + 1 - ranks->ties / (n * (n - 1)));
	double from_mean = (double)distance(ranks->sum, mean_sum(ranks)) / 2 - 0.5;

	if (variance <= 0 || from_mean <= 0)
		return 1;
	return erfc(from_mean / sqrt(2 * variance));
}

double ranksum_p(const double *before, size_t n_before, const double *after, size_t n_after)
{
	bool is_before_small = n_before <= n_after;
	struct ranks ranks;
	double p;

	if (!n_before || !n_after)
		return 1;
	ranks = is_before_small ? ranks_of(before, n_before, after, n_after)
				: ranks_of(after, n_after, before, n_before);
	p = ranks.n <= RANKSUM_EXACT_MAX ? exact_p(&ranks) : normal_p(&ranks);
	free(ranks.values);
	return p;
}

double ranksum_least_p(size_t n_before, size_t n_after)
{
	size_t k = n_before < n_after ? n_before : n_after;
	double ways = 1;

	for (size_t i = 1; i <= k; i++)
		ways *= (double)(n_before + n_after - k + i) / (double)i;
	/* The two ends of the distribution. One value against one: both ways are ends. */
	return ways <= 2 ? 1 : 2 / ways;
}

/* ---- corrections ---- */

struct ranked_p {
	double p;
	size_t index;
};

SORT_BEFORE(is_less, struct ranked_p, x->p < y->p)

/* The values from the least, with where they came from. The caller frees them. */
static struct ranked_p *sorted(const double *p, size_t n)
{
	struct ranked_p *places = xcalloc(n ? n : 1, sizeof *places);

	for (size_t i = 0; i < n; i++)
		places[i] = (struct ranked_p){ p[i], i };
	sort_stable(places, n, sizeof *places, is_less, NULL);
	return places;
}

void ranksum_bh(double *p, size_t n)
{
	ALLOC_LOCAL struct ranked_p *places = sorted(p, n);
	double least = 1;

	for (size_t i = n; i > 0; i--) {
		least = fmin(least, places[i - 1].p * (double)n / (double)i);
		p[places[i - 1].index] = least;
	}
}

void ranksum_holm(double *p, size_t n)
{
	ALLOC_LOCAL struct ranked_p *places = sorted(p, n);
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		most = fmax(most, fmin(1, places[i].p * (double)(n - i)));
		p[places[i].index] = most;
	}
}
