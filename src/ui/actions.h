/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of the commands. Each function that command_list.h names is declared here, and
 * defined in the file, or the section of a file, that its name begins with. */
#ifndef FLAMETTY_UI_ACTIONS_H
#define FLAMETTY_UI_ACTIONS_H

#include "ui/command.h"

struct app;

/* What one command does. It changes the state and never draws. n: the argument in the command's
 * row, times the count if it is one with COMMAND_REPEATS or COMMAND_KEY_COUNT. So it is a number of
 * steps whose sign is their direction, or a constant. Returns app_effect bits. */
typedef unsigned action(struct app *app, int n);

#define COMMAND(id, function, argument, flags, name, hint, help) action function;
#include "ui/command_list.h"

/* Run a command unless it is barred now; a change of the window is noted in the history.
 * count: from 1. Returns app_effect bits. */
unsigned actions_run(struct app *app, enum command_id id, int count);

/* The command with this function and argument; CMD_NONE: there is none. */
enum command_id actions_find(action *function, int argument);

#endif
