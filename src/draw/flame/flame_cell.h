/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One cell of a row of boxes: the characters by rules 1 to 4 of flame.c. Terms: a box is a span
 * that takes a cell or more; a seam is a thin line between two boxes; a shared cell shows several
 * spans. Private to flame.c. */
#ifndef FLAMETTY_DRAW_FLAME_FLAME_CELL_H
#define FLAMETTY_DRAW_FLAME_FLAME_CELL_H

#include "analyse/cover.h"
#include "base/buf.h"
#include "draw/chart.h"
#include "draw/flame/label.h"

#include <stdbool.h>

enum cell_kind {
	CELL_KIND_BLANK,  /* no span */
	CELL_KIND_FULL,   /* `left` from edge to edge */
	CELL_KIND_END,    /* `left` ends, no other span */
	CELL_KIND_START,  /* `right` begins, no other span */
	CELL_KIND_EDGE,   /* `left` ends where `right` begins */
	CELL_KIND_GAP,    /* `left` ends; after a gap, `right` begins */
	CELL_KIND_INSIDE, /* `left` begins and ends inside, no other span */
	CELL_KIND_SHARED  /* anything else: several spans */
};

struct piece {
	enum cell_kind kind;
	struct span left, right;
};

/* A cell of [t0, t1), with spans of no length in [t0, end); end is t1, or t1 + 1 at the end of the
 * time line. `cover` is the result of cover_column() for [t0, end); `first` and `last` are the
 * samples at t0 and at end - 1. */
struct cell_kind_cell {
	const struct cover_cell *cover;
	int64_t t0, t1, end;
	size_t first, last;
};

#define FLAME_LIGHT_SHADE 0x2591u
#define FLAME_SEAM 0x258Fu /* a left block of one eighth */
#define FLAME_EIGHTHS 8    /* parts of a cell */
#define FLAME_SNAP 1 /* eighths: an end as near to the border of a cell stands on the border */

/* Shared cells up to the last one (flame_mix_note()). */
#define FLAME_MIX_COUNTS 24

struct flame_mix_count {
	frame_id frame;
	int64_t ns;
};

struct flame_mix {
	int run;            /* cells in which `frame` has most time */
	int64_t run_ns;     /* its time in the first of them */
	int64_t run_all_ns; /* all time in these */
	frame_id frame;
	int stretch;    /* cells of one role that are in no long run */
	int64_t all_ns; /* all time in them */
	uint8_t role;
	struct flame_mix_count counts[FLAME_MIX_COUNTS]; /* by function */
	int n_counts;
};

/* A box whose cells are drawn. Columns are those of the walk. */
struct flame_box {
	struct span span;
	int from, cells;
	int label_from, label_end; /* room for the label */
	uint8_t role;
};

/* The walk along one row of a lane, from left to right. */
struct flame_walk {
	struct grid *g;
	const struct chart *chart;
	const struct lane *lane;
	int lane_index;
	int depth;
	int thread_row; /* chart_first_row() more than `depth` */
	int row, col;
	bool is_top; /* the first row that is drawn */
	int64_t window_t0, window_t1;
	struct buf text;

	struct match_rows *matches;   /* of the lane; NULL: no match to highlight */
	struct cell_kind_cell cell;   /* the cell that is drawn */
	int c;                        /* its column */
	const struct lane *left_lane; /* NULL: that of the walk; otherwise the span on the left of
					 the cell's edge is of this lane (flame.h) */

	/* In lanes of samples: the boxes that were closed. Their labels are put when the row is
	 * settled, see flame_settle_row(). NULL: labels are put when a box is closed. */
	struct flame_box *boxes; /* owned by the caller: a column each */
	int n_boxes;

	struct span box;           /* the open box, if box_cells > 0 */
	int box_from, box_cells;   /* its first column, and its cells so far */
	int label_from, label_end; /* columns that the box fills from edge to edge */
	uint8_t box_role;
	uint16_t box_flags;

