/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header, and the line that says everything about the selected span or row.
 * Both leave out their least important parts where the screen is narrow; a number
 * is shown in full or not at all. */
#ifndef FLAMETTY_LAYOUT_DETAILS_H
#define FLAMETTY_LAYOUT_DETAILS_H

#include "layout/chart.h"
#include "layout/column.h"

struct details {
	const struct chart *chart;
	const struct span
		*span;   /* of the lane with the cursor, instead of chart->selected; NULL: that */
	int64_t self_ns; /* of the span */
	const struct row *row;   /* the selected row of a table; NULL: the span counts */
	struct column_unit unit; /* of `row` */
};

/* File, process and thread, duration, samples, shares, warnings. */
void details_draw_header(struct grid *g, struct rect r, const struct chart *chart);

/* Name, location and times of the row, of the selected span, or of the lane. */
void details_draw(struct grid *g, struct rect r, const struct details *details);

/* Append how a lane is called: `pid 5023 tid 1 worker`. */
void details_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out);

#endif
