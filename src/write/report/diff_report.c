/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of formats. The first one is the default. */
#include "config.h"

#include "write/report/diff_report.h"

#include "analyse/compare/compare.h"
#include "analyse/compare/ranksum.h"
#include "analyse/compare/sides.h"
#include "analyse/gate/gate.h"
#include "base/alloc.h"
#include "base/sink.h"
#include "base/text.h"
#include "write/report/csv_out.h"
#include "write/report/gates.h"
#include "write/report/json_out.h"
#include "write/report/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== diff report csv ====
 *
 * `diff --format=csv`: a row for each function, as RFC 4180 defines it. What is not known is empty.
 */

static void add_headings(const struct compare *c, struct buf *out)
{
	static const char *const measure[] = { "self", "total" };

	buf_adds(out, CSV_FRAME_HEADINGS ",callers,is_new,is_gone");
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
static void add_callers(struct csv *out, const struct compare *c, node_id node)
{
	const struct calltree *tree = c->view.tree;
	struct buf text = { 0 };

	for (unsigned rows = 1; node != NODE_ROOT && rows < tree->rows[node]; rows++) {
		node_id caller = calltree_ancestor(tree, node, rows);

		buf_adds(&text, rows > 1 ? ";" : "");
		buf_adds(&text, profile_text(c->profile, c->view.frames[tree->frame[caller]].name));
	}
	csv_out_text(out, buf_text(&text), text.len);
	buf_done(&text);
}

static void csv_write(const struct compare *c, const struct diff_report_options *options,
		      struct sink *sink)
{
	const struct report_options own = { .is_raw_csv = options->is_raw_csv };
	const struct gathered g = { .profile = c->profile, .options = &own };
	struct csv out = { .g = &g, .sink = sink, .out = sink_buf(sink) };
	size_t n = c->n_rows;

	if (options->has_top && n > (size_t)options->top)
		n = (size_t)options->top;
	add_headings(c, out.out);
	for (size_t i = 0; i < n; i++) {
		const struct compare_row *row = &c->rows[i];

		csv_out_frame(&out, &c->view.frames[row->frame]);
		add_callers(&out, c, row->node);
		buf_addf(out.out, ",%s,%s", row->is_new ? "true" : "false",
			 row->is_gone ? "true" : "false");
		add_measure(c, row, COMPARE_SELF, out.out);
		add_measure(c, row, COMPARE_TOTAL, out.out);
		if (!csv_out_end(&out))
			return;
	}
}

static const struct diff_report_format diff_csv = { "csv", csv_write };

/* ==== diff report json ====
 *
 * `diff --format=json`: all functions, in the order of the page. */

/* As many digits as decide; a sum of ns has no more. */
static struct json_item number(const char *key, double value)
{
	return json_number(key, value, 9);
}

static struct json_item known(const char *key, double value, bool is_known)
{
	return is_known ? number(key, value) : json_raw(key, "null");
}

static void add_runs(struct json_writer *w, const struct compare *c)
{
	json_put(w, json_line(2), json_begin("runs", "["));
	for (uint32_t i = 0; i < c->plan.n_runs; i++) {
		const struct compare_run *run = &c->plan.runs[i];
		const struct compare_figures *f = &c->figures[i];

		json_put(w, json_line(4), json_begin(NULL, "{"), json_string("name", run->name),
			 json_string("side",
				     c->n_after == 0         ? "noise"
					     : run->is_after ? "after"
							     : "before"),
			 json_out_member(c->profile, "whole", f->whole_ns),
			 json_out_member(c->profile, "busy", f->busy_ns),
			 json_out_member(c->profile, "length", f->length_ns),
			 json_integer("samples", (int64_t)f->n_samples),
			 json_known("calls", (int64_t)f->n_calls, c->plan.per == COMPARE_PER_COUNT),
			 json_boolean("is_odd", f->is_odd), json_end("}"));
	}
	json_put(w, json_end("\n  ]"));
}

static void add_test(struct json_writer *w, const struct compare *c)
{
	uint64_t n_differ = 0,
		 n = c->n_after ? 0 : compare_stats_splits(c, c->plan.sort, &n_differ);

	json_put(w, json_line(2), json_begin("test", "{"), json_raw("level", "0.05"),
		 known("least_p", c->n_after ? ranksum_least_p(c->n_before, c->n_after) : 0,
		       c->n_after),
		 json_integer("self_tested", (int64_t)c->n_tested[COMPARE_SELF]),
		 json_integer("total_tested", (int64_t)c->n_tested[COMPARE_TOTAL]),
		 json_if(n, json_integer("splits", (int64_t)n)),
		 json_if(n, json_integer("splits_that_differ", (int64_t)n_differ)), json_end("}"));
}

static void add_list(struct json_writer *w, const char *key, const double *values, uint32_t n)
{
	json_put(w, json_begin(key, "["));
	for (uint32_t i = 0; i < n; i++)
		json_put(w, number(NULL, values[i]));
	json_put(w, json_end("]"));
}

static void add_measure_json(struct json_writer *w, const struct compare *c,
			     const struct compare_row *row, enum compare_measure m)
{
	const struct compare_value *v = &row->value[m];
	const double *values = compare_values(c, row, m);
	bool has_after = c->n_after > 0;

	json_put(w, json_line(5), json_begin(m == COMPARE_SELF ? "self" : "total", "{"),
		 number("before", v->before), json_if(has_after, number("after", v->after)),
		 json_if(has_after, number("change", v->after - v->before)),
		 json_if(has_after,
			 known("change_percent", compare_stats_percent(v), v->before > 0)),
		 number("spread_before", v->spread_before),
		 json_if(has_after, number("spread_after", v->spread_after)),
		 json_if(has_after, known("p", v->p, v->is_tested)),
		 json_if(has_after, known("p_corrected", v->corrected, v->is_tested)),
		 json_if(has_after, json_boolean("differs", v->differs)),
		 json_if(has_after && v->is_room, json_boolean("is_room", true)),
		 json_boolean("is_tested", v->is_tested));
	add_list(w, "runs_before", values, c->n_before);
	if (c->n_after)
		add_list(w, "runs_after", values + c->n_before, c->n_after);
	json_put(w, json_end("}"));
}

/* The callers of a call, the outermost first. */
static void add_stack(struct json_writer *w, const struct compare *c, node_id node)
{
	const struct calltree *tree = c->view.tree;

	json_put(w, json_begin("callers", "["));
	for (unsigned rows = 1; rows < tree->rows[node]; rows++) {
		node_id caller = calltree_ancestor(tree, node, rows);

		json_put(w,
			 json_out_string(NULL, c->profile,
					 c->view.frames[tree->frame[caller]].name));
	}
	json_put(w, json_end("]"));
}

static void add_row_json(struct json_writer *w, const struct compare *c,
			 const struct compare_row *row)
{
	json_put(w, json_line(4), json_begin(NULL, "{"));
	json_out_frame(w, c->profile, &c->view.frames[row->frame]);
	if (row->node != NODE_ROOT)
		add_stack(w, c, row->node);
	json_put(w, json_boolean("is_new", row->is_new), json_boolean("is_gone", row->is_gone));
	add_measure_json(w, c, row, COMPARE_SELF);
	add_measure_json(w, c, row, COMPARE_TOTAL);
	json_put(w, json_end("}"));
}

/* The members before the lists, each on a line of its own. */
static void add_plan(struct json_writer *w, const struct compare *c)
{
	struct buf scope = { 0 };
	const struct json_item members[] = {
		json_string("format", "flametty-diff"),
		json_integer("version", 1),
		json_string("per", compare_per_word(c->plan.per)),
		json_string("count", c->plan.per == COMPARE_PER_COUNT ? c->plan.count : NULL),
		json_string("unit", compare_unit(c)),
		json_string("change_unit", compare_change_unit(c)),
		json_string("match", match_word(c->plan.match)),
		json_string("sort", c->plan.sort == COMPARE_SELF ? "self" : "total"),
		number("floor_percent", c->plan.floor * 100),
		json_boolean("idle", c->scope.has_idle),
	};

	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		json_put(w, json_line(2), members[i]);
	scope_describe(&c->scope, c->profile, &scope);
	json_put(w, json_line(2), json_text("scope", buf_text(&scope), scope.len));
	buf_done(&scope);
}

static void json_write(const struct compare *c, const struct diff_report_options *options,
		       struct sink *sink)
{
	struct json_writer w = { .out = sink_buf(sink), .has_blanks = true };
	size_t n = c->n_rows;

	if (options->has_top && n > (size_t)options->top)
		n = (size_t)options->top;
	json_put(&w, json_begin(NULL, "{"));
	add_plan(&w, c);
	add_runs(&w, c);
	add_test(&w, c);
	diff_gates_json(c, options->gates, &w);
	json_put(&w, json_line(2), json_begin("functions", "["));
	for (size_t i = 0; i < n && sink_step(sink); i++)
		add_row_json(&w, c, &c->rows[i]);
	json_put(&w, json_end("\n  ]"), json_line(2),
		 json_integer("functions_left_out", (int64_t)(c->n_rows - n)), json_end("\n}\n"));
	sink_step(sink);
}

static const struct diff_report_format diff_json = { "json", json_write };

/* ==== diff report text ====
 *
 * The page of a comparison, in the forms of reports: what was compared, the runs, what the test can
 * show, the functions. The formats text and md differ in the form only. */

#define CELL 48 /* bytes of a number with its spread and its unit */
#define NAMES_MAX 2
#define UNITS_MIN 5     /* calls of each run that are pieces of its work */
#define UNIT_PERCENT 50 /* of the time of each side, that such calls have together */
#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* ---- numbers ---- */

/* Shares have one digit behind the point, times three digits in all. */
static int digits_of(const struct compare *c, double value)
{
	double abs = fabs(value);

	if (c->plan.per == COMPARE_PER_TOTAL)
		return 1;
	return abs >= 100 ? 0 : abs >= 10 ? 1 : abs >= 1 ? 2 : 3;
}

/* `17.9 ±0.8`; without a spread where there is one run. */
static void format_median(const struct compare *c, double value, double spread, uint32_t n,
			  char out[CELL])
{
	int digits = digits_of(c, value);

	if (n > 1)
		snprintf(out, CELL, "%.*f \302\261%.*f", digits, value, digits, spread);
	else
		snprintf(out, CELL, "%.*f", digits, value);
}

static void format_change(const struct compare *c, const struct compare_value *v, char out[CELL])
{
	double change = v->after - v->before;

	snprintf(out, CELL, "%+.*f", digits_of(c, change), change);
}

/* Relative to before. New and gone functions have a sign instead. */
static void format_percent(const struct compare_row *row, const struct compare_value *v,
			   char out[CELL])
{
	if (row->is_new)
		snprintf(out, CELL, "*");
	else if (row->is_gone)
		snprintf(out, CELL, "\342\200\240");
	else if (v->before <= 0)
		snprintf(out, CELL, "-");
	else
		snprintf(out, CELL, "%+.0f %%", compare_stats_percent(v));
}

static void format_p(const struct compare_value *v, char out[CELL])
{
	if (!v->is_tested)
		snprintf(out, CELL, "-");
	else if (v->is_room)
		snprintf(out, CELL, "room");
	else if (!v->differs)
		snprintf(out, CELL, "~ %.2f", v->corrected);
	else
		snprintf(out, CELL, v->corrected < 0.001 ? "%.1g" : "%.3f", v->corrected);
}

/* ---- the header ---- */

static bool is_noise(const struct compare *c)
{
	return c->n_after == 0;
}

/* Whether a p value says anything. */
static bool has_p_text(const struct compare *c)
{
	return c->n_before > 1 && c->n_after > 1;
}

/* What the rows are: `function`, `file`; of several, `functions`, `categories`. */
static const char *noun_of(const struct compare *c, bool is_plural)
{
	static const char *const plural[GROUP_COUNT] = { "functions",  "files", "packages",
							 "categories", "lanes", "event categories",
							 "names" };

	if (c->scope.group >= GROUP_LABEL)
		return is_plural ? "labels" : view_group_name(c->profile, c->scope.group);
	return is_plural ? plural[c->scope.group] : view_group_name(c->profile, c->scope.group);
}

static void add_runs_count(uint32_t n, const char *what, struct buf *out)
{
	buf_addf(out, "%u run%s%s", (unsigned)n, n == 1 ? "" : "s", what);
}

static void say_what(struct page *page, const struct compare *c)
{
	struct buf text = { 0 };
	char words[AMOUNT_WORDS_MAX];
	struct buf scope = { 0 };

	if (is_noise(c)) {
		add_runs_count(c->n_before, " of one program", &text);
	} else {
		add_runs_count(c->n_before, " before, ", &text);
		add_runs_count(c->n_after, " after", &text);
	}
	buf_addf(&text, ": %s in ",
		 amount_words(&page->unit,
			      c->plan.sort == COMPARE_SELF ? "self time" : "total time", words));
	if (c->plan.per == COMPARE_PER_TOTAL)
		buf_adds(&text,
			 amount_words(&page->unit, "percent of the time of each run", words));
	else if (c->plan.per == COMPARE_PER_TIME)
		buf_adds(&text, "ms per second from the start to the end of each run");
	else if (c->plan.per == COMPARE_PER_NONE)
		buf_adds(&text, compare_unit(c));
	else
		buf_addf(&text, "%s of /%s/",
			 amount_is_time(&page->unit) ? "ms per call" : compare_unit(c),
			 c->plan.count);
	if (c->plan.per == COMPARE_PER_TOTAL && amount_is_time(&page->unit))
		buf_addf(&text, ", idle time %s", c->scope.has_idle ? "included" : "excluded");
	page_item(page, 1, buf_text(&text), text.len);
	scope_describe(&c->scope, c->profile, &scope);
	if (scope.len) {
		buf_clear(&text);
		buf_addf(&text, "scope: %s", buf_text(&scope));
		page_item(page, 1, buf_text(&text), text.len);
	}
	buf_done(&scope);
	buf_done(&text);
}

/* What the numbers of runs can show. */
static void say_power(struct page *page, const struct compare *c)
{
	enum compare_measure m = c->plan.sort;
	size_t needed = compare_stats_needed(c, m);
	double least = ranksum_least_p(c->n_before, c->n_after);
	struct buf text = { 0 };

	if (c->n_before == 1 || c->n_after == 1) {
		buf_adds(&text,
			 "one run on a side: what changed most stands first; whether the program "
			 "changed is not known, as two runs of one program differ, too");
	} else if (least >= COMPARE_LEVEL) {
		buf_addf(&text,
			 "%u + %u runs cannot show that anything differs: the least p is %.2g; "
			 "4 + 4 runs can reach %.2g",
			 (unsigned)c->n_before, (unsigned)c->n_after, least, ranksum_least_p(4, 4));
	} else if (c->n_tested[m] == 0) {
		buf_addf(&text, "no %s has %.3g %% or more, so none is tested", noun_of(c, false),
			 c->plan.floor * 100);
	} else {
		buf_addf(&text,
			 "rank-sum test, p corrected for %zu %s of %.3g %% and more; the "
			 "least p of %u + %u runs is %.2g",
			 c->n_tested[m], noun_of(c, c->n_tested[m] != 1), c->plan.floor * 100,
			 (unsigned)c->n_before, (unsigned)c->n_after, least);
		if (needed != 1)
			buf_addf(&text,
				 needed ? ", so %zu of them must differ to be shown"
					: ", which is too few runs",
				 needed);
	}
	page_item(page, 1, buf_text(&text), text.len);
	buf_clear(&text);
	if (has_p_text(c) && least < COMPARE_LEVEL && c->n_tested[m]) {
		buf_adds(&text, "~: not shown to differ");
		page_item(page, 1, buf_text(&text), text.len);
	}
	buf_done(&text);
}

/* Add up to two names of rows that differ. */
static void add_names(const struct compare *c, bool has_grown, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_value *v = &c->rows[i].value[COMPARE_SELF];

		if (!v->differs || (v->after > v->before) != has_grown)
			continue;
		if (n < NAMES_MAX)
			buf_addf(out, "%s%s", n ? ", " : "",
				 profile_text(c->profile, c->view.frames[c->rows[i].frame].name));
		n++;
	}
	if (n > NAMES_MAX)
		buf_addf(out, " and %zu more", n - NAMES_MAX);
}

