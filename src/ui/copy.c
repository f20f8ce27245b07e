/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text is about one function (`struct subject`) and its callers. Where a span or a row of a call
 * table is selected, the callers are those of its own stack; otherwise those with most of its time,
 * as the callers pane shows them. */
#include "config.h"

#include "ui/copy.h"

#include "analyse/gc_part.h"
#include "analyse/summary.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "draw/time_label.h"
#include "model/seek.h"
#include "ui/chart/folds.h"
#include "ui/chart/select.h"
#include "ui/copy_folded.h"
#include "ui/copy_table.h"
#include "ui/pane/pane_rows.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define FILE_CELLS 28
#define CALLERS_MOST 4 /* in the second line */
#define TICKS_LEAST 20 /* a line is named from this many ticks on, if it has half of them */
#define GC_LEAST 50    /* garbage collection is named from 1/50 of the total time on */

struct subject {
	const struct profile *profile;
	const struct pane_scope *scope;
	frame_id frame;
	bool has_idle; /* idle time counts */
	/* The lane is that of the callers in view 3: its roots are called by its leaves, and what
	 * it says about self time is about the leaves. */
	bool is_flipped;
	struct span subject;
	const struct span *span; /* `subject`; NULL: the selection is a row */
	frame_id *stack;         /* innermost first, from `frame` on */
	uint32_t n_stack;
	uint32_t n_known; /* frames of it that the selection gives; the other callers are the
			     heaviest of many */
	bool is_whole;    /* nothing calls the last of these */
	int64_t ns;       /* time of the known frames */
};

/* ---- the subject ---- */

static void push(struct subject *s, frame_id frame)
{
	s->stack = xrealloc(s->stack, s->n_stack + 1, sizeof *s->stack);
	s->stack[s->n_stack++] = frame;
}

/* The callers with most time. */
static void take_heaviest(struct subject *s)
{
	struct rows rows;
	size_t last = 0;
	/* Callers of callers may be many; the first ones are enough. */
	struct budget budget = budget_ns(PANE_ROWS_KEY_NS);

	rows_init_function(&rows, &s->scope->totals, s->is_flipped ? ROWS_TOPDOWN : ROWS_BOTTOMUP,
			   ROWS_BY_TOTAL, s->frame);
	if (rows.n) {
		rows_open_hot(&rows, &last, false, &budget);
		s->ns = rows.rows[0].total;
		for (size_t i = 0; i <= last && rows.rows[i].depth == (int)i; i++)
			push(s, rows.rows[i].frame);
	}
	rows_done(&rows);
	if (!s->n_stack)
		push(s, s->frame);
	s->n_known = 1;
}

/* The row with the cursor of a call table, and those that it is below. */
static void take_rows(struct subject *s, const struct pane_tab *tab, bool is_topdown)
{
	const struct row *rows = tab->rows.rows;
	size_t at = tab->cursor, n = 0;
	size_t *path = xcalloc((size_t)rows[at].depth + 1, sizeof *path);

	for (;; at = rows_parent((struct rows *)&tab->rows, at)) {
		path[n++] = at;
		if (rows[at].depth == 0)
			break;
	}
	/* Top-down, parents are callers; bottom-up, callees. */
	for (size_t i = 0; i < n; i++)
		push(s, rows[path[is_topdown ? i : n - 1 - i]].frame);
	s->ns = rows[tab->cursor].total;
	s->frame = s->stack[0];
	s->n_known = s->n_stack;
	s->is_whole = is_topdown;
	free(path);
}

static bool is_call_table(const struct app *app)
{
	return app->focus == KEYMAP_PANE && app->is_pane_open && app->shown->table != PANE_TABS &&
		app->pane.tabs[app->pane.tab].cursor < app->pane.tabs[app->pane.tab].rows.n;
}

/* Whether the row with the cursor has a stack of its own. The first level of the bottom-up tables
 * has not: its functions may be called from many places. */
static bool has_path(const struct app *app)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];

	return app->shown->table == PANE_TOPDOWN || tab->rows.rows[tab->cursor].depth > 0;
}

/* The callers with most time that view 3 shows above a span of its first lane. */
static void take_callers(struct subject *s, const struct app *app, struct span from)
{
	const struct lane *lane = app->s.lanes[0].lane;
	struct span caller;

	while (seek_callee(lane, &from, 0, app->s.profile->t1, &caller)) {
		push(s, lane->tree.frame[caller.node]);
		from = caller;
	}
}

/* In view 3, the callers of the function are in the other lane. *root: the function there. False:
 * what is known of the stack does not end with it. */
