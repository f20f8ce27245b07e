/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `diff --format=json`: all functions, in the order of the page. */
#include "config.h"

#include "write/report/diff.h"

#include "analyse/compare/compare_stats.h"
#include "analyse/compare/ranksum.h"
#include "write/report/diff_gates.h"
#include "write/report/json_out.h"

#include <inttypes.h>
#include <string.h>

/* As many digits as decide; a sum of ns has no more. */
static void add_value(struct buf *out, const char *key, double value)
{
	buf_addf(out, ", \"%s\": %.9g", key, value);
}

static void add_bool(struct buf *out, const char *key, bool is)
{
	buf_addf(out, ", \"%s\": %s", key, is ? "true" : "false");
}

static void add_runs(const struct compare *c, struct buf *out)
{
	buf_adds(out, "  \"runs\": [");
	for (uint32_t i = 0; i < c->plan.n_runs; i++) {
		const struct compare_run *run = &c->plan.runs[i];
		const struct compare_figures *f = &c->figures[i];

		buf_addf(out, "%s\n    {\"name\": ", i ? "," : "");
		json_out_text(out, run->name, strlen(run->name));
		buf_addf(out, ", \"side\": \"%s\"",
			 c->n_after == 0         ? "noise"
				 : run->is_after ? "after"
						 : "before");
		json_out_member(out, c->profile, ", \"whole", f->whole_ns);
		json_out_member(out, c->profile, ", \"busy", f->busy_ns);
		json_out_member(out, c->profile, ", \"length", f->length_ns);
		buf_addf(out, ", \"samples\": %" PRIu64 ", \"calls\": ", f->n_samples);
		json_out_known(out, (int64_t)f->n_calls, c->plan.per == COMPARE_PER_COUNT);
		add_bool(out, "is_odd", f->is_odd);
		buf_addc(out, '}');
	}
	buf_adds(out, "\n  ],\n");
}

static void add_test(const struct compare *c, struct buf *out)
{
	static const char *const measure[] = { "self", "total" };
	uint64_t n_differ, n = c->n_after ? 0 : compare_stats_splits(c, c->plan.sort, &n_differ);

	buf_adds(out, "  \"test\": {\"level\": 0.05, \"least_p\": ");
	if (c->n_after)
		buf_addf(out, "%.9g", ranksum_least_p(c->n_before, c->n_after));
	else
		buf_adds(out, "null");
	for (int m = 0; m < COMPARE_MEASURES; m++)
		buf_addf(out, ", \"%s_tested\": %zu", measure[m], c->n_tested[m]);
	if (n)
		buf_addf(out, ", \"splits\": %" PRIu64 ", \"splits_that_differ\": %" PRIu64, n,
			 n_differ);
	buf_adds(out, "},\n");
}

static void add_list(struct buf *out, const char *key, const double *values, uint32_t n)
{
	buf_addf(out, ", \"%s\": [", key);
	for (uint32_t i = 0; i < n; i++)
		buf_addf(out, "%s%.9g", i ? ", " : "", values[i]);
	buf_addc(out, ']');
}

static void add_measure(const struct compare *c, const struct compare_row *row,
			enum compare_measure m, struct buf *out)
{
	const struct compare_value *v = &row->value[m];
	const double *values = compare_values(c, row, m);

	buf_addf(out, ",\n     \"%s\": {\"before\": %.9g", m == COMPARE_SELF ? "self" : "total",
		 v->before);
	if (c->n_after) {
		add_value(out, "after", v->after);
		add_value(out, "change", v->after - v->before);
		if (v->before > 0)
			add_value(out, "change_percent", compare_stats_percent(v));
		else
			buf_adds(out, ", \"change_percent\": null");
	}
	add_value(out, "spread_before", v->spread_before);
	if (c->n_after) {
		add_value(out, "spread_after", v->spread_after);
		if (v->is_tested) {
			add_value(out, "p", v->p);
			add_value(out, "p_corrected", v->corrected);
		} else {
			buf_adds(out, ", \"p\": null, \"p_corrected\": null");
		}
		add_bool(out, "differs", v->differs);
		if (v->is_room)
			add_bool(out, "is_room", true);
	}
	add_bool(out, "is_tested", v->is_tested);
	add_list(out, "runs_before", values, c->n_before);
	if (c->n_after)
		add_list(out, "runs_after", values + c->n_before, c->n_after);
	buf_addc(out, '}');
}

/* The callers of a call, the outermost first. */
static void add_stack(const struct compare *c, node_id node, struct buf *out)
{
	const struct calltree *tree = c->view.tree;

	buf_adds(out, ", \"callers\": [");
	for (unsigned rows = 1; rows < tree->rows[node]; rows++) {
		node_id caller = calltree_ancestor(tree, node, rows);

		buf_adds(out, rows > 1 ? ", " : "");
		json_out_string(out, c->profile, c->view.frames[tree->frame[caller]].name);
	}
	buf_addc(out, ']');
}

static bool add_row(const struct compare *c, const struct compare_row *row, bool is_first,
		    struct sink *sink)
{
	struct buf *out = sink_buf(sink);

	buf_addf(out, "%s\n    {", is_first ? "" : ",");
	json_out_frame(out, c->profile, &c->view.frames[row->frame]);
	if (row->node != NODE_ROOT)
		add_stack(c, row->node, out);
	add_bool(out, "is_new", row->is_new);
	add_bool(out, "is_gone", row->is_gone);
	add_measure(c, row, COMPARE_SELF, out);
	add_measure(c, row, COMPARE_TOTAL, out);
	buf_addc(out, '}');
	return sink_step(sink);
}

static void json_write(const struct compare *c, const struct diff_options *options,
		       struct sink *sink)
{
	struct buf *out = sink_buf(sink), scope = { 0 };
	size_t n = c->n_rows;

	if (options->has_top && n > (size_t)options->top)
		n = (size_t)options->top;
	scope_describe(&c->scope, c->profile, &scope);
	buf_addf(out,
		 "{\n  \"format\": \"flametty-diff\",\n  \"version\": 1,\n  \"per\": \"%s\",\n"
		 "  \"count\": ",
		 compare_per_word(c->plan.per));
	if (c->plan.per == COMPARE_PER_COUNT)
		json_out_text(out, c->plan.count, strlen(c->plan.count));
	else
		buf_adds(out, "null");
	buf_addf(out,
		 ",\n  \"unit\": \"%s\",\n  \"change_unit\": \"%s\",\n  \"match\": \"%s\",\n"
		 "  \"sort\": \"%s\",\n  \"floor_percent\": %.9g,\n  \"idle\": %s,\n"
		 "  \"scope\": ",
		 compare_unit(c), compare_change_unit(c), match_word(c->plan.match),
		 c->plan.sort == COMPARE_SELF ? "self" : "total", c->plan.floor * 100,
		 c->scope.has_idle ? "true" : "false");
	json_out_text(out, buf_text(&scope), scope.len);
	buf_adds(out, ",\n");
	add_runs(c, out);
	add_test(c, out);
	diff_gates_json(c, options->gates, out);
	buf_adds(out, "  \"functions\": [");
	for (size_t i = 0; i < n && add_row(c, &c->rows[i], i == 0, sink); i++)
		;
	buf_addf(out, "\n  ],\n  \"functions_left_out\": %zu\n}\n", c->n_rows - n);
	buf_done(&scope);
	sink_step(sink);
}

const struct diff_format diff_json = { "json", json_write };
