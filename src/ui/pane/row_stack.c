/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack is kept for its row and its totals: when the keys have only moved the cursor away and
 * back, nothing is computed again. Its nodes belong to the totals of one generation of the pane. */
#include "config.h"

#include "ui/pane/row_stack.h"

#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define SHIFT_MAX 10000u

void row_stack_touch(struct app *app)
{
	app->row_stack.is_old = true;
}

bool row_stack_has_room(const struct app *app)
{
	return app->is_pane_open && app->cols >= SCREEN_SIDE_COLS && app->shown->path &&
		!chart_diff_shown(app);
}

/* Get what the stack should be about. False: nothing. */
static bool find_row(const struct app *app, struct row_stack_of *of)
{
	*of = (struct row_stack_of){ .kind = app->shown, .generation = app->pane.generation };
	return row_stack_has_room(app) && pane_rows_exist(app) && !app->is_pane_stale &&
		!app->help.is_open && app->shown->place(app, &of->cursor, &of->top);
}

static bool is_same(const struct row_stack_of *a, const struct row_stack_of *b)
{
	return a->kind == b->kind && a->generation == b->generation && a->cursor == b->cursor &&
		a->top == b->top;
}

int row_stack_wait_ms(const struct app *app)
{
	const struct row_stack *s = &app->row_stack;
	struct row_stack_of of;

	if (!find_row(app, &of))
		return -1;
	if (s->is_old)
		return ROW_STACK_MS;
	if (s->is_making && is_same(&s->next_of, &of))
		return 0;
	return s->has_shown && is_same(&s->of, &of) ? -1 : 0;
}

static bool is_about(const struct heavy_stack *stack, enum heavy_from from, const frame_id *path,
		     uint32_t n)
{
	return stack->path && stack->from == from && stack->n_path == n &&
		memcmp(stack->path, path, n * sizeof *path) == 0;
}

/* `next`, which may be empty, is what is shown. */
static void show(struct row_stack *s, const struct row_stack_of *of)
{
	heavy_stack_done(&s->shown);
	s->shown = s->next;
	s->of = *of;
	s->next = (struct heavy_stack){ 0 };
	s->is_making = false;
	s->has_shown = true;
	s->before_nodes = NULL;
}

/* Begin with the stack of the row, unless it is that of before. Returns whether there is something
 * to compute. */
static bool begin(struct app *app, const struct row_stack_of *of)
{
	struct row_stack *s = &app->row_stack;
	enum heavy_from from;
	uint32_t n;
	frame_id *path = of->kind->path(app, &from, &n);

	s->is_old = false;
	if (path && s->has_shown && s->of.kind == of->kind && s->of.generation == of->generation &&
	    is_about(&s->shown, from, path, n)) {
		free(path);
		s->of = *of;
		return false;
	}
	heavy_stack_done(&s->next);
	s->next_of = *of;
	s->is_making = path != NULL;
	if (path)
		heavy_stack_begin(&s->next, &app->pane.totals, from, path, n);
	else
		show(s, of);
	return s->is_making;
}

bool row_stack_work(struct app *app, struct budget *budget)
{
	struct row_stack *s = &app->row_stack;
	struct row_stack_of of;

	if (!find_row(app, &of))
		return false;
	if (s->is_old || !s->is_making || !is_same(&s->next_of, &of)) {
		if (!begin(app, &of))
			return true;
	}
	if (!heavy_stack_step(&s->next, budget))
		return false;
	show(s, &s->next_of);
	return true;
}

void row_stack_update(struct app *app, struct budget *budget)
{
	if (row_stack_wait_ms(app) == 0)
		row_stack_work(app, budget);
}

/* Whether the stack that is shown has numbers of the pane as it is. */
static bool is_current(const struct app *app)
{
	const struct row_stack *s = &app->row_stack;

	return s->has_shown && s->of.kind == app->shown && s->of.generation == app->pane.generation;
}

/* The rows that the table was scrolled down since the stack was made. */
static int find_shift(const struct row_stack *s, const struct row_stack_of *now)
{
	/* More than any screen has is enough. */
	return now->top >= s->of.top
		? (int)(now->top - s->of.top < SHIFT_MAX ? now->top - s->of.top : SHIFT_MAX)
		: -(int)(s->of.top - now->top < SHIFT_MAX ? s->of.top - now->top : SHIFT_MAX);
}

void row_stack_keep(struct app *app, struct rect side)
{
	struct row_stack *s = &app->row_stack;
	struct stack_list list = row_stack_get(app);

	if (!list.stack ||
	    (s->before_nodes == s->shown.nodes && s->before_shift == list.shift &&
	     s->before.rows == side.rows && s->before.cols == side.cols))
		return;
	grid_init(&s->before, side.rows, side.cols);
	list.is_previous = true;
	stack_list_draw(&s->before, (struct rect){ 0, 0, side.rows, side.cols }, &list);
	s->before_nodes = s->shown.nodes;
	s->before_shift = list.shift;
}

/* What folds in the lane with the cursor. */
static enum fold_mode fold_of(const struct app *app)
{
	int lane = app->s.chart.lane;

	if (lane < 0 || !chart_is_folded(&app->s.chart, lane))
		return FOLD_NONE;
	return app->s.lanes[lane].has_packages ? FOLD_PACKAGES : FOLD_RUNTIME;
}

struct stack_list row_stack_get(const struct app *app)
{
	const struct row_stack *s = &app->row_stack;
	struct stack_list list = { .is_ascii = app->s.chart.is_ascii, .fold = fold_of(app) };
	struct row_stack_of of;

	if (!s->has_shown || !s->shown.n)
		return list;
	if (is_current(app) && find_row(app, &of)) {
		list.stack = &s->shown;
		list.shift = find_shift(s, &of);
	} else if (!is_current(app) && s->of.kind == app->shown && s->before_nodes &&
		   (app->is_pane_stale || row_stack_wait_ms(app) >= 0)) {
		list.before = &s->before;
	}
	return list;
}

void row_stack_done(struct app *app)
{
	struct row_stack *s = &app->row_stack;

	heavy_stack_done(&s->shown);
	heavy_stack_done(&s->next);
	grid_done(&s->before);
	*s = (struct row_stack){ 0 };
}
