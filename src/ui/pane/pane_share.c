/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Without idle time, shares of the whole still count as such. */
#include "config.h"

#include "ui/pane/pane_share.h"

enum pane_share pane_share_get(const struct pane *pane)
{
	return pane->is_of_whole ? PANE_SHARE_WHOLE
		: pane->has_idle ? PANE_SHARE_RANGE
				 : PANE_SHARE_BUSY;
}

void pane_share_set(struct pane *pane, enum pane_share share)
{
	pane->has_idle = share != PANE_SHARE_BUSY;
	pane->is_of_whole = share == PANE_SHARE_WHOLE;
}
