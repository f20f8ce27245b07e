/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line leaves the row of the selected slice in the column of the flow's point, goes along that
 * column to the row of the next slice, and along that row to its start, with an arrow before it.
 * It fills blank cells only, so that it passes behind labels. */
#include "config.h"

#include "draw/flow_line.h"

#define LINES_MOST 8 /* a slice may have any number of flows */

/* A cell of the rectangle. */
struct point {
	int row, col;
};

/* What a line consists of; the second column is for ASCII. */
enum part { DOWN_RIGHT, UP_RIGHT, DOWN_LEFT, UP_LEFT, ALONG, ACROSS, RIGHT, LEFT, DOWN, UP };
static const uint32_t parts[][2] = {
	[DOWN_RIGHT] = { 0x2514, '+' }, [UP_RIGHT] = { 0x250C, '+' }, [DOWN_LEFT] = { 0x2518, '+' },
	[UP_LEFT] = { 0x2510, '+' },    [ALONG] = { 0x2500, '-' },    [ACROSS] = { 0x2502, '|' },
	[RIGHT] = { 0x25B8, '>' },      [LEFT] = { 0x25C2, '<' },     [DOWN] = { 0x25BE, 'v' },
	[UP] = { 0x25B4, '^' },
};

/* Where time t of a slice is; false: out of view. */
static bool find_point(const struct chart *chart, struct rect r, int lane, const struct span *span,
		       int64_t t, struct point *out)
{
	const struct chart_lane *cl = &chart->lanes[chart_head(chart, lane)];
	const struct viewport *view = chart->view;
	int depth = chart_first_row(&chart->lanes[lane]) + span->depth, row;

	if (!chart_lane_rows(cl) || chart_is_rest(cl, depth) ||
	    (cl->is_fitted && depth >= cl->end_depth) || depth < chart_trunk(cl))
		return false;
	t = t < span->t0 ? span->t0 : t > span->t1 ? span->t1 : t;
	row = chart_row_of(chart, lane, span->depth) - view->scroll;
	if (t < view->t0 || t >= viewport_end(view) || row >= r.rows ||
	    row < (chart_sticky(chart, r.rows) >= 0 ? 1 : 0))
		return false;
	*out = (struct point){ row, viewport_col(view, t, r.cols) };
	return true;
}

static void put(struct grid *g, struct rect r, const struct chart *chart, int row, int col,
		enum part part)
{
	struct cell *cell;

	if (r.row + row < 0 || r.row + row >= g->rows || r.col + col < 0 || r.col + col >= g->cols)
		return;
	cell = grid_at(g, r.row + row, r.col + col);
	if (cell->ch != ' ' ||
	    ((part == ACROSS || part == ALONG) && grid_is_beside_text(g, r.row + row, r.col + col)))
		return;
	cell->ch = parts[part][chart->is_ascii];
	cell->ink = ROLE_KEY;
}

static void draw(struct grid *g, struct rect r, const struct chart *chart, struct point from,
		 struct point to)
{
	int down = to.row > from.row ? 1 : -1, right = to.col > from.col ? 1 : -1;

	for (int row = from.row; row != to.row; row += down)
		if (row != from.row)
			put(g, r, chart, row, from.col,
			    from.col == to.col && row + down == to.row ? down > 0 ? DOWN : UP
								       : ACROSS);
	if (from.col == to.col)
		return;
	if (from.row != to.row)
		put(g, r, chart, to.row, from.col,
		    from.col + right == to.col ? right > 0 ? RIGHT : LEFT
			    : down > 0         ? right > 0 ? DOWN_RIGHT : DOWN_LEFT
			    : right > 0        ? UP_RIGHT
					       : UP_LEFT);
	for (int col = from.col + right; col != to.col; col += right)
		put(g, r, chart, to.row, col,
		    col + right != to.col ? ALONG
			    : right > 0   ? RIGHT
					  : LEFT);
}

/* Where a line enters the next slice: at its start, or straight from above if it runs already. */
static int64_t entry(const struct flow_point *here, const struct flow_point *next)
{
	if (here->t <= next->span.t0)
		return next->span.t0;
	return here->t < next->span.t1 ? here->t : next->t;
}

void flow_line_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct profile *p = chart->profile;
	size_t first, n;
	int n_drawn = 0;

	if (!chart->has_selection || !p->n_flows || chart->is_merged || chart->lane < 0)
		return;
	n = profile_flows_of(p, (uint32_t)chart->lane, &chart->selected, &first);
	for (size_t i = 0; i < n && n_drawn < LINES_MOST; i++) {
		size_t at = p->flows_by_lane[first + i];
		const struct flow_point *here = &p->flows[at], *next = here + 1;
		struct point from, to;

		if (at + 1 >= p->n_flows || next->flow != here->flow ||
		    !find_point(chart, r, chart->lane, &chart->selected, here->t, &from) ||
		    !find_point(chart, r, (int)next->lane, &next->span, entry(here, next), &to))
			continue;
		draw(g, r, chart, from, to);
		n_drawn++;
	}
}
