/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/pane_sides.h"

#include "base/alloc.h"
#include "ui/pane/pane.h"

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

void pane_sides_begin(struct pane *pane, int64_t t0, int64_t t1)
{
	struct pane_sides *s = &pane->sides;
	struct totals *const of[SIDES] = { &s->next[SIDE_BEFORE], &s->next[SIDE_AFTER] };

	s->is_counting = s->of && init(pane) &&
		sides_count_begin(&s->count, s->of, t0, t1, of, &pane->next);
}

bool pane_sides_step(struct pane *pane, struct budget *budget)
{
	return sides_count_step(&pane->sides.count, budget);
}

void pane_sides_take(struct pane *pane)
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

void pane_sides_forget(struct pane *pane)
{
	struct pane_sides *s = &pane->sides;

	for (int k = 0; s->has_memory && k < SIDES; k++) {
		totals_done(&s->totals[k]);
		totals_done(&s->next[k]);
	}
	s->has_totals = s->has_memory = s->is_counting = false;
}
