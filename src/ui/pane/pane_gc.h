/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The column of the panes that says how much of total times is garbage collection. */
#ifndef FLAMETTY_UI_PANE_PANE_GC_H
#define FLAMETTY_UI_PANE_PANE_GC_H

#include "analyse/gc_part.h"

struct pane;

struct pane_gc {
	bool is_on;     /* the tables have the column */
	bool has_begun; /* `part` is, or will be, of the totals with this generation */
	unsigned generation;
	struct gc_part part;
};

/* Bring the parts up to date with the pane's totals, within the budget. Returns whether they are,
 * or cannot be, or are not wanted. */
bool pane_gc_work(struct pane *pane, struct budget *budget);

/* The parts of the totals that are shown; NULL: not known. */
const struct gc_part *pane_gc_get(const struct pane *pane);

/* Free them; the column stays. */
void pane_gc_forget(struct pane *pane);

#endif
