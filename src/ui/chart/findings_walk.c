/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings are of one window and lane, or of many lanes, and are found in steps while no key
 * waits. A walk keeps those it began with: it shows other windows, whose findings are others. */
#include "config.h"

#include "ui/chart/findings_walk.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/ruler.h"
#include "findings/findings.h"
#include "model/profile.h"
#include "ui/chart/culprit.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/pane/pane.h"
#include "ui/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_NS INT64_C(30000000) /* that a key may take for findings */
#define LOOKING "looking for findings; Esc stops it"
#define NODE_BYTES 160  /* for each node of the lane, about */
#define FRAME_BYTES 160 /* and each function, with the groups that it may have */
#define MARGIN 10       /* a tenth of a stop on both sides of it */
#define READ_MS 100     /* until a source is there; each further time is twice as long */
#define READS_MAX 5

/* ---- what the findings are about ---- */

/* The kind of lanes whose findings are joined if there are FINDINGS_MANY: as in a report, that of
 * samples if there are any. LANE_MARKS: there are fewer. */
static enum lane_kind many_kind(const struct profile *p)
{
	uint32_t n_samples = 0, n_others = 0;

	for (uint32_t i = 0; i < p->n_lanes && n_samples < FINDINGS_MANY; i++) {
		bool is = findings_is_for(&p->lanes[i]);

		n_samples += is && p->lanes[i].kind == LANE_SAMPLES;
		n_others += is && p->lanes[i].kind != LANE_SAMPLES;
	}
	if (n_samples >= FINDINGS_MANY)
		return LANE_SAMPLES;
	return !n_samples && n_others >= FINDINGS_MANY ? LANE_SLICES : LANE_MARKS;
}

/* Begin with those of all lanes of the kind, and of the main threads of pages. */
static void begin_many(struct findings_walk *w, const struct source_host *sources,
		       enum lane_kind kind)
{
	const struct profile *p = w->profile;
	ALLOC_LOCAL const struct lane **lanes = xcalloc(p->n_lanes, sizeof *lanes);
	struct findings_wanted wanted = { .profile = p,
					  .lanes = lanes,
					  .t0 = w->t0,
					  .t1 = w->t1,
					  .sources = sources,
					  .clock = w->clock };

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (findings_is_for(&p->lanes[i]) &&
		    (p->lanes[i].kind == kind || p->lanes[i].is_page_main))
			lanes[wanted.n_lanes++] = &p->lanes[i];
	findings_begin_many(&w->findings, &wanted);
}

/* The index of the lane with the cursor, or of the samples of its thread, for requests of the
 * busiest thread of their process; -1: there is none. */
static int find_lane(const struct scene *s)
{
	const struct lane *lanes = s->profile->lanes, *lane;
	int best = -1;

	if (s->chart.lane < 0)
		return -1;
	lane = &lanes[s->chart.lane];
	if (findings_is_for(lane))
		return s->chart.lane;
	for (int i = 0; i < s->chart.n_lanes; i++) {
		if (!findings_is_for(&lanes[i]))
			continue;
		if (lane_is_of_thread(&lanes[i], lane))
			return i;
		if (lane->served && lanes[i].pid == lane->pid &&
		    (best < 0 || lanes[i].busy_ns > lanes[best].busy_ns))
			best = i;
	}
	return best;
}

static void find_range(const struct app *app, int64_t *t0, int64_t *t1)
{
	if (!live_verdict_range(app, t0, t1))
		pane_scope_time_range(app, t0, t1);
}

struct place_clock findings_walk_clock(const struct app *app)
{
	struct place_clock clock;

	time_label_clock(&state_time_line(app)->chart, &clock);
	return clock;
}

/* ---- the walk ---- */

static void stop_done(struct findings_stop *stop)
{
	buf_done(&stop->text);
	buf_done(&stop->notes);
}

static void end_walk(struct findings_walk *w)
{
	for (int i = 0; i < w->n_stops; i++)
		stop_done(&w->stops[i]);
	free(w->stops);
	w->stops = NULL;
	w->n_stops = 0;
}

