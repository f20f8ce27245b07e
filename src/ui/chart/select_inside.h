/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The selection after the user asked for a window or a point in time: a span there, on the lane
 * with the cursor. So the next key begins at what is on the screen. */
#ifndef FLAMETTY_UI_CHART_SELECT_INSIDE_H
#define FLAMETTY_UI_CHART_SELECT_INSIDE_H

#include <stdint.h>

struct app;

/* If a selected span is outside the window, select one in the window: the span in its middle, at
 * the depth of the selection or as deep as calls go there, or its first callee that fits into the
 * window; if nothing runs in the middle, the longest outermost span.
 * Nothing is selected if nothing runs there or the lane is folded. Neither the window nor which
 * lanes are open changes.
 */
void select_inside(struct app *app);

/* Select the span at time t, at the depth of the selection, or as deep as calls go there. t: ns
 * since profile start, any value. The selection stays if there is no span. */
void select_inside_at(struct app *app, int64_t t);

#endif
