/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The active transforms in order, followed by those that were undone. Owns what its transforms
 * point to. */
#ifndef FLAMETTY_UI_CHART_TRANSFORMS_H
#define FLAMETTY_UI_CHART_TRANSFORMS_H

#include "analyse/view/as_recorded.h"
#include "analyse/view/scoped.h"
#include "base/buf.h"

/* A transform as the argument of a command: how it changes the calls, which ones, and of
 * BY_CATEGORY the category, otherwise 0. */
#define TRANSFORMS_COMMAND(kind, by, category) ((kind) + (by)*16 + (category)*256)

struct app;
struct app_options;

struct transforms {
	struct transform *list;
	size_t n;     /* active */
	size_t n_all; /* active ones and those that redo can bring back */
	size_t cap;
	enum view_group group; /* what frames stand for */
	unsigned raw;          /* AS_RECORDED_ bits: samples that are as recorded */
};

/* A change that is being computed. Until it is complete, the app shows what `before` makes. */
struct transforms_change {
	bool is_on;
	struct transforms before;   /* while it is on: those of what is shown */
	size_t n_same;              /* the first transforms that are the same before and after */
	bool has_base;              /* the samples change, too: */
	struct as_recorded *record; /* makes those of `next`; NULL: they are as loaded */
	struct scoped *next;
	struct transform *plan;   /* what `next` is made of: those that change call trees */
	struct scoped_work *work; /* makes `next`; NULL: there is none */
	bool is_due;              /* the work begins when `old` is freed */
	bool is_ready;            /* the work is complete */
	bool is_leaving;          /* it brings time back that was left out: Esc does not stop it */
	bool is_lacking;          /* memory was refused, and the change was given up (ui/app.c) */
	struct scoped **old;      /* what is not shown any more and not freed yet, n_old */
	size_t n_old, cap_old;
	struct buf said; /* the message when the change is shown; empty: none */
};

void transforms_free(struct app *app);

/* The functions that change transforms begin to apply all of them, and do what can be done in
 * app->key_ns. transforms_work() goes on. Another change begins anew. If it cannot be done because
 * a view would be too large, the transforms stay, and a message says so. */

/* Set the transforms of a new app: those of the app before, or else those of the options. What
 * cannot be kept is appended to app->lost. Call this before the other functions. */
void transforms_start(struct app *app, const struct app_options *options);

/* Let frames stand for functions, files, packages, categories or lanes. */
void transforms_group(struct app *app, enum view_group group);

/* Leave samples as recorded, or not. `what`: one of AS_RECORDED_. A message says if that cannot be
 * done, because the file was loaded in part. */
void transforms_set_raw(struct app *app, unsigned what, bool is_raw);

/* Whether work is left; do some of it within the budget. Returns whether the picture changed. */
bool transforms_is_busy(const struct app *app);
bool transforms_work(struct app *app, struct budget *budget);

/* Whether something of the changes before is not freed yet, which takes long with many lanes; free
 * some of it within the budget. transforms_work() does so first. */
static inline bool transforms_has_old(const struct transforms_change *change)
{
	return change->n_old > 0;
}

bool transforms_free_old(struct transforms_change *change, struct budget *budget);

/* Drop a change that is not complete: the transforms are those before. False: there is none. */
bool transforms_stop(struct app *app);

/* The transforms of what is shown. */
const struct transforms *transforms_shown(const struct app *app);

/* Whether the next left heavy view inverts its stacks: TRANSFORM_INVERT is active. */
bool transforms_is_inverted(const struct app *app);

/* Whether a transform leaves only the time of slices or requests; undo the last one of these. */
bool transforms_has_during(const struct transforms *transforms);
void transforms_drop_during(struct app *app);

/* Undo all transforms and the grouping without saying so. Redo brings the transforms back, one by
 * one. */
void transforms_drop(struct app *app);

/* Append `focus parse · drop idle · by package`, for the header; nothing if no transform is active.
 */
void transforms_format(const struct app *app, struct buf *out);

#endif
