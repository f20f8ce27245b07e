/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two profiles of the same files differ in what was read of them: lanes may be added, the start may
 * move, and times that were made up may become known. So lanes are looked for by identity and
 * order, and times are shifted by the distance of the two origins, or go by the number of the
 * sample. Files that were written again hold another recording, often with other ids and another
 * clock, of code that may have changed: see "same lanes" below and same_frames.h. */
#include "config.h"

#include "ui/app_state.h"

#include "analyse/scope.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== same lanes ====
 *
 * Lanes mostly come in the same order, so each search begins where the one before ended. */

static struct same_lane same_lanes_of(const struct profile *profile, const struct lane *lane)
{
	const char *title = profile_text(profile, lane->title);
	const uint64_t name[] = { (uint64_t)lane->kind, lane->is_joined,
				  hash_bytes(title, strlen(title)) };
	const uint64_t id[] = { hash_bytes(name, sizeof name), (uint64_t)lane->pid,
				(uint64_t)lane->tid };

	return (struct same_lane){ .id = hash_bytes(id, sizeof id), .name = id[0] };
}

/* by_name: lanes of `before` that are taken are left out. */
static int find(const struct same_lane *before, int n, const struct same_lane *lane, int near,
		const bool *is_taken, bool by_name)
{
	for (int k = 0; k < n; k++) {
		int at = (near + k) % n;

		if (by_name ? !is_taken[at] && before[at].name == lane->name
			    : before[at].id == lane->id)
			return at;
	}
	return -1;
}

/* Set found[i], for each of n lanes, to the lane among the `n_before` that is the same; -1: it is
 * new. Those without one of the same id get the next one of the same name that no other lane has.
 */
static void same_lanes_find(const struct same_lane *before, int n_before,
			    const struct same_lane *now, int n, int *found)
{
	ALLOC_LOCAL bool *is_taken = xcalloc((size_t)n_before + 1, sizeof *is_taken);

	for (int by_name = 0; by_name < 2; by_name++)
		for (int i = 0, near = 0; i < n; i++) {
			if (by_name && found[i] >= 0)
				continue;
			found[i] = find(before, n_before, &now[i], near, is_taken, by_name);
			if (found[i] < 0)
				continue;
			is_taken[found[i]] = true;
			near = found[i] + 1;
		}
}

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

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
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

static void get_transform(const struct app *app, const struct transform *t,
			  struct kept_transform *kept)
{
	const struct profile *p = app->base;
	BUF_LOCAL said = { 0 };

	transform_describe(p, t, &said);
	*kept = (struct kept_transform){ .kind = t->kind,
					 .by = t->by,
					 .category = t->by == BY_CATEGORY ? t->id : 0,
					 .text = xstrdup(text_of(p, t)),
					 .said = xstrdup(buf_text(&said)),
					 .is_lost = t->by == BY_FUNCTION && t->id >= p->frames.n };
	if (t->by == BY_SET && t->set.cats) {
		kept->cats = xcalloc((size_t)p->n_event_cats + 1, sizeof *kept->cats);
		for (uint32_t i = 0; i < p->n_event_cats; i++)
			if (t->set.cats[i])
				kept->cats[kept->n_cats++] = xstrdup(
					profile_text(p, p->event_cats[i].text));
		if (kept->n_cats > 1)
			qsort(kept->cats, kept->n_cats, sizeof *kept->cats, by_text);
	}
	kept->is_pattern = t->set.labels || t->set.during;
	if (kept->is_pattern)
		return;
	if (t->by == BY_PATH) {
		for (uint32_t i = 0; i < t->n_path; i++)
			kept->is_lost |= t->path[i] >= p->frames.n;
		if (!kept->is_lost)
			same_frames_list(p, t->path, t->n_path, &kept->same);
	} else if (t->by == BY_FUNCTION || t->by == BY_FILE || t->by == BY_PACKAGE ||
		   t->by == BY_SET) {
		ALLOC_LOCAL uint8_t *is = xcalloc(p->frames.n, 1);

		for (frame_id i = 1; i < p->frames.n; i++)
			is[i] = matches(t, &p->frames.frames[i], i);
		same_frames_take(p, is, &kept->same);
	}
}

/* Fill `kept` from an app. */
static void kept_transforms_get(const struct app *app, struct kept_transforms *kept)
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
		get_transform(app, &t->list[i], &kept->list[i]);
}

