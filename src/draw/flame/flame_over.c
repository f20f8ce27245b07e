/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cell that one lane has for itself is drawn as any other cell. If a span of one lane ends in the
 * cell and one of another lane begins, they are drawn as two spans of one lane: with an edge if
 * they touch; otherwise the smaller one is left out if the cell beside this one draws it. All other
 * cells of several lanes are shared cells. */
#include "config.h"

#include "draw/flame/flame_over.h"

#include "base/alloc.h"

#include <string.h>

static void add_cell(struct flame_over *to, int lane, const struct cover_cell *cell)
{
	int at = to->n < 2 ? to->n : 2, parts = to->all.parts + cell->parts;

	while (at > 0 && to->cover[at - 1].all_ns < cell->all_ns) {
		if (at < 2) {
			to->cover[at] = to->cover[at - 1];
			to->lanes[at] = to->lanes[at - 1];
		}
		at--;
	}
	if (at < 2) {
		to->cover[at] = *cell;
		to->lanes[at] = lane;
	}
	to->n++;
	to->all.parts = (uint8_t)(parts < 3 ? parts : 3);
	to->all.all_ns += cell->all_ns;
	to->all.node = to->cover[0].node;
	to->all.node_ns = to->cover[0].node_ns;
}

static void add_lane(struct flame *f, int lane, int depth, int rows)
{
	const struct chart_lane *cl = &f->chart->lanes[lane];
	int first = chart_first_row(cl), from = depth > first ? depth - first : 0;

	if (!cl->cover || first >= depth + rows || first + cl->lane->max_depth <= depth)
		return;
	for (int c = 0; c < f->cols; c++) {
		int n_rows = 0;
		const struct cover_cell *column = cover_known(cl->cover, f->t0[c], flame_end(f, c),
							      from, depth + rows - first - from,
							      &n_rows);

		f->is_unknown[c] |= !column;
		for (int d = from; column && d < n_rows && first + d < depth + rows; d++)
			if (column[d].node != NODE_ROOT)
				add_cell(&f->over[(size_t)(first + d - depth) * (size_t)f->cols +
						  (size_t)c],
					 lane, &column[d]);
	}
}

void flame_over_take(struct flame *f, int lane, int depth, int rows)
{
	size_t need = (size_t)rows * (size_t)f->cols;

	if (need > f->cap_over)
		f->over = xgrow(f->over, &f->cap_over, need, sizeof *f->over);
	memset(f->over, 0, need * sizeof *f->over);
	memset(f->is_unknown, 0, (size_t)f->cols);
	for (int i = 0; i <= f->chart->lanes[lane].n_over; i++)
		add_lane(f, lane + i, depth, rows);
}

static void enter(struct flame_walk *w, int lane)
{
	const struct chart *chart = w->chart;
	const struct chart_lane *cl = &chart->lanes[lane];

	if (lane == w->lane_index)
		return;
	flame_cell_close_box(w);
	w->has_seen = false;
	w->lane = cl->lane;
	w->lane_index = lane;
	w->depth = w->thread_row - chart_first_row(cl);
	w->matches = chart->matches.frames && chart->match_rows ? chart->match_rows[lane] : NULL;
}

/* The cell of column w->c, of the lane of the walk. */
static void set_cell(const struct flame *f, struct flame_walk *w, const struct cover_cell *cover)
{
	const struct samples *s = &w->lane->samples;
	int c = w->c;

	w->cell = (struct cell_kind_cell){ cover,
					   f->t0[c],
					   f->t1[c],
					   flame_end(f, c),
					   s->n ? samples_find(s, f->t0[c]) : 0,
					   s->n ? samples_find(s, flame_end(f, c) - 1) : 0 };
}

