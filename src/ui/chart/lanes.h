/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lanes are open, hidden, and ready to be drawn. */
#ifndef FLAMETTY_UI_CHART_LANES_H
#define FLAMETTY_UI_CHART_LANES_H

#include "ui/state.h"

/* Group the lanes of a new app, and fold the groups. */
void lanes_init(struct app *app);

/* Open the lanes that are open at first: the thread with the cursor, and other lanes of samples and
 * slices, the busiest first, as far as the screen has room for their rows. */
void lanes_open_first(struct app *app);

/* The lane to select at first: samples, the busiest, if there are any; -1: there is no lane. */
int lanes_best(const struct app *app);

/* The lane whose title `lane` is drawn below: `lane` itself unless it is joined to a lane above it.
 */
int lanes_head(const struct scene *scene, int lane);

/* The next lane that can have the cursor, above (step -1) or below (1) `lane`: one with a visible
 * title, or a joined one with rows. -1: none. */
int lanes_next(const struct app *app, int lane, int step);

/* Open or fold a lane and the lanes joined to it. Opening also opens its process. */
void lanes_open(struct app *app, int lane, bool is_open);

/* Fold the process of a lane to its row, or open it. No effect if lanes are not grouped. */
void lanes_shut(struct app *app, int lane, bool is_shut);

/* The first lane of a lane's process. */
int lanes_group(const struct app *app, int lane);

/* The first lane of a lane's thread. */
int lanes_thread(const struct app *app, int lane);

/* Whether the marks of lane `marks` are about the process of `lane`, or about the whole trace. */
bool lanes_is_about(const struct app *app, int marks, int lane);

/* Make the covers of the lanes in view; make, and return, the cover of lane `lane`. NULL: the lane
 * has no samples, or memory was refused (base/alloc.h): the lane is folded then. Owned by the
 * scene. */
void lanes_make_covers(struct app *app);
struct cover *lanes_cover(struct app *app, int lane);

/* Make the strips of the folded lanes in view (draw/overview.h), and free those of the others.
 */
void lanes_make_strips(struct app *app);
void lanes_free_strip(struct chart_lane *cl);

/* What is shown of threads that have both slices and samples. */
enum lanes_kinds { LANES_BOTH, LANES_SLICES, LANES_SAMPLES, LANES_KINDS };

/* Hide and show lanes accordingly. The caller moves the cursor (select_shown_lane()). */
void lanes_show_kinds(struct app *app, enum lanes_kinds kinds);

/* Hide the lane with the cursor and the lanes joined to it. False: it is the only one shown. The
 * caller moves the cursor (select_shown_lane()). */
bool lanes_hide(struct app *app);

/* Show all hidden lanes. Returns how many titles appear. */
int lanes_unhide(struct app *app);

/* Fold or open the pool of a lane. No effect if it is in none. */
void groups_fold_pool(struct app *app, int lane, bool is_folded);

/* Give each process on that row a row of its own. */
void groups_open_others(struct app *app);

/* After the flags of single lanes have been set: a pool, or a process, is folded if all of its
 * lanes are. */
void groups_settle(struct app *app);

/* After chart_lane.is_away has changed: find the lane with the row of other processes. It is below
 * the processes that have rows of their own, if a lane is there. */
void groups_place_others(struct app *app);

#endif
