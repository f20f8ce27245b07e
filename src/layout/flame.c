/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of boxes, each drawn in one walk from left to right. Per cell: what covers it
 * (cover.h), what that amounts to (piece.h), and a character for it.
 *
 * 1. A character has an ink and a fill, so a cell shows at most two things. A left
 *    block of k eighths in the ink of what ends, on the fill of what begins, puts the
 *    edge between them to an eighth; nothing has the ink ROLE_PAGE or the fill
 *    ROLE_PLAIN.
 * 2. The flags of a cell are those of its fill, or of the ink where the fill is the page.
 * 3. Spans that are no box (narrower than a cell) are never rounded away.
 * 4. The walk keeps the box that is open (for its label, put when it ends), the span seen
 *    last (it may reach into the next cell), and the span that the cell before shows at
 *    its right side (a box that follows it needs a seam).
 * 5. A row of shared cells is no box. Where one function wins all of them, its name stands
 *    on them behind U+2248 (about equal): mostly this one, in many calls. */
#include "config.h"

#include "layout/flame.h"

#include "base/alloc.h"
#include "layout/label.h"
#include "layout/cell_kind.h"

#include <stdlib.h>
#include <string.h>

#define EIGHTHS 8
#define LIGHT_SHADE 0x2591u
#define MATCH_SHADE 0x2592u
#define SELECTED_SIGN 0x25C6u
#define LABEL_MIN 3 /* cells of a box that has a label */
#define MIX_MIN 8   /* shared cells in a row, won by one function, that name it */

struct walk {
	struct grid *g;
	const struct chart *chart;
	const struct lane *lane;
	int lane_index;
	int depth;
	int row, col;
	int64_t window_t0, window_t1;
	struct buf text;

	struct match_rows *matches; /* of the lane; NULL: nothing to light */
	struct cell_kind_cell cell; /* the one that is drawn */
	int c;                      /* its column */

	struct span box;           /* box_cells > 0: the open box */
	int box_cells;             /* cells where it is seen */
	int label_from, label_end; /* columns that are all its own */
	uint8_t box_role, box_flags;

	struct span seen; /* has_seen: reaches to the right edge of the last cell */
	bool has_seen;
	struct span beside; /* has_beside: what the last cell shows at its right */
	bool has_beside;
	frame_id mix_frame; /* mix_cells > 0: the function that wins the shared cells up to here */
	int mix_cells;
	bool has_selected; /* a cell with the selected span as its fill was drawn */
};

static bool is_same(const struct span *a, const struct span *b)
{
	return a->node == b->node && a->t0 == b->t0;
}

static uint8_t role_of(const struct walk *w, node_id node)
{
	return (uint8_t)frame_role(w->chart->profile, w->lane->tree.frame[node], w->chart->color);
}

static bool is_selected(const struct walk *w, const struct span *s)
{
	return w->chart->has_selection && w->lane_index == w->chart->lane &&
		w->depth == w->chart->selected.depth && is_same(s, &w->chart->selected);
}

static uint8_t node_flags(const struct walk *w, node_id node)
{
	const struct chart *chart = w->chart;
	frame_id frame = w->lane->tree.frame[node];
	unsigned flags = 0;

	if (chart->matches && chart->matches[frame])
		flags |= CELL_MATCH;
	if (chart->has_selection && chart->lane >= 0 && chart->lane < chart->n_lanes &&
	    chart->lanes[chart->lane].lane->tree.frame[chart->selected.node] == frame)
		flags |= CELL_SAME;
	return (uint8_t)flags;
}

static uint8_t span_flags(const struct walk *w, const struct span *s)
{
	unsigned flags = node_flags(w, s->node);

	if (is_selected(w, s))
		flags = (flags & ~(unsigned)CELL_SAME) | CELL_SELECTED;
	return (uint8_t)flags;
}

static void put(struct walk *w, uint32_t ch, unsigned ink, unsigned fill, unsigned flags)
{
	int col = w->col + w->c;

	if (flags & CELL_SELECTED)
		w->has_selected = true;
	if (w->row < 0 || w->row >= w->g->rows || col < 0 || col >= w->g->cols)
		return;
	*grid_at(w->g, w->row, col) = (struct cell){ ch, 0, (uint8_t)ink, (uint8_t)fill,
						     (uint8_t)flags };
}

