/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of RUN_MIN cells or more has the name of its function after U+2248 (about equal): mostly
 * this function, in many calls. Shorter runs belong to the stretch around them. A stretch has the
 * name of the function with most time among those that have most time in a cell: after U+2248 if
 * that is at least half of all time of the stretch, otherwise after `~` and with its share, which
 * is a lower bound: time in cells where another function has more does not count. */
#include "config.h"

#include "draw/flame/flame_mix.h"

#include "base/units.h"
#include "draw/flame/label.h"

#include <string.h>

#define RUN_MIN 8
#define STRETCH_MIN 14
#define LOOKS_MAX 8 /* spans of a cell that are looked at for its colour */

uint8_t flame_mix_role(const struct flame_walk *w, node_id node)
{
	const struct lane *lane = w->lane;
	size_t at = w->cell.first;
	struct span span;

	if (w->chart->sides || (w->chart->roles && !w->chart->roles->has_cnames))
		return flame_cell_role(w, node);
	for (int i = 0; i < LOOKS_MAX && at <= w->cell.last; i++) {
		if (!(i == 0 && span_of_sample(&lane->samples, &lane->tree, at, w->depth, &span)) &&
		    !span_next(&lane->samples, &lane->tree, w->depth, at, &span))
			break;
		if (span.node == node)
			return flame_cell_span_role(w, &span);
		at = span.end;
	}
	return flame_cell_role(w, node);
}

/* Put a name on the cells [from, from + cells); the first and the last one stay as they are. */
static void put_name(struct flame_walk *w, int from, int cells, const char *sign, frame_id frame,
		     const char *share)
{
	int room = cells - 2, used, hints = 0;
	size_t begin;

	buf_clear(&w->text);
	buf_addf(&w->text, " %s ", sign);
	begin = w->text.len;
	label_box(w->chart->profile, frame, room - 4 - (int)strlen(share), &w->text);
	if (w->text.len == begin)
		return;
	buf_addf(&w->text, "%s ", share);
	used = grid_put(w->g, w->row, w->col + from + 1, room, buf_text(&w->text), w->text.len,
			ROLE_LABEL);
	/* One ground for all of the name: that of most cells below it. */
	for (int c = 0; c < used; c++)
		hints += (grid_at(w->g, w->row, w->col + from + 1 + c)->flags & CELL_HINT) != 0;
	for (int c = 0; c < used; c++) {
		struct cell *cell = grid_at(w->g, w->row, w->col + from + 1 + c);

		cell->flags &= (uint16_t) ~(CELL_SHARED | CELL_THIN | CELL_HINT);
		cell->flags |= 2 * hints > used ? CELL_NAMED | CELL_HINT : CELL_NAMED;
	}
}

/* Name the stretch that ends before column `end`. */
static void close_stretch(struct flame_walk *w, int end)
{
	struct flame_mix *m = &w->mix;
	int best = 0;
	char share[UNITS_MAX + 2] = " ";

	for (int i = 1; i < m->n_counts; i++)
		if (m->counts[i].ns > m->counts[best].ns)
			best = i;
	if (m->stretch >= STRETCH_MIN && m->n_counts && m->counts[best].ns > 0) {
		bool is_most = m->counts[best].ns * 2 >= m->all_ns;

		units_share(m->counts[best].ns, m->all_ns, share + 1);
		put_name(w, end - m->stretch, m->stretch, is_most ? "\342\211\210" : "~",
			 m->counts[best].frame, is_most ? "" : share);
	}
	m->stretch = m->n_counts = 0;
	m->all_ns = 0;
}

static void close_run(struct flame_walk *w, int end)
{
	struct flame_mix *m = &w->mix;

	if (m->run >= RUN_MIN)
		put_name(w, end - m->run, m->run, "\342\211\210", m->frame, "");
	m->run = 0;
	m->run_ns = m->run_all_ns = 0;
}

void flame_mix_close(struct flame_walk *w, int end)
{
	close_run(w, end);
	close_stretch(w, end);
}

static void count(struct flame_mix *m, frame_id frame, int64_t ns)
{
	int i = 0;

	while (i < m->n_counts && m->counts[i].frame != frame)
		i++;
	/* Functions that come later than the first ones do not get the name. */
	if (i == FLAME_MIX_COUNTS)
		return;
	if (i == m->n_counts)
		m->counts[m->n_counts++] = (struct flame_mix_count){ .frame = frame };
	m->counts[i].ns += ns;
}

void flame_mix_note(struct flame_walk *w, node_id node, bool is_dense)
{
	struct flame_mix *m = &w->mix;
	frame_id frame = w->lane->tree.frame[node];
	uint8_t role = flame_mix_role(w, node);

	if (m->run && (m->frame != frame || !is_dense))
		close_run(w, w->c);
	if (m->stretch && m->role != role)
		close_stretch(w, w->c);
	m->frame = frame;
	m->role = role;
	m->run += is_dense;
	if (m->run > RUN_MIN)
		return;
	if (is_dense) {
		m->run_ns += w->cell.cover->node_ns;
		m->run_all_ns += w->cell.cover->all_ns;
	}
	m->stretch++;
	m->all_ns += w->cell.cover->all_ns;
	count(m, frame, w->cell.cover->node_ns);
	/* The run gets a name of its own: the stretch has ended before it. */
	if (m->run == RUN_MIN && is_dense) {
		count(m, frame, -m->run_ns);
		m->all_ns -= m->run_all_ns;
		m->stretch -= RUN_MIN;
		close_stretch(w, w->c + 1 - RUN_MIN);
	}
}