/* How often each run calls the functions that match: the sums of both sides. False: less than
 * UNITS_MIN times in one of the runs. */
static bool count_units(const struct compare *c, const char *pattern, uint64_t n[2])
{
	uint32_t n_runs = c->plan.n_runs;
	uint64_t *of = xcalloc(n_runs, sizeof *of);
	bool is_enough = call_count(c->profile, pattern, c->plan.runs, n_runs, of);

	n[0] = n[1] = 0;
	for (uint32_t i = 0; is_enough && i < n_runs; i++) {
		n[c->plan.runs[i].is_after] += of[i];
		is_enough = of[i] >= UNITS_MIN;
	}
	free(of);
	return is_enough;
}

/* Propose to compare time for each call of a function that is called for each piece of work: of the
 * user's own functions that have most of the time on both sides, the first with several calls. */
static void add_count(const struct compare *c, struct buf *out)
{
	double most = UNIT_PERCENT;
	struct buf best = { 0 };
	uint64_t n[2] = { 0, 0 }, calls[2];

	for (size_t i = 0; i < c->n_rows && c->plan.per == COMPARE_PER_TOTAL; i++) {
		const struct compare_value *v = &c->rows[i].value[COMPARE_TOTAL];
		const struct frame *f = &c->view.frames[c->rows[i].frame];
		const char *name = profile_text(c->profile, f->name);
		double least = v->before < v->after ? v->before : v->after;
		struct buf pattern = { 0 };

		if (f->category != CATEGORY_APP || least < most || !f->name || *name == '(' ||
		    c->scope.group != GROUP_FUNCTION || strlen(name) != strspn(name, WORD))
			continue;
		buf_addf(&pattern, "^%s$", name);
		if (count_units(c, buf_text(&pattern), calls)) {
			most = least;
			n[0] = calls[0];
			n[1] = calls[1];
			buf_clear(&best);
			buf_adds(&best, buf_text(&pattern));
		}
		buf_done(&pattern);
	}
	if (best.len)
		buf_addf(out,
			 "--per=count:'%s' compares time for each call of it instead of shares: "
			 "%" PRIu64 " calls before, %" PRIu64 " after",
			 buf_text(&best), n[0], n[1]);
	else
		buf_adds(out,
			 "--per=count:PATTERN, of a function that is called once for each "
			 "piece of work, compares time instead of shares");
	buf_done(&best);
}

