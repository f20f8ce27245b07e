/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The boxes of a lane: one row of cells per depth. */
#ifndef FLAMETTY_DRAW_FLAME_FLAME_H
#define FLAMETTY_DRAW_FLAME_FLAME_H

#include "draw/chart.h"

#include <stddef.h>
#include <stdint.h>

struct cover_cell;
struct grid;
struct lane;
struct flame_over;

/* The columns of a picture, the same for all its lanes, and work space for one lane. Column c
 * covers [t0[c], t1[c]), which is never empty. */
struct flame {
	const struct chart *chart;
	int cols;
	int64_t *t0, *t1;
	struct cover_range *ranges; /* work space for a lane */
	uint8_t *is_unknown;        /* of the lane being drawn: 1 if the column is not known yet */
	size_t *first, *last; /* of the lane being drawn: samples at t0[c] and before flame_end() */
	struct cover_cell *cells; /* rows x cols of that lane */
	size_t cap_cells;
	struct flame_over *over; /* the same of lanes laid over each other */
	size_t cap_over;
};

/* Set the columns of `chart`, which must outlive `f`. */
void flame_init(struct flame *f, const struct chart *chart, int cols);
void flame_done(struct flame *f);

/* Column c shows what has no length if it is in [f->t0[c], flame_end()): the last column at the end
 * of the time line shows its last instant, too. */
static inline int64_t flame_end(const struct flame *f, int c)
{
	int64_t end = viewport_end(f->chart->view);

	return c + 1 == f->cols && end > f->t1[c] ? end : f->t1[c];
}

/* Compute the unknown columns of a lane within the budget: true when all are known. */
bool flame_prepare(const struct flame *f, int lane, struct budget *budget);

/* Draw depths [depth, depth + rows) of lane `lane`, and of those laid over it, at row, col, f->cols
 * cells wide, the last depth first if the lane is flipped. The cells must be blank. Nothing is
 * computed: columns that are not known stay blank, with the mark CHART_UNFINISHED in the row at the
 * top. */
void flame_draw(struct flame *f, struct grid *g, int lane, int depth, int rows, int row, int col);

/* ---- mark row ----
 *
 * A row with marks: a sign at each mark, with its name as far as there is room. Lanes of marks and
 * of objects have a row of nothing else; in other lanes slices may stand beside the marks. */

#define MARK_ROW_SIGN 0x25C6u
#define MARK_ROW_SIGN_ASCII '*'

/* The depth of the row that has nothing but marks; -1: the lane has none. */
static inline int mark_row_depth(const struct lane *lane)
{
	return lane->kind == LANE_MARKS ? 0 : lane->kind == LANE_OBJECTS ? 1 : -1;
}

/* Whether there is a mark in the row of such a lane in [t0, end). */
bool mark_row_has(const struct lane *lane, int64_t t0, int64_t end);

#endif