/* A block of 1 to 7 eighths at the left: U+258F down to U+2589. */
static uint32_t left_block(int eighths)
{
	return 0x2590u - (uint32_t)eighths;
}

static int64_t width_ns(const struct walk *w)
{
	return w->cell.t1 - w->cell.t0;
}

/* Time t within the cell in eighths from its left edge, 0 to 8. */
static int eighths(const struct walk *w, int64_t t)
{
	return (int)((double)(t - w->cell.t0) * EIGHTHS / (double)width_ns(w) + 0.5);
}

static bool is_narrow(const struct walk *w, const struct span *s)
{
	return s->t1 - s->t0 < width_ns(w);
}

/* ---- boxes and their labels ---- */

static void close_box(struct walk *w)
{
	int room = w->label_end - w->label_from;
	bool is_quiet = w->box_role == ROLE_IDLE || w->box_role == ROLE_PROGRAM;

	if (w->box_cells >= LABEL_MIN && room >= LABEL_MIN - 1) {
		buf_clear(&w->text);
		label_box(w->chart->profile, w->lane->tree.frame[w->box.node], room, &w->text);
		grid_put(w->g, w->row, w->col + w->label_from, room, buf_text(&w->text),
			 w->text.len, is_quiet ? ROLE_DIM : ROLE_LABEL);
	}
	w->box_cells = 0;
}

/* ---- runs of shared cells ---- */

static void close_mix(struct walk *w, int end)
{
	int cells = w->mix_cells, from = end - cells + 1, room = cells - 2;

	w->mix_cells = 0;
	if (cells < MIX_MIN)
		return;
	buf_clear(&w->text);
	buf_adds(&w->text, " \342\211\210 ");
	label_box(w->chart->profile, w->mix_frame, room - 4, &w->text);
	buf_adds(&w->text, " ");
	room = grid_put(w->g, w->row, w->col + from, room, buf_text(&w->text), w->text.len,
			ROLE_LABEL);
	for (int c = 0; c < room; c++)
		grid_at(w->g, w->row, w->col + from + c)->flags &= (uint8_t) ~(CELL_SHARED |
									       CELL_HINT);
}

/* A dense shared cell goes on with the run or begins one. */
static void note_mix(struct walk *w, node_id node)
{
	frame_id frame = w->lane->tree.frame[node];

	if (w->mix_cells && w->mix_frame != frame)
		close_mix(w, w->c);
	w->mix_frame = frame;
	w->mix_cells++;
}

static void open_box(struct walk *w, const struct span *s)
{
	if (w->box_cells && is_same(&w->box, s))
		return;
	close_box(w);
	w->box = *s;
	w->box_role = role_of(w, s->node);
	w->box_flags = span_flags(w, s);
	w->label_from = w->label_end = w->c;
}

/* The span that the cell shows at its right side; NULL: the page, or a mixture. */
static void set_beside(struct walk *w, const struct span *s)
{
	w->has_beside = s != NULL;
	if (s)
		w->beside = *s;
}

/* Whether a box that begins at the left edge of this cell needs a seam there. */
static bool needs_seam(const struct walk *w)
{
	if (!w->has_beside || is_same(&w->beside, &w->box))
		return false;
	return w->box.t1 - w->box.t0 >= 2 * width_ns(w) ||
		role_of(w, w->beside.node) == w->box_role;
}

/* A cell that is `s` from edge to edge. */
static void draw_full(struct walk *w, const struct span *s)
{
	bool is_first, has_seam;

	open_box(w, s);
	is_first = w->box_cells == 0;
	if (w->chart->is_ascii)
		has_seam = is_first && (w->c > 0 || s->t0 >= w->window_t0);
	else
		has_seam = is_first && needs_seam(w);
	if (!has_seam)
		put(w, ' ', ROLE_LABEL, w->box_role, w->box_flags);
	else if (w->chart->is_ascii)
		put(w, '|', ROLE_LABEL, w->box_role, w->box_flags);
	else
		put(w, left_block(1), ROLE_PAGE, w->box_role, w->box_flags);
	if (has_seam)
		w->label_from = w->c + 1;
	w->label_end = w->c + 1;
	w->box_cells++;
	set_beside(w, s);
}

