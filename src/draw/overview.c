/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self time of each leaf, summed over blocks of samples (blocks.h), gives the activity of a
 * column. Stacks do not matter here, so no call tree is walked. The lane with the cursor comes
 * first: all lanes together may take much longer. */
#include "config.h"

#include "draw/overview.h"

#include "base/alloc.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

/* Whether a lane counts in `busy`. The first lane of a thread has the time of those laid over it.
 */
static bool counts(const struct overview *o, const struct chart_lane *cl)
{
	return cl->lane->kind == o->kind && !cl->is_over;
}

/* Set column `col` to the busy share of a lane in [t0, t1), if no other lane had a higher one. */
static void add_lane(struct overview *o, const struct chart *chart, const struct lane *lane,
		     int col, int64_t t0, int64_t t1)
{
	uint8_t busy = activity_share(activity_busy_ns(chart_as_is(chart), lane, t0, t1), t1 - t0);

	if (busy > o->busy[col])
		o->busy[col] = busy;
}

/* The range of column `col` of the whole time line. */
static void column_range(const struct overview *o, const struct chart *chart, int col, int64_t *t0,
			 int64_t *t1)
{
	struct viewport all;

	viewport_init(&all, chart->view->t_min, chart->view->t_max);
	*t0 = viewport_time(&all, col, o->cols);
	*t1 = viewport_time(&all, col + 1, o->cols);
	if (*t1 <= *t0)
		*t1 = *t0 + 1;
}

void overview_begin(struct overview *o, const struct chart *chart, int cols)
{
	size_t n = cols > 0 ? (size_t)cols : 0;

	o->cols = (int)n;
	o->busy = xrealloc(o->busy, n, 1);
	o->of_lane = xrealloc(o->of_lane, n, sizeof *o->of_lane);
	o->is_match = xrealloc(o->is_match, n, 1);
	o->n_made = o->n_of_lane = 0;
	o->lane = NULL;
	o->has_matches = false;
	if (n)
		memset(o->busy, 0, n);
	/* A slice may only mean that something is open; samples show what runs. A track that waits
	 * is not busy, and a mark takes no time. */
	o->kind = LANE_SLICES;
	for (int i = 0; i < chart->n_lanes; i++)
		if (chart->lanes[i].lane->kind == LANE_SAMPLES)
			o->kind = LANE_SAMPLES;
	o->n_lanes = 0;
	for (int i = 0; i < chart->n_lanes; i++)
		o->n_lanes += counts(o, &chart->lanes[i]);
}

/* The index of the lane that the parts are of: the one with the cursor, if it shows what a thread
 * does; -1: none. */
static int lane_of(const struct chart *chart)
{
	int head = chart->lane >= 0 && chart->lane < chart->n_lanes ? chart_head(chart, chart->lane)
								    : -1;
	const struct lane *lane = head >= 0 ? chart->lanes[head].lane : NULL;

	return lane && (lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES) && lane->samples.n
		? head
		: -1;
}

static bool make_all(struct overview *o, const struct chart *chart, struct budget *budget)
{
	while (o->n_made < o->cols) {
		int64_t t0, t1;

		column_range(o, chart, o->n_made, &t0, &t1);
		for (int i = 0; i < chart->n_lanes; i++)
			if (counts(o, &chart->lanes[i]))
				add_lane(o, chart, chart_lane_as_is(chart, i), o->n_made, t0, t1);
		if (++o->n_made < o->cols && budget_spent(budget))
			return false;
	}
	return true;
}

bool overview_make(struct overview *o, const struct chart *chart, struct budget *budget)
{
	int index = lane_of(chart);
	const struct lane *lane = index >= 0 ? chart_lane_as_is(chart, index) : NULL;
	unsigned color = activity_color(chart);

	if (o->lane != lane || o->color != color) {
		o->lane = lane;
		o->color = color;
		o->n_of_lane = 0;
	}
	while (lane && o->n_of_lane < o->cols) {
		int64_t t0, t1;

		column_range(o, chart, o->n_of_lane, &t0, &t1);
		activity_measure(&o->of_lane[o->n_of_lane], chart, index, t0, t1);
		if (++o->n_of_lane < o->cols && budget_spent(budget))
			return false;
	}
	return (lane && o->n_lanes < 2) || make_all(o, chart, budget);
}

/* ---- matches ---- */

struct wanted {
	const struct search_lane *l;
	bool has_match;
};

static void look_at(void *ctx, node_id leaf, int64_t ns)
{
	struct wanted *wanted = ctx;

	wanted->has_match |= ns > 0 && wanted->l->near[leaf] != NODE_ROOT;
}

static void look_at_all(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	struct wanted *wanted = ctx;

	for (size_t i = 0; i < n && !wanted->has_match; i++)
		look_at(ctx, leaf[i], ns[i]);
}

static bool has_match(const struct search_lane *l, int64_t t0, int64_t t1)
{
	const struct samples *s = l->samples;
	struct wanted wanted = { l, false };
	const struct blocks_visitor visitor = { &wanted, look_at_all, look_at, NULL };

	if (l->near && s->n && samples_time(s, s->n) > t0 && samples_time(s, 0) < t1)
		blocks_each(s, t0, t1, &visitor);
	return wanted.has_match;
}

void overview_begin_marks(struct overview *o)
{
	o->has_matches = true;
	o->n_marked = 0;
	if (o->cols > 0)
		memset(o->is_match, 0, (size_t)o->cols);
}

bool overview_mark(struct overview *o, const struct chart *chart, struct search *search,
		   struct budget *budget)
{
	while (o->has_matches && o->n_marked < o->cols) {
		int64_t t0, t1;

		column_range(o, chart, o->n_marked, &t0, &t1);
		for (int i = 0; i < chart->n_lanes && !o->is_match[o->n_marked]; i++)
			if (chart->lanes[i].lane->has_timeline)
				o->is_match[o->n_marked] = has_match(
					search_lane(search, (uint32_t)i), t0, t1);
		if (++o->n_marked < o->cols && budget_spent(budget))
			return false;
	}
	return true;
}

