/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user can do: the commands of command_list.h with their names and texts. The help screen,
 * `flametty keys` and the manual are made from them and from keymap.h. What a command does is in
 * actions.h. */
#ifndef FLAMETTY_UI_COMMAND_H
#define FLAMETTY_UI_COMMAND_H

enum command_id {
	CMD_NONE,
#define COMMAND(id, ...) id,
#include "ui/command_list.h"
	COMMAND_COUNT
};

enum command_flags {
	COMMAND_REPEATS = 1, /* app_command() with a count does it so often */
	/* Barred while the file is loading: what it makes cannot be carried over to the next
	 * preview. */
	COMMAND_NEEDS_ALL = 2,
	/* The command is not a reason to keep what is on the screen when the next preview comes. */
	COMMAND_PASSIVE = 4,
	COMMAND_EDITS = 8,    /* is for the prompt only, and adds no step to the history */
	COMMAND_NO_STEP = 16, /* adds no step to the history of windows */
	/* The command goes elsewhere: it is a step of its own in that history also if the width of
	 * the window stays the same, as it does when panning, and CMD_JUMP_BACK comes back. */
	COMMAND_JUMPS = 32,
	COMMAND_ARGUMENTS = 64, /* takes words of the command line: app->line.args */
	COMMAND_PATTERN = 128,  /* may take a pattern there; without, it is about the selection */
	COMMAND_KEY_COUNT = 256 /* repeats only by its keys; the command line refuses a count */
};

struct command {
	const char *name; /* for lists and the manual: small letters and `-` */
	const char *help; /* what it does, no full stop */
	const char *hint; /* one or two words for the status line; NULL: not hinted */
	unsigned flags;   /* enum command_flags */
};

/* The row of a command. id: below COMMAND_COUNT, not CMD_NONE. */
const struct command *command_get(enum command_id id);

#endif