static void draw_blank(struct walk *w)
{
	close_box(w);
	set_beside(w, NULL);
}

/* ---- cells with one edge ---- */

static int keep_visible(const struct walk *w, int k, const struct span *s)
{
	if (!is_narrow(w, s))
		return k;
	return k < 1 ? 1 : k > EIGHTHS - 1 ? EIGHTHS - 1 : k;
}

static void draw_end(struct walk *w, const struct span *s)
{
	int k = keep_visible(w, eighths(w, s->t1), s);

	if (k == EIGHTHS) {
		draw_full(w, s);
		return;
	}
	if (k > 0) {
		put(w, left_block(k), role_of(w, s->node), ROLE_PLAIN, span_flags(w, s));
		if (w->box_cells && is_same(&w->box, s))
			w->box_cells++;
	}
	draw_blank(w);
}

static void draw_start(struct walk *w, const struct span *s, unsigned ink, int k)
{
	open_box(w, s);
	put(w, left_block(k), ink, w->box_role, w->box_flags);
	w->box_cells++;
	w->label_from = w->label_end = w->c + 1;
	set_beside(w, s);
}

static void draw_start_after_blank(struct walk *w, const struct span *s)
{
	int k = keep_visible(w, eighths(w, s->t0), s);

	set_beside(w, NULL);
	if (k == EIGHTHS)
		draw_blank(w);
	else if (k == 0)
		draw_full(w, s);
	else
		draw_start(w, s, ROLE_PAGE, k);
}

/* ---- cells with more ---- */

/* Several spans; `node` gives the colour. */
static void draw_shared(struct walk *w, node_id node)
{
	const struct span *sel = &w->chart->selected;
	const struct cover_cell *cover = w->cell.cover;
	unsigned role = role_of(w, node), flags = node_flags(w, node) | CELL_SHARED;
	bool is_ascii = w->chart->is_ascii;

	/* A selected span that has no cell to itself must be seen in one that it shares. */
	if (w->chart->has_selection && w->lane_index == w->chart->lane && w->depth == sel->depth &&
	    sel->t0 < w->cell.t1 && (sel->t1 > w->cell.t0 || sel->t0 == w->cell.t0) &&
	    (node == sel->node || sel->t1 - sel->t0 < 2 * width_ns(w)))
		flags = (flags & ~(unsigned)CELL_SAME) | CELL_SELECTED;
	if (cover->all_ns >= width_ns(w) / 2 && cover->all_ns > 0)
		put(w, is_ascii ? ':' : LIGHT_SHADE, ROLE_LABEL, role, flags);
	else if (cover->all_ns >= width_ns(w) / EIGHTHS && cover->all_ns > 0)
		put(w, is_ascii ? ':' : LIGHT_SHADE, role, ROLE_PLAIN, flags);
	else
		put(w, is_ascii ? '|' : left_block(1), role, ROLE_PLAIN,
		    cover->parts > 1 ? flags : flags & ~(unsigned)CELL_SHARED);
	close_box(w);
	set_beside(w, NULL);
}

/* One span with nothing on either side: of the characters that there are, the one whose
 * ends lie nearest to those of the span. */
static void draw_inside(struct walk *w, const struct span *s)
{
	static const struct {
		uint32_t ch;
		uint8_t from, end;
		bool is_inverse;
	} shapes[] = {
		{ 0x258F, 0, 2, false },   { 0x258E, 0, 4, false },  { 0x258D, 0, 6, false },
		{ 0x258C, 0, 8, false },   { 0x258B, 0, 10, false }, { 0x258A, 0, 12, false },
		{ 0x2589, 0, 14, false },  { 0x2502, 7, 9, false },  { 0x2503, 6, 10, false },
		{ 0x2595, 14, 16, false }, { 0x258A, 12, 16, true }, { 0x258B, 10, 16, true },
		{ 0x258C, 8, 16, true },   { 0x258D, 6, 16, true },  { 0x258E, 4, 16, true },
		{ 0x258F, 2, 16, true },
	};
	double scale = 16.0 / (double)width_ns(w);
	double from = (double)(s->t0 - w->cell.t0) * scale,
	       end = (double)(s->t1 - w->cell.t0) * scale, best = 1e9;
	uint8_t role = role_of(w, s->node), flags = span_flags(w, s);
	size_t shape = 0;

	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		double a = from - shapes[i].from, b = end - shapes[i].end;
		double miss = a * a + b * b;

		if (miss < best) {
			best = miss;
			shape = i;
		}
	}
	if (shapes[shape].is_inverse)
		put(w, shapes[shape].ch, ROLE_PAGE, role, flags);
	else
		put(w, shapes[shape].ch, role, ROLE_PLAIN, flags);
	close_box(w);
	set_beside(w, NULL);
}

