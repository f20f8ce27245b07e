/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The selected span, and how it moves. All bring what they select into view. */
#ifndef FLAMETTY_UI_CHART_SELECT_H
#define FLAMETTY_UI_CHART_SELECT_H

#include "ui/state.h"

/* What is selected at first. */
void select_start(struct app *app);

/* Scroll so that the thread with the cursor begins at the top, with what it states itself open. */
void select_show_thread(struct app *app);

/* The frames of the selected span's stack, outermost first, down to its own; to be freed. Something
 * must be selected. */
frame_id *select_path(const struct app *app, uint32_t *n);

/* The own time of a span. */
int64_t select_own_ns(const struct lane *lane, const struct span *span);

/* Select a span of a lane. */
void select_span(struct app *app, int lane, const struct span *span);

/* Scroll so that the selection is on the screen. */
void select_reveal_row(struct app *app);

/* One step; false, with a message, when there is none. */
bool select_sideways(struct app *app, bool is_next);
bool select_caller(struct app *app);
bool select_callee(struct app *app);
bool select_same(struct app *app, bool is_next);
bool select_lane(struct app *app, int lane);

/* Where a flow of the selected slice goes to, or comes from. */
bool select_flow(struct app *app, bool is_next);

/* The longest span in view of a function, on the lane with the cursor. */
bool select_frame(struct app *app, frame_id frame);

/* The longest span in view that a row of a table stands for. */
bool select_row(struct app *app, struct rows *rows, size_t at);

/* The span drawn at a depth in a column of time [t0, t1): the one with most of it. */
bool select_drawn(struct app *app, int lane, int depth, int64_t t0, int64_t t1);

/* The time that the camera turns on: the middle of what is seen of the selection, or
 * of the window. */
int64_t select_anchor(const struct app *app);

#endif
