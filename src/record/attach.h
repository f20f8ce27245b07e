/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings of running processes as files to open. */
#ifndef FLAMETTY_ATTACH_H
#define FLAMETTY_ATTACH_H

#include "cli/run.h"
#include "record/remote/record.h"

#include <time.h>

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

/* What the options say about recordings: interval, duration, workers. Returns false after wrong
 * usage. */
bool attach_find_options(struct run *run, struct record_options *options);

/* Print what went wrong with a process, and what its recording has to say. */
void attach_tell(struct run *run, const struct record_process *process);

/* Append the name of a file as Node.js would call it. at: when the recording begins; tid: 0 for the
 * main thread; number: of the file. */
void attach_file_name(const struct record_process *process, int tid, time_t at, uint32_t number,
		      struct buf *path);

/* Remove files that the user did not ask for, and free everything. A zeroed struct is left alone.
 */
void attach_done(struct attach *attach);

/* Find the processes of the arguments: pids; HOST:PORT of an inspector on this machine; a word of
 * the command line of one JavaScript process, such as `server.js`; with --tree the process and
 * those that it has started. The caller frees *processes. Returns false if one is not found, or if
 * a word means several; the user was told which. */
bool attach_names_find(struct run *run, struct record_process **processes, uint32_t *n);

/* Print the JavaScript processes of this machine, and whether they can be recorded. */
void attach_names_list(struct run *run);

#endif
