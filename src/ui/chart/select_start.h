/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is selected and open at first. */
#ifndef FLAMETTY_UI_CHART_SELECT_START_H
#define FLAMETTY_UI_CHART_SELECT_START_H

struct app;

/* Select the first lane and span of a new app. */
void select_start(struct app *app);

/* Open the lanes that are open at first, and scroll to the thread with the cursor. */
void select_start_show(struct app *app);

/* After the screen got another size: until the user does something, the first lanes are chosen anew
 * for it; later, the selection stays on the screen. */
void select_start_resized(struct app *app);

#endif
