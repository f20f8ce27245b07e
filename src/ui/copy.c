/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text is about one function (`struct subject`) and its callers. Where a span or a row of a call
 * table is selected, the callers are those of its own stack; otherwise those with most of its time,
 * as the callers pane shows them. */
#include "config.h"

#include "ui/copy.h"

#include "analyse/gc_part.h"
#include "analyse/heavy_stack.h"
#include "analyse/summary.h"
#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "draw/ruler.h"
#include "findings/findings.h"
#include "model/span_find.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/picture.h"
#include "ui/state.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COPY_FOLDED_LINES_MAX 100

struct copy_folded {
	const struct profile *profile;
	const struct frame *frames; /* what tree->frame refers to */
	const struct calltree *tree;
	bool is_flipped; /* a node's parent is what it calls */
	bool is_hits;  /* values are hit counts; otherwise ns, which are written as microseconds */
	size_t n;      /* stacks */
	int64_t value; /* of all of them */
	struct copy_folded_stack {
		node_id node;
		int64_t value;
	} heaviest[COPY_FOLDED_LINES_MAX]; /* as many as there are */
};

/* ==== copy folded ====
 *
 * A stack is a node: its frames are those on the way to the root. Only the heaviest stacks are
 * kept, in order: the others take no memory.
 *
 * A line has the difference of two rounded sums, that of all lines up to it and that of those
 * before it. So the lines add up to the rounded sum, and each is at most one microsecond off. */

/* ---- collecting ---- */

static void add(struct copy_folded *f, node_id node, int64_t value)
{
	size_t kept = f->n < COPY_FOLDED_LINES_MAX ? f->n : COPY_FOLDED_LINES_MAX, at = kept;

	if (value <= 0)
		return;
	f->n++;
	f->value += value;
	while (at > 0 && f->heaviest[at - 1].value < value)
		at--;
	if (at == COPY_FOLDED_LINES_MAX)
		return;
	kept -= kept == COPY_FOLDED_LINES_MAX;
	memmove(f->heaviest + at + 1, f->heaviest + at, (kept - at) * sizeof *f->heaviest);
	f->heaviest[at] = (struct copy_folded_stack){ node, value };
}

static bool is_called_by(const struct calltree *tree, node_id node, const frame_id *path,
			 uint32_t n_path)
{
	for (uint32_t i = 0; i < n_path; i++, node = tree->parent[node])
		if (node == NODE_ROOT || tree->frame[node] != path[i])
			return false;
	return true;
}

/* Add the stacks in which path[0] is called by path[1], which is called by path[2], and so on.
 * `tree` must be that of the totals. In a flipped tree only path[0] counts. */
static void copy_folded_function(struct copy_folded *f, const struct totals *totals,
				 const frame_id *path, uint32_t n_path)
{
	const struct calltree *tree = f->tree;

	for (node_id node = 1; node < tree->n; node++) {
		if (tree->frame[node] != path[0] || !tree->is_outer[node])
			continue;
		if (f->is_flipped)
			for (node_id i = node; i < tree->end[node]; i++)
				add(f, i, totals->self[i]);
		else if (is_called_by(tree, node, path, n_path))
			add(f, node, totals->total[node]);
		node = tree->end[node] - 1;
	}
}

/* Add the stacks of the samples of a span. `tree` must be that of their lane. */
static void copy_folded_span(struct copy_folded *f, const struct samples *samples,
			     const struct span *span)
{
	size_t next;

	for (size_t i = span->first; i < span->end; i = next) {
		for (next = i + 1; next < span->end && samples->leaf[next] == samples->leaf[i];)
			next++;
		add(f, samples->leaf[i], samples_time(samples, next) - samples_time(samples, i));
	}
}

/* ---- writing ---- */

static int64_t rounded(const struct copy_folded *f, int64_t value)
{
	return f->is_hits ? value : (value + 500) / 1000;
}

static void add_frames(const struct copy_folded *f, const frame_id *stack, uint32_t n,
		       struct buf *out)
{
	for (uint32_t i = n; i-- > 0;) {
		folded_add_frame(out, f->profile, &f->frames[stack[i]]);
		buf_addc(out, i ? ';' : ' ');
	}
}

