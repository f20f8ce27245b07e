/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes the user means. */
#ifndef FLAMETTY_ATTACH_NAMES_H
#define FLAMETTY_ATTACH_NAMES_H

#include "cli/run.h"
#include "record/remote/record.h"

/* Find the processes of the arguments: pids; HOST:PORT of an inspector on this machine; a word of
 * the command line of one JavaScript process, such as `server.js`; with --tree the process and
 * those that it has started. The caller frees *processes. Returns false if one is not found, or if
 * a word means several; the user was told which. */
bool attach_names_find(struct run *run, struct record_process **processes, uint32_t *n);

/* Print the JavaScript processes of this machine, and whether they can be recorded. */
void attach_names_list(struct run *run);

#endif
