/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes the terminal's bytes into keys, mouse events and answers. For term.c, which opens the
 * terminal. */
#ifndef FLAMETTY_TERM_INPUT_H
#define FLAMETTY_TERM_INPUT_H

#include "term/term.h"

#include <curses.h>

/* The longest time between the bytes of one key. */
#define INPUT_SEQUENCE_MS 25

struct input_event {
	key_code key;
	struct term_mouse mouse; /* of KEYC_MOUSE */
	bool is_pasted;          /* it came in a paste, not by a key press */
};

/* What the terminal answers between keys. The caller empties what it has read. */
struct input_answers {
	char text[64];       /* the last answer that began with ESC ], without that and its end */
	bool has_attributes; /* the device attributes have come */
	bool has_clipboard;  /* OSC 52 sets the clipboard: they name 52, or the terminal has the
				capability Ms */
	int level;           /* their first number; 0: they have not come */
	bool has_direct;     /* the terminal has said that it takes direct colours */
	int n_reports;       /* status reports. They are not events: input_pending() skips them */
};

struct input_answers *input_answers(void);

/* Read from the terminal (tty.h) through `pad`, which belongs to the caller. has_own_utf8: bytes
 * that come are UTF-8, which the C library cannot decode. Empties the queue. */
void input_open(WINDOW *pad, bool has_own_utf8);

/* The size of the screen: mouse reports from outside are dropped. */
void input_size(int rows, int cols);

/* Append a key to the queue. */
void input_push(key_code key);

/* Whether there is an event; take the first one. Neither waits for input that has not begun to
 * come. */
bool input_pending(void);
bool input_take(struct input_event *event);

/* Decode all input that has come, also if events are queued. False: the terminal is gone. */
bool input_look(void);

#endif
