/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panes that show calls as rows of a tree: bottom-up, top-down, callers and callees.
 *
 * When the lanes, the range or the order change, the rows are freed: remember() notes which were
 * open, and restore() opens these again in the new rows, in steps. The hash of a row's path
 * combines the hash of its parent row's path with its function; rows come in display order, so one
 * array of hashes by depth is enough to compute all. */
#include "config.h"

#include "ui/pane/pane.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "draw/table/table.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/same_frames.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== pane kept ====
 *
 * A table remembers its rows by the numbers of their functions, which are those of one profile.
 * What is kept for another one is by their hashes. */

#define MAX_OPEN 4096

/* The hash of a row's path, which combines that of the row above it with its function. paths: of
 * the rows before it. */
static uint64_t path_of(struct pane_paths *paths, const struct pane_kept *kept,
			const struct rows *rows, const struct row *row)
{
	const struct view *view = rows->totals->view;
	size_t depth = (size_t)row->depth;
	uint64_t above = 0, own = row->frame + 1;

	paths->hash = xgrow(paths->hash, &paths->cap, depth + 1, sizeof(*paths->hash));
	if (depth)
		above = paths->hash[depth - 1];
	if (kept->is_by_hash)
		own = same_frames_hash(view->profile, &view->frames[row->frame], true);
	paths->hash[depth] = hash_u64(above * 31 + own);
	return paths->hash[depth];
}

SORT_ORDER(by_value, uint64_t, SORT_BY_1(*x, *y))

/* Note which rows are open, and where the cursor is. */
static void remember(struct pane_kept *kept, const struct rows *rows, size_t cursor)
{
	struct pane_paths paths = { 0 };

	kept->n_open = 0;
	kept->has_path = false;
	for (size_t i = 0; i < rows->n; i++) {
		uint64_t path = path_of(&paths, kept, rows, &rows->rows[i]);

		if (rows->rows[i].is_open && kept->n_open < MAX_OPEN) {
			*ARRAY_ADD(kept->open, kept->n_open, kept->cap_open) = path;
		}
		if (i == cursor) {
			kept->cursor_path = path;
			kept->has_path = true;
		}
	}
	if (kept->n_open)
		qsort(kept->open, kept->n_open, sizeof *kept->open, by_value);
	free(paths.hash);
}

/* Whether the user has chosen the row of the cursor, or opened rows. */
static bool has_choice(const struct pane_tab *tab)
{
	return !tab->is_placed || tab->cursor != tab->placed || tab->rows.n != tab->n_placed;
}

/* All but the first row. */
static void copy_kept(struct pane_kept *to, const struct pane_kept *from)
{
	to->open = xgrow(to->open, &to->cap_open, from->n_open + 1, sizeof *to->open);
	if (from->n_open)
		memcpy(to->open, from->open, from->n_open * sizeof *to->open);
	to->n_open = from->n_open;
	to->cursor_path = from->cursor_path;
	to->has_path = from->has_path;
}

void pane_kept_get(const struct pane_tab *tab, struct pane_kept *kept)
{
	*kept = (struct pane_kept){ .top = tab->top, .is_by_hash = true };
	if (tab->kept.is_by_hash && !tab->has_rows)
		copy_kept(kept, &tab->kept);
	if (!tab->has_rows || tab->is_stale || tab->is_restoring || !tab->rows.n)
		return;
	if (has_choice(tab))
		remember(kept, &tab->rows, tab->cursor);
	else
		kept->top = 0;
}

void pane_kept_set(struct pane_tab *tab, const struct pane_kept *kept)
{
	if (!kept->has_path || tab->has_rows)
		return;
	copy_kept(&tab->kept, kept);
	tab->kept.is_by_hash = true;
	tab->top = tab->kept.top = kept->top;
}

/* ==== pane ==== */

static struct pane_tab *shown_tab(struct pane *pane)
{
	return &pane->tabs[pane->tab];
}

/* Whether the rows of the current table are compared: with the whole time, or the two sides. */
static bool has_change(const struct pane *pane)
{
	return pane_sides_exist(pane) ||
		((pane->tab == PANE_BOTTOMUP || pane->tab == PANE_TOPDOWN) &&
		 pane_change_exists(pane));
}

static bool is_of_calls(enum pane_table tab)
{
	return tab == PANE_TOPDOWN || tab == PANE_CALLEES;
}

/* The comparison for the current table; zeroed while it is not known. */
static struct rows_change change_of_table(const struct pane *pane)
{
	return pane_change_get(pane, is_of_calls(pane->tab), pane->tab != PANE_BOTTOMUP);
}

