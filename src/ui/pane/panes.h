/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What panes have in common, and which of them is shown: a pane is a row of pane_list.h and the
 * `struct pane_kind` that its file exports. All kinds are constant; the state of a pane is a member
 * of struct app. */
#ifndef FLAMETTY_UI_PANE_PANES_H
#define FLAMETTY_UI_PANE_PANES_H

#include "analyse/heavy_stack.h"
#include "base/units.h"
#include "draw/heat_map.h"
#include "draw/screen.h"
#include "draw/table/stack_list.h"
#include "draw/table/text_table.h"
#include "model/frame.h"
#include "ui/command.h"
#include "ui/pane/pane.h"

struct app;
struct budget;
struct pane_picture;

/* ---- kinds ---- */

/* What can be done to a row of a tree. */
enum pane_step { PANE_TOGGLE, PANE_OPEN, PANE_CLOSE, PANE_HOT };

#define PANES_WAIT_MS 20 /* until a pane asks again for a text that is being read */

/* A function that is NULL is something that the pane does not have. Before a function of a pane
 * with `has_totals` is called, the pane's totals and its rows are brought up to date
 * (pane_rows_update()). */
struct pane_kind {
	const char *title;       /* of its tab: a key of its command, and a name */
	enum command_id command; /* shows the pane */
	enum pane_table table;   /* of struct pane; PANE_TABS: none */
	int head_rows;           /* of the pane's rows: those above its data, and one more */
	bool has_no_scope;       /* the rule says nothing about its numbers */
	bool has_totals;         /* what it shows is computed from the pane's totals */
	bool is_filterable;

	/* Bring the rows up to date with the totals, which are up to date, within the budget.
	 * Returns true when they are; until then, some that should be open are closed. */
	bool (*update_rows)(struct app *app, struct budget *budget);

	/* Before a picture: compute what draw() needs for a pane of this area, and scroll to the
	 * cursor. is_current: the totals are those of the pane's range; otherwise of the one
	 * before, for which rows must not be scrolled. */
	void (*update)(struct app *app, const struct rect *area, bool is_current);

	/* Fill the picture. */
	void (*draw)(const struct app *app, struct pane_picture *picture);

	/* The time without keys, in ms, after which work() computes more; -1: nothing is left to
	 * compute. work() returns true when the picture changed. */
	int (*wait_ms)(const struct app *app);
	bool (*work)(struct app *app, struct budget *budget);

	/* The pane is going to be shown: take what it is about from the one that is still shown. */
	void (*enter)(struct app *app);

	/* The pane is not shown any more: abandon what it waits for. */
	void (*leave)(struct app *app);

	/* Free what was computed, as before the lanes are freed: what the user asked for stays. And
	 * free the pane's state. */
	void (*forget)(struct app *app);
	void (*done)(struct app *app);

	/* Move the cursor, or scroll, by `rows`. area: of the pane. */
	void (*move)(struct app *app, int64_t rows, const struct rect *area);

	/* Put the cursor where the user clicked: a cell of the screen, inside `area`. */
	void (*click)(struct app *app, const struct rect *area, int row, int col);

	/* Open and close rows. */
	void (*step)(struct app *app, enum pane_step step);

	/* Instead of opening rows: scroll sideways, or go to another section; go on by `n` hot
	 * lines. Negative: to the left, or back. False: not now. */
	bool (*aside)(struct app *app, int n);
	bool (*next_hot)(struct app *app, int n);

	/* Select what the row with the cursor is about in the chart. */
	void (*show)(struct app *app);

	/* Put the cursor on the row of a stack, `path`, n > 0 frames from the outermost on. False:
	 * it has none. */
	bool (*go)(struct app *app, const frame_id *path, uint32_t n);

	/* The function that the row with the cursor is about; FRAME_NONE: none. */
	frame_id (*frame)(const struct app *app);

	/* The span that the row with the cursor is. Returns its lane; NULL: there is none. */
	const struct lane *(*span)(const struct app *app, struct span *out);

	/* For the heaviest stack through the row with the cursor: where the row is in the table,
	 * and where the table begins on the screen. False: there is no row. And its path (struct
	 * heavy_stack), to be freed; NULL: none. */
	bool (*place)(const struct app *app, size_t *cursor, size_t *top);
	frame_id *(*path)(const struct app *app, enum heavy_from *from, uint32_t *n);

	/* Sort by the column `step` columns to the right; reverse the order. */
	void (*sort)(struct app *app, int step);

	/* The user clicked on the heads at column `col` of the screen: sort by that column, or the
	 * other way round if it is that already. screen: the one that is shown. */
	void (*sort_at)(struct app *app, const struct screen *screen, const struct rect *area,
			int col);
	void (*reverse)(struct app *app);