/* Shares that only make room for others are no changes of their own. */
static void say_room(struct page *page, const struct compare *c)
{
	bool has_grown = c->room_for > 0;
	struct buf text = { 0 };

	if (!c->n_room || c->plan.sort != COMPARE_SELF)
		return;
	add_names(c, has_grown, &text);
	buf_addf(&text,
		 " %s; the share%s of %zu other%s %s with it (room): as %s of the rest, %s not "
		 "shown to differ",
		 has_grown ? "grew" : "shrank", c->n_room == 1 ? "" : "s", c->n_room,
		 c->n_room == 1 ? "" : "s",
		 has_grown ? (c->n_room == 1 ? "shrinks" : "shrink")
			   : (c->n_room == 1 ? "grows" : "grow"),
		 c->n_room == 1 ? "a part" : "parts", c->n_room == 1 ? "it is" : "they are");
	page_item(page, 1, buf_text(&text), text.len);
	buf_clear(&text);
	add_count(c, &text);
	page_item(page, 1, buf_text(&text), text.len);
	buf_done(&text);
}

/* How much runs of one program differ by chance. */
static void say_splits(struct page *page, const struct compare *c)
{
	uint64_t n_differ, n = compare_stats_splits(c, c->plan.sort, &n_differ);
	struct buf text = { 0 };

	if (n && c->n_before < 8)
		buf_addf(&text, "halves of %u runs are too small to show that anything differs",
			 (unsigned)c->n_before);
	else if (n)
		buf_addf(&text,
			 "of all %" PRIu64 " divisions into halves, %" PRIu64
			 " (%.1f %%) call a %s different",
			 n, n_differ, 100 * (double)n_differ / (double)n, noun_of(c, false));
	if (text.len)
		page_item(page, 1, buf_text(&text), text.len);
	buf_done(&text);
}

