/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header, and the line about the selected span or row. On a narrow screen both leave out their
 * least important parts. A number is shown in full or not at all. */
#ifndef FLAMETTY_DRAW_DETAILS_H
#define FLAMETTY_DRAW_DETAILS_H

#include "draw/chart.h"
#include "draw/table/table.h"

struct details {
	const struct chart *chart;
	const struct span *span; /* a span of lane `lane`; NULL: chart->selected */
	int lane;
	int64_t self_ns;         /* self time of the span */
	const struct row *row;   /* the selected row of a table; NULL: the line is about the span */
	struct column_unit unit; /* of `row` */
	const char *text;        /* shown instead; NULL: none */
};

/* Draw file, process and thread, duration, samples, shares, warnings. */
void details_draw_header(struct grid *g, struct rect r, const struct chart *chart);

/* Set *text to what a user wrote to the selected span, from note *i on, which becomes that after
 * it. False: there is no more. */
bool details_note(const struct chart *chart, int *i, struct buf *text);

/* Draw name, location and times of the row, of the selected span, or of the lane. */
void details_draw(struct grid *g, struct rect r, const struct details *details);

#endif
