/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each table is a list of columns and a function that finds its rows, for all forms. A list names a
 * column twice where it stands in different places: pages have names behind numbers. */
#include "config.h"

#include "write/report/report_lists.h"

#include "analyse/label_share.h"
#include "analyse/rows/rows_walk.h"
#include "analyse/summary.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/function_id.h"
#include "model/profile.h"
#include "model/source_text.h"
#include "write/report/gather.h"
#include "write/report/json_out.h"
#include "write/report/report_json.h"

#include <inttypes.h>
#include <stdlib.h>

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

/* ==== report lists ==== */

/* Rows of the heaviest stack: STACK_OUTER from its outer end, the rest from its inner. */
#define STACK_MAX 10
#define STACK_OUTER 3
#define HALF_CELLS 50
#define PACKAGES_MIN 5
#define CHARS_MAX 200 /* of a line of source */
#define PLACE_CELLS 30

static int64_t whole_of(const struct report_out *out)
{
	return out->g ? out->g->whole_ns : 0;
}

/* Begin the section of a table; where it has no rows, CSV and JSON have it, too. */
static void begin_unless_empty(struct report_out *out, const struct report_table *table, size_t n)
{
	if (n || !out->page)
		report_table_begin(out, table);
	else
		report_table_use(out, table);
}

static void end_unless_empty(struct report_out *out, size_t n)
{
	if (n || !out->page)
		report_table_end(out);
}

/* ---- functions and calls ---- */

struct function_row {
	const struct frame *frame;
	frame_id id; /* see struct report_cell */
	struct function_figures f;
	int64_t depth;               /* of a call */
	char code[FUNCTION_ID_ROOM]; /* the id of the function; "": it has none */
};

void report_lists_code(const struct report_out *out, frame_id id, char code[FUNCTION_ID_ROOM])
{
	const struct report_options *o = out->options;

	*code = '\0';
	if (o->scope.group == GROUP_FUNCTION && id && id < o->n_ids)
		function_id_format(o->ids[id], code);
}

/* A figure, and its share. */
#define FIGURE(X, id, kind, where, key, heading, share, width, cols, value)                        \
	X(kind, REPORT_ALL &(where), key, heading, 0, width, .n = value)                           \
	X(SHARE, (share) ? REPORT_PAGE : 0, "", heading "%", 0, 8, .n = value,                     \
	  .whole = whole_of(out))

#define FUNCTIONS(X)                                                                               \
	X(FRAME, REPORT_DATA, "", "", 0, 0, .frame = row->frame, .id = row->id)                    \
	FIGURES_OF_TIME(FIGURE, FIGURE, X)                                                         \
	FIGURES_OF_SPANS(FIGURE, FIGURE, X)                                                        \
	X(CODE, REPORT_ALL, "id", "Id", 2, FUNCTION_ID_ROOM,                                       \
	  .text = *row->code ? row->code : NULL)                                                   \
	X(FRAME, REPORT_PAGE, "", "Function", 2, 34, .frame = row->frame)

REPORT_TABLE_WITH(all_functions, FUNCTIONS, struct function_row,
		  const struct function_figures *f = &row->f, .lead = "", .one = "row",
		  .many = "rows", .member = "functions", .line = 3, .row_line = 4)

#define CALL_FIGURE(X, id, kind, where, key, heading, share, width, cols, value)                   \
	X(kind, FIGURE_CALLS &(where) ? REPORT_DATA : 0, key, "", 0, 0, .n = value)

#define CALLS(X)                                                                                   \
	X(COUNT, REPORT_CSV, "depth", "", 0, 0, .n = row->depth)                                   \
	X(FRAME, REPORT_DATA, "", "", 0, 0, .frame = row->frame)                                   \
	FIGURES_OF_TIME(CALL_FIGURE, CALL_FIGURE, X)                                               \
	X(VALUE, REPORT_PAGE, "", "Total", 0, 10, .n = row->f.total)                               \
	X(SHARE, REPORT_PAGE, "", "Total%", 0, 8, .n = row->f.total, .whole = whole_of(out))       \
	X(FRAME, REPORT_PAGE, "", "Function", 2, 40, .frame = row->frame)

REPORT_TABLE_WITH(calls, CALLS, struct function_row, const struct function_figures *f = &row->f,
		  .title = "heaviest stack by total time, outermost call first", .member = "stack",
		  .line = 2, .row_line = 3)

static enum rows_sort sort_of(const struct gathered *g, enum rows_sort usual)
{
	return g->options->is_sorted ? g->options->sort : usual;
}

/* What is counted of the functions of a profile. */
struct list_counts {
	struct functions functions;
	struct totals_counts counts;
};

/* where: the form of the table; without a column of what is counted, nothing is counted. */
static void list_counts_init(struct list_counts *c, const struct gathered *g, unsigned where)
{
	*c = (struct list_counts){ 0 };
	/* Pages have only what is of slices. */
	if (!(FIGURES_OF_SPANS_WHERE & where) ||
	    (where == FIGURE_PAGE && (!g->n_lanes || g->lanes[0]->kind == LANE_SAMPLES)))
		return;
	totals_leaves(&g->totals, &c->counts);
	functions_init(&c->functions, &g->view, g->options->scope.t0, g->options->scope.t1);
}

