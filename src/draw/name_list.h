/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the chart shows of a profile without lanes: the processes and threads that have only a name,
 * a row for each process, and below it a row for each of its named threads. */
#ifndef FLAMETTY_LAYOUT_NAME_LIST_H
#define FLAMETTY_LAYOUT_NAME_LIST_H

#include "draw/chart.h"

/* The rows of the list; 0: the profile has no such names. */
int name_list_rows(const struct profile *profile);

/* Draw the rows from chart->view->scroll on into `r`, which is blank. */
void name_list_draw(struct grid *g, struct rect r, const struct chart *chart);

#endif
