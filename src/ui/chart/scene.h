/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the chart shows: the lanes of a profile, the window, the selection, and what was computed
 * from them. The time line is one scene; each merged view is another one. The app owns the scene;
 * the scene borrows the profile. */
#ifndef FLAMETTY_UI_CHART_SCENE_H
#define FLAMETTY_UI_CHART_SCENE_H

#include "analyse/fold.h"
#include "draw/overview.h"
#include "draw/viewport.h"
#include "model/span_find.h"

#include <stdbool.h>

#define HISTORY_MAX 256 /* steps back */

enum history_kind { HISTORY_NONE, HISTORY_PAN, HISTORY_JUMP };

struct history {
	struct viewport views[HISTORY_MAX + 1];
	int at; /* the steps back: views before this one */
	int n;  /* views in use; those after `at` are the steps forward */
	enum history_kind last;
};

/* Note that the window was `before`, unless it is the same now. Consecutive pans count as one step.
 * The steps forward are dropped; if there are HISTORY_MAX steps back, the oldest is. */
void history_add(struct history *history, const struct viewport *before, const struct viewport *now,
		 enum history_kind kind);

/* Go one step: `view` becomes the window before (step -1) or after (1). False: there is none. */
bool history_go(struct history *history, int step, struct viewport *view);

struct app;

enum app_view { VIEW_TIME, VIEW_MERGED, VIEW_SANDWICH };

struct scene {
	const struct profile *profile; /* as it is, without folds; chart.profile is what is drawn */
	struct fold *fold;             /* NULL: nothing is folded */
	struct fold_wish fold_wish;    /* that it was made for; at first: nothing */
	/* The next folds, for folding_wish, while they are being made: is_folding; those before are
	 * drawn meanwhile. NULL: nothing will be folded. */
	bool is_folding;
	struct fold *folding;
	struct fold_wish folding_wish;
	unsigned serial;          /* each scene of an app has another one */
	struct chart_lane *lanes; /* chart.n_lanes */
	struct viewport view;
	struct chart chart; /* holds the selection and the options of drawing */
	struct overview overview;
	bool has_no_roles;        /* there is no memory for them */
	struct frame_roles roles; /* of `profile` and what is drawn, made for the first picture */
	int64_t self_ns;          /* of the selected span */
	int kinds; /* enum lanes_kinds: what is shown of threads with both slices and samples */
	bool is_moving;     /* by the last key, the user zoomed or panned: no row goes away */
	bool is_following;  /* the selection stays on the screen if rows come or go above it */
	bool wants_callees; /* fit_lanes() has to leave room for rows below the selection, once */
	bool has_goal;      /* after going to a caller, there is a callee to go back to: */
	int64_t goal_t;     /* the callee at this time */
	struct span_find same; /* the spans of same_frame in same.lane */
	frame_id same_frame;
	struct history history;
};

/* Begin a scene of `profile` as app->s, which is overwritten. Drawing options are kept. */
void scene_begin(struct app *app, const struct profile *profile);

/* Free what was computed for the pictures of a scene. The next picture computes it again. */
void scene_free_pictures(struct scene *s);

/* Free what app->s owns. */
void scene_end(struct app *app);

/* Replace the profile by another one with the same lanes at the same times. The window and open
 * lanes stay; the selection becomes the span at its place, if there is one. */
void scene_replace(struct app *app, const struct profile *profile);

/* Make the roles of the frames if they are not those of the profile and the colours that are shown.
 */
void scene_make_roles(struct app *app);

/* Forget what the panes and the search computed from the scene. */
void scene_forget_panes(struct app *app);

/* ---- folds ----
 *
 * Which lanes are drawn folded (analyse/fold.h), and the way between a span of the lane as it is
 * and the one that is drawn. The selection is a span of the lane that is drawn; tables, findings,
 * search and exports are about lanes as they are. */

/* Make the folds of the scene again, as the user wants them: of the lanes whose calls are shown,
 * as any other lane is folded when it is opened. The selection stays on the call that it is on, or
 * the row that this is folded into. */
void folds_make(struct app *app);

/* Fold a lane that is about to be shown. */
void folds_lane(struct app *app, int lane);

/* Whether other folds than those that are drawn are being made, in steps. */
static inline bool folds_are_busy(const struct scene *s)
{
	return s->is_folding;
}

/* Whether they were made for another wish, or not at all so far; make them again if that is so. */
bool folds_are_due(const struct app *app);
void folds_renew(struct app *app);

/* In steps: go on with the folds that are being made, or begin those that are due for what a search
 * has found; if none are due, fold lanes that have been opened. true: there is no such thing left
 * to do. */
bool folds_step(struct app *app, struct budget *budget);

/* Free the folds of all scenes because memory is short; they are made again for another wish. */
void folds_give_up(struct app *app);

/* Show or hide the folds of lanes as the user wants. Where a lane unfolds, the outermost call that
 * the selected row stood for is selected. */
void folds_follow(struct app *app);

/* Set what folds in all lanes. What takes longer than app->key_ns is left to folds_step(). */
void folds_set(struct app *app, enum fold_mode mode);

/* The span that is drawn for a span of a lane as it is. */
void folds_close(const struct scene *s, int lane, const struct span *span, struct span *out);

/* The call that commands are about, of the lane as it is; there is a selection. Of a row that
 * stands for several calls, the one that has most self time in the selected span or, if none has,
 * the one that calls the rows below. */
struct span folds_subject(const struct scene *s);

/* Its function. */
static inline frame_id folds_selected(const struct scene *s)
{
	return s->profile->lanes[s->chart.lane].tree.frame[folds_subject(s).node];
}

/* The selected call, of the lane as it is; there is one. */
struct span folds_selected_span(const struct scene *s);

#endif
