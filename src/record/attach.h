/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings of running processes as files to open. */
#ifndef FLAMETTY_RECORD_ATTACH_H
#define FLAMETTY_RECORD_ATTACH_H

#include "cli/run.h"

/* Where recordings are, until they were shown. */
struct attach {
	char *folder; /* made for them, and removed again; NULL: the user's */
	char **files;
	int n_files;
	int signal; /* a signal ended the recording and shall end the program; 0: none */
};

/* Record the processes that the arguments name, and write a profile for each thread, into the file
 * or folder of --output or into a folder of our own. Then the arguments of `run` are these files.
 * Without arguments: list the JavaScript processes. Returns false if there is nothing to open; the
 * user was told why, or has the list. */
bool attach_record(struct run *run, struct attach *attach);

/* Remove files that the user did not ask for, and free everything. A zeroed struct is left alone.
 */
void attach_done(struct attach *attach);

#endif