static void say_odd(struct page *page, const struct compare *c)
{
	uint32_t n = 0;
	char text[UNITS_MAX + 160];

	for (uint32_t i = 0; i < c->plan.n_runs; i++)
		n += c->figures[i].is_odd;
	if (!n)
		return;
	snprintf(text, sizeof text,
		 "! %u run%s off by more than a factor of 2 in busy time or samples: look at %s "
		 "before you believe a change",
		 (unsigned)n, n == 1 ? " is" : "s are", n == 1 ? "it" : "them");
	page_item(page, 1, text, strlen(text));
}

/* ---- the runs ---- */

static void add_runs_text(struct page *page, const struct compare *c)
{
	static const struct page_table table = {
		.title = "runs",
		.heading = "  side          busy      length   samples     run",
		.columns = { { "side", PAGE_WORDS, 2, 6 },
			     { "busy", PAGE_NUMBER, 1, 11 },
			     { "length", PAGE_NUMBER, 1, 11 },
			     { "samples", PAGE_NUMBER, 1, 9 },
			     { "odd", PAGE_NUMBER, 1, 1 },
			     { "run", PAGE_NAME, 3, 0 } },
	};

	page_begin(page, &table);
	for (uint32_t i = 0; i < c->plan.n_runs; i++) {
		const struct compare_run *run = &c->plan.runs[i];
		const struct compare_figures *f = &c->figures[i];
		char busy[UNITS_MAX], length[UNITS_MAX], samples[UNITS_MAX];

		profile_value(c->profile, f->busy_ns, busy);
		profile_value(c->profile, f->length_ns, length);
		units_count(f->n_samples, samples);
		page_row(page, &table,
			 (const struct page_cell[]){
				 page_short(is_noise(c)             ? "noise"
						    : run->is_after ? "after"
								    : "before"),
				 page_short(busy), page_short(length), page_short(samples),
				 page_short(f->is_odd ? "!" : ""), page_short(run->name) });
	}
	page_end(page, &table, 0, "run", "runs");
}

