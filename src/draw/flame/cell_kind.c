/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classifies a cell. The cover counts every sample exactly, so it can prove a guess: the spans at
 * the left and at the right edge are everything in the cell if and only if their parts in it add up
 * to the time of the cover. If three or more nodes share the cell, no guess can be right, and none
 * is made; this keeps a picture of millions of narrow spans cheap.
 *
 * Slices may have no length, and then no part in these sums. So in lanes of slices the neighbours
 * of the two spans are looked up, where they may be in the cell. And slices may outlast the one
 * around them by a rounding error, which their samples do not say (model/slice_time.h): like the
 * cover, this goes by the end that the file states. */
#include "config.h"

#include "draw/flame/cell_kind.h"

static bool covers(const struct span *s, int64_t t)
{
	return s->t0 <= t && t < s->t1;
}

/* Give a span the end that the file states. */
static void prolong(const struct lane *lane, const struct cell_kind_cell *cell, struct span *span)
{
	if (slice_time_is_seen(lane->slice_time, cell->end - cell->t0))
		span->t1 += slice_time_over(lane->slice_time, span->node, span->t1);
}

static bool find_at(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
		    size_t sample, int64_t t, struct span *out)
{
	if (lane->samples.n && span_of_sample(&lane->samples, &lane->tree, sample, depth, out) &&
	    covers(out, t)) {
		prolong(lane, cell, out);
		return true;
	}
	return slice_time_is_seen(lane->slice_time, cell->end - cell->t0) &&
		slice_time_span_at(lane, depth, t, out);
}

/* No span covers either edge, so there may be one inside. */
static bool find_inside(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
			struct span *out)
{
	if (cell->cover->parts != 1 ||
	    !span_next(&lane->samples, &lane->tree, depth, cell->first, out))
		return false;
	prolong(lane, cell, out);
	return out->t0 >= cell->t0 && out->t1 - out->t0 == cell->cover->all_ns &&
		out->t1 <= cell->t1;
}

/* The guess by time alone. */
static void guess(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
		  const struct span *before, struct piece *out)
{
	const struct cover_cell *cover = cell->cover;
	bool has_left, has_right;
	int64_t left = 0, right = 0;

	out->kind = CELL_KIND_BLANK;
	if (cover->node == NODE_ROOT)
		return;
	out->kind = CELL_KIND_SHARED;
	if (cover->parts > 2 || cover->all_ns <= 0)
		return;
	has_left = before && covers(before, cell->t0);
	if (has_left)
		out->left = *before;
	else
		has_left = find_at(lane, depth, cell, cell->first, cell->t0, &out->left);
	if (has_left && out->left.t1 >= cell->t1) {
		out->kind = CELL_KIND_FULL;
		return;
	}
	has_right = find_at(lane, depth, cell, cell->last, cell->t1 - 1, &out->right);
	if (has_left)
		left = out->left.t1 - cell->t0;
	if (has_right)
		right = cell->t1 - out->right.t0;
	if (!has_left && !has_right) {
		if (find_inside(lane, depth, cell, &out->left))
			out->kind = CELL_KIND_INSIDE;
	} else if (left + right == cover->all_ns) {
		if (!has_right)
			out->kind = CELL_KIND_END;
		else if (!has_left)
			out->kind = CELL_KIND_START;
		else
			out->kind = out->left.t1 == out->right.t0 ? CELL_KIND_EDGE : CELL_KIND_GAP;
	}
}

/* Whether the cell has a span before `first`. */
static bool has_before(const struct lane *lane, const struct cell_kind_cell *cell,
		       const struct span *first)
{
	struct span span;

	return first->t0 >= cell->t0 &&
		span_before(&lane->samples, &lane->tree, first->depth, first->first, &span) &&
		span.t0 >= cell->t0;
}

/* Whether the cell has a span after `last`. */
static bool has_after(const struct lane *lane, const struct cell_kind_cell *cell,
		      const struct span *last)
{
	struct span span;

	return last->t1 < cell->end &&
		span_next(&lane->samples, &lane->tree, last->depth, last->end, &span) &&
		span.t0 < cell->end;
}

/* Whether there is a span between two. */
static bool has_between(const struct lane *lane, const struct span *left, const struct span *right)
{
	struct span span;

	return left->end < right->first &&
		span_next(&lane->samples, &lane->tree, left->depth, left->end, &span) &&
		span.first < right->first;
}

void cell_kind_find(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
		    const struct span *before, struct piece *out)
{
	bool has_more = false;

	guess(lane, depth, cell, before, out);
	if (lane->kind == LANE_SAMPLES)
		return;
	switch (out->kind) {
	case CELL_KIND_FULL:
	case CELL_KIND_END:
	case CELL_KIND_INSIDE:
		has_more = has_before(lane, cell, &out->left) || has_after(lane, cell, &out->left);
		break;
	case CELL_KIND_START:
		has_more = has_before(lane, cell, &out->right) ||
			has_after(lane, cell, &out->right);
		break;
	case CELL_KIND_EDGE:
	case CELL_KIND_GAP:
		has_more = has_before(lane, cell, &out->left) ||
			has_between(lane, &out->left, &out->right) ||
			has_after(lane, cell, &out->right);
		break;
	default:
		break;
	}
	if (has_more)
		out->kind = CELL_KIND_SHARED;
}
