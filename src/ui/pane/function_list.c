/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list belongs to one generation of the pane's totals: with another generation it is stale, and
 * the lanes that it was computed from may be gone. */
#include "config.h"

#include "ui/pane/function_list.h"

#include "analyse/figures.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "draw/table/function_table.h"
#include "draw/table/table.h"
#include "model/frame.h"
#include "model/profile.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== function choice ====
 *
 * An order that is provisional is shown, but what the user has chosen in the order before it is
 * kept and applied again to the order that replaces it. */

/* Keep cursor and page, before another order is shown; put them into that order. frames: by
 * frame_id. */
static void function_choice_keep(struct function_list *l)
{
	if (!l->is_provisional) {
		/* A cursor that is where it began is not a choice: it begins again. */
		l->is_first = !l->has_list ||
			(!l->has_kept && l->cursor == l->placed && (l->placed || l->top == 0));
		l->kept = !l->is_first && l->cursor < l->n ? l->order[l->cursor] : FRAME_NONE;
		l->kept_cursor = l->cursor;
		l->kept_top = l->top;
	}
	if (l->goes_to_top) {
		l->is_first = false;
		l->kept = FRAME_NONE;
		l->kept_cursor = l->kept_top = 0;
	}
	l->goes_to_top = false;
}

static void function_choice_place(struct function_list *l, const struct pane *pane)
{
	const struct frame *frames = pane->view.frames;
	size_t n = 0;

	/* Idle time comes last, in all orders but that of names: the question is what ran. */
	while (n < l->n && frames[l->order[n]].category != CATEGORY_IDLE)
		n++;
	if (n < l->n && l->ordered.sort != FUNCTION_NAME) {
		frame_id idle = l->order[n];

		memmove(l->order + n, l->order + n + 1, (l->n - n - 1) * sizeof *l->order);
		l->order[l->n - 1] = idle;
	}
	l->top = l->kept_top;
	l->cursor = l->kept_cursor;
	if (l->cursor >= l->n)
		l->cursor = l->n ? l->n - 1 : 0;
	l->has_kept = false;
	for (size_t i = 0; l->kept != FRAME_NONE && i < l->n; i++) {
		if (l->order[i] != l->kept)
			continue;
		l->cursor = i;
		l->has_kept = true;
	}
	l->placed = 0;
	if (!l->is_first)
		return;
	for (size_t i = l->n; i > 0 && !l->is_reversed; i--)
		l->placed = pane_begins_at(pane, l->order[i - 1]) ? i - 1 : l->placed;
	l->cursor = l->placed;
}

/* ==== function sort ====
 *
 * The orders of the functions pane. */

/* The number of a function by which a column sorts, largest first. change: NULL if that is not the
 * order, unless it is of two sides. */
static int64_t function_sort_value(const struct function_list *l, const struct totals *t,
				   enum function_column c, const struct rows_change *change,
				   frame_id f)
{
	int64_t here = t->frame_self[f], all, ns[SIDES];
	struct function_figures figures;

	if (change && change->after && c != FUNCTION_NAME) {
		rows_change_sides_of_function(change, f, c == FUNCTION_TOTAL_CHANGE, ns);
		return c == FUNCTION_BEFORE ? ns[SIDE_BEFORE]
			: c == FUNCTION_AFTER
			? ns[SIDE_AFTER]
			: rows_change_key(change, ns[SIDE_AFTER], ns[SIDE_BEFORE]);
	}
	if (c == FUNCTION_CHANGE)
		return change && rows_change_of_function(change, f, &here, &all)
			? rows_change_key(change, here, all)
			: 0;
	figures = figures_of(l->functions.list ? &l->functions.list[f] : NULL, 0, here,
			     t->frame_total[f], l->hit_ns);
	return function_table_value(&figures, c);
}

/* Whether the table can be sorted by a column. */
static bool function_sort_has(const struct app *app, int column)
{
	bool has_sides = pane_sides_exist(&app->pane);

	return column != FUNCTION_GC &&
		(column != FUNCTION_CPU || app->function_list.functions.has_cpu) &&
		function_table_has_spans((enum function_column)column,
					 app->function_list.functions.has_ranks,
					 app->function_list.functions.has_requests) &&
		function_table_has((enum function_column)column,
				   has_sides || pane_change_exists(&app->pane), has_sides);
}

/* ==== function list ==== */

#define STEPS_AT_ONCE 32 /* of 2048 samples */
#define KEY_WORK 8       /* units of work of a key, whose numbers stand in several arrays */