/* ---- the functions ---- */

static const struct page_table diff_table = {
	.title = "functions",
	.heading = "          before           after    change               p  name",
	.columns = { { "before", PAGE_NUMBER, 2, 14 },
		     { "after", PAGE_NUMBER, 2, 14 },
		     { "change", PAGE_NUMBER, 2, 8 },
		     { "change in %", PAGE_NUMBER, 1, 8 },
		     { "p", PAGE_NUMBER, 1, 6 },
		     { "name", PAGE_NAME, 2, 24 },
		     { "location", PAGE_PATH, 1, 0 } },
};

static const struct page_table noise_table = {
	.title = "functions by spread",
	.heading = "          median     least      most  name",
	.columns = { { "median", PAGE_NUMBER, 2, 14 },
		     { "least", PAGE_NUMBER, 1, 9 },
		     { "most", PAGE_NUMBER, 1, 9 },
		     { "name", PAGE_NAME, 2, 34 },
		     { "location", PAGE_PATH, 1, 0 } },
};

/* Where a function is; of a call, its callers, the nearest first. */
static void add_place(const struct compare *c, const struct compare_row *row, struct buf *out)
{
	const struct calltree *tree = c->view.tree;

	if (row->node == NODE_ROOT) {
		profile_location(c->profile, &c->view.frames[row->frame], false, out);
		return;
	}
	for (node_id n = tree->parent[row->node]; n != NODE_ROOT; n = tree->parent[n])
		buf_addf(out, "%s%s", out->len ? " < " : "< ",
			 profile_text(c->profile, c->view.frames[tree->frame[n]].name));
}

