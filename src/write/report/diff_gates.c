/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values are in percent or in ns (gate_runs_is_share()); functions have the unit of the comparison,
 * as its tables have. */
#include "config.h"

#include "write/report/diff_gates.h"

#include "analyse/compare/ranksum.h"
#include "base/text.h"
#include "base/units.h"
#include "write/report/gate_line.h"
#include "write/report/json_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT 96           /* bytes of a value with its unit */
#define CHANGE (TEXT + 2) /* the same with a sign */

/* ---- values ---- */

/* What times are per, if the gate is about normalised ones. */
static const char *per_text(const struct compare *c, const struct gate *gate)
{
	if (gate->metric == GATE_BLOCKED)
		return "";
	return c->plan.per == COMPARE_PER_TIME     ? "/s"
		: c->plan.per == COMPARE_PER_COUNT ? "/call"
						   : "";
}

static void format_value(const struct compare *c, const struct gate *gate, double value,
			 char out[TEXT])
{
	char time[UNITS_MAX];

	if (gate_runs_is_share(c, gate)) {
		snprintf(out, TEXT, "%.1f %%", value);
		return;
	}
	profile_value(c->profile, (int64_t)value, time);
	snprintf(out, TEXT, "%s%s", time, per_text(c, gate));
}

static void format_change(const struct compare *c, const struct gate_change *change,
			  char out[CHANGE])
{
	char text[TEXT];

	switch (change->gate->unit) {
	case GATE_PERCENT:
		if (isinf(change->change))
			snprintf(out, CHANGE, "new");
		else
			snprintf(out, CHANGE, "%+.1f %%", change->change);
		break;
	case GATE_POINTS:
		snprintf(out, CHANGE, "%+.1f pt", change->change);
		break;
	case GATE_TIME:
		format_value(c, change->gate, fabs(change->change), text);
		snprintf(out, CHANGE, "%s%s", change->change < 0 ? "-" : "+", text);
		break;
	}
}

/* ---- sentences ---- */

void diff_gates_figure(const struct compare *c, const struct gate_runs *gates, size_t i,
		       struct buf *out)
{
	const struct gate_change *change = &gates->changes[i];
	char by[CHANGE], before[TEXT], after[TEXT];

	format_change(c, change, by);
	format_value(c, change->gate, change->before, before);
	format_value(c, change->gate, change->after, after);
	text_visible(out, change->gate->text, strlen(change->gate->text));
	buf_addf(out, ": %s, from %s to %s", by, before, after);
	if (gate_change_has_test(change))
		buf_addf(out, "; p %.2g of %zu + %zu runs", change->p, change->n_before,
			 change->n_after);
	else
		buf_addf(out, "; %zu + %zu runs", change->n_before, change->n_after);
}

void diff_gates_functions(const struct compare *c, const struct gate_runs *gates, size_t i,
			  struct buf *out)
{
	const struct gate_runs_gate *gate = &gates->gates[i];

	for (uint32_t k = 0; k < gate->n_functions; k++) {
		const struct gate_runs_function *f = &gate->functions[k];

		buf_adds(out, k ? ", " : "");
		gate_line_name(&f->frame, c->profile, out);
		buf_addf(out, " %.3g to %.3g %s", f->before, f->after, compare_unit(c));
	}
	if (gate->n_more)
		buf_addf(out, ", %u more function%s", (unsigned)gate->n_more,
			 gate->n_more == 1 ? "" : "s");
}

void diff_gates_runs(const struct compare *c, const struct gate_runs *gates, size_t i,
		     struct buf *out)
{
	const struct gate_change *change = &gates->changes[i];

	for (int side = 0; side < 2; side++) {
		buf_adds(out, side ? "; after" : "before");
		for (size_t k = 0, n = 0; k < change->n_runs; k++) {
			const struct gate_run *run = &change->runs[k];
			char text[TEXT];

			if (run->is_after != (side == 1))
				continue;
			format_value(c, change->gate,
				     change->gate->unit == GATE_POINTS && run->whole > 0
					     ? 100 * run->value / run->whole
					     : run->value,
				     text);
			buf_addf(out, "%s%s", n++ ? ", " : " ", text);
		}
	}
}

/* How many gates runs of this number can decide: Holm multiplies the least p by their number. */
static unsigned gates_most(const struct gate_change *change)
{
	double least = ranksum_least_p(change->n_before, change->n_after);
	unsigned n = 0;

	while (n < 1000 && least * (n + 1) < GATE_LEVEL)
		n++;
	return n;
}

static bool is_beyond(const struct gate_change *change)
{
	return change->gate->is_below ? change->change < change->gate->limit
				      : change->change > change->gate->limit;
}

void diff_gates_doubt(const struct compare *c, const struct gate_runs *gates, size_t i,
		      struct buf *out)
{
	const struct gate_change *change = &gates->changes[i];

