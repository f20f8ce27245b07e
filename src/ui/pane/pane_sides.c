/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/pane_sides.h"

#include "base/reserve.h"
#include "ui/pane/pane.h"

bool pane_sides_exist(const struct pane *pane)
{
	return pane->sides.of && pane->sides.has_totals && pane->has_totals;
}

void pane_sides_take(struct pane *pane)
{
	struct pane_sides *s = &pane->sides;
	const struct lane *const *lanes = (const struct lane *const *)pane->lanes;
	int64_t t0 = pane->t0, t1 = pane->t1;

	if (!s->of)
		return;
	if (!s->has_totals &&
	    !reserve_has_room(SIDES * totals_bytes(lanes, pane->n_lanes, pane->profile->frames.n)))
		return;
	for (int k = 0; !s->has_totals && k < SIDES; k++)
		totals_init(&s->totals[k], &pane->view);
	s->has_totals = true;
	sides_totals(s->of, t0, t1, &s->totals[SIDE_BEFORE], &s->totals[SIDE_AFTER], &pane->totals);
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

	for (int k = 0; s->has_totals && k < SIDES; k++)
		totals_done(&s->totals[k]);
	s->has_totals = false;
}