/* Whether the selected span is in the cell on that lane. */
static bool is_selected(const struct flame *f, const struct flame_walk *w, int lane)
{
	const struct chart *chart = w->chart;
	const struct chart_lane *cl = &chart->lanes[lane];
	const struct span *s = &chart->selected;

	return chart->has_selection && chart->lane == lane &&
		s->depth + chart_first_row(cl) == w->thread_row && s->t0 < flame_end(f, w->c) &&
		(s->t1 > f->t0[w->c] || s->t0 == f->t0[w->c]);
}

void flame_over_begin(const struct flame *f, struct flame_walk *w, struct flame_over *over)
{
	if (over->n > 1 && is_selected(f, w, over->lanes[1])) {
		struct cover_cell cover = over->cover[0];
		int lane = over->lanes[0];

		over->cover[0] = over->cover[1];
		over->lanes[0] = over->lanes[1];
		over->cover[1] = cover;
		over->lanes[1] = lane;
		over->all.node = over->cover[0].node;
		over->all.node_ns = over->cover[0].node_ns;
	}
	if (over->n)
		enter(w, over->lanes[0]);
	set_cell(f, w, &over->cover[0]);
}

/* What the other one of two lanes has in the cell. */
static void find_other(const struct flame_walk *w, const struct flame_over *over,
		       struct piece *other)
{
	const struct chart_lane *cl = &w->chart->lanes[over->lanes[1]];
	struct cell_kind_cell cell = w->cell;

	cell.cover = &over->cover[1];
	cell.first = samples_find(&cl->lane->samples, cell.t0);
	cell.last = samples_find(&cl->lane->samples, cell.end - 1);
	cell_kind_find(cl->lane, w->thread_row - chart_first_row(cl), &cell, NULL, other);
}

/* Two spans that touch: the walk goes on with the right one. */
static void take_edge(const struct flame *f, struct flame_walk *w, const struct flame_over *over,
		      bool is_left, const struct piece *other, struct piece *piece)
{
	if (is_left) {
		w->left_lane = w->lane;
		piece->right = other->right;
		enter(w, over->lanes[1]);
		set_cell(f, w, &over->all);
	} else {
		w->left_lane = w->chart->lanes[over->lanes[1]].lane;
		piece->left = other->left;
	}
	piece->kind = CELL_KIND_EDGE;
}

void flame_over_settle(const struct flame *f, struct flame_walk *w, const struct flame_over *over,
		       struct piece *piece)
{
	bool is_left = piece->kind == CELL_KIND_END, is_right = piece->kind == CELL_KIND_START;
	struct piece other;
	const struct span *left, *right;

	if (over->n < 2)
		return;
	if (over->n == 2 && (is_left || is_right)) {
		find_other(w, over, &other);
		left = is_left ? &piece->left : &other.left;
		right = is_left ? &other.right : &piece->right;
		if (other.kind != (is_left ? CELL_KIND_START : CELL_KIND_END)) {
			is_left = is_right = false;
		} else if (left->t1 == right->t0 && !w->chart->is_ascii &&
			   !(is_left && is_selected(f, w, w->lane_index))) {
			take_edge(f, w, over, is_left, &other, piece);
			return;
		}
		if ((is_left &&
		     flame_cell_is_drawn_there(w, right->t1 - w->cell.t1,
					       w->cell.t1 - right->t0)) ||
		    (is_right &&
		     flame_cell_is_drawn_there(w, w->cell.t0 - left->t0, left->t1 - w->cell.t0)))
			return;
	}
	piece->kind = CELL_KIND_SHARED;
	w->cell.cover = &over->all;
}

bool flame_over_is_match(const struct flame_walk *w, const struct flame_over *over)
{
	for (int i = 0; i < over->n && i < 2; i++) {
		const struct chart_lane *cl = &w->chart->lanes[over->lanes[i]];

		const struct match_rows *matches = w->chart->match_rows[over->lanes[i]];

		if (matches &&
		    match_rows_has(matches, w->cell.t0, w->cell.end,
				   w->thread_row - chart_first_row(cl)))
			return true;
	}
	return false;
}
