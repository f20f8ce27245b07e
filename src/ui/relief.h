/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the interface does when memory is short: it says so, and goes on. Allocations that failed
 * were served from the reserve (base/reserve.h): what can be computed again is freed. Arrays that
 * did not fit were not made: what lacks one is dropped. */
#ifndef FLAMETTY_UI_RELIEF_H
#define FLAMETTY_UI_RELIEF_H

#include <stdbool.h>

struct app;

/* If the reserve was used since the last call, close the pane, end the search and the filter, and
 * free the cells of the chart; if the reserve cannot be had again even so, leave the merged view
 * and undo the transforms, too. If an array was refused, close the pane or end the search that it
 * was for; anything else that was to be computed is left as it was before. Nothing of the app may
 * be in use: call it between keys and pictures. Returns whether the picture has changed. */
bool relief_give(struct app *app);

#endif
