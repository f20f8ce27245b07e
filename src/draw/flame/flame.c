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
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/flame_cell.h"
#include "draw/flame/flame_request.h"
#include "draw/flame/label.h"
#include "model/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== cell kind ====
 *
 * Classifies a cell. The cover counts every sample exactly, so it can prove a guess: the spans at
 * the left and at the right edge are everything in the cell if and only if their parts in it add up
 * to the time of the cover. If three or more nodes share the cell, no guess can be right, and none
 * is made; this keeps a picture of millions of narrow spans cheap.
 *
 * Slices may have no length, and then no part in these sums. So in lanes of slices the neighbours
 * of the two spans are looked up, where they may be in the cell. And slices may outlast the one
 * around them by a rounding error, which their samples do not say (model/slices.h): like the
 * cover, this goes by the end that the file states. */

static bool covers(const struct span *s, int64_t t)
{
	return s->t0 <= t && t < s->t1;
}

/* Give a span the end that the file states. */
static void prolong(const struct lane *lane, const struct cell_kind_cell *cell, struct span *span)
{
	if (slice_time_is_seen(lane->slice_time, cell->end - cell->t0))
		span->t1 += slice_time_over(lane->slice_time, span->node, span->t1);
}

static bool find_at(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
		    size_t sample, int64_t t, struct span *out)
{
	if (lane->samples.n && span_of_sample(&lane->samples, &lane->tree, sample, depth, out) &&
	    covers(out, t)) {
		prolong(lane, cell, out);
		return true;
	}
	return slice_time_is_seen(lane->slice_time, cell->end - cell->t0) &&
		slice_time_span_at(lane, depth, t, out);
}

/* No span covers either edge, so there may be one inside. */
static bool find_inside(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
			struct span *out)
{
	if (cell->cover->parts != 1 ||
	    !span_next(&lane->samples, &lane->tree, depth, cell->first, out))
		return false;
	prolong(lane, cell, out);
	return out->t0 >= cell->t0 && out->t1 - out->t0 == cell->cover->all_ns &&
		out->t1 <= cell->t1;
}

/* The guess by time alone. */
static void guess(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
		  const struct span *before, struct piece *out)
{
	const struct cover_cell *cover = cell->cover;
	bool has_left, has_right;
	int64_t left = 0, right = 0;

	out->kind = CELL_KIND_BLANK;
	if (cover->node == NODE_ROOT)
		return;
	out->kind = CELL_KIND_SHARED;
	if (cover->parts > 2 || cover->all_ns <= 0)
		return;
	has_left = before && covers(before, cell->t0);
	if (has_left)
		out->left = *before;
	else
		has_left = find_at(lane, depth, cell, cell->first, cell->t0, &out->left);
	if (has_left && out->left.t1 >= cell->t1) {
		out->kind = CELL_KIND_FULL;
		return;
	}
	has_right = find_at(lane, depth, cell, cell->last, cell->t1 - 1, &out->right);
	if (has_left)
		left = out->left.t1 - cell->t0;
	if (has_right)
		right = cell->t1 - out->right.t0;
	if (!has_left && !has_right) {
		if (find_inside(lane, depth, cell, &out->left))
			out->kind = CELL_KIND_INSIDE;
	} else if (left + right == cover->all_ns) {
		if (!has_right)
			out->kind = CELL_KIND_END;
		else if (!has_left)
			out->kind = CELL_KIND_START;
		else
			out->kind = out->left.t1 == out->right.t0 ? CELL_KIND_EDGE : CELL_KIND_GAP;
	}
}

/* Whether the cell has a span before `first`. */
static bool has_before(const struct lane *lane, const struct cell_kind_cell *cell,
		       const struct span *first)
{
	struct span span;

	return first->t0 >= cell->t0 &&
		span_before(&lane->samples, &lane->tree, first->depth, first->first, &span) &&
		span.t0 >= cell->t0;
}

/* Whether the cell has a span after `last`. */
static bool has_after(const struct lane *lane, const struct cell_kind_cell *cell,
		      const struct span *last)
{
	struct span span;

	return last->t1 < cell->end &&
		span_next(&lane->samples, &lane->tree, last->depth, last->end, &span) &&
		span.t0 < cell->end;
}

