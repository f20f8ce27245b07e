/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of a search: the matching spans in the scope of the panes, those on other lanes, and
 * which of them is selected. They are counted in steps between keys. */
#ifndef FLAMETTY_UI_CHART_FINDER_COUNTS_H
#define FLAMETTY_UI_CHART_FINDER_COUNTS_H

#include "analyse/search.h"

#include <stdbool.h>

struct app;
struct budget;

struct finder_counts {
	struct search_count range; /* of range and lanes of the panes; lanes NULL: none yet */
	/* Without sums: */
	struct search_count others; /* of the other lanes that are shown, in the same range */
	struct search_count before; /* of the range up to the selected match, which is at `depth` */
	int depth;
	uint64_t n_around; /* matches around the selected one that begin with it */
};

void finder_counts_forget(struct finder_counts *counts);

/* Whether `range` is of the present scope; whether all is counted, too. A search must be on. */
bool finder_counts_are_current(const struct app *app);
bool finder_counts_are_complete(const struct app *app);

/* Count more within the budget. Returns true when what is shown changed. A search must be on. */
bool finder_counts_step(struct app *app, struct budget *budget);

/* The number of the selected match among those of `range`, from 1. False: it is none of them, or
 * the number is not known yet. */
bool finder_counts_number(const struct app *app, uint64_t *number);

struct search_at;

/* The last match that was gone to, if what was selected for it still is. NULL: otherwise. Both are
 * about the lane as it is, and a drawn row may stand for several matches. */
const struct search_at *finder_move_at(const struct app *app);

/* Go to the first match from the selection or the start of the window on; the first of all if there
 * is none. */
void finder_move_first(struct app *app);

/* Go to the next or previous match, wrapping around. False: there is none. */
bool finder_move_on(struct app *app, bool is_next);

#endif
