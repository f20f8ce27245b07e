/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selecting a range of time. It covers everything from the span with which the selection began to
 * the selected span, both clipped to the window, so all keys that move the selection extend it.
 * Meanwhile it is the range of panes, findings and copies, like a range that is kept. */
#ifndef FLAMETTY_UI_CHART_RANGE_H
#define FLAMETTY_UI_CHART_RANGE_H

#include "model/span.h"

#include <stdbool.h>

struct app;

/* One end: a span, clipped to the window; or the window, where nothing was selected. */
struct range_end {
	int64_t t0, t1;
	bool has_span;
	int lane;
	struct span span;
};

struct pinned_range {
	bool is_pinned; /* the panes are pinned to this range: */
	int64_t t0, t1;
	bool is_on;                      /* it is being selected: */
	struct range_end anchor, cursor; /* where that began, and the selection */
};

/* Take the range to the span that is selected now. Called after each command. */
void range_follow(struct app *app);

/* Set the range of the panes, in any order of its ends; it is at least 1 ns long. */
void range_set(struct app *app, int64_t t0, int64_t t1);

#endif
