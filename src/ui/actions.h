/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of the commands, each of them in the file, or the section of a file, that its name
 * in command_list.h begins with. */
#ifndef FLAMETTY_UI_ACTIONS_H
#define FLAMETTY_UI_ACTIONS_H

#include "ui/command.h"

struct app;

/* What one command does. It changes the state and never draws. n: the argument in the command's
 * row, times the count if it is one with COMMAND_REPEATS or COMMAND_KEY_COUNT. So it is a number of
 * steps whose sign is their direction, or a constant. Returns app_effect bits. */
typedef unsigned action(struct app *app, int n);

#define COMMAND(id, function, ...) action function;
#define PANE_COMMAND(...)
#define LINE_COMMAND(...)
#define SEARCH_COMMAND(...)
#include "ui/command_list.h"

/* The functions of files that have them static, by command; NULL: it is not of this file. */
extern action *const pane_commands[COMMAND_COUNT], *const line_commands[COMMAND_COUNT],
	*const search_commands[COMMAND_COUNT];

/* Run a command unless it is barred now; a change of the window is noted in the history.
 * count: from 1. Returns app_effect bits. */
unsigned actions_run(struct app *app, enum command_id id, int count);

/* The command with this function, which is declared here, and this argument; CMD_NONE: there is
 * none. */
enum command_id actions_find(action *function, int argument);

#endif
