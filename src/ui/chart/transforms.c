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
#include "analyse/view/view_transform.h"
#include "base/alloc.h"
#include "base/pattern.h"
#include "findings/served_time.h"
#include "ui/actions.h"
#include "ui/app_state.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

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

/* What is not shown any more is freed between keys. NULL is allowed. */
static void put_away(struct transforms_change *c, struct scoped *scoped)
{
	if (scoped)
		*ARRAY_ADD(c->old, c->n_old, c->cap_old) = scoped;
}

bool transforms_free_old(struct transforms_change *c, struct budget *budget)
{
	while (c->n_old) {
		struct scoped *last = c->old[c->n_old - 1];

		if (!scoped_free_work(last, budget))
			return false;
		free(last);
		c->n_old--;
	}
	return true;
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
	put_away(c, c->next);
	free(c->plan);
	free_recorded(c->record);
	c->plan = NULL;
	c->record = NULL;
	c->has_base = false;
	c->work = NULL;
	c->next = NULL;
	c->is_due = false;
	c->is_ready = false;
}

void transforms_free(struct app *app)
{
	drop_work(&app->change);
	transforms_done(&app->change.before);
	buf_done(&app->change.said);
	put_away(&app->change, app->scoped);
	transforms_free_old(&app->change, BUDGET_UNLIMITED);
	free(app->change.old);
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
	c->is_leaving = false;
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
	put_away(c, before);
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
	return state_refuse(app, true, "%s", err.text);
}

/* Begin to compute the profile with the transforms, and before that the samples as the user wants
 * them. False, with a message: that cannot be done, and the transforms are those before. The memory
 * of changes before is freed first, as it may be needed. */
static bool begin_work(struct app *app)
{
	struct transforms_change *c = &app->change;
	unsigned raw = app->transforms.raw;

	c->is_due = transforms_has_old(c);
	if (c->is_due)
		return true;
	c->has_base = raw != c->before.raw;
	if (!c->has_base || !as_recorded_exists(app->original, raw))
		return begin_scoped(app);
	c->record = xcalloc(1, sizeof *c->record);
	if (as_recorded_begin(c->record, app->original, raw))
		return true;
	transforms_stop(app);
	c->is_lacking = true;
	return state_refuse(app, true, "not enough memory");
}

bool transforms_is_busy(const struct app *app)
{
	const struct transforms_change *c = &app->change;

	return (c->work || c->record || c->is_due) &&
		!(c->is_ready && app->prompt.kind != PROMPT_NONE);
}

bool transforms_work(struct app *app, struct budget *budget)
{
	struct transforms_change *c = &app->change;

	if (!transforms_is_busy(app) || !transforms_free_old(c, budget))
		return false;
	if (c->is_due && !begin_work(app))
		return true;
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

/* Whether the profile was loaded in part: what the builder changed of its samples is not known. */
static bool has_part(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].n_left)
			return true;
	return false;
}

/* Whether it can be done. */
static bool can_set_raw(const struct app *app, unsigned what)
{
	return as_recorded_exists(app->original, what) ||
		(!app->original->is_raw && !has_part(app->original));
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

		if (set && strcmp(set, "recorded") == 0 && can_set_raw(app, of[i].what))
			raw |= of[i].what;
	}
	return raw;
}

/* Set the transforms of the start, and apply them; what they point to is copied. */
static void apply_first(struct app *app, const struct transforms *given)
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

void transforms_start(struct app *app, const struct app_options *options)
{
	const struct app_state *state = options->state;
	struct transforms made = { .list = (struct transform *)(uintptr_t)options->transforms,
				   .n = options->n_transforms,
				   .n_all = options->n_transforms,
				   .group = first_group(app, options->group),
				   .raw = first_raw(app, options->raw) };

	if (!state || !state->is_touched) {
		apply_first(app, &made);
		return;
	}
	kept_transforms_make(&state->transforms, app->original, &made, &app->lost);
	apply_first(app, &made);
	transforms_done(&made);
}

/* ---- what changes them ---- */

/* Add a transform. Takes ownership of its path, set and text. */
static void add_transform(struct app *app, const struct transform *transform)
{
	struct transforms *t = &app->transforms;
	struct transforms_change *c = &app->change;

	begin_change(app);
	c->n_same = c->n_same < t->n ? c->n_same : t->n;
	forget_from(t, t->n);
	*ARRAY_ADD(t->list, t->n, t->cap) = *transform;
	t->n_all = t->n;
	transform_describe(app->s.profile, transform, &c->said);
	buf_adds(&c->said, "; u undoes it");
	apply(app);
}

