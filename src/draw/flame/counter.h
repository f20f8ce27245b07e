/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counter lanes: each series is a small graph of its highest value per column. */
#ifndef FLAMETTY_LAYOUT_COUNTER_H
#define FLAMETTY_LAYOUT_COUNTER_H

#include "draw/chart.h"

/* Number of rows of all series of a counter. */
int counter_rows(const struct lane *lane);

/* Draw rows [row, row + r.rows) of the counter lane with number `index` into `r`, whose cells are
 * blank. The height of a column is the highest value anywhere in it. The scale goes from the
 * minimum (at most 0) to the maximum of the series in the whole lane. */
void counter_draw(struct grid *g, const struct chart *chart, int index, int row, struct rect r);

/* Append a value in short form: `12.3 M`. */
void counter_format(double value, struct buf *out);

#endif
