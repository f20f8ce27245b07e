/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells are in this order: one inside a box, one with one edge, one with two spans or more, and
 * whole cells for ASCII. The flags of a cell belong to its fill, so the selected span must be the
 * fill of at least one cell; otherwise it would be invisible. */
#include "config.h"

#include "draw/flame/flame_cell.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/flame.h"

#include <string.h>

/* ==== flame mix ====
 *
 * A run of RUN_MIN cells or more has the name of its function after U+2248 (about equal): mostly
 * this function, in many calls. Shorter runs belong to the stretch around them. A stretch has the
 * name of the function with most time among those that have most time in a cell: after U+2248 if
 * that is at least half of all time of the stretch, otherwise after `~` and with its share, which
 * is a lower bound: time in cells where another function has more does not count. */

#define RUN_MIN 8
#define STRETCH_MIN 14
#define LOOKS_MAX 8 /* spans of a cell that are looked at for its colour */

/* The role of a shared cell in which `node` has most time: that of one of its first spans there. */
static uint8_t flame_mix_role(const struct flame_walk *w, node_id node)
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

/* ==== flow sign ====
 *
 * The sign of a slice with flows. */

/* Whether a flow leads on from a span of lane `lane`, or flows only end in it: one character of
 * static text. NULL: it has no flow. */
static const char *flow_sign(const struct chart *chart, int lane, const struct span *span)
{
	const struct profile *p = chart->profile;
	bool leads_on = false;
	size_t first, n;

	/* Each request has one. */
	if (!p->n_flows || chart->is_merged || chart->lanes[lane].lane->has_requests)
		return NULL;
	n = profile_flows_of(p, (uint32_t)lane, span, &first);
	for (size_t i = 0; i < n && !leads_on; i++) {
		size_t at = p->flows_by_lane[first + i];

		leads_on = at + 1 < p->n_flows && p->flows[at + 1].flow == p->flows[at].flow;
	}
	if (!n)
		return NULL;
	if (chart->is_ascii)
		return leads_on ? ">" : "<";
	return leads_on ? "\342\206\222" : "\342\206\220";
}

/* ==== flame cell ==== */

#define SEAM_CELLS 4 /* a box of fewer has no room for a seam where an edge can stand for it */
#define LABEL_MIN 2  /* a box of fewer cells, without its seam, has no label */
#define QUIET_MIN 5  /* the same for idle time and (program): `(i` many times says nothing */
#define SAME_MIN 8   /* a shorter label is not marked where it has the selected function */

/* Lines, blocks and shades, which separate labels. */
#define BOX_DRAWING 0x2500
#define BOX_DRAWING_END 0x2600

static bool is_same(const struct span *a, const struct span *b)
{
	return a->node == b->node && a->t0 == b->t0;
}

static bool is_selected(const struct flame_walk *w, const struct span *s)
{
	return w->chart->has_selection && w->lane_index == w->chart->lane &&
		w->depth == w->chart->selected.depth && is_same(s, &w->chart->selected);
}

/* The position of time t in the cell, in eighths from its left edge: 0 to 8. */
static int eighths_at(const struct flame_walk *w, int64_t t)
{
	return (int)((double)(t - w->cell.t0) * FLAME_EIGHTHS / (double)flame_cell_width(w) + 0.5);
}

static inline uint16_t node_flags_on(const struct flame_walk *w, const struct lane *lane,
				     node_id node)
{
	const struct chart *chart = w->chart;
	unsigned flags = 0;

	if (match_set_is_of_spans(&chart->matches))
		flags |= flame_cell_has_match(w) ? CELL_MATCH : CELL_DIM;
	else if (chart->matches.frames)
		flags |= chart_is_match(chart, lane, node) ? CELL_MATCH : CELL_DIM;
	return (uint16_t)flags;
}

static inline uint16_t node_flags(const struct flame_walk *w, node_id node)
{
	return node_flags_on(w, w->lane, node);
}

static inline uint16_t span_flags(const struct flame_walk *w, const struct span *s)
{
	unsigned flags = node_flags(w, s->node);

	if (is_selected(w, s))
		flags |= CELL_SELECTED;
	return (uint16_t)flags;
}

