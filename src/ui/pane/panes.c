/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panes: what all of them have in common. The rest is filled by the functions of the pane that
 * is shown; its draw() is called for a pane of totals only if there are totals. */
#include "config.h"

#include "ui/pane/panes.h"

#include "base/alloc.h"
#include "base/text.h"
#include "model/profile.h"
#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== pane rows ====
 *
 * Totals are computed for the scope of the panes; the rows of the pane that is shown are made from
 * them by its update_rows(). */

static bool has_totals(const struct app *app)
{
	const struct lane *lane = state_lane(app);

	return app->is_pane_open && lane && app->shown->has_totals && lane->tree.n;
}

static bool has_rows(const struct app *app)
{
	return has_totals(app) && app->pane.has_totals;
}

/* Returns whether all rows are as they should be. */
static bool update_rows(struct app *app, struct budget *budget)
{
	if (app->focus == KEYMAP_CHART && app->s.chart.has_selection)
		pane_set_function(&app->pane, folds_selected(&app->s));
	return !app->shown->update_rows || app->shown->update_rows(app, budget);
}

bool pane_rows_update(struct app *app)
{
	struct budget budget;

	if (!has_totals(app) || !pane_totals_update(app, BUDGET_UNLIMITED))
		return false;
	budget = budget_ns(PANE_ROWS_KEY_NS);
	if (!update_rows(app, &budget))
		pane_stop(&app->pane);
	return true;
}

bool pane_rows_target(struct app *app, frame_id *frame)
{
	const struct lane *lane = state_lane(app), *of = NULL;
	struct span span = { .node = NODE_ROOT };

	*frame = FRAME_NONE;
	if (app->focus == KEYMAP_PANE && app->shown->frame && pane_rows_update(app))
		*frame = app->shown->frame(app);
	else if (app->focus == KEYMAP_PANE && app->shown->span && lane)
		of = app->shown->span(app, &span);
	if (of)
		*frame = of->tree.frame[span.node];
	if (*frame == FRAME_NONE && lane && lane->tree.n && app->s.chart.has_selection)
		*frame = folds_selected(&app->s);
	if (*frame == FRAME_NONE)
		state_say(app, false, "nothing is selected");
	return *frame != FRAME_NONE;
}

/* Of a table of calls, up to date: whether the row with the cursor has none below it, so that it
 * can be neither opened nor closed. */
static bool is_at_leaf(const struct app *app)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];
	const struct row *row = tab->cursor < tab->rows.n ? &tab->rows.rows[tab->cursor] : NULL;

	return row && !row->can_open && !row->is_open;
}

/* ==== scope line ====
 *
 * Each form is complete in itself; the rule shows the first that fits. */

#define LANE_CELLS 17
#define LANE_BYTES 96 /* of LANE_CELLS cells, and a comma */

/* `worker 1, `, `Main, `: the lane with the cursor, if there are several. */
static void say_lane(const struct app *app, char *lanes, size_t size)
{
	BUF_LOCAL name = { 0 }, fit = { 0 };
	const struct lane *lane;
	const char *page;

	*lanes = '\0';
	if (app->s.chart.n_lanes < 2 || app->s.chart.lane < 0)
		return;
	lane = app->s.lanes[app->s.chart.lane].lane;
	lane_name(app->s.profile, lane, false, &name);
	/* The header has the address of a page. */
	page = lane->page ? strstr(buf_text(&name), " \342\200\224 ") : NULL;
	text_fit(&fit, buf_text(&name), page ? (size_t)(page - name.data) : name.len, LANE_CELLS);
	if (app->mode == VIEW_SANDWICH)
		snprintf(lanes, size, app->s.chart.lane ? "callees, " : "callers, ");
	else
		snprintf(lanes, size, "%s, ", buf_text(&fit));
}

