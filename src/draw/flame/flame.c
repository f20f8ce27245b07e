/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of boxes, each drawn in one walk from left to right. For each cell: its coverage (cover.h),
 * its kind (cell_kind.h), and a character (flame_cell.h).
 *
 * 1. A character has an ink and a fill, so a cell shows at most two things. A left block of k
 *    eighths, with the ink of the span that ends on the fill of the span that begins, places the
 *    edge between them to an eighth of a cell; an edge that is an eighth from the border of the
 *    cell is on the border, unless a span would be seen nowhere. For the empty page the ink is
 *    ROLE_PAGE and the fill is ROLE_PLAIN.
 * 2. The flags of a cell belong to its fill, or to the ink where the fill is the page.
 * 3. Spans narrower than a cell are not boxes and are never rounded away.
 * 4. The walk keeps the open box (its label is put when the box ends), the span seen last (it may
 *    reach into the next cell), and the span at the right side of the last cell (a box that follows
 *    it needs a seam).
 * 5. A run of shared cells is not a box. The function that has most time in it gives it a name
 *    (flame_mix.c). */
#include "config.h"

#include "draw/flame/flame.h"

#include "base/alloc.h"
#include "draw/flame/flame_mix.h"
#include "draw/flame/flame_over.h"
#include "draw/flame/flame_settle.h"
#include "draw/flame/mark_row.h"

#include <stdlib.h>
#include <string.h>

#define MATCH_SHADE 0x2592u
#define SELECTED_SIGN 0x25C6u

static bool is_match(const struct flame_walk *w, const struct lane *lane, const struct span *s)
{
	return w->chart->matches.labels ? flame_cell_has_match(w)
					: chart_is_match(w->chart, lane, s->node);
}

static bool is_lit(const struct flame_walk *w, const struct flame_over *over)
{
	if (over)
		return flame_over_is_match(w, over);
	return flame_cell_has_match(w);
}

/* Highlight matches that have no cell of their own in the cell that contains them, also if another
 * span gives the cell its colour or several spans share it. over: NULL or the cell of several
 * lanes.
 */
static void light(struct flame_walk *w, const struct flame_over *over, const struct piece *piece)
{
	bool has_left = piece->kind != CELL_KIND_START,
	     has_right = piece->kind != CELL_KIND_END && piece->kind != CELL_KIND_INSIDE;
	int col = w->col + w->c;
	struct cell *cell;
	bool is;

	if (piece->kind == CELL_KIND_BLANK || piece->kind == CELL_KIND_FULL || w->row < 0 ||
	    w->row >= w->g->rows || col < 0 || col >= w->g->cols)
		return;
	cell = grid_at(w->g, w->row, col);
	if (piece->kind == CELL_KIND_SHARED) {
		/* If the winner is a match, no look-up is needed. */
		is = cell->flags & CELL_MATCH || is_lit(w, over);
	} else {
		is = has_left && flame_cell_is_narrow(w, &piece->left) &&
			is_match(w, w->left_lane ? w->left_lane : w->lane, &piece->left);
		is |= has_right && flame_cell_is_narrow(w, &piece->right) &&
			is_match(w, w->lane, &piece->right);
	}
	if (!is)
		return;
	/* The span with most of a shared cell determines its style. A smaller match only gets a
	 * hint. */
	if (cell->flags & CELL_MATCH || piece->kind != CELL_KIND_SHARED) {
		cell->flags |= CELL_MATCH;
		cell->flags &= (uint16_t)~CELL_DIM;
	} else {
		cell->flags |= CELL_HINT;
	}
	if (cell->ch == FLAME_LIGHT_SHADE)
		cell->ch = MATCH_SHADE;
	if (w->chart->is_ascii && cell->ch == ':')
		cell->ch = '*';
}

/* The selected span may be too narrow to be recognised next to its neighbours. It has a sign of its
 * own in the cell of its middle. Returns whether that is this cell. */
static bool mark_selected(struct flame_walk *w)
{
	const struct span *s = &w->chart->selected;
	int64_t middle = s->t0 + (s->t1 - s->t0) / 2;

	if (!w->chart->has_selection || w->lane_index != w->chart->lane || w->depth != s->depth ||
	    s->t1 - s->t0 >= 2 * flame_cell_width(w) || middle < w->cell.t0 ||
	    middle >= w->cell.end)
		return false;
	flame_cell_put(w, w->chart->is_ascii ? '@' : SELECTED_SIGN, ROLE_LABEL,
		       flame_cell_span_role(w, s), CELL_SELECTED);
	if (w->label_from == w->c)
		w->label_from++;
	return true;
}