/* Whether there is a span between two. */
static bool has_between(const struct lane *lane, const struct span *left, const struct span *right)
{
	struct span span;

	return left->end < right->first &&
		span_next(&lane->samples, &lane->tree, left->depth, left->end, &span) &&
		span.first < right->first;
}

/* `before`: a span of this row that may reach into the cell, which saves a search; may be NULL. */
static void cell_kind_find(const struct lane *lane, int depth, const struct cell_kind_cell *cell,
			   const struct span *before, struct piece *out)
{
	bool has_more = false;

	guess(lane, depth, cell, before, out);
	if (lane->kind == LANE_SAMPLES)
		return;
	switch (out->kind) {
	case CELL_KIND_FULL:
	case CELL_KIND_END:
	case CELL_KIND_INSIDE:
		has_more = has_before(lane, cell, &out->left) || has_after(lane, cell, &out->left);
		break;
	case CELL_KIND_START:
		has_more = has_before(lane, cell, &out->right) ||
			has_after(lane, cell, &out->right);
		break;
	case CELL_KIND_EDGE:
	case CELL_KIND_GAP:
		has_more = has_before(lane, cell, &out->left) ||
			has_between(lane, &out->left, &out->right) ||
			has_after(lane, cell, &out->right);
		break;
	default:
		break;
	}
	if (has_more)
		out->kind = CELL_KIND_SHARED;
}

/* ==== flame over ====
 *
 * A cell that one lane has for itself is drawn as any other cell. If a span of one lane ends in the
 * cell and one of another lane begins, they are drawn as two spans of one lane: with an edge if
 * they touch; otherwise the smaller one is left out if the cell beside this one draws it. All other
 * cells of several lanes are shared cells. */

/* What the lanes have in a cell. */
struct flame_over {
	int n;                      /* lanes with spans in it */
	int lanes[2];               /* those with most time in it */
	struct cover_cell cover[2]; /* what each of these has */
	struct cover_cell all;      /* what all lanes have; `node` is of lanes[0] */
};

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
			/* Two spans that touch: the walk goes on with the right one. */
			if (is_left) {
				w->left_lane = w->lane;
				piece->right = other.right;
				enter(w, over->lanes[1]);
				set_cell(f, w, &over->all);
			} else {
				w->left_lane = w->chart->lanes[over->lanes[1]].lane;
				piece->left = other.left;
			}
			piece->kind = CELL_KIND_EDGE;
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

/* ==== mark row ====
 *
 * Marks have no length, so a cell has a sign if any mark is in it. The cells beside it have the
 * name of the first mark in the cell, or of the selected one, and how many more there are. Where
 * the next marks are near, the sign is a thin line: a row full of large signs would be the loudest
 * of the chart. A column shorter than a nanosecond repeats the time of the one before it, and stays
 * blank. A mark hides what is narrower than its cell. */

#define NAME_MIN 3 /* cells; names that would be shorter are left out */
#define THIN_SIGN 0x258Fu
#define NEAR 3      /* columns: signs that are nearer to each other are dense */
#define MAX_BYTES 8 /* of a cell: longer names are not measured */
#define GAP 1       /* cells before and after a name */

/* Spans of a cell that are looked at where slices and marks share a row. */
#define LOOKED_MAX 256

bool mark_row_has(const struct lane *lane, int64_t t0, int64_t end)
{
	const struct samples *s = &lane->samples;
	size_t first, last;
	struct span span;

	return samples_range(s, t0, end, &first, &last) &&
		span_next(s, &lane->tree, mark_row_depth(lane), first, &span) && span.first < last;
}

/* Find the first mark of a lane of marks in [t0, end). Returns the number of marks there. */
static size_t mark_row_find(const struct lane *lane, int64_t t0, int64_t end, struct span *first)
{
	const struct samples *s = &lane->samples;
	size_t from, to, a, b;
	struct span last;

	if (!samples_range(s, t0, end, &from, &to) || !span_next(s, &lane->tree, 0, from, first) ||
	    first->first >= to)
		return 0;
	if (!span_before(s, &lane->tree, 0, to, &last) || last.first <= first->first)
		return 1;
	a = slice_of_span(lane, first);
	b = slice_of_span(lane, &last);
	return a == SIZE_MAX || b == SIZE_MAX ? 1 : b - a + 1;
}

