/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of requests, after their boxes are drawn: cells get signs for what the request does there.
 * Rows of samples get the colours of requests. */
#include "config.h"

#include "draw/flame/flame_request.h"

#include "base/alloc.h"
#include "base/text.h"
#include "draw/flame/flame.h"
#include "draw/flame/flame_cell.h"
#include "findings/served_time.h"
#include "model/request.h"

#include <stdlib.h>
#include <string.h>

#define WAITING 0x2504u
#define NAME_PART 4   /* of the columns: where boxes are, the name of a row is not longer */
#define OWNERS_MAX 64 /* busy times of a column that are looked at for its colour */

static bool is_text(const struct cell *cell)
{
	return cell->ch > ' ' && (cell->ch < 0x2500 || cell->ch > 0x259F);
}

/* Take the box away from cell `c` of a row: its name stays, elsewhere there is the sign. */
static void set_sign(const struct flame *f, const struct flame_walk *w, int c, uint32_t sign)
{
	struct cell *cell = grid_at(w->g, w->row, w->col + c);
	bool is_gap = cell->ch == ' ' && c && c + 1 < f->cols && is_text(cell - 1) &&
		is_text(cell + 1);

	cell->ink = cell->fill;
	cell->fill = ROLE_PLAIN;
	if (is_gap || is_text(cell))
		cell->ink = ROLE_PLAIN;
	else
		cell->ch = sign;
}

/* Whether the cell is part of one box. If its span is another one than `span`, find it. */
static bool next_span(const struct flame *f, const struct flame_walk *w, int c, struct span *span,
		      bool *is_new)
{
	const struct cell *cell = grid_at(w->g, w->row, w->col + c);

	*is_new = false;
	if (cell->fill < ROLE_IDLE || cell->flags & CELL_SHARED)
		return false;
	*is_new = f->t0[c] >= span->t1 &&
		span_at(&w->lane->samples, &w->lane->tree, w->depth, f->t1[c] - 1, span);
	return true;
}

/* Of a page, the time before the first byte is a line. */
static void draw_waiting(const struct flame *f, const struct flame_walk *w)
{
	const struct request *r = NULL;
	struct span span = { 0 };
	bool is_new;

	for (int c = 0; c < f->cols; c++) {
		if (!next_span(f, w, c, &span, &is_new))
			continue;
		if (is_new)
			r = request_of(w->chart->profile, w->lane, &span);
		if (r && f->t1[c] <= span.t0 + r->first_byte_ns)
			set_sign(f, w, c, w->chart->is_ascii ? '-' : WAITING);
	}
}

/* What most of the time of a column is about. *at: the first segment that may reach it. */
static enum served_part part_of(const struct served_segments *segments, size_t *at, int64_t t0,
				int64_t t1)
{
	int64_t ns[SERVED_PARTS] = { 0 };
	enum served_part most = SERVED_OWN;

	while (*at < segments->n && segments->all[*at].t1 <= t0)
		++*at;
	for (size_t i = *at; i < segments->n && segments->all[i].t0 < t1; i++) {
		const struct served_segment *x = &segments->all[i];

		ns[x->part] += (x->t1 < t1 ? x->t1 : t1) - (x->t0 > t0 ? x->t0 : t0);
		most = ns[x->part] > ns[most] ? x->part : most;
	}
	return most;
}

static const uint32_t signs[2][SERVED_PARTS] = { { 0, 0x2500, 0x2592, 0x2550, 0x00B7, 0x2591 },
						 { 0, '-', '%', '=', ':', '.' } };

void flame_request_legend(bool is_ascii, int room, struct buf *out)
{
	static const char *const words[SERVED_PARTS] = { "own CPU",        "waits",
							 "behind another", "no free connection",
							 "not read yet",   "unknown" };
	static const enum served_part order[] = { SERVED_OWN,  SERVED_BEHIND, SERVED_WAITS,
						  SERVED_FREE, SERVED_UNREAD, SERVED_UNKNOWN };
	size_t first = is_ascii ? 1 : 0;

	/* In ASCII a box has no sign. */
	for (size_t i = first; i < ARRAY_LEN(order); i++) {
		BUF_LOCAL text = { 0 };
		int cells;

		buf_adds(&text, i > first ? "  " : " \302\267 ");
		buf_add_utf8(&text, i ? signs[is_ascii][order[i]] : 0x2588);
		buf_addf(&text, " %s", words[order[i]]);
		cells = text_cells(buf_text(&text), text.len);
		if (cells > room)
			return;
		buf_add(out, buf_text(&text), text.len);
		room -= cells;
	}
}

