/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows below the header: the verdict line, or the finding that the user has gone to. */
#ifndef FLAMETTY_LAYOUT_VERDICT_BAR_H
#define FLAMETTY_LAYOUT_VERDICT_BAR_H

#include "draw/chart.h"
#include "findings/verdict.h"

#define VERDICT_BAR_LANE 128
#define VERDICT_BAR_LANE_CELLS 24 /* of at most 4 bytes each, about */
#define VERDICT_HINTS 2
#define VERDICT_BOTH_COLS 92 /* from this width on there is room for both hints */

/* What to press. key: NULL: there is no hint. */
struct verdict_hint {
	const char *key, *text;
};

struct verdict_bar {
	const struct findings_result *result; /* NULL: there is none */
	const char *text;                     /* shown instead of the line; NULL: none */
	const char *second;                   /* with `text`: below it, or behind it if it fits */
	struct verdict_hint hints[VERDICT_HINTS]; /* at the right end, the most needed first */
	bool is_stale;                            /* the result is that of another window */
	char lane[VERDICT_BAR_LANE]; /* the name of its lane, to be said; "": that is clear */
	char window[96]; /* which part of the whole the chart shows; empty: that is clear */
};

/* The keys of a hint: `yy` for `y y`. */
#define VERDICT_BAR_KEYS 24
void verdict_bar_keys(const char *keys, char out[VERDICT_BAR_KEYS]);

/* The second row, if there is one, says what the line does not. */
void verdict_bar_draw(struct grid *g, struct rect r, const struct verdict_bar *bar);

#endif
