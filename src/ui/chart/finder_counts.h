/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of a search: the matching spans in the scope of the panes, those on other lanes, and
 * which of them is selected. They are counted in steps between keys. The answer says them. */
#ifndef FLAMETTY_UI_CHART_FINDER_COUNTS_H
#define FLAMETTY_UI_CHART_FINDER_COUNTS_H

#include "analyse/search.h"

#include <stdbool.h>

struct app;
struct budget;
struct buf;

struct finder_counts {
	struct search_count range; /* of range and lanes of the panes; lanes NULL: none yet */
	/* Without sums: */
	struct search_count all;    /* of these and all lanes that are shown, in the same range; no
				       lane: there are no others */
	struct search_count before; /* of the range up to the selected match, which is at `depth` */
	struct search_count beside; /* the same of other lanes of the range, in its time */
	int depth;
	uint64_t n_around; /* matches around the selected one that begin with it */
};

/* Forget what depends on the lanes of the panes. */
static inline void finder_counts_forget_range(struct finder_counts *counts)
{
	search_count_done(&counts->range);
	search_count_done(&counts->before);
	search_count_done(&counts->beside);
}

static inline void finder_counts_forget(struct finder_counts *counts)
{
	finder_counts_forget_range(counts);
	search_count_done(&counts->all);
}

/* Whether all is counted, in the present scope. A search must be on. */
bool finder_counts_are_complete(const struct app *app);

/* Count more within the budget. Returns true when what is shown changed. A search must be on. */
bool finder_counts_step(struct app *app, struct budget *budget);

/* Append what was found. form: from 0, the longest, to FINDER_FORMS - 1. */
#define FINDER_FORMS 4

void finder_answer(const struct app *app, int form, struct buf *out);

#endif
