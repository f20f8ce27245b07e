/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded rows of the chart (analyse/fold.h): which lanes are drawn folded, and the way between a
 * span of the lane as it is and the one that is drawn. The selection is a span of the lane that is
 * drawn; tables, findings, search and exports are about lanes as they are. */
#ifndef FLAMETTY_UI_CHART_FOLDS_H
#define FLAMETTY_UI_CHART_FOLDS_H

#include "analyse/fold.h"

struct app;
struct scene;

/* Make the folds of the scene again, as the user wants them. The selection stays on the call that
 * it is on, or the row that this is folded into. */
void folds_make(struct app *app);

/* Whether they were made for another wish, or not at all so far; make them again if that is so. */
bool folds_are_due(const struct app *app);
void folds_renew(struct app *app);

/* If nothing is due but what a search has found, do that in steps; true: there is no such thing
 * left to do. */
bool folds_step(struct app *app, struct budget *budget);

/* Free them; the lanes are those of the profile. The selection is void. */
void folds_drop(struct scene *scene);

/* Free the folds of all scenes because memory is short; they are made again for another wish. */
void folds_give_up(struct app *app);

/* Show or hide the folds of lanes as the user wants. Where a lane unfolds, the outermost call that
 * the selected row stood for is selected. */
void folds_follow(struct app *app);

/* Set what folds in all lanes. */
void folds_set(struct app *app, enum fold_mode mode);

/* A package and a function that are to have rows of their own when the folds are made; 0,
 * FRAME_NONE: none. */
void folds_note_apart(struct app *app, str_id package, frame_id function);

/* The span that is drawn for a span of a lane as it is. */
void folds_close(const struct scene *s, int lane, const struct span *span, struct span *out);

/* The call that commands are about, of the lane as it is; there is a selection. Of a row that
 * stands for several calls, the one that has most self time in the selected span or, if none has,
 * the one that calls the rows below. */
struct span folds_subject(const struct scene *s);

/* Its function. */
frame_id folds_selected(const struct scene *s);

/* The selected call, of the lane as it is; there is one. */
struct span folds_selected_span(const struct scene *s);

#endif