/* Write the lanes and the range; `lanes` is empty if there is only one lane. */
static void say_where(const struct app *app, char *lanes, size_t size, char *range,
		      size_t range_size)
{
	const struct viewport *view = &app->s.view;
	char part[UNITS_MAX], all[UNITS_MAX], from[UNITS_MAX];
	enum lane_kind kind;
	uint32_t n = app->has_all_lanes && app->mode == VIEW_TIME ? pane_scope_count(app, &kind)
								  : 0;
	int64_t t0, t1;

	if (n > 1)
		snprintf(lanes, size, "%lu lanes together, ", (unsigned long)n);
	else
		say_lane(app, lanes, size);
	pane_scope_range(app, &t0, &t1);
	profile_value_near(app->base, t0, (t1 - t0) / 100, from);
	profile_value(app->base, t1 - t0, part);
	profile_value(app->base, view->t_max - view->t_min, all);
	if (t1 - t0 == view->t_max - view->t_min)
		snprintf(range, range_size, "all %s%s", all,
			 view->t0 > t0 || view->t1 < t1 ? ", not the window" : "");
	else if (app->range.is_pinned && app->mode == VIEW_TIME)
		snprintf(range, range_size, "pinned %s at %s", part, from);
	else
		snprintf(range, range_size, "window %s of %s", part, all);
}

/* `% of 1.45 s busy, idle not counted`: 100 % is only what was sampled or covered; where slices
 * overlap, the self time of all of them. */
static void say_totals(const struct app *app, struct scope_line *l)
{
	const struct lane *lane = app->pane.n_lanes ? app->pane.lanes[0] : state_lane(app);
	bool has_idle = app->pane.has_idle, is_hits = pane_scope_is_hits(app);
	const struct totals *totals = &app->pane.totals;
	const char *what = lane && lane->kind != LANE_SAMPLES
		? totals->self_ns == totals->sampled_ns ? "covered"
			: lane->has_requests            ? "of requests"
							: "of slices"
		: is_hits               ? "of hits"
		: app->pane.is_of_whole ? "in the whole"
		: has_idle              ? "sampled"
					: "busy",
		   *idle = has_idle ? "idle counted" : "idle not counted";
	char whole[UNITS_MAX], lanes[LANE_BYTES], range[3 * UNITS_MAX], few[LANE_BYTES + 32];

	profile_value(app->base, pane_whole(&app->pane), whole);
	say_where(app, lanes, sizeof(lanes), range, sizeof(range));
	if (is_hits)
		snprintf(range, sizeof range, "all hits of the file");
	else if (pane_scope_is_timeless(app))
		snprintf(range, sizeof range, "all of the lane");
	snprintf(few, sizeof(few), "%s%s", app->has_all_lanes ? lanes : "",
		 strncmp(range, "pinned ", 7) == 0           ? "pinned, "
			 : strncmp(range, "window ", 7) == 0 ? "window, "
			 : strstr(range, ", not ")           ? "all, not the window: "
							     : "");
	if (!amount_is_time(&app->base->unit)) {
		snprintf(l->forms[0], sizeof(l->forms[0]), "%s%s - %% of %s", lanes, range, whole);
		for (size_t i = 1; i < ARRAY_LEN(l->forms); i++)
			snprintf(l->forms[i], sizeof(l->forms[i]), "%s%% of %s",
				 i < ARRAY_LEN(l->forms) - 1 ? few : "", whole);
		return;
	}
	snprintf(l->forms[0], sizeof(l->forms[0]), "%s%s - %% of %s %s, %s", lanes, range, whole,
		 what, idle);
	snprintf(l->forms[1], sizeof(l->forms[1]), "%s%s - %% of %s %s", lanes, range, whole, what);
	snprintf(l->forms[2], sizeof(l->forms[2]), "%s%% of %s %s, %s", few, whole, what, idle);
	snprintf(l->forms[3], sizeof(l->forms[3]), "%s%% of %s %s", few, whole, what);
	if (strstr(range, ", not "))
		snprintf(l->forms[4], sizeof(l->forms[4]), "all: %% of %s %s", whole, what);
	else
		snprintf(l->forms[4], sizeof(l->forms[4]), "%% of %s", whole);
}

