/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scope of the panes and of merged views: a range of time, and lanes. */
#ifndef FLAMETTY_UI_PANE_PANE_SCOPE_H
#define FLAMETTY_UI_PANE_PANE_SCOPE_H

#include "analyse/totals.h"
#include "model/frame.h"
#include "ui/state.h"

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

/* Whether the scope is a lane without a time line: panes then show all of it, whatever the window;
 * and whether what it has are hit counts. */
bool pane_scope_is_timeless(const struct app *app);
bool pane_scope_is_hits(const struct app *app);

/* The range: the pinned one, or the window; the whole lane if it has no time line. */
void pane_scope_range(const struct app *app, int64_t *t0, int64_t *t1);

/* The lanes: the one with the cursor and those joined to it, or all visible lanes of its kind:
 * samples or slices. Returns their number; the caller frees *lanes. */
uint32_t pane_scope_lanes(const struct app *app, const struct lane ***lanes);

/* Range and lanes of the scope of the time line, even while a merged view is shown. Returns their
 * number; the caller frees *lanes. */
uint32_t pane_scope_of_time(const struct app *app, int64_t *t0, int64_t *t1,
			    const struct lane ***lanes);

/* The number of lanes of the scope of the time line, without joined ones. *kind is set to what they
 * are; it stays if there are none. */
uint32_t pane_scope_count(const struct app *app, enum lane_kind *kind);

struct pane_scope {
	struct view view;
	struct totals totals;
	struct view_work *making; /* makes the view; NULL: it is complete */
	int64_t t0, t1;
	bool is_complete;
};

/* Compute the totals of the scope, without idle time unless has_idle. False: there is no lane, or
 * memory was refused (base/alloc.h); otherwise the caller frees them with pane_scope_done(). */
bool pane_scope_init(const struct app *app, bool has_idle, struct pane_scope *scope);
void pane_scope_done(struct pane_scope *scope);

/* The same for the time and the lane of the selected span, wherever the window is. A span must be
 * selected. */
bool pane_scope_init_span(const struct app *app, bool has_idle, struct pane_scope *scope);

/* The same in steps, for the scope of the time line, even while a merged view is shown: begin, and
 * unless that returns false, call pane_scope_work() until it returns true. pane_scope_done() may be
 * called at any time after that. The lanes of the scene must stay until then. */
bool pane_scope_begin(const struct app *app, bool has_idle, struct pane_scope *scope);
bool pane_scope_work(struct pane_scope *scope, struct budget *budget);

#endif