static enum rows_sort first_order(enum pane_table tab)
{
	return tab == PANE_BOTTOMUP ? ROWS_BY_SELF : ROWS_BY_TOTAL;
}

/* The order of the current table: what it is sorted by, as far as that exists. */
static enum rows_sort order_now(const struct pane *pane)
{
	const struct pane_tab *tab = &pane->tabs[pane->tab];

	if (pane_sides_exist(pane))
		return tab->sides_sort;
	return tab->sort == ROWS_BY_CHANGE && !has_change(pane) ? first_order(pane->tab)
								: tab->sort;
}

void pane_init(struct pane *pane, const struct profile *profile, bool has_idle)
{
	*pane = (struct pane){ .profile = profile, .has_idle = has_idle, .tab = PANE_BOTTOMUP };
	for (int i = 0; i < PANE_TABS; i++) {
		pane->tabs[i].sort = first_order((enum pane_table)i);
		pane->tabs[i].sides_sort = ROWS_BY_CHANGE;
	}
}

static void remember_anew(struct pane_tab *tab)
{
	tab->kept.is_by_hash &= !tab->rows.n;
	if (!tab->rows.n)
		return;
	if (!has_choice(tab)) {
		tab->kept.n_open = 0;
		tab->kept.has_path = false;
		tab->top = 0;
		return;
	}
	remember(&tab->kept, &tab->rows, tab->cursor);
	/* A cursor that is where it began is not a choice: it stays at the top. */
	if (!tab->has_cursor && tab->cursor == 0 && tab->top == 0 &&
	    !tab->rows.rows[tab->cursor].is_open)
		tab->kept.has_path = false;
}

static void forget_rows(struct pane_tab *tab)
{
	if (!tab->has_rows)
		return;
	/* Stale rows, or some of the rows, are not what the user has left open. */
	if (tab->is_stale || tab->is_restoring)
		tab->top = tab->kept.top;
	else
		remember_anew(tab);
	tab->kept.top = tab->top;
	rows_done(&tab->rows);
	tab->has_rows = tab->is_making = tab->is_restoring = false;
	tab->opening = PANE_OPENS_NOTHING;
}

void pane_forget_rows(struct pane *pane)
{
	for (int i = 0; i < PANE_TABS; i++)
		forget_rows(&pane->tabs[i]);
}

void pane_done(struct pane *pane)
{
	pane_forget(pane);
	for (int i = 0; i < PANE_TABS; i++) {
		pane_kept_done(&pane->tabs[i].kept);
		free(pane->tabs[i].paths.hash);
	}
	*pane = (struct pane){ 0 };
}

void pane_set_function(struct pane *pane, frame_id frame)
{
	if (pane->function == frame)
		return;
	pane->function = frame;
	for (int i = PANE_CALLERS; i <= PANE_CALLEES; i++) {
		struct pane_tab *tab = &pane->tabs[i];

		forget_rows(tab);
		tab->cursor = tab->kept.n_open = 0;
		tab->top = tab->kept.top = 0;
		tab->kept.has_path = false;
	}
}

void pane_set_filter(struct pane *pane, const struct match_set *filter)
{
	static const struct match_set all;

	if (!filter)
		filter = &all;
	if (pane->filter.frames == filter->frames)
		return;
	pane_forget_rows(pane);
	pane->filter = *filter;
	pane->filter_changes++;
}

/* ---- the culprit ---- */

#define NEAR_ROWS 8      /* that are seen without scrolling on most screens */
#define OPENED_MAX 5     /* rows that are opened on the way to it */
#define OPEN_WORK 100000 /* a row that takes more is not opened */

/* Whether tables begin at it. */
static bool has_culprit(const struct pane *pane)
{
	return pane->culprit != FRAME_NONE && !pane->sides.of && !pane->filter.frames &&
		pane->t0 == pane->culprit_t0 && pane->t1 == pane->culprit_t1;
}

static bool is_culprit(const struct pane *pane, frame_id id)
{
	return pane->culprit_package ? pane->view.frames[id].package == pane->culprit_package
				     : id == pane->culprit;
}

/* Open row `at`, and of its callers the one with most of its time, until one is the culprit.
 * Returns its index, or 0: then the rows are closed again. */
static size_t open_to_culprit(struct pane *pane, struct rows *rows, size_t at)
{
	size_t k = at;

	for (int depth = 1; depth <= OPENED_MAX && rows->rows[k].can_open; depth++, k++) {
		if (rows_work(rows, k) > OPEN_WORK)
			break;
		rows_open(rows, k);
		if (k + 1 >= rows->n || rows->rows[k + 1].depth != depth)
			break;
		if (is_culprit(pane, rows->rows[k + 1].frame))
			return k + 1;
	}
	if (rows->rows[at].is_open)
		rows_close(rows, at);
	return 0;
}