static void kept_transforms_done(struct kept_transforms *kept)
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
static bool make_transform(const struct kept_transform *kept, const struct profile *p,
			   bool has_lost, struct transform *t)
{
	*t = (struct transform){ .kind = kept->kind, .by = kept->by, .id = kept->category };
	if (kept->is_lost)
		return false;
	if (kept->by == BY_PATH)
		return !has_lost && make_path(kept, p, t);
	if (kept->cats)
		return make_cats(kept, p, t);
	if (kept->is_pattern) {
		bool is = scope_match(p, kept->kind, kept->text, &t->set,
				      &(struct error)ERROR_INIT);

		t->text = is ? xstrdup(kept->text) : NULL;
		return is;
	}
	if (kept->by == BY_FUNCTION || kept->by == BY_FILE || kept->by == BY_PACKAGE ||
	    kept->by == BY_SET)
		return make_frames(kept, p, t);
	return true;
}

void kept_transforms_make(const struct kept_transforms *kept, const struct profile *profile,
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
		bool is_made = make_transform(&kept->list[i], profile, has_lost,
					      &t->list[t->n_all]);

		t->n_all += is_made;
		if (i < kept->n) {
			t->n += is_made;
			if (!is_made)
				buf_addf(lost, "%s%s", lost->len ? ", " : "", kept->list[i].said);
		}
		has_lost |= !is_made;
	}
}

/* ==== app state ==== */

/* ---- the search, without its results ---- */

static void get_query(const struct app *app, struct app_query *query)
{
	const struct finder *f = &app->finder;

	*query = (struct app_query){ .is_plain = f->target.is_plain,
				     .is_function = f->target.is_function,
				     .is_told = f->is_told };
	if (!finder_is_on(app))
		return;
	query->text = xstrdup(buf_text(&f->target.name));
	if (query->is_function)
		same_frames_list(app->s.profile, &f->target.frame, 1, &query->same);
}

/* Search for the same in an app without a search. If its profile does not have the function, it
 * stays without. */
static void apply_query(struct app *app, const struct app_query *query)
{
	if (!query->text)
		return;
	if (query->is_function) {
		frame_id frame = same_frames_first(app->s.profile, &query->same);

		if (frame != FRAME_NONE)
			finder_function(app, frame);
	} else {
		finder_set(app, query->text, query->is_plain);
	}
	app->finder.is_told = query->is_told && finder_is_on(app);
}

/* ---- get ---- */

static void get_lanes(const struct app *app, struct app_state *state)
{
	const struct scene *s = state_time_line(app);

	state->n_lanes = s->chart.n_lanes;
	state->lanes = xcalloc((size_t)s->chart.n_lanes + 1, sizeof *state->lanes);
	for (int i = 0; i < s->chart.n_lanes; i++)
		state->lanes[i] =
			(struct app_lane){ .same = same_lanes_of(app->base, &s->profile->lanes[i]),
					   .is_open = s->lanes[i].is_open,
					   .is_whole = s->lanes[i].is_whole,
					   .is_fitted = s->lanes[i].is_fitted,
					   .end_depth = s->lanes[i].end_depth,
					   .n_rest = s->lanes[i].n_rest,
					   .trunk = s->lanes[i].trunk,
					   .is_unfolded = s->lanes[i].is_unfolded,
					   .zero_ns = s->lanes[i].lane->zero_ns,
					   .is_hidden = s->lanes[i].is_hidden,
					   .is_shut = s->lanes[i].is_shut,
					   .is_away = s->lanes[i].is_away,
					   .in_pool = s->lanes[i].in_pool,
					   .is_pooled = s->lanes[i].is_pooled,
					   .has_group = s->lanes[i].has_group };
}

/* s: samples of the lane with the cursor if their times are made up, or NULL. */
static struct app_time get_time(const struct samples *s, int64_t t)
{
	struct app_time time = { .ns = t, .sample = SIZE_MAX };

	if (s && s->n > 0 && t >= samples_time(s, 0))
		time.sample = t < samples_time(s, s->n) ? samples_find(s, t) : s->n;
	return time;
}

/* The samples of a lane if their times are made up; NULL: they are not, or there is no lane. */
static const struct samples *made_up_of(const struct app *app, int lane)
{
	return lane >= 0 && profile_has_made_up_times(app->base)
		? &state_time_line(app)->profile->lanes[lane].samples
		: NULL;
}

