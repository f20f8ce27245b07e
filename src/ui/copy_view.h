/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line that shows what is on the screen again, as text to paste into a shell. The
 * command copy_view() takes it. */
#ifndef FLAMETTY_UI_COPY_VIEW_H
#define FLAMETTY_UI_COPY_VIEW_H

struct app;

/* Note what a new app has from its options, before it is given a state. */
void copy_view_begin(struct app *app);
void copy_view_done(struct app *app);

#endif
