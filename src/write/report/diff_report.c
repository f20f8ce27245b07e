/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions are described once, and written by report_table.h. */
#include "config.h"

#include "write/report/diff_report.h"

#include "analyse/compare/compare.h"
#include "analyse/compare/ranksum.h"
#include "analyse/compare/sides.h"
#include "base/alloc.h"
#include "base/sink.h"
#include "write/report/gates.h"
#include "write/report/json_out.h"
#include "write/report/page.h"
#include "write/report/report.h"
#include "write/report/report_lists.h"
#include "write/report/report_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether all runs are of one program: there is no other side. */
static bool is_noise(const struct compare *c)
{
	return c->n_after == 0;
}

/* Where a comparison goes; the caller sets csv, json or page. */
static struct report_out diff_out(const struct compare *c, const struct report_options *options)
{
	return (struct report_out){ .profile = c->profile,
				    .options = options,
				    .n_runs = { c->n_before, c->n_after },
				    .rows_max = SIZE_MAX };
}

static const char *side_name(const struct compare *c, uint32_t run)
{
	return is_noise(c) ? "noise" : c->plan.runs[run].is_after ? "after" : "before";
}

/* The rows of CSV and JSON. */
static size_t count_rows(const struct compare *c, const struct diff_report_options *options)
{
	return options->has_top && c->n_rows > (size_t)options->top ? (size_t)options->top
								    : c->n_rows;
}

/* ==== diff values ====
 *
 * The figures of a function, of one measure: the same in CSV and JSON. */

struct diff_row {
	const struct compare *c;
	const struct compare_row *r;
	enum compare_measure measure; /* JSON: that is written */
	struct buf callers;           /* CSV: as a folded stack, the outermost first */
};

static const struct compare_value *value_of(const struct diff_row *row, enum compare_measure m)
{
	return &row->r->value[m];
}

static double if_known(bool is_known, double number)
{
	return is_known ? number : NAN;
}

#define ANY_SIDE(X, where, key, value) X(NUMBER, where, key, "", 0, 0, .number = value)
#define TWO_SIDES(X, where, key, value)                                                            \
	X(NUMBER, where, key, "", 0, 0, .number = value, .is_lacking = is_noise(row->c))

/* key: what the names of the columns begin with; v: a struct compare_value. */
#define FIGURES(X, where, key, v)                                                                  \
	ANY_SIDE(X, where, key "before", v->before)                                                \
	TWO_SIDES(X, where, key "after", v->after)                                                 \
	TWO_SIDES(X, where, key "change", v->after - v->before)                                    \
	TWO_SIDES(X, where, key "change_percent",                                                  \
		  if_known(v->before > 0, compare_stats_percent(v)))                               \
	ANY_SIDE(X, where, key "spread_before", v->spread_before)                                  \
	TWO_SIDES(X, where, key "spread_after", v->spread_after)                                   \
	TWO_SIDES(X, where, key "p", if_known(v->is_tested, v->p))                                 \
	TWO_SIDES(X, where, key "p_corrected", if_known(v->is_tested, v->corrected))               \
	X(BOOL, where, key "differs", "", 0, 0, .n = v->differs, .is_lacking = is_noise(row->c))

#define RUNS(X, where, before, after, m)                                                           \
	X(BEFORE, where, before, "", 0, 0, .list = compare_values(row->c, row->r, m))              \
	X(AFTER, where, after, "", 0, 0,                                                           \
	  .list = compare_values(row->c, row->r, m) + row->c->n_before)

/* ==== diff report csv ====
 *
 * `diff --format=csv`: a row for each function. */

#define DIFF_CSV(X)                                                                                \
	X(FRAME, REPORT_CSV, "", "", 0, 0, .frame = &row->c->view.frames[row->r->frame])           \
	X(NAME, REPORT_CSV, "callers", "", 0, 0, .text = buf_text(&row->callers),                  \
	  .len = row->callers.len)                                                                 \
	X(BOOL, REPORT_CSV, "is_new", "", 0, 0, .n = row->r->is_new)                               \
	X(BOOL, REPORT_CSV, "is_gone", "", 0, 0, .n = row->r->is_gone)                             \
	FIGURES(X, REPORT_CSV, "self_", self)                                                      \
	RUNS(X, REPORT_CSV, "self_before_", "self_after_", COMPARE_SELF)                           \
	FIGURES(X, REPORT_CSV, "total_", total)                                                    \
	RUNS(X, REPORT_CSV, "total_before_", "total_after_", COMPARE_TOTAL)

