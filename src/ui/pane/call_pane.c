/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panes that show calls as rows of a tree: bottom-up, top-down, callers and callees. */
#include "config.h"

#include "ui/pane/pane_kind.h"

#include "base/alloc.h"
#include "draw/table/table.h"
#include "ui/chart/select.h"
#include "ui/pane/pane_picture.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdlib.h>

static bool update_rows(struct app *app, struct budget *budget)
{
	return pane_update(&app->pane, budget);
}

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct pane_tab *tab = pane_shown(&app->pane);

	if (!tab->is_making && (is_current || tab->top >= tab->rows.n))
		tab->top = table_scroll(area->rows, tab->rows.n, tab->top, tab->cursor);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];
	struct screen *screen = picture->screen;
	struct table *table = &picture->table;

	table->rows = &tab->rows;
	table->top = tab->top;
	table->cursor = tab->cursor;
	table->unit.whole = pane_whole(&app->pane);
	table->unit.full = pane_bar_full(&app->pane,
					 tab->sort == ROWS_BY_TOTAL ||
						 app->shown->table == PANE_TOPDOWN ||
						 app->shown->table == PANE_CALLEES);
	table->unit.gc = pane_gc_get(&app->pane);
	table->unit.gc_kind = tab->rows.kind;
	table->unit.has_change = pane_has_change(&app->pane);
	table->unit.change = pane_change_of_table(&app->pane);
	if (app->filter.target.search.matches)
		table->empty = pane_picture_no_match;
	if (tab->is_making)
		table->empty = "counting\342\200\246";
	pane_picture_totals(app, picture, true);
	pane_picture_place(picture, tab->cursor, tab->rows.n);
	if (tab->rows.n && table->has_focus) {
		screen->details.row = &tab->rows.rows[tab->cursor];
		screen->details.unit = table->unit;
	}
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	(void)area;
	pane_move(&app->pane, rows);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	struct pane_tab *tab = pane_shown(&app->pane);
	struct table table = { .rows = &tab->rows, .top = tab->top };
	size_t at;

	(void)col;
	if (table_hit(&table, *area, row, &at))
		tab->cursor = at;
}

static void step(struct app *app, enum pane_step step)
{
	struct budget budget = budget_ns(PANE_ROWS_KEY_NS);
	struct pane *pane = &app->pane;

	if (step == PANE_CLOSE)
		pane_close(pane);
	else if (step == PANE_HOT && !pane_hot(pane, &budget))
		state_say(app, false, "opening the hot path; Esc stops it");
	else if ((step == PANE_OPEN && !pane_open(pane, &budget)) ||
		 (step == PANE_TOGGLE && !pane_toggle(pane, &budget)))
		state_say(app, false, "opening the row; Esc stops it");
}

static int wait_ms(const struct app *app)
{
	return pane_is_opening(&app->pane) ||
			(pane_has_change(&app->pane) && pane_change_is_missing(&app->pane))
		? 0
		: -1;
}

/* Go on with the hot path, which is drawn from time to time, or compute the comparison. */
static bool work(struct app *app, struct budget *budget)
{
	if (!pane_is_opening(&app->pane))
		return pane_change_step(&app->pane, budget);
	if (!pane_hot(&app->pane, budget))
		return budget_spent(&app->patience);
	buf_clear(&app->message);
	return true;
}

static void show(struct app *app)
{
	struct pane_tab *tab = pane_shown(&app->pane);

	if (tab->cursor < tab->rows.n)
		select_row(app, &tab->rows, tab->cursor);
}

static bool go(struct app *app, const frame_id *path, uint32_t n)
{
	return pane_go(&app->pane, path, n);
}

static frame_id frame(const struct app *app)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];

	return tab->cursor < tab->rows.n ? tab->rows.rows[tab->cursor].frame : FRAME_NONE;
}

static bool place(const struct app *app, size_t *cursor, size_t *top)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];

	*cursor = tab->cursor;
	*top = tab->top;
	return !tab->is_making && tab->cursor < tab->rows.n;
}

