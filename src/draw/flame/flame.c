/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of boxes, each drawn in one walk from left to right. For each cell: its coverage (cover.h),
 * its kind, and a character (flame_cell.h).
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
 *    (flame_cell.c). */
#include "config.h"

#include "draw/flame/flame.h"

#include "base/alloc.h"
#include "draw/chart.h"
#include "draw/flame/flame_cell.h"
#include "draw/flame/mark_row.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== flame over ====
 *
 * A cell that one lane has for itself is drawn as any other cell. If a span of one lane ends in the
 * cell and one of another lane begins, they are drawn as two spans of one lane: with an edge if
 * they touch; otherwise the smaller one is left out if the cell beside this one draws it. All other
 * cells of several lanes are shared cells. */

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

/* Get the rows [depth, depth + rows) of `lane` and of the lanes laid over it into f->over, and
 * f->is_unknown. */
static void flame_over_take(struct flame *f, int lane, int depth, int rows)
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

/* Begin the cell in column w->c: set w->cell, and the lane of the walk to that with most time in
 * the cell or, if it is here, that of the selected span. */
static void flame_over_begin(const struct flame *f, struct flame_walk *w, struct flame_over *over)
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

/* Change `piece`, which is what the lane of the walk has in the cell, to what all lanes have. */
static void flame_over_settle(const struct flame *f, struct flame_walk *w,
			      const struct flame_over *over, struct piece *piece)
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

/* Whether a match of the lanes is in the cell. */
static bool flame_over_is_match(const struct flame_walk *w, const struct flame_over *over)
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

/* ==== flame settle ====
 *
 * A cell with two colours is expensive for a terminal: the cursor goes there, and both colours
 * change. The samples do not tell exactly when a call began, so in a lane of samples each cell has
 * one colour. Slices state their times, and have exact ends.
 *
 * 1. A wide span takes a cell or more. It gets each cell of which it has more than half; where it
 *    begins, half is enough. So each wide span has a cell at least.
 * 2. A narrow span beside the page gets a cell of which it has half. Other narrow spans beside the
 *    page are drawn as they are.
 * 3. Other cells in which spans touch are shared cells.
 * 4. A shared cell between two of one colour gets that colour if no call has two thirds of it.
 * 5. Up to JOINED_MAX shared cells of one colour beside a box of that colour look like the box.
 *    Between two such boxes they begin with a seam. The label of the box may reach into them.
 * 6. In other lanes, an end of an eighth is left out if the span is seen in the cell beside it, and
 *    a wide span or nothing has the rest; the label has one more cell. */

#define JOINED_MAX 3 /* shared cells that look like the box beside them */

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
static bool has_left_settle(const struct flame_walk *w, const struct span *s)
{
	return (s->t1 - w->cell.t0) * 2 > flame_cell_width(w);
}

static bool has_right_settle(const struct flame_walk *w, const struct span *s)
{
	return (w->cell.t1 - s->t0) * 2 >= flame_cell_width(w);
}

/* The same of a wide span. */
static bool gets_left(const struct flame_walk *w, const struct span *s)
{
	return !flame_cell_is_narrow(w, s) && has_left_settle(w, s);
}

static bool gets_right(const struct flame_walk *w, const struct span *s)
{
	return !flame_cell_is_narrow(w, s) && has_right_settle(w, s);
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
	return has_right_settle(w, out) && span_of_sample(samples, tree, last, w->depth, out) &&
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
		round_one(w, piece, left, has_left_settle(w, left));
		break;
	case CELL_KIND_START:
		round_one(w, piece, right, has_right_settle(w, right));
		break;
	default:
		break;
	}
}

/* Change what the cell w->cell has to what is drawn there. */
static void flame_settle(const struct flame_walk *w, struct piece *piece)
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

	if (end - from > JOINED_MAX || (!is_left && !is_right))
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

/* Make a row of a lane that has been drawn calmer, and put the labels of w->boxes. cells: what
 * covers its columns. */
static void flame_settle_row(struct flame_walk *w, const struct flame *f,
			     const struct cover_cell *cells)
{
	if (w->shared_end > 0 && !w->chart->is_ascii && w->lane->kind == LANE_SAMPLES &&
	    w->row >= 0 && w->row < w->g->rows && w->col >= 0 && w->col + f->cols <= w->g->cols)
		settle_crowds(w, f, cells);
	for (int i = 0; i < w->n_boxes; i++)
		flame_cell_finish_box(w, &w->boxes[i]);
	w->n_boxes = 0;
}

/* ==== flame ==== */

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
