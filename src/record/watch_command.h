/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty watch`: a line for each stall of running processes, and profiles around them. */
#ifndef FLAMETTY_WATCH_COMMAND_H
#define FLAMETTY_WATCH_COMMAND_H

#include "cli/run.h"

/* Watch the processes of the arguments until they have ended, or until a signal ends the program.
 * SIGTERM and SIGHUP then end it as such, when the inspectors are closed and the files written:
 * this does not return. */
void watch_command(struct run *run);

#endif
