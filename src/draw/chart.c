/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes one below the other. The chart is a strip of rows, of which view->scroll are above the
 * rectangle. A lane has a title row and, while it is open, one row per depth. A lane out of view
 * costs one addition, a row out of view nothing. */
#include "config.h"

#include "draw/chart.h"

#include "analyse/fold.h"
#include "base/alloc.h"
#include "base/text.h"
#include "draw/flame/flame.h"
#include "draw/flame/flame_request.h"
#include "draw/flame/label.h"
#include "draw/lane_title.h"
#include "draw/overview.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== counter ====
 *
 * Graphs of counters, in blocks of an eighth of a row. A single series has two rows, several series
 * have one each; name and highest value are at the left, over the graph. */

#define NAME_CELLS 32

static int series_rows(const struct lane *lane)
{
	return lane->n_series == 1 ? 2 : 1;
}

int64_t counter_cursor(const struct chart *chart)
{
	const struct viewport *v = chart->view;
	int64_t t = chart->has_selection ? chart->selected.t0 : chart->counter_t;

	return t >= v->t0 && t < viewport_end(v) ? t : v->t0 + (v->t1 - v->t0) / 2;
}

/* Three significant digits; a value that rounds to 1000 of a unit is shown as 1 of the next unit.
 */
void counter_format(const struct series *series, double value, struct buf *out)
{
	static const char units[] = "\0kMGT";
	double from = 1;
	int i = 0;

	for (; i < 4 && fabs(value) >= from * 999.5; i++)
		from *= 1000;
	if (fabs(value) >= 999.5e12)
		from = 1;
	buf_addf(out, "%.3g%s", value / from, (from > 1 || series->is_bytes) ? " " : "");
	buf_addf(out, "%.1s%s", from > 1 ? units + i : "", series->is_bytes ? "B" : "");
}

static void draw_label(struct grid *g, const struct chart *chart, const struct series *s,
		       struct rect r)
{
	const char *name = profile_text(chart->profile, s->name);
	size_t at = series_find(s, counter_cursor(chart));
	BUF_LOCAL text = { 0 };

	text_fit(&text, name, strlen(name), NAME_CELLS);
	buf_adds(&text, at != SIZE_MAX ? " " : "");
	if (at != SIZE_MAX)
		counter_format(s, s->value[at], &text);
	buf_adds(&text, chart->is_ascii ? " <= " : " \342\211\244 ");
	counter_format(s, s->most, &text);
	if (r.cols >= 2 * NAME_CELLS)
		grid_put(g, r.row, r.col, NAME_CELLS + 24, buf_text(&text), text.len, ROLE_PLAIN);
}

/* The part of a column in this row, 0 to 8 eighths; `below` eighths are in the rows below.
 * ROLE_KEY: the column is that of the cursor, and a line where it is blank. */
static void draw_part(struct grid *g, const struct chart *chart, int row, int col, int level,
		      int below, enum role role)
{
	static const char shades[] = " .:-=+*#@";
	int part = level - below < 0 ? 0 : level - below > 8 ? 8 : level - below;
	struct cell *cell;

	if ((part == 0 && role != ROLE_KEY) || row < 0 || row >= g->rows || col < 0 ||
	    col >= g->cols)
		return;
	cell = grid_at(g, row, col);
	cell->ch = chart->is_ascii ? (unsigned char)shades[part] : 0x2580u + (unsigned)part;
	if (part == 0)
		cell->ch = chart->is_ascii ? '|' : 0x2502u;
	cell->ink = (uint8_t)role;
}

/* The height of a value in steps, 0 to most. Halves, because the difference of the largest numbers
 * is infinite. */
static int level_of(const struct series *s, double value, int most)
{
	double range = s->most / 2 - s->least / 2, share = (value / 2 - s->least / 2) / range;
	int level = range > 0 && share > 0 ? (int)(share * most + 0.5) : 0;

	/* A value above the minimum must be visible. */
	return level == 0 && value > s->least ? 1 : level;
}

static void draw_series(struct grid *g, const struct chart *chart, const struct series *s, int rows,
			int from, struct rect r, enum role role)
{
	int cursor = viewport_col(chart->view, counter_cursor(chart), r.cols);

	for (int c = 0; c < r.cols; c++) {
		int64_t t0 = viewport_time(chart->view, c, r.cols),
			t1 = viewport_time(chart->view, c + 1, r.cols);
		double most;
		int level;

		if (!series_most(s, t0, t1 > t0 ? t1 : t0 + 1, &most))
			continue;
		level = level_of(s, most, 8 * rows);
		for (int i = 0; i < r.rows; i++)
			draw_part(g, chart, r.row + i, r.col + c, level, 8 * (rows - 1 - from - i),
				  c == cursor ? ROLE_KEY : role);
	}
}