	/* Set *n to the number of rows that pass the filter, and *of to the number of all. False:
	 * not known yet. */
	bool (*count)(const struct app *app, size_t *n, size_t *of);
};

#define PANE(index, kind) extern const struct pane_kind kind;
#include "ui/pane/pane_list.h"

enum pane_index {
#define PANE(index, kind) index,
#include "ui/pane/pane_list.h"
	PANES_COUNT
};

/* In the order of their tabs. */
extern const struct pane_kind *const panes[PANES_COUNT];

/* ---- pictures ---- */

/* The text in the rule above the pane: the lanes and the range of its numbers, what is 100 %, and
 * the filter; in several forms, from long to short. */
struct scope_line {
	char forms[SCREEN_SCOPES][400];
};

/* Make the line for the events pane. */
void scope_line_events(const struct app *app, struct scope_line *line);

/* What a pane's draw() fills: the part of struct screen that is about the pane, with room for what
 * the screen borrows. */
struct pane_picture {
	struct screen *screen;
	struct screen_tab tabs[PANES_COUNT];
	struct scope_line scope;
	char position[2 * UNITS_MAX + 8];
	struct table table;
	struct function_table functions;
	struct event_table events;
	struct source_view source;
	struct recent_table recent;
	struct text_table served;
	struct heat_picture heat;
	struct row row;   /* with the cursor */
	struct span span; /* the same */
};

/* For draw(): tell that the cursor is on row `cursor` (from 0) of n; nothing if n is 0. */
void pane_picture_place(struct pane_picture *picture, size_t cursor, size_t n);

/* For draw(): the line about the pane's totals, with the filter if has_filter. */
void pane_picture_totals(const struct app *app, struct pane_picture *picture, bool has_filter);

/* The text of a table whose rows are all filtered out. */
extern const char pane_picture_no_match[];

/* ---- row stack ----
 *
 * The heaviest stack through the row with the cursor, beside the tables of calls and of functions
 * on wide screens (draw/table/stack_list.h). It is computed in steps: with the picture if no key
 * has come since the stack before, as at the start, otherwise when no key has come for a while.
 *
 * Until then the stack of the row before stays: its head names the function. When the table is
 * scrolled, its lines go with those of the table, so that terminals can scroll whole lines. When
 * the numbers of the table become others, the picture of the stack stays, and its head says that it
 * is the previous one: while a user pans, nothing of it has to be drawn again. */

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
	bool is_old;    /* a key, the mouse or a command may have changed the row */
	/* The picture of `shown` when its numbers will be out of date. */
	struct grid before;
	const node_id *before_nodes; /* those of `shown` that it was made of */
	int before_shift;
};

/* How long to wait for keys before row_stack_work(); -1: nothing is to be done. work() returns true
 * when the picture changed. */
int row_stack_wait_ms(const struct app *app);
bool row_stack_work(struct app *app, struct budget *budget);

/* ---- panes ---- */

/* Time that a command may take for rows before the next look at the keys. */
#define PANE_ROWS_KEY_NS INT64_C(30000000)

/* Bring totals and rows of the pane up to date for a command: the totals without a limit of time.
 * Rows that were open before and cannot be opened again in PANE_ROWS_KEY_NS stay closed. False: the
 * pane has no totals, or is closed. */
bool pane_rows_update(struct app *app);

/* The function that a command is about: of the pane's row if the pane has the focus, or of the
 * selected span. False, with a message: there is none. */
bool pane_rows_target(struct app *app, frame_id *frame);

/* Show a pane and move the focus there. */
void panes_show(struct app *app, const struct pane_kind *kind);

/* Show the pane whose tab is at column `col` of the rule, if there is one. */
void panes_show_tab(struct app *app, const struct rect *rule, int col);

/* Close the pane at the user's request. */
void panes_close(struct app *app);

/* Free what all panes have computed, with their totals, as before the lanes are freed; free all
 * that they have. */
void panes_forget(struct app *app);
void panes_done(struct app *app);

/* Move the cursor of a list of n rows by `rows`, as far as there are rows. */
void panes_move(size_t *cursor, size_t n, int64_t rows);

/* Compute what the picture of the pane needs, which has `area`. If the totals are not those of its
 * range yet, the rows are made of what was counted last. Returns whether all is complete. */
bool panes_update(struct app *app, const struct rect *area, struct budget *budget);

/* Fill the pane of `screen`, which borrows from `picture`, which need not be initialised. Both must
 * stay until the screen is drawn. */
void panes_draw(const struct app *app, struct screen *screen, struct pane_picture *picture);

#endif
