/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of command_list.h as a table. */
#include "config.h"

#include "ui/command.h"

#include <assert.h>
#include <stddef.h>

static const struct command commands[COMMAND_COUNT] = {
#define COMMAND(id, function, argument, flags, name, hint, help) [id] = { name, help, hint, flags },
#include "ui/command_list.h"
};

const struct command *command_get(enum command_id id)
{
	assert(id > CMD_NONE && id < COMMAND_COUNT);
	return &commands[id];
}
