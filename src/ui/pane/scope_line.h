/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text in the rule above the pane: the lanes and the range of its numbers, what is 100 %, and
 * the filter. */
#ifndef FLAMETTY_UI_PANE_SCOPE_LINE_H
#define FLAMETTY_UI_PANE_SCOPE_LINE_H

#include "ui/state.h"

/* The text in several forms, from long to short. */
struct scope_line {
	char forms[SCREEN_SCOPES][400];
};

/* Make the line for panes of totals, with the filter if has_filter, or for the events pane. */
void scope_line_totals(const struct app *app, bool has_filter, struct scope_line *line);
void scope_line_events(const struct app *app, struct scope_line *line);

#endif
