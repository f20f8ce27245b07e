/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was recorded and how the time was spent, the findings (of slices, what stands out), self
 * time by category and package, the heaviest functions, the heaviest stack, and the warnings about
 * the files. Several lanes share one page, with a table of the lanes. A truncated list says so. */
#include "config.h"

#include "write/report/page_body.h"

#include "analyse/event_order.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/standout.h"
#include "model/lane_name.h"
#include "write/report/gates.h"
#include "write/report/page.h"
#include "write/report/page_header.h"
#include "write/report/report_lists.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== page findings ====
 *
 * Each finding is a sentence; its notes stand below it. */

static void add_finding(struct page *page, const struct findings_joined *joined)
{
	const struct finding *f = joined->f;
	struct buf text = { 0 };

	if (joined->n_lanes > 1)
		buf_addf(&text, "%u lanes, as ", (unsigned)joined->n_lanes);
	if (page->g->n_originals > 1) {
		lane_name_brief(page->g->profile, f->lane, &text);
		buf_adds(&text, ": ");
	}
	buf_adds(&text, f->text);
	page_item(page, 1, buf_text(&text), text.len);
	for (uint32_t i = 0; i < f->n_notes; i++)
		page_item(page, 2, f->notes[i], strlen(f->notes[i]));
	buf_done(&text);
}

/* Say how many findings --top leaves out. */
static void add_rest(struct page *page, uint32_t n)
{
	struct buf text = { 0 };

	buf_addf(&text, "\342\200\246 %u more (--top=N)", (unsigned)n);
	page_item(page, 1, buf_text(&text), text.len);
	buf_done(&text);
}

/* Say how many lanes were not looked at. */
static void add_left(struct page *page, const struct findings_all *all)
{
	char looked[UNITS_MAX], left[UNITS_MAX];
	struct buf text = { 0 };

	units_count(all->n_results, looked);
	units_count(all->n_left, left);
	buf_addf(&text, "these are of the %s busiest lanes; %s less busy ones were not looked at",
		 looked, left);
	page_item(page, 1, buf_text(&text), text.len);
	buf_done(&text);
}

/* Append the section; nothing if there are no findings, or if calls are grouped by something else
 * than functions. Returns whether they say more than that there are few samples. */
static bool page_findings(struct page *page)
{
	const struct gathered *g = page->g;
	const struct findings_all *all = &g->findings;
	uint32_t top = (uint32_t)g->options->top, n = all->n_joined < top ? all->n_joined : top;
	bool is_enough = false;

	if (all->n && !amount_is_time(&page->unit))
		page_section(page,
			     g->n_originals > 1 ? "findings, in percent of the time of the lane"
						: "findings, in percent of the time",
			     NULL);
	else if (all->n)
		page_section(page,
			     g->n_originals > 1 ? "findings, in percent of busy time of the lane"
						: "findings, in percent of busy time",
			     NULL);
	for (uint32_t i = 0; i < n; i++)
		add_finding(page, &all->joined[i]);
	if (n < all->n_joined)
		add_rest(page, all->n_joined - n);
	if (all->n && all->n_left)
		add_left(page, all);
	for (uint32_t i = 0; i < all->n; i++)
		is_enough |= all->list[i]->kind != FINDING_FEW;
	return is_enough;
}

/* Append the section of what stands out, for pages without findings. */
static void page_findings_standouts(struct page *page)
{
	const struct gathered *g = page->g;
	struct standout list[STANDOUT_COUNT];
	size_t n = gather_standouts(g, list);

	if (n)
		page_section(page, "what stands out", NULL);
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		standout_format(g->profile, &list[i], g->n_originals > 1, page->form->cells - 2,
				&(struct place_clock){ 0 }, &text);
		page_item(page, 1, buf_text(&text), text.len);
		buf_done(&text);
	}
}

/* ==== page events ====
 *
 * Marks have no length and counters no calls, so no table of times is about them. The page counts
 * them, and lists the first marks of all lanes by time. */

/* A mark to list. */
struct mark {
	int64_t t;
	const struct lane *lane;
	frame_id frame;
};

struct marks {
	struct mark *list; /* by time; of equal times, in the order of the lanes */
	size_t n, most, n_all;
};

/* Keep the first marks by time. */
static void keep(struct marks *marks, struct mark mark)
{
	size_t at = marks->n;

	marks->n_all++;
	while (at > 0 && marks->list[at - 1].t > mark.t)
		at--;
	if (at >= marks->most)
		return;
	if (marks->n < marks->most)
		marks->n++;
	for (size_t i = marks->n - 1; i > at; i--)
		marks->list[i] = marks->list[i - 1];
	marks->list[at] = mark;
}

