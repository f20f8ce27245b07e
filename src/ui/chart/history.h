/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The previous windows of the chart, for going back. */
#ifndef FLAMETTY_UI_CHART_HISTORY_H
#define FLAMETTY_UI_CHART_HISTORY_H

#include "layout/viewport.h"

#include <stdbool.h>

#define HISTORY_MAX 256

enum history_kind { HISTORY_NONE, HISTORY_PAN, HISTORY_JUMP };

struct history {
	struct viewport views[HISTORY_MAX];
	int n;
	enum history_kind last;
};

/* Note that the window was `before` and has changed. Consecutive pans count as one step; if the
 * history is full, the oldest step is dropped. */
void history_add(struct history *history, const struct viewport *before, enum history_kind kind);

/* Move the last window from the history to `view`. False: the history is empty. */
bool history_back(struct history *history, struct viewport *view);

#endif
