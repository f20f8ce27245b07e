/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A merged view is a scene of its own with a profile made for it; app->time keeps the scene of the
 * time line meanwhile.
 *
 * The profile is made in steps, between keys. Until it is complete, the view before is shown. It is
 * not replaced while a prompt is open, which keeps a span to go back to. */
#include "config.h"

#include "ui/chart/views.h"

#include "analyse/scope.h"
#include "analyse/view/merged.h"
#include "analyse/view/view_transform.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "model/lane_name.h"
#include "ui/actions.h"
#include "ui/app_state.h"
#include "ui/chart/lanes.h"
#include "ui/chart/live.h"
#include "ui/chart/scene.h"
#include "ui/chart/select.h"
#include "ui/pane/pane_scope.h"
#include "ui/same_frames.h"
#include "ui/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool views_has_time_order(const struct app *app);

/* ==== view keys ====
 *
 * Commands that change what is shown: the view of the chart, the scope of the panes, and
 * transforms. */

/* view: enum app_view. */
unsigned view_keys_show(struct app *app, int view)
{
	if (view == VIEW_TIME && views_wanted(app) == VIEW_TIME)
		state_say(app, false, "this is the time order; 2 merges equal calls");
	views_show(app, (enum app_view)view, FRAME_NONE);
	return APP_REDRAW;
}

unsigned view_keys_view_sandwich(struct app *app, int count)
{
	frame_id frame;

	(void)count;
	if (chart_diff_shown(app))
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
	chart_diff_set_width(app, next);
	state_say(app, false, "the width of a box is its time %s",
		  next == SIDES_MEAN             ? "on both sides, the mean"
			  : next == SIDES_LARGER ? "on the larger side"
						 : chart_diff_width_word(next));
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
static unsigned transform_toggle(struct app *app, enum transform_kind kind, enum transform_by by,
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
static unsigned transform_selected(struct app *app, enum transform_kind kind, enum transform_by by)
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
		return transform_toggle(app, kind, by, id);
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
		return transform_selected(app, kind, BY_FUNCTION);
	buf_add(&pattern, app->line.args.data, app->line.args.len);
	wish = add_matching(app, kind, buf_text(&pattern));
	buf_done(&pattern);
	return wish;
}

/* n: VIEWS_TRANSFORM. */
unsigned view_keys_transform(struct app *app, int n)
{
	enum transform_kind kind = VIEWS_TRANSFORM_KIND(n);
	enum transform_by by = VIEWS_TRANSFORM_BY(n);

	if (by == BY_FUNCTION)
		return add_function(app, kind);
	if (by == BY_FILE || by == BY_PACKAGE)
		return transform_selected(app, kind, by);
	return transform_toggle(app, kind, by, VIEWS_TRANSFORM_CATEGORY(n));
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
					    .text = xstrdup(buf_text(&app->finder.target.name)) });
	return APP_REDRAW;
}

unsigned view_keys_invert(struct app *app, int count)
{
	(void)count;
	if (app->diff.what.is_on) {
		state_say(app, false, "a comparison is not inverted; 5 lists callers");
		return APP_REDRAW;
	}
	if (views_wanted(app) == VIEW_MERGED)
		return transform_toggle(app, TRANSFORM_INVERT, BY_ALL, 0);
	state_say(app, false, "only the merged view and its tables can be inverted; 2 shows it");
	return APP_REDRAW;
}

