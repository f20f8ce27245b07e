/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that change what is shown: the view of the chart, the scope of the panes, and
 * transforms. */
#include "config.h"

#include "ui/actions.h"

#include "analyse/frame_set.h"
#include "analyse/view/view_frames.h"
#include "base/alloc.h"
#include "ui/chart/folds.h"
#include "ui/chart/select.h"
#include "ui/chart/views.h"
#include "ui/pane/pane_rows.h"
#include "ui/pane/pane_scope.h"

#include <stdlib.h>
#include <string.h>

unsigned view_keys_view_time(struct app *app, int count)
{
	(void)count;
	if (views_wanted(app) == VIEW_TIME)
		state_say(app, false, "this is the time order; 2 merges equal calls");
	views_show(app, VIEW_TIME, FRAME_NONE);
	return APP_REDRAW;
}

unsigned view_keys_view_merged(struct app *app, int count)
{
	(void)count;
	views_show(app, VIEW_MERGED, FRAME_NONE);
	return APP_REDRAW;
}

unsigned view_keys_view_sandwich(struct app *app, int count)
{
	frame_id frame;

	(void)count;
	if (diff_shown(app))
		state_say(app, false, "c lists callers and callees of a comparison");
	else if (pane_rows_target(app, &frame))
		views_show(app, VIEW_SANDWICH, frame);
	return APP_REDRAW;
}

unsigned view_keys_width(struct app *app, int count)
{
	enum sides_width next = (enum sides_width)((app->diff.what.width + 1) % SIDES_WIDTHS);

	(void)count;
	if (!app->diff.what.is_on) {
		state_say(app, false,
			  "widths are of a comparison: :diff 1s,2s 3s,4s compares two windows");
		return APP_REDRAW;
	}
	diff_set_width(app, next);
	state_say(app, false, "the width of a box is its time %s",
		  next == SIDES_MEAN             ? "on both sides, the mean"
			  : next == SIDES_LARGER ? "on the larger side"
						 : diff_width_word(next));
	return APP_REDRAW;
}

unsigned view_keys_all_lanes(struct app *app, int count)
{
	enum lane_kind kind = LANE_COUNTER;
	const char *what;
	uint32_t n;

	(void)count;
	app->has_all_lanes = !app->has_all_lanes;
	n = pane_scope_count(app, &kind);
	what = kind == LANE_SAMPLES ? "samples" : "slices";
	if (!app->has_all_lanes)
		state_say(app, false, "panes show the lane with the cursor");
	else if (kind != LANE_SAMPLES && kind != LANE_SLICES)
		state_say(app, false, "there are no lanes of samples or slices to join");
	else if (n == 1)
		state_say(app, false, "panes show the only lane of %s", what);
	else
		state_say(app, false, "panes show all %u lanes of %s", (unsigned)n, what);
	if (views_wanted(app) == VIEW_MERGED)
		views_show(app, VIEW_MERGED, FRAME_NONE);
	return APP_REDRAW;
}