static size_t culprit_row(struct pane *pane, struct rows *rows)
{
	size_t near = rows->n < NEAR_ROWS ? rows->n : NEAR_ROWS, at;

	for (size_t i = 0; i < near; i++)
		if (is_culprit(pane, rows->rows[i].frame))
			return i;
	for (size_t i = 0; i < near && rows->kind == ROWS_BOTTOMUP; i++) {
		at = open_to_culprit(pane, rows, i);
		if (at)
			return at;
	}
	return 0;
}

/* The cursor has no place of its own. */
static void place_cursor(struct pane *pane, struct pane_tab *tab)
{
	bool is_about_all = tab == &pane->tabs[PANE_BOTTOMUP] || tab == &pane->tabs[PANE_TOPDOWN];

	tab->cursor = 0;
	tab->is_placed = is_about_all && !tab->is_reversed && has_culprit(pane);
	if (tab->is_placed)
		tab->cursor = culprit_row(pane, &tab->rows);
	tab->placed = tab->cursor;
	tab->n_placed = tab->rows.n;
}

bool pane_begins_at(const struct pane *pane, frame_id function)
{
	return has_culprit(pane) && is_culprit(pane, function);
}

void pane_set_culprit(struct pane *pane, frame_id function, str_id package, int64_t t0, int64_t t1)
{
	struct pane_tab *tab = shown_tab(pane);

	pane->culprit = function;
	pane->culprit_package = package;
	pane->culprit_t0 = t0;
	pane->culprit_t1 = t1;
	if (tab->has_rows && !tab->is_making && !tab->is_restoring && !tab->is_stale &&
	    tab->cursor == 0 && tab->top == 0 && tab->rows.n)
		place_cursor(pane, tab);
}

/* ---- making and opening rows ---- */

static void end_restore(struct pane *pane, struct pane_tab *tab)
{
	tab->is_restoring = false;
	tab->top = tab->kept.top;
	/* Also if its row is gone. */
	if (!tab->has_cursor)
		place_cursor(pane, tab);
}

/* Open the remembered rows, and find that of the cursor. Returns whether this is done. */
static bool restore(struct pane *pane, struct pane_tab *tab, struct budget *budget)
{
	const struct pane_kept *kept = &tab->kept;
	struct rows *rows = &tab->rows;

	while (tab->next < rows->n && (kept->n_open || (kept->has_path && !tab->has_cursor))) {
		size_t at = tab->next++;
		uint64_t path = path_of(&tab->paths, kept, rows, &rows->rows[at]);
		uint32_t work = 1;

		if (kept->has_path && !tab->has_cursor && path == kept->cursor_path) {
			tab->cursor = at;
			tab->has_cursor = true;
		}
		if (kept->n_open &&
		    bsearch(&path, kept->open, kept->n_open, sizeof path, by_value)) {
			rows_open(rows, at);
			work = rows_work(rows, at);
		}
		if (budget_use(budget, work))
			return false;
	}
	end_restore(pane, tab);
	return true;
}

/* Returns false when there is no memory for the rows. */
static bool make_rows(struct pane *pane, struct pane_tab *tab)
{
	bool is_about_all = pane->tab == PANE_BOTTOMUP || pane->tab == PANE_TOPDOWN;
	unsigned sort = order_now(pane) | (tab->is_reversed ? ROWS_REVERSED : 0u);

	if (!rows_begin(&tab->rows, &pane->totals,
			is_of_calls(pane->tab) ? ROWS_TOPDOWN : ROWS_BOTTOMUP, (enum rows_sort)sort,
			is_about_all ? FRAME_NONE : pane->function)) {
		pane->is_lacking = true;
		return false;
	}
	tab->rows.change = change_of_table(pane);
	/* A table about no function has no rows. */
	tab->is_empty = !is_about_all && pane->function == FRAME_NONE;
	tab->is_stale = pane->is_counting;
	tab->is_making = tab->has_rows = true;
	return true;
}

/* Idle time comes last, in all orders but that of names: the question is what ran. All rows are on
 * the first level. */
static void put_idle_last(const struct pane *pane, struct rows *rows)
{
	for (size_t i = 0; i + 1 < rows->n; i++) {
		struct row idle = rows->rows[i];

		if (pane->view.frames[idle.frame].category != CATEGORY_IDLE)
			continue;
		memmove(rows->rows + i, rows->rows + i + 1, (rows->n - i - 1) * sizeof *rows->rows);
		rows->rows[rows->n - 1] = idle;
		return;
	}
}