static void note_seen(struct flame_walk *w, const struct piece *piece)
{
	w->has_seen = true;
	if (piece->kind == CELL_KIND_FULL)
		w->seen = piece->left;
	else if (piece->kind == CELL_KIND_START || piece->kind == CELL_KIND_EDGE ||
		 piece->kind == CELL_KIND_GAP)
		w->seen = piece->right;
	else
		w->has_seen = false;
}

/* Any open box may end in an unknown column. Only the row at the top has the mark: many rows of
 * them would take more bytes than the boxes that come instead. */
static void draw_unfinished(struct flame_walk *w)
{
	flame_cell_draw_blank(w);
	flame_mix_close(w, w->c);
	w->has_seen = false;
	if (w->is_top)
		grid_puts(w->g, w->row, w->col + w->c, 1,
			  w->chart->is_ascii ? "." : CHART_UNFINISHED, ROLE_DIM);
}

/* Draw the cell w->cell. over: NULL or the cell of several lanes. */
static void draw_cell(const struct flame *f, struct flame_walk *w, const struct flame_over *over)
{
	struct piece piece, drawn;

	cell_kind_find(w->lane, w->depth, &w->cell, w->has_seen ? &w->seen : NULL, &piece);
	w->left_lane = NULL;
	if (over)
		flame_over_settle(f, w, over, &piece);
	drawn = piece;
	flame_settle(w, &drawn);
	flame_cell_draw(w, &drawn);
	if (w->matches || (over && over->n && w->chart->matches.frames && w->chart->match_rows))
		light(w, over, &drawn);
	note_seen(w, &piece);
	if (!mark_selected(w) && drawn.kind == CELL_KIND_SHARED &&
	    w->cell.cover->all_ns * 8 >= flame_cell_width(w))
		flame_mix_note(w, w->cell.cover->node,
			       w->cell.cover->all_ns * 2 >= flame_cell_width(w));
	else
		flame_mix_close(w, w->c);
}

/* A row of a lane, with `cells`, or of several lanes, with `over`; the other one is NULL. */
static void draw_row(const struct flame *f, struct flame_walk *w, const struct cover_cell *cells,
		     struct flame_over *over)
{
	w->has_seen = w->has_beside = w->has_selected = false;
	w->box_cells = w->shared_end = 0;
	w->mix = (struct flame_mix){ 0 };
	for (int c = 0; c < f->cols; c++) {
		w->c = c;
		if (f->is_unknown[c]) {
			draw_unfinished(w);
			continue;
		}
		if (over)
			flame_over_begin(f, w, &over[c]);
		else
			w->cell =
				(struct cell_kind_cell){ &cells[c],       f->t0[c],    f->t1[c],
							 flame_end(f, c), f->first[c], f->last[c] };
		draw_cell(f, w, over ? &over[c] : NULL);
	}
	flame_cell_close_box(w);
	flame_mix_close(w, f->cols);
	if (cells)
		flame_settle_row(w, f, cells);
}

/* ---- the picture ---- */

int64_t flame_end(const struct flame *f, int c)
{
	int64_t end = viewport_end(f->chart->view);

	return c + 1 == f->cols && end > f->t1[c] ? end : f->t1[c];
}

void flame_init(struct flame *f, const struct chart *chart, int cols)
{
	size_t n = cols > 0 ? (size_t)cols : 0;

	*f = (struct flame){ .chart = chart, .cols = (int)n };
	f->t0 = xcalloc(n, sizeof *f->t0);
	f->t1 = xcalloc(n, sizeof *f->t1);
	f->first = xcalloc(n, sizeof *f->first);
	f->last = xcalloc(n, sizeof *f->last);
	f->is_unknown = xcalloc(n, 1);
	f->ranges = xcalloc(n, sizeof *f->ranges);
	for (int c = 0; c < f->cols; c++) {
		f->t0[c] = viewport_time(chart->view, c, cols);
		f->t1[c] = viewport_time(chart->view, c + 1, cols);
		/* At the deepest zoom a column is shorter than a nanosecond. */
		if (f->t1[c] <= f->t0[c])
			f->t1[c] = f->t0[c] + 1;
	}
}

void flame_done(struct flame *f)
{
	free(f->t0);
	free(f->t1);
	free(f->first);
	free(f->last);
	free(f->is_unknown);
	free(f->ranges);
	free(f->cells);
	free(f->over);
	memset(f, 0, sizeof *f);
}

/* The columns with what a search matches in them, in one go: so no column is drawn without it. */
static bool prepare_matches(const struct flame *f, struct cover *cover, struct match_rows *matches,
			    struct budget *budget)
{
	bool is_spent = false;

	for (int c = 0; c < f->cols; c++) {
		int64_t t0 = f->t0[c], end = flame_end(f, c);

		if (cover_has(cover, t0, end) && match_rows_is_known(matches, t0, end))
			continue;
		if (is_spent || !cover_make(cover, t0, end, budget) ||
		    !match_rows_make(matches, t0, end, budget))
			return false;
		is_spent = budget_spent(budget);
	}
	return true;
}

