/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scope of the panes, and the totals of it. Totals are counted in steps, into pane->next; until
 * these are complete, those of the range before stay. */
#include "config.h"

#include "ui/pane/pane.h"

#include "analyse/compare/sides.h"
#include "base/alloc.h"
#include "draw/table/table.h"
#include "ui/chart/lanes.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== pane scope ==== */

/* Whether lane i is among "all lanes" of this kind: visible, with a time line or sums. */
static bool is_of_all(const struct scene *s, int i, enum lane_kind kind)
{
	const struct lane *lane = &s->profile->lanes[i];

	return lane->kind == kind && !s->lanes[i].is_hidden &&
		(lane->has_timeline || lane->value.type);
}

static bool has_kind(const struct scene *s, enum lane_kind kind)
{
	for (int i = 0; i < s->chart.n_lanes; i++)
		if (is_of_all(s, i, kind))
			return true;
	return false;
}

/* "All lanes" are of the kind of the lane with the cursor, if that has calls. Otherwise they are of
 * samples or, if there are none, of slices. */
static enum lane_kind kind_of_all(const struct scene *s)
{
	enum lane_kind kind = s->chart.lane >= 0 ? s->lanes[s->chart.lane].lane->kind
						 : LANE_SAMPLES;

	if ((kind == LANE_SLICES || kind == LANE_SAMPLES) && has_kind(s, kind))
		return kind;
	return has_kind(s, LANE_SAMPLES) ? LANE_SAMPLES : LANE_SLICES;
}

static bool is_time_line(const struct app *app, const struct scene *s)
{
	return s == &app->time || app->mode == VIEW_TIME;
}

static bool is_timeless(const struct app *app, const struct scene *s)
{
	if (s->chart.lane < 0 || s->lanes[s->chart.lane].lane->has_timeline)
		return false;
	return !app->has_all_lanes || !is_time_line(app, s) || !has_kind(s, kind_of_all(s));
}

bool pane_scope_is_timeless(const struct app *app)
{
	return is_timeless(app, &app->s);
}

bool pane_scope_is_hits(const struct app *app)
{
	return is_timeless(app, &app->s) && !app->s.lanes[app->s.chart.lane].lane->value.type;
}

static void find_range(const struct app *app, const struct scene *s, int64_t *t0, int64_t *t1)
{
	/* A merged view has an axis of its own, on which the pinned range has no place. */
	bool is_pinned = app->range.is_pinned && is_time_line(app, s);

	if (is_timeless(app, s)) {
		*t0 = s->lanes[s->chart.lane].lane->t0;
		*t1 = s->lanes[s->chart.lane].lane->t1;
		return;
	}
	/* The first picture may show a part; the tables are about all until the user moves. */
	if (!is_pinned && (app->mode == VIEW_TIME) == (s == &app->s) && culprit_has_window(app)) {
		*t0 = s->view.t_min;
		*t1 = s->view.t_max;
		return;
	}
	*t0 = is_pinned ? app->range.t0 : s->view.t0;
	*t1 = is_pinned ? app->range.t1 : s->view.t1;
}

void pane_scope_range(const struct app *app, int64_t *t0, int64_t *t1)
{
	find_range(app, &app->s, t0, t1);
}

void pane_scope_time_range(const struct app *app, int64_t *t0, int64_t *t1)
{
	find_range(app, state_time_line(app), t0, t1);
}

/* The lane with the cursor and those joined to it. */
static uint32_t find_joined(const struct scene *s, const struct lane **lanes)
{
	uint32_t n = 0;
	int at = lanes_head(s, s->chart.lane);
	enum lane_kind kind = s->lanes[at].lane->kind;

	do {
		/* Joined lanes of another kind, such as marks below slices, do not count in times.
		 */
		if (s->lanes[at].lane->kind == kind)
			lanes[n++] = &s->profile->lanes[at];
	} while (++at < s->chart.n_lanes && s->lanes[at].lane->is_joined);
	return n;
}

static uint32_t find_lanes(const struct app *app, const struct scene *s, bool has_all,
			   const struct lane ***lanes)
{
	uint32_t n = 0;

	*lanes = xcalloc((size_t)s->chart.n_lanes + 1, sizeof **lanes);
	if (s->chart.lane < 0)
		return 0;
	if (has_all && is_time_line(app, s)) {
		enum lane_kind kind = kind_of_all(s);

		for (int i = 0; i < s->chart.n_lanes; i++)
			if (is_of_all(s, i, kind))
				(*lanes)[n++] = &s->profile->lanes[i];
	}
	return n ? n : find_joined(s, *lanes);
}

