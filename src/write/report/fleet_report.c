/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each table is described once, and written by report_table.h. A verdict stands above the tables:
 * its first lines answer what costs most, which host is different, and what changed. */
#include "config.h"

#include "write/report/fleet_report.h"

#include "analyse/fleet_shares.h"
#include "base/alloc.h"
#include "base/sink.h"
#include "base/text.h"
#include "model/profile.h"
#include "write/report/diff_report.h"
#include "write/report/gates.h"
#include "write/report/page.h"
#include "write/report/report.h"
#include "write/report/report_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL 24         /* bytes of a number with its unit */
#define NAME_CELLS 40   /* of a name in a sentence */
#define NAMED_MAX 3     /* functions, packages, hosts of a sentence */
#define HOSTS_MAX 2     /* different hosts in the verdict */
#define SHARE_MIN 0.001 /* a share that is worth a word */
#define LINE_CELLS 80
#define NO_HOST "(no host)"

/* A report that is being written. */
struct job {
	const struct fleet_report *r;
	struct report_out out;
	struct report_options options;
	struct profile texts;        /* only the strings of the fleet, borrowed */
	struct fleet_table axes[3];  /* by enum fleet_axis */
	const struct fleet_table *t; /* that of the list which is written */
	uint32_t *pairs;             /* see find_pairs() */
};

/* ==== fleet answers ====
 *
 * A row of any table; each sets what its columns show. */

struct answer {
	struct frame frame;
	str_id file;       /* its key */
	str_id where;      /* host, version or bin; 0: unknown */
	const char *words; /* words of the program */
	double number[5];
	int64_t self_ns, total_ns;
	const struct fleet_facts *facts;
	uint32_t n, n_all;
	bool differs;
	char text[5][CELL]; /* pages */
};

/* On a page, a function is where its key says; in data, where it was seen first. */
static void set_function(const struct job *job, uint32_t function, struct answer *row)
{
	const struct fleet_function *f = &job->r->fleet->functions[function];

	row->frame = (struct frame){ .name = f->name,
				     .url = job->out.page ? f->file : f->url,
				     .line = (int32_t)f->line,
				     .column = job->out.page ? 0 : (int32_t)f->column,
				     .category = f->category,
				     .package = f->package };
	row->file = f->file;
}

/* `31 %`, `2.1 %`. */
static const char *percent(double share, char out[CELL])
{
	snprintf(out, CELL, "%.*f %%", share * 100 < 9.95 ? 1 : 0, share * 100);
	return out;
}

#define PERCENT(share) percent(share, (char[CELL]){ 0 })

static void set_percent(struct answer *row, int i, double share)
{
	row->number[i] = share * 100;
	snprintf(row->text[i], CELL, "%.1f %%", share * 100);
}

static void set_of(struct answer *row, int i, uint32_t n, uint32_t n_all)
{
	row->n = n;
	row->n_all = n_all;
	snprintf(row->text[i], CELL, "%s of %s", units_count(n, UNITS_ROOM),
		 units_count(n_all, UNITS_ROOM));
}

#define PLACED(X)                                                                                  \
	X(FRAME, REPORT_DATA, "", "", 0, 0, .frame = &row->frame)                                  \
	X(NAME, REPORT_DATA, "file", "", 0, 0, .string = row->file)
#define SHOWN(X, heading, gap, width, i)                                                           \
	X(SHORT, REPORT_PAGE, "", heading, gap, width, .text = row->text[i])
#define FIGURE(X, key, i) X(NUMBER, REPORT_DATA, key, "", 0, 0, .number = row->number[i])
#define COUNTED(X, key, value) X(COUNT, REPORT_DATA, key, "", 0, 0, .n = value)
#define TIME(X, key, value) X(VALUE, REPORT_DATA, key, "", 0, 0, .n = value)
#define FUNCTION(X, width) X(FRAME, REPORT_PAGE, "", "function", 2, width, .frame = &row->frame)
#define WHERE(X, key, width)                                                                       \
	X(NAME, REPORT_ALL, key, key, 2, width, .string = row->where,                              \
	  .text = out->page && !row->where ? "(no " key ")" : NULL)

#define LIST(list_member, what)                                                                    \
	.lead = "", .one = what, .many = what "s", .member = list_member, .line = 2, .row_line = 4

/* A list: its table, and its rows. */
struct list {
	const char *name; /* of CSV; NULL: of pages only */
	const struct report_table *table;
	size_t (*count)(const struct job *job);
	/* False: there is no such row. */
	bool (*get)(const struct job *job, size_t i, struct answer *row);
	enum fleet_axis axis; /* of what is about hosts, versions or bins */
	bool is_cells;        /* n_cols rows for each function */
};

