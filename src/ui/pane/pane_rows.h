/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The totals and rows of the pane that is shown, brought up to date when they are needed. */
#ifndef FLAMETTY_UI_PANE_PANE_ROWS_H
#define FLAMETTY_UI_PANE_PANE_ROWS_H

#include "model/frame.h"

#include <stdbool.h>

struct app;
struct budget;

/* Time that a command may take for rows before the next look at the keys. */
#define PANE_ROWS_KEY_NS INT64_C(30000000)

/* Bring totals and rows of the pane up to date for a command: the totals without a limit of time.
 * Rows that were open before and cannot be opened again in PANE_ROWS_KEY_NS stay closed. False: the
 * pane has no totals, or is closed. */
bool pane_rows_update(struct app *app);

/* The same in two parts, within a budget. pane_rows_count() computes the totals; true when they are
 * complete. pane_rows_show() makes the rows from the last complete totals, and sets *is_complete
 * when that is done; false: there are none. */
bool pane_rows_count(struct app *app, struct budget *budget);
bool pane_rows_show(struct app *app, struct budget *budget, bool *is_complete);

/* Whether the pane has totals to show. */
bool pane_rows_exist(const struct app *app);

/* The function that a command is about: of the pane's row if the pane has the focus, or of the
 * selected span. False, with a message: there is none. */
bool pane_rows_target(struct app *app, frame_id *frame);

/* Of a table of calls, up to date: whether the row with the cursor has none below it, so that it
 * can be neither opened nor closed. */
bool pane_rows_is_at_leaf(const struct app *app);

#endif
