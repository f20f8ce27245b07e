/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary pane while two sides are compared: what they are, and what changed most. */
#ifndef FLAMETTY_UI_PANE_SUMMARY_SIDES_H
#define FLAMETTY_UI_PANE_SUMMARY_SIDES_H

struct app;

/* Make the lines in app->summary, with two columns if it has them; the pane must have the totals of
 * both sides. */
void summary_sides_make(struct app *app);

#endif
