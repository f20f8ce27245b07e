/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack of windows in an array; HISTORY_MAX bounds it, so dropping the oldest may move the rest.
 */
#include "config.h"

#include "ui/chart/history.h"

#include <string.h>

void history_add(struct history *history, const struct viewport *before, enum history_kind kind)
{
	if (kind == HISTORY_PAN && history->last == HISTORY_PAN)
		return;
	if (history->n == HISTORY_MAX) {
		history->n--;
		memmove(history->views, history->views + 1,
			(size_t)history->n * sizeof(history->views[0]));
	}
	history->views[history->n++] = *before;
	history->last = kind;
}

bool history_back(struct history *history, struct viewport *view)
{
	history->last = HISTORY_NONE;
	if (history->n == 0)
		return false;
	*view = history->views[--history->n];
	return true;
}