uint32_t pane_scope_count(const struct app *app, enum lane_kind *kind)
{
	ALLOC_LOCAL const struct lane **lanes = NULL;
	uint32_t n = find_lanes(app, state_time_line(app), app->has_all_lanes, &lanes);
	uint32_t n_titles = 0;

	for (uint32_t i = 0; i < n; i++)
		n_titles += i == 0 || !lanes[i]->is_joined;
	if (n)
		*kind = lanes[0]->kind;
	return n_titles;
}

uint32_t pane_scope_lanes(const struct app *app, const struct lane ***lanes)
{
	return find_lanes(app, &app->s, app->has_all_lanes, lanes);
}

uint32_t pane_scope_of_time(const struct app *app, int64_t *t0, int64_t *t1,
			    const struct lane ***lanes)
{
	const struct scene *s = state_time_line(app);

	*t0 = *t1 = 0;
	if (s->chart.lane >= 0)
		find_range(app, s, t0, t1);
	return find_lanes(app, s, app->has_all_lanes, lanes);
}

static void add_self(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	(void)node;
	(void)total_ns;
	*(int64_t *)ctx += self_ns;
}

/* The time of these lanes in the whole profile, busy, and with idle time; while a merged view is
 * shown, of those of the time line. */
static void find_whole(const struct app *app, int64_t ns[2])
{
	ALLOC_LOCAL const struct lane **lanes = NULL;
	uint32_t n = find_lanes(app, state_time_line(app), app->has_all_lanes, &lanes);

	ns[0] = ns[1] = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct slice_time *time = lanes[i]->slice_time;
		int64_t all = lanes[i]->t1 - lanes[i]->t0 - lanes[i]->unsampled_ns -
			slice_time_lacking(time, INT64_MIN, INT64_MAX);

		/* The self time of slices that their samples lack. */
		slice_time_each(time, INT64_MIN, INT64_MAX, add_self, &all);
		ns[0] += all - lanes[i]->idle_ns;
		ns[1] += all;
	}
}

/* Begin the view of the lanes. is_of_span: the scope is the selected span. */
static bool begin(const struct app *app, const struct scene *s, bool is_of_span, bool has_idle,
		  struct pane_scope *scope)
{
	static const struct transform no_idle = { .kind = TRANSFORM_DROP,
						  .by = BY_CATEGORY,
						  .id = CATEGORY_IDLE };
	const struct view_plan plan = { .transforms = &no_idle,
					.n_transforms = has_idle ? 0 : 1,
					.group = GROUP_FUNCTION };
	ALLOC_LOCAL const struct lane **lanes = NULL;
	uint32_t n = find_lanes(app, s, app->has_all_lanes && !is_of_span, &lanes);

	*scope = (struct pane_scope){ .t0 = s->chart.selected.t0, .t1 = s->chart.selected.t1 };
	/* What is made from the totals takes some memory for each function, too. */
	if (n &&
	    reserve_has_room(view_bytes(lanes, n, &plan) +
			     totals_bytes(lanes, n, 3 * s->profile->frames.n)))
		scope->making = view_begin(&scope->view, s->profile, lanes, n, &plan);
	if (!is_of_span)
		find_range(app, s, &scope->t0, &scope->t1);
	return scope->making != NULL;
}

bool pane_scope_begin(const struct app *app, bool has_idle, struct pane_scope *scope)
{
	return begin(app, state_time_line(app), false, has_idle, scope);
}

bool pane_scope_work(struct pane_scope *scope, struct budget *budget)
{
	if (scope->making) {
		if (!view_work(scope->making, budget))
			return false;
		view_end(scope->making);
		scope->making = NULL;
		totals_init(&scope->totals, &scope->view);
		totals_begin(&scope->totals, scope->t0, scope->t1);
	}
	scope->is_complete = scope->is_complete || totals_step(&scope->totals, budget);
	return scope->is_complete;
}

bool pane_scope_init(const struct app *app, bool is_of_span, bool has_idle,
		     struct pane_scope *scope)
{
	return begin(app, &app->s, is_of_span, has_idle, scope) &&
		pane_scope_work(scope, BUDGET_UNLIMITED);
}

void pane_scope_done(struct pane_scope *scope)
{
	if (scope->making)
		view_end(scope->making);
	totals_done(&scope->totals);
	view_done(&scope->view);
}

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

/* Bring the parts up to date with the pane's totals, if they are wanted and can be. */
static void pane_gc_find(struct pane *pane)
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

/* Set the whole time. */
static void pane_change_set(struct pane *pane, int64_t t0, int64_t t1)
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