/* Two spans that touch. */
static void draw_edge(struct walk *w, const struct span *left, const struct span *right)
{
	bool is_coarse = !is_narrow(w, left) && !is_narrow(w, right);
	int k = eighths(w, right->t0);

	/* The fill carries the flags: a selected span must not be seen as ink alone. */
	if (is_selected(w, left) && !w->has_selected) {
		draw_shared(w, left->node);
		return;
	}
	if (!is_coarse)
		k = k < 1 ? 1 : k > EIGHTHS - 1 ? EIGHTHS - 1 : k;
	else if (role_of(w, left->node) == role_of(w, right->node))
		k = k > EIGHTHS / 2 ? EIGHTHS : 0;
	if (k == EIGHTHS) {
		draw_full(w, left);
	} else if (k == 0) {
		set_beside(w, left);
		draw_full(w, right);
	} else {
		draw_start(w, right, role_of(w, left->node), k);
	}
}

/* Three things in a cell: the smaller of the two spans is left to the cell beside, where
 * it has one, so that the gap is seen. */
static void draw_gap(struct walk *w, const struct span *left, const struct span *right)
{
	bool is_left = left->t1 - w->cell.t0 >= w->cell.t1 - right->t0;

	if (is_selected(w, left) || is_selected(w, right))
		is_left = is_selected(w, left);
	if (is_left ? right->t1 <= w->cell.t1 : left->t0 >= w->cell.t0)
		draw_shared(w, w->cell.cover->node);
	else if (is_left)
		draw_end(w, left);
	else
		draw_start_after_blank(w, right);
}

/* ---- whole cells ---- */

/* Whether the cell is one that a span takes when spans are rounded to whole cells: half of
 * the cell is its own, or, for a narrow span, its middle is here. */
static bool takes_cell(const struct walk *w, const struct span *s)
{
	int64_t from = s->t0 > w->cell.t0 ? s->t0 : w->cell.t0,
		end = s->t1 < w->cell.t1 ? s->t1 : w->cell.t1;
	int64_t middle = s->t0 + (s->t1 - s->t0) / 2;

	if (is_narrow(w, s))
		return middle >= w->cell.t0 && middle < w->cell.t1;
	return (end - from) * 2 >= width_ns(w);
}

static void draw_whole(struct walk *w, const struct piece *piece)
{
	const struct span *left = piece->kind != CELL_KIND_START ? &piece->left : NULL;
	const struct span *right = piece->kind != CELL_KIND_END && piece->kind != CELL_KIND_INSIDE
		? &piece->right
		: NULL;
	bool takes_left = left && takes_cell(w, left), takes_right = right && takes_cell(w, right);

	if (left && is_selected(w, left) && !w->has_selected) {
		draw_full(w, left);
		return;
	}
	if (takes_left && takes_right) {
		/* One of them has this cell only, or they share it fairly. */
		if (is_narrow(w, left) && is_narrow(w, right))
			draw_shared(w, is_selected(w, left) ? left->node : w->cell.cover->node);
		else
			draw_full(w, is_narrow(w, left) ? left : right);
	} else if (takes_left || takes_right) {
		draw_full(w, takes_left ? left : right);
	} else if (left && right && left->t1 == right->t0) {
		draw_full(w, is_narrow(w, left) ? right : left);
	} else {
		draw_blank(w);
	}
}

