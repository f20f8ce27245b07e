/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lanes are open, shown, and ready to be drawn. */
#ifndef FLAMETTY_UI_CHART_LANES_H
#define FLAMETTY_UI_CHART_LANES_H

#include "ui/state.h"

/* Decide what is open at first: samples and the slices of main threads. */
void lanes_init(struct app *app);

/* The lane with the title that lane `lane` stands below: itself, unless it is joined. */
int lanes_head(const struct app *app, int lane);

/* The next lane with a title that is shown, up or down from `lane`; -1: none. */
int lanes_next(const struct app *app, int lane, int step);

/* Open or fold a lane and those joined to it; opening opens its process too. */
void lanes_open(struct app *app, int lane, bool is_open);

/* Fold a process to its row, or open it. */
void lanes_shut(struct app *app, int lane, bool is_shut);

/* The first lane of a lane's process. */
int lanes_group(const struct app *app, int lane);

/* The first lane of a lane's thread. */
int lanes_thread(const struct app *app, int lane);

/* Make the covers of the lanes in view, and the one of lane `lane`. */
void lanes_make_covers(struct app *app);
struct cover *lanes_cover(struct app *app, int lane);

/* Slices and samples, slices only, samples only, for threads that have both. */
enum lanes_kinds { LANES_BOTH, LANES_SLICES, LANES_SAMPLES, LANES_KINDS };
void lanes_show_kinds(struct app *app, enum lanes_kinds kinds);

/* Hide the lane with the cursor; show all that were hidden. How many; 0: nothing to do. */
int lanes_hide(struct app *app);
int lanes_unhide(struct app *app);

#endif
