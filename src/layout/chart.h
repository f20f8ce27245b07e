/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flame chart: overview, ruler and lanes as cells. Pure: what is drawn depends
 * on the arguments alone. */
#ifndef FLAMETTY_LAYOUT_CHART_H
#define FLAMETTY_LAYOUT_CHART_H

#include "analysis/cover.h"
#include "analysis/match_rows.h"
#include "layout/frame_role.h"
#include "layout/grid.h"
#include "layout/viewport.h"
#include "model/profile.h"

/* A lane as the chart shows it: a title row (none for a joined lane), and, while open, one row
 * per depth, or the rows of a counter. */
struct chart_lane {
	const struct lane *lane;
	struct cover *cover; /* of this lane; not the chart's; NULL while nobody needed it: its rows
				stay blank */
	bool is_open;
	bool is_hidden;  /* takes no row at all */
	bool has_group;  /* the first of its process, with a row for the process above */
	bool is_shut;    /* its process is folded to that row */
	bool is_flipped; /* depth 0 is its last row */
};

struct overview;

struct chart {
	const struct profile *profile;
	const struct profile *
		base; /* it as loaded, whose lanes have what transforms leave out; NULL: the same */
	const struct chart_lane *lanes;
	int n_lanes;
	bool has_groups; /* lanes stand below rows of their processes */
	const struct viewport *view;
	const struct overview *overview; /* as wide as the picture; NULL: none, see overview.h */
	int lane;                        /* index of the lane with the cursor; -1: none */
	bool has_selection;
	struct span selected;   /* of `lane`, as span_at() gives it */
	const uint8_t *matches; /* by frame id: 1 where the search matches; NULL: no search */
	struct match_rows *const *match_rows; /* by lane: where that is, NULL where nothing matches;
						 NULL: not known */
	enum chart_color color;
	bool is_merged;            /* the axis is time spent, not time of day */
	const char *const *titles; /* of the lanes of a merged view; NULL: lanes have their own */
	const char *about; /* transforms that are on, and which view this is: for the header; NULL:
			      nothing */
	bool has_range;    /* a range is pinned: */
	int64_t range_t0, range_t1;
	bool is_ascii;   /* whole cells with `|` at starts, no block characters */
	bool is_partial; /* columns that are not known are drawn as unfinished; false: they are made
			  */
	bool is_absolute; /* ruler shows the clock of the file */
};

struct rect {
	int row, col, rows, cols;
};

/* Compute what the picture of the lanes needs within the budget, from the first column on: true
 * when all is known. */
bool chart_prepare(const struct chart *chart, struct rect r, struct budget *budget);

/* What stands in a column that is not known yet. */
#define CHART_UNFINISHED "\302\267"

/* The lanes from chart->view->scroll on. Costs the rows and columns of `r`, whatever lies
 * outside of it. */
void chart_draw_lanes(struct grid *g, struct rect r, const struct chart *chart);

/* Rows that all lanes take together, and the row on which lane `lane` begins. A lane that
 * has no time line takes its title only. */
int chart_height(const struct chart *chart);
int chart_lane_top(const struct chart *chart, int lane);

/* Rows of a lane above its depth 0: its process, its title, both, or none; and from there on. */
int chart_title_rows(const struct chart_lane *cl);
int chart_lane_rows(const struct chart_lane *cl);

/* The row of a depth below the title, and the other way round. */
int chart_row_of_depth(const struct chart_lane *cl, int depth);

/* Which lane, depth and time is at grid position row, col of a chart in `r`; whether a
 * span is there is for span_at() to say. False: below the last lane, or outside. lane_out
 * is set for titles too, depth_out is -1 then, and -2 on the row of a process. t_out: the middle of
 * the cell. */
bool chart_hit(const struct chart *chart, struct rect r, int row, int col, int *lane_out,
	       int *depth_out, int64_t *t_out);

#endif