/* Make the first rows. Returns whether they are complete. */
static bool go_on_making(struct pane *pane, struct pane_tab *tab, struct budget *budget)
{
	if (!tab->is_empty && !rows_step(&tab->rows, budget))
		return false;
	tab->is_making = false;
	if (order_now(pane) != ROWS_BY_NAME && !tab->rows.is_lacking)
		put_idle_last(pane, &tab->rows);
	if (pane->filter.frames && !tab->rows.is_lacking)
		rows_filter(&tab->rows, pane->filter.frames);
	tab->is_restoring = true;
	tab->has_cursor = false;
	tab->next = 0;
	pane->is_lacking |= tab->rows.is_lacking;
	if (tab->rows.is_lacking)
		forget_rows(tab);
	return true;
}

static bool update_rows(struct app *app, struct budget *budget)
{
	struct pane *pane = &app->pane;
	struct pane_tab *tab = shown_tab(pane);
	bool is_done;

	if (!tab->has_rows && order_now(pane) == ROWS_BY_CHANGE && !pane_sides_exist(pane) &&
	    !pane_change_step(pane, budget))
		return false;
	if (!tab->has_rows && !make_rows(pane, tab))
		return true;
	if (tab->is_making && !go_on_making(pane, tab, budget))
		return false;
	is_done = !tab->is_restoring || restore(pane, tab, budget);
	/* The number of its row is not known while rows above it are being opened. */
	if (tab->cursor >= tab->rows.n)
		tab->cursor = tab->rows.n ? tab->rows.n - 1 : 0;
	return is_done;
}

void pane_stop(struct pane *pane)
{
	struct pane_tab *tab = shown_tab(pane);

	rows_open_cancel(&tab->rows);
	tab->opening = PANE_OPENS_NOTHING;
	if (tab->is_restoring)
		end_restore(pane, tab);
}

/* A row with hundreds of thousands of callers is opened in steps. It is shown as closed meanwhile.
 */
bool pane_open_step(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = shown_tab(pane);
	bool is_done = rows_open_step(&tab->rows, budget);

	tab->opening = is_done ? PANE_OPENS_NOTHING : PANE_OPENS_ROW;
	return is_done;
}

static bool open_row(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = shown_tab(pane);
	size_t at = tab->cursor;

	if (at >= tab->rows.n)
		return true;
	if (!tab->rows.rows[at].is_open)
		return !rows_open_begin(&tab->rows, at) || pane_open_step(pane, budget);
	if (at + 1 < tab->rows.n && tab->rows.rows[at + 1].depth > tab->rows.rows[at].depth)
		tab->cursor++;
	return true;
}

static bool toggle_row(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = shown_tab(pane);

	if (tab->cursor >= tab->rows.n || !tab->rows.rows[tab->cursor].is_open)
		return open_row(pane, budget);
	rows_close(&tab->rows, tab->cursor);
	return true;
}

static void close_row(struct pane_tab *tab)
{
	if (tab->cursor >= tab->rows.n)
		return;
	if (tab->rows.rows[tab->cursor].is_open)
		rows_close(&tab->rows, tab->cursor);
	else
		tab->cursor = rows_parent(&tab->rows, tab->cursor);
}

/* Open the hot path below the cursor within the budget; the cursor goes to its last row. Returns
 * true when that is done, or nothing was to be done; otherwise the next call goes on. */
static bool open_hot_path(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = shown_tab(pane);
	bool is_done = tab->cursor >= tab->rows.n ||
		rows_open_hot(&tab->rows, &tab->cursor, tab->rows.kind == ROWS_TOPDOWN, budget);

	tab->opening = is_done ? PANE_OPENS_NOTHING : PANE_OPENS_HOT_PATH;
	return is_done;
}

static void step(struct app *app, enum pane_step step)
{
	struct budget budget = budget_ns(PANE_ROWS_KEY_NS);
	struct pane *pane = &app->pane;

	if (step == PANE_CLOSE)
		close_row(shown_tab(pane));
	else if (step == PANE_HOT && !open_hot_path(pane, &budget))
		state_say(app, false, "opening the hot path; Esc stops it");
	else if ((step == PANE_OPEN && !open_row(pane, &budget)) ||
		 (step == PANE_TOGGLE && !toggle_row(pane, &budget)))
		state_say(app, false, "opening the row; Esc stops it");
}

