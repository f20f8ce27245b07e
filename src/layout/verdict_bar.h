/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows below the header: the verdict line, or the finding that the user has gone to. */
#ifndef FLAMETTY_LAYOUT_VERDICT_BAR_H
#define FLAMETTY_LAYOUT_VERDICT_BAR_H

#include "layout/chart.h"
#include "layout/verdict.h"

struct verdict_bar {
	const struct findings_result *result; /* NULL: there is none */
	const char *text;                     /* shown instead of the line; NULL: none */
	const char *second;                   /* with `text`: behind it, or on the second row */
	const char *key, *hint;               /* at the right end: what to press */
	bool is_stale;                        /* the result is that of another window */
	int lane; /* the number of the lane that the result is of, to be said; 0: that is clear */
};

/* The second row, if there is one, has the first finding in full or, if that is on the line
 * already, the next sentence that is not. */
void verdict_bar_draw(struct grid *g, struct rect r, const struct verdict_bar *bar);

#endif