static void write_list(struct job *job, const struct list *list)
{
	size_t rows_max = job->out.rows_max, n;

	job->t = &job->axes[list->axis];
	job->out.rows_max = list->is_cells ? SIZE_MAX : rows_max;
	n = list->count(job);
	report_table_begin(&job->out, list->table);
	for (size_t i = 0; i < n; i++) {
		struct answer row = { 0 };

		if (list->get(job, i, &row) && !report_table_row(&job->out, &row))
			break;
	}
	report_table_end(&job->out);
	job->out.rows_max = rows_max;
}

/* ---- the heaviest ---- */

#define HEAVIEST_COLUMNS(X)                                                                        \
	PLACED(X)                                                                                  \
	FIGURE(X, "median_percent", 0)                                                             \
	FIGURE(X, "least_percent", 1)                                                              \
	FIGURE(X, "most_percent", 2)                                                               \
	COUNTED(X, "hosts", row->n)                                                                \
	COUNTED(X, "hosts_judged", row->n_all)                                                     \
	SHOWN(X, "median", 2, 7, 0)                                                                \
	SHOWN(X, "least", 1, 7, 1)                                                                 \
	SHOWN(X, "most", 1, 7, 2)                                                                  \
	SHOWN(X, "hosts", 1, 14, 3)                                                                \
	FUNCTION(X, 20)

REPORT_TABLE(heaviest_table, HEAVIEST_COLUMNS, struct answer, .title = "heaviest functions",
	     .note = "(by the median of their own time over hosts)", LIST("heaviest", "function"))

static size_t count_tops(const struct job *job)
{
	return job->r->answers->n_tops;
}

static bool get_top(const struct job *job, size_t i, struct answer *row)
{
	const struct fleet_top *top = &job->r->answers->tops[i];

	set_function(job, top->function, row);
	set_percent(row, 0, top->median);
	set_percent(row, 1, top->least);
	set_percent(row, 2, top->most);
	set_of(row, 3, top->n_hosts, top->n_all);
	return true;
}

/* ---- different ---- */

#define DIFFERENT_COLUMNS(X)                                                                       \
	WHERE(X, "host", 14)                                                                       \
	PLACED(X)                                                                                  \
	FIGURE(X, "there_percent", 0)                                                              \
	FIGURE(X, "elsewhere_percent", 1)                                                          \
	FIGURE(X, "distance", 2)                                                                   \
	COUNTED(X, "profiles_with", row->n)                                                        \
	COUNTED(X, "profiles", row->n_all)                                                         \
	SHOWN(X, "there", 1, 7, 0)                                                                 \
	SHOWN(X, "elsewhere", 1, 9, 1)                                                             \
	SHOWN(X, "distance", 1, 8, 2)                                                              \
	SHOWN(X, "profiles", 1, 10, 3)                                                             \
	FUNCTION(X, 16)

REPORT_TABLE(different_table, DIFFERENT_COLUMNS, struct answer, .title = "different hosts",
	     .note = "(distance: how many usual ones from the median)",
	     LIST("different", "difference"))

static size_t count_outliers(const struct job *job)
{
	return job->r->answers->n_outliers;
}

static bool get_outlier(const struct job *job, size_t i, struct answer *row)
{
	const struct fleet_outlier *o = &job->r->answers->outliers[i];

	row->where = job->t->cols[o->col];
	set_function(job, o->function, row);
	set_percent(row, 0, o->share);
	set_percent(row, 1, o->median);
	row->number[2] = o->score;
	snprintf(row->text[2], CELL, "%.1f", o->score);
	set_of(row, 3, o->n_with, o->n_profiles);
	return true;
}

/* ---- changed ---- */

#define CHANGED_COLUMNS(X)                                                                         \
	PLACED(X)                                                                                  \
	FIGURE(X, "before_percent", 0)                                                             \
	FIGURE(X, "after_percent", 1)                                                              \
	FIGURE(X, "change_points", 2)                                                              \
	FIGURE(X, "p", 3)                                                                          \
	FIGURE(X, "p_corrected", 4)                                                                \
	X(BOOL, REPORT_DATA, "differs", "", 0, 0, .n = row->differs)                               \
	COUNTED(X, "hosts_same_way", row->n)                                                       \
	COUNTED(X, "hosts_on_both", row->n_all)                                                    \
	SHOWN(X, "before", 2, 7, 0)                                                                \
	SHOWN(X, "after", 1, 7, 1)                                                                 \
	SHOWN(X, "change", 1, 8, 2)                                                                \
	SHOWN(X, "p", 1, 7, 3)                                                                     \
	SHOWN(X, "hosts", 1, 14, 4)                                                                \
	FUNCTION(X, 18)

REPORT_TABLE(changed_table, CHANGED_COLUMNS, struct answer, .title = "changed",
	     .note = "(hosts: that changed the same way, of those on both sides)",
	     LIST("functions", "function"))

