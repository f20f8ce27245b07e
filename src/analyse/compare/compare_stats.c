/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of rows is complete, so that it depends on nothing but the input. */
#include "config.h"

#include "analyse/compare/compare_stats.h"

#include "analyse/compare/ranksum.h"
#include "base/alloc.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

double compare_stats_median(const double *values, uint32_t n)
{
	double *sorted, median;

	if (n == 0)
		return 0;
	sorted = xmalloc(n * sizeof *sorted);
	memcpy(sorted, values, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_numbers);
	median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	free(sorted);
	return median;
}

double compare_stats_spread(const double *values, uint32_t n)
{
	double least = n ? values[0] : 0, most = least;

	for (uint32_t i = 1; i < n; i++) {
		least = fmin(least, values[i]);
		most = fmax(most, values[i]);
	}
	return (most - least) / 2;
}

void compare_stats_value(const double *values, uint32_t n_before, uint32_t n_after,
			 struct compare_value *out)
{
	out->before = compare_stats_median(values, n_before);
	out->after = compare_stats_median(values + n_before, n_after);
	out->spread_before = compare_stats_spread(values, n_before);
	out->spread_after = compare_stats_spread(values + n_before, n_after);
}

double compare_stats_percent(const struct compare_value *v)
{
	return v->before > 0 ? (v->after - v->before) / v->before * 100 : 0;
}

/* ---- room ---- */

/* 1: the share grew; -1: it shrank; 0: it is not shown to differ. */
static int direction(const struct compare_row *row)
{
	const struct compare_value *v = &row->value[COMPARE_SELF];

	return !v->differs ? 0 : v->after > v->before ? 1 : -1;
}

/* By run, what is left of 100 % without the rows that changed in a direction. */
static void find_rest(const struct compare *c, int which, double *rest)
{
	for (uint32_t r = 0; r < c->plan.n_runs; r++)
		rest[r] = 100;
	for (size_t i = 0; i < c->n_rows; i++) {
		const double *values = compare_values(c, &c->rows[i], COMPARE_SELF);

		for (uint32_t r = 0; direction(&c->rows[i]) == which && r < c->plan.n_runs; r++)
			rest[r] -= values[r];
	}
}

/* Whether a row is shown to differ as a part of what is left. */
static bool differs_in_rest(const struct compare *c, const struct compare_row *row,
			    const double *rest)
{
	const double *values = compare_values(c, row, COMPARE_SELF);
	double *part = xcalloc(c->plan.n_runs, sizeof *part), p;

	for (uint32_t r = 0; r < c->plan.n_runs; r++)
		part[r] = rest[r] > 0 ? values[r] / rest[r] : 0;
	p = ranksum_p(part, c->n_before, part + c->n_before, c->n_after);
	free(part);
	return p < COMPARE_LEVEL;
}

void compare_stats_find_room(struct compare *c)
{
	size_t n_grew = 0, n_shrank = 0;
	double *rest;
	int which;

	if (c->plan.per != COMPARE_PER_TOTAL)
		return;
	for (size_t i = 0; i < c->n_rows; i++) {
		n_grew += direction(&c->rows[i]) > 0;
		n_shrank += direction(&c->rows[i]) < 0;
	}
	if (!n_grew || !n_shrank)
		return;
	which = n_grew <= n_shrank ? 1 : -1;
	rest = xcalloc(c->plan.n_runs, sizeof *rest);
	find_rest(c, which, rest);
	for (size_t i = 0; i < c->n_rows; i++) {
		struct compare_row *row = &c->rows[i];

		if (direction(row) != -which || row->is_new || row->is_gone ||
		    differs_in_rest(c, row, rest))
			continue;
		row->value[COMPARE_SELF].differs = false;
		row->value[COMPARE_SELF].is_room = true;
		c->n_room++;
	}
	c->room_for = c->n_room ? which : 0;
	free(rest);
}

/* ---- the order ---- */

static int rank(const struct compare_value *v)
{
	return v->differs ? v->after <= v->before : v->is_tested ? 2 : 3;
}

static double weight(const struct compare *c, const struct compare_value *v)
{
	return c->n_after == 0 ? v->spread_before : fabs(v->after - v->before);
}

static bool row_before(const void *x, const void *y, const void *ctx)
{
	const struct compare_row *a = x, *b = y;
	const struct compare *c = ctx;
	const struct compare_value *u = &a->value[c->plan.sort], *v = &b->value[c->plan.sort];
	const struct frame *f = &c->view.frames[a->frame], *g = &c->view.frames[b->frame];
	int by_name;

	if (rank(u) != rank(v))
		return rank(u) < rank(v);
	if (weight(c, u) > weight(c, v) || weight(c, u) < weight(c, v))
		return weight(c, u) > weight(c, v);
	if (u->before > v->before || u->before < v->before)
		return u->before > v->before;
	by_name = strcmp(profile_text(c->profile, f->name), profile_text(c->profile, g->name));
	if (by_name == 0)
		by_name = strcmp(profile_text(c->profile, f->url),
				 profile_text(c->profile, g->url));
	if (by_name)
		return by_name < 0;
	if (f->line != g->line)
		return f->line < g->line;
	return a->node != b->node ? a->node < b->node : a->frame < b->frame;
}

void compare_stats_sort(struct compare *c)
{
	if (c->n_rows)
		sort_stable(c->rows, c->n_rows, sizeof *c->rows, row_before, c);
}

/* ---- what can be shown ---- */

size_t compare_stats_needed(const struct compare *c, enum compare_measure m)
{
	double least = ranksum_least_p(c->n_before, c->n_after);
	size_t n = c->n_tested[m], needed = 1;

	/* The least p of k of n becomes p n / k. */
	while (needed <= n && least * (double)n / (double)needed >= COMPARE_LEVEL)
		needed++;
	return needed <= n ? needed : 0;
}

/* Whether any tested row differs between the runs with a bit and those without. */
static bool any_differs(const struct compare *c, enum compare_measure m, uint32_t bits, double *p)
{
	uint32_t n_runs = c->plan.n_runs;
	size_t n = 0;

	for (size_t i = 0; i < c->n_rows; i++) {
		const double *values = compare_values(c, &c->rows[i], m);
		double side[2][COMPARE_SPLITS_MOST];
		size_t n_side[2] = { 0, 0 };

		if (!c->rows[i].value[m].is_tested)
			continue;
		for (uint32_t r = 0; r < n_runs; r++) {
			unsigned s = bits >> r & 1;

			side[s][n_side[s]++] = values[r];
		}
		p[n++] = fmax(ranksum_least_p(n_side[0], n_side[1]),
			      ranksum_p(side[0], n_side[0], side[1], n_side[1]));
	}
	ranksum_bh(p, n);
	for (size_t i = 0; i < n; i++)
		if (p[i] < COMPARE_LEVEL)
			return true;
	return false;
}

uint64_t compare_stats_splits(const struct compare *c, enum compare_measure m, uint64_t *n_differ)
{
	uint32_t n = c->plan.n_runs;
	double *p = xcalloc(c->n_rows, sizeof *p);
	uint64_t n_splits = 0;

	*n_differ = 0;
	for (uint32_t bits = 0; n >= 4 && n <= COMPARE_SPLITS_MOST && bits < 1u << n; bits++) {
		/* Of two halves of the same size, the one with the first run. */
		if ((uint32_t)__builtin_popcount(bits) != n / 2 || (n % 2 == 0 && !(bits & 1)))
			continue;
		n_splits++;
		*n_differ += any_differs(c, m, bits, p);
	}
	free(p);
	return n_splits;
}
