/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each table is described once, for all forms. Text has the shares by category and by package side
 * by side. */
#include "config.h"

#include "write/report/page_tables.h"

#include "analyse/rows/rows_top.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "model/lane_value.h"
#include "write/report/input_sums.h"

#include <stdlib.h>
#include <string.h>

/* Rows of the heaviest stack: STACK_OUTER from its outer end, the rest from its inner. */
#define STACK_MOST 10
#define STACK_OUTER 3
#define HALF_CELLS 50
#define PACKAGES_LEAST 5

static size_t rows_most(const struct page *page)
{
	return (size_t)page->g->options->top;
}

static size_t rows_left(size_t n, size_t most)
{
	return n > most ? n - most : 0;
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
	row.gc = summary_gc(&t);
	row.range = t1 - t0;
	totals_done(&t);
	view_done(&view);
	return row;
}

static void add_lane_row(struct page *page, const struct page_table *table,
			 const struct lane_row *row)
{
	char id[UNITS_MAX];

	page_id(row->lane->id, id);
	page_row(page, table,
		 (struct page_cell[]){ page_short(id),
				       { .ns = row->busy },
				       { .ns = row->busy, .whole = row->range },
				       { .ns = row->gc },
				       { .ns = row->range },
				       { .lane = row->lane } });
}

void page_tables_lanes(struct page *page)
{
	static const struct page_table table = {
		.title = "lanes, busiest first",
		.note = "(% of the lane's part of the range)",
		.heading = "  lane      busy               gc    length  thread",
		.columns = { { "Lane", PAGE_NUMBER, 0, 6 },
			     { "Busy", PAGE_TIME, 0, 10 },
			     { "Busy%", PAGE_SHARE, 0, 8 },
			     { "GC", PAGE_TIME, 0, 10 },
			     { "Length", PAGE_TIME, 0, 10 },
			     { "Thread", PAGE_WORDS, 2, 0 } },
	};
	const struct gathered *g = page->g;
	struct lane_row *rows = xcalloc(g->n_lanes, sizeof *rows);
	size_t n = 0, most = rows_most(page);

	for (uint32_t i = 0; i < g->n_lanes; i++)
		if (!g->lanes[i]->is_joined)
			rows[n++] = measure_lane(g, g->lanes[i]);
	qsort(rows, n, sizeof *rows, busiest_first);
	page_begin(page, &table);
	for (size_t i = 0; i < n && i < most; i++)
		add_lane_row(page, &table, &rows[i]);
	page_end(page, &table, rows_left(n, most), "lane", "lanes");
	free(rows);
}

/* ---- files ---- */

static void add_input_row(struct page *page, const struct page_table *table, uint32_t i,
			  const struct input_sums *sums)
{
	const struct profile *p = page->g->scoped->original;
	const struct input *in = &p->inputs[i];
	char interval[UNITS_MAX] = "-", nodes[UNITS_MAX], samples[UNITS_MAX],
	     bytes[UNITS_MAX] = "-";

	if (sums->interval_ns > 0)
		profile_value(p, sums->interval_ns, interval);
	units_count(sums->n_nodes, nodes);
	units_count(sums->n_samples, samples);
	if (in->bytes >= 0)
		units_bytes(in->bytes, bytes);
	page_row(page, table,
		 (struct page_cell[]){ page_short(interval),
				       { .ns = sums->duration_ns },
				       page_short(nodes),
				       page_short(samples),
				       page_short(bytes),
				       page_string(page, in->path) });
}

void page_tables_inputs(struct page *page)
{
	static const struct page_table table = {
		.title = "files",
		.heading = "  interval  duration     nodes    samples    bytes  file",
		.columns = { { "Interval", PAGE_NUMBER, 0, 10 },
			     { "Duration", PAGE_TIME, 0, 10 },
			     { "Nodes", PAGE_NUMBER, 0, 10 },
			     { "Samples", PAGE_NUMBER, 0, 11 },
			     { "Bytes", PAGE_NUMBER, 0, 9 },
			     { "File", PAGE_PATH, 2, 0 } },
	};
	const struct profile *p = page->g->scoped->original;
	struct input_sums *sums = input_sums_new(p);
	size_t most = rows_most(page), n = p->n_inputs;

	page_begin(page, &table);
	for (uint32_t i = 0; i < n && i < most; i++)
		add_input_row(page, &table, i, &sums[i]);
	page_end(page, &table, rows_left(n, most), "file", "files");
	free(sums);
}

/* ---- functions ---- */

/* The name of a function, and its place: two cells. The place is in `place`. */
static void find_frame(const struct page *page, const struct frame *f, struct buf *place,
		       struct page_cell cells[2])
{
	cells[0] = page_string(page, f->name);
	profile_location(page->g->profile, f, false, place);
	cells[1] = (struct page_cell){ .text = buf_text(place), .len = place->len };
}

