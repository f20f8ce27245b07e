/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `diff --format=csv`: a row for each function, as RFC 4180 defines it. What is not known is empty.
 */
#include "config.h"

#include "write/report/diff.h"

#include "analyse/compare/compare_stats.h"
#include "write/report/csv_cell.h"

#include <string.h>

static void add_text(struct buf *out, const struct compare *c, str_id id, bool is_raw)
{
	csv_cell_text(out, profile_text(c->profile, id),
		      id ? intern_len(&c->profile->strings, id) : 0, is_raw);
	buf_addc(out, ',');
}

static void add_headings(const struct compare *c, struct buf *out)
{
	static const char *const measure[] = { "self", "total" };

	buf_adds(out, "name,url,script,line,column,category,package,callers,is_new,is_gone");
	for (int m = 0; m < COMPARE_MEASURES; m++) {
		const char *s = measure[m];

		buf_addf(out,
			 ",%s_before,%s_after,%s_change,%s_change_percent,%s_spread_before,"
			 "%s_spread_after,%s_p,%s_p_corrected,%s_differs",
			 s, s, s, s, s, s, s, s, s);
		for (uint32_t r = 0; r < c->plan.n_runs; r++)
			buf_addf(out, ",%s_%s_%u", s, c->plan.runs[r].is_after ? "after" : "before",
				 (unsigned)(c->plan.runs[r].is_after ? r - c->n_before : r) + 1);
	}
	buf_adds(out, "\r\n");
}

static void add_known(struct buf *out, bool is_known, double value)
{
	if (is_known)
		buf_addf(out, ",%.9g", value);
	else
		buf_addc(out, ',');
}

static void add_measure(const struct compare *c, const struct compare_row *row,
			enum compare_measure m, struct buf *out)
{
	const struct compare_value *v = &row->value[m];
	const double *values = compare_values(c, row, m);
	bool has_after = c->n_after > 0, has_p = has_after && v->is_tested;

	add_known(out, true, v->before);
	add_known(out, has_after, v->after);
	add_known(out, has_after, v->after - v->before);
	add_known(out, has_after && v->before > 0, compare_stats_percent(v));
	add_known(out, true, v->spread_before);
	add_known(out, has_after, v->spread_after);
	add_known(out, has_p, v->p);
	add_known(out, has_p, v->corrected);
	buf_adds(out, !has_after ? "," : v->differs ? ",true" : ",false");
	for (uint32_t r = 0; r < c->plan.n_runs; r++)
		add_known(out, true, values[r]);
}

/* The callers of a call as a folded stack, the outermost first. */
static void add_callers(const struct compare *c, node_id node, bool is_raw, struct buf *out)
{
	const struct calltree *tree = c->view.tree;
	struct buf text = { 0 };

	for (unsigned rows = 1; node != NODE_ROOT && rows < tree->rows[node]; rows++) {
		node_id caller = calltree_ancestor(tree, node, rows);

		buf_adds(&text, rows > 1 ? ";" : "");
		buf_adds(&text, profile_text(c->profile, c->view.frames[tree->frame[caller]].name));
	}
	csv_cell_text(out, buf_text(&text), text.len, is_raw);
	buf_done(&text);
}

static void add_row(const struct compare *c, const struct compare_row *row, bool is_raw,
		    struct buf *out)
{
	const struct frame *f = &c->view.frames[row->frame];

	add_text(out, c, f->name, is_raw);
	add_text(out, c, f->url, is_raw);
	add_text(out, c, f->url ? 0 : f->script, is_raw);
	if (f->line > 0)
		buf_addf(out, "%d", f->line);
	buf_addc(out, ',');
	if (f->column > 0)
		buf_addf(out, "%d", f->column);
	buf_addf(out, ",%s,", category_name(f->category));
	add_text(out, c, f->package, is_raw);
	add_callers(c, row->node, is_raw, out);
	buf_addf(out, ",%s,%s", row->is_new ? "true" : "false", row->is_gone ? "true" : "false");
	add_measure(c, row, COMPARE_SELF, out);
	add_measure(c, row, COMPARE_TOTAL, out);
	buf_adds(out, "\r\n");
}

static void csv_write(const struct compare *c, const struct diff_options *options,
		      struct sink *sink)
{
	size_t n = c->n_rows;

	if (options->has_top && n > (size_t)options->top)
		n = (size_t)options->top;
	add_headings(c, sink_buf(sink));
	for (size_t i = 0; i < n; i++) {
		add_row(c, &c->rows[i], options->is_raw_csv, sink_buf(sink));
		if (!sink_step(sink))
			return;
	}
}

const struct diff_format diff_csv = { "csv", csv_write };