static void get_mark(const struct app *app, const struct mark *from, struct app_mark *to)
{
	const struct samples *made_up = made_up_of(app, from->lane);

	*to = (struct app_mark){ .is_set = from->is_set,
				 .has_selection = from->has_selection,
				 .t0 = get_time(made_up, from->t0),
				 .t1 = get_time(made_up, from->t1),
				 .span_t0 = get_time(made_up, from->span_t0),
				 .lane = from->lane,
				 .depth = from->depth,
				 .scroll = from->scroll };
}

static bool is_whole(const struct viewport *view)
{
	return view->t0 == view->t_min && view->t1 == view->t_max;
}

static void get_history(const struct app *app, struct app_state *state)
{
	const struct history *history = &state_time_line(app)->history;
	const struct samples *made_up = made_up_of(app, state_time_line(app)->chart.lane);

	state->n_windows = history->n;
	state->window_at = history->at;
	state->last_window = history->last;
	state->windows = xcalloc((size_t)history->n + 1, sizeof *state->windows);
	for (int i = 0; i < history->n; i++)
		state->windows[i] =
			(struct app_window){ .t0 = get_time(made_up, history->views[i].t0),
					     .t1 = get_time(made_up, history->views[i].t1),
					     .is_whole = is_whole(&history->views[i]),
					     .scroll = history->views[i].scroll };
}

static void get_place(const struct app *app, struct app_state *state)
{
	const struct scene *s = state_time_line(app);
	const struct lane *lane = s->chart.lane >= 0 ? &s->profile->lanes[s->chart.lane] : NULL;
	const struct samples *made_up = made_up_of(app, s->chart.lane);
	struct span span = { .depth = 0 };

	state->has_own_zero = app->base->has_own_zero;
	state->origin_ns = app->base->origin_ns;
	state->end_ns = app->base->t1;
	state->has_window = !is_whole(&s->view);
	state->t0 = get_time(made_up, s->view.t0);
	state->t1 = get_time(made_up, s->view.t1);
	state->has_range = app->range.is_pinned;
	state->range_t0 = get_time(made_up, app->range.t0);
	state->range_t1 = get_time(made_up, app->range.t1);
	state->heat_t = get_time(made_up, app->heat.t);
	state->heat_anchor = get_time(made_up, app->heat.anchor);
	state->lane = s->chart.lane;
	if (!lane)
		return;
	state->has_timeline = lane->has_timeline;
	state->has_selection = s->chart.has_selection;
	if (s->chart.has_selection)
		span = folds_selected_span(s);
	state->depth = span.depth;
	state->slice = state->has_selection ? slice_event(lane, &span) : -1;
	state->pid = lane->pid;
	state->tid = lane->tid;
	state->span_t0 = get_time(made_up, span.t0);
	state->scroll = s->view.scroll - chart_lane_top(&s->chart, s->chart.lane);
	if (s->chart.has_selection)
		same_stack_take(s->profile, &lane->tree, span.node, &state->stack);
}

void app_state_get(const struct app *app, struct app_state *state)
{
	const struct finder_target *filter = &app->filter.target;

	*state = (struct app_state){ .rows = app->rows,
				     .cols = app->cols,
				     .is_touched = app->is_touched };
#define FIELD(type, name, member) state->name = app->member;
	APP_STATE_FIELDS(FIELD)
#undef FIELD
	/* A pane that is open only where the first window leaves room. */
	state->is_pane_open &= !app->culprit.has_opened || app->focus == KEYMAP_PANE;
	for (int i = 0; i < PANE_TABS; i++) {
		state->order[i].sort = app->pane.tabs[i].sort;
		state->order[i].is_reversed = app->pane.tabs[i].is_reversed;
		pane_kept_get(&app->pane.tabs[i], &state->order[i].kept);
	}
	prompt_copy(&state->prompt, &app->prompt);
	get_query(app, &state->query);
	get_lanes(app, state);
	for (int i = 0; i < MARKS_MAX; i++)
		get_mark(app, &app->marks.list[i], &state->marks[i]);
	get_mark(app, &app->marks.last, &state->last_mark);
	notes_add_all(&state->notes, &app->notes.all);
	get_history(app, state);
	get_place(app, state);
	if (filter->search.matches) {
		state->filter = xstrdup(buf_text(&filter->name));
		state->is_filter_plain = filter->is_plain;
	}
	state->view = app->mode;
	/* A frame that transforms made is not found again. */
	if (app->mode == VIEW_SANDWICH && app->views.frame >= app->base->frames.n)
		state->view = VIEW_TIME;
	if (state->view == VIEW_SANDWICH)
		same_frames_list(app->base, &app->views.frame, 1, &state->view_function);
	kept_transforms_get(app, &state->transforms);
	state->is_source = other_names_shows_source(app->base);
	state->split = profile_split(app->base);
}

