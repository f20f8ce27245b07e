/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts for the clipboard, about the row with the cursor if a pane has the focus, otherwise about
 * the selected span. Each is meant to be pasted as it is: it has no control characters and no line
 * break within a field, and its last line has no line break. Numbers are those of the panes' scope
 * (pane/pane_scope.h). */
#ifndef FLAMETTY_UI_COPY_H
#define FLAMETTY_UI_COPY_H

#include "base/buf.h"

#include <stdbool.h>

struct app;

struct app;

#endif
