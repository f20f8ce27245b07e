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

#include "analyse/scope.h"
#include "analyse/view/as_recorded.h"
#include "analyse/view/scoped.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "model/profile.h"
#include "ui/app_state.h"
#include "ui/chart/scene.h"
#include "ui/chart/views.h"
#include "ui/same_frames.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

static bool transforms_can_set_raw(const struct app *app, unsigned what);
static void transforms_start(struct app *app, const struct transforms *given);
static void transforms_done(struct transforms *t);

/* ==== kept transforms ====
 *
 * A transform that names a function, a file or a package is kept with all functions that it
 * matches. A profile that shows its other names may have several functions for one of them, and
 * other files and packages: then the transform is about the set of these functions.
 *
 * A path must be found call by call. It is that of the call trees that the transforms before it
 * make: without one of them, it is lost, too. */

/* ---- get ---- */

static bool matches(const struct transform *t, const struct frame *f, frame_id id)
{
	switch (t->by) {
	case BY_FUNCTION:
		return id == t->id;
	case BY_FILE:
		return f->url == t->id;
	case BY_PACKAGE:
		return f->package == t->id;
	case BY_SET:
		return t->set.frames[id];
	default:
		return false;
	}
}

static void get_path(const struct profile *p, const struct transform *t,
		     struct kept_transform *kept)
{
	for (uint32_t i = 0; i < t->n_path; i++)
		kept->is_lost |= t->path[i] >= p->frames.n;
	if (!kept->is_lost)
		same_frames_list(p, t->path, t->n_path, &kept->same);
}

static void get_frames(const struct profile *p, const struct transform *t,
		       struct kept_transform *kept)
{
	uint8_t *is = xcalloc(p->frames.n, 1);

	for (frame_id i = 1; i < p->frames.n; i++)
		is[i] = matches(t, &p->frames.frames[i], i);
	same_frames_take(p, is, &kept->same);
	free(is);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void get_cats(const struct profile *p, const struct transform *t,
		     struct kept_transform *kept)
{
	kept->cats = xcalloc((size_t)p->n_event_cats + 1, sizeof *kept->cats);
	for (uint32_t i = 0; i < p->n_event_cats; i++)
		if (t->set.cats[i])
			kept->cats[kept->n_cats++] = xstrdup(
				profile_text(p, p->event_cats[i].text));
	if (kept->n_cats > 1)
		qsort(kept->cats, kept->n_cats, sizeof *kept->cats, by_text);
}

static const char *text_of(const struct profile *p, const struct transform *t)
{
	switch (t->by) {
	case BY_FUNCTION:
		return t->id < p->frames.n ? profile_text(p, p->frames.frames[t->id].name) : "";
	case BY_FILE:
	case BY_PACKAGE:
		return profile_text(p, t->id);
	case BY_SET:
		return t->text ? t->text : "";
	default:
		return "";
	}
}

static void get(const struct app *app, const struct transform *t, struct kept_transform *kept)
{
	const struct profile *p = app->base;
	struct buf said = { 0 };

	transform_describe(p, t, &said);
	*kept = (struct kept_transform){ .kind = t->kind,
					 .by = t->by,
					 .category = t->by == BY_CATEGORY ? t->id : 0,
					 .text = xstrdup(text_of(p, t)),
					 .said = xstrdup(buf_text(&said)),
					 .is_lost = t->by == BY_FUNCTION && t->id >= p->frames.n };
	buf_done(&said);
	if (t->by == BY_SET && t->set.cats)
		get_cats(p, t, kept);
	kept->is_label = t->set.labels != NULL;
	if (kept->is_label)
		return;
	if (t->by == BY_PATH)
		get_path(p, t, kept);
	else if (t->by == BY_FUNCTION || t->by == BY_FILE || t->by == BY_PACKAGE || t->by == BY_SET)
		get_frames(p, t, kept);
}

void kept_transforms_get(const struct app *app, struct kept_transforms *kept)
{
	const struct transforms *t = transforms_shown(app);

	*kept = (struct kept_transforms){ .list = xcalloc(t->n_all + 1, sizeof(*kept->list)),
					  .n = t->n,
					  .n_all = t->n_all,
					  .group = t->group,
					  .raw = t->raw };
	if (t->group >= GROUP_LABEL)
		kept->label = xstrdup(view_group_name(app->base, t->group));
	for (size_t i = 0; i < t->n_all; i++)
		get(app, &t->list[i], &kept->list[i]);
}

void kept_transforms_done(struct kept_transforms *kept)
{
	for (size_t i = 0; i < kept->n_all; i++) {
		same_frames_done(&kept->list[i].same);
		for (uint32_t k = 0; k < kept->list[i].n_cats; k++)
			free(kept->list[i].cats[k]);
		free(kept->list[i].cats);
		free(kept->list[i].text);
		free(kept->list[i].said);
	}
	free(kept->list);
	free(kept->label);
	*kept = (struct kept_transforms){ 0 };
}

/* ---- make ---- */

/* The number of the url or package of one of the functions. */
static uint32_t id_of(const struct profile *p, const struct kept_transform *kept, const uint8_t *is)
{
	for (frame_id i = 1; i < p->frames.n; i++) {
		const struct frame *f = &p->frames.frames[i];
		str_id id = kept->by == BY_FILE ? f->url : f->package;

		if (is[i] && strcmp(profile_text(p, id), kept->text) == 0)
			return id;
	}
	return 0;
}

/* The only function of the set; FRAME_NONE: there are several. */
static frame_id only_one(const struct profile *p, const uint8_t *is)
{
	frame_id id = FRAME_NONE;

	for (frame_id i = 1; i < p->frames.n; i++) {
		if (is[i] && id != FRAME_NONE)
			return FRAME_NONE;
		if (is[i])
			id = i;
	}
	return id;
}

static bool make_frames(const struct kept_transform *kept, const struct profile *p,
			struct transform *t)
{
	bool is_other = kept->same.is_source != other_names_shows_source(p);
	uint8_t *is = xcalloc(p->frames.n, 1);
	bool is_found = same_frames_find(p, &kept->same, is) > 0;