void app_state_done(struct app_state *state)
{
	kept_transforms_done(&state->transforms);
	same_frames_done(&state->view_function);
	same_stack_done(&state->stack);
	for (int i = 0; i < PANE_TABS; i++)
		pane_kept_done(&state->order[i].kept);
	free(state->filter);
	prompt_done(&state->prompt);
	free(state->query.text);
	same_frames_done(&state->query.same);
	free(state->lanes);
	free(state->windows);
	notes_done(&state->notes);
	*state = (struct app_state){ 0 };
}

void app_state_forget_places(struct app_state *state)
{
	state->n_lanes = state->n_windows = state->window_at = 0;
	state->lane = -1;
	state->has_window = state->has_range = state->has_selection = false;
	for (int i = 0; i < MARKS_MAX; i++)
		state->marks[i].is_set = false;
	state->last_mark.is_set = false;
}

/* ---- apply ---- */

/* By lane of the app: the same lane of the state, or -1. To be freed. */
static int *find_lanes(const struct app *app, const struct app_state *state)
{
	int n = app->s.chart.n_lanes;
	ALLOC_LOCAL struct same_lane *before = xcalloc((size_t)state->n_lanes + 1, sizeof *before);
	ALLOC_LOCAL struct same_lane *now = xcalloc((size_t)n + 1, sizeof *now);
	int *found = xcalloc((size_t)n + 1, sizeof *found);

	for (int i = 0; i < state->n_lanes; i++)
		before[i] = state->lanes[i].same;
	for (int i = 0; i < n; i++)
		now[i] = same_lanes_of(app->base, &app->s.profile->lanes[i]);
	same_lanes_find(before, state->n_lanes, now, n, found);
	return found;
}

/* now: by lane of the state, the lane of the app; -1: it has none. NULL: not needed. Returns the
 * lane with the cursor, or -1. */
static int apply_lanes(struct app *app, const struct app_state *state, int *now)
{
	int at = -1;
	ALLOC_LOCAL int *found = find_lanes(app, state);
	bool has_away = false;

	for (int k = 0; k < state->n_lanes; k++)
		has_away |= state->lanes[k].is_away;
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		struct chart_lane *lane = &app->s.lanes[i];
		int k = found[i];

		if (k < 0) {
			lane->is_away = lane->is_shut && has_away;
			continue;
		}
		lane->is_open = state->lanes[k].is_open;
		lane->is_hidden = state->lanes[k].is_hidden;
		lane->is_whole = state->lanes[k].is_whole;
		lane->is_fitted = state->lanes[k].is_fitted;
		lane->end_depth = state->lanes[k].end_depth;
		lane->n_rest = state->lanes[k].n_rest;
		lane->trunk = state->lanes[k].trunk;
		lane->is_unfolded = state->lanes[k].is_unfolded;
		if (lane->has_group && state->lanes[k].has_group)
			lanes_shut(&app->s, i, state->lanes[k].is_shut);
		lane->is_away = lane->is_shut && state->lanes[k].is_away;
		if (lane->in_pool && state->lanes[k].in_pool)
			lane->is_pooled = state->lanes[k].is_pooled;
		if (now)
			now[k] = i;
		at = k == state->lane ? i : at;
	}
	groups_settle(&app->s);
	return at;
}

/* The time `time` of lane `before` of the state in lane `at` of the app; -1: none. */
static int64_t time_of(const struct app *app, const struct app_state *state, int before, int at,
		       const struct app_time *time)
{
	const struct samples *samples = at >= 0 ? &app->s.profile->lanes[at].samples : NULL;

	if (samples && samples->n > 0 && time->sample != SIZE_MAX)
		return samples_time(samples, time->sample < samples->n ? time->sample : samples->n);
	/* Two recordings, one after the other, are of different times. */
	if (app->base->origin_ns > state->origin_ns + state->end_ns ||
	    state->origin_ns > app->base->origin_ns + app->base->t1)
		return time->ns;
	/* Each lane may have moved by another time. */
	if (app->base->has_own_zero || state->has_own_zero)
		return before < 0 || at < 0
			? time->ns
			: time->ns + state->lanes[before].zero_ns - app->s.lanes[at].lane->zero_ns;
	return time->ns + state->origin_ns - app->base->origin_ns;
}