REPORT_TABLE_WITH(diff_csv, DIFF_CSV, struct diff_row,
		  const struct compare_value *self = value_of(row, COMPARE_SELF);
		  const struct compare_value *total = value_of(row, COMPARE_TOTAL), .title = NULL)

static void set_callers(struct diff_row *row)
{
	const struct compare *c = row->c;
	const struct calltree *tree = c->view.tree;
	node_id node = row->r->node;

	buf_clear(&row->callers);
	for (unsigned rows = 1; node != NODE_ROOT && rows < tree->rows[node]; rows++) {
		node_id caller = calltree_ancestor(tree, node, rows);

		buf_adds(&row->callers, rows > 1 ? ";" : "");
		buf_adds(&row->callers,
			 profile_text(c->profile, c->view.frames[tree->frame[caller]].name));
	}
}

static void csv_write(const struct compare *c, const struct diff_report_options *options,
		      struct sink *sink)
{
	const struct report_options own = { .is_raw_csv = options->is_raw_csv };
	struct report_out out = diff_out(c, &own);
	struct diff_row row = { .c = c };
	size_t n = count_rows(c, options);
	bool ok = true;

	out.csv = sink_buf(sink);
	out.sink = sink;
	if (options->table == REPORT_LIST_ROUTES) {
		report_served_changes(&out, c);
		return;
	}
	report_table_begin(&out, &diff_csv);
	for (size_t i = 0; ok && i < n; i++) {
		row.r = &c->rows[i];
		set_callers(&row);
		ok = report_table_row(&out, &row);
	}
	buf_done(&row.callers);
}

/* ==== diff report json ====
 *
 * `diff --format=json`: all functions, in the order of the page. As many digits as decide; a sum of
 * ns has no more. */

static void add_test(struct json_writer *w, const struct compare *c)
{
	uint64_t n_differ = 0,
		 n = c->n_after ? 0 : compare_stats_splits(c, c->plan.sort, &n_differ);

	json_put(w, json_line(2), json_begin("test", "{"), json_raw("level", "0.05"),
		 json_number("least_p",
			     is_noise(c) ? NAN : ranksum_least_p(c->n_before, c->n_after), 9),
		 json_integer("self_tested", (int64_t)c->n_tested[COMPARE_SELF]),
		 json_integer("total_tested", (int64_t)c->n_tested[COMPARE_TOTAL]),
		 json_if(n, json_integer("splits", (int64_t)n)),
		 json_if(n, json_integer("splits_that_differ", (int64_t)n_differ)), json_end("}"));
}

#define DIFF_JSON(X)                                                                               \
	FIGURES(X, REPORT_JSON, "", v)                                                             \
	X(BOOL, REPORT_JSON, "is_room", "", 0, 0, .n = true,                                       \
	  .is_lacking = is_noise(row->c) || !v->is_room)                                           \
	X(BOOL, REPORT_JSON, "is_tested", "", 0, 0, .n = v->is_tested)                             \
	RUNS(X, REPORT_JSON, "runs_before", "runs_after", row->measure)

REPORT_TABLE_WITH(diff_json, DIFF_JSON, struct diff_row,
		  const struct compare_value *v = value_of(row, row->measure), .title = NULL)