/* Whether the event at `span` is in the range. What stands at the very end of the profile is. */
static bool is_within(const struct gathered *g, const struct span *span)
{
	const struct scope *scope = &g->options->scope;

	return span->t0 < scope->t1 || (span->t0 == scope->t1 && scope->t1 == g->profile->t1);
}

/* The number of events of a lane in the range; its marks are kept. */
static uint64_t walk(const struct gathered *g, const struct lane *lane, struct marks *marks)
{
	struct mark mark = { .lane = lane };
	struct event_at at;
	struct span span;
	uint64_t n = 0;

	for (uint32_t i = 0; i < lane->n_series; i++)
		n += lane->series[i].n;
	if (lane->kind == LANE_COUNTER || !events_first(lane, g->options->scope.t0, &at))
		return n;
	do {
		if (!events_span(lane, &at, &span) || !is_within(g, &span))
			break;
		n++;
		mark.t = span.t0;
		mark.frame = lane->tree.frame[span.node];
		if (profile_is_mark(g->profile, lane, span.node))
			keep(marks, mark);
	} while (events_next(lane, &at));
	return n;
}

static void add_count(struct buf *out, uint64_t n, const char *what, bool *is_first)
{
	char text[UNITS_MAX];

	if (!n)
		return;
	units_count(n, text);
	buf_addf(out, "%s%s %s%s", *is_first ? "" : ", ", text, what, n == 1 ? "" : "s");
	*is_first = false;
}

static void find_name(const struct gathered *g, const struct lane *lane, struct buf *name)
{
	buf_clear(name);
	lane_name(g->scoped->original, scoped_original(g->scoped, lane), true, name);
}

static void add_files(const struct gathered *g, int room, struct buf *out)
{
	const struct profile *p = g->scoped->original;

	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct input *in = &p->inputs[i];

		text_fit_end(out, profile_text(p, in->path), intern_len(&p->strings, in->path),
			     room - 20);
		if (in->format)
			buf_addf(out, " (%s)", in->format);
		buf_addc(out, '\n');
	}
}

/* The first pass: the marks that are listed, and the sums by kind. */
static void count_lanes(const struct gathered *g, struct marks *marks, uint64_t sums[])
{
	for (uint32_t i = 0; i < g->profile->n_lanes; i++) {
		const struct lane *lane = &g->profile->lanes[i];
		size_t before = marks->n_all;
		uint64_t n = walk(g, lane, marks), n_marks = marks->n_all - before;

		sums[lane->kind] += lane->kind == LANE_COUNTER ? 1 : n - n_marks;
		sums[LANE_MARKS] += n_marks;
	}
}

static void add_header(struct page *page, const uint64_t sums[])
{
	const struct gathered *g = page->g;
	struct buf out = { 0 };
	bool is_first = false;

	add_files(g, page->form->cells, &out);
	buf_adds(&out, "no samples and no slices");
	add_count(&out, sums[LANE_MARKS], "mark", &is_first);
	add_count(&out, sums[LANE_ASYNC], "async span", &is_first);
	add_count(&out, sums[LANE_OBJECTS], "object", &is_first);
	add_count(&out, sums[LANE_COUNTER], "counter", &is_first);
	add_count(&out, g->scoped->original->n_named, "name", &is_first);
	buf_addc(&out, '\n');
	page->form->lines(page, NULL, buf_text(&out));
	buf_done(&out);
}

/* One line for each lane. */
static void add_lanes(struct page *page)
{
	static const struct page_table table = {
		.title = "lanes",
		.heading = "  lane  kind         events  name",
		.columns = { { "Lane", PAGE_NUMBER, 0, 6 },
			     { "Kind", PAGE_WORDS, 2, 9 },
			     { "Events", PAGE_NUMBER, 0, 10 },
			     { "Name", PAGE_WORDS, 2, 0 } },
	};
	const struct gathered *g = page->g;
	struct marks none = { 0 };
	struct buf name = { 0 };

	if (g->profile->n_lanes)
		page_begin(page, &table);
	for (uint32_t i = 0; i < g->profile->n_lanes; i++) {
		const struct lane *lane = &g->profile->lanes[i];
		const char *kind = lane_name_kind(lane->kind);
		char id[UNITS_MAX], n[UNITS_MAX];

		page_id(lane->id, id);
		units_count(walk(g, lane, &none), n);
		find_name(g, lane, &name);
		page_row(page, &table,
			 (struct page_cell[]){ page_short(id),
					       page_short(kind),
					       page_short(n),
					       { .text = buf_text(&name), .len = name.len } });
	}
	if (g->profile->n_lanes)
		page_end(page, &table, 0, NULL, NULL);
	buf_done(&name);
}

