/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the lanes, the range or the order change, the rows are freed: pane_kept_remember() notes
 * which were open, and restore() opens these again in the new rows, in steps. The hash of a row's
 * path combines the hash of its parent row's path with its function; rows come in display order, so
 * one array of hashes by depth is enough to compute all. */
#include "config.h"

#include "ui/pane/pane.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "draw/table/table.h"
#include "ui/same_frames.h"

#include <stdlib.h>
#include <string.h>

/* ==== pane gc ==== */

static bool is_of_totals(const struct pane *pane)
{
	return pane->gc.is_known && pane->gc.generation == pane->generation;
}

/* Free them; the column stays. */
static void pane_gc_forget(struct pane *pane)
{
	gc_part_done(&pane->gc.part);
	pane->gc.is_known = false;
}

void pane_gc_find(struct pane *pane)
{
	struct pane_gc *gc = &pane->gc;

	if (!gc->is_on || !pane->has_totals || is_of_totals(pane))
		return;
	pane_gc_forget(pane);
	if (!reserve_has_room(gc_part_bytes(&pane->totals)))
		return;
	gc_part_find(&gc->part, &pane->totals);
	gc->generation = pane->generation;
	gc->is_known = true;
}

const struct gc_part *pane_gc_get(const struct pane *pane)
{
	return pane->gc.is_on && is_of_totals(pane) ? &pane->gc.part : NULL;
}

/* ==== pane change ==== */

/* Forget the totals, as before the lanes are freed. */
static void pane_change_forget(struct pane *pane)
{
	struct pane_change *c = &pane->change;

	if (c->has_begun)
		totals_done(&c->all);
	c->has_begun = c->has_all = c->is_barred = false;
}

void pane_change_set(struct pane *pane, int64_t t0, int64_t t1)
{
	struct pane_change *c = &pane->change;

	if (c->t0 == t0 && c->t1 == t1)
		return;
	pane_change_forget(pane);
	c->t0 = t0;
	c->t1 = t1;
}

bool pane_change_exists(const struct pane *pane)
{
	const struct pane_change *c = &pane->change;

	return pane->has_totals && !c->is_barred && c->t1 > c->t0 &&
		(pane->t0 > c->t0 || pane->t1 < c->t1);
}

bool pane_change_is_missing(const struct pane *pane)
{
	return pane_change_exists(pane) && !pane->change.has_all;
}

static bool has_room(const struct pane *pane)
{
	return reserve_has_room(totals_bytes((const struct lane *const *)pane->lanes, pane->n_lanes,
					     pane->profile->frames.n));
}

bool pane_change_step(struct pane *pane, struct budget *budget)
{
	struct pane_change *c = &pane->change;

	if (!pane_change_is_missing(pane))
		return true;
	if (!c->has_begun) {
		if (!has_room(pane)) {
			c->is_barred = true;
			return true;
		}
		totals_init(&c->all, &pane->view);
		totals_begin(&c->all, c->t0, c->t1);
		c->has_begun = true;
	}
	c->has_all = totals_step(&c->all, budget);
	return c->has_all;
}

static int64_t whole_of(const struct pane *pane, const struct totals *totals)
{
	return totals->self_ns - (pane->has_idle ? 0 : totals->idle_ns);
}

struct rows_change pane_change_get(const struct pane *pane, bool is_of_calls)
{
	const struct pane_change *c = &pane->change;

	if (!pane_change_exists(pane) || !c->has_all)
		return (struct rows_change){ 0 };
	return (struct rows_change){ .all = &c->all,
				     .whole = whole_of(pane, &pane->totals),
				     .all_whole = whole_of(pane, &c->all),
				     .has_idle = pane->has_idle,
				     .is_of_calls = is_of_calls };
}

/* Take the pane's old totals if they are those of the whole and are not known yet. Returns whether
 * they were taken. */
static bool pane_change_take(struct pane *pane, const struct totals *before)
{
	struct pane_change *c = &pane->change;

	if (c->has_all || c->is_barred || c->t1 <= c->t0 || before->t0 != c->t0 ||
	    before->t1 != c->t1 || !has_room(pane))
		return false;
	if (c->has_begun)
		totals_done(&c->all);
	c->all = *before;
	c->has_begun = c->has_all = true;
	return true;
}

/* ==== pane sides ==== */

