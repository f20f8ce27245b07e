/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many rows each open lane has: those of the depths that occur in the window, as far as all
 * open lanes fit on the screen together. */
#ifndef FLAMETTY_UI_CHART_FIT_H
#define FLAMETTY_UI_CHART_FIT_H

#include "ui/state.h"

/* Fit the rows of the open lanes, with their trunks folded, to the window and the screen, and
 * scroll so that what was at the top of the chart stays there. Call this when the window, the lanes
 * or the size have changed. The selection stays on the screen if it was there.
 * While the user zooms and pans (app->s.is_moving), rows are only added, and nothing is scrolled:
 * the selection may leave the screen until the next other key. */
void fit_lanes(struct app *app);

/* Whether Space opens or closes the row of the rest: the selection is in the last row above it, or
 * in a row that only has a place because it was opened. */
bool fit_is_at_rest(const struct app *app);

/* How many rows of calls lane `lane` wants in the window if it is open. */
int fit_wanted_rows(struct app *app, int lane);

#endif
