/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary pane: what stands out in the range, shares, the heaviest stack, pauses. */
#ifndef FLAMETTY_UI_PANE_SUMMARY_PAGE_H
#define FLAMETTY_UI_PANE_SUMMARY_PAGE_H

#include "layout/lines.h"

struct app;

struct summary_page {
	struct lines lines;
	bool has_lines;
	bool has_stretches;  /* pauses and stretches of work are included */
	unsigned generation; /* of the pane's totals that it is about */
	int cols;
};

/* Bring the page up to date with the pane's totals, for `cols` columns. Parts that need a pass over
 * many samples are left to summary_page_finish(). */
void summary_page_update(struct app *app, int cols);

/* Whether parts of the page are still missing; make them. */
bool summary_page_is_pending(const struct app *app);
void summary_page_finish(struct app *app);

#endif
