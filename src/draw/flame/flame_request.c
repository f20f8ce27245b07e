/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of requests, after their boxes are drawn: cells get signs for what the request does there.
 * Rows of samples get the colours of requests. */
#include "config.h"

#include "draw/flame/flame_request.h"

#include "base/alloc.h"
#include "draw/flame/flame.h"
#include "draw/flame/flame_cell.h"
#include "findings/served_time.h"
#include "model/request.h"

#include <stdlib.h>

#define WAITING 0x2504u
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

/* Of a process, what each column is about. Its own work is the box itself. */
static void draw_served(const struct flame *f, const struct flame_walk *w)
{
	static const uint32_t signs[2][SERVED_PARTS] = { { 0, 0x2500, 0x2592, 0x2550, 0x00B7,
							   0x2591 },
							 { 0, '-', '%', '=', ':', '.' } };
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
