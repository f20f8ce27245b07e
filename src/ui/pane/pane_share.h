/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is 100 % of the shares in the panes: the busy time of the range, all its time, or all time
 * of the profile. Each is a pair of pane.has_idle and pane.is_of_whole; a user may change the first
 * by itself. */
#ifndef FLAMETTY_UI_PANE_PANE_SHARE_H
#define FLAMETTY_UI_PANE_PANE_SHARE_H

#include "ui/pane/pane.h"

enum pane_share { PANE_SHARE_BUSY, PANE_SHARE_RANGE, PANE_SHARE_WHOLE, PANE_SHARE_COUNT };

enum pane_share pane_share_get(const struct pane *pane);
void pane_share_set(struct pane *pane, enum pane_share share);

#endif
