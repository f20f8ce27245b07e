/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and mouse reports out of the terminal's bytes; for term.c, which opens it. */
#ifndef FLAMETTY_TERM_INPUT_H
#define FLAMETTY_TERM_INPUT_H

#include "term/term.h"

#include <curses.h>

/* How long the rest of a key's bytes may take to come. */
#define INPUT_SEQUENCE_MS 25

struct input_event {
	key_code key;
	struct term_mouse mouse; /* of KEYC_MOUSE */
	bool is_pasted;          /* it came in a paste: nobody pressed it */
};

/* What the terminal says of itself between keys. The user takes the text away by emptying it. */
struct input_answers {
	char text[64];       /* the last one that begins with ESC ], without that and its end */
	bool has_attributes; /* it told its attributes */
};

struct input_answers *input_answers(void);

/* Read from `in_fd` by way of `pad`, which belongs to the caller. Forgets what waits. */
void input_open(WINDOW *pad, int in_fd);

/* The screen has this size: reports from outside of it are dropped. */
void input_size(int rows, int cols);

/* Put a key behind those that wait. */
void input_push(key_code key);

/* Whether an event waits, or has come; the first of them is taken. Neither waits for
 * one that has not begun to come. */
bool input_pending(void);

/* Decode what has come, however many events wait. False: the terminal is gone. */
bool input_look(void);
bool input_take(struct input_event *event);

/* How many reports of its status the terminal has sent since the last call. They are no events:
 * input_pending() goes over them. */
int input_take_answers(void);

#endif
