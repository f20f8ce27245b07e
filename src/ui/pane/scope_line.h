/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rule above the pane says: which lanes and range its numbers are of, what is 100 %, and
 * what is filtered away. */
#ifndef FLAMETTY_UI_PANE_SCOPE_LINE_H
#define FLAMETTY_UI_PANE_SCOPE_LINE_H

#include "ui/state.h"

/* From long to short. */
struct scope_line {
	char forms[SCREEN_SCOPES][400];
};

/* Of tables and the summary (has_filter: of what `&` filters), and of the events. */
void scope_line_totals(const struct app *app, bool has_filter, struct scope_line *line);
void scope_line_events(const struct app *app, struct scope_line *line);

#endif
