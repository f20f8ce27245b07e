/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What panes and merged views are about: a range of time, and lanes. */
#ifndef FLAMETTY_UI_PANE_PANE_SCOPE_H
#define FLAMETTY_UI_PANE_PANE_SCOPE_H

#include "analysis/totals.h"
#include "ui/state.h"

/* Whether it is a lane without a time line: what panes show of that is of its hit counts, whatever
 * the window. */
bool scope_is_hits(const struct app *app);

/* The range: the one that is pinned, or the window; the whole lane where there is no time line. */
void scope_range(const struct app *app, int64_t *t0, int64_t *t1);

/* The lanes: the one with the cursor (with those joined to it), or all lanes of samples that are
 * not hidden. Returns how many; *lanes is to be freed. */
uint32_t scope_lanes(const struct app *app, const struct lane ***lanes);

/* Totals of range and lanes, idle time left out unless it counts in shares. False: there is no
 * lane. */
struct pane_scope {
	struct view view;
	struct totals totals;
};

bool pane_scope_init(const struct app *app, struct pane_scope *range);
void pane_scope_done(struct pane_scope *range);

#endif
