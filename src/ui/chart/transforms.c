/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each change computes the profile anew from the loaded one with all active transforms: this is
 * fast enough between keys, and there is no incremental state that could go wrong. */
#include "config.h"

#include "ui/chart/transforms.h"

#include "base/alloc.h"
#include "ui/chart/scene.h"
#include "ui/state.h"
#include "ui/chart/views.h"

#include <stdlib.h>
#include <string.h>

#define MANY_SAMPLES 2000000u /* with more, a change may take longer than a tenth of a second */

static void forget_from(struct transforms *t, size_t n)
{
	while (t->n_all > n) {
		struct transform *last = &t->list[--t->n_all];

		free((void *)(uintptr_t)last->path);
		free((void *)(uintptr_t)last->set);
		free((void *)(uintptr_t)last->text);
	}
}

void transforms_done(struct transforms *t)
{
	forget_from(t, 0);
	free(t->list);
	*t = (struct transforms){ 0 };
}

/* Make the app show the profile with the active transforms. */
static void apply(struct app *app)
{
	struct transforms *t = &app->transforms;
	size_t n_samples = 0;
	const struct scope scope = { .t1 = app->base->t1,
				     .transforms = t->list,
				     .n_transforms = t->n,
				     .group = t->group };
	struct scoped before = app->scoped;
	enum app_view mode = app->mode;
	struct error err = ERROR_INIT;

	for (uint32_t i = 0; i < app->base->n_lanes; i++)
		n_samples += app->base->lanes[i].samples.n;
	if (n_samples > MANY_SAMPLES && app->show) {
		state_say(app, false, "rebuilding call trees of %zu million samples \342\200\246",
			  n_samples / 1000000);
		app->show(app->show_ctx, app);
	}
	views_leave(app);
	scoped_init(&app->scoped, app->base, &scope, &err);
	scene_replace(app, app->scoped.profile == &app->scoped.own ? &app->scoped.own : app->base);
	scoped_done(&before);
	buf_clear(&app->message);
	if (mode == VIEW_MERGED)
		views_show(app, mode, FRAME_NONE);
}

void transforms_start(struct app *app, const struct transform *list, size_t n,
		      enum view_group group)
{
	struct transforms *t = &app->transforms;

	for (size_t i = 0; i < n; i++) {
		struct transform copy = list[i];

		if (copy.set)
			copy.set = memcpy(xmalloc(app->base->frames.n), copy.set,
					  app->base->frames.n);
		if (copy.path)
			copy.path = memcpy(xmalloc(copy.n_path * sizeof(*copy.path)), copy.path,
					   copy.n_path * sizeof(*copy.path));
		if (copy.text)
			copy.text = xstrdup(copy.text);
		t->list = xgrow(t->list, &t->cap, t->n + 1, sizeof(*t->list));
		t->list[t->n++] = copy;
	}
	t->n_all = t->n;
	t->group = group;
	if (t->n || group != GROUP_FUNCTION)
		apply(app);
}

void transforms_add(struct app *app, const struct transform *transform)
{
	struct transforms *t = &app->transforms;
	struct buf text = { 0 };

	forget_from(t, t->n);
	t->list = xgrow(t->list, &t->cap, t->n + 1, sizeof *t->list);
	t->list[t->n++] = *transform;
	t->n_all = t->n;
	transform_describe(app->s.profile, transform, &text);
	apply(app);
	state_say(app, false, "%s; u undoes it", buf_text(&text));
	buf_done(&text);
}

bool transforms_undo(struct app *app)
{
	if (app->transforms.n == 0) {
		state_say(app, false, "nothing to undo");
		return false;
	}
	app->transforms.n--;
	apply(app);
	return true;
}

bool transforms_redo(struct app *app)
{
	if (app->transforms.n == app->transforms.n_all) {
		state_say(app, false, "nothing to redo");
		return false;
	}
	app->transforms.n++;
	apply(app);
	return true;
}

void transforms_group(struct app *app)
{
	app->transforms.group = (enum view_group)((app->transforms.group + 1) % GROUP_COUNT);
	/* A single lane grouped by lanes would be one row. */
	app->has_all_lanes |= app->transforms.group == GROUP_LANE;
	apply(app);
	state_say(app, false, "frames now stand for one %s each",
		  view_group_name(app->transforms.group));
}

void transforms_drop(struct app *app)
{
	struct scoped before = app->scoped;

	views_leave(app);
	app->transforms.n = 0;
	app->transforms.group = GROUP_FUNCTION;
	scene_replace(app, app->base);
	app->scoped = (struct scoped){ 0 };
	scoped_done(&before);
}

void transforms_format(const struct app *app, struct buf *out)
{
	const struct transforms *t = &app->transforms;

	for (size_t i = 0; i < t->n; i++) {
		if (out->len)
			buf_adds(out, " \302\267 ");
		transform_describe(app->s.profile, &t->list[i], out);
	}
	if (t->group != GROUP_FUNCTION)
		buf_addf(out, "%sby %s", out->len ? " \302\267 " : "", view_group_name(t->group));
}
