/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The windows that were on the screen, so that one step back finds them again. */
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

/* The window was `before` and is another one now. Pans that follow each other
 * count as one; when all places are taken the oldest is forgotten. */
void history_add(struct history *history, const struct viewport *before, enum history_kind kind);

/* Take the last one back into `view`. False: there is none. */
bool history_back(struct history *history, struct viewport *view);

#endif
