/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of the commands, each of them in the file, or the section of a file, that its name
 * in command_list.h begins with. */
#ifndef FLAMETTY_UI_ACTIONS_H
#define FLAMETTY_UI_ACTIONS_H

#include "ui/chart/scene.h"
#include "ui/command.h"

struct app;

/* What one command does. It changes the state and never draws. n: the argument in the command's
 * row, times the count if it is one with COMMAND_REPEATS or COMMAND_KEY_COUNT. So it is a number of
 * steps whose sign is their direction, or a constant. A plain command takes none. Returns
 * app_effect bits. */
typedef unsigned action(struct app *app, int n);
typedef unsigned plain_action(struct app *app);

#define COMMAND(id, function, ...) action function;
#define COMMAND_PLAIN(id, function, ...) plain_action function;
#include "ui/command_list.h"

/* Run a command unless it is barred now; a change of the window is noted in the history.
 * count: from 1. Returns app_effect bits. */
unsigned actions_run(struct app *app, enum command_id id, int count);

/* The command that does what `like` does, with this argument; CMD_NONE: there is none. */
enum command_id actions_find(enum command_id like, int argument);

/* ---- leave ----
 *
 * What Esc leaves: of all that a user can enter, what was entered last. Prompts, lists, the help, a
 * range that is being selected and a pending key have keys of their own and are left before. The
 * views 1 and 2, transforms, folds and the window are no such state: Esc never changes them. */

struct pane_kind;

enum leave_state {
	LEAVE_SEARCH,
	LEAVE_FILTER,
	LEAVE_MAXIMUM,    /* the pane has the whole screen */
	LEAVE_FOCUS,      /* keys are for the pane; it stays open */
	LEAVE_CALLERS,    /* the callers or callees pane */
	LEAVE_SOURCE,     /* the source pane */
	LEAVE_HEAT,       /* the heat map, */
	LEAVE_FROM_HEAT,  /* and the window that it led to, where Esc goes back to it */
	LEAVE_COMPARISON, /* that the user began, not the one of the command line */
	LEAVE_SANDWICH,   /* view 3 */
	LEAVE_PIN,        /* panes pinned to a range */
	LEAVE_DURING,     /* only the time of slices or requests */
	LEAVE_OPENED,     /* a recording that a list has opened */
	LEAVE_STATES
};

struct leave {
	unsigned since[LEAVE_STATES]; /* the act that entered it, counted from 1; 0: not entered */
	unsigned acts;
	const struct pane_kind *pane; /* before callers, source or heat map; NULL: none was open */
	enum app_view view;           /* before view 3 */
	bool is_leaving;              /* that view is being made again: Esc does not stop it */
};

/* After a key, the mouse or other work: note what was entered or left. */
void leave_note(struct app *app);

/* Show the pane that was there before callers, source or heat map. */
void leave_pane(struct app *app);

#endif