static void add_diff_row(struct page *page, const struct compare *c, const struct compare_row *row,
			 const struct page_cell *name, const struct page_cell *place)
{
	const struct compare_value *v = &row->value[c->plan.sort];
	char before[CELL], after[CELL], change[CELL], percent[CELL], p[CELL] = "";

	format_median(c, v->before, v->spread_before, c->n_before, before);
	format_median(c, v->after, v->spread_after, c->n_after, after);
	format_change(c, v, change);
	format_percent(row, v, percent);
	if (has_p_text(c))
		format_p(v, p);
	page_row(page, &diff_table,
		 (const struct page_cell[]){ page_short(before), page_short(after),
					     page_short(change), page_short(percent), page_short(p),
					     *name, *place });
}

static void add_noise_row(struct page *page, const struct compare *c, const struct compare_row *row,
			  const struct page_cell *name, const struct page_cell *place)
{
	const struct compare_value *v = &row->value[c->plan.sort];
	const double *values = compare_values(c, row, c->plan.sort);
	char median[CELL], least[CELL], most[CELL];
	double a = values[0], b = values[0];

	for (uint32_t i = 1; i < c->plan.n_runs; i++) {
		a = fmin(a, values[i]);
		b = fmax(b, values[i]);
	}
	format_median(c, v->before, v->spread_before, c->n_before, median);
	snprintf(least, CELL, "%.*f", digits_of(c, a), a);
	snprintf(most, CELL, "%.*f", digits_of(c, b), b);
	page_row(page, &noise_table,
		 (const struct page_cell[]){ page_short(median), page_short(least),
					     page_short(most), *name, *place });
}

