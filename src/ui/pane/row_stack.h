/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heaviest stack through the row with the cursor, beside the tables of calls and of functions
 * on wide screens (layout/table/stack_list.h). It is computed in steps when no key has come for a
 * while.
 *
 * Until then the stack of the row before stays: its head names the function. When the table is
 * scrolled, its lines go with those of the table, so that terminals can scroll whole lines. */
#ifndef FLAMETTY_UI_PANE_ROW_STACK_H
#define FLAMETTY_UI_PANE_ROW_STACK_H

#include "analysis/heavy_stack.h"

struct app;
struct pane_kind;

#define ROW_STACK_MS 100 /* without keys */

/* What a stack is about. */
struct row_stack_of {
	const struct pane_kind *kind;
	unsigned generation; /* pane.generation */
	size_t cursor;
	size_t top; /* the first row of the table */
};

struct row_stack {
	struct heavy_stack shown, next;
	struct row_stack_of of, next_of;
	bool has_shown; /* it is complete, and there is a stack or none */
	bool is_making; /* `next` is being computed */
	bool is_old;    /* a key may have changed the row */
};

/* A key or the mouse may have changed the row. */
void row_stack_touch(struct app *app);

/* How long to wait for keys before row_stack_work(); -1: nothing is to be done. work() returns true
 * when the picture changed. */
int row_stack_wait_ms(const struct app *app);
bool row_stack_work(struct app *app, struct budget *budget);

/* Whether the screen leaves room for the stack. */
bool row_stack_has_room(const struct app *app);

/* The stack to draw; NULL: none. *shift: the rows that the table was scrolled down since then. */
const struct heavy_stack *row_stack_get(const struct app *app, int *shift);

void row_stack_done(struct app *app);

#endif