static bool is_selected(const struct app *app, const struct span *span)
{
	struct span now;

	if (!app->s.chart.has_selection)
		return false;
	now = folds_selected_span(&app->s);
	return now.t0 == span->t0 && now.depth == span->depth && now.node == span->node;
}

/* Whether the cursor is on the lane that the walk went to, or on one with the same findings. */
static bool is_at_lane(const struct app *app)
{
	const struct findings_walk *w = &app->walk;
	int lane = w->lane ? find_lane(&app->s) : -1;

	return w->lane ? lane >= 0 && &app->s.profile->lanes[lane] == w->lane
		       : app->s.chart.lane == w->view_lane;
}

bool findings_walk_is_on(const struct app *app)
{
	const struct findings_walk *w = &app->walk;

	if (!w->n_stops || app->mode != VIEW_TIME || app->s.view.t0 != w->view_t0 ||
	    app->s.view.t1 != w->view_t1)
		return false;
	return is_at_lane(app) &&
		(w->has_selected ? is_selected(app, &w->selected) : !app->s.chart.has_selection);
}

const struct findings_result *findings_walk_result(const struct app *app)
{
	const struct findings_walk *w = &app->walk;

	return w->profile && w->findings.is_ready ? &w->findings.result : NULL;
}

void findings_walk_forget(struct app *app)
{
	struct findings_walk *w = &app->walk;

	w->steps = 0;
	/* Each change makes the summary pane again, which asks for findings again. */
	if (!w->profile && !w->n_stops)
		return;
	end_walk(w);
	if (w->profile)
		findings_done(&w->findings);
	buf_done(&w->text);
	buf_done(&w->second);
	w->profile = NULL;
	w->lane = NULL;
	w->n_changes++;
}

void findings_walk_bar_all(struct app *app)
{
	findings_walk_forget(app);
	app->walk.is_barred = true;
}

void findings_walk_start(struct app *app)
{
	struct findings_walk *w = &app->walk;

	w->has_start = app->s.chart.has_selection;
	w->start_lane = app->s.chart.lane;
	if (w->has_start)
		w->start = folds_selected_span(&app->s);
}

static void make_stop(const struct app *app, const struct finding *f, struct findings_stop *stop)
{
	*stop = (struct findings_stop){ .lane = f->lane,
					.ns = f->ns,
					.whole = f->whole,
					.is_of_length = f->kind >= FINDING_IDLE,
					.has_place = f->has_place,
					.t0 = f->t0,
					.t1 = f->t1,
					.function = f->function,
					.package = culprit_package(app, f),
					.has_span = f->has_span,
					.span = f->span };
	buf_adds(&stop->text, f->text);
	for (uint32_t k = 0; k < f->n_notes; k++) {
		buf_adds(&stop->notes, k ? "\n" : "");
		buf_adds(&stop->notes, f->notes[k]);
	}
}

static void make_stops(struct app *app)
{
	struct findings_walk *w = &app->walk;
	const struct findings_result *r = &w->findings.result;

	end_walk(w);
	w->stops_t0 = w->t0;
	w->stops_t1 = w->t1;
	w->stops = xcalloc(r->n + 1, sizeof *w->stops);
	for (uint32_t i = 0; i < r->n; i++)
		make_stop(app, &r->list[i], &w->stops[w->n_stops++]);
}

/* An end of a place, with as many digits as its length needs. */
static void put_place(const struct app *app, int64_t t, int64_t length, char out[UNITS_MAX])
{
	const struct place_clock *clock = &app->walk.clock;

	if (clock->is_wall || (clock->is_file && amount_is_time(&app->base->unit)))
		wall_clock_place(clock, t, out);
	else
		profile_value_near(app->base, t + clock->origin, length / 4, out);
}

/* `540 ms of 1.45 s busy; recursion, 44 deep; look at 1.80 s to 1.99 s`. */
static void add_texts(const struct app *app, const struct findings_stop *stop, struct buf *text,
		      struct buf *notes)
{
	char a[UNITS_MAX], b[UNITS_MAX];