/* what: one of AS_RECORDED_. */
unsigned view_keys_raw(struct app *app, int what)
{
	transforms_raw(app, (unsigned)what);
	return APP_REDRAW;
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

/* n: negative: undo; else redo. */
unsigned view_keys_redo(struct app *app, int n)
{
	(n < 0 ? transforms_undo : transforms_redo)(app, abs(n));
	return APP_REDRAW;
}

/* ==== views ==== */

#define MERGED_BYTES 154 /* for each node, at most */

static const char *const hits_titles[] = {
	"All calls, merged. No time order: hit counts only, no samples"
};

static const char *const diff_titles[] = { change_legend };

static const char *const sandwich_titles[] = { "Callers, merged (read upwards)",
					       "Callees, merged (read downwards)" };

struct views_change {
	enum app_view view;
	frame_id frame;
	bool is_inverted;
	struct pane_scope scope;
	struct merged *merged;    /* NULL: not begun */
	struct sides_merge *diff; /* of two sides, instead of both; NULL: none */
	bool is_ready;            /* the work is complete */
};

bool views_stop(struct app *app)
{
	struct views_change *c = app->next_view;

	if (!c)
		return false;
	if (c->merged)
		profile_free(merged_end(c->merged, NULL, NULL));
	if (c->diff) {
		struct sides sides;

		profile_free(sides_merge_end(c->diff, &sides));
		sides_done(&sides);
	}
	pane_scope_done(&c->scope);
	free(c);
	app->next_view = NULL;
	return true;
}

bool views_cancel(struct app *app)
{
	if (app->is_help || !views_stop(app))
		return false;
	state_say(app, false, "stopped; the view stays as it is");
	return true;
}

void views_done(struct app *app)
{
	buf_done(&app->mode_text);
	buf_done(&app->merged_title);
}

enum app_view views_wanted(const struct app *app)
{
	return app->next_view ? app->next_view->view : app->mode;
}

void views_leave(struct app *app)
{
	views_stop(app);
	if (app->mode == VIEW_TIME)
		return;
	chart_diff_leave(app);
	scene_end(app);
	app->s = app->time;
	app->s.chart.view = &app->s.view;
	app->s.chart.overview = &app->s.overview;
	profile_free(app->merged);
	app->merged = NULL;
	app->mode = VIEW_TIME;
	scene_forget_panes(app);
	folds_renew(app);
}

/* Whether all that the profile has are sums by stack. */
static bool has_sums(const struct app *app)
{
	const struct lane *lane = lane_value_first(app->base);

	return !views_has_time_order(app) && lane && lane->value.type;
}

/* Write the title of a view of one lane of calls: which calls these are. */
static void make_title(struct app *app, const struct pane_scope *scope, bool is_inverted)
{
	const struct viewport *view = &app->s.view;
	struct buf *title = &app->merged_title;
	char length[UNITS_MAX], from[UNITS_MAX];
	enum lane_kind kind;

	buf_clear(title);
	if (app->has_all_lanes && pane_scope_count(app, &kind) > 1)
		buf_addf(title, "%u lanes together", (unsigned)pane_scope_count(app, &kind));
	else if (app->s.chart.n_lanes > 1 && state_lane(app))
		lane_name(app->s.profile, state_lane(app), true, title);
	else
		buf_adds(title, "All calls");
	profile_value(app->base, scope->t1 - scope->t0, length);
	profile_value_near(app->base, scope->t0, (scope->t1 - scope->t0) / 100, from);
	if (live_is_moving(app) && !app->has_range)
		buf_addf(title, " of the last %s", length);
	else if (scope->t0 > view->t_min || scope->t1 < view->t_max)
		buf_addf(title, ", %s from %s on", length, from);
	buf_adds(title,
		 is_inverted ? ", inverted (read upwards: callers)" : ", merged, heaviest first");
	if (has_sums(app))
		buf_adds(title,
			 amount_is_time(&app->base->unit) ? ". No times of samples"
							  : ". Sums without order");
}

/* Describe what the view shows, for the header. n_levels: of callers; 0: all. */
static void describe(struct app *app, enum app_view view, frame_id frame,
		     const struct totals *totals, uint32_t n_levels)
{
	char time[UNITS_MAX], levels[UNITS_MAX];

	profile_value(app->base, totals->sampled_ns, time);
	buf_clear(&app->mode_text);
	if (view == VIEW_MERGED) {
		buf_addf(&app->mode_text, "merged: %s", time);
		if (!views_has_time_order(app)) {
			buf_adds(&app->mode_text, " of ");
			lane_value_text(app->base, lane_value_first(app->base), &app->mode_text);
		}
	} else {
		buf_adds(&app->mode_text, "callers and callees of ");
		text_fit(&app->mode_text,
			 profile_text(totals->profile, totals->view->frames[frame].name),
			 intern_len(&totals->profile->strings, totals->view->frames[frame].name),
			 24);
	}
	if (!n_levels)
		return;
	units_count(n_levels, levels);
	buf_addf(&app->mode_text, ", %s levels of callers", levels);
	state_say(app, true, "too many callers: only %s levels of them are shown", levels);
}

/* Find the call that was selected in the view before, where all calls of its stack are one. */
static bool find_before(const struct app *app, const struct same_stack *before, struct span *out)
{
	const struct scene *s = &app->s;
	const struct lane *lane = s->profile->lanes;
	node_id node = before->n ? same_stack_find(before, s->profile, &lane->tree) : NODE_ROOT;

	if (node == NODE_ROOT || !same_stack_is(before, s->profile, &lane->tree, node) ||
	    !same_stack_span(lane, node, 0, out))
		return false;
	folds_close(s, 0, out, out);
	return true;
}

/* before: the call that was selected. */
static void open_all(struct app *app, enum app_view view, bool is_inverted,
		     const struct same_stack *before)
{
	struct scene *s = &app->s;
	struct span span;
	bool has_start;

	s->chart.is_merged = true;
	s->chart.sides = chart_diff_shown(app);
	app->merged_titles[0] = buf_text(&app->merged_title);
	s->chart.titles = chart_diff_shown(app)                             ? diff_titles
		: view == VIEW_SANDWICH                                     ? sandwich_titles
		: is_inverted || views_has_time_order(app) || has_sums(app) ? app->merged_titles
									    : hits_titles;
	for (int i = 0; i < s->chart.n_lanes; i++)
		s->lanes[i].is_open = true;
	s->lanes[0].is_flipped = view == VIEW_SANDWICH || is_inverted;
	folds_make(app);
	s->chart.lane = s->chart.n_lanes - 1;
	has_start = chart_diff_find_start(app, &span) ||
		(view == VIEW_MERGED && !is_inverted && find_before(app, before, &span));
	if (has_start ||
	    span_find_callee(s->lanes[s->chart.lane].lane, NULL, 0, s->profile->t1, &span))
		select_span(app, s->chart.lane, &span);
	s->view.scroll = 0;
	if (s->lanes[0].is_flipped || has_start)
		select_reveal_row(app);
}

/* Show the profile that is ready. */
static void show(struct app *app)
{
	struct views_change *c = app->next_view;
	uint32_t n_levels = 0;
	struct sides sides;
	struct profile *merged = c->diff ? sides_merge_end(c->diff, &sides)
					 : merged_end(c->merged, &n_levels, NULL);
	bool has_sides = c->diff != NULL;
	struct same_stack before = { 0 };
	struct span selected;

	/* While a process runs, the time line has just begun with some call. */
	if (app->s.chart.has_selection && !live_is_moving(app)) {
		selected = folds_subject(&app->s);
		same_stack_take(app->s.profile, &app->s.profile->lanes[app->s.chart.lane].tree,
				selected.node, &before);
	}
	c->diff = NULL;
	c->merged = NULL;
	app->next_view = NULL;
	views_leave(app);
	if (merged) {
		if (!has_sides) {
			describe(app, c->view, c->frame, &c->scope.totals, n_levels);
			make_title(app, &c->scope, c->is_inverted);
		}
		app->time = app->s;
		app->merged = merged;
		app->mode = c->view;
		app->view_frame = c->frame;
		scene_begin(app, merged);
		if (has_sides)
			chart_diff_take(app, &sides);
		open_all(app, c->view, c->is_inverted, &before);
	} else {
		if (!has_sides)
			state_say(app, false, "nothing was sampled in the range");
	}
	pane_scope_done(&c->scope);
	free(c);
	same_stack_done(&before);
	if (!merged && has_sides) {
		chart_diff_say_none(app, &sides);
		sides_done(&sides);
	}
}

bool views_is_busy(const struct app *app)
{
	const struct views_change *c = app->next_view;

	return c && !(c->is_ready && app->prompt.kind != PROMPT_NONE);
}

/* Begin to merge the calls of the scope. False: memory for that was refused. */
static bool begin_merged(struct views_change *c)
{
	enum merged_kind kind = c->view == VIEW_SANDWICH ? MERGED_SANDWICH
		: c->is_inverted                         ? MERGED_INVERTED
							 : MERGED_LEFT_HEAVY;

	if (!reserve_has_room(c->scope.view.tree->n * (size_t)MERGED_BYTES))
		return false;
	c->merged = merged_begin(&c->scope.totals, kind, c->frame, NULL);
	return true;
}

bool views_work(struct app *app, struct budget *budget)
{
	struct views_change *c = app->next_view;

	if (!views_is_busy(app))
		return false;
	if (!c->diff && !c->merged) {
		if (!pane_scope_work(&c->scope, budget))
			return false;
		if (!begin_merged(c))
			return views_stop(app);
	}
	c->is_ready = c->is_ready ||
		(c->diff ? sides_merge_work(c->diff, budget) : merged_work(c->merged, budget));
	if (!c->is_ready || app->prompt.kind != PROMPT_NONE)
		return false;
	show(app);
	return true;
}

/* Whether any lane has samples or slices, and not only hit counts. */
static bool views_has_time_order(const struct app *app)
{
	const struct profile *p = app->base;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].has_timeline)
			return true;
	return p->n_lanes == 0;
}