/* The filter comes first in every form, as it is the last thing to be left out. */
static void add_filter(const struct app *app, struct scope_line *l)
{
	static const struct {
		int cells, with;
		bool has_rows;
	} forms[SCREEN_SCOPES] = {
		{ 24, 0, true },  { 24, 3, true },   { 24, 4, true },
		{ 24, -1, true }, { 12, -1, false }, { 5, -1, false },
	};
	struct scope_line plain = *l;

	for (int i = 0; i < SCREEN_SCOPES; i++) {
		const char *with = forms[i].with < 0 ? "" : plain.forms[forms[i].with];
		BUF_LOCAL text = { 0 };

		filter_describe(app, forms[i].cells, forms[i].has_rows, &text);
		if (text.len == 0)
			return;
		snprintf(l->forms[i], sizeof(l->forms[i]), "%s%s%s", buf_text(&text),
			 *with ? "; " : "", with);
	}
}

/* The name for events of a lane. */
static const char *event_name(const struct lane *lane)
{
	static const char *const names[] = {
		[LANE_SAMPLES] = "spans",  [LANE_SLICES] = "slices", [LANE_ASYNC] = "slices",
		[LANE_COUNTER] = "values", [LANE_MARKS] = "marks",   [LANE_OBJECTS] = "spans"
	};

	return names[lane->kind];
}

void scope_line_events(const struct app *app, struct scope_line *line)
{
	const struct event_list *list = &app->events_list;
	const struct lane *lane = state_lane(app);
	char lanes[LANE_BYTES], range[3 * UNITS_MAX], length[UNITS_MAX] = "any length";

	*line = (struct scope_line){ 0 };
	if (!lane)
		return;
	/* The list is of one lane, whatever the other panes are about. */
	say_where(app, lanes, sizeof lanes, range, sizeof range);
	say_lane(app, lanes, sizeof lanes);
	if (list->min_ns)
		snprintf(length, sizeof(length), "%d ms and more", (int)(list->min_ns / NS_PER_MS));
	snprintf(line->forms[0], sizeof(line->forms[0]), "%s%s - %s of %s", lanes, range,
		 event_name(lane), length);
	snprintf(line->forms[1], sizeof(line->forms[1]), "%s - %s of %s", range, event_name(lane),
		 length);
	snprintf(line->forms[2], sizeof(line->forms[2]), "%s of %s", event_name(lane), length);
	snprintf(line->forms[3], sizeof(line->forms[3]), "%s", length);
	add_filter(app, line);
}

/* ==== pane picture ==== */

const char pane_picture_no_match[] = "no row matches the filter; & C-u Enter shows all";

void pane_picture_place(struct pane_picture *picture, size_t cursor, size_t n)
{
	if (n == 0)
		return;
	snprintf(picture->position, sizeof picture->position, "%s of %s",
		 units_count(cursor + 1, UNITS_ROOM), units_count(n, UNITS_ROOM));
	picture->screen->position = picture->position;
}

void pane_picture_totals(const struct app *app, struct pane_picture *picture, bool has_filter)
{
	struct scope_line *scope = &picture->scope;

	if (pane_sides_exist(&app->pane)) {
		const char *of = app->pane.t0 > app->s.view.t_min ||
				app->pane.t1 < app->s.view.t_max
			? "window, "
			: "",
			   *what = sides_per_name(app->pane.sides.of->unit.per);

		snprintf(scope->forms[0], sizeof scope->forms[0], "%s%s of each side, %s", of, what,
			 app->pane.has_idle ? "idle counted" : "idle not counted");
		snprintf(scope->forms[1], sizeof scope->forms[1], "%s%s of each side", of, what);
		snprintf(scope->forms[2], sizeof scope->forms[2], "%s%s", of, what);
	} else {
		say_totals(app, scope);
	}
	if (has_filter)
		add_filter(app, scope);
	/* The numbers are those of another range. */
	for (int i = 0; picture->screen->is_stale && i < SCREEN_SCOPES; i++)
		snprintf(scope->forms[i], sizeof scope->forms[i], "counting\342\200\246");
}

/* ==== row stack ====
 *
 * A stack is kept for its row and its totals: when the keys have only moved the cursor away and
 * back, nothing is computed again. Its nodes belong to the totals of one generation of the pane. */

#define SHIFT_MAX 10000

