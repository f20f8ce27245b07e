/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All panes, and which of them is shown. */
#ifndef FLAMETTY_UI_PANE_PANES_H
#define FLAMETTY_UI_PANE_PANES_H

#include "ui/pane/pane.h"
#include "ui/pane/pane_picture.h"

struct app;

/* The panes in the order of their tabs. i: below PANES_COUNT. */
const struct pane_kind *panes_get(int i);

/* The place of a pane in that order. */
int panes_index(const struct pane_kind *kind);

/* Show a pane and move the focus there. */
void panes_show(struct app *app, const struct pane_kind *kind);

/* Close the pane at the user's request. */
void panes_close(struct app *app);

/* The tabs of all panes, in their order. */
void panes_tabs(const struct app *app, struct screen_tab tabs[PANES_COUNT]);

/* Fill the pane of `screen`, which borrows from `picture`, which need not be initialised. Both must
 * stay until the screen is drawn. */
void panes_draw(const struct app *app, struct screen *screen, struct pane_picture *picture);

enum pane_share { PANE_SHARE_BUSY, PANE_SHARE_RANGE, PANE_SHARE_WHOLE, PANE_SHARE_COUNT };

enum pane_share pane_share_get(const struct pane *pane);
void pane_share_set(struct pane *pane, enum pane_share share);

#endif