static bool init_sides(struct pane *pane)
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

	s->is_counting = s->of && init_sides(pane) &&
		sides_count_begin(&s->count, s->of, t0, t1, of, &pane->next);
}

/* ==== pane ==== */

void pane_forget(struct pane *pane)
{
	struct pane_sides *s = &pane->sides;

	pane_forget_rows(pane);
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
	for (int k = 0; s->has_memory && k < SIDES; k++) {
		totals_done(&s->totals[k]);
		totals_done(&s->next[k]);
	}
	s->has_totals = s->has_memory = s->is_counting = false;
	free(pane->lanes);
	pane->lanes = NULL;
	pane->generation++;
	pane->n_lanes = 0;
}

/* Start with other lanes, for which nothing computed so far is of use. Takes `lanes`. Returns false
 * when there is no memory for them. */
static bool begin_totals(struct pane *pane, const struct lane **lanes, uint32_t n)
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
	struct pane_sides *s = &pane->sides;

	pane_forget_rows(pane);
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
	/* Those of the sides, too. */
	s->has_totals = s->is_counting;
	for (int k = 0; s->is_counting && k < SIDES; k++) {
		struct totals side = s->totals[k];

		s->totals[k] = s->next[k];
		s->next[k] = side;
	}
	s->is_counting = false;
	find_most(pane);
}

/* Bring the totals up to date for n lanes and [t0, t1), as pane_totals_update(); takes ownership of
 * `lanes`. */
static bool count_totals(struct pane *pane, const struct lane **lanes, uint32_t n, int64_t t0,
			 int64_t t1, struct budget *budget)
{
	if (pane->lanes && pane->n_lanes == n && memcmp(pane->lanes, lanes, n * sizeof *lanes) == 0)
		free(lanes);
	else if (!begin_totals(pane, lanes, n))
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
	pane->is_counting = pane->sides.is_counting ? !sides_count_step(&pane->sides.count, budget)
						    : !totals_step(&pane->next, budget);
	if (!pane->is_counting)
		take_next(pane);
	return !pane->is_counting;
}

bool pane_totals_update(struct app *app, struct budget *budget)
{
	struct pane *pane = &app->pane;
	const struct lane **lanes;
	int64_t t0, t1;
	uint32_t n;

	pane_scope_range(app, &t0, &t1);
	n = pane_scope_lanes(app, &lanes);
	find_whole(app, pane->all_ns);
	/* Without a time line there is nothing to be a part of; two sides are compared with each
	 * other. */
	if (pane_scope_is_timeless(app) || pane->sides.of)
		pane_change_set(pane, 0, 0);
	else
		pane_change_set(pane, app->s.view.t_min, app->s.view.t_max);
	if (!count_totals(pane, lanes, n, t0, t1, budget))
		return false;
	pane_gc_find(pane);
	return true;
}

struct rows_change pane_change_get(const struct pane *pane, bool is_of_calls, bool is_of_total)
{
	const struct pane_sides *s = &pane->sides;
	const struct pane_change *c = &pane->change;

	if (pane_sides_exist(pane))
		return (struct rows_change){ .all = &s->totals[SIDE_BEFORE],
					     .after = &s->totals[SIDE_AFTER],
					     .unit = s->of->unit,
					     .has_idle = true,
					     .is_of_calls = is_of_calls,
					     .is_of_total = is_of_total };
	if (!pane_change_exists(pane) || !c->has_all)
		return (struct rows_change){ 0 };
	return (struct rows_change){ .all = &c->all,
				     .whole = whole_of(pane, &pane->totals),
				     .all_whole = whole_of(pane, &c->all),
				     .has_idle = pane->has_idle,
				     .is_of_calls = is_of_calls };
}

int64_t pane_whole(const struct pane *pane)
{
	return pane->is_of_whole ? pane->all_ns[pane->has_idle] : whole_of(pane, &pane->totals);
}

int64_t pane_bar_full(const struct pane *pane, bool is_of_total)
{
	int64_t whole = pane_whole(pane);

	return table_cell_bar_full(is_of_total ? whole : pane->most_self[pane->has_idle], whole);
}

enum pane_share pane_share_get(const struct pane *pane)
{
	return pane->is_of_whole ? PANE_SHARE_WHOLE
		: pane->has_idle ? PANE_SHARE_RANGE
				 : PANE_SHARE_BUSY;
}

void pane_share_set(struct pane *pane, enum pane_share share)
{
	pane->has_idle = share != PANE_SHARE_BUSY;
	pane->is_of_whole = share == PANE_SHARE_WHOLE;
}
