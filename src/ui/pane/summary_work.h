/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the summary pane says about the work of a browser: the time of the page's thread, or of that
 * of the pane, by kind of work. */
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

/* Add a line with a bar for a kind: the text of the line is there, up to the bar. */
void summary_work_bar(const struct app *app, const struct summary_work *work, enum work kind,
		      int cols, struct lines *lines);

#endif
