/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns have a fixed width, and the last one takes the rest of the line. */
#include "config.h"

#include "report/page.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "model/lane_name.h"
#include "report/input_sums.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_CELLS 39 /* self and total time with their shares */
#define NAME_CELLS 34
#define STACK_MOST                                                                                 \
	10 /* rows of the heaviest stack: STACK_OUTER from its outer end, the rest from its inner  \
	    */
#define STACK_OUTER 3

void page_right(struct buf *out, const char *text, int width)
{
	int cells = text_cells(text, strlen(text));

	for (; cells < width; cells++)
		buf_addc(out, ' ');
	buf_adds(out, text);
}

void page_cell(struct buf *out, const char *text, size_t len, int width)
{
	int used = text_fit(out, text, len, width);

	for (; used < width; used++)
		buf_addc(out, ' ');
}

void page_time(struct buf *out, int64_t ns)
{
	char text[UNITS_MAX];

	units_time(ns, text);
	page_right(out, text, 10);
}

void page_share(struct buf *out, int64_t part, int64_t whole)
{
	char text[UNITS_MAX];

	units_percent(part, whole, text);
	page_right(out, text, 8);
}

void page_more(struct buf *out, size_t n, const char *one, const char *many)
{
	if (n)
		buf_addf(out, "  \342\200\246 %zu more %s (--top=N)\n", n, n == 1 ? one : many);
}

/* ---- lanes ---- */

struct lane_row {
	const struct lane *lane;
	int64_t busy, gc, range;
};

static int busiest_first(const void *a, const void *b)
{
	const struct lane_row *x = a, *y = b;

	if (x->busy != y->busy)
		return x->busy > y->busy ? -1 : 1;
	return x->lane->id < y->lane->id ? -1 : x->lane->id > y->lane->id;
}

/* Busy is all sampled time except idle time. */
static struct lane_row measure_lane(const struct gathered *g, const struct lane *lane)
{
	struct lane_row row = { .lane = lane };
	struct view view;
	struct totals t;
	int64_t t0, t1;

	gather_range(g->options, lane, &t0, &t1);
	view_init_lane(&view, g->profile, lane);
	totals_init(&t, &view);
	totals_compute(&t, t0, t1);
	row.busy = t.sampled_ns - t.idle_ns;
	row.gc = summary_category(&t, CATEGORY_GC);
	row.range = t1 - t0;
	totals_done(&t);
	view_done(&view);
	return row;
}

static void add_lane_row(const struct gathered *g, const struct lane_row *row, struct buf *out)
{
	buf_addf(out, "%6u", (unsigned)row->lane->id);
	page_time(out, row->busy);
	page_share(out, row->busy, row->range);
	page_time(out, row->gc);
	page_time(out, row->range);
	buf_adds(out, "  ");
	lane_name_fit(g->scoped->original, scoped_original(g->scoped, row->lane), PAGE_CELLS - 46,
		      out);
	buf_addc(out, '\n');
}

void page_lanes(const struct gathered *g, struct buf *out)
{
	struct lane_row *rows = xcalloc(g->n_lanes, sizeof *rows);
	size_t n = 0, most = (size_t)g->options->top;

	for (uint32_t i = 0; i < g->n_lanes; i++)
		if (!g->lanes[i]->is_joined)
			rows[n++] = measure_lane(g, g->lanes[i]);
	qsort(rows, n, sizeof *rows, busiest_first);
	buf_adds(out,
		 "\nlanes, busiest first (% of the lane's part of the range)\n"
		 "  lane      busy               gc    length  thread\n");
	for (size_t i = 0; i < n && i < most; i++)
		add_lane_row(g, &rows[i], out);
	page_more(out, n > most ? n - most : 0, "lane", "lanes");
	free(rows);
}

/* ---- files ---- */

static void add_input_row(const struct profile *p, uint32_t i, const struct input_sums *sums,
			  struct buf *out)
{
	const struct input *in = &p->inputs[i];
	char text[UNITS_MAX];

	if (sums->interval_ns > 0)
		units_time(sums->interval_ns, text);
	page_right(out, sums->interval_ns > 0 ? text : "-", 10);
	page_time(out, sums->duration_ns);
	units_count(sums->n_nodes, text);
	page_right(out, text, 10);
	units_count(sums->n_samples, text);
	page_right(out, text, 11);
	units_bytes(in->bytes, text);
	page_right(out, in->bytes >= 0 ? text : "-", 9);
	buf_adds(out, "  ");
	text_fit_end(out, profile_text(p, in->path), intern_len(&p->strings, in->path),
		     PAGE_CELLS - 52);
	buf_addc(out, '\n');
}

