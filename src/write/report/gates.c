/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures are those of the tables: the lanes, range and transforms are the same. */
#include "config.h"

#include "write/report/gates.h"

#include "write/report/gate_line.h"
#include "write/report/gather.h"
#include "write/report/json_out.h"
#include "write/report/page.h"

#include <string.h>

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
	gather_init(&g, is_grouped ? &functions : scoped, &plain);
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

static void add_item(struct page *page, int level, struct buf *text)
{
	if (text->len)
		page_item(page, level, text->data, text->len);
	buf_clear(text);
}

/* Whether too little is known: figures near the limit decide unless the user is strict. */
static bool is_open(const struct gate_result *result, const struct report_options *options)
{
	return result->is_undecided &&
		(options->is_strict ||
		 (!result->has_failed && result->value.lack != GATE_LACKS_NOTHING));
}

void gates_page(struct page *page)
{
	const struct report_options *options = page->g->options;
	const struct profile *profile = page->g->scoped->original;
	struct buf text = { 0 };

	if (options->n_gates)
		page_section(page, "gates", NULL);
	for (size_t i = 0; i < options->n_gates; i++) {
		const struct gate_result *result = &options->gates[i];

		buf_addf(&text,
			 "%s: ", gate_line_result(result->has_failed, is_open(result, options)));
		gate_line_figure(result, profile, &text);
		add_item(page, 1, &text);
		if (result->has_failed)
			gate_line_functions(result, profile, ", ", &text);
		add_item(page, 2, &text);
		gate_line_doubt(result, &text);
		add_item(page, 2, &text);
	}
	buf_done(&text);
}

/* ---- JSON ---- */

static void add_functions(const struct gate_value *value, const struct profile *profile,
			  struct buf *out)
{
	buf_adds(out, ", \"functions\": [");
	for (uint32_t i = 0; i < value->n_functions; i++) {
		buf_adds(out, i ? ",\n   {" : "\n   {");
		json_out_frame(out, profile, &value->functions[i]);
		json_out_member(out, profile, ", \"time", value->function_ns[i]);
		buf_addc(out, '}');
	}
	buf_addf(out, "], \"more_functions\": %u", (unsigned)value->n_more);
}

static void add_gate(const struct gate_result *result, const struct profile *profile,
		     struct buf *out)
{
	const struct gate_value *value = &result->value;
	const struct gate *gate = result->gate;
	struct buf doubt = { 0 };

	buf_adds(out, "{\"gate\": ");
	json_out_text(out, gate->text, strlen(gate->text));
	buf_addf(out,
		 ", \"result\": \"%s\", \"undecided\": ", result->has_failed ? "failed" : "passed");
	gate_line_doubt(result, &doubt);
	if (doubt.len)
		json_out_text(out, doubt.data, doubt.len);
	else
		buf_adds(out, "null");
	buf_done(&doubt);
	buf_addf(out, ",\n   \"metric\": \"%s\", \"pattern\": ", gate_metric_name(gate->metric));
	if (gate->pattern)
		json_out_text(out, gate->pattern, strlen(gate->pattern));
	else
		buf_adds(out, "null");
	json_out_member(out, profile, ", \"time", value->ns);
	json_out_member(out, profile, ", \"whole", value->whole_ns);
	json_out_member(out, profile, ", \"error", value->error_ns);
	if (value->lane) {
		buf_addf(out, ", \"lane\": %u", (unsigned)value->lane);
		json_out_member(out, profile, ", \"start", value->t0);
	}
	add_functions(value, profile, out);
	buf_addc(out, '}');
}

void gates_json(const struct report_options *options, const struct profile *profile,
		struct buf *out)
{
	if (!options->n_gates)
		return;
	buf_adds(out, " \"gates\": [");
	for (size_t i = 0; i < options->n_gates; i++) {
		buf_adds(out, i ? ",\n  " : "\n  ");
		add_gate(&options->gates[i], profile, out);
	}
	buf_adds(out, "],\n");
}
