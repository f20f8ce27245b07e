/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counter lanes: each series a small graph of its highest value by column. */
#ifndef FLAMETTY_LAYOUT_COUNTER_H
#define FLAMETTY_LAYOUT_COUNTER_H

#include "layout/chart.h"

/* Rows that the series of a counter take together. */
int counter_rows(const struct lane *lane);

/* Draw rows [row, row + r.rows) of counter lane `lane` into `r`, whose cells are blank. A column is
 * as high as the highest value that holds anywhere in it; least and most of the whole lane are the
 * bottom (0, or below) and the top. */
void counter_draw(struct grid *g, const struct chart *chart, int lane, int row, struct rect r);

/* Append a value in short form: `12.3 M`. */
void counter_format(double value, struct buf *out);

#endif
