/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes of a run wrote profiles, and which did not.
 *
 * A process of Node.js that records itself leaves notes in a folder: an empty file of the name
 * started.PID.TID for each of its threads, with the command line in it, which becomes wrote.PID.TID
 * when the profile is written. TID is 0 for the main thread, and the number of the worker
 * otherwise. */
#ifndef FLAMETTY_RUN_TALLY_H
#define FLAMETTY_RUN_TALLY_H

#include "base/buf.h"
#include "remote/process.h"

struct run_process {
	pid_t pid;
	char *command;                /* owned */
	enum process_runtime runtime; /* RUNTIME_NONE: not looked at */
	bool has_note;                /* it records itself */
	bool is_lost;                 /* it was killed, because it could not end in another way */
	uint32_t n_unwritten;         /* workers that wrote nothing */
	uint32_t n_files;
};

struct run_tally {
	struct run_process *list;
	size_t n, cap;
};

void run_tally_done(struct run_tally *tally);

/* The entry of a process, which is added if it is new. Valid until the next one is added. */
struct run_process *run_tally_process(struct run_tally *tally, pid_t pid);

/* Read the folder of notes. */
void run_tally_read(struct run_tally *tally, const char *notes);

/* The process that wrote a file: the number in its name, CPU.DATE.TIME.PID.TID.SEQ.cpuprofile, or
 * CPU.MILLISECONDS.PID.cpuprofile of Deno; or with Heap and heapprofile. 0: it is no such name. */
pid_t run_tally_pid_of(const char *file_name);

/* Append a line for the processes that wrote files, and lines for those that did not and why.
 * proc: "/proc". */
void run_tally_tell(const struct run_tally *tally, const char *proc, struct buf *summary,
		    struct buf *warnings);

#endif
