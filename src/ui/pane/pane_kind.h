/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What panes have in common: a pane is a row of pane_list.h and the `struct pane_kind` that its
 * file exports. All kinds are constant; the state of a pane is a member of struct app.
 *
 * A function that is NULL is something that the pane does not have. Before a function of a pane
 * with `has_totals` is called, the pane's totals and its rows are brought up to date
 * (pane_rows_update()). */
#ifndef FLAMETTY_UI_PANE_PANE_KIND_H
#define FLAMETTY_UI_PANE_PANE_KIND_H

#include "analyse/heavy_stack.h"
#include "draw/screen.h"
#include "model/frame.h"
#include "ui/command.h"
#include "ui/pane/pane.h"

struct app;
struct budget;
struct pane_picture;

/* What can be done to a row of a tree. */
enum pane_step { PANE_TOGGLE, PANE_OPEN, PANE_CLOSE, PANE_HOT };

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

	/* Fill the picture (pane_picture.h). */
	void (*draw)(const struct app *app, struct pane_picture *picture);

	/* The time without keys, in ms, after which work() computes more; -1: nothing is left to
	 * compute. work() returns true when the picture changed. */
	int (*wait_ms)(const struct app *app);
	bool (*work)(struct app *app, struct budget *budget);

	/* The pane is not shown any more: abandon what it waits for. */
	void (*leave)(struct app *app);

	/* Move the cursor, or scroll, by `rows`. area: of the pane. */
	void (*move)(struct app *app, int64_t rows, const struct rect *area);

	/* Put the cursor where the user clicked: a cell of the screen, inside `area`. */
	void (*click)(struct app *app, const struct rect *area, int row, int col);

	/* Open and close rows. */
	void (*step)(struct app *app, enum pane_step step);

	/* Select what the row with the cursor is about in the chart. */
	void (*show)(struct app *app);

	/* Put the cursor on the row of a stack, `path`, n > 0 frames from the outermost on. False:
	 * it has none. */
	bool (*go)(struct app *app, const frame_id *path, uint32_t n);

	/* The function that the row with the cursor is about; FRAME_NONE: none. */
	frame_id (*frame)(const struct app *app);

	/* The span of the lane with the cursor that the row with the cursor is. False: there is
	 * none. */
	bool (*span)(const struct app *app, struct span *out);

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

#endif
