/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each table is described once, for all forms. Text has the shares by category and by package side
 * by side. */
#include "config.h"

#include "write/report/page_tables.h"

#include "analyse/rows/rows.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "model/lane_name.h"
#include "model/profile.h"
#include "model/source_text.h"
#include "write/report/csv_out.h"
#include "write/report/page.h"

#include <stdlib.h>
#include <string.h>

/* ==== line table ====
 *
 * Texts are those that the source pane shows. Blanks at both ends are left out, and so is what
 * follows the first CHARS_MAX characters. */

#define CHARS_MAX 200
#define PLACE_CELLS 30

bool line_table_is_wanted(const struct report_options *options)
{
	return strcmp(report_csv_word(options->table), "lines") == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The text of a line; empty: there is none. Valid until the next text is asked for. */
static struct str find_text(const struct gathered *g, const struct hot_line *line)
{
	const struct source_host *host = g->options->sources;
	const struct source_text *text;
	struct source_wanted wanted;
	struct str s = { "", 0 };
	const char *end;

	if (!host || !g->n_originals ||
	    !source_text_wanted(g->scoped->original, line->frame, g->originals[0]->input, &wanted))
		return s;
	wanted.is_plain = true;
	text = host->read(host->ctx, &wanted);
	if (!text || !text->is_found)
		return s;
	s = source_text_line(text, (size_t)line->line - 1);
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	end = s.p;
	for (int i = 0; i < CHARS_MAX && end < s.p + s.len; i++)
		text_next(&end, s.p + s.len);
	s.len = (size_t)(end - s.p);
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

void line_table_cell(const struct gathered *g, const struct hot_line *line, struct buf *out)
{
	struct str s = find_text(g, line);

	buf_addc(out, ',');
	csv_cell_text(out, s.p, s.len, g->options->is_raw_csv);
}

void line_table_member(const struct gathered *g, const struct hot_line *line, struct json_writer *w)
{
	struct str s = { "", 0 };

	if (!line_table_is_wanted(g->options))
		return;
	s = find_text(g, line);
	if (s.len)
		json_put(w, json_text("text", s.p, s.len));
	else
		json_put(w, json_raw("text", "null"));
}

static const struct page_table table_table = {
	.title = "hottest lines: about, by V8's ticks",
	.columns = { { "About", PAGE_TIME, 0, 10 },
		     { "Location", PAGE_PATH, 2, PLACE_CELLS },
		     { "Text", PAGE_NAME, 2, 0 } },
};

static void add_row(struct page *page, const struct hot_line *line)
{
	const struct profile *p = page->g->scoped->original;
	struct frame place = *profile_frame(p, line->frame);
	struct buf where = { 0 }, text = { 0 };
	struct str s = find_text(page->g, line);

	place.line = line->line;
	place.column = 0;
	profile_location(p, &place, false, &where);
	/* A blank for each tab. */
	for (size_t i = 0; i < s.len; i++)
		buf_addc(&text, s.p[i] == '\t' ? ' ' : s.p[i]);
	page_row(page, &table_table,
		 (struct page_cell[]){ { .ns = line->about_ns },
				       { .text = buf_text(&where), .len = where.len },
				       { .text = buf_text(&text), .len = text.len } });
	buf_done(&where);
	buf_done(&text);
}

void line_table_page(struct page *page)
{
	const struct gathered *g = page->g;
	struct hot_line *list;
	size_t n = summary_lines(g->scoped->original, g->originals, g->n_originals,
				 g->options->scope.t0, g->options->scope.t1, &list),
	       shown = 0, more = 0;

	if (n)
		page_begin(page, &table_table);
	else
		page->form->remark(
			page, "no lines: the profile does not say on which lines time was spent");
	for (size_t i = 0; i < n; i++) {
		if (!gather_has_row(g, list[i].frame))
			continue;
		if (shown == (size_t)g->options->top) {
			more++;
			continue;
		}
		shown++;
		add_row(page, &list[i]);
	}
	if (n)
		page_end(page, &table_table, more, "line", "lines");
	free(list);
}

/* ==== input sums ====
 *
 * The distance of samples is averaged over the samples of all lanes of a file. */

static void add_lane(struct input_sums *sums, const struct lane *lane)
{
	bool is_first = sums->n_lanes == 0;

	sums->n_lanes += is_first || !lane->is_joined;
	sums->t0 = is_first || lane->t0 < sums->t0 ? lane->t0 : sums->t0;
	sums->t1 = is_first || lane->t1 > sums->t1 ? lane->t1 : sums->t1;
	sums->duration_ns = sums->t1 - sums->t0;
	if (lane->kind != LANE_SAMPLES)
		return;
	sums->n_nodes += lane->n_file_nodes;
	if (lane->has_timeline && lane->interval_ns > 0 && lane->n_samples > 0) {
		uint64_t n = sums->n_samples + lane->n_samples;

		sums->interval_ns += (int64_t)((double)(lane->interval_ns - sums->interval_ns) *
					       (double)lane->n_samples / (double)n);
	}
	if (lane->has_timeline)
		sums->n_samples += lane->n_samples;
}

struct input_sums *input_sums_new(const struct profile *p)
{
	struct input_sums *sums = xcalloc(p->n_inputs ? p->n_inputs : 1, sizeof *sums);

	for (uint32_t i = 0; i < p->n_lanes; i++)
		add_lane(&sums[p->lanes[i].input], &p->lanes[i]);
	return sums;
}

/* ==== page tables ==== */

/* Rows of the heaviest stack: STACK_OUTER from its outer end, the rest from its inner. */
#define STACK_MAX 10
#define STACK_OUTER 3
#define HALF_CELLS 50
#define PACKAGES_MIN 5

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
	       hidden = n > STACK_MAX + 1 ? n - STACK_MAX : 0;

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
		most = n_categories > PACKAGES_MIN ? n_categories : PACKAGES_MIN;
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
