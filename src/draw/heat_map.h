/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heat map of time: a column is a period of the time line, such as a second, and a cell a part
 * of it. The shade of a cell tells how busy the lane with the cursor was, or, while there is a
 * search, for which share of the time a match ran. What comes back with the period is a line from
 * left to right; what comes back with another one, a slope. */
#ifndef FLAMETTY_DRAW_HEAT_MAP_H
#define FLAMETTY_DRAW_HEAT_MAP_H

#include "base/buf.h"
#include "draw/chart.h"
#include "draw/overview.h"
#include "findings/findings.h"

#define HEAT_MAP_LEFT 11 /* cells left of the columns: times of the rows */
#define HEAT_MAP_HEAD 2  /* rows above the cells: what comes back, and the ruler */
#define HEAT_MAP_FOOT 1  /* and below: the cell with the cursor, in words */

/* Shares of the cell, in ACTIVITY_MAX-ths; above 0 if there is any. */
struct heat_cell {
	uint8_t busy, gc, match;
};

/* Where columns and cells are. Zeroed: there is no map. */
struct heat_grid {
	int lane;       /* of the chart */
	int64_t t0;     /* where column 0 begins */
	int64_t period; /* of a column, in ns */
	int64_t first;  /* the first column that is shown, */
	int cols;       /* how many are */
	int rows;       /* cells of a column */
	bool has_search;
	unsigned search; /* changes with it */
};

struct heat_map {
	struct heat_grid grid;   /* that `cells` are of */
	struct heat_cell *cells; /* column by column */
	int n_made;              /* known columns */
	int n_rows;              /* known cells of the next one */
	/* What comes back in the lane of the grid, in the whole time line. */
	bool has_signal, has_found;
	float *signal;      /* busy shares of equal parts of the time line, */
	size_t n, n_signal; /* of which n_signal are known */
	struct findings findings;
	int64_t found_ns; /* the period; 0: none was found */
	struct buf found; /* in words */
};

/* Forget all, as before the lanes are freed. A zeroed map may be forgotten. */
void heat_map_forget(struct heat_map *map);

/* The time at which a cell begins, and that at which the next one does. col: from grid.t0 on. */
int64_t heat_grid_time(const struct heat_grid *grid, int64_t col, int row);

/* The column and the row of a time. */
int64_t heat_grid_find(const struct heat_grid *grid, int64_t t, int *row);

/* How many cells a column has, at most `most`, so that each is a round part of the period. */
int heat_grid_rows(int64_t period, int most);

/* Compute the cells of a grid of the time line `chart` within the budget, and then what comes back.
 * search: complete if grid->has_search. True: all is known. */
bool heat_map_make(struct heat_map *map, const struct heat_grid *grid, const struct chart *chart,
		   struct search *search, struct budget *budget);

/* Append what ran in [t0, t1) of a lane of the chart: `busy 83 %, GC 2 %, mostly flushMetrics
 * 71 %`. */
void heat_map_tell(const struct chart *chart, int lane, int64_t t0, int64_t t1,
		   struct search *search, struct buf *out);

struct heat_picture {
	const struct heat_map *map;
	struct chart chart; /* the time line; its window does not count */
	int64_t cursor;     /* a time in the cell with the cursor */
	bool has_range;     /* cells outside of [t0, t1) are pale */
	int64_t t0, t1;
	const char *words; /* of the cell or the range */
	const char *what;  /* what the shade stands for: `busy`, or the search */
	const char *empty; /* why there is no map; NULL: there is one */
};

void heat_map_draw(struct grid *g, struct rect r, const struct heat_picture *picture);

#endif