/* Abandon the order that is being made. */
static void drop_next(struct function_list *l)
{
	sort_end(l->next.sorting);
	free(l->next.keys);
	l->next = (struct function_ordering){ 0 };
}

static void forget(struct app *app)
{
	struct function_list *l = &app->function_list;

	functions_end(l->walk);
	functions_done(&l->functions);
	free(l->order);
	drop_next(l);
	l->walk = NULL;
	l->order = NULL;
	l->n = 0;
	if (l->is_provisional) {
		l->cursor = l->kept_cursor;
		l->top = l->kept_top;
	}
	l->is_provisional = l->has_list = l->has_walk = false;
}

/* ---- order ---- */

struct function_key {
	int64_t first, second;
	const char *name;
	frame_id frame;
};

SORT_BEFORE(is_before, struct function_key,
	    SORT_BY_4(y->first, x->first, y->second, x->second, strcmp(x->name, y->name), 0,
		      x->frame, y->frame) < 0)

/* What the table is sorted by: without a comparison it cannot be that. */
static enum function_column sort_of(const struct app *app)
{
	enum function_column sort = app->function_list.sort;

	if (pane_sides_exist(&app->pane))
		return app->function_list.sides_sort ? app->function_list.sides_sort
						     : FUNCTION_CHANGE;
	return sort == FUNCTION_CHANGE && !pane_change_exists(&app->pane) ? FUNCTION_SELF : sort;
}

/* The order that should be shown. */
static struct function_order wanted(const struct app *app)
{
	const struct function_list *l = &app->function_list;

	return (struct function_order){ .generation = app->pane.generation,
					.filter_changes = app->pane.filter_changes,
					.sort = sort_of(app),
					.is_reversed = l->is_reversed,
					.is_counted = !l->walk ||
						!function_table_is_of_spans(sort_of(app)) };
}

static bool is_same(const struct function_order *a, const struct function_order *b)
{
	return a->generation == b->generation && a->filter_changes == b->filter_changes &&
		a->sort == b->sort && a->is_reversed == b->is_reversed &&
		a->is_counted == b->is_counted;
}

/* Make the keys of the functions with time that pass the filter. Returns whether that is done. */
static bool make_keys(struct app *app, struct budget *budget)
{
	const struct function_list *l = &app->function_list;
	struct function_ordering *next = &app->function_list.next;
	const struct totals *t = &app->pane.totals;
	const struct rows_change change = pane_change_get(&app->pane, false, false);
	enum function_column sort = next->of.sort;

	while (next->n_seen < t->n_used) {
		frame_id f = t->used[next->n_seen++];

		if (!app->pane.filter.frames || app->pane.filter.frames[f])
			next->keys[next->n++] = (struct function_key){
				function_sort_value(l, t, sort, change.all ? &change : NULL, f),
				sort == FUNCTION_NAME ? 0
					: sort == FUNCTION_CHANGE || change.after
					? t->frame_self[f]
					: t->frame_total[f],
				profile_text(t->profile, t->view->frames[f].name), f
			};
		if (budget_use(budget, KEY_WORK))
			return false;
	}
	next->sorting = sort_begin(next->keys, next->n, sizeof *next->keys, is_before, NULL);
	return true;
}

/* Show the order that was made. The cursor stays on its function. */
static void take_order(struct app *app)
{
	struct function_list *l = &app->function_list;

	function_choice_keep(l);
	l->n = l->next.n;
	l->order = xrealloc(l->order, l->n, sizeof *l->order);
	for (size_t i = 0; i < l->n; i++)
		l->order[l->is_reversed ? l->n - 1 - i : i] = l->next.keys[i].frame;
	l->ordered = l->next.of;
	drop_next(l);
	function_choice_place(l, &app->pane);
	l->is_provisional = app->pane.is_counting || !l->ordered.is_counted;
	l->has_list = true;
}

/* Bring the order up to date within the budget. Returns whether it is. */
static bool put_in_order(struct app *app, struct budget *budget)
{
	struct function_list *l = &app->function_list;
	struct function_order order = wanted(app);

	if (l->has_list && is_same(&l->ordered, &order)) {
		drop_next(l);
		l->goes_to_top = false;
		return true;
	}
	if (order.sort == FUNCTION_CHANGE && !pane_sides_exist(&app->pane) &&
	    !pane_change_step(&app->pane, budget))
		return false;
	if (!l->next.keys || !is_same(&l->next.of, &order)) {
		drop_next(l);
		l->next.of = order;
		l->next.keys = xmalloc(((size_t)app->pane.totals.n_used + 1) *
				       sizeof *l->next.keys);
	}
	if ((!l->next.sorting && !make_keys(app, budget)) || !sort_step(l->next.sorting, budget))
		return false;
	take_order(app);
	return true;
}

