/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `:diff FILE`: the program reads the files of the profile and FILE into another profile (struct
 * app_host), and another app shows the comparison. Until then the picture stays, and the status
 * line tells the progress. */
#ifndef FLAMETTY_UI_CHART_DIFF_OPEN_H
#define FLAMETTY_UI_CHART_DIFF_OPEN_H

#include <stdbool.h>

struct app;

#define DIFF_OPEN_MS 100 /* from one look at the progress to the next */

/* Begin to read files: their names with blanks between them. NULL: those of the comparison that is
 * shown, again. A message says what is wrong. */
void diff_open_begin(struct app *app, const char *files);

/* Whether files are being read. */
bool diff_open_is_busy(const struct app *app);

/* Look how far that is. */
void diff_open_look(struct app *app);

/* Stop reading, with a message. False: no file is read. */
bool diff_open_cancel(struct app *app);

/* End the comparison, for the app that was there before. False: the program cannot do that. */
bool diff_open_end(struct app *app);

#endif