	buf_add(text, buf_text(&stop->text), stop->text.len);
	profile_value(app->base, stop->ns, a);
	profile_value(app->base, stop->whole, b);
	buf_addf(notes, "%s of %s%s", a, b,
		 stop->is_of_length || !amount_is_time(&app->base->unit) ? "" : " busy");
	buf_adds(notes, stop->notes.len ? "; " : "");
	for (const char *at = buf_text(&stop->notes); *at; at++)
		buf_add(notes, *at == '\n' ? "; " : at, *at == '\n' ? 2 : 1);
	if (!stop->has_place)
		return;
	put_place(app, stop->t0, stop->t1 - stop->t0, a);
	put_place(app, stop->t1, stop->t1 - stop->t0, b);
	buf_addf(notes, "; look at %s to %s", a, b);
}

/* Make the texts of the stop that is shown. */
static void tell_stop(struct app *app)
{
	struct findings_walk *w = &app->walk;

	w->n_changes++;
	buf_clear(&w->text);
	buf_addf(&w->text, "%d of %d  ", w->at + 1, w->n_stops);
	buf_clear(&w->second);
	add_texts(app, &w->stops[w->at], &w->text, &w->second);
}

static void show(struct app *app, int at)
{
	struct findings_walk *w = &app->walk;
	const struct findings_stop *stop = &w->stops[at];
	int64_t margin = (stop->t1 - stop->t0) / MARGIN;
	int lane = (int)(stop->lane - app->s.profile->lanes);

	w->at = at;
	app->focus = KEYMAP_CHART;
	app->is_pane_max = false;
	app->s.lanes[lane].is_hidden = false;
	if (stop->has_span) {
		culprit_set_apart(app, lane, &stop->span, stop->package);
		select_call(app, lane, &stop->span);
	} else {
		lanes_open(&app->s, lane, true);
		select_lane(app, lane);
		viewport_set(&app->s.view, stop->t0, stop->t1);
		/* Its calls may all be elsewhere; the place counts. */
		if (stop->function != FRAME_NONE && !select_frame(app, stop->function))
			buf_clear(&app->message);
	}
	viewport_set(&app->s.view, stop->t0 - margin, stop->t1 + margin);
	select_inside(app);
	w->view_t0 = app->s.view.t0;
	w->view_t1 = app->s.view.t1;
	w->view_lane = app->s.chart.lane;
	app->s.wants_callees = w->has_selected = app->s.chart.has_selection;
	if (w->has_selected)
		w->selected = folds_selected_span(&app->s);
	tell_stop(app);
}

/* The stop before the first one that has a place: statements about the whole window come first in
 * the list, but there is nothing to go to. */
static int before_first(const struct findings_walk *w)
{
	int at = 0;

	while (at < w->n_stops && !w->stops[at].has_place)
		at++;
	return at < w->n_stops ? at - 1 : -1;
}

/* The findings are complete. */
static void take_steps(struct app *app)
{
	struct findings_walk *w = &app->walk;
	int steps = w->steps, at = w->at;

	w->steps = 0;
	if (app->message.len && strcmp(buf_text(&app->message), LOOKING) == 0)
		buf_clear(&app->message);
	if (!findings_walk_is_on(app)) {
		make_stops(app);
		at = steps > 0 ? before_first(w) : w->n_stops;
	}
	if (!w->n_stops) {
		state_say(app, false, "no findings in this window");
		return;
	}
	at = (at + steps) % w->n_stops;
	show(app, at < 0 ? at + w->n_stops : at);
}

/* Whether there is memory for what is computed by node and by function, about. */
static bool has_room(const struct findings_walk *w)
{
	return reserve_has_room((size_t)w->most_nodes * NODE_BYTES +
				(size_t)w->profile->frames.n * FRAME_BYTES);
}

/* Take the clock of the ruler. Returns whether the texts of the walk are by another one, and are
 * made again: from the findings of the window in which it began. */
static bool is_retelling(struct app *app)
{
	struct findings_walk *w = &app->walk;
	struct place_clock clock = findings_walk_clock(app);

	if (!wall_clock_is_same(&w->clock, &clock)) {
		w->clock = clock;
		w->is_retold = findings_walk_is_on(app);
	}
	w->is_retold = w->is_retold && findings_walk_is_on(app);
	return w->is_retold;
}