/* Find the selected call: at its time, or else the nearest one of its stack. Of a profile that
 * shows other names than before, the samples are the same. */
static bool find_span(const struct app *app, const struct app_state *state, int at,
		      struct span *span)
{
	const struct lane *lane = &app->s.profile->lanes[at];
	int64_t t = time_of(app, state, state->lane, at, &state->span_t0);
	bool is_there = span_at(&lane->samples, &lane->tree, state->depth, t, span);
	struct span near;

	if (state->is_source != other_names_shows_source(app->base) ||
	    (is_there && same_stack_is(&state->stack, app->s.profile, &lane->tree, span->node)))
		return is_there;
	if (!same_stack_span(lane, same_stack_find(&state->stack, app->s.profile, &lane->tree), t,
			     &near))
		return is_there;
	*span = near;
	return true;
}

/* The lane that has the selected slice, where slices are on other lanes now; -1: none has. */
static int find_slice(const struct app *app, const struct app_state *state, struct span *span)
{
	for (int i = 0; state->slice >= 0 && i < app->s.chart.n_lanes; i++) {
		const struct lane *lane = &app->s.profile->lanes[i];

		if (lane->pid == state->pid && lane->tid == state->tid &&
		    slice_find(lane, state->slice,
			       time_of(app, state, state->lane, i, &state->span_t0), span))
			return i;
	}
	return -1;
}

/* The first lane of the thread with the cursor; -1: there is none. */
static int find_thread(const struct app *app, const struct app_state *state)
{
	for (int i = 0; state->lane >= 0 && i < app->s.chart.n_lanes; i++)
		if (app->s.lanes[i].lane->pid == state->pid &&
		    app->s.lanes[i].lane->tid == state->tid)
			return i;
	return -1;
}

/* Select the span at the place of the former selection, and scroll it to the same row of the
 * screen. */
static void apply_selection(struct app *app, const struct app_state *state, int at)
{
	bool has_other_lanes = state->split != profile_split(app->base), is_found = false;
	struct viewport view = app->s.view;
	struct span span;
	int slice = has_other_lanes ? find_slice(app, state, &span) : -1;

	if (slice >= 0) {
		is_found = true;
		at = slice;
	} else if (at >= 0) {
		const struct lane *lane = app->s.lanes[at].lane;

		is_found = state->has_selection && lane->samples.n &&
			find_span(app, state, at, &span);
	} else {
		at = has_other_lanes ? find_thread(app, state) : -1;
	}
	if (at < 0)
		return;
	if (is_found) {
		frame_id frame;

		select_call(app, at, &span);
		/* The source pane goes on with the same function. */
		frame = folds_selected(&app->s);
		if (profile_frame(app->s.profile, frame)->url)
			app->source.frame = frame;
	} else {
		app->s.chart.lane = at;
		app->s.chart.has_selection = false;
		app->s.has_goal = false;
		app->s.self_ns = 0;
	}
	/* Selecting opened the lane, which may have been folded. */
	apply_lanes(app, state, NULL);
	view.scroll = state->scroll + chart_lane_top(&app->s.chart, at);
	app->s.view = view;
	state_clamp_scroll(app);
}

/* The windows before and after, cut to what the profile has. */
static void apply_history(struct app *app, const struct app_state *state, int at)
{
	struct history *history = &app->s.history;

	for (int i = 0; i < state->n_windows; i++) {
		const struct app_window *from = &state->windows[i];
		struct viewport *to = &history->views[i];

		*to = app->s.view;
		to->scroll = from->scroll;
		if (from->is_whole)
			viewport_set(to, to->t_min, to->t_max);
		else
			viewport_set(to, time_of(app, state, state->lane, at, &from->t0),
				     time_of(app, state, state->lane, at, &from->t1));
	}
	history->n = state->n_windows;
	history->at = state->window_at;
	history->last = state->last_window;
}

static void apply_place(struct app *app, const struct app_state *state, int at)
{
	/* Hit counts have no places in time: the first window and selection stay. */
	if (at >= 0 && !state->has_timeline)
		return;
	if (state->has_window && !live_is_moving(app))
		viewport_set(&app->s.view, time_of(app, state, state->lane, at, &state->t0),
			     time_of(app, state, state->lane, at, &state->t1));
	apply_history(app, state, at);
	app->range.is_pinned = state->has_range;
	app->range.t0 = time_of(app, state, state->lane, at, &state->range_t0);
	app->range.t1 = time_of(app, state, state->lane, at, &state->range_t1);
	app->heat.t = time_of(app, state, state->lane, at, &state->heat_t);
	app->heat.anchor = time_of(app, state, state->lane, at, &state->heat_anchor);
	apply_selection(app, state, at);
}