	if (is_found && kept->by == BY_FUNCTION && (t->id = only_one(p, is)) != FRAME_NONE) {
		t->by = BY_FUNCTION;
	} else if (is_found && !is_other && (kept->by == BY_FILE || kept->by == BY_PACKAGE)) {
		t->id = id_of(p, kept, is);
		is_found = t->id != 0;
	} else if (is_found) {
		/* Only functions of packages and of Node.js can be folded. */
		is_found = kept->kind != TRANSFORM_FOLD || !is_other;
		t->by = BY_SET;
	}
	if (is_found && t->by == BY_SET) {
		t->set.frames = is;
		t->text = xstrdup(kept->text);
	} else {
		free(is);
	}
	return is_found;
}

static bool make_cats(const struct kept_transform *kept, const struct profile *p,
		      struct transform *t)
{
	uint8_t *cats = xcalloc((size_t)p->n_event_cats + 1, 1);
	bool is_found = false;

	for (uint32_t i = 0; i < p->n_event_cats && kept->n_cats; i++) {
		const char *text = profile_text(p, p->event_cats[i].text);

		cats[i] = bsearch(&text, kept->cats, kept->n_cats, sizeof *kept->cats, by_text) !=
			NULL;
		is_found |= cats[i];
	}
	if (is_found) {
		t->set = match_set_of_cats(p, cats);
		t->text = xstrdup(kept->text);
	} else {
		free(cats);
	}
	return is_found;
}

static bool make_path(const struct kept_transform *kept, const struct profile *p,
		      struct transform *t)
{
	uint32_t n = kept->same.n;
	frame_id *path = xmalloc(((size_t)n + 1) * sizeof(*path));