static bool has_root(const struct subject *s, const struct app *app, struct span *root)
{
	const struct lane *lane = app->s.lanes[0].lane;

	return app->mode == VIEW_SANDWICH && !s->is_flipped &&
		seek_callee(lane, NULL, 0, app->s.profile->t1, root) &&
		s->stack[s->n_known - 1] == lane->tree.frame[root->node];
}

static void take_span(struct subject *s, const struct app *app)
{
	uint32_t n;
	frame_id *path;

	s->subject = folds_subject(&app->s);
	s->span = &s->subject;
	s->ns = s->span->t1 - s->span->t0;
	if (s->is_flipped) {
		push(s, s->frame);
		s->n_known = 1;
		take_callers(s, app, *s->span);
		return;
	}
	path = select_path(app, &n);
	while (n > 0)
		push(s, path[--n]);
	free(path);
	s->n_known = s->n_stack;
	s->is_whole = true;
}

/* False, with a message: nothing is selected. */
static bool find_subject(struct app *app, const struct pane_scope *scope, bool has_idle,
			 struct subject *s)
{
	const struct lane *lane = state_lane(app);
	struct span root;

	*s = (struct subject){ .profile = app->s.profile,
			       .scope = scope,
			       .has_idle = has_idle,
			       .is_flipped = lane && app->s.lanes[app->s.chart.lane].is_flipped };
	if (!pane_rows_target(app, &s->frame))
		return false;
	if (!s->is_flipped && is_call_table(app) && has_path(app))
		take_rows(s, &app->pane.tabs[app->pane.tab], app->shown->table == PANE_TOPDOWN);
	else if (app->focus == KEYMAP_CHART && lane && app->s.chart.has_selection)
		take_span(s, app);
	else
		take_heaviest(s);
	if (has_root(s, app, &root))
		take_callers(s, app, root);
	return true;
}

static const struct frame *frame_of(const struct subject *s, frame_id id)
{
	return &s->scope->view.frames[id];
}

/* ---- texts ---- */

static void add_name(struct buf *out, const struct subject *s, frame_id id)
{
	size_t len;
	const char *name = label_name(s->profile, frame_of(s, id), &len);

	text_visible(out, name, len);
}

/* False: the function has no location. */
static bool add_location(struct buf *out, const struct subject *s, frame_id id, bool is_full,
			 bool has_column)
{
	struct frame f = *frame_of(s, id);
	struct buf place = { 0 };

	if (!has_column)
		f.column = 0;
	profile_location(s->profile, &f, is_full, &place);
	text_visible(out, buf_text(&place), place.len);
	buf_done(&place);
	return f.url != 0;
}

static void add_value(struct buf *out, const struct app *app, int64_t value)
{
	char text[UNITS_MAX];

	if (pane_scope_is_hits(app))
		units_count((uint64_t)value, text);
	else
		profile_value(app->base, value, text);
	buf_adds(out, text);
	if (pane_scope_is_hits(app))
		buf_adds(out, " hits");
}

/* Append ` (line 30: 48 % of its ticks)` if one line has half of them. */
static void add_line(struct buf *out, const struct subject *s)
{
	uint64_t all = 0;
	struct hot_line *list, most = { 0 };
	const struct view *view = &s->scope->view;
	const struct lane **lanes = xcalloc(view->n_sources + 1, sizeof *lanes);
	char share[UNITS_MAX];
	size_t n;

	for (uint32_t i = 0; i < view->n_sources; i++)
		lanes[i] = view->sources[i].lane;
	n = summary_lines(view->profile, lanes, view->n_sources, INT64_MIN, INT64_MAX, &list);
	for (size_t i = 0; i < n; i++) {
		if (list[i].frame != s->frame)
			continue;
		all += list[i].ticks;
		if (list[i].ticks > most.ticks)
			most = list[i];
	}
	if (all >= TICKS_LEAST && most.ticks * 2 >= all && most.ticks < all) {
		units_percent((int64_t)most.ticks, (int64_t)all, share);
		buf_addf(out, " (line %d: %s of its ticks)", (int)most.line, share);
	}
	free(list);
	free(lanes);
}

/* Format a time by the clock of the ruler, if that is not the start of the profile. */
static bool put_place(const struct app *app, int64_t t, char out[UNITS_MAX])
{
	struct time_label label = time_label_of(&app->s.chart);

	if (label.times != CHART_TIMES_PROFILE)
		time_label_format(&label, t, true, out);
	return label.times != CHART_TIMES_PROFILE;
}

