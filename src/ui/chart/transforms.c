/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each change computes the profile anew from the loaded one with all active transforms: there is no
 * incremental state that could go wrong. A large profile takes longer than a user waits for a key,
 * so the work is done in steps, between keys; until it is complete, all that is shown is that of
 * the transforms before.
 *
 * 1. While a change is on, change.before has the transforms of what is shown.
 * 2. The scene is not replaced while a prompt is open, which keeps a span to go back to. */
#include "config.h"

#include "ui/chart/transforms.h"

#include "base/alloc.h"
#include "base/reserve.h"
#include "ui/chart/scene.h"
#include "ui/state.h"
#include "ui/chart/views.h"

#include <stdlib.h>
#include <string.h>

static const char *const raw_names[] = {
	[AS_RECORDED_GC] = "garbage collection", [AS_RECORDED_PROGRAM] = "lone (program) samples"
};

static void forget_from(struct transforms *t, size_t n)
{
	while (t->n_all > n) {
		struct transform *last = &t->list[--t->n_all];

		free((void *)(uintptr_t)last->path);
		match_set_done(&last->set);
		free((void *)(uintptr_t)last->text);
	}
}

void transforms_done(struct transforms *t)
{
	forget_from(t, 0);
	free(t->list);
	*t = (struct transforms){ 0 };
}

/* ---- a change ---- */

static void copy_transform(struct transform *to, const struct transform *from,
			   const struct profile *profile)
{
	*to = *from;
	to->set = match_set_copy(&from->set, profile->frames.n, profile);
	if (from->path)
		to->path = memcpy(xmalloc(from->n_path * sizeof *from->path), from->path,
				  from->n_path * sizeof *from->path);
	if (from->text)
		to->text = xstrdup(from->text);
}

static void copy_all(struct transforms *to, const struct transforms *from,
		     const struct profile *profile)
{
	*to = (struct transforms){ .n = from->n,
				   .n_all = from->n_all,
				   .group = from->group,
				   .raw = from->raw };
	/* For none, xgrow() would return no array at all, which it promises not to. */
	to->list = xgrow(NULL, &to->cap, from->n_all + 1, sizeof *to->list);
	for (size_t i = 0; i < from->n_all; i++)
		copy_transform(&to->list[i], &from->list[i], profile);
}

static void free_scoped(struct scoped *scoped)
{
	if (scoped)
		scoped_done(scoped);
	free(scoped);
}

static void free_recorded(struct as_recorded *recorded)
{
	if (recorded)
		as_recorded_done(recorded);
	free(recorded);
}

static void drop_work(struct transforms_change *c)
{
	if (c->work)
		scoped_end(c->work);
	free_scoped(c->next);
	free(c->plan);
	free_recorded(c->record);
	c->plan = NULL;
	c->record = NULL;
	c->has_base = false;
	c->work = NULL;
	c->next = NULL;
	c->is_ready = false;
}

void transforms_free(struct app *app)
{
	drop_work(&app->change);
	transforms_done(&app->change.before);
	buf_done(&app->change.said);
	free_scoped(app->scoped);
	free_recorded(app->recorded);
	transforms_done(&app->transforms);
}

/* Before the transforms change: the work for the change before is of no use. */
static void begin_change(struct app *app)
{
	struct transforms_change *c = &app->change;

	if (!c->is_on) {
		copy_all(&c->before, &app->transforms, app->base);
		c->n_same = c->before.n;
		c->is_on = true;
	}
	drop_work(c);
	buf_clear(&c->said);
}

/* Forget the transforms before: those of now are shown. */
static void end_change(struct app *app)
{
	struct transforms_change *c = &app->change;

	drop_work(c);
	transforms_done(&c->before);
	c->is_on = false;
	if (c->said.len)
		state_say(app, false, "%s", buf_text(&c->said));
}

bool transforms_stop(struct app *app)
{
	struct transforms_change *c = &app->change;

	if (!c->is_on)
		return false;
	drop_work(c);
	transforms_done(&app->transforms);
	app->transforms = c->before;
	c->before = (struct transforms){ 0 };
	c->is_on = false;
	return true;
}

bool transforms_cancel(struct app *app)
{
	if (app->is_help || !transforms_stop(app))
		return false;
	state_say(app, false, "stopped; the call trees stay as they are");
	return true;
}

/* The profile that transforms apply to when the change is complete. */
static const struct profile *next_base(const struct app *app)
{
	const struct transforms_change *c = &app->change;

	if (!c->has_base)
		return app->base;
	return c->record ? &c->record->own : app->original;
}

