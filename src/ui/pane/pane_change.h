/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a pane compares its range with: the totals of the whole time of the same lanes
 * (analyse/rows/rows_change.h). They are computed when the pane's range is first a part of it, or
 * kept when they were those of the pane, and stay as long as the lanes do. */
#ifndef FLAMETTY_UI_PANE_PANE_CHANGE_H
#define FLAMETTY_UI_PANE_PANE_CHANGE_H

#include "analyse/rows/rows_change.h"
#include "base/budget.h"

struct pane;

struct pane_change {
	int64_t t0, t1; /* the whole time; t1 <= t0: there is no comparison */
	struct totals all;
	bool has_begun; /* `all` is allocated */
	bool has_all;   /* and complete */
	bool is_barred; /* there was no memory for it */
};

/* Set the whole time. */
void pane_change_set(struct pane *pane, int64_t t0, int64_t t1);

/* Whether the pane's totals are those of a part, so that there is a comparison. */
bool pane_change_exists(const struct pane *pane);

/* Whether the whole has still to be computed for it; compute it within the budget. The latter
 * returns true when nothing is left to do. */
bool pane_change_is_missing(const struct pane *pane);
bool pane_change_step(struct pane *pane, struct budget *budget);

/* The comparison for a table; its `all` is NULL until it is known. */
struct rows_change pane_change_get(const struct pane *pane, bool is_of_calls);

/* Take the pane's old totals if they are those of the whole and are not known yet. Returns whether
 * they were taken. */
bool pane_change_take(struct pane *pane, const struct totals *before);

/* Forget the totals, as before the lanes are freed. */
void pane_change_forget(struct pane *pane);

#endif
