/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of lines for the source pane. */
#ifndef FLAMETTY_UI_PANE_SOURCE_TIMES_H
#define FLAMETTY_UI_PANE_SOURCE_TIMES_H

#include "ui/pane/source_page.h"

/* Make page.times for the scope of the panes. */
void source_times_make(struct app *app);

/* Make page.hot and its sums of them: the lines of a file, of all its functions. url: text
 * of the original profile; 0: there are none. */
void source_times_of(struct app *app, str_id url);

/* The line with most time: of a function, or (FRAME_NONE) of all but those of Node.js. NULL: there
 * is none. */
const struct line_time *source_times_hottest(const struct app *app, frame_id frame);

#endif