/* Show the profile with the transforms. */
static void show(struct app *app)
{
	struct transforms_change *c = &app->change;
	struct scoped *before = app->scoped;
	struct as_recorded *recorded = NULL;
	enum app_view view = views_wanted(app);

	scoped_end(c->work);
	c->work = NULL;
	views_leave(app);
	/* A single lane grouped by lanes would be one row. */
	app->has_all_lanes |= app->transforms.group == GROUP_LANE && c->before.group != GROUP_LANE;
	app->scoped = c->next;
	c->next = NULL;
	if (c->has_base) {
		recorded = app->recorded;
		app->recorded = c->record;
		c->record = NULL;
		app->base = next_base(app);
	}
	scene_replace(app, app->scoped->profile);
	free_scoped(before);
	free_recorded(recorded);
	if (view == VIEW_MERGED)
		views_show(app, view, FRAME_NONE);
}

/* Begin to apply the transforms to the next base. False, with a message: that cannot be done, and
 * the transforms are those before. */
static bool begin_scoped(struct app *app)
{
	struct transforms_change *c = &app->change;
	const struct transforms *t = &app->transforms;
	struct scope scope = { .t1 = app->base->t1, .group = t->group };
	struct error err = ERROR_INIT;

	scope.transforms = c->plan = xcalloc(t->n + 1, sizeof *c->plan);
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i].kind != TRANSFORM_INVERT)
			c->plan[scope.n_transforms++] = t->list[i];
	c->next = xcalloc(1, sizeof *c->next);
	c->work = scoped_begin(c->next, next_base(app), &scope, &err);
	if (c->work)
		return true;
	transforms_stop(app);
	c->is_lacking = reserve_refused() > 0;
	state_say(app, true, "%s", err.text);
	return false;
}

bool transforms_is_busy(const struct app *app)
{
	const struct transforms_change *c = &app->change;

	return (c->work || c->record) && !(c->is_ready && app->prompt.kind != PROMPT_NONE);
}

bool transforms_work(struct app *app, struct budget *budget)
{
	struct transforms_change *c = &app->change;

	if (!transforms_is_busy(app))
		return false;
	if (!c->work) {
		if (!as_recorded_work(c->record, budget))
			return false;
		if (!begin_scoped(app))
			return true;
	}
	if (!c->is_ready && !scoped_has_room(c->work)) {
		transforms_stop(app);
		c->is_lacking = true;
		return true;
	}
	c->is_ready = c->is_ready || scoped_work(c->work, budget);
	if (!c->is_ready || app->prompt.kind != PROMPT_NONE)
		return false;
	show(app);
	end_change(app);
	return true;
}

/* Begin to compute the profile with the transforms, and before that the samples as the user wants
 * them. False, with a message: that cannot be done, and the transforms are those before. */
static bool begin_work(struct app *app)
{
	struct transforms_change *c = &app->change;
	unsigned raw = app->transforms.raw;

	c->has_base = raw != c->before.raw;
	if (!c->has_base || !as_recorded_exists(app->original, raw))
		return begin_scoped(app);
	if (!reserve_has_room(as_recorded_bytes(app->original, raw))) {
		transforms_stop(app);
		c->is_lacking = true;
		state_say(app, true, "not enough memory");
		return false;
	}
	c->record = xcalloc(1, sizeof *c->record);
	as_recorded_begin(c->record, app->original, raw);
	return true;
}

/* After the transforms have changed. */
static void apply(struct app *app)
{
	const struct transforms_change *c = &app->change;
	const struct transforms *t = &app->transforms;
	struct budget budget = budget_ns(app->key_ns);

	if (t->n == c->before.n && c->n_same == t->n && t->group == c->before.group &&
	    t->raw == c->before.raw)
		end_change(app);
	else if (begin_work(app) && app->key_ns > 0)
		transforms_work(app, &budget);
}

/* ---- what changes them ---- */

void transforms_start(struct app *app, const struct transforms *given)
{
	enum view_group group = given->group;

	copy_all(&app->transforms, given, app->base);
	if (given->n == 0 && group == GROUP_FUNCTION && !given->raw)
		return;
	app->change.is_on = true;
	if (!begin_work(app))
		return;
	app->change.before.group = group;
	while (transforms_is_busy(app))
		transforms_work(app, BUDGET_UNLIMITED);
	if (app->change.is_lacking)
		app->transforms.group = GROUP_FUNCTION;
}