/* Whether the screen leaves room for the stack. */
static bool has_room(const struct app *app)
{
	return app->is_pane_open && app->cols >= SCREEN_SIDE_COLS && app->shown->path &&
		!chart_diff_shown(app);
}

/* Get what the stack should be about. False: nothing. */
static bool find_row(const struct app *app, struct row_stack_of *of)
{
	*of = (struct row_stack_of){ .kind = app->shown, .generation = app->pane.generation };
	return has_room(app) && has_rows(app) && !app->is_pane_stale && !app->help.is_open &&
		app->shown->place(app, &of->cursor, &of->top);
}

static bool is_same_row(const struct row_stack_of *a, const struct row_stack_of *b)
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
	if (s->is_making && is_same_row(&s->next_of, &of))
		return 0;
	return s->has_shown && is_same_row(&s->of, &of) ? -1 : 0;
}

/* `next`, which may be empty, is what is shown. */
static void show_stack(struct row_stack *s, const struct row_stack_of *of)
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
	const struct heavy_stack *is = &s->shown;

	s->is_old = false;
	if (path && s->has_shown && s->of.kind == of->kind && s->of.generation == of->generation &&
	    is->path && is->from == from && is->n_path == n &&
	    memcmp(is->path, path, n * sizeof *path) == 0) {
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
		show_stack(s, of);
	return s->is_making;
}

bool row_stack_work(struct app *app, struct budget *budget)
{
	struct row_stack *s = &app->row_stack;
	struct row_stack_of of;

	if (!find_row(app, &of))
		return false;
	if (s->is_old || !s->is_making || !is_same_row(&s->next_of, &of)) {
		if (!begin(app, &of))
			return true;
	}
	if (!heavy_stack_step(&s->next, budget))
		return false;
	show_stack(s, &s->next_of);
	return true;
}

/* Whether the stack that is shown has numbers of the pane as it is. */
static bool is_current(const struct app *app)
{
	const struct row_stack *s = &app->row_stack;

	return s->has_shown && s->of.kind == app->shown && s->of.generation == app->pane.generation;
}

/* What folds in the lane with the cursor. */
static enum fold_mode fold_of(const struct app *app)
{
	int lane = app->s.chart.lane;

	if (lane < 0 || !chart_is_folded(&app->s.chart, lane))
		return FOLD_NONE;
	return app->s.lanes[lane].has_packages ? FOLD_PACKAGES : FOLD_RUNTIME;
}

/* What is to be drawn. */
static struct stack_list get_stack(const struct app *app)
{
	const struct row_stack *s = &app->row_stack;
	struct stack_list list = { .is_ascii = app->s.chart.is_ascii, .fold = fold_of(app) };
	struct row_stack_of of;
	int64_t shift;

	if (!s->has_shown || !s->shown.n)
		return list;
	if (is_current(app) && find_row(app, &of)) {
		list.stack = &s->shown;
		/* The rows that the table was scrolled down since then; more than any screen has is
		 * enough. */
		shift = (int64_t)(of.top - s->of.top);
		list.shift = shift > SHIFT_MAX ? SHIFT_MAX
			: shift < -SHIFT_MAX   ? -SHIFT_MAX
					       : (int)shift;
	} else if (!is_current(app) && s->of.kind == app->shown && s->before_nodes &&
		   (app->is_pane_stale || row_stack_wait_ms(app) >= 0)) {
		list.before = &s->before;
	}
	return list;
}

/* Make the picture of the stack that is shown, for later, with the size of the room for it. To be
 * called before the numbers of the pane change. */
