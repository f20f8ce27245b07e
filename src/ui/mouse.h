/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What clicks, drags and the wheel do. */
#ifndef FLAMETTY_UI_MOUSE_H
#define FLAMETTY_UI_MOUSE_H

#include "ui/app.h"

/* Process an event of the mouse. Returns app_wish bits. */
unsigned mouse_take(struct app *app, const struct app_mouse *mouse);

#endif