bool pane_sides_exist(const struct pane *pane)
{
	return pane->sides.of && pane->sides.has_totals && pane->has_totals;
}

static bool init(struct pane *pane)
{
	struct pane_sides *s = &pane->sides;
	const struct lane *const *lanes = (const struct lane *const *)pane->lanes;

	if (s->has_memory)
		return true;
	if (!reserve_has_room(2 * SIDES *
			      totals_bytes(lanes, pane->n_lanes, pane->profile->frames.n)))
		return false;
	for (int k = 0; k < SIDES; k++) {
		totals_init(&s->totals[k], &pane->view);
		totals_init(&s->next[k], &pane->view);
	}
	s->has_memory = true;
	return true;
}

/* Begin to count the totals of a range: those of each side, and as those of the pane
 * (pane->next), the larger of both. Without effect if no sides are compared. */
static void pane_sides_begin(struct pane *pane, int64_t t0, int64_t t1)
{
	struct pane_sides *s = &pane->sides;
	struct totals *const of[SIDES] = { &s->next[SIDE_BEFORE], &s->next[SIDE_AFTER] };

	s->is_counting = s->of && init(pane) &&
		sides_count_begin(&s->count, s->of, t0, t1, of, &pane->next);
}

/* Go on with it. True: they are complete. */
static bool pane_sides_step(struct pane *pane, struct budget *budget)
{
	return sides_count_step(&pane->sides.count, budget);
}

/* The pane takes its next totals: take those of the sides. */
static void pane_sides_take(struct pane *pane)
{
	struct pane_sides *s = &pane->sides;

	s->has_totals = s->is_counting;
	for (int k = 0; s->is_counting && k < SIDES; k++) {
		struct totals before = s->totals[k];

		s->totals[k] = s->next[k];
		s->next[k] = before;
	}
	s->is_counting = false;
}

struct rows_change pane_sides_change(const struct pane *pane, bool is_of_calls, bool is_of_total)
{
	const struct pane_sides *s = &pane->sides;

	return (struct rows_change){ .all = &s->totals[SIDE_BEFORE],
				     .after = &s->totals[SIDE_AFTER],
				     .unit = s->of->unit,
				     .has_idle = true,
				     .is_of_calls = is_of_calls,
				     .is_of_total = is_of_total };
}

static void pane_sides_forget(struct pane *pane)
{
	struct pane_sides *s = &pane->sides;

	for (int k = 0; s->has_memory && k < SIDES; k++) {
		totals_done(&s->totals[k]);
		totals_done(&s->next[k]);
	}
	s->has_totals = s->has_memory = s->is_counting = false;
}

/* ==== pane kept ====
 *
 * A table remembers its rows by the numbers of their functions (pane.c), which are those of one
 * profile. What is kept for another one is by their hashes: pane_tab.is_kept says so, until the
 * table remembers its rows anew. */

#define MAX_OPEN 4096

/* ---- in one app ---- */

static uint64_t key_of(const struct rows *rows, const struct row *row)
{
	const struct view *view = rows->totals->view;

	return same_frames_hash(view->profile, &view->frames[row->frame], true);
}

/* The hash of a row's path, which combines that of the row above it with its function. paths: of
 * the rows before it. */
