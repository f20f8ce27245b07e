/* SPDX-License-Identifier: GPL-2.0-or-later */
/* First each gate alone, with its own p; then all of them together, as the correction wants it. */
#include "config.h"

#include "analyse/gate/gate_change.h"

#include "analyse/compare/compare_stats.h"
#include "analyse/compare/ranksum.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

static double compared(const struct gate *gate, const struct gate_run *run)
{
	if (gate->unit != GATE_POINTS)
		return run->value;
	return run->whole > 0 ? 100 * run->value / run->whole : 0;
}

static double change_of(const struct gate_change *c)
{
	double difference = c->after - c->before;

	if (c->gate->unit != GATE_PERCENT)
		return difference;
	if (c->before > 0)
		return 100 * difference / c->before;
	return difference > 0 ? INFINITY : 0;
}

/* Split the runs into values before and behind them values after, and wholes in the same way. */
static void split(struct gate_change *c, double *values, double *wholes)
{
	size_t before = 0, after;

	c->n_before = 0;
	for (size_t i = 0; i < c->n_runs; i++)
		c->n_before += !c->runs[i].is_after;
	c->n_after = c->n_runs - c->n_before;
	after = c->n_before;
	for (size_t i = 0; i < c->n_runs; i++) {
		size_t at = c->runs[i].is_after ? after++ : before++;

		values[at] = compared(c->gate, &c->runs[i]);
		wholes[at] = c->gate->unit == GATE_POINTS ? 100 : c->runs[i].whole;
	}
}

/* Everything except what depends on the other gates. */
static void measure(struct gate_change *c, double floor)
{
	double *values = xcalloc(c->n_runs + 1, sizeof *values);
	double *wholes = xcalloc(c->n_runs + 1, sizeof *wholes);
	double least;

	split(c, values, wholes);
	c->p = 1;
	if (gate_change_has_test(c))
		c->p = ranksum_p(values, c->n_before, values + c->n_before, c->n_after);
	c->before = compare_stats_median(values, (uint32_t)c->n_before);
	c->after = compare_stats_median(values + c->n_before, (uint32_t)c->n_after);
	c->change = change_of(c);
	least = floor * compare_stats_median(wholes, (uint32_t)c->n_runs);
	c->is_above_floor = c->gate->metric == GATE_BLOCKED || fabs(c->after - c->before) >= least;
	free(values);
	free(wholes);
}

static bool is_beyond(const struct gate_change *c)
{
	return c->gate->is_below ? c->change < c->gate->limit : c->change > c->gate->limit;
}

static void decide(struct gate_change *c, size_t n)
{
	bool has_test = gate_change_has_test(c);

	if (c->lack != GATE_LACKS_NOTHING)
		c->doubt = GATE_DOUBT_LACK;
	else if (!has_test)
		c->doubt = GATE_DOUBT_RUNS;
	else if (ranksum_least_p(c->n_before, c->n_after) * (double)n >= GATE_LEVEL)
		c->doubt = GATE_DOUBT_GATES;
	c->has_failed = (c->lack == GATE_LACKS_NOTHING || c->lack == GATE_LACKS_MATCH) &&
		is_beyond(c) && c->is_above_floor && (!has_test || c->p < GATE_LEVEL);
}

void gate_change_decide(struct gate_change *changes, size_t n, double floor)
{
	double *p = xcalloc(n + 1, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		measure(&changes[i], floor);
		p[i] = changes[i].p;
	}
	ranksum_holm(p, n);
	for (size_t i = 0; i < n; i++) {
		changes[i].p = p[i];
		decide(&changes[i], n);
	}
	free(p);
}
