/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lanes are open, hidden, and ready to be drawn. */
#ifndef FLAMETTY_UI_CHART_LANES_H
#define FLAMETTY_UI_CHART_LANES_H

#include "ui/state.h"

/* Group the lanes of a new app, and fold the groups. */
void lanes_init(struct scene *s);

/* The lane whose title `lane` is drawn below: `lane` itself unless it is joined to a lane above it.
 */
static inline int lanes_head(const struct scene *scene, int lane)
{
	while (lane > 0 && scene->lanes[lane].lane->is_joined)
		lane--;
	return lane;
}

/* Open or fold a lane and the lanes joined to it. Opening also opens its process. */
void lanes_open(struct scene *s, int lane, bool is_open);

/* Fold the process of a lane to its row, or open it. No effect if lanes are not grouped. */
void lanes_shut(struct scene *s, int lane, bool is_shut);

/* Make the covers of the lanes in view; make, and return, the cover of lane `lane`. NULL: the lane
 * has no samples, or memory was refused (base/alloc.h): the lane is folded then. Owned by the
 * scene. */
void lanes_make_covers(struct app *app);
struct cover *lanes_cover(struct app *app, int lane);

/* Make the strips of the folded lanes in view (draw/overview.h), and free those of the others.
 */
void lanes_make_strips(struct app *app);

static inline void lanes_free_strip(struct chart_lane *cl)
{
	if (cl->strip)
		lane_strip_done(cl->strip);
	free(cl->strip);
	cl->strip = NULL;
}

/* What is shown of threads that have both slices and samples. */
enum lanes_kinds { LANES_BOTH, LANES_SLICES, LANES_SAMPLES, LANES_KINDS };

/* Hide and show lanes accordingly. The caller moves the cursor (select_shown_lane()). */
void lanes_show_kinds(struct scene *s, enum lanes_kinds kinds);

/* After the flags of single lanes have been set: a pool, or a process, is folded if all of its
 * lanes are. */
void groups_settle(struct scene *s);

/* Select the first lane and span of a new app; open the lanes that are open at first, and scroll to
 * the thread with the cursor; after the screen got another size, do that again, unless the user has
 * done something: then the selection stays on the screen. */
void select_start_first(struct app *app);
void select_start_show(struct app *app);
void select_start_resized(struct app *app);

#endif