void transforms_add(struct app *app, const struct transform *transform)
{
	struct transforms *t = &app->transforms;
	struct transforms_change *c = &app->change;

	begin_change(app);
	c->n_same = c->n_same < t->n ? c->n_same : t->n;
	forget_from(t, t->n);
	t->list = xgrow(t->list, &t->cap, t->n + 1, sizeof *t->list);
	t->list[t->n++] = *transform;
	t->n_all = t->n;
	transform_describe(app->s.profile, transform, &c->said);
	buf_adds(&c->said, "; u undoes it");
	apply(app);
}

void transforms_undo(struct app *app, int count)
{
	struct transforms *t = &app->transforms;
	size_t n = (size_t)count < t->n ? (size_t)count : t->n;

	if (n) {
		begin_change(app);
		t->n -= n;
		apply(app);
	}
	if (n < (size_t)count)
		state_say(app, false, "nothing to undo");
}

void transforms_redo(struct app *app, int count)
{
	struct transforms *t = &app->transforms;
	size_t left = t->n_all - t->n, n = (size_t)count < left ? (size_t)count : left;

	if (n) {
		begin_change(app);
		t->n += n;
		apply(app);
	}
	if (n < (size_t)count)
		state_say(app, false, "nothing to redo");
}

void transforms_group(struct app *app, enum view_group group)
{
	begin_change(app);
	app->transforms.group = group;
	buf_addf(&app->change.said, "frames now stand for one %s each",
		 view_group_name(app->base, group));
	apply(app);
}

/* Whether the profile was loaded in part: what the builder changed of its samples is not known. */
static bool has_part(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].n_left)
			return true;
	return false;
}

bool transforms_can_set_raw(const struct app *app, unsigned what)
{
	return as_recorded_exists(app->original, what) ||
		(!app->original->is_raw && !has_part(app->original));
}

void transforms_set_raw(struct app *app, unsigned what, bool is_raw)
{
	unsigned raw = app->transforms.raw & ~what;

	if (!transforms_can_set_raw(app, what)) {
		state_say(
			app, false,
			app->original->is_raw
				? "nothing to change here, samples are as recorded"
				: "the file was loaded in part; --raw-samples shows it as recorded");
		return;
	}
	begin_change(app);
	app->transforms.raw = is_raw ? raw | what : raw;
	buf_addf(&app->change.said, "%s: %s", raw_names[what],
		 is_raw                           ? "as recorded"
			 : what == AS_RECORDED_GC ? "on the stack that it interrupted"
						  : "joined with the call around them");
	apply(app);
}

void transforms_raw(struct app *app, unsigned what)
{
	if (transforms_can_set_raw(app, what) && !as_recorded_exists(app->original, what))
		state_say(app, false, "%s: nothing to change here, samples are as recorded",
			  raw_names[what]);
	else
		transforms_set_raw(app, what, !(app->transforms.raw & what));
}

void transforms_drop(struct app *app)
{
	struct scoped *before = app->scoped;

	transforms_stop(app);
	views_leave(app);
	app->transforms.n = 0;
	app->transforms.group = GROUP_FUNCTION;
	scene_replace(app, app->base);
	app->scoped = NULL;
	free_scoped(before);
}

const struct transforms *transforms_shown(const struct app *app)
{
	return app->change.is_on ? &app->change.before : &app->transforms;
}

bool transforms_is_inverted(const struct app *app)
{
	const struct transforms *t = &app->transforms;

	for (size_t i = 0; i < t->n; i++)
		if (t->list[i].kind == TRANSFORM_INVERT)
			return true;
	return false;
}

void transforms_format(const struct app *app, struct buf *out)
{
	const struct transforms *t = transforms_shown(app);

	for (size_t i = 0; i < t->n; i++) {
		if (out->len)
			buf_adds(out, " \302\267 ");
		transform_describe(app->s.profile, &t->list[i], out);
	}
	if (t->raw)
		buf_addf(out, "%s%s", out->len ? " \302\267 " : "",
			 t->raw == AS_RECORDED_GC                ? "raw GC"
				 : t->raw == AS_RECORDED_PROGRAM ? "raw (program)"
								 : "raw samples");
	if (t->group != GROUP_FUNCTION)
		buf_addf(out, "%sby %s", out->len ? " \302\267 " : "",
			 view_group_name(app->base, t->group));
}
