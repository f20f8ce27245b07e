/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans of one row do not overlap, whichever lanes they are of. So among the lanes, the next span
 * of a row is the one that begins first, and spans that begin at one time, without length, are in
 * the order of their lanes. */
#include "config.h"

#include "ui/chart/thread_row.h"

#include "model/seek.h"

/* The lanes that have rows together: [first, first + n]. */
static int last_lane(const struct chart *chart, int first)
{
	return first + chart->lanes[first].n_over;
}

/* The depth that a lane has in a row; negative: it begins below. */
static int depth_in(const struct chart *chart, int lane, int row)
{
	return row - chart_first_row(&chart->lanes[lane]);
}

int thread_row_of(const struct chart *chart, int lane, const struct span *span)
{
	return chart_first_row(&chart->lanes[lane]) + span->depth;
}

bool thread_row_at(const struct chart *chart, int lane, int row, int64_t t,
		   struct thread_row_span *out)
{
	int first = chart_head(chart, lane);

	for (int i = first; i <= last_lane(chart, first); i++) {
		const struct lane *of = chart->lanes[i].lane;

		int depth = depth_in(chart, i, row);

		out->lane = i;
		if (depth < 0 || !of->samples.n)
			continue;
		if (span_at(&of->samples, &of->tree, depth, t, &out->span))
			return true;
		if (slice_time_span_at(of, depth, t, &out->span)) {
			/* As span_at() returns it. */
			out->span.t1 = samples_time(&of->samples, out->span.end);
			return true;
		}
	}
	return false;
}

bool thread_row_near(const struct chart *chart, int lane, int row, int64_t t,
		     struct thread_row_span *out)
{
	for (; row >= 0; row--)
		if (thread_row_at(chart, lane, row, t, out))
			return true;
	return false;
}

/* The first sample that begins at t or later, or, if is_after, later than t. */
static size_t first_sample(const struct samples *s, int64_t t, bool is_after)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (samples_time(s, mid) < t || (is_after && samples_time(s, mid) == t))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The nearest span of lane i in the row of `from`, of another lane. */
static bool find_beside(const struct chart *chart, int i, const struct thread_row_span *from,
			bool is_next, struct span *out)
{
	const struct lane *lane = chart->lanes[i].lane;
	const struct samples *s = &lane->samples;
	int depth = depth_in(chart, i, thread_row_of(chart, from->lane, &from->span));
	int64_t t = from->span.t0;

	if (depth < 0 || depth >= lane->max_depth || !s->n)
		return false;
	/* Spans without length at the same time follow each other in the order of the lanes. */
	if (is_next)
		return span_next(s, &lane->tree, depth, first_sample(s, t, i < from->lane), out);
	return span_before(s, &lane->tree, depth, first_sample(s, t, i < from->lane), out);
}

bool thread_row_beside(const struct chart *chart, const struct thread_row_span *from, bool is_next,
		       struct thread_row_span *out)
{
	const struct lane *lane = chart->lanes[from->lane].lane;
	int first = chart_head(chart, from->lane);
	const struct span *span = &from->span;
	bool has_found;

	out->lane = from->lane;
	if (is_next)
		has_found = span_next(&lane->samples, &lane->tree, span->depth, span->end,
				      &out->span);
	else
		has_found = span_before(&lane->samples, &lane->tree, span->depth, span->first,
					&out->span);
	for (int i = first; i <= last_lane(chart, first); i++) {
		struct span other;

		if (i == from->lane || !find_beside(chart, i, from, is_next, &other))
			continue;
		if (!has_found ||
		    (is_next ? other.t0 < out->span.t0 ||
				     (other.t0 == out->span.t0 && i < out->lane)
			     : other.t0 > out->span.t0 ||
				     (other.t0 == out->span.t0 && i > out->lane)))
			*out = (struct thread_row_span){ i, other };
		has_found = true;
	}
	return has_found;
}

bool thread_row_above(const struct chart *chart, const struct thread_row_span *from,
		      struct thread_row_span *out)
{
	const struct lane *lane = chart->lanes[from->lane].lane;

	out->lane = from->lane;
	if (span_of_sample(&lane->samples, &lane->tree, from->span.first, from->span.depth - 1,
			   &out->span))
		return true;
	if (from->span.depth > 0 || !chart->lanes[from->lane].is_over)
		return false;
	return thread_row_near(chart, from->lane, thread_row_of(chart, from->lane, &from->span) - 1,
			       from->span.t0, out);
}

static int64_t part_in(const struct span *span, int64_t t0, int64_t t1)
{
	return (span->t1 < t1 ? span->t1 : t1) - (span->t0 > t0 ? span->t0 : t0);
}

bool thread_row_below(const struct chart *chart, const struct thread_row_span *from, int64_t t0,
		      int64_t t1, struct thread_row_span *out)
{
	int first = chart_head(chart, from->lane);
	int row = thread_row_of(chart, from->lane, &from->span) + 1;
	const struct lane *lane = chart->lanes[from->lane].lane;
	int64_t end = from->span.t0 + slice_time_of_span(lane, &from->span);
	bool has_found = seek_callee(lane, &from->span, t0, t1, &out->span);

	out->lane = from->lane;
	t0 = t0 > from->span.t0 ? t0 : from->span.t0;
	t1 = t1 < end ? t1 : end;
	for (int i = first + 1; i <= last_lane(chart, first) && t0 < t1; i++) {
		struct span span;

		if (depth_in(chart, i, row) != 0 || !chart->lanes[i].lane->samples.n ||
		    !seek_callee(chart->lanes[i].lane, NULL, t0, t1, &span) || span.t0 >= end ||
		    span.t1 < from->span.t0)
			continue;
		if (!has_found || part_in(&span, t0, t1) > part_in(&out->span, t0, t1))
			*out = (struct thread_row_span){ i, span };
		has_found = true;
	}
	return has_found;
}

/* The span of which only the end is in [t0, t1), behind that of its samples. */
static bool find_over(const struct lane *lane, int depth, int64_t t0, int64_t t1, struct span *out)
{
	if (!slice_time_span_at(lane, depth, t0, out) &&
	    !slice_time_span_at(lane, depth, t0 + (t1 - t0) / 2, out))
		return false;
	out->t1 = samples_time(&lane->samples, out->end);
	return true;
}

bool thread_row_drawn(const struct chart *chart, int lane, int row, int64_t t0, int64_t t1,
		      struct thread_row_span *out)
{
	int first = chart_head(chart, lane);
	int64_t most = -1;
	bool has_found = false;

	for (int i = first; i <= last_lane(chart, first); i++) {
		const struct chart_lane *cl = &chart->lanes[i];
		int depth = depth_in(chart, i, row), n_rows;
		const struct cover_cell *cells;
		struct seek seek;
		struct span span;

		if (depth < 0 || !cl->cover)
			continue;
		cells = cover_column(cl->cover, t0, t1, &n_rows);
		if (depth >= n_rows || cells[depth].node == NODE_ROOT ||
		    cells[depth].all_ns <= most)
			continue;
		seek_init_nodes(&seek, cl->lane, &cells[depth].node, 1);
		if (seek_longest(&seek, t0, t1, &span) ||
		    find_over(cl->lane, depth, t0, t1, &span)) {
			*out = (struct thread_row_span){ i, span };
			most = cells[depth].all_ns;
			has_found = true;
		}
		seek_done(&seek);
	}
	return has_found;
}
