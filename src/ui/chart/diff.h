/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing two sides: two windows of the profile, or two groups of its files. While a comparison
 * is on, the left heavy view (VIEW_MERGED) shows the calls of both sides in one tree. */
#ifndef FLAMETTY_UI_CHART_DIFF_H
#define FLAMETTY_UI_CHART_DIFF_H

#include "analysis/compare/match.h"
#include "analysis/compare/sides_merge.h"

#include "layout/verdict_bar.h"

#include <stdbool.h>

struct app;

/* What is compared, as plain values (app_state.h). */
struct diff_what {
	bool is_on;
	/* The sides are the runs of the arguments (input.argument): the first n_before are before,
	 * the others after. */
	bool has_files;
	uint32_t n_before, n_files;
	enum match_kind match;
	/* As in compare_run.h; borrowed for as long as there is an app. NULL: all. */
	const char *lane, *from, *to;
	int64_t t0[SIDES], t1[SIDES]; /* the windows, without files: ns since the start */
	enum sides_per per;
	enum sides_width width;
};

struct diff {
	struct diff_what what;
	struct sides sides;       /* of the merged view that is shown; zeroed: none */
	struct buf verdict, note; /* the largest change; what it is worth */
};

/* Compare two windows of the profile, in ns since its start. */
void diff_windows(struct app *app, const int64_t t0[SIDES], const int64_t t1[SIDES]);

/* End the comparison: show the time line. Says so if there is none. */
void diff_off(struct app *app);

/* Begin to merge the calls of both sides. NULL: there is no time to compare, which a message may
 * say, or no memory. */
struct sides_merge *diff_begin(struct app *app);

/* The merged view is shown: take its sides, name them, and describe them for the header. */
void diff_take(struct app *app, struct sides *sides);

/* It is not shown any more. */
void diff_leave(struct app *app);

/* The sides of what is shown; NULL: none. */
const struct sides *diff_shown(const struct app *app);

/* Give the rows below the header the largest change, if sides are shown. */
void diff_bar(const struct app *app, struct verdict_bar *bar);

/* Append what a function took on both sides, for a copy: ` - self 48.9 -> 65.1 %  +16.2 pt, ...`.
 * False: no sides are shown. */
bool diff_add_figures(const struct app *app, frame_id frame, struct buf *out);

/* Show other widths, or figures divided by something else. */
void diff_set_width(struct app *app, enum sides_width width);
void diff_set_per(struct app *app, enum sides_per per);

/* `larger`, `before`, `after`; NULL: i is past the last. */
const char *diff_width_word(unsigned i);

#endif