/* A left block of 1 to 7 eighths: U+258F down to U+2589. */
static uint32_t left_block(int eighths)
{
	return 0x2590u - (uint32_t)eighths;
}

/* ---- boxes and their labels ---- */

static bool is_same_function(const struct flame_walk *w, node_id node)
{
	const struct chart *chart = w->chart;

	return chart->has_selection && chart->lane >= 0 && chart->lane < chart->n_lanes &&
		chart->lanes[chart->lane].lane->tree.frame[chart->selected.node] ==
		w->lane->tree.frame[node];
}

static void flag(struct flame_walk *w, int from, int end, unsigned flags)
{
	grid_flag(w->g, w->row, w->col + from, end - from, flags);
}

/* Mark the box if it is selected or has the selected function. Only few cells may change when the
 * selection moves: a line may be slow. label_cells: of its label; 0: it has none. */
static void mark_box(struct flame_walk *w, const struct flame_box *box, int label_cells)
{
	int from = box->from, end = from + box->cells;

	if (is_selected(w, &box->span)) {
		if (label_cells && box->label_from < from)
			from = box->label_from;
		flag(w, from, label_cells ? box->label_from + label_cells : end, CELL_SELECTED);
		flag(w, end - 1, end, CELL_SELECTED);
	} else if (label_cells >= SAME_MIN && is_same_function(w, box->span.node)) {
		flag(w, box->label_from, box->label_from + 1, CELL_SAME);
	}
}

/* Put the sign of a slice with flows into the last cell of its box. */
static void put_flow_sign(struct flame_walk *w)
{
	const char *sign = w->label_end > w->label_from
		? flow_sign(w->chart, w->lane_index, &w->box)
		: NULL;

	if (!sign)
		return;
	w->label_end--;
	grid_puts(w->g, w->row, w->col + w->label_end, 1, sign, ROLE_LABEL);
	/* A blank between label and sign, if there is room for both. */
	if (w->label_end - w->label_from > LABEL_MIN)
		w->label_end--;
}

/* Whether the cell before the label has a letter of another label. With ASCII, each box begins with
 * a seam. */
static bool touches_label(const struct flame_walk *w, const struct flame_box *box)
{
	int col = w->col + box->label_from - 1;
	const struct cell *cell;

	if (w->chart->is_ascii || box->label_from == 0 || w->row < 0 || w->row >= w->g->rows ||
	    col < 0 || col >= w->g->cols)
		return false;
	cell = grid_at(w->g, w->row, col);
	return cell->ch > ' ' && !(cell->ch >= BOX_DRAWING && cell->ch < BOX_DRAWING_END);
}

/* Whether a label of `room` cells would say less than the name of its row does, and hide what the
 * request does there. */
static bool is_told_by_row(const struct flame_walk *w, const struct flame_box *box, int room)
{
	const struct calltree *tree = &w->lane->tree;
	const char *name;
	size_t len;

	if (!w->lane->row_name || w->depth > 0)
		return false;
	name = label_name(w->chart->profile,
			  profile_frame(w->chart->profile, tree->frame[box->span.node]), &len);
	return text_cells(name, len) > room;
}

/* Put the label of a closed box. */
static void finish_box(struct flame_walk *w, struct flame_box *box)
{
	bool is_quiet = box->role == ROLE_IDLE || box->role == ROLE_PROGRAM;
	int room, label_cells = 0;

	if (touches_label(w, box))
		box->label_from++;
	room = box->label_end - box->label_from;
	if (room >= (is_quiet ? QUIET_MIN : LABEL_MIN) && !is_told_by_row(w, box, room)) {
		buf_clear(&w->text);
		change_box(w->chart->profile, w->lane, w->chart->sides, box->span.node, room,
			   &w->text);
		label_cells = grid_put(w->g, w->row, w->col + box->label_from, room,
				       buf_text(&w->text), w->text.len,
				       is_quiet ? ROLE_DIM : ROLE_LABEL);
	}
	mark_box(w, box, label_cells);
}

