/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the interface does when memory is short: it frees what it can compute again, says so, and
 * goes on. The allocations that failed were served from the reserve (base/reserve.h). */
#ifndef FLAMETTY_UI_RELIEF_H
#define FLAMETTY_UI_RELIEF_H

#include <stdbool.h>

struct app;

/* If memory was short since the last call, close the pane, end the search and the filter, and free
 * the cells of the chart; if the reserve cannot be had again even so, leave the merged view and
 * undo the transforms, too. Nothing of the app may be in use: call it between keys and pictures.
 * Returns whether the picture has changed. */
bool relief_give(struct app *app);

#endif
