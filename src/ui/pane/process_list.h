/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pane of processes that were measured once a second, of the range of the panes; while several
 * processes are shown live, of the last minute. */
#ifndef FLAMETTY_UI_PANE_PROCESS_LIST_H
#define FLAMETTY_UI_PANE_PROCESS_LIST_H

#include "analyse/process_rows.h"
#include "draw/table/text_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;

/* What the user has chosen, for the next profile, too. Zeroed: the first row, the busiest first. */
struct process_list_order {
	size_t sort; /* column; 0: the user has chosen none */
	bool is_reversed, has_pid;
	int64_t pid; /* of the row with the cursor, which keeps it wherever it goes */
	size_t cursor, top;
};

#define PROCESS_COLUMNS 14

/* A zeroed struct is empty. */
struct process_list {
	struct process_list_order order;
	struct process_rows rows;
	struct text_column columns[PROCESS_COLUMNS]; /* as wide as the pane allows */
};

/* Whether it has all of the screen. */
bool process_list_is_alone(const struct app *app);

/* Append who is the busiest, and who has the longest task; and all of the row with the cursor. */
void process_list_tell(const struct app *app, struct buf *verdict, struct buf *text);

#endif
