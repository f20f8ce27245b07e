/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grid of a fleet (analyse/fleet.h): functions are rows; hosts, versions or times are columns;
 * the share of the busy time is a shade, and a number where it fits. */
#ifndef FLAMETTY_DRAW_FLEET_GRID_H
#define FLAMETTY_DRAW_FLEET_GRID_H

#include "analyse/fleet.h"
#include "draw/grid.h"

#include <stdbool.h>

#define FLEET_GRID_HEAD 1  /* rows above the cells: the names of the columns */
#define FLEET_GRID_FOOT 1  /* and below: the function with the cursor, and the legend */
#define FLEET_GRID_WIDTH 8 /* cells of a column, at most */

struct fleet_grid {
	const struct fleet_answers *answers;
	const struct fleet_table *table;
	const uint32_t *order; /* rows of the table, as they are shown */
	const double *median;  /* by row of the table */
	size_t row, col;       /* the cursor: index into order; column */
	size_t top, first;     /* the first row and column that are shown */
	int wanted;            /* cells of a column; 0: so that all columns are shown */
	bool is_total;         /* of total times, not of own ones */
	bool is_ascii;
	const char *function; /* about that with the cursor */
	/* Set by fleet_grid_place(): */
	int left;    /* cells left of the columns */
	int width;   /* of a column */
	int cols;    /* columns that are shown */
	double most; /* the largest share that is shown, of hosts that are judged if any is */
};

/* Find where the columns are, and scroll to the cursor. */
void fleet_grid_place(struct fleet_grid *grid, struct rect r);

/* Why a host is not judged; NULL: it is, or columns are no hosts. */
const struct fleet_unjudged *fleet_grid_unjudged(const struct fleet_grid *grid, size_t col);

/* Whether a cell stands out: a host that is different, or a time at which the share broke. */
bool fleet_grid_is_marked(const struct fleet_grid *grid, uint32_t function, size_t col);

/* The name of a column. Borrowed. */
const char *fleet_grid_name(const struct fleet_table *table, size_t col);

void fleet_grid_draw(struct grid *g, struct rect r, const struct fleet_grid *grid);

#endif
