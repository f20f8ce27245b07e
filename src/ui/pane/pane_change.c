/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/pane_change.h"

#include "base/alloc.h"
#include "ui/pane/pane.h"

void pane_change_set(struct pane *pane, int64_t t0, int64_t t1)
{
	struct pane_change *c = &pane->change;

	if (c->t0 == t0 && c->t1 == t1)
		return;
	pane_change_forget(pane);
	c->t0 = t0;
	c->t1 = t1;
}

void pane_change_forget(struct pane *pane)
{
	struct pane_change *c = &pane->change;

	if (c->has_begun)
		totals_done(&c->all);
	c->has_begun = c->has_all = c->is_barred = false;
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

bool pane_change_take(struct pane *pane, const struct totals *before)
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