static void keep_stack(struct app *app, struct rect side)
{
	struct row_stack *s = &app->row_stack;
	struct stack_list list = get_stack(app);

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

/* ==== panes ==== */

const struct pane_kind *const panes[PANES_COUNT] = {
#define PANE(index, kind) [index] = &kind,
#include "ui/pane/pane_list.h"
};

static int index_of(const struct pane_kind *kind)
{
	int i = 0;

	while (panes[i] != kind)
		i++;
	return i;
}

/* Of the functions pane and the live pane, which share a tab, only one is there. */
static const struct pane_kind *of_functions(const struct app *app)
{
	return live_is_moving(app) ? &live_list_pane : &function_list_pane;
}

static void leave(struct app *app)
{
	if (app->shown->leave)
		app->shown->leave(app);
}

/* Open or close the pane at the user's request. */
static void show_pane(struct app *app, bool is_open)
{
	app->is_pane_open = is_open;
	app->is_pane_chosen = true;
	if (!is_open) {
		app->is_pane_max = false;
		app->focus = KEYMAP_CHART;
	}
}

void panes_close(struct app *app)
{
	leave(app);
	show_pane(app, false);
}

void panes_show(struct app *app, const struct pane_kind *kind)
{
	if (kind != app->shown)
		leave(app);
	show_pane(app, true);
	app->shown = kind;
	if (kind->table < PANE_TABS)
		app->pane.tab = kind->table;
	app->focus = KEYMAP_PANE;
	select_reveal_row(app);
}

/* Whether a pane has a tab: some only where they show something, or are shown. */
static bool has_tab(const struct app *app, const struct pane_kind *kind)
{
	const struct pane_kind *functions = of_functions(app);

	if (kind->command == CMD_FUNCTIONS)
		return kind == functions;
	if (kind == &fleet_pane || (app->fleet.grid.answers && kind->command == CMD_ROUTES))
		return kind == &fleet_pane && app->fleet.grid.answers;
	/* The list of stalls has the place of the others. */
	if (kind->command == CMD_ROUTES)
		return (app->base->stalls.n > 0) == (kind == &stalls_pane) &&
			(served_list_exists(app) || app->base->stalls.n ||
			 app->shown->command == CMD_ROUTES);
	return (kind != &process_list_pane && kind != &heat_pane) || app->shown == kind ||
		(kind == &process_list_pane && process_rows_exist(app->base));
}

/* List the panes with a tab. Returns their number; *at: the one that is shown. */
static int list_tabs(const struct app *app, const struct pane_kind *list[PANES_COUNT],
		     struct screen_tab tabs[PANES_COUNT], int *at)
{
	int n = 0;

	*at = 0;
	for (int i = 0; i < PANES_COUNT; i++) {
		if (!has_tab(app, panes[i]))
			continue;
		*at = panes[i] == app->shown ? n : *at;
		tabs[n] = (struct screen_tab){ panes[i]->title, !panes[i]->has_no_scope };
		list[n++] = panes[i];
	}
	return n;
}

void panes_show_tab(struct app *app, const struct rect *rule, int col)
{
	const struct pane_kind *list[PANES_COUNT];
	struct screen_tab tabs[PANES_COUNT];
	int at, n = list_tabs(app, list, tabs, &at), tab = screen_tab_at(tabs, n, at, *rule, col);

	if (tab >= 0 && tab != at)
		panes_show(app, list[tab]);
}

void panes_forget(struct app *app)
{
	for (int i = 0; i < PANES_COUNT; i++)
		if (panes[i]->forget)
			panes[i]->forget(app);
	pane_forget(&app->pane);
}

void panes_done(struct app *app)
{
	struct row_stack *s = &app->row_stack;

	for (int i = 0; i < PANES_COUNT; i++)
		if (panes[i]->done)
			panes[i]->done(app);
	heavy_stack_done(&s->shown);
	heavy_stack_done(&s->next);
	grid_done(&s->before);
	pane_done(&app->pane);
}

void panes_move(size_t *cursor, size_t n, int64_t rows)
{
	if (rows < 0)
		*cursor -= *cursor < (size_t)-rows ? *cursor : (size_t)-rows;
	else if (n)
		*cursor = n - 1 - *cursor < (size_t)rows ? n - 1 : *cursor + (size_t)rows;
}

bool panes_update(struct app *app, const struct rect *area, struct budget *budget)
{
	bool is_complete = true;

	app->is_pane_stale = false;
	if (!app->is_pane_open)
		return true;
	keep_stack(app, screen_side_area(*area));
	app->is_pane_stale = has_totals(app) && !pane_totals_update(app, budget);
	if (!app->shown->has_totals || has_rows(app)) {
		is_complete = !app->shown->has_totals || update_rows(app, budget);
		app->shown->update(app, area, !app->is_pane_stale);
	}
	is_complete = is_complete && !app->is_pane_stale;
	if (is_complete && row_stack_wait_ms(app) == 0)
		row_stack_work(app, budget);
	return is_complete;
}

void panes_draw(const struct app *app, struct screen *screen, struct pane_picture *picture)
{
	const struct chart *chart = &app->s.chart;
	const struct lane *first = app->pane.n_lanes ? app->pane.lanes[0] : NULL;
	const struct pane_kind *list[PANES_COUNT];

	*picture = (struct pane_picture){ .screen = screen };
	picture->table = (struct table){
		.has_focus = app->focus == KEYMAP_PANE,
		.is_ascii = chart->is_ascii,
		.roles = chart->roles,
		.search = &app->finder.target.search,
		.empty = first && first->n_marks && first->n_marks == first->n_spans
			? "marks have no time: 8 has the selected one, 9 lists them"
			: "nothing was sampled in this window",
		.unit = { .profile = app->s.profile,
			  .names = !first || first->kind == LANE_SAMPLES ? NULL
				  : first->has_requests                  ? "Request"
									 : "Name",
			  .has_idle = app->pane.has_idle,
			  .marks_cut = app->shown->command == CMD_TOP_DOWN && !app->transforms.n,
			  .has_gc = app->pane.gc.is_on },
	};
	for (int i = 0; i < SCREEN_SCOPES; i++)
		screen->scopes[i] = picture->scope.forms[i];
	screen->n_tabs = list_tabs(app, list, picture->tabs, &screen->tab);
	screen->has_focus = picture->table.has_focus;
	screen->table = &picture->table;
	screen->tabs = picture->tabs;
	screen->has_side = has_room(app);
	screen->stack = get_stack(app);
	screen->is_stale = app->shown->has_totals && app->is_pane_stale;
	if (!app->shown->has_totals || has_rows(app))
		app->shown->draw(app, picture);
	else if (screen->is_stale)
		picture->table.empty = "counting\342\200\246";
}

/* ==== pane keys ====
 *
 * Commands of the lower pane: which tab it shows, and commands on its rows. */

/* i: enum pane_index. */
unsigned pane_keys_show(struct app *app, int i)
{
	bool is_on = app->is_pane_open && app->shown == panes[i];
	frame_id frame;

	if (i == PANES_ROUTES && app->fleet.grid.answers) {
		fleet_pane_open(app);
		return APP_REDRAW;
	}
	if (i == PANES_ROUTES && app->base->stalls.n)
		i = PANES_STALLS;

	/* Take the function from the row of the pane that is still shown. */
	if (panes[i]->enter)
		panes[i]->enter(app);
	if (i == PANES_CALLERS && !is_on && pane_rows_target(app, &frame))
		pane_set_function(&app->pane, frame);
	if (i == PANES_ROUTES && app->is_pane_open && app->shown->command == CMD_ROUTES) {
		i += (index_of(app->shown) - PANES_ROUTES + 1) % (PANES_WAITS - PANES_ROUTES + 1);
		is_on = false;
	}
	panes_show(app,
		   i == PANES_FUNCTIONS                  ? of_functions(app)
			   : i == PANES_CALLERS && is_on ? &call_pane_callees
							 : panes[i]);
	return APP_REDRAW;
}

unsigned pane_keys_hot_line(struct app *app, int n)
{
	return app->shown->next_hot && app->shown->next_hot(app, n) ? APP_REDRAW
								    : select_keys_same(app, n);
}

unsigned pane_keys_tab(struct app *app, int n)
{
	const struct pane_kind *list[PANES_COUNT];
	struct screen_tab tabs[PANES_COUNT];
	int at, all = list_tabs(app, list, tabs, &at);

	panes_show(app, list[((at + n) % all + all) % all]);
	return APP_REDRAW;
}

unsigned pane_keys_focus(struct app *app)
{
	if (app->focus == KEYMAP_PANE) {
		app->focus = KEYMAP_CHART;
		app->is_pane_max = false;
	} else {
		show_pane(app, true);
		app->focus = KEYMAP_PANE;
	}
	select_reveal_row(app);
	return APP_REDRAW;
}

unsigned pane_keys_maximise(struct app *app)
{
	if (!app->is_pane_open)
		show_pane(app, true);
	app->is_pane_max = !app->is_pane_max;
	if (app->is_pane_max)
		app->focus = KEYMAP_PANE;
	state_clamp_scroll(app);
	return APP_REDRAW;
}

/* ---- rows ---- */

/* Whether the totals and rows that the pane's functions need are up to date. */
static bool is_ready(struct app *app)
{
	return !app->shown->has_totals || pane_rows_update(app);
}

/* Rows of data on the pane's page. */
static int page(const struct app *app)
{
	struct screen_layout layout;
	int head = app->shown->head_rows;

	state_layout(app, &layout);
	return layout.pane.rows > head + 1 ? layout.pane.rows - head : 1;
}

unsigned pane_keys_row(struct app *app, int n)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	if (is_ready(app))
		app->shown->move(app, n, &layout.pane);
	return APP_REDRAW;
}