/* The end of the first line: what the share is of. */
static void add_whole(struct buf *out, const struct app *app, const struct subject *s,
		      int64_t whole)
{
	int64_t t0 = s->scope->t0, t1 = s->scope->t1;
	char from[UNITS_MAX], to[UNITS_MAX];

	buf_adds(out, " of ");
	add_value(out, app, whole);
	if (pane_scope_is_hits(app))
		return;
	if (!s->has_idle)
		buf_adds(out, " busy");
	if (app->mode != VIEW_TIME || (t0 <= app->s.view.t_min && t1 >= app->s.view.t_max))
		return;
	/* However short the range is, its ends differ. */
	if (!put_place(app, t0, from) || !put_place(app, t1, to)) {
		profile_value_near(app->base, t0, (t1 - t0 + 99) / 100, from);
		profile_value_near(app->base, t1, (t1 - t0 + 99) / 100, to);
	}
	buf_addf(out, " from %s to %s", from, to);
}

/* Whether the function itself needs a good part of its time. If not, its total time comes first. */
static bool is_busy_itself(const struct subject *s)
{
	const struct totals *t = &s->scope->totals;

	return !s->is_flipped && t->frame_self[s->frame] >= t->frame_total[s->frame] / 10;
}

/* Append ` - 511 ms self, 35.1 % of 1.45 s busy`. */
static void add_figures(struct buf *out, const struct app *app, const struct subject *s)
{
	const struct totals *t = &s->scope->totals;
	bool is_self = is_busy_itself(s);
	int64_t value = is_self ? t->frame_self[s->frame] : t->frame_total[s->frame];
	char share[UNITS_MAX];

	units_percent(value, t->sampled_ns, share);
	buf_adds(out, " - ");
	add_value(out, app, value);
	buf_addf(out, " %s, %s", is_self ? "self" : "total", share);
	add_whole(out, app, s, t->sampled_ns);
}

static void add_file(struct buf *out, const struct app *app)
{
	const struct lane *lane = state_lane(app);
	const struct profile *p = app->s.profile;
	const char *name;

	if (!p->n_inputs || diff_shown(app))
		return;
	name = details_file_name(p, lane);
	text_fit(out, name, strlen(name), FILE_CELLS);
	buf_adds(out, ": ");
}

/* A caller: `(anonymous) catalogue.js:36`, only `:36` in the file of the caller before. */
static void add_caller(struct buf *out, const struct subject *s, uint32_t i)
{
	const struct frame *f = frame_of(s, s->stack[i]), *before = frame_of(s, s->stack[i - 1]);

	buf_adds(out, i == 1 ? "by " : " < ");
	add_name(out, s, s->stack[i]);
	if (!f->url)
		return;
	buf_addc(out, ' ');
	if (i > 1 && f->url == before->url && f->line > 0)
		buf_addf(out, ":%d", f->line);
	else
		add_location(out, s, s->stack[i], false, false);
}

/* The garbage collection in the total time of the function. */
static int64_t gc_of(const struct subject *s)
{
	struct gc_part part;
	int64_t ns;

	gc_part_begin(&part, &s->scope->totals);
	gc_part_work(&part, BUDGET_UNLIMITED);
	ns = part.frame[s->frame];
	gc_part_done(&part);
	return ns;
}

static void add_callers(struct buf *out, const struct app *app, const struct subject *s)
{
	const struct totals *t = &s->scope->totals;
	int64_t gc = gc_of(s), self = t->frame_self[s->frame], total = t->frame_total[s->frame];
	char a[UNITS_MAX], b[UNITS_MAX];

	buf_adds(out, s->n_stack > 1 ? "" : "not called by a function");
	for (uint32_t i = 1; i < s->n_stack && i <= CALLERS_MOST; i++)
		add_caller(out, s, i);
	if (s->n_stack > CALLERS_MOST + 1)
		buf_addf(out, " < %u more", s->n_stack - CALLERS_MOST - 1);
	if (total > self && self > 0 && !s->is_flipped && !diff_shown(app)) {
		buf_adds(out, "; ");
		add_value(out, app, is_busy_itself(s) ? total : self);
		buf_adds(out, is_busy_itself(s) ? " total" : " self");
	}
	if (s->span && !pane_scope_is_hits(app) && app->mode == VIEW_TIME) {
		profile_value(app->base, s->ns, a);
		if (!put_place(app, s->span->t0, b))
			profile_value(app->base, s->span->t0, b);
		buf_addf(out, "; %s at %s", a, b);
	}
	if (gc > total / GC_LEAST && gc < total && !diff_shown(app)) {
		units_percent(gc, total, a);
		buf_addf(out, "; %s of its total is GC", a);
	}
}

static void add_answer(struct buf *out, const struct app *app, const struct subject *s)
{
	add_file(out, app);
	add_name(out, s, s->frame);
	if (frame_of(s, s->frame)->url)
		buf_addc(out, ' ');
	add_location(out, s, s->frame, true, false);
	if (!diff_add_figures(app, s->frame, out))
		add_figures(out, app, s);
	add_line(out, s);
	buf_addc(out, '\n');
	add_callers(out, app, s);
}

