/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the chart shows: the lanes of a profile, where one is in them, and what was computed of
 * them. The time line is one scene; merged views are others, which come and go. */
#ifndef FLAMETTY_UI_CHART_SCENE_H
#define FLAMETTY_UI_CHART_SCENE_H

#include "layout/overview.h"
#include "ui/chart/history.h"
#include "analysis/seek.h"

struct app;

struct scene {
	const struct profile *profile;
	struct chart_lane *lanes; /* chart.n_lanes */
	struct viewport view;
	struct chart chart; /* holds the selection and the options of drawing */
	struct overview overview;
	int64_t self_ns; /* of the selected span */
	int kinds;     /* enum lanes_kinds: what is shown of threads that have slices and samples */
	bool has_goal; /* the way back down from a caller: */
	int64_t goal_t;   /* the callee at this time */
	struct seek same; /* of same_frame in same.lane */
	frame_id same_frame;
	struct history history;
};

/* Begin a scene of `profile` in the app; options of drawing stay as they are. */
void scene_begin(struct app *app, const struct profile *profile);

/* Free what the app's scene has; the profile is not the scene's. */
void scene_end(struct app *app);

/* The profile was replaced by one with the same lanes at the same times: keep the window, what is
 * open, and, as far as there is something, the place of the selection. */
void scene_replace(struct app *app, const struct profile *profile);

/* Forget what panes know of the scene. */
void scene_forget_panes(struct app *app);

#endif
