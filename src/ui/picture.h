/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the state to the picture: app_draw() stands in picture.c. */
#ifndef FLAMETTY_UI_PICTURE_H
#define FLAMETTY_UI_PICTURE_H

#include "ui/state.h"

/* Find what the next picture needs, until a time on clock_ns(): true when nothing is missing. */
bool picture_prepare(struct app *app, int64_t until_ns);

#endif