void overview_done(struct overview *o)
{
	free(o->busy);
	free(o->of_lane);
	free(o->is_match);
	memset(o, 0, sizeof *o);
}

/* ---- drawing ---- */

/* What is shown of each column. */
struct bars {
	const struct overview *o;
	struct grid *g;
	struct rect r;
	bool is_ascii;
	int first, last; /* columns of the window */
};

static unsigned flags_of(const struct bars *b, int c)
{
	const struct overview *o = b->o;
	if (o->has_matches)
		return o->is_match[c] ? 0 : CELL_DIM | CELL_DIM_INK;
	return c < b->first || c > b->last ? CELL_FAR : 0;
}

/* A bar of one colour. */
static void draw_plain(const struct bars *b, int row, int rows, int c, int eighths)
{
	struct activity_carry carry = { { 0 } };
	struct activity a = { .busy = (uint8_t)(eighths * ACTIVITY_MAX / (8 * rows)) };

	a.part[ACTIVITY_TASK] = a.busy;
	activity_draw(b->g, row, b->r.col + c, rows, &a, &carry, b->is_ascii, flags_of(b, c));
	for (int i = row; i < row + rows; i++)
		if (i >= 0 && i < b->g->rows && b->r.col + c < b->g->cols &&
		    grid_at(b->g, i, b->r.col + c)->ch != ' ')
			grid_at(b->g, i, b->r.col + c)->ink = ROLE_BUSY;
}

/* All lanes: the busiest one of each column. max_eighths: the height of a column that is busy all
 * the time. */
static void draw_all(const struct bars *b, int row, int rows, int max_eighths)
{
	for (int c = 0; c < b->r.cols && c < b->o->n_made; c++) {
		int eighths = (b->o->busy[c] * max_eighths + ACTIVITY_MAX / 2) / ACTIVITY_MAX;

		if (b->o->busy[c])
			draw_plain(b, row, rows, c, eighths > 0 ? eighths : 1);
	}
}

static void draw_lane(const struct bars *b, int row, int rows)
{
	struct activity_carry carry = { { 0 } };

	for (int c = 0; c < b->r.cols && c < b->o->n_of_lane; c++)
		activity_draw(b->g, row, b->r.col + c, rows, &b->o->of_lane[c], &carry, b->is_ascii,
			      flags_of(b, c));
}

/* Matches are underlined in the last row of the bars; a full block would hide the line. */
static void draw_matches(const struct bars *b)
{
	int row = b->r.row + b->r.rows - 1;

	for (int c = 0; b->o->has_matches && c < b->r.cols && row < b->g->rows; c++) {
		struct cell *cell;

		if (!b->o->is_match[c] || b->r.col + c >= b->g->cols)
			continue;
		cell = grid_at(b->g, row, b->r.col + c);
		if (cell->ch == ' ')
			cell->ink = ROLE_BUSY;
		if (cell->ch == ' ')
			cell->ch = b->is_ascii ? '.' : 0x2581;
		if (cell->ch == 0x2588)
			cell->ch = 0x2587;
		cell->flags |= CELL_MATCH;
	}
}

static void draw_unfinished(const struct bars *b, int n)
{
	for (int c = n; c < b->r.cols; c++)
		grid_puts(b->g, b->r.row + b->r.rows - 1, b->r.col + c, 1,
			  b->is_ascii ? "." : CHART_UNFINISHED, ROLE_DIM);
}

static void draw_bracket(struct grid *g, struct rect r, int c, char ch)
{
	for (int row = r.row; row < r.row + r.rows && row < g->rows; row++) {
		if (r.col + c < g->cols)
			*grid_at(g, row, r.col + c) = (struct cell){ .ch = ' ' };
		grid_put(g, row, r.col + c, 1, &ch, 1, ROLE_WINDOW);
	}
}

/* Brackets are outside the window if there is room, so that they hide nothing inside. */
static void draw_window(struct grid *g, struct rect r, int first, int last)
{
	draw_bracket(g, r, first > 0 ? first - 1 : 0, '[');
	draw_bracket(g, r, last + 1 < r.cols ? last + 1 : r.cols - 1, ']');
}

#define THIN_EIGHTHS 4 /* height of the row of all lanes */

void overview_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct overview *o = chart->overview;
	const struct viewport *v = chart->view;
	bool is_all = v->t0 == v->t_min && v->t1 == v->t_max;
	struct bars bars = { o, g, r, chart->is_ascii, 0, r.cols - 1 };
	struct viewport all;

	if (r.rows > 2)
		bars.r.rows = r.rows = 2;
	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (!o || r.rows <= 0 || r.cols <= 0 || r.cols != o->cols)
		return;
	viewport_init(&all, v->t_min, v->t_max);
	if (!is_all) {
		bars.first = viewport_col(&all, v->t0, r.cols);
		bars.last = viewport_col(&all, v->t1 - 1, r.cols);
	}
	if (!o->lane) {
		draw_all(&bars, r.row, r.rows, 8 * r.rows);
	} else if (r.rows == 2 && o->n_lanes > 1) {
		draw_lane(&bars, r.row, 1);
		draw_all(&bars, r.row + 1, 1, THIN_EIGHTHS);
	} else {
		draw_lane(&bars, r.row, r.rows);
	}
	draw_matches(&bars);
	draw_unfinished(&bars, o->lane ? o->n_of_lane : o->n_made);
	if (!is_all)
		draw_window(g, r, bars.first, bars.last);
}