void views_start(struct app *app, const struct app_options *options)
{
	if (options->diff && !(options->state && options->state->is_touched)) {
		app->diff.what = *options->diff;
		views_show(app, VIEW_MERGED, FRAME_NONE);
		return;
	}
	if (live_is_moving(app) && app->live->is_merged &&
	    !(options->state && options->state->is_touched)) {
		views_show(app, VIEW_MERGED, FRAME_NONE);
		return;
	}
	/* The order of allocations says little: which calls they are of is what counts. */
	if (!amount_is_time(&app->base->unit) && !options->state && views_has_time_order(app)) {
		views_show(app, VIEW_MERGED, FRAME_NONE);
		return;
	}
	/* Of a preview, the samples may still come. */
	if (!views_has_time_order(app) && !profile_warns(app->base, WARN_STOPPED)) {
		app->has_all_lanes |= has_sums(app) && app->base->n_lanes > 1;
		views_show(app, VIEW_MERGED, FRAME_NONE);
	}
}

static void say_no_order(struct app *app)
{
	if (!amount_is_time(&app->base->unit))
		state_say(app, false, "no order: the file has only sums; 2 shows the calls");
	else if (has_sums(app))
		state_say(app, false,
			  "no time order: the file has no times of samples; 2 shows the calls");
	else
		state_say(app, false,
			  "no time order: the file has hit counts, but no samples; 2 shows the "
			  "calls");
}

void views_show(struct app *app, enum app_view view, frame_id frame)
{
	struct budget budget = budget_ns(app->key_ns);
	struct views_change *c;
	bool has_sides;

	views_stop(app);
	if (view == VIEW_TIME) {
		views_leave(app);
		if (transforms_is_inverted(app))
			state_say(app, false,
				  "time order is not inverted; 2 shows the merged view");
		if (!views_has_time_order(app))
			say_no_order(app);
		return;
	}
	c = xcalloc(1, sizeof *c);
	c->view = view;
	c->frame = frame;
	has_sides = app->diff.what.is_on && view == VIEW_MERGED;
	c->is_inverted = view == VIEW_MERGED && !has_sides && transforms_is_inverted(app);
	if (has_sides)
		c->diff = chart_diff_begin(app);
	if (has_sides ? !c->diff : !pane_scope_begin(app, app->pane.has_idle, &c->scope)) {
		free(c);
		return;
	}
	app->next_view = c;
	if (app->key_ns > 0)
		views_work(app, &budget);
}
