/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes one below the other. The chart is a strip of rows, of which view->scroll are above the
 * rectangle. A lane has a title row and, while it is open, one row per depth. A lane out of view
 * costs one addition, a row out of view nothing. */
#include "config.h"

#include "layout/chart.h"

#include "analysis/trunk.h"
#include "base/text.h"
#include "base/units.h"
#include "layout/counter.h"
#include "layout/flame.h"
#include "layout/label.h"
#include "model/lane_name.h"

#include <assert.h>
#include <string.h>

int chart_trunk(const struct chart_lane *cl)
{
	return cl->is_trunk_open || cl->is_flipped ? 0 : cl->trunk;
}

/* The trunk has one row. */
static int hidden_rows(const struct chart_lane *cl)
{
	return chart_trunk(cl) > 1 ? chart_trunk(cl) - 1 : 0;
}

static int end_depth(const struct chart_lane *cl)
{
	return cl->is_fitted ? cl->end_depth : cl->lane->max_depth;
}

/* The rest has one row: the last one, or the first of a flipped lane. */
static int rest_rows(const struct chart_lane *cl)
{
	return cl->is_fitted && cl->n_rest > 0 ? 1 : 0;
}

int chart_lane_rows(const struct chart_lane *cl)
{
	const struct lane *lane = cl->lane;

	if (!cl->is_open || cl->is_hidden || cl->is_shut)
		return 0;
	if (lane->kind == LANE_COUNTER)
		return counter_rows(lane);
	if (!lane->has_timeline || !lane->samples.n)
		return 0;
	return end_depth(cl) - hidden_rows(cl) + rest_rows(cl);
}

int chart_row_of_depth(const struct chart_lane *cl, int depth)
{
	int end = end_depth(cl), last = end - 1 + rest_rows(cl);

	depth = depth < last ? depth : last;
	if (cl->is_flipped)
		return last - depth;
	return depth > hidden_rows(cl) ? depth - hidden_rows(cl) : 0;
}

int chart_depth_of_row(const struct chart_lane *cl, int row)
{
	return cl->is_flipped ? end_depth(cl) - 1 + rest_rows(cl) - row : row + hidden_rows(cl);
}

bool chart_is_rest(const struct chart_lane *cl, int depth)
{
	return rest_rows(cl) && depth == cl->end_depth;
}

int chart_title_rows(const struct chart_lane *cl)
{
	return (cl->has_group ? 1 : 0) +
		(cl->is_shut || cl->is_hidden || cl->lane->is_joined ? 0 : 1);
}

static int lane_height(const struct chart_lane *cl)
{
	return chart_title_rows(cl) + chart_lane_rows(cl);
}

int chart_lane_top(const struct chart *chart, int lane)
{
	int top = 0;

	assert(lane >= 0 && lane <= chart->n_lanes);
	for (int i = 0; i < lane; i++)
		top += lane_height(&chart->lanes[i]);
	return top;
}

int chart_height(const struct chart *chart)
{
	return chart_lane_top(chart, chart->n_lanes);
}

/* Texts that would be truncated to less than this are left out. */
#define TEXT_MIN 12

#define SHARE_UNIT 1000000 /* shares are computed as millionths */

/* Put `text`, truncated to the rest of the row; returns the cells used. */
static int put_fit(struct grid *g, int row, int col, int room, const struct buf *text)
{
	struct buf fit = { 0 };
	int used = 0;

	if (room > 0) {
		text_fit(&fit, buf_text(text), text->len, room);
		used = grid_put(g, row, col, room, buf_text(&fit), fit.len, ROLE_TITLE);
	}
	buf_done(&fit);
	return used;
}

static const char *fold_mark(const struct chart *chart, bool is_open)
{
	if (chart->is_ascii)
		return is_open ? "v " : "> ";
	return is_open ? "\342\226\276 " : "\342\226\270 ";
}

/* The row of a process: its name and its number of lanes. */
static void draw_group(struct grid *g, struct rect r, int row, const struct chart *chart, int index)
{
	const struct chart_lane *cl = &chart->lanes[index];
	struct buf text = { 0 };
	int n = 0, end = index, used;

	do
		n += !chart->lanes[end].lane->is_joined;
	while (++end < chart->n_lanes && !chart->lanes[end].has_group);
	grid_fill(g, row, r.col, r.cols, ROLE_TITLE);
	used = grid_puts(g, row, r.col, r.cols, fold_mark(chart, !cl->is_shut), ROLE_TITLE);
	label_process(chart->profile, cl->lane, &text);
	buf_addf(&text, "  %d lane%s", n, n == 1 ? "" : "s");
	put_fit(g, row, r.col + used, r.cols - used, &text);
	if (cl->is_shut && chart->lane >= index && chart->lane < end)
		grid_flag(g, row, r.col, r.cols, CELL_BOLD);
	buf_done(&text);
}

