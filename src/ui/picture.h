/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two steps from the state to the picture: app_update() calls the first one, app_draw() is the
 * other one. */
#ifndef FLAMETTY_UI_PICTURE_H
#define FLAMETTY_UI_PICTURE_H

#include "base/budget.h"
#include "ui/state.h"

/* Compute within the budget what the next picture needs. Returns true when nothing is missing. */
bool picture_update(struct app *app, struct budget *budget);

#endif
