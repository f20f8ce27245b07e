/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the summary pane says about the work of a browser: the time of the page's thread, or of that
 * of the pane, by kind of work, and the time by origin. */
#ifndef FLAMETTY_UI_PANE_SUMMARY_WORK_H
#define FLAMETTY_UI_PANE_SUMMARY_WORK_H

#include "draw/lines.h"
#include "model/slice_work.h"
#include "ui/state.h"

/* Of the range of the pane. */
struct summary_work {
	const struct profile *profile;
	int64_t whole; /* the length of the range; 0: there is nothing to say */
	int64_t ns[WORK_COUNT];
};

void summary_work_find(const struct app *app, struct summary_work *work);

/* Add one line of at most `cols` cells: `scripting 51 %  rendering 2 %`. The largest times stand
 * beside their shares, and the smallest shares are left out, as there is room. */
void summary_work_line(const struct app *app, const struct summary_work *work, int cols,
		       struct lines *lines);

/* The same as a section with a row and a bar for each kind; nothing if there is nothing to say. */
void summary_work_table(const struct app *app, const struct summary_work *work, int cols,
			struct lines *lines);

/* Add a section with the time of the pane's range by origin, if there are several. whole: 100 %. */
void summary_work_origins(const struct app *app, int64_t whole, int cols, struct lines *lines);

/* Add what is known of the pages (standout_pages()), with a heading unless is_brief. */
void summary_work_vitals(const struct app *app, bool is_brief, int cols, struct lines *lines);

#endif
