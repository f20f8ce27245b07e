/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The windows of the chart that were shown before, and those that going back has left. */
#ifndef FLAMETTY_UI_CHART_HISTORY_H
#define FLAMETTY_UI_CHART_HISTORY_H

#include "draw/viewport.h"

#include <stdbool.h>

#define HISTORY_MAX 256 /* steps back */

enum history_kind { HISTORY_NONE, HISTORY_PAN, HISTORY_JUMP };

struct history {
	struct viewport views[HISTORY_MAX + 1];
	int at; /* the steps back: views before this one */
	int n;  /* views in use; those after `at` are the steps forward */
	enum history_kind last;
};

/* Note that the window was `before` and has changed. Consecutive pans count as one step. The steps
 * forward are dropped; if there are HISTORY_MAX steps back, the oldest is. */
void history_add(struct history *history, const struct viewport *before, enum history_kind kind);

/* Go one step: `view` becomes the window before, or after, in the history. False: there is none. */
bool history_back(struct history *history, struct viewport *view);
bool history_forward(struct history *history, struct viewport *view);

#endif