/* Begin to count the spans of a new range. False: there is no memory for it. */
static bool begin_walk(struct app *app, const struct budget *budget)
{
	struct function_list *l = &app->function_list;
	const struct pane *pane = &app->pane;
	struct budget at_once = budget_steps(STEPS_AT_ONCE, BUDGET_STEP);

	/* The order of other functions cannot be shown until it is made again. */
	if (l->functions.n != pane->view.n_frames)
		l->n = 0;
	functions_end(l->walk);
	functions_done(&l->functions);
	l->walk = NULL;
	if (!reserve_has_room(functions_bytes(&pane->view) +
			      pane->totals.n_used *
				      (2 * sizeof(struct function_key) + sizeof *l->order))) {
		forget(app);
		app->pane.is_lacking = true;
		return false;
	}
	l->walk = functions_begin(&l->functions, &pane->view, pane->t0, pane->t1);
	l->hit_ns = lane_value_hit_ns(pane->totals.profile);
	l->has_walk = true;
	l->generation = pane->generation;
	/* Few samples are counted at once, if there is time, so that the numbers do not change on
	 * the screen. */
	at_once.until_ns = budget->until_ns;
	if (functions_step(l->walk, &at_once)) {
		functions_end(l->walk);
		l->walk = NULL;
	}
	return true;
}

static bool update_rows(struct app *app, struct budget *budget)
{
	const struct function_list *l = &app->function_list;

	/* The first list is not made from the totals of another range: its cursor would be on a
	 * function that the user has not chosen. */
	if (!l->has_list && app->pane.is_counting)
		return false;
	if ((!l->has_walk || l->generation != app->pane.generation) && !begin_walk(app, budget))
		return true;
	return put_in_order(app, budget);
}

/* ---- the pane ---- */

/* The comparison is computed between keys, and the spans of many samples are counted. */
static int wait_ms(const struct app *app)
{
	const struct function_list *l = &app->function_list;

	if (pane_change_is_missing(&app->pane))
		return 0;
	return l->walk && l->generation == app->pane.generation ? 0 : -1;
}

static bool work(struct app *app, struct budget *budget)
{
	struct function_list *l = &app->function_list;

	if (pane_change_is_missing(&app->pane))
		return pane_change_step(&app->pane, budget);
	if (!functions_step(l->walk, budget))
		return false;
	functions_end(l->walk);
	l->walk = NULL;
	return true;
}

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct function_list *l = &app->function_list;

	if (l->n && (is_current || l->top >= l->n))
		l->top = table_scroll(area->rows, l->n, l->top, l->cursor);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	const struct function_list *l = &app->function_list;
	const struct totals *totals = &app->pane.totals;
	const struct table *table = &picture->table;
	struct screen *screen = picture->screen;

	pane_picture_totals(app, picture, true);
	pane_picture_place(picture, l->cursor, l->n);
	picture->functions = (struct function_table){
		.frames = app->pane.view.frames,
		.functions = l->functions.list,
		.self = totals->frame_self,
		.total = totals->frame_total,
		.hit_ns = l->hit_ns,
		.order = l->order,
		.n = l->n,
		.top = l->top,
		.cursor = l->cursor,
		.unit = table->unit,
		.sort = l->ordered.sort,
		.is_reversed = l->is_reversed,
		.has_ranks = l->functions.has_ranks,
		.has_cpu = l->functions.has_cpu,
		.has_requests = l->functions.has_requests,
		.is_counting = l->walk != NULL,
		.has_focus = table->has_focus,
		.is_ascii = table->is_ascii,
		.roles = table->roles,
		.search = table->search,
		.empty = !l->has_list ? l->next.keys ? "counting\342\200\246" : ""
			: app->filter.target.search.matches ? pane_picture_no_match
							    : "nothing was sampled in this range",
	};
	picture->functions.unit.whole = pane_whole(&app->pane);
	picture->functions.unit.has_change = pane_sides_exist(&app->pane) ||
		pane_change_exists(&app->pane);
	picture->functions.unit.change = pane_change_get(&app->pane, false, false);
	picture->functions.unit.gc = pane_gc_get(&app->pane);
	picture->functions.unit.full = pane_bar_full(&app->pane, l->sort == FUNCTION_TOTAL);
	screen->functions = &picture->functions;
	if (table->has_focus && l->n) {
		frame_id f = l->order[l->cursor];

		picture->row = (struct row){ .frame = f,
					     .self = totals->frame_self[f],
					     .total = totals->frame_total[f] };
		screen->details.row = &picture->row;
		screen->details.unit = picture->functions.unit;
	}
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	struct function_list *l = &app->function_list;

	(void)area;
	if (l->n == 0)
		return;
	l->is_provisional = false;
	panes_move(&l->cursor, l->n, rows);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	struct function_list *l = &app->function_list;

	(void)col;
	if (table_hit(*area, row, l->n, l->top, &l->cursor))
		l->is_provisional = false;
}