/* From the chart to the row: the other way of pane_keys_row_show(). */
unsigned pane_keys_row_of_span(struct app *app)
{
	const struct lane *lane = state_lane(app);
	ALLOC_LOCAL frame_id *path = NULL;
	uint32_t n;
	bool has_found;

	if (!lane || !app->s.chart.has_selection)
		return state_say(app, false, "nothing is selected");
	panes_show(app, app->shown->go ? app->shown : &call_pane_bottom_up);
	if (!pane_rows_update(app))
		return APP_REDRAW;
	path = select_path(app, &n);
	has_found = app->shown->go(app, path, n);
	if (!has_found)
		state_say(app, false,
			  "the table has no row for it: no time in the range, or filtered out");
	return APP_REDRAW;
}

unsigned pane_keys_row_page(struct app *app, int n)
{
	return pane_keys_row(app, n * page(app));
}

unsigned pane_keys_row_half(struct app *app, int n)
{
	return pane_keys_row(app, n * ((page(app) + 1) / 2));
}

static unsigned take_step(struct app *app, enum pane_step step)
{
	if (app->shown->step && is_ready(app))
		app->shown->step(app, step);
	return APP_REDRAW;
}

unsigned pane_keys_row_toggle(struct app *app, int n)
{
	/* As in less where nothing can be opened: on a page of text, and at a row without rows
	 * below it. */
	if (!app->shown->step || (is_ready(app) && is_at_leaf(app)))
		return pane_keys_row_page(app, n);
	return take_step(app, PANE_TOGGLE);
}