static void draw_title(struct grid *g, struct rect r, int row, const struct chart *chart, int index)
{
	const struct chart_lane *cl = &chart->lanes[index];
	const char *fold = cl->lane->has_timeline ? fold_mark(chart, cl->is_open) : "  ";
	struct buf name = { 0 }, facts = { 0 };
	int used = 0, room;

	grid_fill(g, row, r.col, r.cols, ROLE_TITLE);
	if (chart->has_groups)
		used = grid_puts(g, row, r.col, r.cols, "  ", ROLE_TITLE);
	used += grid_puts(g, row, r.col + used, r.cols - used, fold, ROLE_TITLE);
	if (chart->titles)
		buf_adds(&name, chart->titles[index]);
	else
		lane_name(chart->profile, cl->lane, !chart->has_groups, &name);
	label_lane_facts(cl->lane, chart->is_merged, &facts);
	/* The figures of the lane matter more than the end of a long name. */
	room = r.cols - used - text_cells(facts.data, facts.len) - 2;
	used += put_fit(g, row, r.col + used, room < TEXT_MIN ? r.cols - used : room, &name) + 2;
	if (r.cols - used >= TEXT_MIN)
		put_fit(g, row, r.col + used, r.cols - used, &facts);
	if (index == chart->lane)
		grid_flag(g, row, r.col, r.cols, CELL_BOLD);
	buf_done(&name);
	buf_done(&facts);
}

/* A lane that has a row in the rectangle, starting at chart->view->scroll. */
struct visible {
	int lane;
	int64_t top;      /* of the lane, in rows of the chart */
	int64_t rows_top; /* of depth 0, below the titles */
	int64_t rows_end;
	int64_t from, to; /* its visible rows of depths; none: from >= to */
};

/* Advance to the next visible lane; v starts zeroed with lane -1. False: there is none. */
static bool next_visible(const struct chart *chart, int rows, struct visible *v)
{
	int64_t first = chart->view->scroll, end = first + rows;

	while (++v->lane < chart->n_lanes && v->rows_end < end) {
		const struct chart_lane *cl = &chart->lanes[v->lane];

		v->top = v->rows_end;
		v->rows_top = v->top + chart_title_rows(cl);
		v->rows_end = v->rows_top + chart_lane_rows(cl);
		v->from = v->rows_top > first ? v->rows_top : first;
		v->to = v->rows_end < end ? v->rows_end : end;
		if (v->rows_end > first)
			return true;
	}
	return false;
}

bool chart_prepare(const struct chart *chart, struct rect r, struct budget *budget)
{
	struct visible v = { .lane = -1 };
	struct flame flame;
	bool is_all = true;

	flame_init(&flame, chart, r.cols);
	while (is_all && next_visible(chart, r.rows, &v))
		if (v.from < v.to && chart->lanes[v.lane].lane->kind != LANE_COUNTER)
			is_all = flame_prepare(&flame, v.lane, budget);
	flame_done(&flame);
	return is_all;
}

/* `⋯ 18 frames  run_main_module › require › app.js:1`: the number of rows that are folded, and the
 * innermost ones that fit. */
static void draw_trunk(struct grid *g, struct rect r, const struct chart *chart, int lane)
{
	const struct chart_lane *cl = &chart->lanes[lane];
	const char *arrow = chart->is_ascii ? " > " : " \342\200\272 ";
	int n = chart_trunk(cl), used, room;
	struct buf text = { 0 }, name = { 0 };
	struct span span;

	buf_addf(&text, "%s %d frames  ", chart->is_ascii ? "..." : "\342\213\257", n);
	used = grid_puts(g, r.row, r.col, r.cols, buf_text(&text), ROLE_DIM);
	buf_clear(&text);
	while ((room = r.cols - used - text_cells(buf_text(&text), text.len)) > TEXT_MIN &&
	       n-- > 0) {
		trunk_span(cl->lane, chart->view->t0, chart->view->t1, n, &span);
		buf_clear(&name);
		label_box(chart->profile, cl->lane->tree.frame[span.node], room - 4, &name);
		buf_adds(&name, text.len ? arrow : "");
		buf_add(&name, buf_text(&text), text.len);
		buf_clear(&text);
		buf_add(&text, buf_text(&name), name.len);
	}
	grid_put(g, r.row, r.col + used, r.cols - used, buf_text(&text), text.len, ROLE_DIM);
	if (chart->lane == lane && chart->has_selection && chart->selected.depth < chart_trunk(cl))
		grid_flag(g, r.row, r.col, r.cols, CELL_SELECTED);
	buf_done(&text);
	buf_done(&name);
}

