/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands do. */
#ifndef FLAMETTY_UI_ACTIONS_H
#define FLAMETTY_UI_ACTIONS_H

#include "ui/state.h"

/* What one command does. Returns app_wish bits. */
typedef unsigned action(struct app *app, int count);

/* Run a command; what it does to the window is noted in the history. count: from 1.
 * Returns app_wish bits. */
unsigned actions_run(struct app *app, enum command_id id, int count);

#endif
