/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cell with two colours is expensive for a terminal: the cursor goes there, and both colours
 * change. The samples do not tell exactly when a call began, so in a lane of samples each cell has
 * one colour. Slices state their times, and have exact ends.
 *
 * 1. A wide span takes a cell or more. It gets each cell of which it has more than half; where it
 *    begins, half is enough. So each wide span has a cell at least.
 * 2. A narrow span beside the page gets a cell of which it has half. Other narrow spans beside the
 *    page are drawn as they are.
 * 3. Other cells in which spans touch are shared cells.
 * 4. A shared cell between two of one colour gets that colour if no call has two thirds of it.
 * 5. Up to JOINED_MOST shared cells of one colour beside a box of that colour look like the box.
 *    Between two such boxes they begin with a seam. The label of the box may reach into them.
 * 6. In other lanes, an end of an eighth is left out if the span is seen in the cell beside it, and
 *    a wide span or nothing has the rest; the label has one more cell. */
#include "config.h"

#include "draw/flame/flame_settle.h"

#define JOINED_MOST 3 /* shared cells that look like the box beside them */

/* ---- ends of an eighth ---- */

/* Whether a span is seen in the cell on its left or right: it takes enough of it, or is one of the
 * spans that share it. */
static bool is_seen_before(const struct flame_walk *w, const struct span *s)
{
	double part = (double)(w->cell.t0 - s->t0);

	if (w->c == 0 || part <= 0)
		return false;
	return w->shared_end == w->c ||
		part * FLAME_EIGHTHS >= (double)flame_cell_width(w) * (FLAME_SNAP + 1);
}

static bool is_seen_after(const struct flame_walk *w, const struct span *s)
{
	double part = (double)(s->t1 - w->cell.t1);

	return w->cell.t1 < w->window_t1 &&
		part * FLAME_EIGHTHS >= (double)flame_cell_width(w) * (FLAME_SNAP + 1);
}

/* Whether the span on the left, or right, of the edge in this cell can be left out. The other one
 * is NULL or takes the rest of the cell. */
static bool can_drop_left(const struct flame_walk *w, const struct span *left,
			  const struct span *right)
{
	return flame_cell_eighths(w, left->t1) <= FLAME_SNAP && is_seen_before(w, left) &&
		!flame_cell_is_selected(w, left) && !(right && flame_cell_is_narrow(w, right));
}

static bool can_drop_right(const struct flame_walk *w, const struct span *left,
			   const struct span *right)
{
	return flame_cell_eighths(w, right->t0) >= FLAME_EIGHTHS - FLAME_SNAP &&
		flame_cell_is_narrow(w, right) && is_seen_after(w, right) &&
		!flame_cell_is_selected(w, right) && !(left && flame_cell_is_narrow(w, left));
}

static void drop(const struct flame_walk *w, struct piece *piece)
{
	bool is_edge = piece->kind == CELL_KIND_EDGE;
	const struct span *left = is_edge || piece->kind == CELL_KIND_END ? &piece->left : NULL;
	const struct span *right = is_edge || piece->kind == CELL_KIND_START ? &piece->right : NULL;

	/* Beside the page, there may be a span without length, too. */
	if (!is_edge && w->cell.cover->parts > 1)
		return;
	if (left && can_drop_left(w, left, right)) {
		piece->kind = right ? CELL_KIND_FULL : CELL_KIND_BLANK;
		piece->left = piece->right;
	} else if (right && can_drop_right(w, left, right)) {
		piece->kind = left ? CELL_KIND_FULL : CELL_KIND_BLANK;
	}
}

/* ---- whole cells ---- */

/* Whether a span that comes from the left, or goes on to the right, has half of the cell. */
static bool has_left(const struct flame_walk *w, const struct span *s)
{
	return (s->t1 - w->cell.t0) * 2 > flame_cell_width(w);
}

static bool has_right(const struct flame_walk *w, const struct span *s)
{
	return (w->cell.t1 - s->t0) * 2 >= flame_cell_width(w);
}