/* In another order the cursor stays at the top. */
static void go_to_top(struct function_list *l)
{
	l->cursor = l->top = 0;
	l->goes_to_top = true;
}

static void set_sort(struct app *app, enum function_column column)
{
	struct function_list *l = &app->function_list;

	if (pane_sides_exist(&app->pane))
		l->sides_sort = column;
	else
		l->sort = column;
	go_to_top(l);
}

static void sort(struct app *app, int step)
{
	int to = (int)sort_of(app), last = FUNCTION_COLUMNS - 1;

	for (int left = abs(step); left > 0; left--) {
		int next = to + (step < 0 ? -1 : 1);

		while (next >= 0 && next < last && !function_sort_has(app, next))
			next += step < 0 ? -1 : 1;
		if (next < 0 || next > last)
			break;
		to = next;
	}
	set_sort(app, (enum function_column)to);
}

static void reverse(struct app *app)
{
	struct function_list *l = &app->function_list;

	l->is_reversed = !l->is_reversed;
	go_to_top(l);
}

static void sort_at(struct app *app, const struct screen *screen, const struct rect *area, int col)
{
	enum function_column column = screen->functions
		? function_table_column_at(screen->functions, screen_table_area(screen, *area), col)
		: FUNCTION_COLUMNS;

	if (column == FUNCTION_COLUMNS || column == FUNCTION_GC)
		return;
	if (column == sort_of(app)) {
		reverse(app);
		return;
	}
	set_sort(app, column);
}

static frame_id frame_at_cursor(const struct app *app)
{
	const struct function_list *l = &app->function_list;

	return l->has_list && l->cursor < l->n ? l->order[l->cursor] : FRAME_NONE;
}

static bool go(struct app *app, const frame_id *path, uint32_t n)
{
	struct function_list *l = &app->function_list;

	for (size_t i = 0; i < l->n; i++) {
		if (l->order[i] != path[n - 1])
			continue;
		l->cursor = i;
		l->is_provisional = false;
		return true;
	}
	return false;
}

static void show(struct app *app)
{
	frame_id function = frame_at_cursor(app);

	if (function != FRAME_NONE)
		select_frame(app, function);
}

static bool place(const struct app *app, size_t *cursor, size_t *top)
{
	*cursor = app->function_list.cursor;
	*top = app->function_list.top;
	return frame_at_cursor(app) != FRAME_NONE;
}

static frame_id *path(const struct app *app, enum heavy_from *from, uint32_t *n)
{
	frame_id *frames = xmalloc(sizeof *frames);

	frames[0] = frame_at_cursor(app);
	*from = HEAVY_CALLERS;
	*n = 1;
	return frames;
}

static bool count(const struct app *app, size_t *n, size_t *of)
{
	*n = app->function_list.n;
	*of = app->pane.totals.n_used;
	return app->function_list.has_list;
}

const struct pane_kind function_list_pane = { .title = "7 Functions",
					      .command = CMD_FUNCTIONS,
					      .table = PANE_TABS,
					      .head_rows = 2,
					      .has_totals = true,
					      .is_filterable = true,
					      .update_rows = update_rows,
					      .update = update,
					      .draw = draw,
					      .wait_ms = wait_ms,
					      .work = work,
					      .forget = forget,
					      .done = forget,
					      .move = move,
					      .click = click,
					      .show = show,
					      .go = go,
					      .frame = frame_at_cursor,
					      .place = place,
					      .path = path,
					      .sort = sort,
					      .sort_at = sort_at,
					      .reverse = reverse,
					      .count = count };