static void add_row(struct report_out *out, const struct compare *c, const struct compare_row *r)
{
	struct diff_row row = { .c = c, .r = r };
	struct json_writer *w = out->json;

	json_put(w, json_line(4), json_begin(NULL, "{"));
	json_out_frame(w, c->profile, &c->view.frames[r->frame]);
	if (r->node != NODE_ROOT) {
		const struct calltree *tree = c->view.tree;

		/* The callers of a call, the outermost first. */
		json_put(w, json_begin("callers", "["));
		for (unsigned rows = 1; rows < tree->rows[r->node]; rows++) {
			node_id caller = calltree_ancestor(tree, r->node, rows);

			json_put(w,
				 json_out_string(NULL, c->profile,
						 c->view.frames[tree->frame[caller]].name));
		}
		json_put(w, json_end("]"));
	}
	json_put(w, json_boolean("is_new", r->is_new), json_boolean("is_gone", r->is_gone));
	for (int m = 0; m < COMPARE_MEASURES; m++) {
		row.measure = (enum compare_measure)m;
		json_put(w, json_line(5), json_begin(m == COMPARE_SELF ? "self" : "total", "{"));
		report_table_members(out, &diff_json, &row);
		json_put(w, json_end("}"));
	}
	json_put(w, json_end("}"));
}

/* The members before the lists, each on a line of its own. */
static void add_plan(struct json_writer *w, const struct compare *c)
{
	BUF_LOCAL scope = { 0 };
	const struct json_item members[] = {
		json_string("format", "flametty-diff"),
		json_integer("version", 1),
		json_string("per", compare_per_word(c->plan.per)),
		json_string("count", c->plan.per == COMPARE_PER_COUNT ? c->plan.count : NULL),
		json_string("unit", compare_unit(c)),
		json_string("change_unit", compare_change_unit(c)),
		json_string("match", match_word(c->plan.match)),
		json_string("sort", c->plan.sort == COMPARE_SELF ? "self" : "total"),
		json_number("floor_percent", c->plan.floor * 100, 9),
		json_boolean("idle", c->scope.has_idle),
	};

	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		json_put(w, json_line(2), members[i]);
	scope_describe(&c->scope, c->profile, &scope);
	json_put(w, json_line(2), json_text("scope", buf_text(&scope), scope.len));
}

static void json_write(const struct compare *c, const struct diff_report_options *options,
		       struct sink *sink)
{
	struct json_writer w = { .out = sink_buf(sink), .has_blanks = true };
	struct report_out out = diff_out(c, NULL);
	size_t n = count_rows(c, options);

	out.json = &w;
	json_put(&w, json_begin(NULL, "{"));
	add_plan(&w, c);
	json_put(&w, json_line(2), json_begin("runs", "["));
	for (uint32_t i = 0; i < c->plan.n_runs; i++) {
		const struct compare_run *run = &c->plan.runs[i];
		const struct compare_figures *f = &c->figures[i];

		json_put(&w, json_line(4), json_begin(NULL, "{"), json_string("name", run->name),
			 json_string("side", side_name(c, i)),
			 json_out_member(c->profile, "whole", f->whole_ns),
			 json_out_member(c->profile, "busy", f->busy_ns),
			 json_out_member(c->profile, "length", f->length_ns),
			 json_integer("samples", (int64_t)f->n_samples),
			 json_known("calls", (int64_t)f->n_calls, c->plan.per == COMPARE_PER_COUNT),
			 json_boolean("is_odd", f->is_odd), json_end("}"));
	}
	json_put(&w, json_end("\n  ]"));
	add_test(&w, c);
	diff_gates_json(c, options->gates, &w);
	report_served_changes(&out, c);
	json_put(&w, json_line(2), json_begin("functions", "["));
	for (size_t i = 0; i < n && sink_step(sink); i++)
		add_row(&out, c, &c->rows[i]);
	json_put(&w, json_end("\n  ]"), json_line(2),
		 json_integer("functions_left_out", (int64_t)(c->n_rows - n)), json_end("\n}\n"));
	sink_step(sink);
}

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

void diff_report_p(const struct compare_value *v, char out[DIFF_REPORT_P_MAX])
{
	if (!v->is_tested)
		snprintf(out, DIFF_REPORT_P_MAX, "-");
	else if (v->is_room)
		snprintf(out, DIFF_REPORT_P_MAX, "room");
	else if (!v->differs)
		snprintf(out, DIFF_REPORT_P_MAX, "~ %.2f", v->corrected);
	else
		snprintf(out, DIFF_REPORT_P_MAX, v->corrected < 0.001 ? "%.1g" : "%.3f",
			 v->corrected);
}