/* The same of a wide span. */
static bool gets_left(const struct flame_walk *w, const struct span *s)
{
	return !flame_cell_is_narrow(w, s) && has_left(w, s);
}

static bool gets_right(const struct flame_walk *w, const struct span *s)
{
	return !flame_cell_is_narrow(w, s) && has_right(w, s);
}

static void fill(struct piece *piece, const struct span *s)
{
	struct span span = *s; /* may be of the piece */

	piece->kind = CELL_KIND_FULL;
	piece->left = span;
}

/* Find the span at the right edge of a cell, if it can get the cell. Its start is looked for first:
 * mostly it is too late. */
static bool find_right(const struct flame_walk *w, struct span *out)
{
	const struct samples *samples = &w->lane->samples;
	const struct calltree *tree = &w->lane->tree;
	unsigned rows = (unsigned)w->depth + 1;
	size_t last = w->cell.last;

	if (last >= samples->n || tree->rows[samples->leaf[last]] < rows)
		return false;
	out->t0 = samples_time(samples, samples_run_start(samples, last, rows));
	return has_right(w, out) && span_of_sample(samples, tree, last, w->depth, out) &&
		out->t1 >= w->cell.t1 && gets_right(w, out);
}

/* A cell with more spans. The one at its right edge needs a search: only where it can win. */
static void round_shared(const struct flame_walk *w, struct piece *piece)
{
	struct span s;

	if (w->box_cells && gets_left(w, &w->box))
		fill(piece, &w->box);
	else if (w->cell.cover->node_ns * 2 >= flame_cell_width(w) && find_right(w, &s))
		fill(piece, &s);
}

/* A cell with spans that touch, or with a gap between them. */
static void round_two(const struct flame_walk *w, struct piece *piece)
{
	if (gets_left(w, &piece->left))
		fill(piece, &piece->left);
	else if (gets_right(w, &piece->right))
		fill(piece, &piece->right);
	else if (piece->kind == CELL_KIND_EDGE)
		piece->kind = CELL_KIND_SHARED;
}

/* Whether the selected span is in the cell and seen nowhere else: then the cell is drawn with it.
 */
static bool must_show(const struct flame_walk *w)
{
	const struct span *s = &w->chart->selected;

	return w->chart->has_selection && w->lane_index == w->chart->lane && w->depth == s->depth &&
		!w->has_selected && s->t0 < w->cell.t1 && s->t1 > w->cell.t0 &&
		(s->t1 <= w->cell.t1 || w->cell.t1 >= w->window_t1);
}

/* A span and the page. */
static void round_one(const struct flame_walk *w, struct piece *piece, const struct span *s,
		      bool has_half)
{
	if (has_half)
		fill(piece, s);
	else if (flame_cell_is_narrow(w, s))
		drop(w, piece);
	else if (w->cell.cover->parts < 2) /* no span without length */
		piece->kind = CELL_KIND_BLANK;
}

static void round_cell(const struct flame_walk *w, struct piece *piece)
{
	const struct span *left = &piece->left, *right = &piece->right;

	switch (piece->kind) {
	case CELL_KIND_SHARED:
		round_shared(w, piece);
		break;
	case CELL_KIND_EDGE:
	case CELL_KIND_GAP:
		round_two(w, piece);
		break;
	case CELL_KIND_END:
		round_one(w, piece, left, has_left(w, left));
		break;
	case CELL_KIND_START:
		round_one(w, piece, right, has_right(w, right));
		break;
	default:
		break;
	}
}

void flame_settle(const struct flame_walk *w, struct piece *piece)
{
	if (w->chart->is_ascii)
		return;
	if (w->lane->kind == LANE_SAMPLES && !must_show(w))
		round_cell(w, piece);
	else if (!w->left_lane && flame_cell_has_edge(piece))
		drop(w, piece);
}

/* ---- rows ---- */

