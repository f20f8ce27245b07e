/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The transforms that are on, in order, with those that were undone behind them. */
#ifndef FLAMETTY_UI_CHART_TRANSFORMS_H
#define FLAMETTY_UI_CHART_TRANSFORMS_H

#include "analysis/view.h"

struct app;

struct transforms {
	struct transform *list;
	size_t n;     /* on */
	size_t n_all; /* with those that redo brings back */
	size_t cap;
	enum view_group group; /* what frames stand for */
};

void transforms_done(struct transforms *t);

/* Those that are on from the start; all that they point to is copied. To be called before anything
 * else. */
void transforms_start(struct app *app, const struct transform *list, size_t n,
		      enum view_group group);

/* Add one and apply all; what it points to is taken over: path, set and text are freed by whoever
 * frees the transforms. */
void transforms_add(struct app *app, const struct transform *transform);

/* Take the last one away; bring it back. False, with a message: there is none. */
bool transforms_undo(struct app *app);
bool transforms_redo(struct app *app);

/* Functions, files, packages, categories, in turn. */
void transforms_group(struct app *app);

/* `focus parse · drop idle · by package`, for the header; nothing where nothing is on. */
void transforms_format(const struct app *app, struct buf *out);

#endif
