/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report`: a short page that fits a message: what the profile is, where its time went
 * by kind of code, the heaviest functions, the heaviest stack, and what was odd in
 * the file. Lists that are cut say so. */
#include "config.h"

#include "report/report.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "layout/labels.h"

#include <stdlib.h>
#include <string.h>

#define NAME_CELLS 40
#define STACK_MOST 24
#define PAGES_MOST 4       /* lanes with a page of their own */
#define LANES_MOST 20

/* Text from the profile, cut to `width` cells and filled up with blanks. */
static void add_cell(struct buf *out, const char *text, size_t len, int width)
{
	int used = text_fit(out, text, len, width);

	for (; used < width; used++)
		buf_addc(out, ' ');
}

/* Right-aligned in `width` cells. Values hold one character of two bytes at most. */
static void add_right(struct buf *out, const char *text, int width)
{
	int cells = text_cells(text, strlen(text));

	for (; cells < width; cells++)
		buf_addc(out, ' ');
	buf_adds(out, text);
}

static void add_share(struct buf *out, int64_t part, int64_t whole)
{
	char text[UNITS_MAX];

	units_percent(part, whole, text);
	add_right(out, text, 8);
}

static void add_time(struct buf *out, int64_t ns)
{
	char text[UNITS_MAX];

	units_time(ns, text);
	add_right(out, text, 10);
}

/* Names come from the file: visible. */
static void add_name(struct buf *out, const struct profile *p, const char *before, str_id name)
{
	if (!name)
		return;
	buf_adds(out, before);
	text_visible(out, profile_text(p, name), intern_len(&p->strings, name));
}

static void add_lane_title(struct buf *out, const struct profile *p, const struct lane *lane)
{
	const struct input *in = &p->inputs[lane->input];
	char a[UNITS_MAX], b[UNITS_MAX];

	text_visible(out, profile_text(p, in->path), intern_len(&p->strings, in->path));
	if (lane->pid >= 0)
		buf_addf(out, ", pid %lld", (long long)lane->pid);
	add_name(out, p, " ", lane->process_name);
	if (lane->tid > 0)
		buf_addf(out, ", thread %lld", (long long)lane->tid);
	else if (lane->tid == 0 && !lane->thread_name)
		buf_adds(out, ", main thread");
	add_name(out, p, " ", lane->thread_name);
	add_name(out, p, ": ", lane->title);
	buf_adds(out, "\n");
	if (lane->kind != LANE_SAMPLES) {
		units_time(lane->t1 - lane->t0, a);
		units_count(lane->n_spans, b);
		buf_addf(out, "%s, %s slice%s that the trace states, %d deep\n", a, b, lane->n_spans == 1 ? "" : "s", lane->max_depth);
		return;
	}
	units_time(lane->t1 - lane->t0, a);
	if (!lane->has_timeline) {
		buf_addf(out, "%zu nodes, no samples: totals from hit counts, no time line\n", lane->n_file_nodes);
		return;
	}
	units_count(lane->samples.n, b);
	buf_addf(out, "%s, %s sample%s", a, b, lane->samples.n == 1 ? "" : "s");
	if (lane->interval_ns) {
		units_time(lane->interval_ns, a);
		buf_addf(out, " every %s", a);
	}
	buf_addf(out, ", %zu nodes, deepest stack %d\n", lane->n_file_nodes, lane->max_depth);
}

static void add_shares(struct buf *out, const struct totals *t, int64_t whole, int64_t range, bool has_idle)
{
	static const enum category shown[] = {
		CATEGORY_APP, CATEGORY_DEPENDENCY, CATEGORY_NODE, CATEGORY_RUNTIME, CATEGORY_NATIVE, CATEGORY_REGEXP, CATEGORY_WASM, CATEGORY_EVAL,
		CATEGORY_BUNDLER, CATEGORY_EXTENSION, CATEGORY_RENDERING, CATEGORY_GC, CATEGORY_PROGRAM, CATEGORY_UNKNOWN,
	};
	int64_t by[CATEGORY_COUNT] = { 0 };

	for (uint32_t i = 0; i < t->n_used; i++)
		by[(&t->view->frames[t->used[i]])->category] += t->frame_self[t->used[i]];
	buf_addf(out, "\nself time by kind of code (100 %% = all that was sampled%s)\n", has_idle ? "" : ", idle time left out");
	for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
		if (!by[shown[i]])
			continue;
		add_time(out, by[shown[i]]);
		add_share(out, by[shown[i]], whole);
		buf_addf(out, "  %s\n", category_name(shown[i]));
	}
	add_time(out, t->idle_ns);
	if (has_idle)
		add_share(out, t->idle_ns, whole);
	else
		buf_adds(out, "        ");
	buf_adds(out, "  idle\n");
	add_time(out, range - t->sampled_ns);
	buf_adds(out, "          not sampled\n");
}

static void add_table(struct buf *out, const struct totals *t, int64_t whole, enum rows_sort sort, int top)
{
	struct rows rows;
	size_t n = 0, left = 0;

	rows_init(&rows, t, ROWS_BOTTOMUP, sort);
	buf_addf(out, "\nheaviest functions by %s time\n      self               total          function\n",
		 sort == ROWS_BY_SELF ? "self" : sort == ROWS_BY_TOTAL ? "total" : "name, with self and total");
	for (size_t i = 0; i < rows.n; i++) {
		const struct frame *f = &t->view->frames[rows.rows[i].frame];
		struct buf place = { 0 };

		if (f->category == CATEGORY_IDLE || (sort == ROWS_BY_SELF && rows.rows[i].self == 0))
			continue;
		if (n++ >= (size_t)top) {
			left++;
			continue;
		}
		add_time(out, rows.rows[i].self);
		add_share(out, rows.rows[i].self, whole);
		buf_addc(out, ' ');
		add_time(out, rows.rows[i].total);
		add_share(out, rows.rows[i].total, whole);
		buf_adds(out, "  ");
		profile_location(t->profile, f, false, &place);
		if (place.len) {
			add_cell(out, profile_text(t->profile, f->name), intern_len(&t->profile->strings, f->name), NAME_CELLS);
			buf_adds(out, "  ");
			text_fit(out, place.data, place.len, 60);
		} else {
			text_fit(out, profile_text(t->profile, f->name), intern_len(&t->profile->strings, f->name), 100);
		}
		buf_done(&place);
		buf_addc(out, '\n');
	}
	if (left)
		buf_addf(out, "  … %zu more (--top=N)\n", left);
	rows_done(&rows);
}

static void add_stack(struct buf *out, const struct totals *t, int64_t whole)
{
	struct rows rows;
	size_t at = 0;
	int n = 0;

	rows_init(&rows, t, ROWS_TOPDOWN, ROWS_BY_TOTAL);
	while (at < rows.n && (&t->view->frames[rows.rows[at].frame])->category == CATEGORY_IDLE)
		at++;
	if (at < rows.n)
		buf_adds(out, "\nheaviest stack, outermost call first\n");
	while (at < rows.n) {
		const struct row *row = &rows.rows[at];
		const struct frame *f = &t->view->frames[row->frame];

		if (n++ == STACK_MOST) {
			buf_adds(out, "  … and deeper\n");
			break;
		}
		add_time(out, row->total);
		add_share(out, row->total, whole);
		buf_addf(out, "  %*s", n > 20 ? 20 : n - 1, "");
		text_fit(out, profile_text(t->profile, f->name), intern_len(&t->profile->strings, f->name), 60);
		buf_addc(out, '\n');
		if (!row->can_open)
			break;
		rows_open(&rows, at);
		/* Below, time splits: the stack ends where no callee has half of it. */
		if (at + 1 >= rows.n || rows.rows[at + 1].depth <= rows.rows[at].depth || rows.rows[at + 1].total < rows.rows[at].total - rows.rows[at + 1].total)
			break;
		at++;
	}
	rows_done(&rows);
}

static void add_warnings(struct buf *out, const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		for (size_t k = 0; k < p->inputs[i].n_warnings; k++) {
			const struct warning *w = &p->inputs[i].warnings[k];

			buf_adds(out, w->is_note ? "note: " : "warning: ");
			if (p->n_inputs > 1) {
				text_visible(out, profile_text(p, p->inputs[i].path), intern_len(&p->strings, p->inputs[i].path));
				buf_adds(out, ": ");
			}
			text_visible(out, profile_text(p, w->text), intern_len(&p->strings, w->text));
			if (w->count > 1)
				buf_addf(out, " (%llu times)", (unsigned long long)w->count);
			if (w->offset >= 0)
				buf_addf(out, ", first at byte %lld", (long long)w->offset);
			buf_addc(out, '\n');
		}
	}
}

static void add_lane(struct buf *out, const struct profile *p, const struct lane *lane, const struct report_options *options)
{
	const struct scope *scope = &options->scope;
	int64_t t0 = scope->t0 > lane->t0 ? scope->t0 : lane->t0, t1 = scope->t1 < lane->t1 ? scope->t1 : lane->t1;
	struct totals t;
	struct view view;
	char a[UNITS_MAX], b[UNITS_MAX];
	int64_t whole;

	add_lane_title(out, p, lane);
	if (scope->t0 > 0 || scope->t1 < p->t1) {
		units_time(scope->t0, a);
		units_time(scope->t1, b);
		buf_addf(out, "range: from %s to %s\n", a, b);
	}
	view_init(&view, p, &lane, 1, NULL, 0, GROUP_FUNCTION);
	totals_init(&t, &view);
	totals_compute(&t, t0, t1 > t0 ? t1 : t0);
	whole = t.sampled_ns - (scope->has_idle ? 0 : t.idle_ns);
	add_shares(out, &t, whole, t1 > t0 ? t1 - t0 : 0, scope->has_idle);
	if (!options->is_sorted || options->sort == ROWS_BY_SELF)
		add_table(out, &t, whole, ROWS_BY_SELF, options->top);
	if (!options->is_sorted || options->sort == ROWS_BY_TOTAL)
		add_table(out, &t, whole, ROWS_BY_TOTAL, options->top);
	if (options->is_sorted && options->sort == ROWS_BY_NAME)
		add_table(out, &t, whole, ROWS_BY_NAME, options->top);
	add_stack(out, &t, whole);
	totals_done(&t);
	view_done(&view);
}

static void add_facts(struct buf *out, const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		for (size_t k = 0; k < p->inputs[i].n_facts; k++) {
			if (!p->inputs[i].facts[k].is_loss)
				continue;
			buf_adds(out, "not shown: ");
			text_visible(out, profile_text(p, p->inputs[i].facts[k].text), intern_len(&p->strings, p->inputs[i].facts[k].text));
			buf_addc(out, '\n');
		}
	}
}

static bool is_work(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || (lane->kind == LANE_SLICES && !lane->is_joined);
}

static int busiest_first(const void *a, const void *b)
{
	const struct lane *x = *(const struct lane *const *)a, *y = *(const struct lane *const *)b;

	if (x->busy_ns != y->busy_ns)
		return x->busy_ns > y->busy_ns ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Where there are many lanes, one line for each of the busiest. */
static void add_lanes(struct buf *out, const struct profile *p, const struct lane *const *list, uint32_t n)
{
	buf_addf(out, "%u lanes, busiest first\n      busy    of it\n", (unsigned)n);
	for (uint32_t i = 0; i < n && i < LANES_MOST; i++) {
		const struct lane *lane = list[i];

		add_time(out, lane->busy_ns);
		add_share(out, lane->busy_ns, lane->t1 - lane->t0);
		buf_adds(out, "  ");
		label_lane(p, lane, true, out);
		buf_addc(out, '\n');
	}
	if (n > LANES_MOST)
		buf_addf(out, "  \342\200\246 %u more lanes (--format=json has all)\n", (unsigned)(n - LANES_MOST));
	buf_addc(out, '\n');
}

static void text_write(const struct profile *p, const struct report_options *options, struct buf *out)
{
	const struct lane **list = xcalloc(p->n_lanes, sizeof *list);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (is_work(&p->lanes[i]))
			list[n++] = &p->lanes[i];
	if (n > PAGES_MOST) {
		qsort(list, n, sizeof *list, busiest_first);
		add_lanes(out, p, list, n);
	}
	for (uint32_t i = 0; i < n && i < PAGES_MOST; i++) {
		if (i)
			buf_adds(out, "\n");
		add_lane(out, p, list[i], options);
	}
	if (n > PAGES_MOST)
		buf_addf(out, "\n\342\200\246 %u more lanes without a page of their own (--format=json has all)\n", (unsigned)(n - PAGES_MOST));
	if (n == 0)
		buf_adds(out, "no samples and no slices\n");
	free(list);
	buf_adds(out, "\n");
	add_warnings(out, p);
	add_facts(out, p);
	/* No empty line at the end of a page without warnings. */
	if (out->len > 1 && out->data[out->len - 2] == '\n')
		out->data[--out->len] = '\0';
}

const struct report report_text = { "text", "a short page for people", text_write };