/* n: negative: close the row; else open it. */
unsigned pane_keys_row_open(struct app *app, int n)
{
	if (app->shown->aside && app->shown->aside(app, n))
		return APP_REDRAW;
	return take_step(app, n < 0 ? PANE_CLOSE : PANE_OPEN);
}

unsigned pane_keys_row_hot(struct app *app)
{
	return take_step(app, PANE_HOT);
}

unsigned pane_keys_row_show(struct app *app)
{
	if (app->has_shown) {
		app->has_shown = false;
		return window_keys_zoom_span(app);
	}
	if (app->shown->show && is_ready(app)) {
		app->shown->show(app);
		/* If there is nothing to select, a message says so. */
		app->has_shown = app->s.chart.has_selection && !app->message.len;
	}
	return APP_REDRAW;
}

/* Sort by the column `n` columns to the right, even while keys go to the chart; 0: reverse the
 * order. */
unsigned pane_keys_sort(struct app *app, int n)
{
	if (!app->is_pane_open || !app->shown->sort) {
		state_say(app, false, "%s",
			  app->is_pane_open ? "this pane has no columns to sort by"
					    : "no table is open: 5 shows one");
	} else if (is_ready(app)) {
		if (n)
			app->shown->sort(app, n);
		else
			app->shown->reverse(app);
		if (!n)
			state_say(app, false, "sort order reversed");
	}
	return APP_REDRAW;
}
