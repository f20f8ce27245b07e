/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks have no length, so a cell has a sign if any mark is in it. The cells beside it have the
 * name of the first mark in the cell, or of the selected one, and how many more there are. Where
 * the next marks are near, the sign is a thin line: a row full of large signs would be the loudest
 * of the chart. A column shorter than a nanosecond repeats the time of the one before it, and stays
 * blank. A mark hides what is narrower than its cell. */
#include "config.h"

#include "draw/flame/mark_row.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/flame.h"
#include "draw/flame/label.h"
#include "model/lane_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== mark line ====
 *
 * A line goes behind everything: boxes keep their colour and their label, and a line fills only
 * blank cells. Where marks are dense, lines would hide the chart: of a lane of marks with one in
 * more than an eighth of the columns only the selected mark has a line. */

#define DENSE 8 /* columns for each line, at least */
#define LINE 0x2502u
#define LINE_ASCII '!'

/* Whether marks of lane `a` are about lane `b`. */
static bool is_about(const struct lane *a, const struct lane *b)
{
	return a != b && (a->pid == LANE_NO_ID || (a->pid == b->pid && a->input == b->input));
}

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

void mark_line_find(struct mark_lines *m, const struct flame *flame)
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
		m->lines = xgrow(m->lines, &m->cap, (size_t)m->n + 1, sizeof *m->lines);
		m->lines[m->n++] = (struct mark_line){ i, has };
	}
}

void mark_line_done(struct mark_lines *m)
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

		if (cell->ch != ' ' || grid_is_beside_text(g, row, col))
			continue;
		cell->ch = is_ascii ? LINE_ASCII : LINE;
		cell->ink = is_selected ? ROLE_KEY : ROLE_DIM;
		/* Not brighter on the band of a title than on the rows below it. */
		if (!is_selected && cell->fill == ROLE_TITLE)
			cell->flags |= CELL_DIM_INK;
	}
}

void mark_line_draw(const struct mark_lines *m, struct grid *g, struct rect r, int lane)
{
	const struct chart *chart = m->chart;

	for (int i = 0; i < m->n; i++) {
		const struct mark_line *line = &m->lines[i];

		if (!is_about(chart->lanes[line->lane].lane, chart->lanes[lane].lane))
			continue;
		for (int c = 0; c < m->cols; c++)
			if (line->has[c] && r.col + c >= 0 && r.col + c < g->cols)
				draw_column(g, r, r.col + c, chart->is_ascii, line->has[c] == 2);
	}
}

/* ==== mark row ==== */

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
		bool is_match = !chart->matches.labels && chart_is_match(chart, of, out->mark.node);

		if (!is_match && out->n > 1 && chart->match_rows && chart->match_rows[lane] &&
		    match_rows_has(chart->match_rows[lane], t0, end, depth))
			out->flags = CELL_HINT;
		else
			out->flags = is_match ? CELL_MATCH : CELL_DIM;
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
	char more[UNITS_MAX + 4] = "", count[UNITS_MAX];

	if (place->n >= LOOKED_MAX && chart->lanes[lane].lane->kind != LANE_MARKS) {
		snprintf(more, sizeof more, " +\342\200\246");
	} else if (place->n > 1) {
		units_count(place->n - 1, count);
		snprintf(more, sizeof more, " +%s", count);
	}
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

static uint32_t sign_of(const struct chart *chart, const struct mark_cell *place)
{
	if (place->is_dense && !place->is_selected)
		return chart->is_ascii ? '|' : THIN_SIGN;
	return chart->is_ascii ? MARK_ROW_SIGN_ASCII : MARK_ROW_SIGN;
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
	struct cell *cell = grid_at(g, row, col + place->c);
	struct buf name = { 0 };

	*cell = (struct cell){
		.ch = sign_of(chart, place),
		.ink = place->is_selected ? ROLE_LABEL : role,
		.fill = place->is_selected ? role : ROLE_PLAIN,
		.flags = (uint16_t)(place->flags | (place->is_selected ? CELL_SELECTED : 0)),
	};
	/* The beginning of a name is better than none, and the whole name better than that. */
	if (room < NAME_MIN || (room < left && !fits(short_name_of(chart, lane, place), room))) {
		room = left;
		at = place->c - GAP - left;
	}
	add_name(chart, lane, place, room, &name);
	cells = text_cells(buf_text(&name), name.len);
	if (at < place->c)
		at = place->c - GAP - cells;
	grid_put(g, row, col + at, cells, buf_text(&name), name.len,
		 place->is_selected ? ROLE_PLAIN : ROLE_DIM);
	if (place->is_selected || place->flags & CELL_MATCH)
		grid_flag(g, row, col + at, cells, CELL_BOLD);
	buf_done(&name);
	return at + cells > place->c ? at + cells : place->c + 1;
}

void mark_row_draw(const struct flame *f, struct grid *g, int lane, int depth, int row, int col)
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