/* now: see apply_lanes(). */
static void apply_mark(const struct app *app, const struct app_state *state, const int *now,
		       const struct app_mark *from, struct mark *to)
{
	int lane = from->is_set && from->lane >= 0 ? now[from->lane] : -1;

	*to = (struct mark){ .is_set = from->is_set,
			     .has_selection = from->has_selection && lane >= 0,
			     .t0 = time_of(app, state, from->lane, lane, &from->t0),
			     .t1 = time_of(app, state, from->lane, lane, &from->t1),
			     .span_t0 = time_of(app, state, from->lane, lane, &from->span_t0),
			     .lane = lane,
			     .depth = from->depth,
			     .scroll = from->scroll };
}

/* Say which lanes there are now. */
static void say_split(struct app *app, const struct app_state *state)
{
	const struct profile *p = app->base;
	const struct label_lanes_of *of = &p->label_lanes;
	const char *key = of->key ? profile_text(p, p->labels.keys[of->key - 1].name) : NULL;

	if (key && of->n_own < of->n_all)
		state_say(
			app, false,
			"a lane for each of the %zu values of %.40s with most time; %s others share one",
			of->n_own, key, units_count(of->n_all - of->n_own, UNITS_ROOM));
	else if (key)
		state_say(app, false, "a lane for each value of %.60s", key);
	else if (state->split > 1 && !p->has_cat_lanes)
		state_say(app, false, "samples of a thread: one lane for all");
	else
		state_say(app, false, "slices of a thread: %s",
			  p->has_cat_lanes ? "a lane for each event category" : "one lane for all");
}

/* Say by which names functions are shown now, if that has changed, and what was lost. */
static void say_changes(struct app *app, const struct app_state *state)
{
	bool is_source = other_names_shows_source(app->base);
	BUF_LOCAL text = { 0 };

	if (is_source != state->is_source)
		buf_addf(&text, "names of the %s", is_source ? "sources" : "scripts");
	else if (profile_split(app->base) != state->split)
		say_split(app, state);
	if (app->lost.len)
		buf_addf(&text, "%snot kept: %s", text.len ? "; " : "", buf_text(&app->lost));
	else if (text.len)
		buf_addf(&text, "; M shows those of the %s", is_source ? "scripts" : "sources");
	if (text.len)
		state_say(app, app->lost.len > 0, "%s", buf_text(&text));
}

void app_state_apply(struct app *app, const struct app_state *state)
{
	int at;
	ALLOC_LOCAL int *now = NULL;
	frame_id function = FRAME_NONE;

	prompt_copy(&app->prompt, &state->prompt);
	/* Who has only asked for help reads it. */
	app->help.is_open = state->is_help;
	app->help.scroll = state->help_scroll;
	if (!state->is_touched)
		return;
	app->is_touched = true;
	now = xmalloc(((size_t)state->n_lanes + 1) * sizeof *now);
	for (int i = 0; i < state->n_lanes; i++)
		now[i] = -1;
	at = apply_lanes(app, state, now);
	apply_place(app, state, at);
	for (int i = 0; i < MARKS_MAX; i++)
		apply_mark(app, state, now, &state->marks[i], &app->marks.list[i]);
	apply_mark(app, state, now, &state->last_mark, &app->marks.last);
#define FIELD(type, name, member) app->member = state->name;
	APP_STATE_FIELDS(FIELD)
#undef FIELD
	for (int i = 0; i < PANE_TABS; i++) {
		app->pane.tabs[i].sort = state->order[i].sort;
		app->pane.tabs[i].is_reversed = state->order[i].is_reversed;
		pane_kept_set(&app->pane.tabs[i], &state->order[i].kept);
	}
	apply_query(app, &state->query);
	if (state->filter)
		filter_set(app, state->filter, state->is_filter_plain);
	if (state->view == VIEW_SANDWICH)
		function = same_frames_first(app->base, &state->view_function);
	if (state->view == VIEW_MERGED || function != FRAME_NONE)
		views_show(app, state->view, function);
	say_changes(app, state);
}
