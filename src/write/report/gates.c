/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures are those of the tables: the lanes, range and transforms are the same. */
#include "config.h"

#include "write/report/gates.h"

#include "analyse/compare/ranksum.h"
#include "analyse/gate/gate.h"
#include "base/buf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "write/report/gather.h"
#include "write/report/json_out.h"
#include "write/report/page.h"
#include "write/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ==== gate line ====
 *
 * Gates come from the command line, so their text is made visible as all others. */

/* What became of a gate, for a page. */
static const char *gate_line_result(bool has_failed, bool is_open)
{
	return is_open ? "not decided" : has_failed ? "failed" : "passed";
}

#define NAME_CELLS 40
#define PLACE_CELLS 36

static void add_percent(double percent, struct buf *out)
{
	buf_addf(out, "%.1f %%", percent);
}

/* Where the longest task is; the lane only if there are several. */
static void add_place(const struct gate_value *value, const struct profile *profile,
		      struct buf *out)
{
	buf_addf(out, " at %s", amount_near(&value->amount, value->t0, value->ns, UNITS_ROOM));
	for (uint32_t i = 0; profile->n_lanes > 1 && i < profile->n_lanes; i++) {
		if (profile->lanes[i].id != value->lane)
			continue;
		buf_adds(out, " in ");
		lane_name_brief(profile, &profile->lanes[i], out);
	}
}

/* Append `gc > 5%: 14.2 % (205 ms of 1.45 s busy)`. */
static void add_result_figure(const struct gate_result *result, const struct profile *profile,
			      struct buf *out)
{
	const struct gate_value *value = &result->value;
	const char *of = result->gate->metric == GATE_IDLE || result->gate->metric == GATE_BUSY
		? " sampled"
		: " busy";
	const char *time = amount_text(&value->amount, value->ns, UNITS_ROOM);

	text_visible(out, result->gate->text, strlen(result->gate->text));
	buf_adds(out, ": ");
	if (value->is_at_most)
		buf_adds(out, "at most ");
	if (result->gate->unit == GATE_TIME) {
		buf_adds(out, time);
	} else {
		add_percent(result->figure, out);
		buf_addf(out, " (%s of %s%s)", time,
			 amount_text(&value->amount, value->whole_ns, UNITS_ROOM),
			 amount_is_time(&value->amount) ? of : "");
	}
	if (value->lane)
		add_place(value, profile, out);
}

/* Append `formatPrice catalogue.js:28:21`, truncated if it is long. */
static void gate_line_name(const struct frame *frame, const struct profile *profile,
			   struct buf *out)
{
	BUF_LOCAL place = { 0 };

	bool is_named = !profile_is_placed(profile, frame);

	if (is_named)
		text_fit(out, profile_text(profile, frame->name),
			 intern_len(&profile->strings, frame->name), NAME_CELLS);
	profile_location(profile, frame, false, &place);
	if (place.len) {
		buf_adds(out, is_named ? " " : "");
		text_fit_end(out, place.data, place.len, PLACE_CELLS);
	}
}

/* Append `formatPrice catalogue.js:28:21 14.2 %`, `render ...`, `3 more functions`; nothing if
 * there are none. profile: has the texts of the frames. */
static void add_result_functions(const struct gate_result *result, const struct profile *profile,
				 struct buf *out)
{
	const struct gate_value *value = &result->value;
	char text[UNITS_MAX];

	for (uint32_t i = 0; i < value->n_functions; i++) {
		buf_adds(out, i ? ", " : "");
		gate_line_name(&value->functions[i], profile, out);
		if (result->gate->unit == GATE_TIME)
			amount_text(&value->amount, value->function_ns[i], text);
		else
			units_percent(value->function_ns[i], value->whole_ns, text);
		buf_addf(out, " %s", text);
	}
	if (value->n_more)
		buf_addf(out, ", %u more function%s", (unsigned)value->n_more,
			 value->n_more == 1 ? "" : "s");
}