/* ---- the header ---- */

/* Whether a p value says anything. */
static bool has_p_text(const struct compare *c)
{
	return c->n_before > 1 && c->n_after > 1;
}

/* What the rows are: `function`, `file`; of several, `functions`, `categories`. */
static const char *noun_of(const struct compare *c, bool is_plural)
{
	static const char *const plural[GROUP_COUNT] = { "functions",  "files",  "packages",
							 "categories", "lanes",  "event categories",
							 "names",      "origins" };

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
	BUF_LOCAL text = { 0 };
	char words[AMOUNT_WORDS_MAX];
	BUF_LOCAL scope = { 0 };

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
}

void diff_report_power(struct page *page, const struct compare *c)
{
	enum compare_measure m = c->plan.sort;
	size_t needed = compare_stats_needed(c, m);
	double least = ranksum_least_p(c->n_before, c->n_after);
	BUF_LOCAL text = { 0 };

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
}

/* How often each run calls the functions that match: the sums of both sides. False: less than
 * UNITS_MIN times in one of the runs. */
static bool count_units(const struct compare *c, const char *pattern, uint64_t n[2])
{
	uint32_t n_runs = c->plan.n_runs;
	ALLOC_LOCAL uint64_t *of = xcalloc(n_runs, sizeof *of);
	bool is_enough = call_count(c->profile, pattern, c->plan.runs, n_runs, of);

	n[0] = n[1] = 0;
	for (uint32_t i = 0; is_enough && i < n_runs; i++) {
		n[c->plan.runs[i].is_after] += of[i];
		is_enough = of[i] >= UNITS_MIN;
	}
	return is_enough;
}

/* Propose to compare time for each call of a function that is called for each piece of work: of the
 * user's own functions that have most of the time on both sides, the first with several calls. */
static void add_count(const struct compare *c, struct buf *out)
{
	double most = UNIT_PERCENT;
	BUF_LOCAL best = { 0 };
	uint64_t n[2] = { 0, 0 }, calls[2];

	for (size_t i = 0; i < c->n_rows && c->plan.per == COMPARE_PER_TOTAL; i++) {
		const struct compare_value *v = &c->rows[i].value[COMPARE_TOTAL];
		const struct frame *f = &c->view.frames[c->rows[i].frame];
		const char *name = profile_text(c->profile, f->name);
		double least = v->before < v->after ? v->before : v->after;
		BUF_LOCAL pattern = { 0 };

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
}

/* Shares that only make room for others are no changes of their own. */
static void say_room(struct page *page, const struct compare *c)
{
	bool has_grown = c->room_for > 0;
	BUF_LOCAL text = { 0 };
	size_t n = 0;

	if (!c->n_room || c->plan.sort != COMPARE_SELF)
		return;
	/* Add up to two names of rows that differ. */
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_value *v = &c->rows[i].value[COMPARE_SELF];

		if (!v->differs || (v->after > v->before) != has_grown)
			continue;
		if (n < NAMES_MAX)
			buf_addf(&text, "%s%s", n ? ", " : "",
				 profile_text(c->profile, c->view.frames[c->rows[i].frame].name));
		n++;
	}
	if (n > NAMES_MAX)
		buf_addf(&text, " and %zu more", n - NAMES_MAX);
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
}