/* Go over to another lane, or to all lanes; the findings are not begun. */
static void take_lane(struct app *app, const struct profile *profile, const struct lane *lane,
		      int64_t t0)
{
	struct findings_walk *w = &app->walk;
	int steps = w->steps;

	findings_walk_forget(app);
	w->steps = steps;
	w->profile = profile;
	w->lane = lane;
	w->most_nodes = lane ? lane->tree.n : 0;
	for (uint32_t i = 0; !lane && i < profile->n_lanes; i++)
		if (profile->lanes[i].tree.n > w->most_nodes)
			w->most_nodes = profile->lanes[i].tree.n;
	if (lane)
		findings_init(&w->findings, profile, lane);
	else
		w->findings = (struct findings){ 0 };
	w->findings.sources = &app->sources;
	w->findings.clock = w->clock;
	w->t1 = w->t0 = t0;
}

/* Begin with those of [t0, t1). */
static void begin(struct app *app, int64_t t0, int64_t t1)
{
	struct findings_walk *w = &app->walk;

	w->findings.clock = w->clock;
	w->t0 = t0;
	w->t1 = t1;
	if (w->lane)
		findings_begin(&w->findings, t0, t1);
	else
		begin_many(w, &app->sources, many_kind(w->profile));
	w->n_changes++;
}

bool findings_walk_update(struct app *app, struct budget *budget)
{
	struct findings_walk *w = &app->walk;
	const struct scene *s = state_time_line(app);
	bool is_many = many_kind(s->profile) != LANE_MARKS;
	int i = is_many ? -1 : find_lane(s);
	const struct lane *lane = i < 0 ? NULL : &s->profile->lanes[i];
	struct budget half = budget_half(budget);
	int64_t t0, t1;

	if (!lane && !is_many) {
		findings_walk_forget(app);
		return true;
	}
	if (w->is_barred)
		return true;
	if (!is_retelling(app) && findings_walk_is_on(app))
		return true;
	find_range(app, &t0, &t1);
	if (w->is_retold) {
		t0 = w->stops_t0;
		t1 = w->stops_t1;
	}
	if (w->profile != s->profile || w->lane != lane)
		take_lane(app, s->profile, lane, t0);
	if (w->t0 != t0 || w->t1 != t1 || !wall_clock_is_same(&w->findings.clock, &w->clock)) {
		w->n_reads = 0;
		begin(app, t0, t1);
	}
	if (!w->findings.is_ready) {
		/* Memory may have become short since they were begun. */
		if (!has_room(w)) {
			findings_walk_bar_all(app);
			return true;
		}
		if (!findings_work(&w->findings, is_many ? &half : budget))
			return false;
		w->n_changes++;
	}
	if (w->is_retold) {
		w->is_retold = false;
		make_stops(app);
		w->at = w->at < w->n_stops ? w->at : w->n_stops - 1;
		if (w->n_stops)
			tell_stop(app);
	}
	if (w->steps)
		take_steps(app);
	return true;
}

int findings_walk_wait_ms(const struct app *app)
{
	const struct findings_walk *w = &app->walk;

	if (!w->profile || !w->findings.is_ready || !w->findings.result.is_reading ||
	    w->n_reads >= READS_MAX || findings_walk_is_on(app))
		return -1;
	return READ_MS << w->n_reads;
}

bool findings_walk_read_again(struct app *app)
{
	struct findings_walk *w = &app->walk;

	if (findings_walk_wait_ms(app) < 0)
		return false;
	w->n_reads++;
	begin(app, w->t0, w->t1);
	return true;
}

bool findings_walk_continue(struct app *app, struct budget *budget)
{
	struct viewport before = app->s.view;
	struct mark place;

	if (!app->walk.steps)
		return true;
	marks_take(&app->s, &place);
	if (!findings_walk_update(app, budget))
		return false;
	marks_jumped(app, &place);
	history_add(&app->s.history, &before, &app->s.view, HISTORY_JUMP);
	return true;
}

/* Whether the lane with the cursor has findings, or many lanes have. */
static bool is_for(const struct app *app)
{
	return many_kind(app->s.profile) != LANE_MARKS || find_lane(&app->s) >= 0;
}