/* Append why the gate is not decided; nothing if it is. */
static void add_result_doubt(const struct gate_result *result, struct buf *out)
{
	if (result->value.lack != GATE_LACKS_NOTHING) {
		buf_adds(out, gate_value_lack(result->value.lack));
	} else if (result->is_undecided) {
		buf_adds(out, "nearer to the limit than the error of sampling, ");
		if (result->gate->unit == GATE_TIME)
			buf_adds(out,
				 amount_text(&result->value.amount, result->value.error_ns,
					     UNITS_ROOM));
		else
			add_percent(result->error, out);
	}
}

void gates_line(const struct gate_result *result, const struct profile *profile, bool has_failed,
		struct buf *out)
{
	add_result_figure(result, profile, out);
	if (!has_failed)
		buf_adds(out, "; ");
	else if (result->value.n_functions)
		buf_adds(out, ": ");
	if (has_failed)
		add_result_functions(result, profile, out);
	else
		add_result_doubt(result, out);
}

/* ==== diff gates ====
 *
 * Values are in percent or in ns (gate_runs_is_share()); functions have the unit of the comparison,
 * as its tables have. */

#define TEXT 96           /* bytes of a value with its unit */
#define CHANGE (TEXT + 2) /* the same with a sign */

/* ---- values ---- */

static void format_value(const struct compare *c, const struct gate *gate, double value,
			 char out[TEXT])
{
	if (gate_runs_is_share(c, gate)) {
		snprintf(out, TEXT, "%.1f %%", value);
		return;
	}
	/* Blocked time is not normalised. */
	snprintf(out, TEXT, "%s%s", profile_value(c->profile, (int64_t)value, UNITS_ROOM),
		 gate->metric == GATE_BLOCKED               ? ""
			 : c->plan.per == COMPARE_PER_TIME  ? "/s"
			 : c->plan.per == COMPARE_PER_COUNT ? "/call"
							    : "");
}

/* ---- sentences ---- */

/* Append `gc > +5%: +42.5 %, from 12.0 % to 17.1 %; p 0.0022 of 6 + 6 runs`. */
static void add_change_figure(const struct compare *c, const struct gate_runs *gates, size_t i,
			      struct buf *out)
{
	const struct gate_change *change = &gates->changes[i];
	char by[CHANGE], before[TEXT], after[TEXT];
	char text[TEXT];