static void add_functions(struct page *page, const struct compare *c,
			  const struct diff_report_options *options)
{
	const struct page_table *table = is_noise(c) ? &noise_table : &diff_table;
	struct page_table own = *table;
	char note[64], title[64];
	size_t n_tested = c->n_tested[c->plan.sort], n = 0;
	struct buf place = { 0 };

	if (c->plan.per == COMPARE_PER_TOTAL)
		snprintf(note, sizeof note, "in %%; changes in points (pt)");
	else
		snprintf(note, sizeof note, "in %s", compare_unit(c));
	own.note = note;
	snprintf(title, sizeof title, "%s%s", noun_of(c, true), is_noise(c) ? " by spread" : "");
	own.title = title;
	page_begin(page, &own);
	for (; n < n_tested && n < (size_t)options->top; n++) {
		const struct compare_row *row = &c->rows[n];
		str_id id = c->view.frames[row->frame].name;
		struct page_cell name = { .text = profile_text(c->profile, id),
					  .len = intern_len(&c->profile->strings, id) },
				 at;

		buf_clear(&place);
		add_place(c, row, &place);
		at = (struct page_cell){ .text = buf_text(&place), .len = place.len };
		(is_noise(c) ? add_noise_row : add_diff_row)(page, c, row, &name, &at);
	}
	page_end(page, &own, n_tested - n, noun_of(c, false), noun_of(c, true));
	buf_done(&place);
}

/* The values of the runs behind the medians that differ. */
static void add_each_run(struct page *page, const struct compare *c,
			 const struct diff_report_options *options)
{
	struct buf text = { 0 };
	bool has_section = false;

	for (size_t i = 0; i < c->n_rows && i < (size_t)options->top; i++) {
		const double *values = compare_values(c, &c->rows[i], c->plan.sort);

		if (!c->rows[i].value[c->plan.sort].differs)
			break;
		if (!has_section)
			page_section(page, "each run, of what differs", NULL);
		has_section = true;
		buf_clear(&text);
		buf_addf(&text, "%s: before",
			 profile_text(c->profile, c->view.frames[c->rows[i].frame].name));
		for (uint32_t r = 0; r < c->plan.n_runs; r++) {
			if (r == c->n_before)
				buf_adds(&text, "; after");
			buf_addf(&text, " %.*f", digits_of(c, values[r]), values[r]);
		}
		page_item(page, 1, buf_text(&text), text.len);
	}
	buf_done(&text);
}

static void add_below_floor(struct page *page, const struct compare *c)
{
	size_t n = c->n_rows - c->n_tested[c->plan.sort];
	char text[UNITS_MAX + 80];

	if (!n)
		return;
	snprintf(text, sizeof text, "%zu %s below the floor of %.3g %% (--floor=0)", n,
		 noun_of(c, n != 1), c->plan.floor * 100);
	page_item(page, 1, text, strlen(text));
}

static void write_page(const struct compare *c, const struct diff_report_options *options,
		       const struct page_form *form, struct sink *sink)
{
	struct page page = { .form = form, .unit = c->profile->unit, .out = sink_buf(sink) };

	buf_adds(page.out, form == &page_md ? "# Diff\n\n" : "diff\n");
	say_what(&page, c);
	if (is_noise(c))
		say_splits(&page, c);
	else
		say_power(&page, c);
	say_room(&page, c);
	say_odd(&page, c);
	add_below_floor(&page, c);
	diff_gates_page(&page, c, options->gates, options->is_strict);
	add_runs_text(&page, c);
	add_functions(&page, c, options);
	if (has_p_text(c))
		add_each_run(&page, c, options);
	sink_step(sink);
}

static void text_write(const struct compare *c, const struct diff_report_options *options,
		       struct sink *sink)
{
	write_page(c, options, &page_text, sink);
}

static void md_write(const struct compare *c, const struct diff_report_options *options,
		     struct sink *sink)
{
	write_page(c, options, &page_md, sink);
}

static const struct diff_report_format diff_text = { "text", text_write };

static const struct diff_report_format diff_md = { "md", md_write };

/* ==== diff report ==== */

static const struct diff_report_format *const formats[] = { &diff_text, &diff_json, &diff_csv,
							    &diff_md };

const char *diff_report_word(unsigned i)
{
	return i < ARRAY_LEN(formats) ? formats[i]->name : NULL;
}

const struct diff_report_format *diff_report_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (!name || strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}