/* By run before the change: the run of the same host after it; n_runs: there is none. c: may be
 * NULL. */
static uint32_t *find_pairs(const struct compare *c)
{
	uint32_t n = c ? c->n_before : 0;
	uint32_t *pairs = xcalloc(n + 1u, sizeof *pairs);

	for (uint32_t i = 0; i < n; i++)
		for (pairs[i] = c->n_before; pairs[i] < c->plan.n_runs; pairs[i]++)
			if (strcmp(c->plan.runs[i].name, c->plan.runs[pairs[i]].name) == 0)
				break;
	return pairs;
}

/* On a page, the functions that are tested. */
static size_t count_changed(const struct job *job)
{
	const struct compare *c = job->r->changed;

	return !c ? 0 : job->out.page ? c->n_tested[c->plan.sort] : c->n_rows;
}

/* In the order of the comparison: those that differ first. */
static bool get_changed(const struct job *job, size_t i, struct answer *row)
{
	const struct compare *c = job->r->changed;
	const struct compare_value *v = &c->rows[i].value[c->plan.sort];
	const double *values = compare_values(c, &c->rows[i], c->plan.sort);
	double change = v->after - v->before;
	uint32_t n_same = 0, n_both = 0;

	row->frame = c->view.frames[c->rows[i].frame];
	row->file = row->frame.url;
	if (job->out.page)
		row->frame.column = 0;
	row->differs = v->differs;
	set_percent(row, 0, v->before / 100);
	set_percent(row, 1, v->after / 100);
	row->number[2] = change;
	snprintf(row->text[2], CELL, "%+.1f pt", change);
	row->number[3] = v->is_tested ? v->p : NAN;
	row->number[4] = v->is_tested ? v->corrected : NAN;
	/* As in a comparison of files, p of one run is not shown. */
	snprintf(row->text[3], CELL, "-");
	if (c->n_before > 1 && c->n_after > 1)
		diff_report_p(v, row->text[3]);
	for (uint32_t k = 0; k < c->n_before; k++) {
		uint32_t after = job->pairs[k];
		double d = after < c->plan.n_runs ? values[after] - values[k] : 0;

		n_both += after < c->plan.n_runs;
		n_same += change > 0 ? d > 0 : d < 0;
	}
	set_of(row, 4, n_same, n_both);
	return true;
}

/* ---- since ---- */

#define SINCE_COLUMNS(X)                                                                           \
	X(NAME, REPORT_ALL, "since", "since", 2, 17, .string = row->where)                         \
	PLACED(X)                                                                                  \
	FIGURE(X, "before_percent", 0)                                                             \
	FIGURE(X, "after_percent", 1)                                                              \
	FIGURE(X, "p_corrected", 2)                                                                \
	SHOWN(X, "before", 1, 7, 0)                                                                \
	SHOWN(X, "after", 1, 7, 1)                                                                 \
	SHOWN(X, "p", 1, 8, 2)                                                                     \
	FUNCTION(X, 20)

REPORT_TABLE(since_table, SINCE_COLUMNS, struct answer, .title = "since", LIST("since", "break"))

static size_t count_breaks(const struct job *job)
{
	return job->r->answers->n_breaks;
}

static bool get_break(const struct job *job, size_t i, struct answer *row)
{
	const struct fleet_break *b = &job->r->answers->breaks[i];

	row->where = job->r->fleet->bins[b->bin].value;
	set_function(job, b->function, row);
	set_percent(row, 0, b->before);
	set_percent(row, 1, b->after);
	row->number[2] = b->p;
	snprintf(row->text[2], CELL, "%.1g", b->p);
	return true;
}

/* ---- functions by host, version or bin ----
 *
 * In long form: a row for each function of each column that has it. */

#define CELLS(X, key)                                                                              \
	WHERE(X, key, 0)                                                                           \
	PLACED(X)                                                                                  \
	TIME(X, "self", row->self_ns)                                                              \
	TIME(X, "total", row->total_ns)                                                            \
	TIME(X, "busy", row->facts->busy_ns)                                                       \
	FIGURE(X, "self_percent", 0)                                                               \
	FIGURE(X, "total_percent", 1)                                                              \
	COUNTED(X, "profiles_with", row->n)                                                        \
	COUNTED(X, "profiles", row->n_all)
#define BY_HOST(X) CELLS(X, "host")
#define BY_VERSION(X) CELLS(X, "version")
#define BY_BIN(X) CELLS(X, "bin")

REPORT_TABLE(by_host, BY_HOST, struct answer, LIST("functions", "row"))
REPORT_TABLE(by_version, BY_VERSION, struct answer, LIST("versions", "row"))
REPORT_TABLE(by_bin, BY_BIN, struct answer, LIST("bins", "row"))