/* Append one line: n frames, innermost first. */
static void copy_folded_stack(const struct copy_folded *f, const frame_id *stack, uint32_t n,
			      int64_t value, struct buf *out)
{
	add_frames(f, stack, n, out);
	buf_addf(out, "%" PRId64, rounded(f, value));
}

static void add_node(const struct copy_folded *f, node_id node, struct buf *out)
{
	uint32_t n = f->tree->rows[node];
	ALLOC_LOCAL frame_id *stack = xcalloc(n + 1, sizeof *stack);

	for (uint32_t i = 0; i < n; i++, node = f->tree->parent[node])
		stack[f->is_flipped ? n - 1 - i : i] = f->tree->frame[node];
	add_frames(f, stack, n, out);
}

/* Append the lines, without a line break after the last one. */
static void copy_folded_write(const struct copy_folded *f, struct buf *out)
{
	size_t kept = f->n <= COPY_FOLDED_LINES_MAX ? f->n : COPY_FOLDED_LINES_MAX - 1;
	size_t start = out->len;
	int64_t sum = 0;

	for (size_t i = 0; i < kept; i++) {
		const struct copy_folded_stack *s = &f->heaviest[i];
		int64_t us = rounded(f, sum + s->value) - rounded(f, sum);

		sum += s->value;
		if (us <= 0 && i > 0)
			continue;
		if (out->len > start)
			buf_addc(out, '\n');
		add_node(f, s->node, out);
		buf_addf(out, "%" PRId64, us);
	}
	if (f->n > kept)
		buf_addf(out, "\n(%zu more stacks) %" PRId64, f->n - kept,
			 rounded(f, f->value) - rounded(f, sum));
}

/* ==== copy table ====
 *
 * The picture is drawn into a grid of its own, from which the cells of the pane are taken. */

static void add_row(struct buf *out, const struct grid *g, int row, const struct rect *r)
{
	size_t end = out->len;

	for (int col = r->col; col < r->col + r->cols; col++) {
		const struct cell *c = grid_at(g, row, col);

		if (!c->ch)
			continue;
		buf_add_utf8(out, c->ch);
		if (c->mark)
			buf_add_utf8(out, c->mark);
		if (c->ch != ' ')
			end = out->len;
	}
	out->len = end;
}

/* Append what is drawn of the pane, without blanks at the ends of lines and empty lines at the end.
 * False, with a message: no pane is open. */
static bool copy_table(struct app *app, struct buf *out)
{
	struct screen_layout layout;
	struct grid grid = { 0 };

	state_layout(app, &layout);
	if (!app->is_pane_open || layout.pane.rows == 0)
		return state_refuse(app, false, "no pane is open");
	picture_update(app, BUDGET_UNLIMITED);
	app_draw(app, &grid);
	for (int i = 0; i < layout.pane.rows; i++) {
		if (i)
			buf_addc(out, '\n');
		add_row(out, &grid, layout.pane.row + i, &layout.pane);
	}
	grid_done(&grid);
	while (out->len && out->data[out->len - 1] == '\n')
		out->len--;
	return true;
}

/* ==== copy ==== */