/* Draw rows [row, row + r.rows) of the counter lane with number `index` into `r`, whose cells are
 * blank. The height of a column is the highest value anywhere in it. The scale goes from the
 * minimum (at most 0) to the maximum of the series in the whole lane. */
static void counter_draw(struct grid *g, const struct chart *chart, int index, int row,
			 struct rect r)
{
	const struct lane *lane = chart->lanes[index].lane;
	int each = series_rows(lane);

	for (uint32_t i = 0; i < lane->n_series; i++) {
		int top = (int)i * each, from = top > row ? top : row,
		    end = top + each < row + r.rows ? top + each : row + r.rows;
		struct rect part = { r.row + from - row, r.col, end - from, r.cols };

		if (from >= end)
			continue;
		draw_series(g, chart, &lane->series[i], each, from - top, part,
			    lane->n_series == 1 ? ROLE_BUSY
						: (enum role)(ROLE_FRAME + i % ROLE_HUES));
		if (from == top)
			draw_label(g, chart, &lane->series[i], part);
	}
}

/* ==== name list ====
 *
 * profile.named is in the order of processes, so the row of a process is drawn before the first
 * entry with its id. An entry of a process itself (tid -1) is that row. */

#define INDENT 2

static bool begins_process(const struct profile *profile, uint32_t i)
{
	return i == 0 || profile->named[i - 1].pid != profile->named[i].pid;
}

/* The rows of the list; 0: the profile has no such names. */
static int name_list_rows(const struct profile *profile)
{
	int rows = 0;

	for (uint32_t i = 0; i < profile->n_named && rows < INT32_MAX - 2; i++)
		rows += begins_process(profile, i) + (profile->named[i].tid != LANE_NO_ID);
	return rows;
}

/* `name (pid 7)`; nothing in front of the number if there is no name. */
static void put(struct grid *g, struct rect r, int indent, const char *name, const char *what,
		int64_t id)
{
	BUF_LOCAL text = { 0 };

	text_visible(&text, name, strlen(name));
	buf_addf(&text, *name ? " (%s %" PRId64 ")" : "%s %" PRId64, what, id);
	grid_put_fit(g, r.row, r.col + indent, r.cols - indent, buf_text(&text), text.len,
		     indent > 1 ? ROLE_PLAIN : ROLE_TITLE);
}

/* Draw the rows from chart->view->scroll on into `r`, which is blank. */
static void name_list_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct profile *p = chart->profile;
	int64_t at = -(int64_t)chart->view->scroll;

	for (uint32_t i = 0; i < p->n_named && at < r.rows; i++) {
		const struct profile_named *named = &p->named[i];
		struct rect row = { r.row + (int)at, r.col, 1, r.cols };

		if (begins_process(p, i)) {
			if (at >= 0 && r.cols > INDENT) {
				grid_fill(g, row.row, row.col, row.cols, ROLE_TITLE);
				put(g, row, 1, profile_text(p, named->process_name), "pid",
				    named->pid);
			}
			row.row++;
			at++;
		}
		if (named->tid == LANE_NO_ID)
			continue;
		if (at >= 0 && at < r.rows && r.cols > 2 * INDENT)
			put(g, row, 1 + INDENT,
			    profile_text(p,
					 named->thread_title ? named->thread_title
							     : named->thread_name),
			    "tid", named->tid);
		at++;
	}
}

/* ==== rows ==== */

void chart_lay_over(struct chart_lane *lanes, int n)
{
	int head = 0;

	for (int i = 0; i < n; i++) {
		const struct lane *lane = lanes[i].lane;

		lanes[i].n_over = 0;
		lanes[i].is_over = i > 0 && lane->is_joined &&
			lanes[i - 1].lane->kind == lane->kind &&
			(lane->kind == LANE_SLICES || lane->served);
		if (lanes[i].is_over)
			lanes[head].n_over++;
		else
			head = i;
	}
}

/* The rows that are folded into the first row; 0: none. */
static int trunk_of(const struct chart_lane *cl)
{
	return cl->is_trunk_open || cl->is_flipped ? 0 : cl->trunk;
}

/* The trunk has one row. */
static int hidden_rows(const struct chart_lane *cl)
{
	return trunk_of(cl) > 1 ? trunk_of(cl) - 1 : 0;
}