/* --top counts functions. */
static size_t count_cells(const struct job *job)
{
	size_t n = job->t->n_rows, top = (size_t)job->r->top;

	return (job->r->has_top && n > top ? top : n) * job->t->n_cols;
}

static bool get_cell(const struct job *job, size_t i, struct answer *row)
{
	const struct fleet_table *t = job->t;
	size_t function = i / t->n_cols, col = i % t->n_cols;

	row->where = t->cols[col];
	row->self_ns = t->self_ns[i];
	row->total_ns = t->total_ns[i];
	row->facts = &t->facts[col];
	row->n = t->n_profiles[i];
	row->n_all = row->facts->n_profiles;
	set_function(job, t->rows[function], row);
	set_percent(row, 0, fleet_table_share(t, function, col, false));
	set_percent(row, 1, fleet_table_share(t, function, col, true));
	return row->n > 0;
}

/* ---- hosts and versions ---- */

#define FACTS(X, key)                                                                              \
	WHERE(X, key, 24)                                                                          \
	X(COUNT, REPORT_ALL, "profiles", "profiles", 1, 9, .n = row->facts->n_profiles)            \
	TIME(X, "length", row->facts->length_ns)                                                   \
	X(KNOWN, REPORT_ALL, "busy", "busy", 1, 10, .n = row->facts->busy_ns)                      \
	TIME(X, "idle", row->facts->idle_ns)                                                       \
	TIME(X, "gc", row->facts->gc_ns)                                                           \
	TIME(X, "program", row->facts->program_ns)                                                 \
	COUNTED(X, "samples", (int64_t)row->facts->n_samples)                                      \
	COUNTED(X, "samples_expected", (int64_t)row->facts->n_expected)                            \
	TIME(X, "longest_gap", row->facts->gap_ns)                                                 \
	SHOWN(X, "gc", 1, 7, 0)                                                                    \
	SHOWN(X, "sampled", 1, 7, 1)
#define HOSTS_COLUMNS(X)                                                                           \
	FACTS(X, "host")                                                                           \
	X(WORDS, REPORT_ALL, "not_judged", "not judged", 2, 0, .text = row->words)
#define VERSIONS_COLUMNS(X) FACTS(X, "version")
#define FACTS_NOTE .note = "(sampled: of the samples that were expected)"

REPORT_TABLE(hosts_table, HOSTS_COLUMNS, struct answer, .title = "hosts", FACTS_NOTE,
	     LIST("hosts", "host"))
REPORT_TABLE(versions_table, VERSIONS_COLUMNS, struct answer, .title = "versions", FACTS_NOTE,
	     LIST("", "version"))

/* Why a host is not judged; NULL: it is. */
static const char *reason_of(const struct fleet_answers *a, size_t col)
{
	static const char *const words
		[] = { [FLEET_LITTLE_WORK] = "little work", [FLEET_BAD_SAMPLING] = "bad sampling" };

	for (size_t i = 0; i < a->n_unjudged; i++)
		if (a->unjudged[i].col == col)
			return words[a->unjudged[i].reason];
	return NULL;
}

static size_t count_cols(const struct job *job)
{
	return job->t->n_cols;
}

static bool get_col(const struct job *job, size_t i, struct answer *row)
{
	const struct fleet_facts *f = row->facts = &job->t->facts[i];

	row->where = job->t->cols[i];
	row->words = reason_of(job->r->answers, i);
	set_percent(row, 0, f->busy_ns > 0 ? (double)f->gc_ns / (double)f->busy_ns : 0);
	if (f->n_expected)
		set_percent(row, 1, (double)f->n_samples / (double)f->n_expected);
	return true;
}

/* ---- all ---- */

enum { FUNCTIONS, HOSTS, VERSIONS, BINS, HEAVIEST, DIFFERENT, CHANGED, SINCE, VERSION_FACTS };

static const struct list lists[] = {
	[FUNCTIONS] = { "functions", &by_host, count_cells, get_cell, FLEET_BY_HOST, true },
	[HOSTS] = { "hosts", &hosts_table, count_cols, get_col, FLEET_BY_HOST, false },
	[VERSIONS] = { "versions", &by_version, count_cells, get_cell, FLEET_BY_VERSION, true },
	[BINS] = { "bins", &by_bin, count_cells, get_cell, FLEET_BY_BIN, true },
	[HEAVIEST] = { "heaviest", &heaviest_table, count_tops, get_top, FLEET_BY_HOST, false },
	[DIFFERENT] = { "different", &different_table, count_outliers, get_outlier, FLEET_BY_HOST,
			false },
	[CHANGED] = { "changed", &changed_table, count_changed, get_changed, FLEET_BY_HOST, false },
	[SINCE] = { "since", &since_table, count_breaks, get_break, FLEET_BY_BIN, false },
	[VERSION_FACTS] = { NULL, &versions_table, count_cols, get_col, FLEET_BY_VERSION, false },
};