/* Add a transform without a path or set, or undo it if it is the last one: its key switches. */
static unsigned add_plain(struct app *app, enum transform_kind kind, enum transform_by by,
			  uint32_t id)
{
	const struct transforms *t = &app->transforms;
	bool is_switch = by == BY_CATEGORY || by == BY_ALL || by == BY_ANY_PACKAGE ||
		by == BY_OTHERS;

	for (size_t i = 0; is_switch && i < t->n; i++) {
		const struct transform *on = &t->list[i];

		if (on->kind != kind || on->by != by || on->id != id)
			continue;
		if (i == t->n - 1)
			transforms_undo(app, 1);
		else
			state_say(app, false,
				  "this transform is on already; u undoes the last one");
		return APP_REDRAW;
	}
	transforms_add(app, &(struct transform){ .kind = kind, .by = by, .id = id });
	return APP_REDRAW;
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
static unsigned add_about_group(struct app *app, enum transform_kind kind, frame_id frame)
{
	const struct frame *is = profile_frame(app->s.profile, frame);
	const struct profile *p = app->base;
	enum view_group group = transforms_shown(app)->group;
	struct match_set set = { NULL, NULL, NULL };

	if (group == GROUP_EVENT_CAT)
		set = match_set_of_cats(p, cats_named(p, is->name));
	else
		set.frames = xcalloc(p->frames.n, 1);
	for (frame_id i = 1; !set.cats && i < p->frames.n; i++)
		set.frames[i] = view_frames_has(p, group, is, &p->frames.frames[i]);
	transforms_add(app,
		       &(struct transform){ .kind = kind,
					    .by = BY_SET,
					    .set = set,
					    .text = xstrdup(profile_text(p, is->name)) });
	return APP_REDRAW;
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
static unsigned add_about(struct app *app, enum transform_kind kind, enum transform_by by)
{
	const struct frame *f;
	frame_id frame;
	uint32_t id;

	if (!pane_rows_target(app, &frame) || is_mark(app, frame))
		return APP_REDRAW;
	if (transforms_shown(app)->group >= GROUP_LABEL && is_group(app, frame)) {
		state_say(app, false, "this frame is a label; ob shows functions");
		return APP_REDRAW;
	}
	if (transforms_shown(app)->group == GROUP_LANE && is_group(app, frame)) {
		state_say(app, false,
			  "this frame is a lane: H on its title hides it, ob shows functions");
		return APP_REDRAW;
	}
	if (by == BY_FUNCTION && is_group(app, frame))
		return add_about_group(app, kind, frame);
	/* The id of a frame that transforms made is that of their view. */
	if (frame >= app->base->frames.n && must_wait(app))
		return APP_REDRAW;
	f = profile_frame(app->s.profile, frame);
	id = by == BY_FUNCTION ? frame : by == BY_FILE ? f->url : f->package;
	if (id)
		return add_plain(app, kind, by, id);
	state_say(app, false, "this frame belongs to no %s", by == BY_FILE ? "file" : "package");
	return APP_REDRAW;
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
static unsigned add_matching(struct app *app, enum transform_kind kind, const char *pattern)
{
	struct error err = ERROR_INIT;
	struct match_set set;

	if (!frame_set_match(app->base, pattern, &set, &err) ||
	    !transform_is_possible(&(struct transform){ .kind = kind, .set = set, .text = pattern },
				   &err)) {
		state_say(app, true, "%s", err.text);
		match_set_done(&set);
		return APP_REDRAW;
	}
	if (set.labels && !memchr(set.labels, 1, labels_count(&app->base->labels))) {
		state_say(app, true, "no label matches %.60s", pattern);
		match_set_done(&set);
		return APP_REDRAW;
	}
	if (!set.labels && !has_calls(app->base, &set)) {
		state_say(app, true,
			  memchr(set.frames, 1, app->base->frames.n)
				  ? "only marks match %.60s: transforms do not change them"
				  : "no function matches %.60s",
			  pattern);
		match_set_done(&set);
		return APP_REDRAW;
	}
	transforms_add(app,
		       &(struct transform){ .kind = kind,
					    .by = BY_SET,
					    .set = set,
					    .text = xstrdup(pattern) });
	return APP_REDRAW;
}

/* A command that may have a pattern behind it, and is otherwise about the selected function. */
static unsigned add_function(struct app *app, enum transform_kind kind)
{
	struct buf pattern = { 0 };
	unsigned wish;

	if (!app->line.args.len)
		return add_about(app, kind, BY_FUNCTION);
	buf_add(&pattern, app->line.args.data, app->line.args.len);
	wish = add_matching(app, kind, buf_text(&pattern));
	buf_done(&pattern);
	return wish;
}

unsigned view_keys_focus_function(struct app *app, int count)
{
	(void)count;
	return add_function(app, TRANSFORM_FOCUS);
}

/* The path from the outermost call to the selected one. */
unsigned view_keys_focus_subtree(struct app *app, int count)
{
	enum view_group group = transforms_shown(app)->group;
	frame_id *path;
	uint32_t n;

	(void)count;
	if (!state_lane(app) || !app->s.chart.has_selection || app->mode != VIEW_TIME) {
		state_say(app, false, "no call is selected on the time line");
		return APP_REDRAW;
	}
	if (group != GROUP_FUNCTION) {
		state_say(app, false, "frames stand for one %s each; ob shows functions",
			  view_group_name(app->base, group));
		return APP_REDRAW;
	}
	/* The path is that of the call trees that are shown. */
	if (must_wait(app) || is_mark(app, folds_selected(&app->s)))
		return APP_REDRAW;
	path = select_path(app, &n);
	transforms_add(app,
		       &(struct transform){ .kind = TRANSFORM_FOCUS,
					    .by = BY_PATH,
					    .path = path,
					    .n_path = n });
	return APP_REDRAW;
}

unsigned view_keys_keep_function(struct app *app, int count)
{
	(void)count;
	return add_function(app, TRANSFORM_KEEP);
}

unsigned view_keys_keep_matches(struct app *app, int count)
{
	struct search *search = &app->finder.target.search;
	struct match_set matches, set;

	(void)count;
	/* A key that comes soon after the one that changed the view. */
	if (finder_is_on(app))
		search_match(search, BUDGET_UNLIMITED);
	matches = search_set(search);
	if (!matches.frames) {
		state_say(app, false, "no search is active; / starts one");
		return APP_REDRAW;
	}
	if (app->finder.target.is_function && is_group(app, app->finder.target.frame) &&
	    transforms_shown(app)->group < GROUP_LABEL)
		return add_about_group(app, TRANSFORM_KEEP, app->finder.target.frame);
	set = match_set_copy(&matches, app->s.profile->frames.n, app->s.profile);
	transforms_add(app,
		       &(struct transform){ .kind = TRANSFORM_KEEP,
					    .by = BY_SET,
					    .set = set,
					    .text = xstrdup(finder_name(app)) });
	return APP_REDRAW;
}

unsigned view_keys_merge_function(struct app *app, int count)
{
	(void)count;
	return add_function(app, TRANSFORM_MERGE);
}

unsigned view_keys_merge_file(struct app *app, int count)
{
	(void)count;
	return add_about(app, TRANSFORM_MERGE, BY_FILE);
}

unsigned view_keys_merge_package(struct app *app, int count)
{
	(void)count;
	return add_about(app, TRANSFORM_MERGE, BY_PACKAGE);
}

unsigned view_keys_drop_function(struct app *app, int count)
{
	(void)count;
	return add_function(app, TRANSFORM_DROP);
}

unsigned view_keys_collapse_function(struct app *app, int count)
{
	(void)count;
	return add_function(app, TRANSFORM_COLLAPSE);
}

unsigned view_keys_collapse_package(struct app *app, int count)
{
	(void)count;
	return add_about(app, TRANSFORM_FOLD, BY_PACKAGE);
}

unsigned view_keys_collapse_recursion(struct app *app, int count)
{
	(void)count;
	return add_plain(app, TRANSFORM_RECURSION, BY_ALL, 0);
}

unsigned view_keys_invert(struct app *app, int count)
{
	(void)count;
	if (app->diff.what.is_on) {
		state_say(app, false, "a comparison is not inverted; 5 lists callers");
		return APP_REDRAW;
	}
	if (views_wanted(app) == VIEW_MERGED)
		return add_plain(app, TRANSFORM_INVERT, BY_ALL, 0);
	state_say(app, false, "only the merged view and its tables can be inverted; 2 shows it");
	return APP_REDRAW;
}

unsigned view_keys_merge_others(struct app *app, int count)
{
	(void)count;
	return add_plain(app, TRANSFORM_MERGE, BY_OTHERS, 0);
}

unsigned view_keys_fold_packages(struct app *app, int count)
{
	(void)count;
	return add_plain(app, TRANSFORM_FOLD, BY_ANY_PACKAGE, 0);
}

unsigned view_keys_fold_node(struct app *app, int count)
{
	(void)count;
	return add_plain(app, TRANSFORM_FOLD, BY_CATEGORY, CATEGORY_NODE);
}

unsigned view_keys_drop_idle(struct app *app, int count)
{
	(void)count;
	return add_plain(app, TRANSFORM_DROP, BY_CATEGORY, CATEGORY_IDLE);
}

unsigned view_keys_drop_program(struct app *app, int count)
{
	(void)count;
	return add_plain(app, TRANSFORM_DROP, BY_CATEGORY, CATEGORY_PROGRAM);
}

unsigned view_keys_raw_gc(struct app *app, int count)
{
	(void)count;
	transforms_raw(app, AS_RECORDED_GC);
	return APP_REDRAW;
}

unsigned view_keys_raw_program(struct app *app, int count)
{
	(void)count;
	transforms_raw(app, AS_RECORDED_PROGRAM);
	return APP_REDRAW;
}

unsigned view_keys_drop_gc(struct app *app, int count)
{
	(void)count;
	return add_plain(app, TRANSFORM_DROP, BY_CATEGORY, CATEGORY_GC);
}

unsigned view_keys_group(struct app *app, int count)
{
	unsigned now = app->transforms.group,
		 group = now < GROUP_COUNT ? (now + 1) % GROUP_COUNT : 0;

	(void)count;
	if (group == GROUP_EVENT_CAT && !app->base->n_event_cats)
		group = (group + 1) % GROUP_COUNT;
	transforms_group(app, (enum view_group)group);
	return APP_REDRAW;
}

unsigned view_keys_undo(struct app *app, int count)
{
	transforms_undo(app, count);
	return APP_REDRAW;
}

unsigned view_keys_redo(struct app *app, int count)
{
	transforms_redo(app, count);
	return APP_REDRAW;
}
