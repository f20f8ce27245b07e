/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Esc leaves: of all that a user can enter, what was entered last. Prompts, lists, the help, a
 * range that is being selected and a pending key have keys of their own and are left before. The
 * views 1 and 2, transforms, folds and the window are no such state: Esc never changes them. */
#ifndef FLAMETTY_UI_LEAVE_H
#define FLAMETTY_UI_LEAVE_H

#include "ui/chart/scene.h"

struct app;
struct pane_kind;

enum leave_state {
	LEAVE_SEARCH,
	LEAVE_FILTER,
	LEAVE_MAXIMUM,    /* the pane has the whole screen */
	LEAVE_FOCUS,      /* keys are for the pane; it stays open */
	LEAVE_CALLERS,    /* the callers or callees pane */
	LEAVE_SOURCE,     /* the source pane */
	LEAVE_COMPARISON, /* that the user began, not the one of the command line */
	LEAVE_SANDWICH,   /* view 3 */
	LEAVE_PIN,        /* panes pinned to a range */
	LEAVE_STATES
};

struct leave {
	unsigned since[LEAVE_STATES]; /* the act that entered it, counted from 1; 0: not entered */
	unsigned acts;
	const struct pane_kind *pane; /* before callers or source; NULL: none was open */
	enum app_view view;           /* before view 3 */
	bool is_leaving;              /* that view is being made again: Esc does not stop it */
};

/* After a key, the mouse or other work: note what was entered or left. */
void leave_note(struct app *app);

#endif