void transforms_group(struct app *app, enum view_group group)
{
	begin_change(app);
	app->transforms.group = group;
	buf_addf(&app->change.said, "frames now stand for one %s each",
		 view_group_name(app->base, group));
	apply(app);
}

void transforms_set_raw(struct app *app, unsigned what, bool is_raw)
{
	unsigned raw = app->transforms.raw & ~what;

	if (!can_set_raw(app, what)) {
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

/* The last active transform of that kind, + 1; 0: none. */
static size_t last_during(const struct transforms *t)
{
	size_t i = t->n;

	while (i && t->list[i - 1].kind != TRANSFORM_DURING)
		i--;
	return i;
}

bool transforms_has_during(const struct transforms *t)
{
	return last_during(t) > 0;
}

void transforms_drop_during(struct app *app)
{
	struct transforms *t = &app->transforms;
	size_t i = last_during(t);
	struct transform during;

	if (!i)
		return;
	begin_change(app);
	app->change.is_leaving = true;
	/* What is cut does not depend on other transforms: it becomes the last one. */
	during = t->list[i - 1];
	app->change.n_same = app->change.n_same < i - 1 ? app->change.n_same : i - 1;
	memmove(&t->list[i - 1], &t->list[i], (t->n - i) * sizeof *t->list);
	t->list[--t->n] = during;
	buf_addf(&app->change.said, "all of the time again; %s brings it back",
		 state_key(app, CMD_REDO));
	apply(app);
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
	put_away(&app->change, before);
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

/* ==== transform keys ==== */

/* Undo the last transforms, or redo as many undone ones. n: negative: undo; else redo. */
unsigned transform_keys_undo(struct app *app, int n)
{
	struct transforms *t = &app->transforms;
	size_t wanted = (size_t)abs(n), left = n < 0 ? t->n : t->n_all - t->n,
	       count = wanted < left ? wanted : left;

	if (count) {
		begin_change(app);
		t->n = n < 0 ? t->n - count : t->n + count;
		apply(app);
	}
	if (count < wanted)
		state_say(app, false, "nothing to %s", n < 0 ? "undo" : "redo");
	return APP_REDRAW;
}

/* Add a transform without a path or set, or undo it if it is the last one: its key switches. */
static void toggle(struct app *app, enum transform_kind kind, enum transform_by by, uint32_t id)
{
	const struct transforms *t = &app->transforms;
	bool is_switch = by == BY_CATEGORY || by == BY_ALL || by == BY_ANY_PACKAGE ||
		by == BY_OTHERS;

	for (size_t i = 0; is_switch && i < t->n; i++) {
		const struct transform *on = &t->list[i];

		if (on->kind != kind || on->by != by || on->id != id)
			continue;
		if (i == t->n - 1)
			transform_keys_undo(app, -1);
		else
			state_say(app, false,
				  "this transform is on already; u undoes the last one");
		return;
	}
	add_transform(app, &(struct transform){ .kind = kind, .by = by, .id = id });
}

/* Whether the frame stands for a file, package or category, not for a function. */
static bool is_group(const struct app *app, frame_id frame)
{
	return transforms_shown(app)->group != GROUP_FUNCTION && frame >= app->base->frames.n;
}

/* The event categories that stand on one row of this name. */
static uint8_t *cats_named(const struct profile *p, str_id name)
{
	uint8_t *cats = xcalloc((size_t)p->n_event_cats + 1, 1);

	cats[0] = name == p->no_event_cat;
	for (uint32_t i = 1; i < p->n_event_cats; i++)
		cats[i] = name == p->event_cats[i].first;
	return cats;
}

/* Transforms are applied before the grouping and do not know its frames, so a transform of such a
 * frame applies to all functions that the frame stands for. */
static void add_about_group(struct app *app, enum transform_kind kind, frame_id frame)
{
	const struct frame *is = profile_frame(app->s.profile, frame);
	const struct profile *p = app->base;
	enum view_group group = transforms_shown(app)->group;
	struct match_set set = { 0 };

	if (group == GROUP_EVENT_CAT)
		set = match_set_of_cats(p, cats_named(p, is->name));
	else
		set.frames = xcalloc(p->frames.n, 1);
	for (frame_id i = 1; !set.cats && i < p->frames.n; i++)
		set.frames[i] = view_frames_has(p, group, is, &p->frames.frames[i]);
	add_transform(app,
		      &(struct transform){ .kind = kind,
					   .by = BY_SET,
					   .set = set,
					   .text = xstrdup(profile_text(p, is->name)) });
}

/* Whether the call trees that are shown are not those that the transforms make. Says so. */
static bool must_wait(struct app *app)
{
	if (app->change.is_on)
		state_say(app, false, "call trees are still being rebuilt; Esc stops it");
	return app->change.is_on;
}

/* Whether a frame is that of a mark, which no transform changes. Says so. */
static bool is_mark(struct app *app, frame_id frame)
{
	bool is = profile_frame(app->s.profile, frame)->category == CATEGORY_MARK;

	if (is)
		state_say(app, false,
			  "a mark is no call and has no time: transforms do not change it");
	return is;
}

/* Add a transform of the function that is selected, or of its file or package. */
static void add_selected(struct app *app, enum transform_kind kind, enum transform_by by)
{
	const struct frame *f;
	frame_id frame;
	uint32_t id;

	if (!pane_rows_target(app, &frame) || is_mark(app, frame))
		return;
	if (transforms_shown(app)->group >= GROUP_LABEL && is_group(app, frame)) {
		state_say(app, false, "this frame is a label; ob shows functions");
		return;
	}
	if (transforms_shown(app)->group == GROUP_LANE && is_group(app, frame)) {
		state_say(app, false,
			  "this frame is a lane: H on its title hides it, ob shows functions");
		return;
	}
	if (by == BY_FUNCTION && is_group(app, frame)) {
		add_about_group(app, kind, frame);
		return;
	}
	/* The id of a frame that transforms made is that of their view. */
	if (frame >= app->base->frames.n && must_wait(app))
		return;
	f = profile_frame(app->s.profile, frame);
	id = by == BY_FUNCTION ? frame : by == BY_FILE ? f->url : f->package;
	if (id)
		toggle(app, kind, by, id);
	else
		state_say(app, false, "this frame belongs to no %s",
			  by == BY_FILE ? "file" : "package");
}

/* Whether a set has frames that are no marks. */
static bool has_calls(const struct profile *p, const struct match_set *set)
{
	for (frame_id i = 1; i < p->frames.n; i++)
		if (set->frames[i] && p->frames.frames[i].category != CATEGORY_MARK)
			return true;
	return false;
}

/* Add a transform of the functions that match the words of the command line. */
static void add_matching(struct app *app, enum transform_kind kind, const char *pattern)
{
	struct error err = ERROR_INIT;
	struct match_set set;

	if (!scope_match(app->original, kind, pattern, &set, &err)) {
		state_say(app, true, "%s", err.text);
	} else if (set.labels && !memchr(set.labels, 1, labels_count(&app->base->labels))) {
		state_say(app, true, "no label matches %.60s", pattern);
	} else if (!set.labels && !set.during && !has_calls(app->base, &set)) {
		state_say(app, true,
			  memchr(set.frames, 1, app->base->frames.n)
				  ? "only marks match %.60s: transforms do not change them"
				  : "no function matches %.60s",
			  pattern);
	} else {
		add_transform(app,
			      &(struct transform){ .kind = kind,
						   .by = BY_SET,
						   .set = set,
						   .text = xstrdup(pattern) });
		return;
	}
	match_set_done(&set);
}

/* The pattern of the slice, or of the route of the request, that is selected in the chart or in the
 * panes of requests; empty: neither is. */
static void find_during(struct app *app, struct buf *out)
{
	const struct chart *chart = &app->s.chart;
	const struct lane *lane = state_lane(app);
	enum during_kind kind = DURING_ROUTE;
	uint32_t served = served_list_request(app);
	str_id name;

	if (served == SERVED_NONE &&
	    (!lane || !chart->has_selection || app->mode != VIEW_TIME ||
	     (lane->kind != LANE_SLICES && lane->kind != LANE_ASYNC)))
		return;
	if (served == SERVED_NONE && chart->served)
		served = served_time_find(chart->served, lane, &chart->selected);
	if (served != SERVED_NONE) {
		name = app->base->served.requests[served].name;
	} else {
		kind = DURING_SLICE;
		name = profile_frame(app->s.profile, folds_selected(&app->s))->name;
	}
	buf_addf(out, "%s^", during_word(kind));
	pattern_quote(profile_text(app->base, name), out);
	buf_addc(out, '$');
}

/* Without a pattern: bring the rest of the time back, or take what is selected, or ask. */
static void switch_during(struct app *app)
{
	BUF_LOCAL pattern = { 0 };

	if (!transforms_has_during(&app->transforms))
		find_during(app, &pattern);
	if (pattern.len) {
		add_matching(app, TRANSFORM_DURING, buf_text(&pattern));
	} else if (transforms_has_during(&app->transforms)) {
		transforms_drop_during(app);
	} else {
		command_line_open(app);
		prompt_replace(&app->prompt, 0, "during ");
	}
}

/* A command that may have a pattern behind it, and is otherwise about what is selected. */
static void add_function(struct app *app, enum transform_kind kind)
{
	BUF_LOCAL pattern = { 0 };

	buf_add(&pattern, app->line.args.data, app->line.args.len);
	if (pattern.len)
		add_matching(app, kind, buf_text(&pattern));
	else if (kind == TRANSFORM_DURING)
		switch_during(app);
	else
		add_selected(app, kind, BY_FUNCTION);
}

/* Show only what runs below the selected call: its path is that from the outermost call on. */
static void focus_subtree(struct app *app)
{
	enum view_group group = transforms_shown(app)->group;
	frame_id *path;
	uint32_t n;

	if (!state_lane(app) || !app->s.chart.has_selection || app->mode != VIEW_TIME) {
		state_say(app, false, "no call is selected on the time line");
		return;
	}
	if (group != GROUP_FUNCTION) {
		state_say(app, false, "frames stand for one %s each; ob shows functions",
			  view_group_name(app->base, group));
		return;
	}
	/* The path is that of the call trees that are shown. */
	if (must_wait(app) || is_mark(app, folds_selected(&app->s)))
		return;
	path = select_path(app, &n);
	add_transform(app,
		      &(struct transform){ .kind = TRANSFORM_FOCUS,
					   .by = BY_PATH,
					   .path = path,
					   .n_path = n });
}

static void keep_matches(struct app *app)
{
	struct search *search = &app->finder.target.search;
	struct match_set matches, set;

	/* A key that comes soon after the one that changed the view. */
	if (finder_is_on(app))
		search_match(search, BUDGET_UNLIMITED);
	matches = search_set(search);
	if (!matches.frames) {
		state_say(app, false, "no search is active; / starts one");
		return;
	}
	if (app->finder.target.is_function && is_group(app, app->finder.target.frame) &&
	    transforms_shown(app)->group < GROUP_LABEL) {
		add_about_group(app, TRANSFORM_KEEP, app->finder.target.frame);
		return;
	}
	set = match_set_copy(&matches, app->s.profile->frames.n, app->s.profile);
	add_transform(app,
		      &(struct transform){ .kind = TRANSFORM_KEEP,
					   .by = BY_SET,
					   .set = set,
					   .text = xstrdup(buf_text(&app->finder.target.name)) });
}

static void invert(struct app *app)
{
	if (app->diff.what.is_on)
		state_say(app, false, "a comparison is not inverted; 5 lists callers");
	else if (views_wanted(app) == VIEW_MERGED)
		toggle(app, TRANSFORM_INVERT, BY_ALL, 0);
	else
		state_say(app, false,
			  "only the merged view and its tables can be inverted; 2 shows it");
}

/* n: TRANSFORMS_COMMAND. */
unsigned transform_keys_apply(struct app *app, int n)
{
	enum transform_kind kind = (enum transform_kind)(n % 16);
	enum transform_by by = (enum transform_by)(n / 16 % 16);

	if (by == BY_FUNCTION)
		add_function(app, kind);
	else if (by == BY_FILE || by == BY_PACKAGE)
		add_selected(app, kind, by);
	else if (by == BY_PATH)
		focus_subtree(app);
	else if (by == BY_SET)
		keep_matches(app);
	else if (kind == TRANSFORM_INVERT)
		invert(app);
	else
		toggle(app, kind, by, (uint32_t)n / 256);
	return APP_REDRAW;
}

/* Switch it. what: one of AS_RECORDED_. */
unsigned transform_keys_raw(struct app *app, int what)
{
	bool is_raw = app->transforms.raw & (unsigned)what;

	if (can_set_raw(app, (unsigned)what) && !as_recorded_exists(app->original, (unsigned)what))
		state_say(app, false, "%s: nothing to change here, samples are as recorded",
			  raw_names[what]);
	else
		transforms_set_raw(app, (unsigned)what, !is_raw);
	return APP_REDRAW;
}

unsigned transform_keys_group(struct app *app)
{
	unsigned now = app->transforms.group,
		 group = now < GROUP_COUNT ? (now + 1) % GROUP_COUNT : 0;

	if (group == GROUP_EVENT_CAT && !app->base->n_event_cats)
		group = (group + 1) % GROUP_COUNT;
	if (group == GROUP_ORIGIN && !app->base->has_origins)
		group = GROUP_FUNCTION;
	transforms_group(app, (enum view_group)group);
	return APP_REDRAW;
}