/* Of a process, what each column is about. Its own work is the box itself. */
static void draw_served(const struct flame *f, const struct flame_walk *w)
{
	struct served_segments segments = { 0 };
	uint32_t served = SERVED_NONE;
	struct span span = { 0 };
	size_t at = 0;
	bool is_new;

	for (int c = 0; c < f->cols; c++) {
		enum served_part part;

		if (!next_span(f, w, c, &span, &is_new))
			continue;
		if (is_new) {
			served = served_time_find(w->chart->served, w->lane, &span);
			at = 0;
			if (served != SERVED_NONE)
				served_time_cut(w->chart->served, served, &segments);
		}
		if (served == SERVED_NONE)
			continue;
		part = part_of(&segments, &at, f->t0[c], f->t1[c]);
		if (part != SERVED_OWN)
			set_sign(f, w, c, signs[w->chart->is_ascii][part]);
	}
	free(segments.all);
}

/* What most of a column's time runs for: that in which the lane, which transforms may have changed,
 * has a stack. */
static uint8_t owner_of(const struct flame_walk *w, const struct served_thread *thread, int64_t t0,
			int64_t t1)
{
	const struct served *requests = w->chart->profile->served.requests;
	const struct samples *s = &w->lane->samples;
	int64_t ns[ROLE_COUNT] = { 0 };
	uint8_t most = ROLE_TASK;
	size_t at = served_time_after(thread, t0), end = at + OWNERS_MAX;

	for (; at < end && at < thread->n && thread->busy[at].t0 < t1; at++) {
		const struct served_busy *b = &thread->busy[at];
		str_id route = b->served != SERVED_NONE ? requests[b->served].name : 0;
		uint8_t role = (uint8_t)frame_roles_route(w->chart->roles, route);
		int64_t from = b->t0 > t0 ? b->t0 : t0;

		if (samples_leaf(s, samples_find(s, from)) != NODE_ROOT)
			ns[role] += (b->t1 < t1 ? b->t1 : t1) - from;
		most = ns[role] > ns[most] ? role : most;
	}
	return most;
}

/* Give boxes the colour of the route that they run for. */
static void draw_owners(const struct flame *f, const struct flame_walk *w)
{
	const struct served_thread *thread = served_time_thread(w->chart->served, w->lane);

	for (int c = 0; thread && thread->has_owners && c < f->cols; c++) {
		struct cell *cell = grid_at(w->g, w->row, w->col + c);
		uint8_t *roles[] = { &cell->fill, &cell->ink }, role = 0;

		for (size_t i = 0; i < ARRAY_LEN(roles); i++) {
			if (*roles[i] < ROLE_IDLE || *roles[i] == ROLE_IDLE || *roles[i] == ROLE_GC)
				continue;
			role = role ? role : owner_of(w, thread, f->t0[c], f->t1[c]);
			*roles[i] = role != ROLE_TASK ? role : *roles[i];
		}
	}
}

void flame_request_draw(const struct flame *f, const struct flame_walk *w)
{
	const struct frame_roles *roles = w->chart->roles;

	if (roles && roles->color == CHART_COLOR_REQUEST && w->chart->served &&
	    w->lane->kind == LANE_SAMPLES)
		draw_owners(f, w);
	if (w->lane->has_requests)
		draw_waiting(f, w);
	if (w->chart->served && w->lane->kind == LANE_ASYNC)
		draw_served(f, w);
}

/* ---- names of rows ---- */

/* Whether the name stands at the left of the row already, as the label of a box. */
static bool has_label(const struct grid *g, int row, int col, int cols, const char *name)
{
	size_t len = strlen(name);

	for (int from = 0; from < cols / NAME_PART; from++) {
		size_t k = 0;

		while (k < len && from + (int)k < cols &&
		       grid_at(g, row, col + from + (int)k)->ch == (unsigned char)name[k])
			k++;
		if (k == len)
			return true;
	}
	return false;
}

