/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line that shows what is on the screen again, as text to paste into a shell. */
#ifndef FLAMETTY_UI_COPY_VIEW_H
#define FLAMETTY_UI_COPY_VIEW_H

#include "base/buf.h"

#include <stdbool.h>

struct app;

/* Note what a new app has from its options, before it is given a state. */
void copy_view_begin(struct app *app);
void copy_view_done(struct app *app);

/* Append the command line. What it cannot say is appended to `lost`, separated by commas. False:
 * there is none, and a message says so. */
bool copy_view(struct app *app, struct buf *out, struct buf *lost);

#endif