static void draw_piece(struct walk *w, const struct piece *piece)
{
	if (piece->kind == CELL_KIND_BLANK)
		draw_blank(w);
	else if (piece->kind == CELL_KIND_FULL)
		draw_full(w, &piece->left);
	else if (piece->kind == CELL_KIND_SHARED)
		draw_shared(w, w->cell.cover->node);
	else if (w->chart->is_ascii)
		draw_whole(w, piece);
	else if (piece->kind == CELL_KIND_END)
		draw_end(w, &piece->left);
	else if (piece->kind == CELL_KIND_START)
		draw_start_after_blank(w, &piece->right);
	else if (piece->kind == CELL_KIND_EDGE)
		draw_edge(w, &piece->left, &piece->right);
	else if (piece->kind == CELL_KIND_GAP)
		draw_gap(w, &piece->left, &piece->right);
	else
		draw_inside(w, &piece->left);
}

static bool is_match(const struct walk *w, const struct span *s)
{
	return w->chart->matches[w->lane->tree.frame[s->node]];
}

static bool is_lit(const struct walk *w)
{
	return !(w->chart->is_partial &&
		 !match_rows_is_known(w->matches, w->cell.t0, w->cell.t1)) &&
		match_rows_has(w->matches, w->cell.t0, w->cell.t1, w->depth);
}

/* A match that has no cell of its own must be seen in the one where it is, whoever gives that
 * its colour; and where several share a cell, a match among them. */
static void light(struct walk *w, const struct piece *piece)
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
		/* Where the winner is a match, nobody need look any further. */
		is = cell->flags & CELL_MATCH || is_lit(w);
	} else {
		is = has_left && is_narrow(w, &piece->left) && is_match(w, &piece->left);
		is |= has_right && is_narrow(w, &piece->right) && is_match(w, &piece->right);
	}
	if (!is)
		return;
	/* Who has most of a shared cell gives it its looks; a match below it is no reason to take
	 * them away. */
	cell->flags |= cell->flags & CELL_MATCH || piece->kind != CELL_KIND_SHARED ? CELL_MATCH
										   : CELL_HINT;
	if (cell->ch == LIGHT_SHADE)
		cell->ch = MATCH_SHADE;
	if (w->chart->is_ascii && cell->ch == ':')
		cell->ch = '*';
}

/* The selected span may be too narrow to be told from what is beside it: it has a sign of its own
 * in the cell where its middle is. Returns whether that is this cell. */
static bool mark_selected(struct walk *w)
{
	const struct span *s = &w->chart->selected;
	int64_t middle = s->t0 + (s->t1 - s->t0) / 2;

	if (!w->chart->has_selection || w->lane_index != w->chart->lane || w->depth != s->depth ||
	    s->t1 - s->t0 >= 2 * width_ns(w) || middle < w->cell.t0 || middle >= w->cell.t1)
		return false;
	put(w, w->chart->is_ascii ? '@' : SELECTED_SIGN, ROLE_LABEL, role_of(w, s->node),
	    CELL_SELECTED);
	if (w->label_from == w->c)
		w->label_from++;
	return true;
}

static void note_seen(struct walk *w, const struct piece *piece)
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

/* Whatever was open may end here. */
static void draw_unfinished(struct walk *w)
{
	draw_blank(w);
	close_mix(w, w->c);
	w->has_seen = false;
	grid_puts(w->g, w->row, w->col + w->c, 1, w->chart->is_ascii ? "." : CHART_UNFINISHED,
		  ROLE_DIM);
}

static void draw_row(const struct flame *f, struct walk *w, const struct cover_cell *cells)
{
	w->has_seen = w->has_beside = w->has_selected = false;
	w->box_cells = w->mix_cells = 0;
	for (int c = 0; c < f->cols; c++) {
		struct piece piece;

		w->c = c;
		if (f->is_unknown[c]) {
			draw_unfinished(w);
			continue;
		}
		w->cell = (struct cell_kind_cell){ &cells[c], f->t0[c], f->t1[c], f->first[c],
						   f->last[c] };
		cell_kind_find(w->lane, w->depth, &w->cell, w->has_seen ? &w->seen : NULL, &piece);
		draw_piece(w, &piece);
		if (w->matches)
			light(w, &piece);
		note_seen(w, &piece);
		if (!mark_selected(w) && piece.kind == CELL_KIND_SHARED &&
		    w->cell.cover->all_ns * 2 >= width_ns(w))
			note_mix(w, w->cell.cover->node);
		else
			close_mix(w, c);
	}
	close_box(w);
	close_mix(w, f->cols);
}