static void add_function(struct page *page, const struct page_table *table, frame_id frame)
{
	const struct gathered *g = page->g;
	int64_t self = g->totals.frame_self[frame], total = g->totals.frame_total[frame];
	struct page_cell cells[7] = { { .ns = self },
				      { .ns = self, .whole = g->whole_ns },
				      { .ns = total },
				      { .ns = total, .whole = g->whole_ns } };
	struct buf place = { 0 };
	int64_t hit_ns = lane_value_hit_ns(g->profile);
	char hits[UNITS_MAX];
	int n = 4;

	if (hit_ns) {
		units_count((uint64_t)(self / hit_ns), hits);
		cells[n++] = page_short(hits);
	}
	find_frame(page, &g->view.frames[frame], &place, cells + n);
	page_row(page, table, cells);
	buf_done(&place);
}

/* A table of functions. */
struct listing {
	const struct gathered *g;
	bool has_empty; /* functions without self time are in it */
};

static bool is_listed(const void *ctx, frame_id frame)
{
	const struct listing *l = ctx;

	return (l->has_empty || l->g->totals.frame_self[frame] != 0) && gather_lists(l->g, frame);
}

static const char *row_name(const struct gathered *g)
{
	static const char *const names[GROUP_COUNT] = { "functions",  "files", "packages",
							"categories", "lanes", "event categories",
							"names" };

	return g->options->scope.group < GROUP_LABEL ? names[g->options->scope.group] : "labels";
}

void page_tables_functions(struct page *page, enum rows_sort sort)
{
	static const char *const sorted[] = { [ROWS_BY_SELF] = "self time",
					      [ROWS_BY_TOTAL] = "total time",
					      [ROWS_BY_NAME] = "name" };
	struct page_table table = {
		.heading = "      self               total          name",
		.columns = { { "Self", PAGE_TIME, 0, 10 },
			     { "Self%", PAGE_SHARE, 0, 8 },
			     { "Total", PAGE_TIME, 1, 10 },
			     { "Total%", PAGE_SHARE, 0, 8 },
			     { "Function", PAGE_NAME, 2, 34 },
			     { "Location", PAGE_PATH, 1, 0 } },
	};
	static const struct page_table hits_table = {
		.heading = "      self               total            hits  name",
		.columns = { { "Self", PAGE_TIME, 0, 10 },
			     { "Self%", PAGE_SHARE, 0, 8 },
			     { "Total", PAGE_TIME, 1, 10 },
			     { "Total%", PAGE_SHARE, 0, 8 },
			     { "Hits", PAGE_NUMBER, 0, 9 },
			     { "Function", PAGE_NAME, 2, 34 },
			     { "Location", PAGE_PATH, 1, 0 } },
	};
	const struct gathered *g = page->g;
	const struct listing listing = { g, page->form->has_all || sort != ROWS_BY_SELF };
	struct buf title = { 0 };
	struct rows_top top;

	if (lane_value_hit_ns(g->profile))
		table = hits_table;
	buf_addf(&title, "%s by %s", row_name(g), sorted[sort]);
	table.title = buf_text(&title);
	rows_top_init(&top, &g->totals, sort, rows_most(page), is_listed, &listing);
	page_begin(page, &table);
	for (size_t i = 0; i < top.n; i++)
		add_function(page, &table, top.list[i]);
	page_end(page, &table, top.n_left, "row", "rows");
	rows_top_done(&top);
	buf_done(&title);
}

/* ---- the heaviest stack ---- */

static void add_call(struct page *page, const struct page_table *table, node_id node)
{
	const struct gathered *g = page->g;
	struct page_cell cells[4] = { { .ns = g->totals.total[node] },
				      { .ns = g->totals.total[node], .whole = g->whole_ns } };
	struct buf place = { 0 };

	find_frame(page, &g->view.frames[g->view.tree->frame[node]], &place, cells + 2);
	page_row(page, table, cells);
	buf_done(&place);
}

void page_tables_stack(struct page *page)
{
	static const struct page_table table = {
		.title = "heaviest stack by total time, outermost call first",
		.columns = { { "Total", PAGE_TIME, 0, 10 },
			     { "Total%", PAGE_SHARE, 0, 8 },
			     { "Function", PAGE_NAME, 2, 40 },
			     { "Location", PAGE_PATH, 1, 0 } },
	};
	node_id *stack;
	size_t n = summary_stack(&page->g->totals, &stack),
	       hidden = n > STACK_MOST + 1 ? n - STACK_MOST : 0;

	if (n)
		page_begin(page, &table);
	for (size_t i = 0; i < n; i++) {
		if (hidden && i == STACK_OUTER) {
			struct buf text = { 0 };

			buf_addf(&text, "\342\200\246 %zu calls between (--table=stack has all)",
				 hidden);
			page_gap(page, &table, buf_text(&text));
			buf_done(&text);
			i += hidden;
		}
		add_call(page, &table, stack[i]);
	}
	if (n)
		page_end(page, &table, 0, NULL, NULL);
	free(stack);
}

/* ---- shares ---- */

static const struct page_table category_table = {
	.title = "self time by category",
	.columns = { { "Self", PAGE_TIME, 0, 10 },
		     { "Self%", PAGE_SHARE, 0, 8 },
		     { "Category", PAGE_WORDS, 2, HALF_CELLS - 20 } },
};