/* The same at any depth of any lane. A cell with too many spans seems to have no more marks. */
static size_t find_among(const struct profile *profile, const struct lane *lane, int depth,
			 int64_t t0, int64_t end, struct span *first)
{
	const struct samples *s = &lane->samples;
	size_t from, to, n = 0;
	struct span span;

	if (lane->kind == LANE_MARKS)
		return mark_row_find(lane, t0, end, first);
	if (!samples_range(s, t0, end, &from, &to))
		return 0;
	for (int i = 0;
	     i < LOOKED_MAX && span_next(s, &lane->tree, depth, from, &span) && span.first < to;
	     i++, from = span.end) {
		if (!profile_is_mark(profile, lane, span.node))
			continue;
		if (n++ == 0)
			*first = span;
	}
	return n;
}

/* The marks of a cell. */
struct mark_cell {
	int c;            /* its column */
	int depth;        /* their row */
	size_t n;         /* none: 0; from LOOKED_MAX on perhaps more, outside lanes of marks */
	struct span mark; /* the one that gives it its name */
	bool is_selected;
	bool is_dense; /* other marks are near */
	unsigned flags;
};

static bool find_place(const struct flame *f, int lane, int depth, int c, struct mark_cell *out)
{
	const struct chart *chart = f->chart;
	const struct span *selected = &chart->selected;
	const struct lane *of = chart->lanes[lane].lane;
	int64_t t0 = f->t0[c], end = flame_end(f, c);

	if (c > 0 && f->t0[c - 1] == t0)
		return false;
	*out = (struct mark_cell){ .c = c, .depth = depth };
	out->n = find_among(chart->profile, of, depth, t0, end, &out->mark);
	if (!out->n)
		return false;
	out->is_selected = chart->has_selection && chart->lane == lane &&
		selected->depth == depth && selected->t0 >= t0 && selected->t0 < end &&
		profile_is_mark(chart->profile, of, selected->node);
	if (out->is_selected)
		out->mark = *selected;
	if (chart->matches.frames) {
		bool is_of_spans = match_set_is_of_spans(&chart->matches);
		bool has_rows = chart->match_rows && chart->match_rows[lane] &&
			match_rows_has(chart->match_rows[lane], t0, end, depth);
		bool is_match = is_of_spans ? has_rows && chart->matches.slices && out->n == 1
					    : chart_is_match(chart, of, out->mark.node);

		out->flags = is_match ? CELL_MATCH : has_rows && out->n > 1 ? CELL_HINT : CELL_DIM;
	}
	return true;
}

/* The name of a mark. That of an object begins with its type, as the title of the lane does. */
static struct str name_of(const struct chart *chart, int lane, const struct mark_cell *place)
{
	const struct lane *of = chart->lanes[lane].lane;
	struct str name;

	name.p = label_name(chart->profile,
			    profile_node_frame(chart->profile, of, place->mark.node), &name.len);
	return name;
}

/* The same without the type; the whole name, if it has none. */
static struct str short_name_of(const struct chart *chart, int lane, const struct mark_cell *place)
{
	struct str name = name_of(chart, lane, place), type;
	size_t n;

	if (chart->lanes[lane].lane->kind != LANE_OBJECTS || !object_name_phase(name, &type))
		return name;
	n = type.len + strlen(" ");
	return (struct str){ name.p + n, name.len - n };
}

static bool fits(struct str name, int room)
{
	return name.len <= (size_t)room * MAX_BYTES && text_cells(name.p, name.len) <= room;
}

/* The name of a place, and how many more marks it has, in `room` cells; nothing if it does not
 * fit. */
static void add_name(const struct chart *chart, int lane, const struct mark_cell *place, int room,
		     struct buf *out)
{
	frame_id frame = chart->lanes[lane].lane->tree.frame[place->mark.node];
	struct str text = short_name_of(chart, lane, place);
	char more[UNITS_MAX + 4] = "";

	if (place->n >= LOOKED_MAX && chart->lanes[lane].lane->kind != LANE_MARKS)
		snprintf(more, sizeof more, " +\342\200\246");
	else if (place->n > 1)
		snprintf(more, sizeof more, " +%s", units_count(place->n - 1, UNITS_ROOM));
	if (room < NAME_MIN + (int)strlen(more))
		more[0] = '\0';
	if (room < NAME_MIN)
		return;
	room -= (int)strlen(more);
	if (fits(name_of(chart, lane, place), room) || !fits(text, room))
		label_box(chart->profile, frame, room, out);
	else
		text_visible(out, text.p, text.len);
	buf_adds(out, more);
}

