/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The totals and rows of the pane that is shown, brought up to date when they are needed. */
#ifndef FLAMETTY_UI_PANE_PANE_ROWS_H
#define FLAMETTY_UI_PANE_PANE_ROWS_H

#include "model/frame.h"

#include <stdbool.h>

struct app;
struct budget;

/* Bring totals and rows of the pane up to date without a limit of time. False: the pane has no
 * totals, or is closed.
 */
bool pane_rows_update(struct app *app);

/* The same in two parts. pane_rows_count() computes the totals within the budget; true when they
 * are complete. pane_rows_show() makes the rows from the last complete totals; false: there are
 * none. */
bool pane_rows_count(struct app *app, struct budget *budget);
bool pane_rows_show(struct app *app);

/* Whether the pane has totals to show. */
bool pane_rows_exist(const struct app *app);

/* The function that a command is about: of the pane's row if the pane has the focus, or of the
 * selected span. False, with a message: there is none. */
bool pane_rows_target(struct app *app, frame_id *frame);

#endif
