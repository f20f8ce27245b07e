/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The totals of the two sides of a comparison in the range of a pane (analysis/compare/sides.h).
 * While the chart shows the merged calls of two sides, they stand for the pane's totals. */
#ifndef FLAMETTY_UI_PANE_PANE_SIDES_H
#define FLAMETTY_UI_PANE_PANE_SIDES_H

#include "analysis/rows/rows_change.h"

struct pane;

struct pane_sides {
	const struct sides *of; /* borrowed; NULL: no sides are compared */
	struct totals totals[SIDES];
	bool has_totals;
};

/* Whether the pane has the totals of both sides. */
bool pane_sides_exist(const struct pane *pane);

/* The pane has new totals of a range: replace them by the larger of both sides, and keep those of
 * each side. Without effect if no sides are compared. */
void pane_sides_take(struct pane *pane);

/* The comparison for a table; the totals must exist. */
struct rows_change pane_sides_change(const struct pane *pane, bool is_of_calls, bool is_of_total);

void pane_sides_forget(struct pane *pane);

#endif