	switch (change->doubt) {
	case GATE_DOUBT_LACK:
		buf_adds(out, gate_value_lack(change->lack));
		return;
	case GATE_DOUBT_RUNS:
		buf_addf(out,
			 "too few runs for a test, which needs %d + %d: only medians are "
			 "compared",
			 GATE_RUNS_LEAST, GATE_RUNS_LEAST);
		return;
	case GATE_DOUBT_GATES:
		buf_addf(out, "%zu + %zu runs can decide %u gate%s, not %zu", change->n_before,
			 change->n_after, gates_most(change), gates_most(change) == 1 ? "" : "s",
			 gates->n);
		return;
	case GATE_SURE:
		break;
	}
	if (change->has_failed || !is_beyond(change))
		return;
	if (!change->is_above_floor)
		buf_addf(out, "beyond the limit, but below the floor of %.3g %%",
			 c->plan.floor * 100);
	else
		buf_adds(out, "beyond the limit, but not shown to differ");
}

/* ---- the page ---- */

static void add_item(struct page *page, int level, struct buf *text)
{
	if (text->len)
		page_item(page, level, text->data, text->len);
	buf_clear(text);
}

/* Whether too little is known: medians of few runs decide unless the user is strict. */
static bool is_open(const struct gate_change *change, bool is_strict)
{
	return change->doubt != GATE_SURE &&
		(is_strict || (!change->has_failed && change->doubt != GATE_DOUBT_RUNS));
}

void diff_gates_page(struct page *page, const struct compare *c, const struct gate_runs *gates,
		     bool is_strict)
{
	struct buf text = { 0 };

	if (!gates || !gates->n)
		return;
	page_section(page, "gates", NULL);
	for (size_t i = 0; i < gates->n; i++) {
		buf_addf(&text, "%s: ",
			 gate_line_result(gates->changes[i].has_failed,
					  is_open(&gates->changes[i], is_strict)));
		diff_gates_figure(c, gates, i, &text);
		add_item(page, 1, &text);
		if (gates->changes[i].has_failed) {
			diff_gates_functions(c, gates, i, &text);
			add_item(page, 2, &text);
			diff_gates_runs(c, gates, i, &text);
			add_item(page, 2, &text);
		}
		diff_gates_doubt(c, gates, i, &text);
		add_item(page, 2, &text);
	}
	buf_done(&text);
}

/* ---- JSON ---- */

static void add_text(struct buf *out, const struct buf *text)
{
	if (text->len)
		json_out_text(out, text->data, text->len);
	else
		buf_adds(out, "null");
}

static void add_runs(const struct gate_change *change, bool is_after, struct buf *out)
{
	bool is_first = true;

	buf_addf(out, ", \"runs_%s\": [", is_after ? "after" : "before");
	for (size_t k = 0; k < change->n_runs; k++) {
		if (change->runs[k].is_after != is_after)
			continue;
		buf_addf(out, "%s%.9g", is_first ? "" : ", ", change->runs[k].value);
		is_first = false;
	}
	buf_addc(out, ']');
}

static void add_functions(const struct compare *c, const struct gate_runs_gate *gate,
			  struct buf *out)
{
	buf_adds(out, ",\n     \"functions\": [");
	for (uint32_t k = 0; k < gate->n_functions; k++) {
		buf_adds(out, k ? ",\n      {" : "\n      {");
		json_out_frame(out, c->profile, &gate->functions[k].frame);
		buf_addf(out, ", \"before\": %.9g, \"after\": %.9g}", gate->functions[k].before,
			 gate->functions[k].after);
	}
	buf_addf(out, "], \"more_functions\": %u", (unsigned)gate->n_more);
}

static void add_gate(const struct compare *c, const struct gate_runs *gates, size_t i,
		     struct buf *out)
{
	const struct gate_change *change = &gates->changes[i];
	const struct gate *gate = change->gate;
	struct buf doubt = { 0 };

	buf_adds(out, "{\"gate\": ");
	json_out_text(out, gate->text, strlen(gate->text));
	if (change->doubt != GATE_SURE)
		diff_gates_doubt(c, gates, i, &doubt);
	buf_addf(out,
		 ", \"result\": \"%s\", \"undecided\": ", change->has_failed ? "failed" : "passed");
	add_text(out, &doubt);
	buf_done(&doubt);
	buf_addf(out, ",\n     \"metric\": \"%s\", \"pattern\": ", gate_metric_name(gate->metric));
	if (gate->pattern)
		json_out_text(out, gate->pattern, strlen(gate->pattern));
	else
		buf_adds(out, "null");
	buf_addf(out, ", \"unit\": \"%s\", \"before\": %.9g, \"after\": %.9g, \"change\": ",
		 gate_runs_is_share(c, gate) ? "%" : "ns", change->before, change->after);
	if (isinf(change->change))
		buf_adds(out, "null");
	else
		buf_addf(out, "%.9g", change->change);
	buf_adds(out, ", \"p_corrected\": ");
	if (gate_change_has_test(change))
		buf_addf(out, "%.9g", change->p);
	else
		buf_adds(out, "null");
	buf_addf(out, ", \"is_above_floor\": %s", change->is_above_floor ? "true" : "false");
	add_runs(change, false, out);
	add_runs(change, true, out);
	add_functions(c, &gates->gates[i], out);
	buf_addc(out, '}');
}

void diff_gates_json(const struct compare *c, const struct gate_runs *gates, struct buf *out)
{
	if (!gates || !gates->n)
		return;
	buf_adds(out, "  \"gates\": [");
	for (size_t i = 0; i < gates->n; i++) {
		buf_adds(out, i ? ",\n    " : "\n    ");
		add_gate(c, gates, i, out);
	}
	buf_adds(out, "\n  ],\n");
}