void flame_cell_close_box(struct flame_walk *w)
{
	struct flame_box box;

	if (!w->box_cells)
		return;
	put_flow_sign(w);
	box = (struct flame_box){ w->box,        w->box_from,  w->box_cells,
				  w->label_from, w->label_end, w->box_role };
	w->box_cells = 0;
	if (w->boxes)
		w->boxes[w->n_boxes++] = box;
	else
		finish_box(w, &box);
}

static inline void open_box(struct flame_walk *w, const struct span *s)
{
	if (w->box_cells && is_same(&w->box, s))
		return;
	flame_cell_close_box(w);
	w->box = *s;
	w->box_role = flame_cell_span_role(w, s);
	w->box_flags = node_flags(w, s->node);
	w->has_selected |= is_selected(w, s);
	w->box_from = w->label_from = w->label_end = w->c;
}

/* Note the span at the right side of the cell; NULL: the page, or several spans. */
static void set_beside(struct flame_walk *w, const struct span *s)
{
	w->has_beside = s != NULL;
	if (!s)
		return;
	w->beside = *s;
	w->beside_lane = w->lane;
}

/* Whether a box that begins at the left edge of this cell needs a seam there. */
static bool needs_seam(const struct flame_walk *w)
{
	if (!w->has_beside || (w->beside_lane == w->lane && is_same(&w->beside, &w->box)))
		return false;
	return w->box.t1 - w->box.t0 >= 2 * flame_cell_width(w) ||
		flame_cell_role_on(w, w->beside_lane, &w->beside) == w->box_role;
}

/* A cell that `s` covers from edge to edge. */
static void draw_full(struct flame_walk *w, const struct span *s)
{
	bool is_first, has_seam;

	open_box(w, s);
	if (match_set_is_of_spans(&w->chart->matches))
		w->box_flags = node_flags(w, s->node);
	is_first = w->box_cells == 0;
	if (w->chart->is_ascii)
		has_seam = is_first && (w->c > 0 || s->t0 >= w->window_t0);
	else
		has_seam = is_first && needs_seam(w);
	if (!has_seam)
		flame_cell_put(w, ' ', ROLE_LABEL, w->box_role, w->box_flags);
	else if (w->chart->is_ascii)
		flame_cell_put(w, '|', ROLE_LABEL, w->box_role, w->box_flags);
	else
		flame_cell_put(w, left_block(1), ROLE_PAGE, w->box_role, w->box_flags | CELL_SEAM);
	if (has_seam)
		w->label_from = w->c + 1;
	w->label_end = w->c + 1;
	w->box_cells++;
	set_beside(w, s);
}

void flame_cell_draw_blank(struct flame_walk *w)
{
	flame_cell_close_box(w);
	set_beside(w, NULL);
}

/* ---- cells with one edge ---- */

/* An edge within an eighth of the border of the cell stands on the border, unless a span that is
 * narrow or is seen nowhere else would change. That saves a cell with two colours, and the label
 * has one more cell. */
static int snap(const struct flame_walk *w, int k, const struct span *left,
		const struct span *right)
{
	if ((left && flame_cell_is_narrow(w, left)) || (right && flame_cell_is_narrow(w, right)))
		return k;
	if (k <= FLAME_SNAP && (!left || (w->box_cells && is_same(&w->box, left))))
		return 0;
	if (k >= FLAME_EIGHTHS - FLAME_SNAP && (!right || w->cell.t1 < w->window_t1))
		return FLAME_EIGHTHS;
	return k;
}

/* A narrow span has at least an eighth of the cell, and the cell is not all its own. */
static int keep_visible(const struct flame_walk *w, int k, const struct span *s)
{
	if (!flame_cell_is_narrow(w, s))
		return k;
	return k < 1 ? 1 : k > FLAME_EIGHTHS - 1 ? FLAME_EIGHTHS - 1 : k;
}