/* The functions of a comparison are in its profile. */
static void write_changed(struct job *job)
{
	if (job->r->changed)
		job->out.profile = job->r->changed->profile;
	write_list(job, &lists[CHANGED]);
	job->out.profile = &job->texts;
}

static void job_init(struct job *job, const struct fleet_report *report, struct sink *sink)
{
	*job = (struct job){ .r = report, .texts.strings = report->fleet->strings };
	for (int i = FLEET_BY_HOST; i <= FLEET_BY_BIN; i++)
		fleet_table_init(&job->axes[i], report->fleet, (enum fleet_axis)i, FLEET_NO_SIDE);
	job->pairs = find_pairs(report->changed);
	job->options.is_raw_csv = report->is_raw_csv;
	job->out = (struct report_out){ .profile = &job->texts,
					.options = &job->options,
					.sink = sink,
					.rows_max = report->has_top ? (size_t)report->top
								    : SIZE_MAX };
}

static void job_done(struct job *job)
{
	for (int i = FLEET_BY_HOST; i <= FLEET_BY_BIN; i++)
		fleet_table_done(&job->axes[i]);
	free(job->pairs);
}

/* ==== fleet verdict ==== */

/* Append a name of the profile to a sentence. */
static void add_name(const struct job *job, str_id id, struct buf *out)
{
	const struct intern *strings = &job->r->fleet->strings;

	text_fit(out, intern_text(strings, id), intern_len(strings, id), NAME_CELLS);
}

static void add_host(const struct job *job, size_t col, struct buf *out)
{
	str_id host = job->r->answers->hosts.cols[col];

	if (host)
		add_name(job, host, out);
	else
		buf_adds(out, NO_HOST);
}

static void add_function(const struct job *job, uint32_t function, struct buf *out)
{
	add_name(job, job->r->fleet->functions[function].name, out);
}

static void add_counted(struct buf *out, uint64_t n, const char *what)
{
	buf_addf(out, "%s %s%s", units_count(n, UNITS_ROOM), what, n == 1 ? "" : "s");
}

static void put_item(struct job *job, struct buf *text)
{
	page_item(job->out.page, 1, buf_text(text), text->len);
	buf_clear(text);
}

/* `formatPrice 31 % (24 to 38 on 29 of 30 hosts), render 12 % (9 to 14)`: the hosts are said again
 * where they are others. Garbage collection has a line of its own. */
static void say_heaviest(struct job *job, struct buf *text)
{
	const struct fleet_answers *a = job->r->answers;
	const struct fleet_top *last = NULL;
	size_t n = 0;

	for (size_t i = 0; i < a->n_tops && n < NAMED_MAX; i++) {
		const struct fleet_top *top = &a->tops[i];

		if (job->r->fleet->functions[top->function].category == CATEGORY_GC)
			continue;
		buf_adds(text, n++ ? ", " : "heaviest: ");
		add_function(job, top->function, text);
		buf_addf(text, " %s", PERCENT(top->median));
		if (top->n_all > 1)
			buf_addf(text, " (%.*f to %.*f", top->least < 0.0995, top->least * 100,
				 top->most < 0.0995, top->most * 100);
		if (top->n_all > 1 && (!last || last->n_hosts != top->n_hosts))
			buf_addf(text, " on %s of %s hosts", units_count(top->n_hosts, UNITS_ROOM),
				 units_count(top->n_all, UNITS_ROOM));
		buf_adds(text, top->n_all > 1 ? ")" : "");
		last = top;
	}
	if (!n)
		buf_adds(text, "heaviest: no function has own time");
	put_item(job, text);
}

/* Packages, GC and loading, as far as they have a share. */
static void say_parts(struct job *job, struct buf *text)
{
	const struct fleet_answers *a = job->r->answers;
	struct fleet_share *packages;
	size_t n = fleet_shares_packages(a, &packages);
	double gc, loading;

	fleet_shares_overheads(a, &gc, &loading);
	for (size_t i = 0; i < n && i < NAMED_MAX && packages[i].share >= SHARE_MIN; i++) {
		buf_adds(text, i ? ", " : "packages: ");
		add_name(job, packages[i].name, text);
		buf_addf(text, " %s", PERCENT(packages[i].share));
	}
	buf_adds(text, text->len ? "; " : "");
	buf_addf(text, "GC %s", PERCENT(gc));
	if (loading >= SHARE_MIN)
		buf_addf(text, "; module loading %s", PERCENT(loading));
	put_item(job, text);
	free(packages);
}

/* `different: h07: pbkdf2Sync 36 %, elsewhere 2.1 %, 48 of 48 profiles, distance 17`: a line for
 * each host, of what stands out most there. */
