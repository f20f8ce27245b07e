/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes the terminal's bytes into keys, mouse events and answers. For term.c, which opens the
 * terminal. */
#ifndef FLAMETTY_TERM_INPUT_H
#define FLAMETTY_TERM_INPUT_H

#include "term/term.h"

#include <stdint.h>

struct input_event {
	key_code key;
	struct term_mouse mouse; /* of KEYC_MOUSE */
	bool is_pasted;          /* it came in a paste, not by a key press */
};

/* What the terminal answers between keys. The caller empties what it has read. */
struct input_answers {
	char text[64];      /* the last answer that began with ESC ], without that and its end */
	bool has_clipboard; /* OSC 52 sets the clipboard: the device attributes name 52, or the
			       terminal has the capability Ms */
	int level;          /* the first number of the device attributes; 0: they have not come */
	bool has_direct;    /* the terminal has said that it takes direct colours */
	int col;            /* of the cursor, from 1; 0: it has not been told */
	int n_reports;      /* status reports. They are not events: input_pending() skips them */
};

struct input_answers *input_answers(void);

/* Questions whose answers end the wait for those to the questions before them. */
enum input_question {
	INPUT_STATUS,     /* CSI 5 n */
	INPUT_PLACE,      /* CSI 6 n, with the cursor not in the first row: that may be a key */
	INPUT_ATTRIBUTES, /* CSI c */
};

/* The terminal was asked. Until it has answered, or for some seconds, an ESC may be the begin of
 * its answer, however long the rest takes to come. */
void input_asked(enum input_question what);

/* Until when answers may come, as clock_ns() has it; 0: none is due. */
int64_t input_due_ns(void);

/* Read from the terminal (tty.h), whose description curses has. is_utf8: bytes that come are UTF-8;
 * else they are characters of the locale, of one byte each. Empties the queue. */
void input_open(bool is_utf8);

/* The size of the screen: mouse reports from outside are dropped. */
void input_size(int rows, int cols);

/* Append a key to the queue. */
void input_push(key_code key);

/* Whether there is an event; take the first one. Neither waits. */
bool input_pending(void);
bool input_take(struct input_event *event);

/* The time in ms until the bytes of an unfinished sequence are keys, if no more come: then look
 * again; -1: there are none. */
int64_t input_wait_ms(void);

#endif
