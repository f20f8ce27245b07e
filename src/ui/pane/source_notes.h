/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the source pane says in words. */
#ifndef FLAMETTY_UI_PANE_SOURCE_NOTES_H
#define FLAMETTY_UI_PANE_SOURCE_NOTES_H

struct app;

/* Make page.notes, for where there is no text: why, and the times of the lines. */
void source_notes_make(struct app *app, int cols);

/* Make page.about and page.note: what the times are, and whether the file is newer than the
 * profile. Requires a text. */
void source_notes_about(struct app *app);

#endif
