/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of the chart: time order, left heavy, and callers and callees of one function. */
#ifndef FLAMETTY_UI_CHART_VIEWS_H
#define FLAMETTY_UI_CHART_VIEWS_H

#include "ui/state.h"

/* Show a view. The merged ones are about the range of the panes and the lanes in scope; frame: the
 * function whose callers and callees VIEW_SANDWICH shows. */
void views_show(struct app *app, enum app_view view, frame_id frame);

/* Go back to the time line from a merged view and free the merged profile. */
void views_leave(struct app *app);

#endif