static void list_counts_done(struct list_counts *c)
{
	functions_done(&c->functions);
	totals_counts_done(&c->counts);
}

/* The row of a function. */
static struct function_row row_of(const struct list_counts *c, const struct gathered *g,
				  frame_id id)
{
	bool is_counted = c->functions.list != NULL;

	return (struct function_row){
		.frame = &g->view.frames[id],
		.f = figures_of(is_counted ? &c->functions.list[id] : NULL,
				is_counted ? c->counts.self_samples[id] : 0,
				g->totals.frame_self[id], g->totals.frame_total[id], g->hit_ns),
	};
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

static void list_page_functions(struct report_out *out)
{
	static const char *const sorted[] = { [ROWS_BY_SELF] = "self time",
					      [ROWS_BY_TOTAL] = "total time",
					      [ROWS_BY_NAME] = "name" };
	static const char *const names[GROUP_COUNT] = { "functions",  "files",  "packages",
							"categories", "lanes",  "event categories",
							"names",      "origins" };
	struct report_table table = all_functions;
	const struct gathered *g = out->g;
	enum view_group group = g->options->scope.group;
	enum rows_sort sort = out->sort;
	struct listing listing = { g, sort != ROWS_BY_SELF || out->page->form->has_all };
	struct list_counts counts;
	BUF_LOCAL title = { 0 };
	struct rows_top top;

	buf_addf(&title, "%s by %s", group < GROUP_LABEL ? names[group] : "labels", sorted[sort]);
	table.title = buf_text(&title);
	rows_top_init(&top, &g->totals, sort, out->rows_max, is_listed, &listing);
	list_counts_init(&counts, g, FIGURE_PAGE);
	report_table_begin(out, &table);
	for (size_t i = 0; i < top.n; i++) {
		struct function_row row = row_of(&counts, g, top.list[i]);

		report_lists_code(out, top.list[i], row.code);
		report_table_row(out, &row);
	}
	out->n_left = top.n_left;
	report_table_end(out);
	list_counts_done(&counts);
	rows_top_done(&top);
}

static void list_functions(struct report_out *out)
{
	if (out->json) {
		const struct lane_sums *sums = out->sums;
		struct report_table table = all_functions;
		struct function_row row;

		if (sums->has_runs)
			table.member = "runs";
		report_table_begin(out, &table);
		for (uint32_t i = 0; i < sums->n; i++) {
			const struct row_sum *sum = &sums->sums[sums->order[i]];

			if (sums->has_runs && !profile_frame(out->profile, sums->order[i])->event)
				continue;
			row = (struct function_row){
				.frame = profile_frame(out->profile, sums->order[i]),
				.id = sums->order[i],
				.f = figures_of(&sum->counts, sum->self_samples, sum->self,
						sum->total, sums->hit_ns),
			};
			report_lists_code(out, row.id, row.code);
			report_table_row(out, &row);
		}
		report_table_end(out);
	} else if (out->csv) {
		const struct gathered *g = out->g;
		struct list_counts counts;
		struct rows rows;

		rows_init(&rows, &g->totals, ROWS_BOTTOMUP, sort_of(g, ROWS_BY_SELF), FRAME_NONE);
		list_counts_init(&counts, g, FIGURE_CSV);
		report_table_begin(out, &all_functions);
		for (size_t i = 0; i < rows.n; i++) {
			struct function_row row = row_of(&counts, g, rows.rows[i].frame);

			report_lists_code(out, rows.rows[i].frame, row.code);
			if (gather_has_row(g, rows.rows[i].frame))
				report_table_row(out, &row);
		}
		rows_done(&rows);
		list_counts_done(&counts);
	} else {
		list_page_functions(out);
	}
}

static bool add_call(struct report_out *out, frame_id frame, int64_t depth, int64_t self,
		     int64_t total)
{
	return report_table_row(out,
				&(struct function_row){
					.frame = &out->g->view.frames[frame],
					.depth = depth,
					.f = figures_of(NULL, 0, self, total, out->g->hit_ns),
				});
}

static void list_stack(struct report_out *out)
{
	const struct gathered *g = out->g;
	ALLOC_LOCAL node_id *stack = NULL;
	size_t n = summary_stack(&g->totals, &stack),
	       hidden = out->page && n > STACK_MAX + 1 ? n - STACK_MAX : 0, most = out->rows_max;

	if (out->page)
		out->rows_max = SIZE_MAX;
	begin_unless_empty(out, &calls, n);
	for (size_t i = 0; i < n; i++) {
		if (hidden && i == STACK_OUTER) {
			BUF_LOCAL text = { 0 };

			buf_addf(&text, "\342\200\246 %zu calls between (--table=stack has all)",
				 hidden);
			report_table_words(out, buf_text(&text));
			i += hidden;
		}
		add_call(out, g->view.tree->frame[stack[i]], (int64_t)i, g->totals.self[stack[i]],
			 g->totals.total[stack[i]]);
	}
	end_unless_empty(out, n);
	out->rows_max = most;
}

static void list_tree(struct report_out *out, unsigned kind)
{
	const struct gathered *g = out->g;
	uint64_t most = g->options->max_rows;
	struct rows_walk walk = { 0 };
	struct rows rows;
	const struct row *row;
	size_t n = 0, n_top = out->rows_max;
	BUF_LOCAL text = { 0 };
	bool ok = true;

	out->rows_max = SIZE_MAX;
	report_table_begin(out, &calls);
	if (!g->view.tree)
		return;
	rows_init(&rows, &g->totals, kind,
		  sort_of(g, kind == ROWS_TOPDOWN ? ROWS_BY_TOTAL : ROWS_BY_SELF), FRAME_NONE);
	for (size_t i = 0; ok && i < rows.n && n < n_top; i++) {
		if (!gather_has_row(g, rows.rows[i].frame))
			continue;
		n++;
		/* A row of the first level with all rows below it. */
		rows_walk_begin(&walk, &rows, i);
		while (ok && (!most || out->n < most) && (row = rows_walk_next(&walk)))
			ok = add_call(out, row->frame, row->depth, row->self, row->total);
		out->n_cut += ok ? rows_walk_skip(&walk) : 0;
	}
	/* A table that is not complete must not look complete to people, nor to programs that read
	 * it later: its last row has no depth and no times. */
	if (out->n_cut) {
		buf_addf(&text, "(%" PRIu64 " row%s left out by --max-rows=%" PRIu64 ")",
			 out->n_cut, out->n_cut == 1 ? "" : "s", most);
		report_table_words(out, buf_text(&text));
	}
	rows_walk_done(&walk);
	rows_done(&rows);
}

/* ---- shares ---- */

#define HALF_NAME_CELLS (HALF_CELLS - 20)

/* What is in no package, on pages. */
static const char own_code[] = "own code";

/* key: of the name in CSV; kind: of the name on pages, and its heading; own: what stands there for
 * a share without a name, NULL for its category. */
#define SHARES(X, where, key, kind, heading, own)                                                  \
	X(NAME, where, key, "", 0, 0, .string = row->is_named ? row->name : 0)                     \
	X(NAME, REPORT_JSON, "name", "", 0, 0,                                                     \
	  .string = row->is_named || !(where) ? row->name : 0)                                     \
	X(WORDS, REPORT_DATA, "category", "", 0, 0, .text = category_name(row->category))          \
	X(COUNT, REPORT_DATA, "functions", "", 0, 0, .n = row->n_frames)                           \
	X(VALUE, REPORT_ALL, "self", "Self", 0, 10, .n = row->self)                                \
	X(SHARE, REPORT_PAGE, "", "Self%", 0, 8, .n = row->self,                                   \
	  .whole = row->category != CATEGORY_IDLE || out->g->options->scope.has_idle               \
		  ? out->g->whole_ns                                                               \
		  : 0)                                                                             \
	X(kind, REPORT_PAGE, "", heading, 2, HALF_NAME_CELLS, .string = row->name,                 \
	  .text = row->is_named ? NULL : (own), .len = sizeof own_code - 1)

#define CATEGORIES(X) SHARES(X, 0, "", WORDS, "Category", NULL)
#define PACKAGES(X) SHARES(X, REPORT_CSV, "package", BRIEF, "Package", own_code)
#define FILES(X) SHARES(X, REPORT_CSV, "url", PATH, "File", NULL)

REPORT_TABLE(categories, CATEGORIES, struct share, .title = "self time by category",
	     .member = "categories", .line = 2)
REPORT_TABLE(packages, PACKAGES, struct share, .title = "self time by package", .one = "package",
	     .many = "packages", .member = "packages", .line = 2)
REPORT_TABLE(files, FILES, struct share, .member = "files", .line = 2)

/* Only packages and own code beside them: the table of categories has the rest. */
static size_t find_packages(const struct gathered *g, struct share **list)
{
	size_t all = summary_shares(g->functions, SUMMARY_PACKAGE, list), n = 0;

	for (size_t i = 0; i < all; i++)
		if (summary_is_package(*list, all, i))
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

/* A table without its section, below its title. */
static void add_half(struct page *page, const struct report_table *table, const struct share *list,
		     size_t n, struct buf *text)
{
	struct page half = *page;
	struct report_out out = { page->g, page->g->profile, .page = &half, .rows_max = n };
	char title[AMOUNT_WORDS_MAX];

	half.out = text;
	buf_addf(text, "%s\n",
		 n || table == &categories ? amount_words(&page->unit, table->title, title) : "");
	report_table_use(&out, table);
	for (size_t i = 0; i < n; i++)
		report_table_row(&out, &list[i]);
}

static void list_page_shares(struct page *page)
{
	const struct gathered *g = page->g;
	struct report_out out = { g, g->profile, .page = page, .rows_max = SIZE_MAX };
	ALLOC_LOCAL struct share *shares = NULL, *named = NULL;
	size_t n = summary_shares(g->functions, SUMMARY_CATEGORY, &shares),
	       n_named = find_packages(g, &named), most = (size_t)g->options->top;
	BUF_LOCAL left = { 0 }, right = { 0 };

	while (n && shares[n - 1].self == 0)
		n--;
	/* Without --top, packages do not make the page longer. */
	if (!g->options->has_top && !page->form->has_all)
		most = n > PACKAGES_MIN ? n : PACKAGES_MIN;
	most = n_named < most ? n_named : most;
	if (!page->form->is_two_columns) {
		report_table_write(&out, &categories, shares, n, sizeof *shares);
		out.rows_max = most;
		report_table_write(&out, &packages, named, n_named, sizeof *named);
	} else {
		if (n || most) {
			add_half(page, &categories, shares, n, &left);
			add_half(page, &packages, named, most, &right);
			buf_addc(page->out, '\n');
			join_halves(buf_text(&left), buf_text(&right), page->out);
		}
		page_more(page, n_named - most, "package", "packages");
	}
}

/* On a page: by category and by package; text has them side by side. */
static void list_shares(struct report_out *out, unsigned by)
{
	static const struct report_table *const tables[] = { [SUMMARY_CATEGORY] = &categories,
							     [SUMMARY_PACKAGE] = &packages,
							     [SUMMARY_FILE] = &files };
	ALLOC_LOCAL struct share *list = NULL;
	size_t n;

	if (out->page) {
		list_page_shares(out->page);
		return;
	}
	n = summary_shares(out->g->functions, (enum summary_by)by, &list);

	report_table_write(out, tables[by], list, n, sizeof *list);
}

#define EVENT_CATS(X)                                                                              \
	X(NAME, REPORT_CSV, "cat", "", 0, 0, .string = row->name)                                  \
	X(NAME, REPORT_JSON, "name", "", 0, 0, .string = row->name)                                \
	X(VALUE, REPORT_ALL, "self", "Self", 0, 10, .n = row->self)                                \
	X(SHARE, REPORT_PAGE, "", "Self%", 0, 8, .n = row->self, .whole = out->g->whole_ns)        \
	X(NAME, REPORT_PAGE, "", "Event category", 2, 0,                                           \
	  .string = row->name ? row->name : out->profile->no_event_cat)

REPORT_TABLE(event_cats, EVENT_CATS, struct event_cat_share, .title = "self time by event category",
	     .one = "event category", .many = "event categories", .member = "event_categories",
	     .line = 2)

/* Self time of all slices in the scope by event category; the caller frees *out. */
static size_t find_event_cats(const struct gathered *g, struct event_cat_share **out)
{
	const struct profile *p = g->profile;
	ALLOC_LOCAL const struct lane **lanes = xcalloc(p->n_lanes, sizeof *lanes);

	for (uint32_t i = 0; i < p->n_lanes; i++)
		lanes[i] = &p->lanes[i];
	return event_cats_shares(p, lanes, p->n_lanes, g->options->scope.t0, g->options->scope.t1,
				 out);
}

/* CSV and JSON: of all slices in scope, also where there are samples; the page is about these then.
 * JSON: only of traces whose slices have event categories. */
static void list_event_cats(struct report_out *out)
{
	ALLOC_LOCAL struct event_cat_share *list = NULL;
	size_t n;

	if (out->page && out->g->lanes[0]->kind != LANE_SLICES)
		return;
	n = find_event_cats(out->g, &list);
	if (n || out->csv)
		report_table_write(out, &event_cats, list, n, sizeof *list);
}

/* ---- lines ---- */

struct line_row {
	const struct hot_line *line;
	const struct frame *frame;
	struct buf place, plain; /* on pages: the location, and the text with blanks for tabs */
	struct str text;         /* empty: there is none */
};

#define LINES(X)                                                                                   \
	X(NAME, REPORT_CSV, "name", "", 0, 0, .string = row->frame->name)                          \
	X(NAME, REPORT_JSON, "function", "", 0, 0, .string = row->frame->name)                     \
	X(PATH, REPORT_DATA, "url", "", 0, 0, .string = row->frame->url)                           \
	X(COUNT, REPORT_DATA, "line", "", 0, 0, .n = row->line->line)                              \
	X(COUNT, REPORT_DATA, "ticks", "", 0, 0, .n = (int64_t)row->line->ticks)                   \
	X(VALUE, REPORT_ALL, "about", "About", 0, 10, .n = row->line->about_ns)                    \
	X(PATH, REPORT_PAGE, "", "Location", 2, PLACE_CELLS, .text = buf_text(&row->place))        \
	X(NAME, REPORT_DATA, "text", "", 0, 0, .text = row->text.len ? row->text.p : NULL,         \
	  .len = row->text.len, .is_lacking = out->g->options->table != REPORT_LIST_LINES)         \
	X(NAME, REPORT_PAGE, "", "Text", 2, 0, .text = buf_text(&row->plain), .len = row->plain.len)

REPORT_TABLE(lines, LINES, struct line_row, .title = "hottest lines: about, by V8's ticks",
	     .one = "line", .many = "lines", .member = "hottest_lines")

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The text of a line, as the source pane shows it, without blanks at both ends and without what
 * follows the first CHARS_MAX characters; empty: there is none. Valid until the next text is asked
 * for. */
static struct str find_text(const struct gathered *g, const struct hot_line *line)
{
	const struct source_host *host = g->options->sources;
	const struct source_text *text;
	struct source_wanted wanted;
	struct str s = { "", 0 };
	const char *end;

	if (!host || !g->n_originals || g->options->table != REPORT_LIST_LINES ||
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

static void add_hot_line(struct report_out *out, const struct hot_line *line)
{
	struct line_row row = { .line = line, .frame = profile_frame(out->profile, line->frame) };
	struct frame place = *profile_frame(out->g->scoped->original, line->frame);

	row.text = find_text(out->g, line);
	if (out->page) {
		place.line = line->line;
		place.column = 0;
		profile_location(out->g->scoped->original, &place, false, &row.place);
		for (size_t i = 0; i < row.text.len; i++)
			buf_addc(&row.plain, row.text.p[i] == '\t' ? ' ' : row.text.p[i]);
	}
	report_table_row(out, &row);
	buf_done(&row.place);
	buf_done(&row.plain);
}

static void list_lines(struct report_out *out)
{
	const struct gathered *g = out->g;
	ALLOC_LOCAL struct hot_line *found = NULL;
	const struct hot_line *list = g->lines;
	size_t all = g->n_all_lines, n = g->n_lines,
	       most = out->json || !g->is_row ? out->rows_max : SIZE_MAX;

	if (!list || most != GATHER_LINES) {
		n = summary_lines(&g->of_originals, most, &found, &all);
		list = found;
	}
	if (out->json)
		json_put(out->json, json_line(2), json_integer("lines", (int64_t)all));
	if (!n && out->page)
		out->page->form->remark(
			out->page,
			"no lines: the profile does not say on which lines time was spent");
	begin_unless_empty(out, &lines, n);
	for (size_t i = 0; i < n; i++) {
		if (!out->json && !gather_has_row(g, list[i].frame))
			continue;
		/* Texts of rows that are left out are not read. */
		if (out->n < out->rows_max)
			add_hot_line(out, &list[i]);
		else
			out->n_left++;
	}
	out->n_left += all - n;
	end_unless_empty(out, n);
}

/* ---- stretches ---- */

static str_id name_of(const struct report_out *out, frame_id frame)
{
	return frame == FRAME_NONE ? 0 : out->profile->frames.frames[frame].name;
}

static const char *stretch_kind(const struct stretch *row)
{
	return row->is_sampled ? "idle" : "not sampled";
}

#define STRETCHES(X)                                                                               \
	X(ID, REPORT_DATA, "lane", "", 0, 0, .n = row->lane->id)                                   \
	X(LANE, REPORT_CSV, "thread", "", 0, 0, .lane = row->lane)                                 \
	X(VALUE, REPORT_DATA, "start", "", 0, 0, .n = row->t0)                                     \
	X(VALUE, REPORT_DATA, "duration", "", 0, 0, .n = row->t1 - row->t0)

#define BUSY(X)                                                                                    \
	STRETCHES(X)                                                                               \
	X(NAME, REPORT_CSV, "outermost", "", 0, 0, .string = name_of(out, row->outer))             \
	X(NAME, REPORT_JSON, "outer", "", 0, 0, .string = name_of(out, row->outer))                \
	X(NAME, REPORT_DATA, "leaf", "", 0, 0, .string = name_of(out, row->leaf))

#define PAUSES(X)                                                                                  \
	STRETCHES(X)                                                                               \
	X(WORDS, REPORT_CSV, "kind", "", 0, 0, .text = stretch_kind(row))                          \
	X(BOOL, REPORT_JSON, "sampled", "", 0, 0, .n = row->is_sampled)

REPORT_TABLE(busy, BUSY, struct stretch, .member = "longest_busy")
REPORT_TABLE(pauses, PAUSES, struct stretch, .member = "longest_pauses")

static void list_stretches(struct report_out *out, unsigned is_busy)
{
	const struct gathered *g = out->g;
	size_t most = out->rows_max < SIZE_MAX ? out->rows_max : is_busy ? 1000 : 100000;
	struct stretches own[2] = { { .most = is_busy ? 0 : most },
				    { .most = is_busy ? most : 0 } };
	const struct stretches *found = &g->stretches[is_busy];

	if (found->most != most) {
		summary_stretches(&g->of_originals, own);
		found = &own[is_busy];
	}
	if (out->json)
		json_put(out->json, json_line(2),
			 json_integer(is_busy ? "busy_stretches" : "pauses", (int64_t)found->all));
	report_table_write(out, is_busy ? &busy : &pauses, found->list, found->n,
			   sizeof *found->list);
	summary_stretches_done(own);
}

/* ---- labels ---- */

struct label_row {
	str_id key, value;
	int64_t ns, n_samples; /* n_samples: negative: not known */
};

#define LABELS(X)                                                                                  \
	X(NAME, REPORT_CSV, "key", "", 0, 0, .string = row->key)                                   \
	X(NAME, REPORT_DATA, "value", "", 0, 0, .string = row->value)                              \
	X(VALUE, REPORT_DATA, "self", "", 0, 0, .n = row->ns)                                      \
	X(COUNT, REPORT_DATA, "samples", "", 0, 0, .n = row->n_samples)

REPORT_TABLE(label_values, LABELS, struct label_row, .member = "values")

static void list_labels(struct report_out *out)
{
	const struct scope *scope = &out->options->scope;
	const struct profile *p = out->profile;
	struct label_share *shares;
	size_t n = label_share_of(p, out->lane ? &out->lane : out->g->lanes,
				  out->lane ? 1 : out->g->n_lanes, scope->t0, scope->t1,
				  scope->has_idle, &shares);

	if (out->json)
		json_put(out->json, json_line(3), json_begin("labels", "["));
	else
		report_table_begin(out, &label_values);
	for (size_t i = 0; i < n; i++) {
		str_id key = p->labels.keys[shares[i].key].name;

		if (out->json) {
			json_put(out->json, json_if(i, json_line(4)), json_begin(NULL, "{"),
				 json_out_string("key", p, key));
			report_table_begin(out, &label_values);
		}
		/* The limit is that of the values of a key. */
		out->n = 0;
		for (size_t k = 0; k < shares[i].n; k++) {
			const struct label_part *part = &shares[i].parts[k];
			bool is_known = out->lane ? out->lane->has_timeline : part->n > 0;

			report_table_row(out,
					 &(struct label_row){ key, part->value, part->ns,
							      is_known ? (int64_t)part->n : -1 });
		}
		out->n_cut += out->json ? out->n_left : 0;
		out->n_left = 0;
		if (out->json)
			json_put(out->json, json_end("]}"));
	}
	if (out->json)
		json_put(out->json, json_end("]"));
	label_share_free(shares, n);
}

/* ---- lanes ---- */

struct lane_row {
	const struct lane *lane;
	int64_t t0, range;
	int64_t sampled; /* and not idle */
	int64_t busy, idle, program, gc, dropped,
		unsampled; /* REPORT_NONE: there is no such time */
};

#define LANES(X)                                                                                   \
	X(ID, REPORT_CSV, "lane", "", 0, 0, .n = row->lane->id)                                    \
	X(LANE, REPORT_CSV, "thread", "", 0, 0,                                                    \
	  .lane = scoped_original(out->g->scoped, row->lane))                                      \
	X(PATH, REPORT_CSV, "file", "", 0, 0,                                                      \
	  .string = out->profile->inputs[row->lane->input].path)                                   \
	X(ID, REPORT_CSV, "pid", "", 0, 0, .n = row->lane->pid)                                    \
	X(ID, REPORT_CSV, "tid", "", 0, 0, .n = row->lane->tid)                                    \
	X(COUNT, REPORT_CSV, "samples", "", 0, 0,                                                  \
	  .n = row->lane->kind == LANE_SAMPLES ? (int64_t)row->lane->n_samples : -1)               \
	X(VALUE, REPORT_CSV, "start", "", 0, 0, .n = row->t0)                                      \
	X(VALUE, REPORT_CSV, "duration", "", 0, 0, .n = row->range)                                \
	X(VALUE, REPORT_CSV, "busy", "", 0, 0, .n = row->busy)                                     \
	X(VALUE, REPORT_CSV, "idle", "", 0, 0, .n = row->idle)                                     \
	X(VALUE, REPORT_CSV, "program", "", 0, 0, .n = row->program)                               \
	X(VALUE, REPORT_CSV, "gc", "", 0, 0, .n = row->gc)                                         \
	X(VALUE, REPORT_CSV, "dropped", "", 0, 0, .n = row->dropped)                               \
	X(VALUE, REPORT_CSV, "unsampled", "", 0, 0, .n = row->unsampled)                           \
	X(WORDS, REPORT_CSV, "kind", "", 0, 0, .text = lane_name_kind(row->lane->kind))            \
	X(LABELS, REPORT_CSV, "labels", "", 0, 0,                                                  \
	  .n = out->profile->inputs[row->lane->input].labels)

/* Busy is all sampled time except idle time, on pages. */
#define PAGE_LANES(X)                                                                              \
	X(ID, REPORT_PAGE, "", "Lane", 0, 6, .n = row->lane->id)                                   \
	X(VALUE, REPORT_PAGE, "", "Busy", 0, 10, .n = row->sampled)                                \
	X(SHARE, REPORT_PAGE, "", "Busy%", 0, 8, .n = row->sampled, .whole = row->range)           \
	X(VALUE, REPORT_PAGE, "", "GC", 0, 10, .n = row->gc)                                       \
	X(VALUE, REPORT_PAGE, "", "Length", 0, 10, .n = row->range)                                \
	X(LANE, REPORT_PAGE, "", "Thread", 2, 0, .lane = row->lane)

REPORT_TABLE(lanes, LANES, struct lane_row, .title = NULL)
REPORT_TABLE(page_lanes, PAGE_LANES, struct lane_row, .title = "lanes, busiest first",
	     .note = "(% of the lane's part of the range)", .lead = "", .one = "lane",
	     .many = "lanes")

/* Of a lane of samples, the time of the nodes by category is all. */
static void measure_samples(const struct profile *p, struct lane_row *row, int64_t t1)
{
	const struct lane *lane = row->lane;
	const struct calltree *tree = &lane->tree;
	int64_t *self = NULL;

	if (lane_is_sampled_in(lane, row->t0, t1)) {
		row->busy = lane->busy_ns;
		row->idle = lane->idle_ns;
		row->program = lane->program_ns;
		row->gc = lane->gc_ns;
	} else {
		self = lane_self_times(lane, row->t0, t1, NULL);
		row->busy = row->idle = row->program = row->gc = 0;
	}
	for (node_id i = 1; self && i < tree->n; i++) {
		const struct frame *f = &p->frames.frames[tree->frame[i]];

		*(f->category == CATEGORY_IDLE              ? &row->idle
			  : f->category == CATEGORY_PROGRAM ? &row->program
			  : summary_is_gc(p, f)             ? &row->gc
							    : &row->busy) += self[i];
	}
	free(self);
	row->sampled = row->busy + row->program + row->gc;
	row->unsampled = row->range - row->sampled - row->idle;
}

/* Counters and marks have no time that is spent, async operations only busy time. */
static struct lane_row measure_lane(const struct gathered *g, const struct lane *lane)
{
	struct lane_row row = { .lane = lane };
	int64_t t1;

	gather_range(g->options, lane, &row.t0, &t1);
	row.range = t1 - row.t0;
	row.busy = row.idle = row.program = row.gc = row.dropped = row.unsampled = REPORT_NONE;
	if (lane->kind == LANE_SAMPLES) {
		measure_samples(g->profile, &row, t1);
		row.dropped = scoped_dropped(g->scoped, row.lane, row.t0, t1);
		row.unsampled -= row.dropped;
	} else if (lane->kind == LANE_SLICES) {
		struct view view;
		struct totals t;

		view_init_lane(&view, g->profile, row.lane);
		totals_init(&t, &view);
		totals_compute(&t, row.t0, t1);
		row.gc = summary_gc(&t);
		row.idle = t.idle_ns;
		row.program = summary_program(&t);
		row.dropped = scoped_dropped(g->scoped, row.lane, row.t0, t1);
		row.sampled = t.sampled_ns - t.idle_ns;
		row.busy = row.sampled - row.gc - row.program;
		row.unsampled = row.range - t.sampled_ns - row.dropped;
		totals_done(&t);
		view_done(&view);
	} else if (lane->kind == LANE_ASYNC) {
		row.busy = gather_covered(lane, row.t0, t1);
	}
	return row;
}

SORT_ORDER(page_first, struct lane_row, lane_page_compare(x->lane, x->sampled, y->lane, y->sampled))

/* The first of joined lanes has the times of all. Only those of samples have a number of samples:
 * how many leaves slices keep depends on how much of the file is loaded. */
static void list_lanes(struct report_out *out)
{
	const struct profile *p = out->profile;
	bool ok = true;

	if (out->page) {
		const struct gathered *g = out->g;
		struct report_table table = page_lanes;
		ALLOC_LOCAL struct lane_row *rows = xcalloc(g->n_lanes, sizeof *rows);
		size_t n = 0;

		for (uint32_t i = 0; i < g->n_lanes; i++)
			if (!g->lanes[i]->is_joined)
				rows[n++] = measure_lane(g, g->lanes[i]);
		qsort(rows, n, sizeof *rows, page_first);
		if (n && rows->lane->is_page_main)
			table.title = "lanes, pages first, busiest first";
		report_table_write(out, &table, rows, n, sizeof *rows);
		return;
	}
	report_table_begin(out, &lanes);
	for (uint32_t i = 0; ok && i < p->n_lanes && out->n < out->rows_max;) {
		struct lane_row row = measure_lane(out->g, &p->lanes[i]);

		ok = report_table_row(out, &row);
		i += lane_count_joined(row.lane, p->lanes + p->n_lanes);
	}
}

/* ---- inputs ---- */

struct input_row {
	const struct input *in;
	const struct input_sums *sums;
	struct buf recorded; /* CSV: when it began */
};

#define INPUTS(X)                                                                                  \
	X(PATH, REPORT_CSV, "file", "", 0, 0, .string = row->in->path)                             \
	X(WORDS, REPORT_CSV, "format", "", 0, 0, .text = row->in->format)                          \
	X(WORDS, REPORT_CSV, "recorded_at", "", 0, 0, .text = buf_text(&row->recorded))            \
	X(COUNT, REPORT_DATA, "sequence", "", 0, 0, .n = row->in->seq)                             \
	X(KNOWN, REPORT_ALL, "interval", "Interval", 0, 10,                                        \
	  .n = row->sums->interval_ns > 0 ? row->sums->interval_ns : REPORT_NONE)                  \
	X(VALUE, REPORT_ALL, "duration", "Duration", 0, 10, .n = row->sums->duration_ns)           \
	X(COUNT, REPORT_DATA, "lanes", "", 0, 0, .n = row->sums->n_lanes)                          \
	X(COUNT, REPORT_ALL, "nodes", "Nodes", 0, 10, .n = (int64_t)row->sums->n_nodes)            \
	X(COUNT, REPORT_ALL, "samples", "Samples", 0, 11, .n = (int64_t)row->sums->n_samples)      \
	X(BYTES, REPORT_CSV | REPORT_PAGE, "bytes", "Bytes", 0, 9, .n = row->in->bytes)            \
	X(LABELS, REPORT_CSV, "labels", "", 0, 0, .n = row->in->labels)                            \
	X(PATH, REPORT_PAGE, "", "File", 2, 0, .string = row->in->path)

REPORT_TABLE(inputs, INPUTS, struct input_row, .title = "files", .lead = "", .one = "file",
	     .many = "files")

static void list_inputs(struct report_out *out)
{
	const struct profile *p = out->g->scoped->original;
	ALLOC_LOCAL struct input_sums *sums = input_sums_new(p);
	bool ok = true;

	report_table_begin(out, &inputs);
	for (uint32_t i = 0; ok && i < p->n_inputs; i++) {
		struct input_row row = { &p->inputs[i], &sums[i], { 0 } };

		wall_clock_recorded(p, row.in, &row.recorded);
		ok = report_table_row(out, &row);
		buf_done(&row.recorded);
	}
	report_table_end(out);
}

void report_lists_input(struct report_out *out, const struct input *input,
			const struct input_sums *sums)
{
	report_table_members(out, &inputs, &(struct input_row){ input, sums, { 0 } });
}

/* ---- all ---- */

static const struct {
	const char *name;
	void (*write)(struct report_out *out);
	void (*write_some)(struct report_out *out, unsigned which); /* instead */
	unsigned which;
} lists[] = {
	[REPORT_LIST_FUNCTIONS] = { "functions", .write = list_functions },
	[REPORT_LIST_BOTTOMUP] = { "bottomup", .write_some = list_tree, .which = ROWS_BOTTOMUP },
	[REPORT_LIST_TOPDOWN] = { "topdown", .write_some = list_tree, .which = ROWS_TOPDOWN },
	[REPORT_LIST_PACKAGES] = { "packages", .write_some = list_shares,
				   .which = SUMMARY_PACKAGE },
	[REPORT_LIST_FILES] = { "files", .write_some = list_shares, .which = SUMMARY_FILE },
	[REPORT_LIST_CATEGORIES] = { "categories", .write_some = list_shares,
				     .which = SUMMARY_CATEGORY },
	[REPORT_LIST_LANES] = { "lanes", .write = list_lanes },
	[REPORT_LIST_GAPS] = { "gaps", .write_some = list_stretches, .which = false },
	[REPORT_LIST_BUSY] = { "busy", .write_some = list_stretches, .which = true },
	[REPORT_LIST_STACK] = { "stack", .write = list_stack },
	[REPORT_LIST_LINES] = { "lines", .write = list_lines },
	[REPORT_LIST_INPUTS] = { "inputs", .write = list_inputs },
	[REPORT_LIST_EVENT_CATS] = { "cats", .write = list_event_cats },
	[REPORT_LIST_STACKS] = { "stacks", .write = report_csv_stacks },
	[REPORT_LIST_LABELS] = { "labels", .write = list_labels },
	[REPORT_LIST_KINDS] = { "kinds", .write = report_work_kinds },
	[REPORT_LIST_REQUESTS] = { "requests", .write = report_requests },
	[REPORT_LIST_ORIGINS] = { "origins", .write = report_work_origins },
	[REPORT_LIST_ROUTES] = { "routes", .write = report_served_routes },
	[REPORT_LIST_WAITS] = { "waits", .write = report_served_waits },
	[REPORT_LIST_STALLS] = { "stalls", .write = report_served_stalls },
	[REPORT_LIST_CALLERS] = { "callers", .write = report_function_callers },
	[REPORT_LIST_CALLEES] = { "callees", .write = report_function_callees },
	[REPORT_LIST_SPANS] = { "spans", .write = report_function_spans },
};

const char *report_lists_word(unsigned i)
{
	return i < REPORT_LIST_CALLERS ? lists[i].name : NULL;
}

void report_lists_write(struct report_out *out, enum report_list list)
{
	if (lists[list].write)
		lists[list].write(out);
	else
		lists[list].write_some(out, lists[list].which);
}