void page_inputs(const struct gathered *g, struct buf *out)
{
	const struct profile *p = g->scoped->original;
	struct input_sums *sums = input_sums_new(p);
	size_t most = (size_t)g->options->top, n = p->n_inputs;

	buf_adds(out, "\nfiles\n  interval  duration     nodes    samples    bytes  file\n");
	for (uint32_t i = 0; i < n && i < most; i++)
		add_input_row(p, i, &sums[i], out);
	page_more(out, n > most ? n - most : 0, "file", "files");
	free(sums);
}

/* ---- functions ---- */

static void add_function(const struct gathered *g, const struct row *row, struct buf *out)
{
	const struct profile *p = g->profile;
	const struct frame *f = &g->view.frames[row->frame];
	const char *name = profile_text(p, f->name);
	size_t len = intern_len(&p->strings, f->name);
	struct buf place = { 0 };

	page_time(out, row->self);
	page_share(out, row->self, g->whole_ns);
	buf_addc(out, ' ');
	page_time(out, row->total);
	page_share(out, row->total, g->whole_ns);
	buf_adds(out, "  ");
	profile_location(p, f, false, &place);
	if (place.len) {
		page_cell(out, name, len, NAME_CELLS);
		buf_addc(out, ' ');
		text_fit_end(out, place.data, place.len,
			     PAGE_CELLS - NUMBER_CELLS - NAME_CELLS - 1);
	} else {
		text_fit(out, name, len, PAGE_CELLS - NUMBER_CELLS);
	}
	buf_done(&place);
	buf_addc(out, '\n');
}

static bool is_listed(const struct gathered *g, const struct row *row, enum rows_sort sort)
{
	if (g->view.frames[row->frame].category == CATEGORY_IDLE && !g->options->scope.has_idle)
		return false;
	return !(sort == ROWS_BY_SELF && row->self == 0) && gather_has_row(g, row->frame);
}

static const char *row_name(const struct gathered *g)
{
	static const char *const names[GROUP_COUNT] = { "functions",  "files", "packages",
							"categories", "lanes", "event categories" };

	return names[g->options->scope.group];
}

void page_functions(const struct gathered *g, enum rows_sort sort, struct buf *out)
{
	static const char *const sorted[] = { [ROWS_BY_SELF] = "self time",
					      [ROWS_BY_TOTAL] = "total time",
					      [ROWS_BY_NAME] = "name" };
	struct rows rows;
	size_t n = 0, left = 0;

	rows_init(&rows, &g->totals, ROWS_BOTTOMUP, sort);
	buf_addf(out, "\n%s by %s\n      self               total          name\n", row_name(g),
		 sorted[sort]);
	for (size_t i = 0; i < rows.n; i++) {
		if (!is_listed(g, &rows.rows[i], sort))
			continue;
		if (n++ < (size_t)g->options->top)
			add_function(g, &rows.rows[i], out);
		else
			left++;
	}
	if (n == 0)
		buf_adds(out, "  none\n");
	page_more(out, left, "row", "rows");
	rows_done(&rows);
}

/* ---- the heaviest stack ---- */

static void add_call(const struct gathered *g, node_id node, struct buf *out)
{
	const struct frame *f = &g->view.frames[g->view.tree->frame[node]];
	struct buf place = { 0 };

	page_time(out, g->totals.total[node]);
	page_share(out, g->totals.total[node], g->whole_ns);
	buf_adds(out, "  ");
	profile_location(g->profile, f, false, &place);
	if (place.len) {
		page_cell(out, profile_text(g->profile, f->name),
			  intern_len(&g->profile->strings, f->name), 40);
		buf_addc(out, ' ');
		text_fit_end(out, place.data, place.len, PAGE_CELLS - 61);
	} else {
		text_fit(out, profile_text(g->profile, f->name),
			 intern_len(&g->profile->strings, f->name), PAGE_CELLS - 20);
	}
	buf_done(&place);
	buf_addc(out, '\n');
}

void page_stack(const struct gathered *g, struct buf *out)
{
	node_id *stack;
	size_t n = summary_stack(&g->totals, &stack),
	       hidden = n > STACK_MOST + 1 ? n - STACK_MOST : 0;

	if (n)
		buf_adds(out, "\nheaviest stack by total time, outermost call first\n");
	for (size_t i = 0; i < n; i++) {
		if (hidden && i == STACK_OUTER) {
			buf_addf(out, "  \342\200\246 %zu calls between (--table=stack has all)\n",
				 hidden);
			i += hidden;
		}
		add_call(g, stack[i], out);
	}
	free(stack);
}
