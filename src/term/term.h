/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal: the only part that knows curses. Whatever ends the program,
 * the terminal is left as it was found. */
#ifndef FLAMETTY_TERM_TERM_H
#define FLAMETTY_TERM_TERM_H

#include "base/error.h"
#include "layout/grid.h"
#include "term/palette.h"
#include "ui/key.h"

#include <stdbool.h>

struct term_options {
	enum palette_color color;
	enum palette_theme theme;
};

/* Take the terminal over: the controlling terminal is opened when standard
 * input or output is something else (a pipe that brings the profile). Sets up
 * SIGTERM, SIGHUP, SIGINT, SIGQUIT so that the terminal is restored before the
 * process ends by that signal, and the die hook of base/alloc.h.
 * Fails with ERR_IO where there is no terminal or no description of it. */
bool term_open(const struct term_options *options, struct error *err);

/* Give the terminal back. Harmless when it is not open. */
void term_close(void);

bool term_is_open(void);

/* Size in cells as of the last KEYC_RESIZE or term_open(). */
void term_size(int *rows, int *cols);

/* Put a grid on the screen: only what differs is sent. Where that would be long under way, it is
 * sent in parts, while term_key() waits for a key; what is left when another grid comes is not
 * sent. */
void term_show(const struct grid *grid);

/* Pictures are under way that the terminal has not shown yet, and one more would have to queue up
 * behind them. Waits until that is over or a key is there, and tells whether it was the key. It
 * does not wait for ever, nor at all for terminals that do not say what they have shown. */
bool term_is_behind(void);

/* How long the terminal took at least, the last time it was asked, to say that it has shown a
 * picture; 0: not known. */
int64_t term_trip_ns(void);

/* Send everything anew with the next term_show(). */
void term_redraw(void);

/* Wait up to timeout_ms (-1: for ever) for a key. KEYC_NONE when none came. */
key_code term_key(int timeout_ms);

/* Whether the last key was not pressed but came in a paste. */
bool term_is_pasted(void);

/* Whether a key is waiting, without taking it. */
bool term_pending(void);

/* The mouse event behind KEYC_MOUSE. */
struct term_mouse {
	int row, col;
	enum {
		MOUSE_CLICK,
		MOUSE_DOUBLE,
		MOUSE_DRAG,
		MOUSE_RELEASE,
		MOUSE_WHEEL_UP,
		MOUSE_WHEEL_DOWN
	} what;
	bool has_ctrl, has_shift;
};
struct term_mouse term_mouse(void);

/* Stop the process as job control does (C-z); returns when it goes on. */
void term_suspend(void);

#endif
