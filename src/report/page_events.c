/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks have no length and counters no calls, so no table of times is about them. The page counts
 * them, and lists the first marks of all lanes by time. */
#include "config.h"

#include "report/page_events.h"

#include "analysis/events.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "model/lane_name.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#define KIND_CELLS 9
#define COUNT_CELLS 10
#define MARK_CELLS 40

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

/* A number, aligned to the right. */
static void add_number(struct buf *out, uint64_t n)
{
	char text[UNITS_MAX];

	units_count(n, text);
	buf_addf(out, "%*s", COUNT_CELLS, text);
}

static void add_name(const struct gathered *g, const struct lane *lane, int room, struct buf *out)
{
	struct buf name = { 0 };

	lane_name(g->scoped->original, scoped_original(g->scoped, lane), true, &name);
	text_fit(out, buf_text(&name), name.len, room);
	buf_done(&name);
}

static void add_files(const struct gathered *g, struct buf *out)
{
	const struct profile *p = g->scoped->original;

	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct input *in = &p->inputs[i];

		text_fit_end(out, profile_text(p, in->path), intern_len(&p->strings, in->path),
			     PAGE_CELLS - 20);
		if (in->format)
			buf_addf(out, " (%s)", in->format);
		buf_addc(out, '\n');
	}
}

/* One line for each lane, and the sums by kind. */
static void count_lanes(const struct gathered *g, struct marks *marks, uint64_t sums[],
			struct buf *out)
{
	static const char *const kinds[] = { "samples", "slices", "async",
					     "counter", "marks",  "objects" };

	for (uint32_t i = 0; i < g->profile->n_lanes; i++) {
		const struct lane *lane = &g->profile->lanes[i];
		size_t before = marks->n_all;
		uint64_t n = walk(g, lane, marks), n_marks = marks->n_all - before;

		sums[lane->kind] += lane->kind == LANE_COUNTER ? 1 : n - n_marks;
		sums[LANE_MARKS] += n_marks;
		buf_addf(out, "%6u  ", (unsigned)lane->id);
		page_cell(out, kinds[lane->kind], strlen(kinds[lane->kind]), KIND_CELLS);
		add_number(out, n);
		buf_adds(out, "  ");
		add_name(g, lane, PAGE_CELLS - KIND_CELLS - COUNT_CELLS - 10, out);
		buf_addc(out, '\n');
	}
}

static void add_marks(const struct gathered *g, const struct marks *marks, struct buf *out)
{
	if (marks->n_all)
		buf_adds(out, "\nmarks, in the order of time\n        at  mark\n");
	for (size_t i = 0; i < marks->n; i++) {
		const struct mark *mark = &marks->list[i];
		str_id name = profile_frame(g->profile, mark->frame)->name;

		page_time(out, mark->t);
		buf_adds(out, "  ");
		page_cell(out, profile_text(g->profile, name),
			  intern_len(&g->profile->strings, name), MARK_CELLS);
		buf_adds(out, "  ");
		add_name(g, mark->lane, PAGE_CELLS - MARK_CELLS - 14, out);
		buf_addc(out, '\n');
	}
	page_more(out, marks->n_all - marks->n, "mark", "marks");
}

static void add_named(const struct gathered *g, struct buf *out)
{
	const struct profile *p = g->scoped->original;
	size_t most = (size_t)g->options->top, n = p->n_named < most ? p->n_named : most;
	struct buf name = { 0 };

	if (p->n_named)
		buf_adds(out, "\nnames without events\n");
	for (size_t i = 0; i < n; i++) {
		buf_clear(&name);
		lane_name_of_named(p, &p->named[i], &name);
		buf_adds(out, "  ");
		text_fit(out, buf_text(&name), name.len, PAGE_CELLS - 2);
		buf_addc(out, '\n');
	}
	page_more(out, p->n_named - n, "name", "names");
	buf_done(&name);
}

void page_events(const struct gathered *g, struct buf *out)
{
	uint64_t sums[] = { 0, 0, 0, 0, 0, 0 };
	struct marks marks = { .most = (size_t)g->options->top };
	struct buf lanes = { 0 };
	bool is_first = false;

	marks.list = xcalloc(marks.most, sizeof *marks.list);
	count_lanes(g, &marks, sums, &lanes);
	add_files(g, out);
	buf_adds(out, "no samples and no slices");
	add_count(out, sums[LANE_MARKS], "mark", &is_first);
	add_count(out, sums[LANE_ASYNC], "async span", &is_first);
	add_count(out, sums[LANE_OBJECTS], "object", &is_first);
	add_count(out, sums[LANE_COUNTER], "counter", &is_first);
	add_count(out, g->scoped->original->n_named, "name", &is_first);
	buf_addc(out, '\n');
	if (lanes.len)
		buf_addf(out, "\nlanes\n  lane  kind         events  name\n%s", buf_text(&lanes));
	add_marks(g, &marks, out);
	add_named(g, out);
	free(marks.list);
	buf_done(&lanes);
}