/* Go on by `n` findings, backwards if it is negative; both ends are joined. */
unsigned findings_walk_go(struct app *app, int n)
{
	struct budget budget = budget_ns(KEY_NS);

	if (app->mode != VIEW_TIME)
		views_show(app, VIEW_TIME, FRAME_NONE);
	if (!is_for(app))
		return state_say(app, false,
				 "findings need CPU samples, which this thread has not");
	app->walk.is_barred = false;
	app->walk.steps = n;
	if (findings_walk_is_on(app))
		take_steps(app);
	else if (!findings_walk_update(app, &budget) && !app->message.len)
		state_say(app, false, LOOKING); /* what the view said stays */
	return APP_REDRAW;
}

void findings_walk_show(struct app *app, int i)
{
	struct findings_walk *w = &app->walk;

	if (app->mode != VIEW_TIME || !is_for(app) || !findings_walk_result(app))
		return;
	if (!findings_walk_is_on(app))
		make_stops(app);
	if (i >= 0 && i < w->n_stops)
		show(app, i);
}

/* ---- texts ---- */

const char *findings_walk_sentence(const struct app *app, int i, bool *is_complete)
{
	const struct findings_walk *w = &app->walk;
	const struct findings_result *r = &w->findings.result;

	*is_complete = findings_walk_is_on(app) || findings_walk_result(app);
	if (findings_walk_is_on(app))
		return i < w->n_stops ? buf_text(&w->stops[i].text) : NULL;
	return *is_complete && i < (int)r->n ? r->list[i].text : NULL;
}

void findings_walk_notes(const struct app *app, int i, struct buf *notes)
{
	struct findings_stop stop;

	if (findings_walk_is_on(app)) {
		buf_adds(notes, buf_text(&app->walk.stops[i].notes));
		return;
	}
	make_stop(app, &app->walk.findings.result.list[i], &stop);
	buf_adds(notes, buf_text(&stop.notes));
	stop_done(&stop);
}

frame_id findings_walk_place(const struct app *app, int i, const struct lane **lane, int64_t *t0,
			     int64_t *t1)
{
	const struct findings_walk *w = &app->walk;

	if (findings_walk_is_on(app)) {
		*lane = w->stops[i].lane;
		*t0 = w->stops[i].t0;
		*t1 = w->stops[i].t1;
		return w->stops[i].function;
	}
	*lane = w->findings.result.list[i].lane;
	*t0 = w->findings.result.list[i].t0;
	*t1 = w->findings.result.list[i].t1;
	return w->findings.result.list[i].function;
}

/* While the panes are about several lanes, the line says which one it is about: its name. */
static void tell_lane(const struct app *app, char out[VERDICT_BAR_LANE])
{
	BUF_LOCAL name = { 0 }, fit = { 0 };
	enum lane_kind kind;

	if (!app->walk.lane || !app->has_all_lanes || pane_scope_count(app, &kind) < 2)
		return;
	lane_name_brief(app->base, app->walk.lane, &name);
	text_fit(&fit, buf_text(&name), name.len, VERDICT_BAR_LANE_CELLS);
	snprintf(out, VERDICT_BAR_LANE, "%s", buf_text(&fit));
}

/* The hint that a command gives; none if the user has given its keys to others. */
static struct verdict_hint hint_for(const struct app *app, enum command_id id, const char *text)
{
	const char *key = state_key(app, id);

	return (struct verdict_hint){ *key ? key : NULL, text };
}

/* Whether the cursor is on slices, about which the summary pane says what stands out. */
static bool has_slices(const struct app *app)
{
	const struct scene *s = state_time_line(app);
	enum lane_kind kind = s->chart.lane < 0 ? LANE_MARKS : s->lanes[s->chart.lane].lane->kind;

	return kind == LANE_SLICES || kind == LANE_ASYNC;
}

/* Why there are no findings for the lane with the cursor. */
static const char *why_none(const struct app *app)
{
	const struct scene *s = state_time_line(app);
	const struct lane *lane = s->chart.lane < 0 ? NULL : s->lanes[s->chart.lane].lane;

	if (!lane)
		return app->loading.len      ? CHART_UNFINISHED
			: app->base->n_named ? "names of processes and threads, and no events"
					     : "no samples and no slices";
	switch (lane->kind) {
	case LANE_SAMPLES:
		if (!lane->samples.n)
			return "no CPU samples on this thread";
		return app->transforms.n ? "of the samples of this thread, no function is left"
					 : "all samples are (root): no function is known";
	case LANE_COUNTER:
		return "a counter, no CPU samples";
	default:
		return has_slices(app) ? "slices without CPU samples"
				       : "no CPU samples on this thread";
	}
}

