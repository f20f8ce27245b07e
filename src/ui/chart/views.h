/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of the chart: time order, left heavy, and callers and callees of one function. */
#ifndef FLAMETTY_UI_CHART_VIEWS_H
#define FLAMETTY_UI_CHART_VIEWS_H

#include "ui/state.h"

/* Show a view. The merged ones are about the range of the panes and the lanes in scope. */
void views_show(struct app *app, enum app_view view);

/* Back to the time line, if another view is on; what was merged is freed. */
void views_leave(struct app *app);

/* The frame that a command is about: of the pane's row if the pane has the focus, or of the
 * selected span. False, with a message: there is none. */
bool views_target(struct app *app, frame_id *frame);

#endif