	struct span seen; /* if has_seen: the span that reaches the right edge of the last cell */
	bool has_seen;
	struct span beside; /* if has_beside: the span at the right side of the last cell */
	const struct lane *beside_lane; /* its lane */
	bool has_beside;
	int shared_end; /* the column after the last shared cell */
	struct flame_mix mix;
	bool has_selected; /* a cell with the selected span as its fill was drawn */
};

static inline uint8_t flame_cell_role(const struct flame_walk *w, node_id node)
{
	if (change_is_of(w->chart->sides, w->chart->profile, w->lane))
		return (uint8_t)change_role(w->chart->sides, node);
	return (uint8_t)frame_roles_node(w->chart->roles, w->chart->profile, w->lane, node);
}

/* The same of a span of a lane, and of one of the lane of the walk. */
static inline uint8_t flame_cell_role_on(const struct flame_walk *w, const struct lane *lane,
					 const struct span *s)
{
	const struct frame_roles *roles = w->chart->roles;

	if (w->chart->sides)
		return flame_cell_role(w, s->node);
	if (roles && roles->profile == w->chart->profile && !roles->has_cnames)
		return (uint8_t)frame_roles_node(roles, w->chart->profile, lane, s->node);
	return (uint8_t)frame_roles_of_span(roles, w->chart->profile, lane, s);
}

static inline uint8_t flame_cell_span_role(const struct flame_walk *w, const struct span *s)
{
	return flame_cell_role_on(w, w->lane, s);
}

static inline void flame_cell_put(struct flame_walk *w, uint32_t ch, unsigned ink, unsigned fill,
				  unsigned flags)
{
	int col = w->col + w->c;

	if (flags & CELL_SELECTED)
		w->has_selected = true;
	if (w->row < 0 || w->row >= w->g->rows || col < 0 || col >= w->g->cols)
		return;
	*grid_at(w->g, w->row, col) = (struct cell){ ch, 0, (uint8_t)ink, (uint8_t)fill,
						     (uint16_t)flags };
}

static inline int64_t flame_cell_width(const struct flame_walk *w)
{
	return w->cell.t1 - w->cell.t0;
}

static inline bool flame_cell_is_narrow(const struct flame_walk *w, const struct span *s)
{
	return s->t1 - s->t0 < flame_cell_width(w);
}

/* Whether the search matches something in the row in this cell, as far as it is known. */
static inline bool flame_cell_has_match(const struct flame_walk *w)
{
	return w->matches && match_rows_has(w->matches, w->cell.t0, w->cell.end, w->depth);
}

/* Whether the cell on the left or right, where a span has `there` ns, draws the span, which has
 * `here` ns in this cell: it may leave an eighth out (flame_settle()). */
bool flame_cell_is_drawn_there(const struct flame_walk *w, int64_t there, int64_t here);

/* Draw the cell w->cell in column w->c, which `piece` classifies. */
void flame_cell_draw(struct flame_walk *w, const struct piece *piece);

/* Leave the cell blank, and end the open box. */
void flame_cell_draw_blank(struct flame_walk *w);

/* End the open box, if there is one. Its label is put, or the box is added to w->boxes. */
void flame_cell_close_box(struct flame_walk *w);

/* ---- flame settle ----
 *
 * Makes rows of a lane calmer: most cells get one colour. */

struct flame;

/* Change what the cell w->cell has to what is drawn there. */
void flame_settle(const struct flame_walk *w, struct piece *piece);

/* Make a row of a lane that has been drawn calmer, and put the labels of w->boxes. cells: what
 * covers its columns. */
void flame_settle_row(struct flame_walk *w, const struct flame *f, const struct cover_cell *cells);

/* ---- flame mix ----
 *
 * Names on shared cells. A run is a row of shared cells in which one function has most time in
 * each; a stretch is a row of shared cells of one colour without such runs. Private to flame.c. */

/* A shared cell, in which `node` has most time: it continues run and stretch, or begins them. Only
 * dense cells, with calls in at least half of their time, make runs. */
void flame_mix_note(struct flame_walk *w, node_id node, bool is_dense);

/* Column `end` is of another kind, or the row has ended: name the run, or the stretch. */
void flame_mix_close(struct flame_walk *w, int end);

#endif