static void add_marks(struct page *page, const struct marks *marks)
{
	static const struct page_table table = {
		.title = "marks, in the order of time",
		.heading = "        at  mark",
		.columns = { { "At", PAGE_TIME, 0, 10 },
			     { "Mark", PAGE_PACKAGE, 2, 40 },
			     { "Lane", PAGE_WORDS, 2, 0 } },
	};
	struct buf name = { 0 };

	if (!marks->n_all)
		return;
	page_begin(page, &table);
	for (size_t i = 0; i < marks->n; i++) {
		const struct mark *mark = &marks->list[i];
		str_id what = profile_frame(page->g->profile, mark->frame)->name;

		find_name(page->g, mark->lane, &name);
		page_row(page, &table,
			 (struct page_cell[]){ { .ns = mark->t },
					       page_string(page, what),
					       { .text = buf_text(&name), .len = name.len } });
	}
	page_end(page, &table, marks->n_all - marks->n, "mark", "marks");
	buf_done(&name);
}

static void add_named(struct page *page)
{
	const struct profile *p = page->g->scoped->original;
	size_t most = (size_t)page->g->options->top, n = p->n_named < most ? p->n_named : most;
	struct buf name = { 0 };

	if (p->n_named)
		page_section(page, "names without events", NULL);
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		buf_clear(&name);
		lane_name_of_named(p, &p->named[i], &name);
		text_fit(&text, buf_text(&name), name.len, page->form->cells - 2);
		page_item(page, 1, buf_text(&text), text.len);
		buf_done(&text);
	}
	page_more(page, p->n_named - n, "name", "names");
	buf_done(&name);
}

/* Append the files, the numbers of marks, async spans and counters in the scope, the lanes, the
 * first marks, and the threads and processes that only have names. */
static void page_events(struct page *page)
{
	uint64_t sums[] = { 0, 0, 0, 0, 0, 0 };
	struct marks marks = { .most = (size_t)page->g->options->top };

	marks.list = xcalloc(marks.most, sizeof *marks.list);
	count_lanes(page->g, &marks, sums);
	add_header(page, sums);
	add_lanes(page);
	add_marks(page, &marks);
	add_named(page);
	free(marks.list);
}

/* ==== page slices ====
 *
 * The tables of the report are about samples, if there are any. Then this part accounts for all
 * other lanes: those of slices in a table, async operations, counters and marks by their number.
 * Times are read off the lanes, without call trees: there may be many lanes. */

struct slice_row {
	const struct lane *lane;
	int64_t busy, range;
	uint64_t n; /* slices that begin in the range, with those of joined lanes */
};

static int busiest_first(const void *a, const void *b)
{
	const struct slice_row *x = a, *y = b;

	if (x->busy != y->busy)
		return x->busy > y->busy ? -1 : 1;
	return x->lane->id < y->lane->id ? -1 : x->lane->id > y->lane->id;
}

/* The number of slices that begin in [t0, t1). The last instant of the profile belongs to the range
 * that ends there. */
static uint64_t count_slices(const struct profile *p, const struct lane *lane, int64_t t0,
			     int64_t t1)
{
	const struct samples *s = &lane->samples;
	uint64_t n = 0;

	for (size_t i = s->n ? samples_find(s, t0 - 1) : 0;
	     i < s->n && (samples_time(s, i) < t1 || t1 == p->t1); i++)
		if (samples_time(s, i) >= t0)
			n += lane_opens(lane, i);
	return n;
}

/* The row of lane i and those joined to it; *end: the lane after them. */
static struct slice_row measure(const struct gathered *g, uint32_t i, uint32_t *end)
{
	const struct profile *p = g->profile;
	struct slice_row row = { .lane = &p->lanes[i] };
	int64_t t0, t1;

	*end = i + lane_count_joined(row.lane, p->lanes + p->n_lanes);
	if (!gather_range(g->options, row.lane, &t0, &t1))
		return row;
	row.range = t1 - t0;
	row.busy = gather_covered(row.lane, t0, t1);
	for (uint32_t k = i; k < *end; k++)
		row.n += count_slices(p, &p->lanes[k], t0, t1);
	return row;
}

static const struct page_table table_slices = {
	.title = "slices by thread, busiest first",
	.note = "(% of the lane's part of the range)",
	.heading = "  lane      busy            slices    length  thread",
	.columns = { { "Lane", PAGE_NUMBER, 0, 6 },
		     { "Busy", PAGE_TIME, 0, 10 },
		     { "Busy%", PAGE_SHARE, 0, 8 },
		     { "Slices", PAGE_NUMBER, 0, 10 },
		     { "Length", PAGE_TIME, 0, 10 },
		     { "Thread", PAGE_WORDS, 2, 0 } },
};

static void add_row(struct page *page, const struct slice_row *row)
{
	char id[UNITS_MAX], n[UNITS_MAX];
	struct buf count = { 0 };

	page_id(row->lane->id, id);
	units_count(row->n, n);
	buf_addf(&count, "%s%s", row->lane->n_left ? "\342\211\245" : "", n);
	page_row(page, &table_slices,
		 (struct page_cell[]){ page_short(id),
				       { .ns = row->busy },
				       { .ns = row->busy, .whole = row->range },
				       page_short(buf_text(&count)),
				       { .ns = row->range },
				       { .lane = row->lane } });
	buf_done(&count);
}