static int end_depth(const struct chart_lane *cl)
{
	int end = cl->lane->max_depth;

	if (cl->is_fitted)
		return cl->end_depth;
	for (int i = 1; i <= cl->n_over; i++)
		if (cl[i].lane->first_row + cl[i].lane->max_depth > end)
			end = cl[i].lane->first_row + cl[i].lane->max_depth;
	return end;
}

/* The rest has one row: the last one, or the first of a flipped lane. */
static int rest_rows(const struct chart_lane *cl)
{
	return cl->is_fitted && cl->n_rest > 0 ? 1 : 0;
}

int chart_lane_rows(const struct chart_lane *cl)
{
	const struct lane *lane = cl->lane;

	if (!cl->is_open || cl->is_hidden || cl->is_shut || cl->is_pooled || cl->is_over)
		return 0;
	if (lane->kind == LANE_COUNTER)
		return (int)lane->n_series * series_rows(lane);
	if (!lane->has_timeline || (!lane->samples.n && !cl->n_over))
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
	bool has_own = !cl->is_away && !cl->is_shut && !cl->is_pooled && !cl->is_hidden &&
		!cl->lane->is_joined;

	return lane_title_group_rows(cl) + has_own;
}

static int lane_height(const struct chart_lane *cl)
{
	return chart_title_rows(cl) + chart_lane_rows(cl);
}

int chart_lane_top(const struct chart *chart, int lane)
{
	int top = 0;

	assert(lane >= 0 && lane <= chart->n_lanes);
	if (lane < chart->n_lanes)
		lane = chart_head(chart, lane);
	for (int i = 0; i < lane; i++)
		top += lane_height(&chart->lanes[i]);
	return top;
}

int chart_row_of(const struct chart *chart, int lane, int depth)
{
	const struct chart_lane *cl = &chart->lanes[chart_head(chart, lane)];

	depth += chart_first_row(&chart->lanes[lane]);
	return chart_lane_top(chart, lane) + chart_title_rows(cl) + chart_row_of_depth(cl, depth);
}

int chart_height(const struct chart *chart)
{
	return chart->n_lanes ? chart_lane_top(chart, chart->n_lanes)
			      : name_list_rows(chart->profile);
}

/* ==== flow line ====
 *
 * A line leaves the row of the selected slice in the column of the flow's point, goes along that
 * column to the row of the next slice, and along that row to its start, with an arrow before it.
 * It fills blank cells only, so that it passes behind labels. */

#define LINES_MAX 8 /* a slice may have any number of flows */

/* What a line consists of; the second column is for ASCII. */
enum part { DOWN_RIGHT, UP_RIGHT, DOWN_LEFT, UP_LEFT, ALONG, ACROSS, RIGHT, LEFT, DOWN, UP };

static const uint32_t parts[][2] = {
	[DOWN_RIGHT] = { 0x2514, '+' }, [UP_RIGHT] = { 0x250C, '+' }, [DOWN_LEFT] = { 0x2518, '+' },
	[UP_LEFT] = { 0x2510, '+' },    [ALONG] = { 0x2500, '-' },    [ACROSS] = { 0x2502, '|' },
	[RIGHT] = { 0x25B8, '>' },      [LEFT] = { 0x25C2, '<' },     [DOWN] = { 0x25BE, 'v' },
	[UP] = { 0x25B4, '^' },
};

bool chart_find_point(const struct chart *chart, struct rect r, int lane, const struct span *span,
		      int64_t t, struct chart_point *out)
{
	const struct chart_lane *cl = &chart->lanes[chart_head(chart, lane)];
	const struct viewport *view = chart->view;
	int depth = chart_first_row(&chart->lanes[lane]) + span->depth, row;

	if (!chart_lane_rows(cl) || chart_is_rest(cl, depth) ||
	    (cl->is_fitted && depth >= cl->end_depth) || depth < trunk_of(cl))
		return false;
	t = t < span->t0 ? span->t0 : t > span->t1 ? span->t1 : t;
	row = chart_row_of(chart, lane, span->depth) - view->scroll;
	if (t < view->t0 || t >= viewport_end(view) || row >= r.rows ||
	    row < (chart_sticky(chart, r.rows) >= 0 ? 1 : 0))
		return false;
	*out = (struct chart_point){ row, viewport_col(view, t, r.cols) };
	return true;
}

/* Lines and blocks are not text, in Unicode and in ASCII. */
static bool is_text(uint32_t ch)
{
	return ch != ' ' && ch < 0x2500 && !(ch && ch < 128 && strchr("|-+!:#*=<>", (int)ch));
}