/* Put a name at the left of a row. Where boxes are, it stands on them: their colour stays. */
static void put_name(const struct flame *f, struct grid *g, int row, int col, const char *name)
{
	BUF_LOCAL text = { 0 };
	int cells, blank = 0, room;

	while (blank < f->cols && grid_at(g, row, col + blank)->ch == ' ' &&
	       grid_at(g, row, col + blank)->fill == ROLE_PLAIN)
		blank++;
	room = blank > f->cols / NAME_PART ? blank - 1 : f->cols / NAME_PART;
	if (blank <= text_cells(name, strlen(name)) && has_label(g, row, col, f->cols, name))
		return;
	text_fit(&text, name, strlen(name), room);
	cells = text_cells(buf_text(&text), text.len);
	for (int c = 0; c < cells; c++) {
		struct cell *cell = grid_at(g, row, col + c);

		if (cell->fill == ROLE_PLAIN && cell->ink >= ROLE_IDLE && !is_text(cell))
			cell->fill = cell->ink;
		cell->ch = ' ';
		cell->mark = 0;
	}
	grid_put(g, row, col, cells, buf_text(&text), text.len, ROLE_PLAIN);
	for (int c = 0; c < cells; c++)
		if (grid_at(g, row, col + c)->fill != ROLE_PLAIN)
			grid_at(g, row, col + c)->ink = ROLE_LABEL;
	/* What is left of the label of a box would be read as a part of the name. */
	for (int c = cells; c > 0 && c < f->cols &&
	     (is_text(grid_at(g, row, col + c)) ||
	      (grid_at(g, row, col + c)->fill == grid_at(g, row, col + c - 1)->fill &&
	       grid_at(g, row, col + c)->fill != ROLE_PLAIN));
	     c++)
		grid_at(g, row, col + c)->ch = ' ';
}

void flame_request_names(const struct flame *f, struct grid *g, int lane, int depth, int rows,
			 int row, int col)
{
	const struct chart_lane *cl = &f->chart->lanes[lane];
	str_id before = 0;

	for (int i = 0; i <= cl->n_over; i++) {
		str_id name = cl[i].lane->row_name;
		int first = chart_first_row(&cl[i]), at = first > depth ? first : depth;

		if (at >= first + cl[i].lane->max_depth || at >= depth + rows)
			continue;
		if (name && name != before)
			put_name(f, g, row + at - depth, col,
				 profile_text(f->chart->profile, name));
		before = name;
	}
}

/* The most time that one node has in a column of rows from `depth` on, and in how many rows there
 * is something. */
static int find_rest(const struct flame *f, int lane, int depth, int c, uint8_t *role)
{
	const struct chart_lane *cl = &f->chart->lanes[lane];
	int64_t most = -1;
	int n = 0;

	for (int i = 0; i <= cl->n_over; i++) {
		int first = chart_first_row(&cl[i]), n_rows = 0;
		int from = depth > first ? depth - first : 0;
		const struct cover_cell *column = !cl[i].cover || from >= cl[i].lane->max_depth
			? NULL
			: cover_known(cl[i].cover, f->t0[c], flame_end(f, c), from,
				      cl[i].lane->max_depth - from, &n_rows);

		for (int d = from; column && d < n_rows; d++) {
			if (column[d].node == NODE_ROOT)
				continue;
			n++;
			if (column[d].all_ns > most)
				*role = (uint8_t)frame_roles_node(f->chart->roles,
								  f->chart->profile, cl[i].lane,
								  column[d].node);
			most = column[d].all_ns > most ? column[d].all_ns : most;
		}
	}
	return n;
}

/* Append the names of the rows from `depth` on: `: GET /a, GET /b, ...`, to `room` cells in all. */
static void add_names(const struct flame *f, int lane, int depth, int room, struct buf *out)
{
	const struct chart_lane *cl = &f->chart->lanes[lane];
	const char *more = f->chart->is_ascii ? ", ..." : ", \342\200\246";
	str_id before = 0;
	bool is_first = true;

	for (int i = 0; i <= cl->n_over; i++) {
		str_id name = cl[i].lane->row_name;
		const char *text = profile_text(f->chart->profile, name);
		bool is_new = name && name != before && chart_first_row(&cl[i]) >= depth;

		before = name;
		if (!is_new)
			continue;
		if (text_cells(buf_text(out), out->len) + text_cells(text, strlen(text)) +
			    (int)strlen(more) + 2 >
		    room) {
			buf_adds(out, is_first ? "" : more);
			return;
		}
		buf_adds(out, is_first ? ": " : ", ");
		text_visible(out, text, strlen(text));
		is_first = false;
	}
}

void flame_request_rest(const struct flame *f, struct grid *g, int lane, int depth, int row,
			int col, struct buf *out)
{
	static const char ascii[] = " .:-=+*#@";

	for (int c = 0; c < f->cols; c++) {
		struct cell *cell = grid_at(g, row, col + c);
		uint8_t role = ROLE_PLAIN;
		int n = find_rest(f, lane, depth, c, &role), level = n < 4 ? 2 * n : 8;

		if (!n)
			continue;
		cell->ch = f->chart->is_ascii ? (unsigned char)ascii[level]
					      : 0x2580u + (unsigned)level;
		cell->ink = role;
	}
	add_names(f, lane, depth, f->cols / 2, out);
	buf_adds(out, " ");
}
