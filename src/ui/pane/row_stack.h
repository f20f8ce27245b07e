/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heaviest stack through the row with the cursor, beside the tables of calls and of functions
 * on wide screens (draw/table/stack_list.h). It is computed in steps: with the picture if no key
 * has come since the stack before, as at the start, otherwise when no key has come for a while.
 *
 * Until then the stack of the row before stays: its head names the function. When the table is
 * scrolled, its lines go with those of the table, so that terminals can scroll whole lines. When
 * the numbers of the table become others, the picture of the stack stays, and its head says that it
 * is the previous one: while a user pans, nothing of it has to be drawn again. */
#ifndef FLAMETTY_UI_PANE_ROW_STACK_H
#define FLAMETTY_UI_PANE_ROW_STACK_H

#include "analyse/heavy_stack.h"
#include "draw/table/stack_list.h"

struct app;
struct pane_kind;

#define ROW_STACK_MS 100 /* after a key, without further ones */

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
	/* The picture of `shown` when its numbers will be out of date. */
	struct grid before;
	const node_id *before_nodes; /* those of `shown` that it was made of */
	int before_shift;
};

/* A key, the mouse or a command may have changed the row. */
void row_stack_touch(struct app *app);

/* How long to wait for keys before row_stack_work(); -1: nothing is to be done. work() returns true
 * when the picture changed. */
int row_stack_wait_ms(const struct app *app);
bool row_stack_work(struct app *app, struct budget *budget);

/* Compute it for the picture that is being made, if it need not wait. */
void row_stack_update(struct app *app, struct budget *budget);

/* Whether the screen leaves room for the stack. */
bool row_stack_has_room(const struct app *app);

/* Make the picture of the stack that is shown, for later, with the size of the room for it. To be
 * called before the numbers of the pane change. */
void row_stack_keep(struct app *app, struct rect side);

/* What is to be drawn. */
struct stack_list row_stack_get(const struct app *app);

void row_stack_done(struct app *app);

#endif