/* A shared cell that is filled, and nothing that one looks for is in it. */
static bool is_crowded(const struct cell *c)
{
	return c->flags & CELL_SHARED && c->ch == FLAME_LIGHT_SHADE &&
		!(c->flags & (CELL_THIN | CELL_SELECTED | CELL_HINT));
}

static bool is_like(const struct cell *a, const struct cell *b)
{
	const unsigned of_search = CELL_MATCH | CELL_DIM;

	return a->fill == b->fill && !((a->flags ^ b->flags) & of_search);
}

/* Whether the cell beside a shared one is of a box of its colour. */
static bool is_box_like(const struct cell *box, const struct cell *shared)
{
	return !(box->flags & (CELL_SHARED | CELL_NAMED)) && is_like(box, shared);
}

/* Rule 4. */
static void give_neighbours_color(struct cell *row, const struct flame *f,
				  const struct cover_cell *cells)
{
	for (int c = 1; c + 1 < f->cols; c++) {
		int64_t width = f->t1[c] - f->t0[c];

		if (is_crowded(&row[c]) && row[c - 1].fill >= ROLE_IDLE &&
		    is_like(&row[c - 1], &row[c + 1]) && cells[c].node_ns * 3 < width * 2)
			row[c].fill = row[c - 1].fill;
	}
}

/* Let the label of the box on the left, or on the right, use the cells [from, end), which look like
 * the box. next: the first box that begins at `from` or later. */
static void widen_label(struct flame_walk *w, int next, bool is_left, int from, int end)
{
	struct flame_box *left = next > 0 ? &w->boxes[next - 1] : NULL,
			 *right = next < w->n_boxes ? &w->boxes[next] : NULL;

	if (is_left && left && left->label_end == from && left->label_end > left->label_from)
		left->label_end = end;
	else if (!is_left && right && right->from == end && right->label_from == end)
		right->label_from = from;
}

/* Rule 5, for the crowd [from, end) of one colour. next: the first box that begins after it. */
static void join_box(struct flame_walk *w, struct cell *row, int cols, int next, int from, int end)
{
	bool is_left = from > 0 && is_box_like(&row[from - 1], &row[from]),
	     is_right = end < cols && is_box_like(&row[end], &row[from]),
	     has_seam = is_right && row[end].ch == FLAME_SEAM;

	if (end - from > JOINED_MOST || (!is_left && !is_right))
		return;
	for (int c = from; c < end; c++) {
		row[c].flags &= (uint16_t)~CELL_SHARED;
		row[c].ch = ' ';
	}
	if (is_left && is_right && !has_seam) {
		row[from].ch = FLAME_SEAM;
		row[from].ink = ROLE_PAGE;
		row[from].flags |= CELL_SEAM;
		from++;
		is_left = false;
	}
	if (is_left || !has_seam)
		widen_label(w, next, is_left, from, end);
}

/* Rules 4 and 5. */
static void settle_crowds(struct flame_walk *w, const struct flame *f,
			  const struct cover_cell *cells)
{
	struct cell *row = grid_at(w->g, w->row, w->col);

	give_neighbours_color(row, f, cells);
	for (int from = 0, end, next = 0; from < f->cols; from = end) {
		end = from + 1;
		if (!is_crowded(&row[from]))
			continue;
		while (end < f->cols && is_crowded(&row[end]) && is_like(&row[end], &row[from]))
			end++;
		while (next < w->n_boxes && w->boxes[next].from < from)
			next++;
		join_box(w, row, f->cols, next, from, end);
	}
}

void flame_settle_row(struct flame_walk *w, const struct flame *f, const struct cover_cell *cells)
{
	if (w->shared_end > 0 && !w->chart->is_ascii && w->lane->kind == LANE_SAMPLES &&
	    w->row >= 0 && w->row < w->g->rows && w->col >= 0 && w->col + f->cols <= w->g->cols)
		settle_crowds(w, f, cells);
	for (int i = 0; i < w->n_boxes; i++)
		flame_cell_finish_box(w, &w->boxes[i]);
	w->n_boxes = 0;
}
