/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self time of each leaf, summed over blocks of samples (blocks.h), gives the activity of a
 * column. Stacks do not matter here, so no call tree is walked. */
#include "config.h"

#include "layout/overview.h"

#include "base/alloc.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

#define BUSY_MAX 255

/* The activity of a lane in a column. */
struct share {
	const struct profile *profile;
	const struct lane *lane;
	int64_t busy_ns, gc_ns;
};

static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct share *share = ctx;
	enum category category;

	if (leaf == NODE_ROOT)
		return;
	category = profile_node_frame(share->profile, share->lane, leaf)->category;
	if (category == CATEGORY_IDLE)
		return;
	share->busy_ns += ns;
	if (category == CATEGORY_GC)
		share->gc_ns += ns;
}

static void add_leaves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_leaf(ctx, leaf[i], ns[i]);
}

/* Set column `col` to the busy share of a lane in [t0, t1), if no other lane had a higher one. */
static void add_lane(struct overview *o, const struct chart *chart, const struct lane *lane,
		     int col, int64_t t0, int64_t t1)
{
	const struct samples *s = &lane->samples;
	struct share share = { chart->profile, lane, 0, 0 };
	const struct blocks_visitor visitor = { &share, add_leaves, add_leaf };
	double busy;

	if (!s->n || s->t[s->n] <= t0 || s->t[0] >= t1)
		return;
	blocks_each(s, t0, t1, &visitor);
	busy = (double)share.busy_ns / (double)(t1 - t0) * BUSY_MAX + 0.5;
	if (share.busy_ns > 0 && busy < 1)
		busy = 1;
	if (busy > BUSY_MAX)
		busy = BUSY_MAX;
	if ((uint8_t)busy > o->busy[col]) {
		o->busy[col] = (uint8_t)busy;
		o->is_gc[col] = share.gc_ns * 2 > share.busy_ns;
	}
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
	o->is_gc = xrealloc(o->is_gc, n, 1);
	o->is_match = xrealloc(o->is_match, n, 1);
	o->n_made = 0;
	o->has_matches = false;
	memset(o->busy, 0, n);
	memset(o->is_gc, 0, n);
	/* A slice may only mean that something is open; samples show what runs. A track that waits
	 * is not busy, and a mark takes no time. */
	o->kind = LANE_SLICES;
	for (int i = 0; i < chart->n_lanes; i++)
		if (chart->lanes[i].lane->kind == LANE_SAMPLES)
			o->kind = LANE_SAMPLES;
}

bool overview_make(struct overview *o, const struct chart *chart, struct budget *budget)
{
	while (o->n_made < o->cols) {
		int64_t t0, t1;

		column_range(o, chart, o->n_made, &t0, &t1);
		for (int i = 0; i < chart->n_lanes; i++)
			if (chart->lanes[i].lane->kind == o->kind)
				add_lane(o, chart, chart->lanes[i].lane, o->n_made, t0, t1);
		if (++o->n_made < o->cols && budget_spent(budget))
			return false;
	}
	return true;
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
	const struct samples *s = &l->lane->samples;
	struct wanted wanted = { l, false };
	const struct blocks_visitor visitor = { &wanted, look_at_all, look_at };

	if (l->near && s->n && s->t[s->n] > t0 && s->t[0] < t1)
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
	free(o->is_gc);
	free(o->is_match);
	memset(o, 0, sizeof *o);
}

/* Draw the bar of column c from the bottom row up. */
static void draw_column(const struct overview *o, struct grid *g, struct rect r, int c,
			bool is_ascii, bool is_window)
{
	static const char shades[] = " .:-=+*#";
	int per_row = is_ascii ? (int)sizeof shades - 2 : 8;
	int level = (o->busy[c] * per_row * r.rows + BUSY_MAX / 2) / BUSY_MAX;
	bool is_match = o->has_matches && o->is_match[c];

	if ((o->busy[c] || is_match) && !level)
		level = 1;
	for (int row = r.row + r.rows - 1; row >= r.row; row--) {
		int part = level < per_row ? level : per_row;
		struct cell *cell;

		level -= part;
		if (row < 0 || row >= g->rows || r.col + c < 0 || r.col + c >= g->cols)
			continue;
		cell = grid_at(g, row, r.col + c);
		/* Matches are underlined; a full block would hide the line. */
		if (is_match && part == 8 && !is_ascii)
			part = 7;
		if (part)
			cell->ch = is_ascii ? (unsigned char)shades[part]
					    : 0x2580u + (unsigned)part;
		cell->ink = o->is_gc[c] ? ROLE_GC : ROLE_BUSY;
		cell->fill = is_window ? ROLE_WINDOW : ROLE_PLAIN;
		cell->flags = !o->has_matches ? 0 : !is_match ? CELL_DIM : part ? CELL_MATCH : 0;
	}
}

static void draw_bracket(struct grid *g, struct rect r, int c, char ch)
{
	for (int row = r.row; row < r.row + r.rows; row++)
		grid_put(g, row, r.col + c, 1, &ch, 1, ROLE_WINDOW);
}

/* Brackets are outside the window if there is room, so that they hide nothing inside. */
static void draw_window(struct grid *g, struct rect r, int first, int last)
{
	draw_bracket(g, r, first > 0 ? first - 1 : 0, '[');
	draw_bracket(g, r, last + 1 < r.cols ? last + 1 : r.cols - 1, ']');
}

void overview_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct overview *o = chart->overview;
	const struct viewport *v = chart->view;
	bool is_all = v->t0 == v->t_min && v->t1 == v->t_max;
	struct viewport all;
	int first, last;

	if (r.rows > 2)
		r.rows = 2;
	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	if (!o || r.rows <= 0 || r.cols <= 0 || r.cols != o->cols)
		return;
	viewport_init(&all, v->t_min, v->t_max);
	first = viewport_col(&all, v->t0, r.cols);
	last = viewport_col(&all, v->t1 - 1, r.cols);
	for (int c = 0; c < r.cols && c < o->n_made; c++)
		draw_column(o, g, r, c, chart->is_ascii, !is_all && c >= first && c <= last);
	for (int c = o->n_made; c < r.cols; c++)
		grid_puts(g, r.row + r.rows - 1, r.col + c, 1,
			  chart->is_ascii ? "." : CHART_UNFINISHED, ROLE_DIM);
	if (!is_all)
		draw_window(g, r, first, last);
}
