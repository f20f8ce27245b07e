/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines from the selected slice to the slices to which its flows lead. */
#ifndef FLAMETTY_LAYOUT_FLOW_LINE_H
#define FLAMETTY_LAYOUT_FLOW_LINE_H

#include "draw/chart.h"

/* Draw them into `r`, where the lanes of `chart` have been drawn, if both slices are in view. Only
 * cells without text change. */
void flow_line_draw(struct grid *g, struct rect r, const struct chart *chart);

#endif