/* The functions of the row and those that it is below. */
static frame_id *path(const struct app *app, enum heavy_from *from, uint32_t *n)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];
	size_t at = tab->cursor;
	frame_id *frames;

	if (at >= tab->rows.n)
		return NULL;
	*from = app->shown->table == PANE_TOPDOWN   ? HEAVY_ROOT
		: app->shown->table == PANE_CALLEES ? HEAVY_OUTER
						    : HEAVY_CALLERS;
	*n = (uint32_t)tab->rows.rows[at].depth + 1;
	frames = xmalloc(*n * sizeof *frames);
	for (;; at = rows_parent(&tab->rows, at)) {
		const struct row *row = &tab->rows.rows[at];

		frames[row->depth] = row->frame;
		if (row->depth == 0)
			return frames;
	}
}

/* The orders, in that of the columns. */
static const struct {
	enum rows_sort sort;
	const char *name;
} orders[] = { { ROWS_BY_SELF, "self time" },
	       { ROWS_BY_TOTAL, "total time" },
	       { ROWS_BY_CHANGE, "the share here against that of the whole time" },
	       { ROWS_BY_NAME, "name" } };
#define LAST_ORDER ((int)ARRAY_LEN(orders) - 1)

static int order_of(enum rows_sort sort)
{
	int i = 0;

	while (i < LAST_ORDER && orders[i].sort != sort)
		i++;
	return i;
}

static void sort_by(struct app *app, int order)
{
	char words[AMOUNT_WORDS_MAX];

	pane_sort(&app->pane, orders[order].sort);
	state_say(app, false, "sorted by %s",
		  amount_words(&app->base->unit, orders[order].name, words));
}

static void sort(struct app *app, int step)
{
	int now = order_of(pane_order(&app->pane));
	bool has_change = pane_has_change(&app->pane);

	for (int left = abs(step); left > 0; left--) {
		int next = now + (step < 0 ? -1 : 1);

		if (next >= 0 && next < LAST_ORDER && orders[next].sort == ROWS_BY_CHANGE &&
		    !has_change)
			next += step < 0 ? -1 : 1;
		if (next < 0 || next > LAST_ORDER)
			break;
		now = next;
	}
	sort_by(app, now);
}

static void sort_at(struct app *app, const struct screen *screen, const struct rect *area, int col)
{
	enum rows_sort order;

	if (!screen->table ||
	    !table_order_at(screen->table, screen_table_area(screen, *area), col, &order))
		return;
	if (order == pane_order(&app->pane))
		pane_reverse(&app->pane);
	else
		sort_by(app, order_of(order));
}

static void reverse(struct app *app)
{
	pane_reverse(&app->pane);
}

static bool count(const struct app *app, size_t *n, size_t *of)
{
	const struct pane_tab *tab = &app->pane.tabs[app->pane.tab];

	*n = tab->rows.n_first;
	*of = tab->rows.n_all;
	return tab->has_rows && tab->rows.n_all > 0;
}

#define CALL_PANE(name, of_title, of_command, of_table)                                            \
	const struct pane_kind name = { .title = of_title,                                         \
					.command = of_command,                                     \
					.table = of_table,                                         \
					.head_rows = 2,                                            \
					.has_totals = true,                                        \
					.is_filterable = true,                                     \
					.update_rows = update_rows,                                \
					.update = update,                                          \
					.draw = draw,                                              \
					.wait_ms = wait_ms,                                        \
					.work = work,                                              \
					.move = move,                                              \
					.click = click,                                            \
					.step = step,                                              \
					.show = show,                                              \
					.go = go,                                                  \
					.frame = frame,                                            \
					.place = place,                                            \
					.path = path,                                              \
					.sort = sort,                                              \
					.sort_at = sort_at,                                        \
					.reverse = reverse,                                        \
					.count = count }

CALL_PANE(call_pane_bottom_up, "5 Bottom-up", CMD_BOTTOM_UP, PANE_BOTTOMUP);
CALL_PANE(call_pane_top_down, "6 Top-down", CMD_TOP_DOWN, PANE_TOPDOWN);
CALL_PANE(call_pane_callers, "c Callers", CMD_CALLERS, PANE_CALLERS);
CALL_PANE(call_pane_callees, "c Callees", CMD_CALLERS, PANE_CALLEES);
