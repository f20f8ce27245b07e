/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal: only this folder knows curses. However the program ends, the terminal is restored.
 *
 * A picture is one grid on the screen. */
#ifndef FLAMETTY_TERM_TERM_H
#define FLAMETTY_TERM_TERM_H

#include "base/error.h"
#include "draw/grid.h"
#include "term/helper.h"
#include "term/palette.h"
#include "ui/key.h"

#include <stdbool.h>

struct term_options {
	enum palette_color color;
	enum palette_theme theme;
	const struct theme *user_theme; /* shown instead; NULL: none. Borrowed while the terminal is
					   open */
	bool has_no_mouse;              /* the terminal keeps the mouse */
	bool has_own_utf8; /* text is UTF-8 although the locale is not: term_can_decode() */
	bool asks_utf8;    /* ASCII is drawn until the terminal has shown that it has UTF-8 */
};

/* Open the terminal: standard input and output, or the controlling terminal if one of them is
 * something else (a pipe with the profile). Installs signal handlers that restore the terminal
 * before a signal ends the process, and the die hook of base/alloc.h.
 * Fails with ERR_IO if there is no terminal or no description of its type. */
bool term_open(const struct term_options *options, struct error *err) MUST_USE;

/* The name and version of the curses library. Static. */
const char *term_library(void);

/* Whether UTF-8 can be drawn on the terminal that TERM names, and read from it, although no locale
 * of the C library has it. */
bool term_can_decode(void);

/* What the user should know about the terminal that is open; NULL: nothing. Borrowed. */
const char *term_note(void);

/* Whether the terminal was asked, and shows UTF-8. When it has answered, term_key() gives
 * KEYC_RESIZE. */
bool term_has_utf8(void);

/* Restore the terminal. Does nothing if it is not open. */
void term_close(void);
bool term_is_open(void);

/* The size in cells as of the last KEYC_RESIZE or term_open(). */
void term_size(int *rows, int *cols);

/* Show a grid: only cells that differ are sent. If that takes long on a slow line, they are sent in
 * parts while term_key() waits for a key; the next grid replaces parts that are not sent yet. */
void term_show(const struct grid *grid);

/* Whether another picture would have to queue behind pictures that the terminal has not shown yet.
 * Waits until it would not, or until a key comes, which returns true. The wait is limited, and
 * there is none for terminals that do not tell what they have shown. */
bool term_is_behind(void);

/* The time that the last answer of the terminal took at least, in ns; 0: not known. */
int64_t term_trip_ns(void);

/* Copy `len` bytes of text to a clipboard (term/clipboard.h). Returns where the text went, for the
 * user; static text. */
const char *term_copy(const char *text, size_t len);

/* Change the theme; the next term_show() shows it. user_theme: as in struct term_options. */
void term_set_theme(enum palette_theme theme, const struct theme *user_theme);

/* Take the mouse from the terminal, or give it back. */
void term_set_mouse(bool is_on);

/* Send all cells with the next term_show(). */
void term_redraw(void);

/* Wait up to timeout_ms (-1: no limit) for a key. KEYC_NONE: no key came. */
key_code term_key(int timeout_ms);

/* From now on, let term_key() also return, with KEYC_NONE, when this file descriptor can be read;
 * -1: none. Closing the terminal does not forget it. */
void term_wake_on(int fd);

/* Whether the last key came in a paste. */
bool term_is_pasted(void);

/* Whether a key is waiting; it stays in the queue. */
bool term_pending(void);

/* The event of the last KEYC_MOUSE. */
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

/* Stop the process as job control does (C-z); returns when it is continued. */
void term_suspend(void);

/* Give the terminal to the editor, wait until it ends, and take the terminal again; the next
 * term_show() sends the whole picture. status: as for helper_edit(). Fails with ERR_IO: there is no
 * terminal, or the editor cannot be started. */
bool term_edit(const struct editor_place *place, int *status, struct error *err) MUST_USE;

#endif