	switch (change->gate->unit) {
	case GATE_PERCENT:
		if (isinf(change->change))
			snprintf(by, CHANGE, "new");
		else
			snprintf(by, CHANGE, "%+.1f %%", change->change);
		break;
	case GATE_POINTS:
		snprintf(by, CHANGE, "%+.1f pt", change->change);
		break;
	case GATE_TIME:
		format_value(c, change->gate, fabs(change->change), text);
		snprintf(by, CHANGE, "%s%s", change->change < 0 ? "-" : "+", text);
		break;
	}
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

/* Append the functions that match. */
static void add_change_functions(const struct compare *c, const struct gate_runs *gates, size_t i,
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

/* Append the value of each run. */
static void add_change_runs(const struct compare *c, const struct gate_runs *gates, size_t i,
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

/* Append why the gate is not decided, or why it has not failed beyond its limit; nothing where
 * there is nothing to say. */
static void add_change_doubt(const struct compare *c, const struct gate_runs *gates, size_t i,
			     struct buf *out)
{
	const struct gate_change *change = &gates->changes[i];
	double limit = change->gate->limit;

	switch (change->doubt) {
	case GATE_DOUBT_LACK:
		buf_adds(out, gate_value_lack(change->lack));
		return;
	case GATE_DOUBT_RUNS:
		buf_addf(out,
			 "too few runs for a test, which needs %d + %d: only medians are "
			 "compared",
			 GATE_RUNS_MIN, GATE_RUNS_MIN);
		return;
	case GATE_DOUBT_GATES:
		buf_addf(out, "%zu + %zu runs can decide %u gate%s, not %zu", change->n_before,
			 change->n_after, gates_most(change), gates_most(change) == 1 ? "" : "s",
			 gates->n);
		return;
	case GATE_SURE:
		break;
	}
	if (change->has_failed ||
	    !(change->gate->is_below ? change->change < limit : change->change > limit))
		return;
	if (!change->is_above_floor)
		buf_addf(out, "beyond the limit, but below the floor of %.3g %%",
			 c->plan.floor * 100);
	else
		buf_adds(out, "beyond the limit, but not shown to differ");
}

void diff_gates_line(const struct compare *c, const struct gate_runs *gates, size_t i,
		     bool has_failed, struct buf *out)
{
	add_change_figure(c, gates, i, out);
	if (!has_failed) {
		buf_adds(out, "; ");
		add_change_doubt(c, gates, i, out);
		return;
	}
	if (gates->gates[i].n_functions)
		buf_adds(out, ": ");
	add_change_functions(c, gates, i, out);
	buf_adds(out, "; ");
	add_change_runs(c, gates, i, out);
}

/* ---- the page ---- */

static void add_item(struct page *page, int level, struct buf *text)
{
	if (text->len)
		page_item(page, level, text->data, text->len);
	buf_clear(text);
}

void diff_gates_page(struct page *page, const struct compare *c, const struct gate_runs *gates,
		     bool is_strict)
{
	BUF_LOCAL text = { 0 };

	if (!gates || !gates->n)
		return;
	page_section(page, "gates", NULL);
	for (size_t i = 0; i < gates->n; i++) {
		const struct gate_change *change = &gates->changes[i];
		/* Too little is known; medians of few runs decide unless the user is strict. */
		bool is_open = change->doubt != GATE_SURE &&
			(is_strict || (!change->has_failed && change->doubt != GATE_DOUBT_RUNS));

		buf_addf(&text, "%s: ", gate_line_result(change->has_failed, is_open));
		add_change_figure(c, gates, i, &text);
		add_item(page, 1, &text);
		if (change->has_failed) {
			add_change_functions(c, gates, i, &text);
			add_item(page, 2, &text);
			add_change_runs(c, gates, i, &text);
			add_item(page, 2, &text);
		}
		add_change_doubt(c, gates, i, &text);
		add_item(page, 2, &text);
	}
}

/* ---- JSON ---- */

/* The members that both kinds of gates begin with. doubt: why it is not decided; empty: it is. */
static void add_result(struct json_writer *w, const struct gate *gate, bool has_failed,
		       const struct buf *doubt, int indent)
{
	json_put(w, json_string("gate", gate->text),
		 json_string("result", has_failed ? "failed" : "passed"),
		 json_string("undecided", doubt->len ? doubt->data : NULL), json_line(indent),
		 json_string("metric", gate_metric_name(gate->metric)),
		 json_string("pattern", gate->pattern));
}

static void add_runs(struct json_writer *w, const struct gate_change *change, bool is_after)
{
	json_put(w, json_begin(is_after ? "runs_after" : "runs_before", "["));
	for (size_t k = 0; k < change->n_runs; k++)
		if (change->runs[k].is_after == is_after)
			json_put(w, json_number(NULL, change->runs[k].value, 9));
	json_put(w, json_end("]"));
}

static void add_change_json(struct json_writer *w, const struct compare *c,
			    const struct gate_runs *gates, size_t i)
{
	const struct gate_change *change = &gates->changes[i];
	BUF_LOCAL doubt = { 0 };

	if (change->doubt != GATE_SURE)
		add_change_doubt(c, gates, i, &doubt);
	json_put(w, json_begin(NULL, "{"));
	add_result(w, change->gate, change->has_failed, &doubt, 5);
	json_put(w, json_string("unit", gate_runs_is_share(c, change->gate) ? "%" : "ns"),
		 json_number("before", change->before, 9), json_number("after", change->after, 9),
		 json_number("change", isinf(change->change) ? NAN : change->change, 9),
		 json_number("p_corrected", gate_change_has_test(change) ? change->p : NAN, 9),
		 json_boolean("is_above_floor", change->is_above_floor));
	add_runs(w, change, false);
	add_runs(w, change, true);
	json_put(w, json_line(5), json_begin("functions", "["));
	for (uint32_t k = 0; k < gates->gates[i].n_functions; k++) {
		json_put(w, json_line(6), json_begin(NULL, "{"));
		json_out_frame(w, c->profile, &gates->gates[i].functions[k].frame);
		json_put(w, json_number("before", gates->gates[i].functions[k].before, 9),
			 json_number("after", gates->gates[i].functions[k].after, 9),
			 json_end("}"));
	}
	json_put(w, json_end("]"), json_integer("more_functions", gates->gates[i].n_more));
	json_put(w, json_end("}"));
}

void diff_gates_json(const struct compare *c, const struct gate_runs *gates, struct json_writer *w)
{
	if (!gates || !gates->n)
		return;
	json_put(w, json_line(2), json_begin("gates", "["));
	for (size_t i = 0; i < gates->n; i++) {
		json_put(w, json_line(4));
		add_change_json(w, c, gates, i);
	}
	json_put(w, json_end("\n  ]"));
}

/* ==== gates ==== */

bool gates_find(const struct scoped *scoped, const struct report_options *options,
		const struct gate *gates, size_t n, struct gate_result *results, struct error *err)
{
	bool is_grouped = options->scope.group != GROUP_FUNCTION, ok = true;
	struct report_options plain = *options;
	struct scoped functions = { 0 };
	struct gathered g;

	plain.scope.group = GROUP_FUNCTION;
	plain.scope.filter = NULL;
	if (is_grouped && !scoped_init(&functions, scoped->original, &plain.scope, err)) {
		scoped_done(&functions);
		return false;
	}
	gather_init(&g, is_grouped ? &functions : scoped, &plain, GATHER_TOTALS);
	for (size_t i = 0; ok && i < n; i++) {
		const struct gate_source source = { .profile = g.profile,
						    .lanes = g.lanes,
						    .n_lanes = g.n_lanes,
						    .t0 = plain.scope.t0,
						    .t1 = plain.scope.t1,
						    .totals = &g.totals };

		ok = gate_result_find(&gates[i], &source, &results[i], err);
	}
	gather_done(&g);
	if (is_grouped)
		scoped_done(&functions);
	return ok;
}

/* ---- the page ---- */

void gates_page(struct page *page)
{
	const struct report_options *options = page->g->options;
	const struct profile *profile = page->g->scoped->original;
	BUF_LOCAL text = { 0 };

	if (options->n_gates)
		page_section(page, "gates", NULL);
	for (size_t i = 0; i < options->n_gates; i++) {
		const struct gate_result *result = &options->gates[i];
		/* Too little is known; figures near the limit decide unless the user is strict. */
		bool is_open = result->is_undecided &&
			(options->is_strict ||
			 (!result->has_failed && result->value.lack != GATE_LACKS_NOTHING));

		buf_addf(&text, "%s: ", gate_line_result(result->has_failed, is_open));
		add_result_figure(result, profile, &text);
		add_item(page, 1, &text);
		if (result->has_failed)
			add_result_functions(result, profile, &text);
		add_item(page, 2, &text);
		add_result_doubt(result, &text);
		add_item(page, 2, &text);
	}
}

/* ---- JSON ---- */

static void add_result_json(struct json_writer *w, const struct gate_result *result,
			    const struct profile *profile)
{
	const struct gate_value *value = &result->value;
	BUF_LOCAL doubt = { 0 };

	add_result_doubt(result, &doubt);
	json_put(w, json_begin(NULL, "{"));
	add_result(w, result->gate, result->has_failed, &doubt, 3);
	json_put(w, json_out_member(profile, "time", value->ns),
		 json_out_member(profile, "whole", value->whole_ns),
		 json_out_member(profile, "error", value->error_ns),
		 json_if(value->lane, json_integer("lane", value->lane)),
		 json_if(value->lane, json_out_member(profile, "start", value->t0)),
		 json_begin("functions", "["));
	for (uint32_t i = 0; i < value->n_functions; i++) {
		json_put(w, json_line(3), json_begin(NULL, "{"));
		json_out_frame(w, profile, &value->functions[i]);
		json_put(w, json_out_member(profile, "time", value->function_ns[i]), json_end("}"));
	}
	json_put(w, json_end("]"), json_integer("more_functions", value->n_more), json_end("}"));
}

void gates_json(const struct report_options *options, const struct profile *profile,
		struct json_writer *w)
{
	if (!options->n_gates)
		return;
	json_put(w, json_line(1), json_begin("gates", "["));
	for (size_t i = 0; i < options->n_gates; i++) {
		json_put(w, json_line(2));
		add_result_json(w, &options->gates[i], profile);
	}
	json_put(w, json_end("]"));
}
