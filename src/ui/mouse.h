/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What clicks, drags and the wheel do. */
#ifndef FLAMETTY_UI_MOUSE_H
#define FLAMETTY_UI_MOUSE_H

#include "ui/app.h"

/* What a drag moves: it was decided where the button went down. */
struct mouse_drag {
	enum {
		MOUSE_DRAG_NOTHING,
		MOUSE_DRAG_RANGE,   /* of the panes, from `t` on */
		MOUSE_DRAG_WINDOW,  /* a new window, from `t` on */
		MOUSE_DRAG_INSIDE,  /* the window, held at `t` */
		MOUSE_DRAG_EDGE,    /* one end of the window; `t` is the other one */
		MOUSE_DRAG_DIVIDER, /* the upper edge of the pane */
	} what;
	int64_t t;
	int64_t t0, t1; /* the window before the drag */
	bool is_noted;  /* it is in the history */
};

/* Process an event of the mouse. Returns app_effect bits. */
unsigned mouse_take(struct app *app, const struct app_mouse *mouse);

#endif
