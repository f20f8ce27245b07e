/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pane as text. */
#ifndef FLAMETTY_UI_COPY_TABLE_H
#define FLAMETTY_UI_COPY_TABLE_H

#include "base/buf.h"

#include <stdbool.h>

struct app;

/* Append what is drawn of the pane, without blanks at the ends of lines and empty lines at the end.
 * False, with a message: no pane is open. */
bool copy_table(struct app *app, struct buf *out);

#endif