/* Whether a cell beside this one has text. A line there would be read as a letter. */
static bool is_beside_text(const struct grid *g, int row, int col)
{
	return (col > 0 && is_text(grid_at(g, row, col - 1)->ch)) ||
		(col + 1 < g->cols && is_text(grid_at(g, row, col + 1)->ch));
}

static void put_line(struct grid *g, struct rect r, const struct chart *chart, int row, int col,
		     enum part part)
{
	struct cell *cell;

	if (r.row + row < 0 || r.row + row >= g->rows || r.col + col < 0 || r.col + col >= g->cols)
		return;
	cell = grid_at(g, r.row + row, r.col + col);
	if (cell->ch != ' ' ||
	    ((part == ACROSS || part == ALONG) && is_beside_text(g, r.row + row, r.col + col)))
		return;
	cell->ch = parts[part][chart->is_ascii];
	cell->ink = ROLE_KEY;
}

static void draw(struct grid *g, struct rect r, const struct chart *chart, struct chart_point from,
		 struct chart_point to)
{
	int down = to.row > from.row ? 1 : -1, right = to.col > from.col ? 1 : -1;

	for (int row = from.row; row != to.row; row += down)
		if (row != from.row)
			put_line(g, r, chart, row, from.col,
				 from.col == to.col && row + down == to.row ? down > 0 ? DOWN : UP
									    : ACROSS);
	if (from.col == to.col)
		return;
	if (from.row != to.row)
		put_line(g, r, chart, to.row, from.col,
			 from.col + right == to.col ? right > 0 ? RIGHT : LEFT
				 : down > 0         ? right > 0 ? DOWN_RIGHT : DOWN_LEFT
				 : right > 0        ? UP_RIGHT
						    : UP_LEFT);
	for (int col = from.col + right; col != to.col; col += right)
		put_line(g, r, chart, to.row, col,
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

/* Draw them into `r`, where the lanes of `chart` have been drawn, if both slices are in view. Only
 * cells without text change. */
static void flow_line_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct profile *p = chart->profile;
	size_t first, n;
	int n_drawn = 0;

	if (!chart->has_selection || !p->n_flows || chart->is_merged || chart->lane < 0)
		return;
	n = profile_flows_of(p, (uint32_t)chart->lane, &chart->selected, &first);
	for (size_t i = 0; i < n && n_drawn < LINES_MAX; i++) {
		size_t at = p->flows_by_lane[first + i];
		const struct flow_point *here = &p->flows[at], *next = here + 1;
		struct chart_point from, to;

		if (at + 1 >= p->n_flows || next->flow != here->flow ||
		    !chart_find_point(chart, r, chart->lane, &chart->selected, here->t, &from) ||
		    !chart_find_point(chart, r, (int)next->lane, &next->span, entry(here, next),
				      &to))
			continue;
		draw(g, r, chart, from, to);
		n_drawn++;
	}
}

/* ==== mark line ====
 *
 * A line goes behind everything: boxes keep their colour and their label, and a line fills only
 * blank cells. Where marks are dense, lines would hide the chart: of a lane of marks with one in
 * more than an eighth of the columns only the selected mark has a line. */

#define DENSE 8 /* columns for each line, at least */
#define LINE 0x2502u
#define LINE_ASCII '!'

/* The columns with such marks, by lane of marks. */
struct mark_lines {
	const struct chart *chart; /* borrowed */
	int cols;
	struct mark_line {
		int lane, kind, n_cols; /* lane: -1: of milestones of this kind, */
		uint32_t input;         /* of this input; n_cols of them have one */
		uint8_t *has;           /* by column: 0, 1, or 2 for the selected mark */
	} * lines;
	int n;
	size_t cap;
};

/* Returns the number of columns with a line. */
static int find_columns(const struct flame *f, int lane, uint8_t *has)
{
	const struct chart *chart = f->chart;
	const struct lane *of = chart->lanes[lane].lane;
	int64_t selected = chart->has_selection && chart->lane == lane ? chart->selected.t0
								       : INT64_MIN;
	int n = 0, at = -1;

	for (int c = 0; c < f->cols; c++) {
		int64_t t0 = f->t0[c], end = flame_end(f, c);

		if ((c > 0 && f->t0[c - 1] == t0) || !mark_row_has(of, t0, end))
			continue;
		has[c] = 1;
		if (selected >= t0 && selected < end)
			at = c;
		n++;
	}
	if (n > f->cols / DENSE) {
		n = 0;
		for (int c = 0; c < f->cols; c++)
			has[c] = 0;
	}
	if (at >= 0)
		has[at] = 2;
	return n + (at >= 0);
}

static void add_milestone(struct mark_lines *m, const struct milestone *x)
{
	const struct viewport *v = m->chart->view;
	struct mark_line *line;
	uint8_t *has;
	int i = 0;

	if (x->t < v->t0 || x->t >= v->t1)
		return;
	while (i < (int)m->n &&
	       (m->lines[i].lane >= 0 || m->lines[i].kind != (int)x->kind ||
		m->lines[i].input != x->input))
		i++;
	if (i == (int)m->n) {
		m->lines = xgrow(m->lines, &m->cap, (size_t)m->n + 1, sizeof *m->lines);
		m->lines[m->n++] = (struct mark_line){ -1, (int)x->kind, 0, x->input,
						       xcalloc((size_t)m->cols, 1) };
	}
	line = &m->lines[i];
	has = &line->has[viewport_col(v, x->t, m->cols)];
	line->n_cols += !*has;
	*has = 1;
}

/* Find them for the picture of `flame`. mark_line_done() frees them. */
static void mark_line_find(struct mark_lines *m, const struct flame *flame)
{
	const struct chart *chart = flame->chart;

	*m = (struct mark_lines){ .chart = chart, .cols = flame->cols };
	for (int i = 0; i < chart->n_lanes && !chart->is_merged; i++) {
		const struct lane *lane = chart->lanes[i].lane;
		uint8_t *has;

		if (!lane->is_across || chart->lanes[i].is_hidden || lane->samples.n == 0)
			continue;
		has = xcalloc((size_t)flame->cols, 1);
		if (!find_columns(flame, i, has)) {
			free(has);
			continue;
		}
		*ARRAY_ADD(m->lines, m->n, m->cap) = (struct mark_line){ .lane = i, .has = has };
	}
	for (size_t i = 0; i < chart->profile->n_milestones && !chart->is_merged; i++)
		add_milestone(m, &chart->profile->milestones[i]);
}

static void mark_line_done(struct mark_lines *m)
{
	for (int i = 0; i < m->n; i++)
		free(m->lines[i].has);
	free(m->lines);
	*m = (struct mark_lines){ 0 };
}

static void draw_column(struct grid *g, struct rect r, int col, bool is_ascii, bool is_selected)
{
	for (int row = r.row < 0 ? 0 : r.row; row < r.row + r.rows && row < g->rows; row++) {
		struct cell *cell = grid_at(g, row, col);

		if (cell->ch != ' ' || is_beside_text(g, row, col))
			continue;
		cell->ch = is_ascii ? LINE_ASCII : LINE;
		cell->ink = is_selected ? ROLE_KEY : ROLE_DIM;
		/* Not brighter on the band of a title than on the rows below it. */
		if (!is_selected && cell->fill == ROLE_TITLE)
			cell->flags |= CELL_DIM_INK;
	}
}

/* Draw the lines that are about lane `lane` into its rows `r`, where the cells have no text. */
static void mark_line_draw(const struct mark_lines *m, struct grid *g, struct rect r, int lane)
{
	const struct chart *chart = m->chart;
	const struct lane *of = chart->lanes[lane].lane;

	for (int i = 0; i < m->n; i++) {
		const struct mark_line *line = &m->lines[i];
		const struct lane *marks = line->lane < 0 ? NULL : chart->lanes[line->lane].lane;

		if (!marks ? line->input != of->input ||
				    (line->kind >= MILESTONE_SHIFT &&
				     line->n_cols > m->cols / DENSE)
			   : marks == of ||
				    (marks->pid != LANE_NO_ID &&
				     (marks->pid != of->pid || marks->input != of->input)))
			continue;
		for (int c = 0; c < m->cols; c++)
			if (line->has[c] && r.col + c >= 0 && r.col + c < g->cols)
				draw_column(g, r, r.col + c, chart->is_ascii, line->has[c] == 2);
	}
}

/* ==== chart ==== */

/* Names that would be truncated to less than this are left out. */
#define TEXT_MIN 12
#define STICKY_ROWS 4      /* with fewer, no row is given to a title that has scrolled away */
#define SHARE_UNIT 1000000 /* shares are computed as millionths */

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

int chart_sticky(const struct chart *chart, int rows)
{
	struct visible v = { .lane = -1 };
	int lane;

	if (rows < STICKY_ROWS || !next_visible(chart, rows, &v) ||
	    v.rows_top > chart->view->scroll)
		return -1;
	lane = v.lane;
	while (lane > 0 && chart->lanes[lane].lane->is_joined)
		lane--;
	return chart_title_rows(&chart->lanes[lane]) ? lane : -1;
}

bool chart_prepare(const struct chart *chart, struct rect r, struct budget *budget)
{
	struct visible v = { .lane = -1 };
	struct flame flame;
	bool is_all = true;

	flame_init(&flame, chart, r.cols);
	while (is_all && next_visible(chart, r.rows, &v)) {
		const struct chart_lane *cl = &chart->lanes[v.lane];
		struct lane_strip *strip = cl->strip;
		int cols = strip ? lane_strip_cols(chart, v.lane, r.cols) : 0;

		if (v.from < v.to && cl->lane->kind != LANE_COUNTER)
			for (int i = 0; is_all && i <= cl->n_over; i++)
				is_all = flame_prepare(&flame, v.lane + i, budget);
		else if (cols)
			is_all = lane_strip_make(strip, chart, v.lane, cols, budget);
	}
	flame_done(&flame);
	return is_all;
}

/* `⋯ 18 frames  run_main_module › require › app.js:1`: the number of rows that are folded, and the
 * innermost ones that fit. */
static void draw_trunk(struct grid *g, struct rect r, const struct chart *chart, int lane)
{
	const struct chart_lane *cl = &chart->lanes[lane];
	const char *arrow = chart->is_ascii ? " > " : " \342\200\272 ";
	int n = trunk_of(cl), used, room;
	BUF_LOCAL text = { 0 }, name = { 0 };
	struct span span;

	buf_addf(&text, chart_is_folded(chart, lane) ? "%s " : "%s %d frames  ",
		 chart->is_ascii ? "..." : "\342\213\257", n);
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
	if (chart->lane == lane && chart->has_selection && chart->selected.depth < trunk_of(cl))
		grid_flag(g, r.row, r.col, r.cols, CELL_SELECTED);
}

/* `+17 rows, 0.4 %`: the depths that have no row of their own, and their share of the time. */
static void draw_rest(const struct flame *flame, struct grid *g, struct rect r, int lane)
{
	const struct chart_lane *cl = &flame->chart->lanes[lane];
	int n = cl->depths ? cl->depths->n - cl->end_depth : cl->n_rest;
	BUF_LOCAL text = { 0 };

	/* While the user zooms, the row stays even if nothing is left in it. */
	if (n <= 0)
		return;
	buf_addf(&text, "+%d row%s", n, n == 1 ? "" : "s");
	if (cl->depths)
		buf_addf(&text, ", %s",
			 units_percent((int64_t)(depths_share_below(cl->depths, cl->end_depth) *
						 SHARE_UNIT),
				       SHARE_UNIT, UNITS_ROOM));
	if (cl->lane->served)
		flame_request_rest(flame, g, lane, cl->end_depth, r.row, r.col, &text);
	grid_put(g, r.row, r.col, r.cols, buf_text(&text), text.len, ROLE_DIM);
}

/* The rows of calls from row `first` of the lane on. */
static void draw_rows(struct flame *flame, struct grid *g, struct rect r, int lane, int first)
{
	const struct chart_lane *cl = &flame->chart->lanes[lane];
	int end = first + r.rows, rest;

	if (trunk_of(cl) && first == 0) {
		draw_trunk(g, r, flame->chart, lane);
		r.row++;
		first++;
	}
	rest = rest_rows(cl) ? chart_row_of_depth(cl, cl->end_depth) : -1;
	if (rest >= first && rest < end) {
		draw_rest(flame, g, (struct rect){ r.row + rest - first, r.col, 1, r.cols }, lane);
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

static struct rect row_of(struct rect r, int64_t row)
{
	return (struct rect){ r.row + (int)row, r.col, 1, r.cols };
}

/* The title that stays at the top, with the path of the selected span if that is in its lane. */
static void draw_sticky(struct grid *g, struct rect r, const struct chart *chart)
{
	int lane = chart_sticky(chart, r.rows), n_above = 0;

	if (lane < 0)
		return;
	if (chart->lane >= 0 && chart_head(chart, chart->lane) == lane)
		n_above = chart->view->scroll + 1 - chart_lane_top(chart, lane) -
			chart_title_rows(&chart->lanes[lane]);
	for (int c = 0; c < r.cols; c++)
		*grid_at(g, r.row, r.col + c) = (struct cell){ .ch = ' ' };
	lane_title_draw(g, row_of(r, 0), chart, lane, n_above);
}

static void draw_lane(struct flame *flame, struct grid *g, struct rect r, const struct visible *v,
		      const struct mark_lines *lines)
{
	const struct chart *chart = flame->chart;
	const struct chart_lane *cl = &chart->lanes[v->lane];
	int64_t first = chart->view->scroll;
	int depth = (int)(v->from - v->rows_top), rows = (int)(v->to - v->from);
	struct rect calls = { r.row + (int)(v->from - first), r.col, rows, r.cols };

	lane_title_draw_groups(g, r, chart, v->lane, (int)(v->top - first));
	if (v->rows_top - 1 >= first && v->rows_top - 1 < first + r.rows &&
	    v->rows_top > v->top + lane_title_group_rows(cl))
		lane_title_draw(g, row_of(r, v->rows_top - 1 - first), chart, v->lane, 0);
	if (rows > 0 && cl->lane->kind == LANE_COUNTER)
		counter_draw(g, chart, v->lane, depth, calls);
	else if (rows > 0)
		draw_rows(flame, g, calls, v->lane, depth);
	if (lines->n && v->from < v->to) {
		/* The title of an open lane does not interrupt the line. */
		bool has_title = !cl->lane->is_joined && v->from == v->rows_top &&
			v->rows_top - 1 >= first;

		calls.row -= has_title;
		calls.rows += has_title;
		mark_line_draw(lines, g, calls, v->lane);
	}
}

/* ---- names that always stand ---- */

#define CALLOUT_MAX 32 /* cells */
#define SIGN_CELLS 2   /* a narrower box only has a sign, which stays */

/* The box of such a call on the screen. */
struct callout {
	int row, from, end; /* from, end: columns of the box */
	int at, cells;      /* of the name */
	bool is_narrow;
	struct buf name;
};

/* Find the box on the screen. */
static bool find_box(const struct chart *chart, struct rect r, int lane, const struct span *s,
		     struct callout *out)
{
	const struct viewport *v = chart->view;
	const struct chart_lane *cl;
	int depth;

	if (s->t1 <= v->t0 || s->t0 >= v->t1)
		return false;
	cl = &chart->lanes[chart_head(chart, lane)];
	depth = s->depth + chart_first_row(&chart->lanes[lane]);
	if (!chart_lane_rows(cl) || depth < trunk_of(cl) ||
	    (rest_rows(cl) && depth >= cl->end_depth))
		return false;
	out->row = chart_row_of(chart, lane, s->depth) - v->scroll;
	if (out->row < (chart_sticky(chart, r.rows) >= 0) || out->row >= r.rows)
		return false;
	out->from = s->t0 > v->t0 ? viewport_col(v, s->t0, r.cols) : 0;
	out->end = s->t1 < v->t1 ? viewport_col(v, s->t1 - 1, r.cols) + 1 : r.cols;
	out->end = out->end < r.cols ? out->end : r.cols;
	return out->end > out->from;
}

/* Whether the name of a call has to be put. It is to be freed. */
static bool find_callout(const struct chart *chart, struct rect r, int lane, const struct span *s,
			 struct callout *out)
{
	*out = (struct callout){ .row = -1 };
	/* Live, the chart moves all the time, and so would the name. */
	if (chart->live_name || !find_box(chart, r, lane, s, out))
		return false;
	label_box(chart->profile, chart->lanes[lane].lane->tree.frame[s->node], CALLOUT_MAX,
		  &out->name);
	out->cells = text_cells(buf_text(&out->name), out->name.len);
	out->is_narrow = out->end - out->from <= SIGN_CELLS;
	out->at = out->is_narrow ? out->end : out->from;
	if (out->at + out->cells > r.cols)
		out->at = out->is_narrow && out->from >= out->cells ? out->from - out->cells
								    : r.cols - out->cells;
	return out->end - out->from <= out->cells && out->cells < r.cols;
}

static bool is_line_or_blank(const struct cell *c)
{
	return c->ch <= ' ' || (c->ch >= 0x2500 && c->ch < 0x2600);
}

/* What is left of a label that the name covers would be read as a part of it. */
static void blank_remains(struct grid *g, struct rect r, int row, int from, int end, int step)
{
	for (int c = from; c != end; c += step) {
		struct cell *cell = grid_at(g, r.row + row, r.col + c);

		if (is_line_or_blank(cell))
			return;
		cell->ch = ' ';
		cell->mark = 0;
	}
}

/* Make a cell of the box one that text can stand on: of a block, its colour is the ground. */
static void make_ground(struct cell *cell)
{
	if (cell->fill == ROLE_PLAIN && cell->ink != ROLE_PLAIN && is_line_or_blank(cell))
		cell->fill = cell->ink;
	cell->ch = ' ';
	cell->mark = 0;
	cell->flags &= (uint16_t) ~(CELL_SHARED | CELL_NAMED | CELL_HINT | CELL_THIN);
}

/* If the box of a call is too narrow for its name, the name goes on beyond it, on the page. */
static void draw_callout(struct grid *g, struct rect r, const struct callout *c, bool is_selected)
{
	for (int k = c->at; k < c->at + c->cells; k++) {
		struct cell *cell = grid_at(g, r.row + c->row, r.col + k);

		if (k < c->from || k >= c->end)
			*cell = (struct cell){ .ch = ' ' };
		else if (!c->is_narrow)
			make_ground(cell);
		if (is_selected && (k < c->from || k >= c->end))
			cell->flags = CELL_BOLD | CELL_UNDERLINE;
		else if (is_selected && !c->is_narrow)
			cell->flags |= CELL_SELECTED;
	}
	grid_put(g, r.row + c->row, r.col + c->at, c->cells, buf_text(&c->name), c->name.len,
		 ROLE_PLAIN);
	for (int k = c->from; k < c->end && !c->is_narrow; k++)
		if (k >= c->at && k < c->at + c->cells)
			grid_at(g, r.row + c->row, r.col + k)->ink = ROLE_LABEL;
	blank_remains(g, r, c->row, c->at + c->cells > c->end ? c->at + c->cells : c->end, r.cols,
		      1);
	/* The box may be drawn from a cell before on, and its label with it. */
	if (c->at < c->from ||
	    (c->at > 0 &&
	     grid_at(g, r.row + c->row, r.col + c->at - 1)->fill ==
		     grid_at(g, r.row + c->row, r.col + c->at)->fill))
		blank_remains(g, r, c->row, c->at - 1, -1, -1);
}

/* The name of the selected call comes first. */
static void draw_callouts(struct grid *g, struct rect r, const struct chart *chart)
{
	struct callout selected = { .row = -1 }, second = { .row = -1 };
	bool has_selected = chart->has_selection && chart->lane >= 0 &&
		find_callout(chart, r, chart->lane, &chart->selected, &selected);

	if (chart->has_second &&
	    find_callout(chart, r, chart->second_lane, &chart->second, &second) &&
	    !second.is_narrow &&
	    (second.row != selected.row || second.at + second.cells < selected.from ||
	     second.at > (selected.end > selected.at + selected.cells
				  ? selected.end
				  : selected.at + selected.cells)))
		draw_callout(g, r, &second, false);
	if (has_selected)
		draw_callout(g, r, &selected, true);
	buf_done(&selected.name);
	buf_done(&second.name);
}

void chart_draw_lanes(struct grid *g, struct rect r, const struct chart *chart)
{
	struct visible v = { .lane = -1 };
	struct mark_lines lines;
	struct flame flame;

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (!chart->n_lanes) {
		name_list_draw(g, r, chart);
		return;
	}
	flame_init(&flame, chart, r.cols);
	mark_line_find(&lines, &flame);
	while (next_visible(chart, r.rows, &v))
		draw_lane(&flame, g, r, &v, &lines);
	mark_line_done(&lines);
	label_notes_draw(g, r, chart);
	flow_line_draw(g, r, chart);
	flame_done(&flame);
	draw_callouts(g, r, chart);
	draw_sticky(g, r, chart);
	lane_title_mark_selection(g, r, chart);
}

bool chart_hit(const struct chart *chart, struct rect r, int row, int col, struct chart_place *out)
{
	int64_t at = (int64_t)row - r.row + chart->view->scroll, top = 0;

	if (row < r.row || row >= r.row + r.rows || col < r.col || col >= r.col + r.cols || at < 0)
		return false;
	if (row == r.row && chart_sticky(chart, r.rows) >= 0) {
		/* Its title is where it would be without scrolling. */
		out->lane = chart_sticky(chart, r.rows);
		at = chart_lane_top(chart, out->lane) + chart_title_rows(&chart->lanes[out->lane]) -
			1;
	}
	for (int i = 0; i < chart->n_lanes; i++) {
		int height = lane_height(&chart->lanes[i]);

		if (at < top + height) {
			int64_t t0 = viewport_time(chart->view, col - r.col, r.cols);
			int64_t t1 = viewport_time(chart->view, col - r.col + 1, r.cols);

			out->lane = i;
			out->depth = (int)(at - top) - chart_title_rows(&chart->lanes[i]);
			if (out->depth >= 0)
				out->depth = chart_depth_of_row(&chart->lanes[i], out->depth);
			if (at < top + lane_title_group_rows(&chart->lanes[i]))
				out->depth = chart->lanes[i].is_away ||
						(at == top && chart->lanes[i].has_group)
					? -2
					: -3;
			out->t = t0 + (t1 - t0) / 2;
			return true;
		}
		top += height;
	}
	return false;
}
