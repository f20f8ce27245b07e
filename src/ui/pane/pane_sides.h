/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The totals of the two sides of a comparison in the range of a pane (analyse/compare/sides.h).
 * While the chart shows the merged calls of two sides, they stand for the pane's totals. */
#ifndef FLAMETTY_UI_PANE_PANE_SIDES_H
#define FLAMETTY_UI_PANE_PANE_SIDES_H

#include "analyse/compare/sides.h"
#include "analyse/rows/rows_change.h"

struct pane;

struct pane_sides {
	const struct sides *of; /* borrowed; NULL: no sides are compared */
	struct totals totals[SIDES];
	bool has_totals;
	struct totals next[SIDES]; /* while they are counted */
	struct sides_count count;
	bool has_memory, is_counting; /* both totals were initialised; are counted */
};

/* Whether the pane has the totals of both sides. */
bool pane_sides_exist(const struct pane *pane);

/* Begin to count the totals of a range: those of each side, and as those of the pane
 * (pane->next), the larger of both. Without effect if no sides are compared. */
void pane_sides_begin(struct pane *pane, int64_t t0, int64_t t1);

/* Go on with it. True: they are complete. */
bool pane_sides_step(struct pane *pane, struct budget *budget);

/* The pane takes its next totals: take those of the sides. */
void pane_sides_take(struct pane *pane);

/* The comparison for a table; the totals must exist. */
struct rows_change pane_sides_change(const struct pane *pane, bool is_of_calls, bool is_of_total);

void pane_sides_forget(struct pane *pane);

#endif