bool flame_prepare(const struct flame *f, int lane, struct budget *budget)
{
	struct cover *cover = f->chart->lanes[lane].cover;
	struct match_rows *matches = f->chart->matches.frames && f->chart->match_rows
		? f->chart->match_rows[lane]
		: NULL;

	if (!cover)
		return true;
	if (matches)
		return prepare_matches(f, cover, matches, budget);
	for (int c = 0; c < f->cols; c++)
		f->ranges[c] = (struct cover_range){ f->t0[c], flame_end(f, c) };
	return cover_make_all(cover, f->ranges, (size_t)f->cols, budget);
}

/* Get the rows [depth, depth + rows) of all columns that are known. */
static void take_cover(struct flame *f, const struct chart_lane *cl, int depth, int rows)
{
	const struct samples *s = &cl->lane->samples;
	size_t need = (size_t)rows * (size_t)f->cols;

	if (need > f->cap_cells)
		f->cells = xgrow(f->cells, &f->cap_cells, need, sizeof *f->cells);
	for (int c = 0; c < f->cols; c++) {
		struct cover_cell *to = f->cells + c;
		int n_rows = 0;
		const struct cover_cell *column = cover_known(cl->cover, f->t0[c], flame_end(f, c),
							      depth, rows, &n_rows);

		f->is_unknown[c] = !column;
		for (int row = 0; row < rows; row++, to += f->cols)
			*to = column && depth + row < n_rows
				? column[depth + row]
				: (struct cover_cell){ .node = NODE_ROOT };
		if (!column)
			continue;
		f->first[c] = samples_find(s, f->t0[c]);
		f->last[c] = samples_find(s, flame_end(f, c) - 1);
	}
}

/* The marks in a row of a lane and of those laid over it. */
static void draw_marks(const struct flame *f, struct flame_walk *w, int lane)
{
	const struct chart_lane *cl = &f->chart->lanes[lane];

	for (int i = 0; i <= cl->n_over; i++)
		if (cl[i].lane->n_marks && w->thread_row >= chart_first_row(&cl[i]))
			mark_row_draw(f, w->g, lane + i, w->thread_row - chart_first_row(&cl[i]),
				      w->row, w->col);
}

static void draw_rows(struct flame *f, struct flame_walk *w, int rows, int row)
{
	const struct chart_lane *cl = &f->chart->lanes[w->lane_index];
	struct match_rows *matches = w->matches; /* of the lane; the walk may go on to others */
	int lane = w->lane_index, depth = w->depth;

	if (cl->n_over)
		flame_over_take(f, lane, depth, rows);
	else
		take_cover(f, cl, depth, rows);
	for (int i = 0; i < rows; i++) {
		size_t at = (size_t)i * (size_t)f->cols;

		w->lane = cl->lane;
		w->lane_index = lane;
		w->matches = matches;
		w->depth = w->thread_row = depth + i;
		w->row = row + (cl->is_flipped ? rows - 1 - i : i);
		w->is_top = w->row == row;
		if (cl->n_over)
			draw_row(f, w, NULL, f->over + at);
		else if (w->depth != mark_row_depth(cl->lane))
			draw_row(f, w, f->cells + at, NULL);
		if (w->thread_row % 2)
			grid_flag(w->g, w->row, w->col, f->cols, CELL_ODD);
		draw_marks(f, w, lane);
	}
}

void flame_draw(struct flame *f, struct grid *g, int lane, int depth, int rows, int row, int col)
{
	const struct chart_lane *cl = &f->chart->lanes[lane];
	struct flame_walk w = {
		.g = g,
		.chart = f->chart,
		.lane = cl->lane,
		.lane_index = lane,
		.depth = depth,
		.col = col,
		.window_t0 = f->chart->view->t0,
		.window_t1 = f->chart->view->t1,
		.matches = f->chart->matches.frames && f->chart->match_rows
			? f->chart->match_rows[lane]
			: NULL,
	};

	if (rows <= 0 || f->cols <= 0 || (cl->lane->samples.n == 0 && !cl->n_over))
		return;
	if (cl->lane->kind == LANE_MARKS) {
		if (depth == 0)
			mark_row_draw(f, g, lane, 0, cl->is_flipped ? row + rows - 1 : row, col);
		return;
	}
	if (!cl->cover && !cl->n_over)
		return;
	if (cl->lane->kind == LANE_SAMPLES && !cl->n_over)
		w.boxes = xcalloc((size_t)f->cols, sizeof *w.boxes);
	draw_rows(f, &w, rows, row);
	free(w.boxes);
	buf_done(&w.text);
}