#define FILE_CELLS 28
#define CALLERS_MAX 4 /* in the second line */
#define GC_MIN 50     /* garbage collection is named from 1/50 of the total time on */

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

	rows_init(&rows, &s->scope->totals, s->is_flipped ? ROWS_TOPDOWN : ROWS_BOTTOMUP,
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
	ALLOC_LOCAL size_t *path = xcalloc((size_t)rows[at].depth + 1, sizeof *path);

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

	while (span_find_callee(lane, &from, 0, app->s.profile->t1, &caller)) {
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
		span_find_callee(lane, NULL, 0, app->s.profile->t1, root) &&
		s->stack[s->n_known - 1] == lane->tree.frame[root->node];
}

static void take_span(struct subject *s, const struct app *app)
{
	uint32_t n;
	ALLOC_LOCAL frame_id *path = NULL;

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

	if (profile_is_placed(s->profile, frame_of(s, id)))
		profile_add_name(s->profile, frame_of(s, id), out);
	else
		text_visible(out, name, len);
}

/* Without a name, the location is all there is to say. */
static bool has_name(const struct subject *s, frame_id id)
{
	return !profile_is_placed(s->profile, frame_of(s, id));
}

/* False: the function has no location. */
static bool add_location(struct buf *out, const struct subject *s, frame_id id, bool is_full,
			 bool has_column)
{
	struct frame f = *frame_of(s, id);
	BUF_LOCAL place = { 0 };

	if (!has_column)
		f.column = 0;
	profile_location(s->profile, &f, is_full, &place);
	text_visible(out, buf_text(&place), place.len);
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
	struct hot_line most = { 0 };
	ALLOC_LOCAL struct hot_line *list = NULL;
	const struct view *view = &s->scope->view;
	ALLOC_LOCAL const struct lane **lanes = xcalloc(view->n_sources + 1, sizeof *lanes);
	const struct summary_range range = { view->profile, lanes, view->n_sources, INT64_MIN,
					     INT64_MAX };
	size_t n;

	for (uint32_t i = 0; i < view->n_sources; i++)
		lanes[i] = view->sources[i].lane;
	n = summary_lines(&range, SIZE_MAX, &list, &n);
	for (size_t i = 0; i < n; i++) {
		if (list[i].frame != s->frame)
			continue;
		all += list[i].ticks;
		if (list[i].ticks > most.ticks)
			most = list[i];
	}
	if (all >= FINDINGS_TICKS_MIN && most.ticks * 2 >= all && most.ticks < all)
		buf_addf(out, " (line %d: %s of its ticks)", (int)most.line,
			 units_percent((int64_t)most.ticks, (int64_t)all, UNITS_ROOM));
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

static void add_file(struct buf *out, const struct app *app)
{
	const struct lane *lane = state_lane(app);
	const struct profile *p = app->s.profile;
	const char *name;

	if (!p->n_inputs || chart_diff_shown(app))
		return;
	name = profile_input_name(p, lane ? lane->input : 0);
	text_fit(out, name, strlen(name), FILE_CELLS);
	buf_adds(out, ": ");
}

/* A caller: `pageOf catalogue.js:36`, only `:36` in the file of the caller before. */
static void add_caller(struct buf *out, const struct subject *s, uint32_t i)
{
	const struct frame *f = frame_of(s, s->stack[i]), *before = frame_of(s, s->stack[i - 1]);

	buf_adds(out, i == 1 ? "by " : " < ");
	if (has_name(s, s->stack[i]))
		add_name(out, s, s->stack[i]);
	if (!f->url)
		return;
	buf_adds(out, has_name(s, s->stack[i]) ? " " : "");
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

	gc_part_find(&part, &s->scope->totals);
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
	for (uint32_t i = 1; i < s->n_stack && i <= CALLERS_MAX; i++)
		add_caller(out, s, i);
	if (s->n_stack > CALLERS_MAX + 1)
		buf_addf(out, " < %u more", s->n_stack - CALLERS_MAX - 1);
	if (total > self && self > 0 && !s->is_flipped && !chart_diff_shown(app)) {
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
	if (gc > total / GC_MIN && gc < total && !chart_diff_shown(app)) {
		units_percent(gc, total, a);
		buf_addf(out, "; %s of its total is GC", a);
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
		add_file(out, app);
		if (has_name(s, s->frame))
			add_name(out, s, s->frame);
		if (has_name(s, s->frame) && frame_of(s, s->frame)->url)
			buf_addc(out, ' ');
		add_location(out, s, s->frame, true, false);
		if (!chart_diff_add_figures(app, s->frame, out)) {
			/* Append ` - 511 ms self, 35.1 % of 1.45 s busy`. */
			const struct totals *t = &s->scope->totals;
			bool is_self = is_busy_itself(s);
			int64_t value = is_self ? t->frame_self[s->frame]
						: t->frame_total[s->frame];

			buf_adds(out, " - ");
			add_value(out, app, value);
			buf_addf(out, " %s, %s", is_self ? "self" : "total",
				 units_percent(value, t->sampled_ns, UNITS_ROOM));
			add_whole(out, app, s, t->sampled_ns);
		}
		add_line(out, s);
		buf_addc(out, '\n');
		add_callers(out, app, s);
		return true;
	case COPY_NAME:
		add_name(out, s, s->frame);
		return true;
	case COPY_LOCATION:
		if (add_location(out, s, s->frame, true, true))
			return true;
		return state_refuse(app, false, "the function has no location");
	case COPY_STACK:
		for (uint32_t i = 0; i < s->n_stack; i++) {
			bool is_named = has_name(s, s->stack[i]);

			buf_adds(out, i ? "\n    at " : "    at ");
			if (is_named)
				add_name(out, s, s->stack[i]);
			if (!frame_of(s, s->stack[i])->url)
				continue;
			buf_adds(out, is_named ? " (" : "");
			add_location(out, s, s->stack[i], true, true);
			buf_adds(out, is_named ? ")" : "");
		}
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
	BUF_LOCAL text = { 0 }, notes = { 0 };
	bool is = !chart_diff_shown(app) && findings_walk_texts(app, &text, &notes);

	if (is) {
		add_file(out, app);
		buf_add(out, buf_text(&text), text.len);
		buf_addc(out, '\n');
		buf_add(out, buf_text(&notes), notes.len);
	}
	return is;
}

static void drop(struct subject *s, struct pane_scope *scope)
{
	free(s->stack);
	s->stack = NULL;
	pane_scope_done(scope);
}

/* Append the text. *n_stacks: the stacks that it stands for. False, with a message: there is none.
 */
static bool copy_text(struct app *app, enum copy_what what, struct buf *out, struct buf *about,
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
	if (!pane_scope_init(app, false, has_idle, &scope))
		return state_refuse(app, false, "nothing is selected");
	is_there = find_subject(app, &scope, has_idle, &s);
	/* Where idle time does not count, it has no time and no share. */
	if (is_there && !has_idle && frame_of(&s, s.frame)->category == CATEGORY_IDLE) {
		has_idle = true;
		drop(&s, &scope);
		if (!pane_scope_init(app, false, has_idle, &scope))
			return false;
		is_there = find_subject(app, &scope, has_idle, &s);
	}
	/* The selected span may be outside the window or the kept range, where its function has no
	 * time. */
	if (is_there && s.span && app->mode == VIEW_TIME && !s.scope->totals.frame_total[s.frame]) {
		drop(&s, &scope);
		if (!pane_scope_init(app, true, has_idle, &scope))
			return false;
		is_there = find_subject(app, &scope, has_idle, &s);
	}
	is_there = is_there && add_subject(app, what, &s, out, n_stacks);
	if (is_there)
		add_name(about, &s, s.frame);
	drop(&s, &scope);
	return is_there;
}

/* ==== copy keys ====
 *
 * The command that copies. The text stays in the state until the next one; the caller of app_key()
 * takes it to a clipboard and tells where it went (app_copied()). */

#define ABOUT_CELLS 40

/* what: enum copy_what. */
unsigned copy_keys_text(struct app *app, int what)
{
	/* For the message: `copied the stack of parse`. Several stacks are counted in it. */
	static const char *const names[] = {
		[COPY_ANSWER] = "two lines",        [COPY_NAME] = "the name",
		[COPY_LOCATION] = "the location",   [COPY_STACK] = "the stack",
		[COPY_FOLDED] = "the folded stack", [COPY_TABLE] = "the table"
	};
	const char *name = names[what];
	BUF_LOCAL about = { 0 }, fit = { 0 };
	struct buf text = { 0 };
	size_t n;

	if ((what == COPY_ANSWER || what == COPY_LOCATION) &&
	    source_page_copy(app, what == COPY_ANSWER, &text)) {
		n = 1;
		name = what == COPY_ANSWER ? "the line" : name;
	} else if (!copy_text(app, (enum copy_what)what, &text, &about, &n)) {
		buf_done(&text);
		return APP_REDRAW;
	}
	if (about.len)
		buf_adds(&fit, what == COPY_ANSWER ? " about " : " of ");
	text_fit(&fit, buf_text(&about), about.len, ABOUT_CELLS);
	buf_done(&app->copied);
	app->copied = text;
	if (n > COPY_FOLDED_LINES_MAX)
		state_say(app, false,
			  "copied the %d heaviest of %zu stacks%s, and a line for the rest",
			  COPY_FOLDED_LINES_MAX - 1, n, buf_text(&fit));
	else if (n > 1)
		state_say(app, false, "copied %zu stacks%s, folded", n, buf_text(&fit));
	else
		state_say(app, false, "copied %s%s", name, buf_text(&fit));
	return APP_REDRAW | APP_COPY;
}
