/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary pane: what stands out in the range, shares, the heaviest stack, pauses. Parts that
 * need a pass over many samples are added when no key has come for a while. */
#ifndef FLAMETTY_UI_PANE_SUMMARY_PAGE_H
#define FLAMETTY_UI_PANE_SUMMARY_PAGE_H

#include "layout/lines.h"

struct app;

struct summary_page {
	struct lines lines;
	bool has_lines;
	bool has_stretches;  /* pauses and stretches of work are included */
	unsigned n_findings; /* findings_walk.n_changes when the page was made */
	unsigned generation; /* of the pane's totals that it is about */
	int cols;
};

#endif
