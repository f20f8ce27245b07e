/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transforms as values that refer to no profile: an app keeps them for the app after it
 * (ui/app_state.h). */
#ifndef FLAMETTY_UI_CHART_KEPT_TRANSFORMS_H
#define FLAMETTY_UI_CHART_KEPT_TRANSFORMS_H

#include "ui/chart/transforms.h"
#include "ui/same_frames.h"

struct app;
struct app_options;

struct kept_transform {
	enum transform_kind kind;
	enum transform_by by;
	uint32_t category;       /* BY_CATEGORY */
	struct same_frames same; /* the functions that it is about, or the path; of those that name
				    functions, files or packages */
	char **cats; /* owned, of a set of event categories: those that match, as traces write
			them, sorted; NULL: it is of functions */
	uint32_t n_cats;
	char *text;    /* owned: url, package, pattern, or name of the function */
	char *said;    /* owned: its description */
	bool is_lost;  /* it is about frames that another transform made */
	bool is_label; /* `text` is a pattern for labels */
};

struct kept_transforms {
	struct kept_transform *list;
	size_t n, n_all; /* as in struct transforms */
	enum view_group group;
	char *label; /* owned, of GROUP_LABEL: its key; NULL: the frames stand for something else */
	unsigned raw;
};

/* Fill `kept` from an app. The caller ends it with kept_transforms_done(), which accepts zeros. */
void kept_transforms_get(const struct app *app, struct kept_transforms *kept);
void kept_transforms_done(struct kept_transforms *kept);

/* Make transforms of a profile, without those whose functions it does not have: they are appended
 * to `lost`, separated by commas. What is undone is left out silently. The caller frees the list by
 * transforms_done(). */
void kept_transforms_make(const struct kept_transforms *kept, const struct profile *profile,
			  struct transforms *transforms, struct buf *lost);

/* Set the transforms of a new app: those of the app before, or else those of the options. What
 * cannot be kept is appended to app->lost. */
void kept_transforms_start(struct app *app, const struct app_options *options);

#endif