static bool is_blank(const struct grid *g, int row, int col)
{
	const struct cell *cell;

	if (col < 0 || col >= g->cols)
		return false;
	cell = grid_at(g, row, col);
	return cell->fill == ROLE_PLAIN && (cell->ch == ' ' || cell->ch == 0);
}

/* The room for a name from `col` on, at most `most` cells: up to the next box, less a gap. step -1:
 * from there backwards. */
static int room_at(const struct grid *g, int row, int col, int step, int most)
{
	int n = 0;

	while (n < most && is_blank(g, row, col + step * n))
		n++;
	return n < most ? n - GAP : n;
}

/* Put the sign of a place, and its name into the columns before `next` or, if there is no room,
 * into those from `from` on. Returns the column after both. */
static int draw_place(const struct flame *f, struct grid *g, int lane,
		      const struct mark_cell *place, int from, int next, int row, int col)
{
	const struct chart *chart = f->chart;
	uint8_t role = (uint8_t)frame_roles_of_span(chart->roles, chart->profile,
						    chart->lanes[lane].lane, &place->mark);
	int at = place->c + 1 + GAP, room = room_at(g, row, col + at, 1, next - at - GAP),
	    left = room_at(g, row, col + place->c - GAP - 1, -1, place->c - GAP - from), cells;
	/* Threads of pages have many marks; the ruler names those that matter. */
	bool is_quiet = chart->profile->n_loads && chart->lanes[lane].lane->is_joined &&
		!place->is_selected && !(place->flags & CELL_MATCH),
	     is_thin = (place->is_dense && !place->is_selected) || is_quiet;
	BUF_LOCAL name = { 0 };

	*grid_at(g, row, col + place->c) = (struct cell){
		.ch = chart->is_ascii ? is_thin ? '|' : MARK_ROW_SIGN_ASCII
			: is_thin     ? THIN_SIGN
				      : MARK_ROW_SIGN,
		.ink = place->is_selected ? ROLE_LABEL : role,
		.fill = place->is_selected ? role : ROLE_PLAIN,
		.flags = (uint16_t)(place->flags | (place->is_selected ? CELL_SELECTED : 0)),
	};
	/* The beginning of a name is better than none, and the whole name better than that. */
	if (room < NAME_MIN || (room < left && !fits(short_name_of(chart, lane, place), room))) {
		room = left;
		at = place->c - GAP - left;
	}
	if (!is_quiet)
		add_name(chart, lane, place, room, &name);
	cells = text_cells(buf_text(&name), name.len);
	if (at < place->c)
		at = place->c - GAP - cells;
	grid_put(g, row, col + at, cells, buf_text(&name), name.len,
		 place->is_selected ? ROLE_PLAIN : ROLE_DIM);
	if (place->is_selected || place->flags & CELL_MATCH)
		grid_flag(g, row, col + at, cells, CELL_BOLD);
	return at + cells > place->c ? at + cells : place->c + 1;
}

/* Draw the marks of lane `lane` at `depth` at row, col, f->cols cells wide. The cells must be
 * blank, or the boxes of that row: names are put into blank cells only. */
static void mark_row_draw(const struct flame *f, struct grid *g, int lane, int depth, int row,
			  int col)
{
	struct mark_cell last = { 0 }, place;
	int from = 0;

	if (row < 0 || row >= g->rows || col < 0 || col + f->cols > g->cols)
		return;
	for (int c = 0; c < f->cols; c++) {
		if (!find_place(f, lane, depth, c, &place))
			continue;
		place.is_dense = last.n && c - last.c < NEAR;
		last.is_dense |= place.is_dense;
		if (last.n)
			from = draw_place(f, g, lane, &last, from, c, row, col) + GAP;
		last = place;
	}
	if (last.n)
		draw_place(f, g, lane, &last, from, f->cols + GAP, row, col);
}

/* ==== flame ==== */

#define MATCH_SHADE 0x2592u
#define SELECTED_SIGN 0x25C6u