static void say_different(struct job *job, struct buf *text)
{
	const struct fleet_answers *a = job->r->answers;
	ALLOC_LOCAL bool *is_said = xcalloc(a->hosts.n_cols + 1, sizeof *is_said);
	size_t n_hosts = 0;

	for (size_t i = 0; i < a->n_outliers; i++) {
		const struct fleet_outlier *o = &a->outliers[i];

		if (is_said[o->col])
			continue;
		is_said[o->col] = true;
		if (n_hosts++ >= HOSTS_MAX)
			continue;
		if (text->len)
			put_item(job, text);
		buf_adds(text, "different: ");
		add_host(job, o->col, text);
		buf_adds(text, ": ");
		add_function(job, o->function, text);
		buf_addf(text, " %s, elsewhere %s, %s of %s profiles, distance %.0f",
			 PERCENT(o->share), PERCENT(o->median), units_count(o->n_with, UNITS_ROOM),
			 units_count(o->n_profiles, UNITS_ROOM), o->score);
	}
	if (n_hosts > HOSTS_MAX) {
		buf_adds(text, "; and ");
		add_counted(text, n_hosts - HOSTS_MAX, "other host");
	} else if (!n_hosts && a->hosts.n_cols > 1) {
		buf_adds(text, "different: none of ");
		add_counted(text, a->hosts.n_cols - a->n_unjudged, "host");
	}
	if (text->len)
		put_item(job, text);
}

/* `changed: scoreOrder +15.4 pt (2.1 % to 17.5 %), p 0.002, 6 of 6 hosts` */
static void say_changed(struct job *job, struct buf *text)
{
	const struct compare *c = job->r->changed;
	size_t n = 0;

	for (size_t i = 0; c && i < c->n_rows; i++) {
		struct answer row = { 0 };

		if (!c->rows[i].value[c->plan.sort].differs || n++ >= NAMED_MAX)
			continue;
		get_changed(job, i, &row);
		buf_adds(text, "changed: ");
		text_fit(text, profile_text(c->profile, row.frame.name),
			 intern_len(&c->profile->strings, row.frame.name), NAME_CELLS);
		buf_addf(text, " %s (%s to %s), p %s, %s of %s hosts", row.text[2], row.text[0],
			 row.text[1], row.text[3], units_count(row.n, UNITS_ROOM),
			 units_count(row.n_all, UNITS_ROOM));
		put_item(job, text);
	}
	if (n > NAMED_MAX) {
		buf_adds(text, "changed: ");
		add_counted(text, n - NAMED_MAX, "more function");
		put_item(job, text);
	}
	if (c && !n) {
		buf_adds(text, "changed: no function is shown to differ");
		put_item(job, text);
	}
}

/* `since 2026-11-28 14:00: formatPrice 31 %, before 12 %, p 0.001` */
static void say_since(struct job *job, struct buf *text)
{
	const struct fleet *fleet = job->r->fleet;
	const struct fleet_answers *a = job->r->answers;

	for (size_t i = 0; i < a->n_breaks && i < NAMED_MAX; i++) {
		const struct fleet_break *b = &a->breaks[i];

		buf_adds(text, "since ");
		add_name(job, fleet->bins[b->bin].value, text);
		buf_adds(text, ": ");
		add_function(job, b->function, text);
		buf_addf(text, " %s, before %s, p %.1g", PERCENT(b->after), PERCENT(b->before),
			 b->p);
		put_item(job, text);
	}
	if (!a->n_breaks && fleet->n_bins > 1 && fleet->has_times) {
		buf_addf(text, "since: no share breaks within %zu stretches of time",
			 fleet->n_bins);
		put_item(job, text);
	}
}

/* ---- the head ---- */

static size_t count_known(const struct fleet_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_cols; i++)
		n += t->cols[i] != 0;
	return n;
}

static void say_head(struct job *job, struct buf *text)
{
	const struct fleet *fleet = job->r->fleet;
	const struct fleet_table *versions = &job->axes[FLEET_BY_VERSION];
	size_t n_hosts = count_known(&job->axes[FLEET_BY_HOST]), n_versions = count_known(versions);
	size_t n = 0;
	char date[2][DATE_MAX];

	if (fleet->is_stopped) {
		buf_addf(text, "stopped: %s of ", units_count(fleet->n_read, UNITS_ROOM));
		add_counted(text, fleet->n_files, "file");
		buf_adds(text, " were read");
		put_item(job, text);
	}
	add_counted(text, fleet->all.n_profiles, "profile");
	if (n_hosts) {
		buf_adds(text, " of ");
		add_counted(text, n_hosts, "host");
	}
	if (n_versions) {
		buf_adds(text, ", ");
		add_counted(text, n_versions, "version");
	}
	for (size_t i = 0; n_versions <= NAMED_MAX && i < versions->n_cols; i++) {
		if (!versions->cols[i])
			continue;
		buf_adds(text, n++ ? ", " : " (");
		add_name(job, versions->cols[i], text);
	}
	buf_adds(text, n ? ")" : "");
	if (fleet->at_first || fleet->at_last) {
		date_format(fleet->at_first, ' ', date[0]);
		date_format(fleet->at_last, ' ', date[1]);
		buf_addf(text, ", begun from %s to %s UTC", date[0], date[1]);
	}
	put_item(job, text);
	buf_addf(text, "busy %s of %s, ", units_time(fleet->all.busy_ns, UNITS_ROOM),
		 units_time(fleet->all.length_ns, UNITS_ROOM));
	add_counted(text, fleet->all.n_samples, "sample");
	buf_addf(text, ", %s; shares are of busy time", units_bytes(fleet->bytes, UNITS_ROOM));
	put_item(job, text);
}

