/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The active transforms in order, followed by those that were undone. Owns what its transforms
 * point to. */
#ifndef FLAMETTY_UI_CHART_TRANSFORMS_H
#define FLAMETTY_UI_CHART_TRANSFORMS_H

#include "analysis/view.h"

struct app;

struct transforms {
	struct transform *list;
	size_t n;     /* active */
	size_t n_all; /* active ones and those that redo can bring back */
	size_t cap;
	enum view_group group; /* what frames stand for */
};

void transforms_done(struct transforms *t);

/* Set the transforms of the start; what they point to is copied. Call this before the other
 * functions. */
void transforms_start(struct app *app, const struct transform *list, size_t n,
		      enum view_group group);

/* Add a transform and apply all. Takes ownership of its path, set and text. */
void transforms_add(struct app *app, const struct transform *transform);

/* Undo the last transform; redo the last undone one. False, with a message: there is none. */
bool transforms_undo(struct app *app);
bool transforms_redo(struct app *app);

/* Let frames stand for the next of functions, files, packages, categories, lanes. */
void transforms_group(struct app *app);

/* Undo all transforms and the grouping without saying so. transforms_redo() brings the transforms
 * back, one by one. */
void transforms_drop(struct app *app);

/* Append `focus parse · drop idle · by package`, for the header; nothing if no transform is active.
 */
void transforms_format(const struct app *app, struct buf *out);

#endif
