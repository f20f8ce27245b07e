/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flametty fleet: what many recordings of many hosts say together. */
#ifndef FLAMETTY_CLI_FLEET_COMMAND_H
#define FLAMETTY_CLI_FLEET_COMMAND_H

#include "cli/run.h"
#include "model/fleet.h"

/* Read the fleet that the options name, with its progress on standard error where that is a
 * terminal; C-c ends reading, and keeps what was read. Prints messages about files. NULL: there is
 * none, and the user was told. The caller frees it. */
struct fleet *fleet_command_read(struct run *run);

/* The name of the i-th table that --table takes: those of reports, then those that only fleets
 * have; NULL: i is past the last one. */
const char *fleet_command_table(unsigned i);

/* Write what the fleet on the screen (run->fleet) answers to a file: `csv`, `json` or `md`. */
bool fleet_command_write(const struct run *run, const char *format, const char *path,
			 bool is_forced, struct error *err);

/* Read the fleet and print its report. */
void fleet_command(struct run *run);

#endif
