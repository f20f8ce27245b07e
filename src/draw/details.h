/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header, and the line about the selected span or row. On a narrow screen both leave out their
 * least important parts. A number is shown in full or not at all. */
#ifndef FLAMETTY_LAYOUT_DETAILS_H
#define FLAMETTY_LAYOUT_DETAILS_H

#include "draw/chart.h"
#include "draw/table/column.h"

struct details {
	const struct chart *chart;
	const struct span *span; /* a span of the lane with the cursor; NULL: chart->selected */
	int64_t self_ns;         /* self time of the span */
	const struct row *row;   /* the selected row of a table; NULL: the line is about the span */
	struct column_unit unit; /* of `row` */
};

/* Draw file, process and thread, duration, samples, shares, warnings. */
void details_draw_header(struct grid *g, struct rect r, const struct chart *chart);

/* Draw name, location and times of the row, of the selected span, or of the lane. */
void details_draw(struct grid *g, struct rect r, const struct details *details);

/* The name of the lane's file without its folder; lane NULL: of the first file. There must be an
 * input. */
const char *details_file_name(const struct profile *profile, const struct lane *lane);

/* Append the name of a lane: `pid 5023 tid 1 worker`. */
void details_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out);

#endif