static bool is_match(const struct flame_walk *w, const struct lane *lane, const struct span *s)
{
	return match_set_is_of_spans(&w->chart->matches) ? flame_cell_has_match(w)
							 : chart_is_match(w->chart, lane, s->node);
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
		is = cell->flags & CELL_MATCH ||
			(over ? flame_over_is_match(w, over) : flame_cell_has_match(w));
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
	w->has_seen = true;
	if (piece.kind == CELL_KIND_FULL)
		w->seen = piece.left;
	else if (piece.kind == CELL_KIND_START || piece.kind == CELL_KIND_EDGE ||
		 piece.kind == CELL_KIND_GAP)
		w->seen = piece.right;
	else
		w->has_seen = false;
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
			/* Any open box may end in an unknown column. Only the row at the top has
			 * the mark: many rows of them would take more bytes than the boxes that
			 * come instead. */
			flame_cell_draw_blank(w);
			flame_mix_close(w, w->c);
			w->has_seen = false;
			if (w->is_top)
				grid_puts(w->g, w->row, w->col + w->c, 1,
					  w->chart->is_ascii ? "." : CHART_UNFINISHED, ROLE_DIM);
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

/* Whether rows of the lane are those of other ones, too. */
static bool is_laid_over(const struct chart_lane *cl)
{
	return cl->n_over && !cl->lane->served;
}

static void draw_rows(struct flame *f, struct flame_walk *w, int rows, int row)
{
	const struct chart_lane *cl = &f->chart->lanes[w->lane_index];
	bool is_laid = is_laid_over(cl);
	struct match_rows *matches = w->matches; /* of the lane; the walk may go on to others */
	int lane = w->lane_index, depth = w->depth;

	if (is_laid) {
		/* Of the lanes laid over it, too. */
		size_t need = (size_t)rows * (size_t)f->cols;

		if (need > f->cap_over)
			f->over = xgrow(f->over, &f->cap_over, need, sizeof *f->over);
		memset(f->over, 0, need * sizeof *f->over);
		memset(f->is_unknown, 0, (size_t)f->cols);
		for (int i = 0; i <= f->chart->lanes[lane].n_over; i++)
			add_lane(f, lane + i, depth, rows);
	} else {
		take_cover(f, cl, depth, rows);
	}
	for (int i = 0; i < rows; i++) {
		size_t at = (size_t)i * (size_t)f->cols;

		w->lane = cl->lane;
		w->lane_index = lane;
		w->matches = matches;
		w->depth = depth + i;
		w->thread_row = w->depth + chart_first_row(cl);
		w->row = row + (cl->is_flipped ? rows - 1 - i : i);
		w->is_top = w->row == row;
		if (is_laid)
			draw_row(f, w, NULL, f->over + at);
		else if (w->depth != mark_row_depth(cl->lane))
			draw_row(f, w, f->cells + at, NULL);
		flame_request_draw(f, w);
		if (w->thread_row % 2)
			grid_flag(w->g, w->row, w->col, f->cols, CELL_ODD);
		draw_marks(f, w, lane);
	}
}

/* The same of one lane, or of lanes that share their rows. */
static void draw_lane(struct flame *f, struct grid *g, int lane, int depth, int rows, int row,
		      int col)
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

	if (rows <= 0 || f->cols <= 0 || (cl->lane->samples.n == 0 && !is_laid_over(cl)))
		return;
	if (cl->lane->kind == LANE_MARKS) {
		if (depth == 0)
			mark_row_draw(f, g, lane, 0, cl->is_flipped ? row + rows - 1 : row, col);
		return;
	}
	if (!cl->cover && !is_laid_over(cl))
		return;
	if (cl->lane->kind == LANE_SAMPLES && !cl->n_over)
		w.boxes = xcalloc((size_t)f->cols, sizeof *w.boxes);
	draw_rows(f, &w, rows, row);
	free(w.boxes);
	buf_done(&w.text);
}

void flame_draw(struct flame *f, struct grid *g, int lane, int depth, int rows, int row, int col)
{
	const struct chart_lane *cl = &f->chart->lanes[lane];

	if (!cl->lane->served) {
		draw_lane(f, g, lane, depth, rows, row, col);
		return;
	}
	for (int i = 0; i <= cl->n_over; i++) {
		int first = chart_first_row(&cl[i]), end = first + cl[i].lane->max_depth;
		int from = first > depth ? first : depth;

		end = end < depth + rows ? end : depth + rows;
		draw_lane(f, g, lane + i, from - first, end - from, row + from - depth, col);
	}
	flame_request_names(f, g, lane, depth, rows, row, col);
}
