/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of all runs are frames of one view, so that a pattern is about the same functions
 * in each run. A group of functions is one figure of each run: the sum is tested, not its parts. */
#include "config.h"

#include "analyse/gate/gate_runs.h"

#include "analyse/compare/compare.h"
#include "analyse/compare/ranksum.h"
#include "analyse/gate/gate.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

/* ==== gate change ====
 *
 * First each gate alone, with its own p; then all of them together, as the correction wants it. */

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

/* Decide n gates. Of each `gate`, `runs`, `n_runs` and `lack` are set. floor: the part of `whole`
 * that a change must have; a blocked event loop has none. */
static void gate_change_decide(struct gate_change *changes, size_t n, double floor)
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

/* ==== gate runs ==== */

/* ---- figures ---- */

bool gate_runs_is_share(const struct compare *c, const struct gate *gate)
{
	if (gate->metric == GATE_BLOCKED || gate->unit == GATE_TIME)
		return false;
	return gate->unit == GATE_POINTS || c->plan.per == COMPARE_PER_TOTAL;
}

/* What a time in ns is multiplied by. The blocks of an event loop are as long as they are, and
 * times are not shares: both stay as recorded if the comparison is one of shares. */
static double factor(const struct compare *c, uint32_t run, const struct gate *gate,
		     const struct gate_value *value)
{
	if (gate_runs_is_share(c, gate))
		return value->whole_ns > 0 ? 100 / (double)value->whole_ns : 0;
	if (gate->metric == GATE_BLOCKED || c->plan.per == COMPARE_PER_TOTAL)
		return 1;
	return compare_scale(c, run) * 1e6;
}

/* What all runs lack. The lengths of samples must be measured in each of them. */
static enum gate_lack joined_lack(enum gate_lack all, enum gate_lack one, bool is_first)
{
	if (is_first || one == GATE_LACKS_TIME || all == one)
		return one;
	return all == GATE_LACKS_TIME ? all : GATE_LACKS_NOTHING;
}

static uint32_t find_lanes(const struct profile *p, const struct compare_run *run,
			   const struct lane **lanes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (run->is_lane[i])
			lanes[n++] = &p->lanes[i];
	return n;
}

static bool measure_run(struct gate_runs *out, struct compare *c, uint32_t run,
			const struct lane **lanes, struct error *err)
{
	const struct compare_run *r = &c->plan.runs[run];
	const struct gate_source source = { .profile = c->profile,
					    .lanes = lanes,
					    .n_lanes = find_lanes(c->profile, r, lanes),
					    .t0 = r->t0,
					    .t1 = r->t1,
					    .totals = &c->totals };

	compare_totals(c, run);
	for (size_t i = 0; i < out->n; i++) {
		struct gate_change *change = &out->changes[i];
		struct gate_value value;
		double by;

		if (!gate_value_find(change->gate, &source, &value, err))
			return false;
		change->lack = joined_lack(change->lack, value.lack, run == 0);
		out->gates[i].is_all = value.is_all && (run == 0 || out->gates[i].is_all);
		/* A run without busy time has no share. */
		if (value.whole_ns <= 0 && change->gate->unit != GATE_TIME)
			continue;
		by = factor(c, run, change->gate, &value);
		out->gates[i].runs[change->n_runs++] =
			(struct gate_run){ .is_after = r->is_after,
					   .value = (double)value.ns * by,
					   .whole = (double)value.whole_ns * by };
	}
	return true;
}

static bool measure_runs(struct gate_runs *out, struct compare *c, struct error *err)
{
	const struct lane **lanes = xcalloc(c->profile->n_lanes + 1, sizeof *lanes);
	bool ok = true;

	for (uint32_t run = 0; ok && run < c->plan.n_runs; run++)
		ok = measure_run(out, c, run, lanes, err);
	free(lanes);
	return ok;
}

/* ---- functions ---- */

static double change_of_runs(const struct gate_runs_function *f)
{
	return fabs(f->after - f->before);
}

static void add_function(struct gate_runs_gate *gate, const struct gate_runs_function *f)
{
	uint32_t at = gate->n_functions;

	while (at > 0 && change_of_runs(&gate->functions[at - 1]) < change_of_runs(f))
		at--;
	if (gate->n_functions < GATE_FUNCTIONS_MAX)
		gate->n_functions++;
	else
		gate->n_more++;
	for (uint32_t i = gate->n_functions; i-- > at + 1;)
		gate->functions[i] = gate->functions[i - 1];
	if (at < GATE_FUNCTIONS_MAX)
		gate->functions[at] = *f;
}

static bool find_functions(const struct compare *c, const struct gate *gate,
			   struct gate_runs_gate *out, struct error *err)
{
	enum compare_measure measure_runs = gate->metric == GATE_SELF ? COMPARE_SELF
								      : COMPARE_TOTAL;
	uint8_t *is_match;
	bool ok;

	if (!gate->pattern)
		return true;
	is_match = gate_value_matches(c->profile, c->view.frames, c->view.n_frames, gate->pattern,
				      err);
	ok = is_match != NULL;
	for (size_t i = 0; ok && i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];
		const struct compare_value *v = &row->value[measure_runs];

		if (is_match[row->frame] && (v->before > 0 || v->after > 0))
			add_function(
				out,
				&(struct gate_runs_function){ .frame = c->view.frames[row->frame],
							      .before = v->before,
							      .after = v->after });
	}
	free(is_match);
	return ok;
}

/* ---- all of them ---- */

static bool decide_runs(struct gate_runs *out, struct compare *c, struct error *err)
{
	if (!measure_runs(out, c, err))
		return false;
	gate_change_decide(out->changes, out->n, c->plan.floor);
	for (size_t i = 0; i < out->n; i++)
		if (out->gates[i].is_all && gate_runs_is_share(c, out->changes[i].gate))
			return gate_value_refuse(out->changes[i].gate, err);
	for (size_t i = 0; i < out->n; i++)
		if (!find_functions(c, out->changes[i].gate, &out->gates[i], err))
			return false;
	return true;
}

bool gate_runs_init(struct gate_runs *out, const struct compare *compare, const struct gate *gates,
		    size_t n, struct error *err)
{
	struct compare_plan plan = compare->plan;
	struct scope scope = *plan.scope;
	struct compare functions;
	bool ok;

	*out = (struct gate_runs){ .gates = xcalloc(n + 1, sizeof *out->gates),
				   .changes = xcalloc(n + 1, sizeof *out->changes),
				   .n = n };
	for (size_t i = 0; i < n; i++) {
		out->gates[i].runs = xcalloc(plan.n_runs + 1, sizeof *out->gates[i].runs);
		out->changes[i].gate = &gates[i];
		out->changes[i].runs = out->gates[i].runs;
	}
	scope.group = GROUP_FUNCTION;
	scope.filter = NULL;
	plan.scope = &scope;
	plan.match = plan.match == MATCH_STACK ? MATCH_IN_FILE : plan.match;
	ok = compare_init(&functions, compare->profile, &plan, err) &&
		decide_runs(out, &functions, err);
	compare_done(&functions);
	return ok;
}

void gate_runs_done(struct gate_runs *out)
{
	for (size_t i = 0; i < out->n; i++)
		free(out->gates[i].runs);
	free(out->gates);
	free(out->changes);
	*out = (struct gate_runs){ 0 };
}