/* ---- the picture ---- */

void flame_init(struct flame *f, const struct chart *chart, int cols)
{
	size_t n = cols > 0 ? (size_t)cols : 0;

	*f = (struct flame){ .chart = chart, .cols = (int)n };
	f->t0 = xcalloc(n, sizeof *f->t0);
	f->t1 = xcalloc(n, sizeof *f->t1);
	f->first = xcalloc(n, sizeof *f->first);
	f->last = xcalloc(n, sizeof *f->last);
	f->is_unknown = xcalloc(n, 1);
	for (int c = 0; c < f->cols; c++) {
		f->t0[c] = viewport_time(chart->view, c, cols);
		f->t1[c] = viewport_time(chart->view, c + 1, cols);
		/* Zoomed in so far that columns are shorter than a nanosecond. */
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
	free(f->cells);
	memset(f, 0, sizeof *f);
}

bool flame_prepare(const struct flame *f, int lane, struct budget *budget)
{
	struct cover *cover = f->chart->lanes[lane].cover;
	struct match_rows *matches = f->chart->matches && f->chart->match_rows
		? f->chart->match_rows[lane]
		: NULL;
	bool is_spent = false;

	for (int c = 0; cover && c < f->cols; c++) {
		if (cover_has(cover, f->t0[c], f->t1[c]) &&
		    (!matches || match_rows_is_known(matches, f->t0[c], f->t1[c])))
			continue;
		if (is_spent || !cover_make(cover, f->t0[c], f->t1[c], budget) ||
		    (matches && !match_rows_make(matches, f->t0[c], f->t1[c], budget)))
			return false;
		is_spent = budget_spent(budget);
	}
	return true;
}

/* Rows [depth, depth + rows) of all columns. */
static void take_cover(struct flame *f, const struct chart_lane *cl, int depth, int rows)
{
	const struct samples *s = &cl->lane->samples;
	size_t need = (size_t)rows * (size_t)f->cols;

	if (need > f->cap_cells)
		f->cells = xgrow(f->cells, &f->cap_cells, need, sizeof *f->cells);
	memset(f->cells, 0, need * sizeof *f->cells);
	for (int c = 0; c < f->cols; c++) {
		const struct cover_cell *column;
		int n_rows = 0;

		f->is_unknown[c] = f->chart->is_partial &&
			!cover_has(cl->cover, f->t0[c], f->t1[c]);
		if (f->is_unknown[c])
			continue;
		column = cover_column(cl->cover, f->t0[c], f->t1[c], &n_rows);
		for (int row = 0; row < rows && depth + row < n_rows; row++)
			f->cells[(size_t)row * (size_t)f->cols + (size_t)c] = column[depth + row];
		f->first[c] = samples_find(s, f->t0[c]);
		f->last[c] = samples_find(s, f->t1[c] - 1);
	}
}

void flame_draw(struct flame *f, struct grid *g, int lane, int depth, int rows, int row, int col)
{
	const struct chart_lane *cl = &f->chart->lanes[lane];
	struct walk w = {
		.g = g,
		.chart = f->chart,
		.lane = cl->lane,
		.lane_index = lane,
		.col = col,
		.window_t0 = f->chart->view->t0,
		.window_t1 = f->chart->view->t1,
		.matches = f->chart->matches && f->chart->match_rows ? f->chart->match_rows[lane]
								     : NULL,
	};

	if (rows <= 0 || f->cols <= 0 || cl->lane->samples.n == 0 || !cl->cover)
		return;
	if (cl->is_flipped)
		depth = cl->lane->max_depth - depth - rows;
	take_cover(f, cl, depth, rows);
	for (int i = 0; i < rows; i++) {
		w.depth = depth + i;
		w.row = row + (cl->is_flipped ? rows - 1 - i : i);
		draw_row(f, &w, f->cells + (size_t)i * (size_t)f->cols);
	}
	buf_done(&w.text);
}