/* ---- what is left out ---- */

static void add_left(struct buf *text, uint64_t n, const char *what)
{
	if (!n)
		return;
	buf_adds(text, text->len ? ", " : "left out: ");
	add_counted(text, n, "file");
	buf_adds(text, what);
}

static void say_unjudged(struct job *job, struct buf *text)
{
	const struct fleet_answers *a = job->r->answers;

	for (size_t i = 0; i < a->n_unjudged && i < NAMED_MAX; i++) {
		const struct fleet_facts *f = &a->hosts.facts[a->unjudged[i].col];

		buf_adds(text, i ? ", " : "not judged: ");
		add_host(job, a->unjudged[i].col, text);
		if (a->unjudged[i].reason == FLEET_LITTLE_WORK)
			buf_addf(text, " (little work: %s busy)",
				 units_time(f->busy_ns, UNITS_ROOM));
		else
			buf_addf(text, " (bad sampling: %s of the samples that were expected)",
				 PERCENT((double)f->n_samples / (double)f->n_expected));
	}
	if (a->n_unjudged > NAMED_MAX) {
		buf_adds(text, ", and ");
		add_counted(text, a->n_unjudged - NAMED_MAX, "more host");
	}
	if (text->len)
		put_item(job, text);
}

/* With a section, if there is anything to say. */
static void say_left_out(struct job *job, struct buf *text)
{
	const struct fleet *fleet = job->r->fleet;
	const struct fleet_table *t = &job->axes[FLEET_BY_HOST];
	uint64_t n_unknown = 0;

	for (size_t i = 0; i < t->n_cols; i++)
		n_unknown += t->cols[i] ? 0 : t->facts[i].n_profiles;
	if (fleet->n_twice || fleet->n_failed || fleet->n_empty || fleet->n_other || n_unknown ||
	    job->r->answers->n_unjudged)
		page_section(job->out.page, "not in these answers", NULL);
	add_left(text, fleet->n_twice, " with the same bytes as another one");
	add_left(text, fleet->n_failed, " that cannot be read");
	add_left(text, fleet->n_empty, " without samples");
	add_left(text, fleet->n_other, " of other kinds");
	if (text->len)
		put_item(job, text);
	say_unjudged(job, text);
	if (n_unknown) {
		add_counted(text, n_unknown, "profile");
		buf_addf(text,
			 " without a host count as one host: --label-from='{host}/' takes it from "
			 "the path");
		put_item(job, text);
	}
}

/* ==== fleet page ==== */

static void write_page(const struct fleet_report *report, struct page_form form, struct sink *sink)
{
	static const uint8_t order[] = { HEAVIEST, DIFFERENT, SINCE, VERSION_FACTS, HOSTS };
	const struct compare *c = report->changed;
	struct page page = { .form = &form, .out = sink_buf(sink) };
	BUF_LOCAL text = { 0 };
	struct job job;

	job_init(&job, report, sink);
	job.out.page = &page;
	job.out.rows_max = (size_t)report->top;
	buf_adds(page.out, form.begin == page_md.begin ? "# Fleet\n\n" : "fleet\n");
	say_head(&job, &text);
	page_section(&page, "verdict", NULL);
	say_heaviest(&job, &text);
	say_different(&job, &text);
	say_changed(&job, &text);
	say_since(&job, &text);
	say_parts(&job, &text);
	say_left_out(&job, &text);
	if (c) {
		buf_addf(&text, "%s before, %s after", report->before, report->after);
		page_section(&page, "comparison", NULL);
		put_item(&job, &text);
		diff_report_power(&page, c);
		diff_gates_page(&page, c, report->gates, report->is_strict);
		if (c->n_tested[c->plan.sort])
			write_changed(&job);
	}
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		const struct list *list = &lists[order[i]];

		/* A table of one host or version says nothing. */
		job.t = &job.axes[list->axis];
		if (list->count(&job) > (list->get == get_col))
			write_list(&job, list);
	}
	job_done(&job);
	sink_step(sink);
}

