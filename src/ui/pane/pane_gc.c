/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/pane_gc.h"

#include "base/alloc.h"
#include "ui/pane/pane.h"

static bool is_of_totals(const struct pane *pane)
{
	return pane->gc.has_begun && pane->gc.generation == pane->generation;
}

bool pane_gc_work(struct pane *pane, struct budget *budget)
{
	struct pane_gc *gc = &pane->gc;

	if (!gc->is_on || !pane->has_totals)
		return true;
	if (!is_of_totals(pane)) {
		pane_gc_forget(pane);
		if (!reserve_has_room(gc_part_bytes(&pane->totals)))
			return true;
		gc_part_begin(&gc->part, &pane->totals);
		gc->generation = pane->generation;
		gc->has_begun = true;
	}
	return gc_part_work(&gc->part, budget);
}

const struct gc_part *pane_gc_get(const struct pane *pane)
{
	return pane->gc.is_on && is_of_totals(pane) && pane->gc.part.is_complete ? &pane->gc.part
										 : NULL;
}

void pane_gc_forget(struct pane *pane)
{
	gc_part_done(&pane->gc.part);
	pane->gc.has_begun = false;
}