/* `+17 rows, 0.4 %`: the depths that have no row of their own, and their share of the time. */
static void draw_rest(struct grid *g, struct rect r, const struct chart_lane *cl)
{
	struct buf text = { 0 };
	char share[UNITS_MAX];

	buf_addf(&text, "+%d row%s", cl->n_rest, cl->n_rest == 1 ? "" : "s");
	if (cl->depths) {
		units_percent((int64_t)(depths_share_below(cl->depths, cl->end_depth) * SHARE_UNIT),
			      SHARE_UNIT, share);
		buf_addf(&text, ", %s", share);
	}
	grid_put(g, r.row, r.col, r.cols, buf_text(&text), text.len, ROLE_DIM);
	buf_done(&text);
}

/* The rows of calls from row `first` of the lane on. */
static void draw_rows(struct flame *flame, struct grid *g, struct rect r, int lane, int first)
{
	const struct chart_lane *cl = &flame->chart->lanes[lane];
	int end = first + r.rows, rest;

	if (chart_trunk(cl) && first == 0) {
		draw_trunk(g, r, flame->chart, lane);
		r.row++;
		first++;
	}
	rest = rest_rows(cl) ? chart_row_of_depth(cl, cl->end_depth) : -1;
	if (rest >= first && rest < end) {
		draw_rest(g, (struct rect){ r.row + rest - first, r.col, 1, r.cols }, cl);
		if (cl->is_flipped) {
			r.row++;
			first++;
		} else {
			end--;
		}
	}
	if (first < end)
		flame_draw(flame, g, lane, chart_depth_of_row(cl, cl->is_flipped ? end - 1 : first),
			   end - first, r.row, r.col);
}

void chart_draw_lanes(struct grid *g, struct rect r, const struct chart *chart)
{
	int64_t first = chart->view->scroll, end = first + r.rows;
	struct visible v = { .lane = -1 };
	struct flame flame;

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	flame_init(&flame, chart, r.cols);
	while (next_visible(chart, r.rows, &v)) {
		const struct chart_lane *cl = &chart->lanes[v.lane];
		int depth = (int)(v.from - v.rows_top), rows = (int)(v.to - v.from),
		    row = r.row + (int)(v.from - first);

		if (v.top >= first && cl->has_group)
			draw_group(g, r, r.row + (int)(v.top - first), chart, v.lane);
		if (v.rows_top - 1 >= first && v.rows_top - 1 < end &&
		    v.rows_top > v.top + cl->has_group)
			draw_title(g, r, r.row + (int)(v.rows_top - 1 - first), chart, v.lane);
		if (rows > 0 && cl->lane->kind == LANE_COUNTER)
			counter_draw(g, chart, v.lane, depth,
				     (struct rect){ row, r.col, rows, r.cols });
		else if (rows > 0)
			draw_rows(&flame, g, (struct rect){ row, r.col, rows, r.cols }, v.lane,
				  depth);
	}
	flame_done(&flame);
}

bool chart_hit(const struct chart *chart, struct rect r, int row, int col, struct chart_place *out)
{
	int64_t at = (int64_t)row - r.row + chart->view->scroll, top = 0;

	if (row < r.row || row >= r.row + r.rows || col < r.col || col >= r.col + r.cols || at < 0)
		return false;
	for (int i = 0; i < chart->n_lanes; i++) {
		int height = lane_height(&chart->lanes[i]);

		if (at < top + height) {
			int64_t t0 = viewport_time(chart->view, col - r.col, r.cols);
			int64_t t1 = viewport_time(chart->view, col - r.col + 1, r.cols);

			out->lane = i;
			out->depth = (int)(at - top) - chart_title_rows(&chart->lanes[i]);
			if (out->depth >= 0)
				out->depth = chart_depth_of_row(&chart->lanes[i], out->depth);
			if (at == top && chart->lanes[i].has_group)
				out->depth = -2;
			out->t = t0 + (t1 - t0) / 2;
			return true;
		}
		top += height;
	}
	return false;
}