	if (n == 0 || !same_frames_each(p, &kept->same, path)) {
		free(path);
		return false;
	}
	t->path = path;
	t->n_path = n;
	return true;
}

/* has_lost: a transform before this one was lost. */
static bool make(const struct kept_transform *kept, const struct profile *p, bool has_lost,
		 struct transform *t)
{
	*t = (struct transform){ .kind = kept->kind, .by = kept->by, .id = kept->category };
	if (kept->is_lost)
		return false;
	if (kept->by == BY_PATH)
		return !has_lost && make_path(kept, p, t);
	if (kept->cats)
		return make_cats(kept, p, t);
	if (kept->is_label) {
		t->text = xstrdup(kept->text);
		return frame_set_match(p, kept->text, &t->set, &(struct error)ERROR_INIT);
	}
	if (kept->by == BY_FUNCTION || kept->by == BY_FILE || kept->by == BY_PACKAGE ||
	    kept->by == BY_SET)
		return make_frames(kept, p, t);
	return true;
}

/* Make transforms of a profile, without those whose functions it does not have: they are appended
 * to `lost`, separated by commas. What is undone is left out silently. The caller frees the list by
 * transforms_done(). */
static void kept_transforms_make(const struct kept_transforms *kept, const struct profile *profile,
				 struct transforms *transforms, struct buf *lost)
{
	struct transforms *t = transforms;
	bool has_lost = false;

	*t = (struct transforms){ .group = kept->group, .raw = kept->raw };
	if (kept->label &&
	    !view_group_find_label(profile, kept->label, &t->group, &(struct error)ERROR_INIT)) {
		t->group = GROUP_FUNCTION;
		buf_addf(lost, "by %s", kept->label);
	}
	t->list = xgrow(NULL, &t->cap, kept->n_all + 1, sizeof(*t->list));
	for (size_t i = 0; i < kept->n_all; i++) {
		bool is_made = make(&kept->list[i], profile, has_lost, &t->list[t->n_all]);

		t->n_all += is_made;
		if (i < kept->n) {
			t->n += is_made;
			if (!is_made)
				buf_addf(lost, "%s%s", lost->len ? ", " : "", kept->list[i].said);
		}
		has_lost |= !is_made;
	}
}

/* ---- the start ---- */

/* What frames stand for at the start: what the options say, else what was set. */
#define LABEL "label:"

static enum view_group first_group(const struct app *app, enum view_group group)
{
	const char *set = preferences_get(app->preferences, "group");

	for (unsigned i = 0; set && group == GROUP_FUNCTION && view_group_word(i); i++)
		if (strcmp(set, view_group_word(i)) == 0)
			return (enum view_group)i;
	if (set && group == GROUP_FUNCTION && strncmp(set, LABEL, sizeof LABEL - 1) == 0)
		(void)view_group_find_label(app->base, set + sizeof LABEL - 1, &group,
					    &(struct error)ERROR_INIT);
	return group;
}

/* Which samples are as recorded at the start: those of the options, and what was set. */
static unsigned first_raw(const struct app *app, unsigned raw)
{
	static const struct {
		const char *setting;
		unsigned what;
	} of[] = { { "gc-place", AS_RECORDED_GC }, { "program", AS_RECORDED_PROGRAM } };

	for (size_t i = 0; i < ARRAY_LEN(of); i++) {
		const char *set = preferences_get(app->preferences, of[i].setting);

		if (set && strcmp(set, "recorded") == 0 && transforms_can_set_raw(app, of[i].what))
			raw |= of[i].what;
	}
	return raw;
}

void kept_transforms_start(struct app *app, const struct app_options *options)
{
	const struct app_state *state = options->state;
	struct transforms made = { .list = (struct transform *)(uintptr_t)options->transforms,
				   .n = options->n_transforms,
				   .n_all = options->n_transforms,
				   .group = first_group(app, options->group),
				   .raw = first_raw(app, options->raw) };

	if (!state || !state->is_touched) {
		transforms_start(app, &made);
		return;
	}
	kept_transforms_make(&state->transforms, app->original, &made, &app->lost);
	transforms_start(app, &made);
	transforms_done(&made);
}

/* ==== transforms ==== */

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

/* Free a list that is not the app's. */
static void transforms_done(struct transforms *t)
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
	c->record = xcalloc(1, sizeof *c->record);
	if (as_recorded_begin(c->record, app->original, raw))
		return true;
	transforms_stop(app);
	c->is_lacking = true;
	state_say(app, true, "not enough memory");
	return false;
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

/* Set the transforms of the start, and apply them; what they point to is copied. Call this before
 * the other functions. */
static void transforms_start(struct app *app, const struct transforms *given)
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

/* Whether it can be done. */
static bool transforms_can_set_raw(const struct app *app, unsigned what)
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