static const struct page_table package_table = {
	.title = "self time by package",
	.columns = { { "Self", PAGE_TIME, 0, 10 },
		     { "Self%", PAGE_SHARE, 0, 8 },
		     { "Package", PAGE_PACKAGE, 2, HALF_CELLS - 20 } },
};

static void add_shares(struct page *page, const struct page_table *table, const struct share *list,
		       size_t n)
{
	const struct gathered *g = page->g;

	for (size_t i = 0; i < n; i++) {
		const struct share *s = &list[i];
		bool is_counted = s->category != CATEGORY_IDLE || g->options->scope.has_idle;

		page_row(page, table,
			 (struct page_cell[]){
				 { .ns = s->self },
				 { .ns = s->self, .whole = is_counted ? g->whole_ns : 0 },
				 page_string(page, s->name) });
	}
}

/* Only named packages: the table of categories has the rest. */
static size_t find_packages(const struct gathered *g, struct share **list)
{
	size_t all = summary_shares(g->functions, SUMMARY_PACKAGE, list), n = 0;

	for (size_t i = 0; i < all; i++)
		if ((*list)[i].is_named && (*list)[i].self > 0)
			(*list)[n++] = (*list)[i];
	return n;
}

/* Append the next line of a text without its end, in `width` cells or more; returns what follows
 * it. */
static const char *add_line(struct buf *out, const char *text, int width)
{
	size_t len = strcspn(text, "\n");

	buf_add(out, text, len);
	for (int cells = text_cells(text, len); cells < width; cells++)
		buf_addc(out, ' ');
	return text + len + (text[len] == '\n');
}

/* Two tables of text side by side, with a line of their titles. */
static void join_halves(const char *left, const char *right, struct buf *out)
{
	while (*left || *right) {
		left = add_line(out, left, HALF_CELLS);
		right = add_line(out, right, 0);
		while (out->data[out->len - 1] == ' ')
			out->data[--out->len] = '\0';
		buf_addc(out, '\n');
	}
}

static void add_halves(struct page *page, const struct share *categories, size_t n_categories,
		       const struct share *packages, size_t n_packages)
{
	struct buf left = { 0 }, right = { 0 };
	char title[AMOUNT_WORDS_MAX];
	struct page half = *page;

	if (!n_categories && !n_packages)
		return;
	half.out = &left;
	buf_addf(&left, "%s\n", amount_words(&page->unit, category_table.title, title));
	add_shares(&half, &category_table, categories, n_categories);
	half.out = &right;
	buf_addf(&right, "%s\n",
		 n_packages ? amount_words(&page->unit, package_table.title, title) : "");
	add_shares(&half, &package_table, packages, n_packages);
	buf_addc(page->out, '\n');
	join_halves(buf_text(&left), buf_text(&right), page->out);
	buf_done(&left);
	buf_done(&right);
}

void page_tables_shares(struct page *page)
{
	const struct gathered *g = page->g;
	struct share *categories, *packages;
	size_t n_categories = summary_shares(g->functions, SUMMARY_CATEGORY, &categories),
	       n = find_packages(g, &packages), most = rows_most(page);

	while (n_categories && categories[n_categories - 1].self == 0)
		n_categories--;
	/* Without --top, packages do not make the page longer. */
	if (!g->options->has_top && !page->form->has_all)
		most = n_categories > PACKAGES_LEAST ? n_categories : PACKAGES_LEAST;
	most = n < most ? n : most;
	if (page->form->is_two_columns) {
		add_halves(page, categories, n_categories, packages, most);
		page_more(page, n - most, "package", "packages");
	} else {
		if (n_categories) {
			page_begin(page, &category_table);
			add_shares(page, &category_table, categories, n_categories);
			page_end(page, &category_table, 0, NULL, NULL);
		}
		if (most) {
			page_begin(page, &package_table);
			add_shares(page, &package_table, packages, most);
			page_end(page, &package_table, n - most, "package", "packages");
		}
	}
	free(categories);
	free(packages);
}

void page_tables_event_cats(struct page *page)
{
	static const struct page_table table = {
		.title = "self time by event category",
		.columns = { { "Self", PAGE_TIME, 0, 10 },
			     { "Self%", PAGE_SHARE, 0, 8 },
			     { "Event category", PAGE_NAME, 2, 0 } },
	};
	const struct gathered *g = page->g;
	struct event_cat_share *list;
	size_t n, most = rows_most(page);

	if (g->lanes[0]->kind != LANE_SLICES)
		return;
	n = gather_event_cats(g, &list);
	if (n)
		page_begin(page, &table);
	for (size_t i = 0; i < n && i < most; i++) {
		str_id name = list[i].name ? list[i].name : g->profile->no_event_cat;

		page_row(page, &table,
			 (struct page_cell[]){ { .ns = list[i].self },
					       { .ns = list[i].self, .whole = g->whole_ns },
					       page_string(page, name) });
	}
	if (n)
		page_end(page, &table, rows_left(n, most), "event category", "event categories");
	free(list);
}
