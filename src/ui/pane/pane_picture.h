/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a pane's draw() fills: the part of struct screen that is about the pane, with room for what
 * the screen borrows. */
#ifndef FLAMETTY_UI_PANE_PANE_PICTURE_H
#define FLAMETTY_UI_PANE_PANE_PICTURE_H

#include "base/units.h"
#include "draw/screen.h"
#include "ui/pane/pane_kind.h"
#include "ui/state.h"

/* ---- scope line ----
 *
 * The text in the rule above the pane: the lanes and the range of its numbers, what is 100 %, and
 * the filter. */

/* The text in several forms, from long to short. */
struct scope_line {
	char forms[SCREEN_SCOPES][400];
};

/* Make the line for the events pane. */
void scope_line_events(const struct app *app, struct scope_line *line);

/* ---- pane picture ---- */

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
	struct row row;   /* with the cursor */
	struct span span; /* the same */
};

/* For draw(): tell that the cursor is on row `cursor` (from 0) of n; nothing if n is 0. */
void pane_picture_place(struct pane_picture *picture, size_t cursor, size_t n);

/* For draw(): the line about the pane's totals, with the filter if has_filter. */
void pane_picture_totals(const struct app *app, struct pane_picture *picture, bool has_filter);

/* The text of a table whose rows are all filtered out. */
extern const char pane_picture_no_match[];

#endif