/* ---- picture and keys ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct pane_tab *tab = shown_tab(&app->pane);

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
	table->unit.full = pane_bar_full(
		&app->pane, tab->sort == ROWS_BY_TOTAL || is_of_calls(app->shown->table));
	table->unit.gc = pane_gc_get(&app->pane);
	table->unit.gc_kind = tab->rows.kind;
	table->unit.has_change = has_change(&app->pane);
	table->unit.change = change_of_table(&app->pane);
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
	struct pane_tab *tab = shown_tab(&app->pane);

	(void)area;
	panes_move(&tab->cursor, tab->rows.n, rows);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	struct pane_tab *tab = shown_tab(&app->pane);

	(void)col;
	table_hit(*area, row, tab->rows.n, tab->top, &tab->cursor);
}

static int wait_ms(const struct app *app)
{
	return pane_opening(&app->pane) == PANE_OPENS_HOT_PATH ||
			(has_change(&app->pane) && pane_change_is_missing(&app->pane))
		? 0
		: -1;
}

/* Go on with the hot path, which is drawn from time to time, or compute the comparison. */
static bool work(struct app *app, struct budget *budget)
{
	if (pane_opening(&app->pane) != PANE_OPENS_HOT_PATH)
		return pane_change_step(&app->pane, budget);
	if (!open_hot_path(&app->pane, budget))
		return budget_spent(&app->patience);
	buf_clear(&app->message);
	return true;
}

static void show(struct app *app)
{
	struct pane_tab *tab = shown_tab(&app->pane);

	if (tab->cursor < tab->rows.n)
		select_row(app, &tab->rows, tab->cursor);
}

/* Find the row of a frame among the children of row `above` (SIZE_MAX: on the first level).
 * SIZE_MAX: none. */
static size_t find_row(const struct rows *rows, size_t above, frame_id frame)
{
	int depth = above == SIZE_MAX ? 0 : rows->rows[above].depth + 1;

	for (size_t i = above == SIZE_MAX ? 0 : above + 1;
	     i < rows->n && rows->rows[i].depth >= depth; i++)
		if (rows->rows[i].depth == depth && rows->rows[i].frame == frame)
			return i;
	return SIZE_MAX;
}

static bool go(struct app *app, const frame_id *path, uint32_t n)
{
	struct pane_tab *tab = shown_tab(&app->pane);
	size_t at = SIZE_MAX;

	/* Only the top-down table has rows of whole stacks. */
	for (uint32_t i = app->pane.tab == PANE_TOPDOWN ? 0 : n - 1; i < n; i++) {
		if (at != SIZE_MAX)
			rows_open(&tab->rows, at);
		at = find_row(&tab->rows, at, path[i]);
		if (at == SIZE_MAX)
			return false;
	}
	tab->cursor = at;
	return true;
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
	struct pane_tab *tab = shown_tab(&app->pane);
	enum rows_sort sort = orders[order].sort;
	char words[AMOUNT_WORDS_MAX];

	state_say(app, false, "sorted by %s",
		  amount_words(&app->base->unit, orders[order].name, words));
	if (order_now(&app->pane) == sort)
		return;
	forget_rows(tab);
	if (pane_sides_exist(&app->pane))
		tab->sides_sort = sort;
	else
		tab->sort = sort;
	tab->top = tab->kept.top = 0;
	/* The question is what comes first. */
	if (sort == ROWS_BY_CHANGE)
		tab->kept.has_path = false;
}

static void sort(struct app *app, int step)
{
	int now = order_of(order_now(&app->pane)), by = step < 0 ? -1 : 1;

	for (int left = abs(step); left > 0; left--) {
		int next = now + by;

		if (next >= 0 && next < LAST_ORDER && orders[next].sort == ROWS_BY_CHANGE &&
		    !has_change(&app->pane))
			next += by;
		if (next < 0 || next > LAST_ORDER)
			break;
		now = next;
	}
	sort_by(app, now);
}

static void reverse(struct app *app)
{
	struct pane_tab *tab = shown_tab(&app->pane);

	forget_rows(tab);
	tab->is_reversed = !tab->is_reversed;
	tab->kept.has_path = false;
	tab->top = tab->kept.top = 0;
}

static void sort_at(struct app *app, const struct screen *screen, const struct rect *area, int col)
{
	enum rows_sort order;

	if (!screen->table ||
	    !table_order_at(screen->table, screen_table_area(screen, *area), col, &order))
		return;
	if (order == order_now(&app->pane))
		reverse(app);
	else
		sort_by(app, order_of(order));
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