static void draw_end(struct flame_walk *w, const struct span *s)
{
	int k = snap(w, keep_visible(w, eighths_at(w, s->t1), s), s, NULL);

	if (k == FLAME_EIGHTHS) {
		draw_full(w, s);
		return;
	}
	if (k > 0) {
		flame_cell_put(w, left_block(k), flame_cell_span_role(w, s), ROLE_PLAIN,
			       span_flags(w, s));
		if (w->box_cells && is_same(&w->box, s))
			w->box_cells++;
	}
	flame_cell_draw_blank(w);
}

/* ink_flags: CELL_DIM_INK or 0. */
static void draw_start(struct flame_walk *w, const struct span *s, unsigned ink, unsigned ink_flags,
		       int k)
{
	open_box(w, s);
	flame_cell_put(w, left_block(k), ink, w->box_role, w->box_flags | ink_flags);
	w->box_cells++;
	w->label_from = w->label_end = w->c + 1;
	set_beside(w, s);
}

static void draw_start_after_blank(struct flame_walk *w, const struct span *s)
{
	int k = snap(w, keep_visible(w, eighths_at(w, s->t0), s), NULL, s);

	/* A box that ends at the left border keeps its seam: there is a gap. */
	if (k > 0)
		set_beside(w, NULL);
	if (k == FLAME_EIGHTHS)
		flame_cell_draw_blank(w);
	else if (k == 0)
		draw_full(w, s);
	else
		draw_start(w, s, ROLE_PAGE, 0, k);
}

/* ---- cells with more ---- */

/* Several spans; `node` determines the colour. */
static void draw_shared(struct flame_walk *w, node_id node)
{
	const struct span *sel = &w->chart->selected;
	const struct cover_cell *cover = w->cell.cover;
	unsigned role = flame_mix_role(w, node), flags = node_flags(w, node) | CELL_SHARED;
	bool is_ascii = w->chart->is_ascii;

	/* A selected span without a cell of its own must be visible in a shared one. */
	if (w->chart->has_selection && w->lane_index == w->chart->lane && w->depth == sel->depth &&
	    sel->t0 < w->cell.end && (sel->t1 > w->cell.t0 || sel->t0 == w->cell.t0) &&
	    (node == sel->node || sel->t1 - sel->t0 < 2 * flame_cell_width(w)))
		flags |= CELL_SELECTED;
	if (cover->all_ns >= flame_cell_width(w) / 2 && cover->all_ns > 0)
		flame_cell_put(w, is_ascii ? ':' : FLAME_LIGHT_SHADE, ROLE_LABEL, role, flags);
	else if (cover->all_ns >= flame_cell_width(w) / FLAME_EIGHTHS && cover->all_ns > 0)
		flame_cell_put(w, is_ascii ? ':' : FLAME_LIGHT_SHADE, ROLE_LABEL, role,
			       flags | CELL_THIN);
	else
		flame_cell_put(w, is_ascii ? '|' : left_block(1), role, ROLE_PLAIN,
			       cover->parts > 1 ? flags : flags & ~(unsigned)CELL_SHARED);
	flame_cell_close_box(w);
	set_beside(w, NULL);
	w->shared_end = w->c + 1;
}

/* One span with the page on both sides: choose the character whose ends are nearest to those of the
 * span. */
static void draw_inside(struct flame_walk *w, const struct span *s)
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
	double scale = 16.0 / (double)flame_cell_width(w);
	double from = (double)(s->t0 - w->cell.t0) * scale,
	       end = (double)(s->t1 - w->cell.t0) * scale, best = 1e9;
	uint8_t role = flame_cell_span_role(w, s);
	uint16_t flags = span_flags(w, s);
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
		flame_cell_put(w, shapes[shape].ch, ROLE_PAGE, role, flags);
	else
		flame_cell_put(w, shapes[shape].ch, role, ROLE_PLAIN, flags);
	flame_cell_close_box(w);
	set_beside(w, NULL);
}