static void text_write(const struct fleet_report *report, struct sink *sink)
{
	struct page_form form = page_text;

	form.cells = LINE_CELLS;
	write_page(report, form, sink);
}

static void md_write(const struct fleet_report *report, struct sink *sink)
{
	write_page(report, page_md, sink);
}

/* ==== fleet data ==== */

static void csv_write(const struct fleet_report *report, struct sink *sink)
{
	struct job job;

	job_init(&job, report, sink);
	job.out.csv = sink_buf(sink);
	if (report->table == CHANGED)
		write_changed(&job);
	else
		write_list(&job, &lists[report->table]);
	job_done(&job);
}

static void json_head(struct json_writer *w, const struct fleet_report *r)
{
	const struct fleet *fleet = r->fleet;
	bool has_times = fleet->at_first || fleet->at_last;
	char date[2][DATE_MAX];

	date_format(fleet->at_first, 'T', date[0]);
	date_format(fleet->at_last, 'T', date[1]);
	strcat(date[0], "Z");
	strcat(date[1], "Z");
	json_put(w, json_line(2), json_string("format", "flametty-fleet"), json_line(2),
		 json_integer("version", 1), json_line(2), json_begin("files", "{"),
		 json_integer("found", (int64_t)fleet->n_files),
		 json_integer("read", (int64_t)fleet->n_read),
		 json_integer("twice", (int64_t)fleet->n_twice),
		 json_integer("failed", (int64_t)fleet->n_failed),
		 json_integer("without_samples", (int64_t)fleet->n_empty),
		 json_integer("other", (int64_t)fleet->n_other),
		 json_integer("bytes", fleet->bytes), json_boolean("is_stopped", fleet->is_stopped),
		 json_end("}"));
	json_put(w, json_line(2), json_string("first", has_times ? date[0] : NULL), json_line(2),
		 json_string("last", has_times ? date[1] : NULL), json_line(2),
		 json_integer("profiles", fleet->all.n_profiles), json_line(2),
		 json_us("length_us", fleet->all.length_ns), json_line(2),
		 json_us("busy_us", fleet->all.busy_ns), json_line(2),
		 json_integer("samples", (int64_t)fleet->all.n_samples));
}

static void json_parts(struct json_writer *w, const struct fleet_answers *a)
{
	const struct intern *strings = &a->hosts.fleet->strings;
	struct fleet_share *packages;
	size_t n = fleet_shares_packages(a, &packages);
	double gc, loading;

	fleet_shares_overheads(a, &gc, &loading);
	json_put(w, json_line(2), json_number("gc_percent", gc * 100, 9), json_line(2),
		 json_number("module_loading_percent", loading * 100, 9), json_line(2),
		 json_begin("packages", "["));
	for (size_t i = 0; i < n; i++)
		json_put(w, json_line(4), json_begin(NULL, "{"),
			 json_text("package", intern_text(strings, packages[i].name),
				   intern_len(strings, packages[i].name)),
			 json_number("median_percent", packages[i].share * 100, 9), json_end("}"));
	json_put(w, json_end("]"));
	free(packages);
}

static void json_write(const struct fleet_report *report, struct sink *sink)
{
	struct json_writer w = { .out = sink_buf(sink), .has_blanks = true };
	const struct compare *c = report->changed;
	struct job job;

	job_init(&job, report, sink);
	job.out.json = &w;
	json_put(&w, json_begin(NULL, "{"));
	json_head(&w, report);
	json_parts(&w, report->answers);
	for (size_t i = 0; i < VERSION_FACTS; i++)
		if (i != CHANGED)
			write_list(&job, &lists[i]);
	if (c) {
		json_put(&w, json_line(2), json_begin("changed", "{"),
			 json_string("before", report->before), json_string("after", report->after),
			 json_integer("hosts_before", c->n_before),
			 json_integer("hosts_after", c->n_after));
		diff_gates_json(c, report->gates, &w);
		write_changed(&job);
		json_put(&w, json_end("}"));
	}
	json_put(&w, json_end("\n}\n"));
	job_done(&job);
	sink_step(sink);
}

/* ==== fleet report ==== */

/* The first one is the default. */
static const struct fleet_report_format formats[] = {
	{ "text", text_write },
	{ "json", json_write },
	{ "csv", csv_write },
	{ "md", md_write },
};

const char *fleet_report_word(unsigned i)
{
	return i < ARRAY_LEN(formats) ? formats[i].name : NULL;
}

const char *fleet_report_table(unsigned i)
{
	return i < ARRAY_LEN(lists) ? lists[i].name : NULL;
}

const struct fleet_report_format *fleet_report_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (!name || strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}