/* How much runs of one program differ by chance. */
static void say_splits(struct page *page, const struct compare *c)
{
	uint64_t n_differ, n = compare_stats_splits(c, c->plan.sort, &n_differ);
	BUF_LOCAL text = { 0 };

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

struct run_row {
	const char *side, *name;
	const struct compare_figures *f;
};

#define RUN_LIST(X)                                                                                \
	X(WORDS, REPORT_PAGE, "", "side", 2, 6, .text = row->side)                                 \
	X(KNOWN, REPORT_PAGE, "", "busy", 1, 11, .n = row->f->busy_ns)                             \
	X(KNOWN, REPORT_PAGE, "", "length", 1, 11, .n = row->f->length_ns)                         \
	X(COUNT, REPORT_PAGE, "", "samples", 1, 9, .n = (int64_t)row->f->n_samples)                \
	X(SHORT, REPORT_PAGE, "", "odd", 1, 1, .text = row->f->is_odd ? "!" : "")                  \
	X(NAME, REPORT_PAGE, "", "run", 3, 0, .text = row->name)

REPORT_TABLE(run_list, RUN_LIST, struct run_row, .title = "runs", .lead = "")

/* ---- the functions ---- */

struct function_row {
	char figures[5][CELL];
	struct buf name, place;
};

#define SHOWN(X, heading, gap, width, i)                                                           \
	X(SHORT, REPORT_PAGE, "", heading, gap, width, .text = row->figures[i])

#define NAMED(X, width)                                                                            \
	X(NAME, REPORT_PAGE, "", "name", 2, width, .text = buf_text(&row->name))                   \
	X(PATH, REPORT_PAGE, "", "location", 1, 0, .text = buf_text(&row->place))

#define CHANGES(X)                                                                                 \
	SHOWN(X, "before", 2, 14, 0)                                                               \
	SHOWN(X, "after", 2, 14, 1)                                                                \
	SHOWN(X, "change", 2, 8, 2)                                                                \
	SHOWN(X, "change in %", 1, 8, 3)                                                           \
	SHOWN(X, "p", 1, 6, 4)                                                                     \
	NAMED(X, 24)

#define SPREADS(X)                                                                                 \
	SHOWN(X, "median", 2, 14, 0)                                                               \
	SHOWN(X, "least", 1, 9, 1)                                                                 \
	SHOWN(X, "most", 1, 9, 2)                                                                  \
	NAMED(X, 34)

REPORT_TABLE(changes, CHANGES, struct function_row,
	     .lead = "          before           after    change               p  name")
REPORT_TABLE(spreads, SPREADS, struct function_row,
	     .lead = "          median     least      most  name")

/* The name of a function, and where it is; of a call, its callers, the nearest first. */
static void name_row(const struct compare *c, const struct compare_row *row,
		     struct function_row *out)
{
	const struct calltree *tree = c->view.tree;
	const struct frame *f = &c->view.frames[row->frame];
	bool is_placed = profile_is_placed(c->profile, f) && row->node == NODE_ROOT;

	buf_clear(&out->name);
	buf_clear(&out->place);
	if (!is_placed)
		profile_add_name(c->profile, f, &out->name);
	if (row->node == NODE_ROOT)
		profile_location(c->profile, f, false, is_placed ? &out->name : &out->place);
	for (node_id n = row->node; n != NODE_ROOT && tree->parent[n] != NODE_ROOT;) {
		n = tree->parent[n];
		buf_adds(&out->place, out->place.len ? " < " : "< ");
		profile_add_name(c->profile, &c->view.frames[tree->frame[n]], &out->place);
	}
}

static void set_changes(struct function_row *out, const struct compare *c,
			const struct compare_row *row)
{
	const struct compare_value *v = &row->value[c->plan.sort];

	format_median(c, v->before, v->spread_before, c->n_before, out->figures[0]);
	format_median(c, v->after, v->spread_after, c->n_after, out->figures[1]);
	snprintf(out->figures[2], CELL, "%+.*f", digits_of(c, v->after - v->before),
		 v->after - v->before);
	format_percent(row, v, out->figures[3]);
	if (has_p_text(c))
		diff_report_p(v, out->figures[4]);
}

static void set_spread(struct function_row *out, const struct compare *c,
		       const struct compare_row *row)
{
	const struct compare_value *v = &row->value[c->plan.sort];
	const double *values = compare_values(c, row, c->plan.sort);
	double a = values[0], b = values[0];

	for (uint32_t i = 1; i < c->plan.n_runs; i++) {
		a = fmin(a, values[i]);
		b = fmax(b, values[i]);
	}
	format_median(c, v->before, v->spread_before, c->n_before, out->figures[0]);
	snprintf(out->figures[1], CELL, "%.*f", digits_of(c, a), a);
	snprintf(out->figures[2], CELL, "%.*f", digits_of(c, b), b);
}

static void add_functions(struct report_out *out, const struct compare *c)
{
	struct report_table table = is_noise(c) ? spreads : changes;
	struct function_row row = { 0 };
	char note[64], title[64];

	if (c->plan.per == COMPARE_PER_TOTAL)
		snprintf(note, sizeof note, "in %%; changes in points (pt)");
	else
		snprintf(note, sizeof note, "in %s", compare_unit(c));
	snprintf(title, sizeof title, "%s%s", noun_of(c, true), is_noise(c) ? " by spread" : "");
	table.note = note;
	table.title = title;
	table.one = noun_of(c, false);
	table.many = noun_of(c, true);
	report_table_begin(out, &table);
	for (size_t i = 0; i < c->n_tested[c->plan.sort]; i++) {
		if (out->n < out->rows_max) {
			name_row(c, &c->rows[i], &row);
			(is_noise(c) ? set_spread : set_changes)(&row, c, &c->rows[i]);
		}
		report_table_row(out, &row);
	}
	report_table_end(out);
	buf_done(&row.name);
	buf_done(&row.place);
}

/* The values of the runs behind the medians that differ. */
static void add_each_run(struct page *page, const struct compare *c,
			 const struct diff_report_options *options)
{
	BUF_LOCAL text = { 0 };
	bool has_section = false;

	for (size_t i = 0; i < c->n_rows && i < (size_t)options->top; i++) {
		const double *values = compare_values(c, &c->rows[i], c->plan.sort);

		if (!c->rows[i].value[c->plan.sort].differs)
			break;
		if (!has_section)
			page_section(page, "each run, of what differs", NULL);
		has_section = true;
		buf_clear(&text);
		profile_add_name(c->profile, &c->view.frames[c->rows[i].frame], &text);
		buf_adds(&text, ": before");
		for (uint32_t r = 0; r < c->plan.n_runs; r++) {
			if (r == c->n_before)
				buf_adds(&text, "; after");
			buf_addf(&text, " %.*f", digits_of(c, values[r]), values[r]);
		}
		page_item(page, 1, buf_text(&text), text.len);
	}
}

static void write_page(const struct compare *c, const struct diff_report_options *options,
		       const struct page_form *form, struct sink *sink)
{
	struct page page = { .form = form, .unit = c->profile->unit, .out = sink_buf(sink) };
	struct report_out out = diff_out(c, NULL);
	size_t n;
	char text[UNITS_MAX + 80];

	buf_adds(page.out, form == &page_md ? "# Diff\n\n" : "diff\n");
	say_what(&page, c);
	if (is_noise(c))
		say_splits(&page, c);
	else
		diff_report_power(&page, c);
	say_room(&page, c);
	say_odd(&page, c);
	n = c->n_rows - c->n_tested[c->plan.sort];
	if (n) {
		snprintf(text, sizeof text, "%zu %s below the floor of %.3g %% (--floor=0)", n,
			 noun_of(c, n != 1), c->plan.floor * 100);
		page_item(&page, 1, text, strlen(text));
	}
	diff_gates_page(&page, c, options->gates, options->is_strict);
	out.page = &page;
	report_table_begin(&out, &run_list);
	for (uint32_t i = 0; i < c->plan.n_runs; i++)
		report_table_row(
			&out,
			&(struct run_row){ side_name(c, i), c->plan.runs[i].name, &c->figures[i] });
	report_table_end(&out);
	out.rows_max = (size_t)options->top;
	report_served_changes(&out, c);
	add_functions(&out, c);
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

/* ==== diff report ==== */

/* The first one is the default. */
static const struct diff_report_format formats[] = {
	{ "text", text_write },
	{ "json", json_write },
	{ "csv", csv_write },
	{ "md", md_write },
};

const char *diff_report_word(unsigned i)
{
	return i < ARRAY_LEN(formats) ? formats[i].name : NULL;
}

const struct diff_report_format *diff_report_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (!name || strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}