static uint64_t pane_kept_path(struct pane_paths *paths, const struct pane_tab *tab,
			       const struct row *row)
{
	size_t depth = (size_t)row->depth;
	uint64_t above;

	paths->hash = xgrow(paths->hash, &paths->cap, depth + 1, sizeof(*paths->hash));
	above = depth ? paths->hash[depth - 1] : 0;
	paths->hash[depth] = hash_u64(above * 31 +
				      (tab->is_kept ? key_of(&tab->rows, row) : row->frame + 1));
	return paths->hash[depth];
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Note which rows of a table that has rows are open, and where its cursor is. */
static void pane_kept_remember(struct pane_tab *tab)
{
	struct pane_paths paths = { 0 };

	tab->n_open = 0;
	tab->has_path = false;
	for (size_t i = 0; i < tab->rows.n; i++) {
		uint64_t path = pane_kept_path(&paths, tab, &tab->rows.rows[i]);

		if (tab->rows.rows[i].is_open && tab->n_open < MAX_OPEN) {
			tab->open = xgrow(tab->open, &tab->cap_open, tab->n_open + 1,
					  sizeof(*tab->open));
			tab->open[tab->n_open++] = path;
		}
		if (i == tab->cursor) {
			tab->cursor_path = path;
			tab->has_path = true;
		}
	}
	if (tab->n_open)
		qsort(tab->open, tab->n_open, sizeof(*tab->open), by_value);
	free(paths.hash);
}

/* Whether the row of a path was open. */
static bool pane_kept_is_open(const struct pane_tab *tab, uint64_t path)
{
	return tab->n_open && bsearch(&path, tab->open, tab->n_open, sizeof path, by_value);
}

/* ---- from app to app ---- */

void pane_kept_get(const struct pane_tab *tab, struct pane_kept *kept)
{
	struct pane_tab copy = { .rows = tab->rows, .cursor = tab->cursor, .is_kept = true };

	*kept = (struct pane_kept){ .top = tab->top };
	if (tab->is_kept && !tab->has_rows) {
		kept->open = xmalloc((tab->n_open + 1) * sizeof *kept->open);
		memcpy(kept->open, tab->open, tab->n_open * sizeof *kept->open);
		kept->n_open = tab->n_open;
		kept->cursor_path = tab->cursor_path;
		kept->has_path = tab->has_path;
	}
	if (!tab->has_rows || tab->is_stale || tab->is_restoring || !tab->rows.n)
		return;
	if (!pane_has_choice(tab)) {
		kept->top = 0;
		return;
	}
	pane_kept_remember(&copy);
	kept->open = copy.open;
	kept->n_open = copy.n_open;
	kept->cursor_path = copy.cursor_path;
	kept->has_path = copy.has_path;
}

void pane_kept_done(struct pane_kept *kept)
{
	free(kept->open);
	*kept = (struct pane_kept){ 0 };
}

void pane_kept_set(struct pane_tab *tab, const struct pane_kept *kept)
{
	if (!kept->has_path || tab->has_rows)
		return;
	tab->is_kept = true;
	tab->open = xgrow(tab->open, &tab->cap_open, kept->n_open + 1, sizeof *tab->open);
	if (kept->n_open)
		memcpy(tab->open, kept->open, kept->n_open * sizeof *tab->open);
	tab->n_open = kept->n_open;
	tab->cursor_path = kept->cursor_path;
	tab->has_path = true;
	tab->top = tab->kept_top = kept->top;
}

/* ==== pane ==== */

bool pane_has_change(const struct pane *pane)
{
	return pane_sides_exist(pane) ||
		((pane->tab == PANE_BOTTOMUP || pane->tab == PANE_TOPDOWN) &&
		 pane_change_exists(pane));
}

struct rows_change pane_change_of_table(const struct pane *pane)
{
	bool is_of_calls = pane->tab == PANE_TOPDOWN || pane->tab == PANE_CALLEES;

	return pane_sides_exist(pane)
		? pane_sides_change(pane, is_of_calls, pane->tab != PANE_BOTTOMUP)
		: pane_change_get(pane, is_of_calls);
}

static enum rows_sort first_order(enum pane_table tab)
{
	return tab == PANE_BOTTOMUP ? ROWS_BY_SELF : ROWS_BY_TOTAL;
}

enum rows_sort pane_order(const struct pane *pane)
{
	const struct pane_tab *tab = &pane->tabs[pane->tab];

	if (pane_sides_exist(pane))
		return tab->sides_sort;
	return tab->sort == ROWS_BY_CHANGE && !pane_has_change(pane) ? first_order(pane->tab)
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

bool pane_has_choice(const struct pane_tab *tab)
{
	return !tab->is_placed || tab->cursor != tab->placed || tab->rows.n != tab->n_placed;
}

static void remember_anew(struct pane_tab *tab)
{
	tab->is_kept &= !tab->rows.n;
	if (!tab->rows.n)
		return;
	if (!pane_has_choice(tab)) {
		tab->n_open = 0;
		tab->has_path = false;
		tab->top = 0;
		return;
	}
	pane_kept_remember(tab);
	/* A cursor that is where it began is not a choice: it stays at the top. */
	if (!tab->has_cursor && tab->cursor == 0 && tab->top == 0 &&
	    !tab->rows.rows[tab->cursor].is_open)
		tab->has_path = false;
}

static void forget_rows(struct pane_tab *tab)
{
	if (!tab->has_rows)
		return;
	/* Stale rows, or some of the rows, are not what the user has left open. */
	if (tab->is_stale || tab->is_restoring)
		tab->top = tab->kept_top;
	else
		remember_anew(tab);
	tab->kept_top = tab->top;
	rows_done(&tab->rows);
	tab->has_rows = tab->is_making = tab->is_restoring = false;
	tab->is_opening = tab->is_opening_row = false;
}

static void begin_restore(struct pane_tab *tab)
{
	tab->is_restoring = true;
	tab->has_cursor = false;
	tab->next = 0;
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
	struct pane_tab *tab = &pane->tabs[pane->tab];

	pane->culprit = function;
	pane->culprit_package = package;
	pane->culprit_t0 = t0;
	pane->culprit_t1 = t1;
	if (tab->has_rows && !tab->is_making && !tab->is_restoring && !tab->is_stale &&
	    tab->cursor == 0 && tab->top == 0 && tab->rows.n)
		place_cursor(pane, tab);
}

static void end_restore(struct pane *pane, struct pane_tab *tab)
{
	tab->is_restoring = false;
	tab->top = tab->kept_top;
	/* Also if its row is gone. */
	if (!tab->has_cursor)
		place_cursor(pane, tab);
}

/* Open the remembered rows, and find that of the cursor. Returns whether this is done. */
static bool restore(struct pane *pane, struct pane_tab *tab, struct budget *budget)
{
	struct rows *rows = &tab->rows;

	while (tab->next < rows->n && (tab->n_open || (tab->has_path && !tab->has_cursor))) {
		size_t at = tab->next++;
		uint64_t path = pane_kept_path(&tab->paths, tab, &rows->rows[at]);
		uint32_t work = 1;

		if (tab->has_path && !tab->has_cursor && path == tab->cursor_path) {
			tab->cursor = at;
			tab->has_cursor = true;
		}
		if (pane_kept_is_open(tab, path)) {
			rows_open(rows, at);
			work = rows_work(rows, at);
		}
		if (budget_use(budget, work))
			return false;
	}
	end_restore(pane, tab);
	return true;
}

void pane_done(struct pane *pane)
{
	pane_forget(pane);
	for (int i = 0; i < PANE_TABS; i++) {
		free(pane->tabs[i].open);
		free(pane->tabs[i].paths.hash);
	}
	*pane = (struct pane){ 0 };
}

void pane_forget(struct pane *pane)
{
	for (int i = 0; i < PANE_TABS; i++)
		forget_rows(&pane->tabs[i]);
	if (pane->making)
		view_end(pane->making);
	pane->making = NULL;
	pane->has_view = false;
	if (pane->lanes) {
		totals_done(&pane->totals);
		totals_done(&pane->next);
		view_done(&pane->view);
	}
	pane_change_forget(pane);
	pane_gc_forget(pane);
	pane_sides_forget(pane);
	free(pane->lanes);
	pane->lanes = NULL;
	pane->generation++;
	pane->n_lanes = 0;
}

static bool has_lanes(const struct pane *pane, const struct lane *const *lanes, uint32_t n)
{
	return pane->lanes && pane->n_lanes == n &&
		memcmp(pane->lanes, lanes, n * sizeof(*lanes)) == 0;
}

static enum rows_kind kind_of(enum pane_table tab)
{
	return tab == PANE_TOPDOWN || tab == PANE_CALLEES ? ROWS_TOPDOWN : ROWS_BOTTOMUP;
}

void pane_set_function(struct pane *pane, frame_id frame)
{
	if (pane->function == frame)
		return;
	pane->function = frame;
	for (int i = PANE_CALLERS; i <= PANE_CALLEES; i++) {
		forget_rows(&pane->tabs[i]);
		pane->tabs[i].cursor = pane->tabs[i].n_open = 0;
		pane->tabs[i].top = pane->tabs[i].kept_top = 0;
		pane->tabs[i].has_path = false;
	}
}

void pane_set_filter(struct pane *pane, const struct match_set *filter)
{
	static const struct match_set all;

	if (!filter)
		filter = &all;
	if (pane->filter.frames == filter->frames)
		return;
	for (int i = 0; i < PANE_TABS; i++)
		forget_rows(&pane->tabs[i]);
	pane->filter = *filter;
	pane->filter_changes++;
}

/* Start with other lanes, for which nothing computed so far is of use. Takes `lanes`. Returns false
 * when there is no memory for them. */
static bool begin_lanes(struct pane *pane, const struct lane **lanes, uint32_t n)
{
	const struct view_plan plan = { .group = GROUP_FUNCTION };

	pane_forget(pane);
	pane->has_totals = pane->is_counting = false;
	if (!reserve_has_room(view_bytes(lanes, n, &plan) +
			      2 * totals_bytes(lanes, n, pane->profile->frames.n))) {
		free(lanes);
		pane->is_lacking = true;
		return false;
	}
	pane->lanes = lanes;
	pane->n_lanes = n;
	/* A view of too many nodes stays empty. */
	pane->making = view_begin(&pane->view, pane->profile, lanes, n, &plan);
	return true;
}

/* Make the view of the lanes. Returns whether it is complete. */
static bool make_view(struct pane *pane, struct budget *budget)
{
	if (pane->making && !view_work(pane->making, budget))
		return false;
	if (pane->making)
		view_end(pane->making);
	pane->making = NULL;
	pane->has_view = true;
	totals_init(&pane->totals, &pane->view);
	totals_init(&pane->next, &pane->view);
	return true;
}

static void find_most(struct pane *pane)
{
	const struct totals *totals = &pane->totals;

	pane->most_self[0] = pane->most_self[1] = 0;
	for (uint32_t i = 0; i < totals->n_used; i++) {
		frame_id f = totals->used[i];
		int64_t self = totals->frame_self[f];
		bool is_idle = pane->view.frames[f].category == CATEGORY_IDLE;

		if (self > pane->most_self[1])
			pane->most_self[1] = self;
		if (!is_idle && self > pane->most_self[0])
			pane->most_self[0] = self;
	}
}

/* Replace the totals by the completed ones. */
static void take_next(struct pane *pane)
{
	struct totals before = pane->totals;
	bool is_taken = pane->has_totals && pane_change_take(pane, &before);

	for (int i = 0; i < PANE_TABS; i++)
		forget_rows(&pane->tabs[i]);
	pane->totals = pane->next;
	if (is_taken)
		totals_init(&pane->next, &pane->view);
	else
		pane->next = before;
	pane->t0 = pane->totals.t0;
	pane->t1 = pane->totals.t1;
	pane->has_totals = true;
	pane->is_counting = false;
	pane->generation++;
	pane_sides_take(pane);
	find_most(pane);
}

bool pane_totals(struct pane *pane, const struct lane **lanes, uint32_t n, int64_t t0, int64_t t1,
		 struct budget *budget)
{
	if (has_lanes(pane, lanes, n))
		free(lanes);
	else if (!begin_lanes(pane, lanes, n))
		return false;
	if (!pane->has_view && !make_view(pane, budget))
		return false;
	if (pane->has_totals && pane->t0 == t0 && pane->t1 == t1) {
		pane->is_counting = false;
		return true;
	}
	if (!pane->is_counting || pane->next.t0 != t0 || pane->next.t1 != t1) {
		totals_begin(&pane->next, t0, t1);
		pane_sides_begin(pane, t0, t1);
	}
	pane->is_counting = pane->sides.is_counting ? !pane_sides_step(pane, budget)
						    : !totals_step(&pane->next, budget);
	if (!pane->is_counting)
		take_next(pane);
	return !pane->is_counting;
}

/* Returns false when there is no memory for the rows. */
static bool make_rows(struct pane *pane, struct pane_tab *tab)
{
	bool is_about_all = pane->tab == PANE_BOTTOMUP || pane->tab == PANE_TOPDOWN;
	unsigned sort = pane_order(pane) | (tab->is_reversed ? ROWS_REVERSED : 0u);

	if (!rows_begin(&tab->rows, &pane->totals, kind_of(pane->tab), (enum rows_sort)sort,
			is_about_all ? FRAME_NONE : pane->function)) {
		pane->is_lacking = true;
		return false;
	}
	tab->rows.change = pane_change_of_table(pane);
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
	if (pane_order(pane) != ROWS_BY_NAME && !tab->rows.is_lacking)
		put_idle_last(pane, &tab->rows);
	if (pane->filter.frames && !tab->rows.is_lacking)
		rows_filter(&tab->rows, pane->filter.frames);
	begin_restore(tab);
	pane->is_lacking |= tab->rows.is_lacking;
	if (tab->rows.is_lacking)
		forget_rows(tab);
	return true;
}

bool pane_update(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = pane_shown(pane);
	bool is_done;

	if (!tab->has_rows && pane_order(pane) == ROWS_BY_CHANGE && !pane_sides_exist(pane) &&
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

bool pane_is_opening(const struct pane *pane)
{
	return pane->tabs[pane->tab].is_opening;
}

void pane_stop(struct pane *pane)
{
	struct pane_tab *tab = pane_shown(pane);

	rows_open_cancel(&tab->rows);
	tab->is_opening = tab->is_opening_row = false;
	if (tab->is_restoring)
		end_restore(pane, tab);
}

struct pane_tab *pane_shown(struct pane *pane)
{
	return &pane->tabs[pane->tab];
}

int64_t pane_whole(const struct pane *pane)
{
	if (pane->is_of_whole)
		return pane->all_ns[pane->has_idle];
	return pane->totals.self_ns - (pane->has_idle ? 0 : pane->totals.idle_ns);
}

int64_t pane_bar_full(const struct pane *pane, bool is_of_total)
{
	int64_t whole = pane_whole(pane);

	return table_cell_bar_full(is_of_total ? whole : pane->most_self[pane->has_idle], whole);
}

void pane_sort(struct pane *pane, enum rows_sort sort)
{
	struct pane_tab *tab = pane_shown(pane);

	if (pane_order(pane) == sort)
		return;
	forget_rows(tab);
	if (pane_sides_exist(pane))
		tab->sides_sort = sort;
	else
		tab->sort = sort;
	tab->top = tab->kept_top = 0;
	/* The question is what comes first. */
	if (sort == ROWS_BY_CHANGE)
		tab->has_path = false;
}

void pane_reverse(struct pane *pane)
{
	struct pane_tab *tab = pane_shown(pane);

	forget_rows(tab);
	tab->is_reversed = !tab->is_reversed;
	tab->has_path = false;
	tab->top = tab->kept_top = 0;
}

void pane_move(struct pane *pane, int64_t rows)
{
	struct pane_tab *tab = pane_shown(pane);
	size_t n = tab->rows.n;

	if (rows < 0)
		tab->cursor -= tab->cursor < (size_t)-rows ? tab->cursor : (size_t)-rows;
	else if (n)
		tab->cursor = n - 1 - tab->cursor < (size_t)rows ? n - 1
								 : tab->cursor + (size_t)rows;
}

bool pane_is_opening_row(const struct pane *pane)
{
	return pane->tabs[pane->tab].is_opening_row;
}

void pane_close(struct pane *pane)
{
	struct pane_tab *tab = pane_shown(pane);

	if (tab->cursor >= tab->rows.n)
		return;
	if (tab->rows.rows[tab->cursor].is_open)
		rows_close(&tab->rows, tab->cursor);
	else
		tab->cursor = rows_parent(&tab->rows, tab->cursor);
}

bool pane_toggle(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = pane_shown(pane);

	if (tab->cursor >= tab->rows.n || !tab->rows.rows[tab->cursor].is_open)
		return pane_open(pane, budget);
	rows_close(&tab->rows, tab->cursor);
	return true;
}

bool pane_hot(struct pane *pane, struct budget *budget)
{
	struct pane_tab *tab = pane_shown(pane);

	tab->is_opening = tab->cursor < tab->rows.n &&
		!rows_open_hot(&tab->rows, &tab->cursor, tab->rows.kind == ROWS_TOPDOWN, budget);
	return !tab->is_opening;
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

bool pane_go(struct pane *pane, const frame_id *path, uint32_t n)
{
	struct pane_tab *tab = pane_shown(pane);
	size_t at = SIZE_MAX;

	for (uint32_t i = pane->tab == PANE_TOPDOWN ? 0 : n - 1; i < n; i++) {
		if (at != SIZE_MAX)
			rows_open(&tab->rows, at);
		at = find_row(&tab->rows, at, path[i]);
		if (at == SIZE_MAX)
			return false;
	}
	tab->cursor = at;
	return true;
}