static void add_stack(struct buf *out, const struct subject *s)
{
	for (uint32_t i = 0; i < s->n_stack; i++) {
		buf_adds(out, i ? "\n    at " : "    at ");
		add_name(out, s, s->stack[i]);
		if (!frame_of(s, s->stack[i])->url)
			continue;
		buf_adds(out, " (");
		add_location(out, s, s->stack[i], true, true);
		buf_addc(out, ')');
	}
}

/* Returns the number of stacks. In view 3, all stacks of the function itself, and of its callers,
 * are in the lane of the callers; how its callees divide its callers' time is not known there. */
static size_t add_folded(struct buf *out, const struct app *app, const struct subject *s)
{
	const struct lane *callers = app->s.lanes[0].lane;
	struct span root;
	struct copy_folded f = { .profile = s->profile,
				 .frames = s->scope->view.frames,
				 .tree = s->scope->view.tree,
				 .is_flipped = s->is_flipped,
				 .is_hits = pane_scope_is_hits(app) };

	if (s->n_known == 1 && has_root(s, app, &root)) {
		f.tree = &callers->tree;
		f.is_flipped = true;
		copy_folded_span(&f, &callers->samples, &root);
	} else if (s->is_flipped && s->span) {
		f.tree = &callers->tree;
		copy_folded_span(&f, &callers->samples, s->span);
	} else if (!s->is_whole) {
		copy_folded_function(&f, &s->scope->totals, s->stack, s->n_known);
	}
	if (f.n)
		copy_folded_write(&f, out);
	else
		copy_folded_stack(&f, s->stack, s->n_known, s->ns, out);
	return f.n ? f.n : 1;
}

static bool add_subject(struct app *app, enum copy_what what, const struct subject *s,
			struct buf *out, size_t *n_stacks)
{
	switch (what) {
	case COPY_ANSWER:
		add_answer(out, app, s);
		return true;
	case COPY_NAME:
		add_name(out, s, s->frame);
		return true;
	case COPY_LOCATION:
		if (add_location(out, s, s->frame, true, true))
			return true;
		state_say(app, false, "the function has no location");
		return false;
	case COPY_STACK:
		add_stack(out, s);
		return true;
	default:
		*n_stacks = add_folded(out, app, s);
		return true;
	}
}

/* ---- all ---- */

/* The finding that the line below the header shows: its sentence; its notes and its place. */
static bool add_finding(const struct app *app, struct buf *out)
{
	struct buf text = { 0 }, notes = { 0 };
	bool is = !diff_shown(app) && findings_walk_texts(app, &text, &notes);

	if (is) {
		add_file(out, app);
		buf_add(out, buf_text(&text), text.len);
		buf_addc(out, '\n');
		buf_add(out, buf_text(&notes), notes.len);
	}
	buf_done(&text);
	buf_done(&notes);
	return is;
}

/* Whether the selected span is about a function that has no time in the scope: the window or the
 * kept range is somewhere else. */
static bool is_elsewhere(const struct app *app, const struct subject *s)
{
	return s->span && app->mode == VIEW_TIME && !s->scope->totals.frame_total[s->frame];
}

static void drop(struct subject *s, struct pane_scope *scope)
{
	free(s->stack);
	s->stack = NULL;
	pane_scope_done(scope);
}

bool copy_text(struct app *app, enum copy_what what, struct buf *out, struct buf *about,
	       size_t *n_stacks)
{
	struct pane_scope scope;
	struct subject s;
	bool is_there, has_idle = app->pane.has_idle;

	*n_stacks = 1;
	if (what == COPY_TABLE)
		return copy_table(app, out);
	if (what == COPY_ANSWER && add_finding(app, out)) {
		buf_adds(about, "this finding");
		return true;
	}
	if (!pane_scope_init(app, has_idle, &scope)) {
		state_say(app, false, "nothing is selected");
		return false;
	}
	is_there = find_subject(app, &scope, has_idle, &s);
	/* Where idle time does not count, it has no time and no share. */
	if (is_there && !has_idle && frame_of(&s, s.frame)->category == CATEGORY_IDLE) {
		has_idle = true;
		drop(&s, &scope);
		if (!pane_scope_init(app, has_idle, &scope))
			return false;
		is_there = find_subject(app, &scope, has_idle, &s);
	}
	if (is_there && is_elsewhere(app, &s)) {
		drop(&s, &scope);
		if (!pane_scope_init_span(app, has_idle, &scope))
			return false;
		is_there = find_subject(app, &scope, has_idle, &s);
	}
	is_there = is_there && add_subject(app, what, &s, out, n_stacks);
	if (is_there)
		add_name(about, &s, s.frame);
	drop(&s, &scope);
	return is_there;
}