/* Write `window 1.793-1.839 s of 3.68 s`, or in few columns only how long it is. */
static void say_window(const struct app *app, char *out, size_t size)
{
	const struct viewport *v = &app->s.view;
	char from[UNITS_MAX], end[UNITS_MAX], all[UNITS_MAX];
	int64_t step = (v->t1 - v->t0) / 10;
	char *unit;
	const char *other;

	profile_value(app->base, v->t_max - v->t_min, all);
	if (app->cols < VERDICT_BOTH_COLS) {
		profile_value(app->base, v->t1 - v->t0, from);
		snprintf(out, size, "%s of %s", from, all);
		return;
	}
	profile_value_near(app->base, v->t0, step, from);
	profile_value_near(app->base, v->t1, step, end);
	/* `1.793 s` before `1.839 s` needs no unit. */
	unit = strrchr(from, ' ');
	other = strrchr(end, ' ');
	if (unit && other && strcmp(unit, other) == 0)
		*unit = '\0';
	snprintf(out, size, "window %s-%s of %s", from, end, all);
}

void findings_walk_bar(const struct app *app, struct verdict_bar *bar)
{
	const struct findings_walk *w = &app->walk;

	*bar = (struct verdict_bar){ .hints = { hint_for(app, CMD_NEXT_FINDING, "next") } };
	if (findings_walk_is_on(app)) {
		bar->text = buf_text(&w->text);
		bar->second = buf_text(&w->second);
		bar->hints[0] = hint_for(app, CMD_BACK, "back");
		bar->hints[1] = hint_for(app, CMD_COPY, "copy");
	} else if (w->is_barred) {
		bar->text = "no memory for findings";
	} else if (!w->profile) {
		bar->text = why_none(app);
		bar->hints[0] = has_slices(app) ? hint_for(app, CMD_SUMMARY, "summary")
						: (struct verdict_hint){ 0 };
	} else {
		if (app->mode == VIEW_TIME && culprit_has_window(app)) {
			say_window(app, bar->window, sizeof bar->window);
			bar->hints[1] = bar->hints[0];
			bar->hints[0] = hint_for(app, CMD_WHOLE, "whole");
		}
		if (live_is_moving(app) && !app->range.is_pinned)
			snprintf(bar->window, sizeof bar->window, "of the last 10 s");
		bar->result = &w->findings.result;
		bar->is_stale = !w->findings.is_ready;
		tell_lane(app, bar->lane);
		if (bar->is_stale && bar->result->length == 0)
			bar->text = CHART_UNFINISHED;
	}
}

static bool is_at_start(const struct app *app)
{
	const struct findings_walk *w = &app->walk;

	return w->has_start && app->mode == VIEW_TIME && app->s.chart.lane == w->start_lane &&
		is_selected(app, &w->start);
}

/* The finding that the verdict line begins with. */
static int lead(const struct findings_result *r)
{
	struct verdict verdict;

	if (!r->n)
		return -1;
	verdict_compose(r, 200, &verdict);
	for (int i = 0; i < verdict.n; i++)
		if (verdict.items[i].finding >= 0)
			return verdict.items[i].finding;
	return 0;
}

bool findings_walk_texts(const struct app *app, struct buf *text, struct buf *notes)
{
	const struct findings_walk *w = &app->walk;
	const struct findings_result *r = findings_walk_result(app);
	struct findings_stop stop;

	if (app->focus != KEYMAP_CHART)
		return false;
	if (findings_walk_is_on(app)) {
		add_texts(app, &w->stops[w->at], text, notes);
		return true;
	}
	if (!is_at_start(app) || !r || lead(r) < 0)
		return false;
	make_stop(app, &r->list[lead(r)], &stop);
	add_texts(app, &stop, text, notes);
	stop_done(&stop);
	return true;
}