/* Draw a cell with two spans that touch. */
static void draw_edge(struct flame_walk *w, const struct span *left, const struct span *right)
{
	bool is_coarse = !w->left_lane && !flame_cell_is_narrow(w, left) &&
		!flame_cell_is_narrow(w, right);
	const struct lane *lane = w->left_lane ? w->left_lane : w->lane;
	int k = eighths_at(w, right->t0);

	/* The fill carries the flags: a selected span must not appear as ink only. */
	if (!w->left_lane && is_selected(w, left) && !w->has_selected) {
		draw_shared(w, left->node);
		return;
	}
	if (!is_coarse)
		k = k < 1 ? 1 : k > FLAME_EIGHTHS - 1 ? FLAME_EIGHTHS - 1 : k;
	else if (flame_cell_span_role(w, left) == flame_cell_span_role(w, right))
		k = k > FLAME_EIGHTHS / 2 ? FLAME_EIGHTHS : 0;
	else if (k < FLAME_EIGHTHS - FLAME_SNAP ||
		 right->t1 - right->t0 >= SEAM_CELLS * flame_cell_width(w))
		k = snap(w, k, left, right);
	if (k == FLAME_EIGHTHS) {
		draw_full(w, left);
	} else if (k == 0) {
		/* A span that is seen only in the shared cell before has another tone there. */
		set_beside(w, w->box_cells && is_same(&w->box, left) ? left : NULL);
		draw_full(w, right);
	} else {
		draw_start(w, right, flame_cell_role_on(w, lane, left),
			   node_flags_on(w, lane, left->node) & CELL_DIM ? CELL_DIM_INK : 0, k);
	}
}

bool flame_cell_is_drawn_there(const struct flame_walk *w, int64_t there, int64_t here)
{
	double eighth = (double)flame_cell_width(w) / FLAME_EIGHTHS;

	return there > 0 &&
		((double)there >= (FLAME_SNAP + .5) * eighth ||
		 (double)here < (FLAME_SNAP + 1) * eighth);
}

/* A cell with a span, a gap and a span. If the smaller span is drawn in the cell beside this one,
 * leave it out, so that the gap is visible. */
static void draw_gap(struct flame_walk *w, const struct span *left, const struct span *right)
{
	bool is_left = left->t1 - w->cell.t0 >= w->cell.t1 - right->t0;

	if (is_selected(w, left) || is_selected(w, right))
		is_left = is_selected(w, left);
	if (is_left ? !flame_cell_is_drawn_there(w, right->t1 - w->cell.t1, w->cell.t1 - right->t0)
		    : !flame_cell_is_drawn_there(w, w->cell.t0 - left->t0, left->t1 - w->cell.t0))
		draw_shared(w, w->cell.cover->node);
	else if (is_left)
		draw_end(w, left);
	else
		draw_start_after_blank(w, right);
}

/* ---- whole cells ---- */

/* Whether a span takes this cell when spans are rounded to whole cells: it covers at least half of
 * the cell or, if it is narrow, its middle is here. */
static bool takes_cell(const struct flame_walk *w, const struct span *s)
{
	int64_t from = s->t0 > w->cell.t0 ? s->t0 : w->cell.t0,
		end = s->t1 < w->cell.t1 ? s->t1 : w->cell.t1;
	int64_t middle = s->t0 + (s->t1 - s->t0) / 2;

	if (flame_cell_is_narrow(w, s))
		return middle >= w->cell.t0 && middle < w->cell.t1;
	return (end - from) * 2 >= flame_cell_width(w);
}

static void draw_whole(struct flame_walk *w, const struct piece *piece)
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
		/* A narrow span has only this cell, so it wins; two narrow spans share the cell. */
		if (flame_cell_is_narrow(w, left) && flame_cell_is_narrow(w, right))
			draw_shared(w, is_selected(w, left) ? left->node : w->cell.cover->node);
		else
			draw_full(w, flame_cell_is_narrow(w, left) ? left : right);
	} else if (takes_left || takes_right) {
		draw_full(w, takes_left ? left : right);
	} else if (left && right && left->t1 == right->t0) {
		draw_full(w, flame_cell_is_narrow(w, left) ? right : left);
	} else {
		flame_cell_draw_blank(w);
	}
}

