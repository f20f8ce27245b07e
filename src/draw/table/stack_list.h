/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heaviest stack through a row of a table, beside the table: a call on each line, indented by
 * its depth, with its total time. The call that the row is about is always visible and marked. */
#ifndef FLAMETTY_DRAW_TABLE_STACK_LIST_H
#define FLAMETTY_DRAW_TABLE_STACK_LIST_H

#include "analyse/fold.h"
#include "analyse/heavy_stack.h"
#include "draw/grid.h"

struct stack_list {
	const struct heavy_stack *stack; /* complete, with n > 0; NULL: none */
	/* Without a stack: the picture of one that is out of date, with is_previous; NULL: none. */
	const struct grid *before;
	int shift;        /* rows that the table was scrolled down since: its lines go with it */
	bool is_previous; /* the head says that the stack is no longer the heaviest */
	bool is_ascii;
	enum fold_mode fold; /* consecutive calls that fold have one line (analyse/fold.h) */
};

/* Draw into blank cells. A picture of before is drawn only if it has the size of r. */
void stack_list_draw(struct grid *g, struct rect r, const struct stack_list *list);

#endif
