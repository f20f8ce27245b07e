/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects matches. The search must be complete. If no lane that is shown has a match, the finder
 * says so. Only finder.c uses this. */
#ifndef FLAMETTY_UI_SEARCH_FINDER_MOVE_H
#define FLAMETTY_UI_SEARCH_FINDER_MOVE_H

#include <stdbool.h>

struct app;
struct search_at;

/* Go to the first match from the selection or the start of the window on; the first of all if there
 * is none. */
void finder_move_first(struct app *app);

/* Go to the next or previous match, wrapping around. False: there is none. */
bool finder_move_on(struct app *app, bool is_next);

/* The last match of a search for labels, if the call that was selected for it still is. NULL:
 * otherwise. */
const struct search_at *finder_move_stretch(const struct app *app);

#endif