static bool has_samples(const struct gathered *g)
{
	return g->n_lanes && g->lanes[0]->kind == LANE_SAMPLES;
}

/* The lanes of the scope of one kind, without joined ones. */
static uint32_t count_lanes_slices(const struct profile *p, enum lane_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		n += p->lanes[i].kind == kind && !p->lanes[i].is_joined;
	return n;
}

static uint32_t count_all(const struct profile *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		n += !p->lanes[i].is_joined;
	return n;
}

void page_slices_note(const struct gathered *g, struct buf *out)
{
	uint32_t all = count_all(g->profile);
	bool is_one = g->n_originals == 1;

	if (all > g->n_originals)
		buf_addf(out, "%" PRIu32 " of %" PRIu32 " lanes %s; tables are about %s\n",
			 g->n_originals, all,
			 has_samples(g)   ? is_one ? "has samples" : "have samples"
				 : is_one ? "has slices"
					  : "have slices",
			 is_one ? "it" : "them");
}

/* `also 12 lanes of async operations, 3 of counters`. */
static void add_others(struct page *page)
{
	static const struct {
		enum lane_kind kind;
		const char *name;
	} others[] = { { LANE_ASYNC, "async operations" },
		       { LANE_OBJECTS, "objects" },
		       { LANE_COUNTER, "counters" },
		       { LANE_MARKS, "marks" } };
	struct buf text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		uint32_t n = count_lanes_slices(page->g->profile, others[i].kind);

		if (n && text.len == 0)
			buf_addf(&text, "also %" PRIu32 " lane%s of %s", n, n == 1 ? "" : "s",
				 others[i].name);
		else if (n)
			buf_addf(&text, ", %" PRIu32 " of %s", n, others[i].name);
	}
	if (text.len) {
		buf_adds(&text, " (--table=lanes lists all)");
		page->form->remark(page, buf_text(&text));
	}
	buf_done(&text);
}

/* The slices by thread, if the other tables are about samples; then the number of lanes that are in
 * no table. */
static void page_slices(struct page *page)
{
	const struct profile *p = page->g->profile;
	struct slice_row *rows;
	size_t n = 0, most = (size_t)page->g->options->top;

	if (has_samples(page->g) && count_lanes_slices(p, LANE_SLICES)) {
		rows = xcalloc(p->n_lanes, sizeof *rows);
		for (uint32_t i = 0, end; i < p->n_lanes; i = end) {
			end = i + 1;
			if (p->lanes[i].kind == LANE_SLICES)
				rows[n++] = measure(page->g, i, &end);
		}
		qsort(rows, n, sizeof *rows, busiest_first);
		page_begin(page, &table_slices);
		for (size_t i = 0; i < n && i < most; i++)
			add_row(page, &rows[i]);
		page_end(page, &table_slices, n > most ? n - most : 0, "thread", "threads");
		free(rows);
	}
	add_others(page);
}

/* ==== page body ==== */

void page_body_gather(struct gathered *g, const struct scoped *scoped,
		      const struct report_options *options)
{
	if (report_lists_has_lines(options))
		gather_init(g, scoped, options);
	else
		gather_init_findings(g, scoped, options);
}

void page_body_begin(struct page *page)
{
	if (!page->g->n_lanes) {
		page_events(page);
		gates_page(page);
		return;
	}
	page_header(page);
	gates_page(page);
	if (!report_lists_has_lines(page->g->options) && !page_findings(page))
		page_findings_standouts(page);
}

void page_body_tables(struct page *page)
{
	const struct gathered *g = page->g;
	const struct report_options *o = g->options;
	struct report_out out = { .g = g,
				  .profile = g->profile,
				  .options = o,
				  .page = page,
				  .rows_max = (size_t)o->top };

	if (!g->n_lanes)
		return;
	if (report_lists_has_lines(o)) {
		report_lists_lines(&out);
		return;
	}
	if (g->n_originals > 1)
		report_lists_page_lanes(&out);
	page_slices(page);
	if (!page->form->has_all && g->scoped->original->n_inputs > 1)
		report_lists_inputs(&out);
	report_lists_page_shares(page);
	report_lists_event_cats(&out);
	report_lists_functions(&out, o->is_sorted ? o->sort : ROWS_BY_SELF);
	if (!o->is_sorted && !page->form->has_all)
		report_lists_functions(&out, ROWS_BY_TOTAL);
	report_lists_stack(&out);
}

void page_body(struct page *page)
{
	page_body_begin(page);
	page_body_tables(page);
	page_header_warnings(page);
}
