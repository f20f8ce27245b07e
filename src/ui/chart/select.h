/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The selected span, and how it moves. All functions bring what they select into view; those that
 * return a bool return false, with a message in the status line, if there is nothing to select. */
#ifndef FLAMETTY_UI_CHART_SELECT_H
#define FLAMETTY_UI_CHART_SELECT_H

#include "draw/chart.h"
#include "ui/state.h"

#include <stdint.h>

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

/* The *n frames of the selected span's stack, from the outermost to its own. The caller frees the
 * array. A span must be selected. */
frame_id *select_path(const struct app *app, uint32_t *n);

/* Select a span of a lane that is drawn; or a call of the lane as it is. */
void select_span(struct app *app, int lane, const struct span *span);
void select_call(struct app *app, int lane, const struct span *call);

/* Put the cursor of counters at t. */
void select_value(struct app *app, int64_t t);

/* Whether the row of the selection is on the screen. */
bool select_is_shown(const struct app *app);

/* Scroll so that the selection is on the screen. */
void select_reveal_row(struct app *app);

/* Select a lane, and in it the span nearest to the time and row of the selection. */
bool select_lane(struct app *app, int lane);

/* Go back along a flow of the selected slice: from a request to what sent it. has: whether there
 * is one. */
bool select_initiator(struct app *app);
bool select_has_initiator(const struct app *app);

/* If the lane with the cursor is hidden, select the next lane that is shown. */
void select_shown_lane(struct app *app);

/* Select the longest span of a function in the window, on the lane with the cursor. */
bool select_frame(struct app *app, frame_id frame);

/* Select the longest span in the window that row `at` of a table stands for. */
bool select_row(struct app *app, struct rows *rows, size_t at);

/* Select the span that is drawn at a depth of a lane, or of those laid over it, in the column of
 * time [t0, t1): the one that covers most of it. */
bool select_drawn(struct app *app, int lane, int depth, int64_t t0, int64_t t1);

/* The time that zooming keeps in place: the middle of the visible part of the selection, or of the
 * window. */
int64_t select_anchor(const struct app *app);

#endif
