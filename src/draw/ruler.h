/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ruler above the lanes. */
#ifndef FLAMETTY_LAYOUT_RULER_H
#define FLAMETTY_LAYOUT_RULER_H

#include "draw/chart.h"

/* A time that the ruler shows by a letter. */
struct ruler_mark {
	char letter;
	int64_t t; /* ns since the start of the profile */
};

/* Draw one row of time marks for the window of the chart, at round times, and the marks of the
 * chart. */
void ruler_draw(struct grid *g, struct rect r, const struct chart *chart);

#endif
