/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As in a browser: the windows stand in an array in their order, and going back or forward moves an
 * index. The place of the current window is written only when the index leaves it. HISTORY_MAX
 * bounds the array, so dropping the oldest may move the rest. */
#include "config.h"

#include "ui/chart/history.h"

#include <string.h>

void history_add(struct history *history, const struct viewport *before, enum history_kind kind)
{
	if (kind == HISTORY_PAN && history->last == HISTORY_PAN)
		return;
	if (history->at == HISTORY_MAX) {
		history->at--;
		memmove(history->views, history->views + 1,
			(size_t)history->at * sizeof(history->views[0]));
	}
	history->views[history->at++] = *before;
	history->n = history->at;
	history->last = kind;
}

/* Go to place `to` of the array; the current window gets its place. */
static bool go(struct history *history, int to, struct viewport *view)
{
	history->last = HISTORY_NONE;
	if (to < 0 || to >= history->n)
		return false;
	history->views[history->at] = *view;
	if (history->n <= history->at)
		history->n = history->at + 1;
	history->at = to;
	*view = history->views[to];
	return true;
}

bool history_back(struct history *history, struct viewport *view)
{
	return go(history, history->at - 1, view);
}

bool history_forward(struct history *history, struct viewport *view)
{
	return go(history, history->at + 1, view);
}