void flame_cell_draw(struct flame_walk *w, const struct piece *piece)
{
	if (piece->kind == CELL_KIND_BLANK)
		flame_cell_draw_blank(w);
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

/* Whether a span is seen in the cell beside this one, of which it takes `ns`. */
static bool is_seen(const struct flame_walk *w, int64_t ns)
{
	return (double)ns * FLAME_EIGHTHS >= (double)flame_cell_width(w) * (FLAME_SNAP + 1);
}

/* Whether the span on the left, or right, of the edge in this cell can be left out: it is seen in
 * the cell beside this one, or is one of the spans that share that. The other one is NULL or takes
 * the rest of the cell. */
static bool can_drop_left(const struct flame_walk *w, const struct span *left,
			  const struct span *right)
{
	return eighths_at(w, left->t1) <= FLAME_SNAP && w->c > 0 && left->t0 < w->cell.t0 &&
		(w->shared_end == w->c || is_seen(w, w->cell.t0 - left->t0)) &&
		!is_selected(w, left) && !(right && flame_cell_is_narrow(w, right));
}

static bool can_drop_right(const struct flame_walk *w, const struct span *left,
			   const struct span *right)
{
	return eighths_at(w, right->t0) >= FLAME_EIGHTHS - FLAME_SNAP &&
		flame_cell_is_narrow(w, right) && w->cell.t1 < w->window_t1 &&
		is_seen(w, right->t1 - w->cell.t1) && !is_selected(w, right) &&
		!(left && flame_cell_is_narrow(w, left));
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

	if (last >= samples->n || tree->rows[samples_leaf(samples, last)] < rows)
		return false;
	out->t0 = samples_time(samples, samples_run_start(samples, last, rows));
	return has_right(w, out) && span_of_sample(samples, tree, last, w->depth, out) &&
		out->t1 >= w->cell.t1 && gets_right(w, out);
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
	struct span s;

	switch (piece->kind) {
	case CELL_KIND_SHARED:
		/* The span at its right edge needs a search: only where it can win. */
		if (w->box_cells && gets_left(w, &w->box))
			fill(piece, &w->box);
		else if (w->cell.cover->node_ns * 2 >= flame_cell_width(w) && find_right(w, &s))
			fill(piece, &s);
		break;
	case CELL_KIND_EDGE:
	case CELL_KIND_GAP:
		if (gets_left(w, left))
			fill(piece, left);
		else if (gets_right(w, right))
			fill(piece, right);
		else if (piece->kind == CELL_KIND_EDGE)
			piece->kind = CELL_KIND_SHARED;
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
	enum cell_kind kind = piece->kind;

	if (w->chart->is_ascii)
		return;
	if (w->lane->kind == LANE_SAMPLES && !must_show(w))
		round_cell(w, piece);
	else if (!w->left_lane &&
		 (kind == CELL_KIND_EDGE || kind == CELL_KIND_START || kind == CELL_KIND_END))
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
	if (is_left || !has_seam) {
		/* Let the label of the box on the left, or on the right, use the cells [from, end),
		 * which look like the box. next: the first box that begins at `from` or later. */
		struct flame_box *left = next > 0 ? &w->boxes[next - 1] : NULL,
				 *right = next < w->n_boxes ? &w->boxes[next] : NULL;

		if (is_left && left && left->label_end == from &&
		    left->label_end > left->label_from)
			left->label_end = end;
		else if (!is_left && right && right->from == end && right->label_from == end)
			right->label_from = from;
	}
}

/* Rules 4 and 5. */
static void settle_crowds(struct flame_walk *w, const struct flame *f,
			  const struct cover_cell *cells)
{
	struct cell *row = grid_at(w->g, w->row, w->col);

	/* Rule 4. */
	for (int c = 1; c + 1 < f->cols; c++) {
		int64_t width = f->t1[c] - f->t0[c];

		if (is_crowded(&row[c]) && row[c - 1].fill >= ROLE_IDLE &&
		    is_like(&row[c - 1], &row[c + 1]) && cells[c].node_ns * 3 < width * 2)
			row[c].fill = row[c - 1].fill;
	}
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
		finish_box(w, &w->boxes[i]);
	w->n_boxes = 0;
}
