/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks have no length and counters no calls, so no table of times is about them. The page counts
 * them, and lists the first marks of all lanes by time. */
#include "config.h"

#include "write/report/page_events.h"

#include "analyse/events.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "model/lane_name.h"

#include <stdlib.h>
#include <string.h>

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

void page_events(struct page *page)
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
