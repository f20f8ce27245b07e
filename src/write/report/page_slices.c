/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the report are about samples, if there are any. Then this part accounts for all
 * other lanes: those of slices in a table, async operations, counters and marks by their number.
 * Times are read off the lanes, without call trees: there may be many lanes. */
#include "config.h"

#include "write/report/page_slices.h"

#include "base/alloc.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdlib.h>

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

static const struct page_table table = {
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
	page_row(page, &table,
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
static uint32_t count_lanes(const struct profile *p, enum lane_kind kind)
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
		uint32_t n = count_lanes(page->g->profile, others[i].kind);

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

void page_slices(struct page *page)
{
	const struct profile *p = page->g->profile;
	struct slice_row *rows;
	size_t n = 0, most = (size_t)page->g->options->top;

	if (has_samples(page->g) && count_lanes(p, LANE_SLICES)) {
		rows = xcalloc(p->n_lanes, sizeof *rows);
		for (uint32_t i = 0, end; i < p->n_lanes; i = end) {
			end = i + 1;
			if (p->lanes[i].kind == LANE_SLICES)
				rows[n++] = measure(page->g, i, &end);
		}
		qsort(rows, n, sizeof *rows, busiest_first);
		page_begin(page, &table);
		for (size_t i = 0; i < n && i < most; i++)
			add_row(page, &rows[i]);
		page_end(page, &table, n > most ? n - most : 0, "thread", "threads");
		free(rows);
	}
	add_others(page);
}
