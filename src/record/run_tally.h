/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes and threads of a run record themselves, and what there is to say about those that
 * do not.
 *
 * A thread that records itself leaves notes in a folder, whose names have its key, PID.TID.BEGUN:
 * TID is 0 for the main thread and the number of the worker otherwise, BEGUN are milliseconds since
 * 1970. run_hook.cjs says which notes there are.
 *
 * PID is what the process calls itself. In a PID namespace of its own that is not its number here,
 * and several processes may have the same: the note names the namespace, and so does /proc. */
#ifndef FLAMETTY_RECORD_RUN_TALLY_H
#define FLAMETTY_RECORD_RUN_TALLY_H

#include "base/buf.h"
#include "base/error.h"
#include "record/remote/process.h"

#include <stdbool.h>
#include <stdint.h>

struct run;

struct run_thread {
	long tid;
	int64_t begun_ms;
	char *name;     /* of a worker; owned; NULL: none */
	char *failure;  /* a code such as ENOSPC: a chunk could not be written; owned; NULL: none */
	bool is_read;   /* its note */
	bool has_ended; /* by itself */
	bool has_written; /* it has a profile */
};

/* Why a process that was seen has no note. */
enum run_omission {
	RUN_OMISSION_NONE,
	RUN_OMISSION_OPTIONS, /* it has not the NODE_OPTIONS of the run */
	RUN_OMISSION_FOLDER,  /* it has not the FLAMETTY_RUN of the run */
	RUN_OMISSION_USER,    /* it is of another user */
	RUN_OMISSION_ROOT     /* the folder of the run is not below its root */
};

struct run_process {
	pid_t pid, parent;    /* parent: 0: none of the command's; -1: not known */
	pid_t own_pid;        /* in its own PID namespace */
	uint64_t space;       /* the number of that namespace; 0: not known */
	bool is_foreign;      /* pid is own_pid, of another namespace: it was not seen */
	uint64_t start_ticks; /* as in struct process; 0: it was not seen */
	int64_t idle_ns; /* since when it waits for events, at the end of the run; 0: it does not */
	char *command;   /* owned */
	enum process_runtime runtime; /* RUNTIME_NONE: not looked at */
	enum run_omission omission;
	struct run_thread *threads; /* with notes */
	size_t n_threads, cap_threads;
	uint32_t n_files; /* profiles */
};

struct run_tally {
	struct run_process *list;
	size_t n, cap;
	uint64_t space; /* the PID namespace of this program; 0: not known */
	bool is_blind;  /* /proc is that of another namespace: nothing can be seen */
	bool is_gone;   /* the folder of notes was removed */
};

/* What is known before the command begins: the zeroed tally gets its namespace. */
void run_tally_begin(struct run_tally *tally, const char *proc);

void run_tally_done(struct run_tally *tally);

/* The entry of a process, which is added if it is new. Valid until the next one is added. */
struct run_process *run_tally_process(struct run_tally *tally, pid_t pid);

/* Whether it runs now. proc: "/proc". */
bool run_tally_is_alive(const struct run_tally *tally, const struct run_process *p,
			const char *proc);

/* Read the folder of notes. */
void run_tally_read(struct run_tally *tally, const char *notes);

/* Whether something was lost that is no matter of the program: a chunk could not be written. */
bool run_tally_has_failed(const struct run_tally *tally);

/* Append a line for the processes that wrote files, and lines for what is missing and why.
 * proc: "/proc". */
void run_tally_tell(const struct run_tally *tally, const char *proc, struct buf *summary,
		    struct buf *warnings);

/* ---- run chunks ----
 *
 * The chunks that threads have recorded become profiles: one for each thread, called as Node.js
 * calls them, CPU.DATE.TIME.PID.TID.SEQ.cpuprofile. SEQ is the number of the thread in its process,
 * from 1 on.
 *
 * What the script of the run did itself is no time of the program. At the beginning and at the end
 * it is cut off; between, it is the frame (flametty), which counts as idle. */

struct run_chunks {
	const char *folder; /* of the run: see run_command.h */
	/* Where profiles go; no file there is replaced, no link is followed. */
	const char *profiles;
	char **files; /* paths of the profiles that were written, sorted; the caller's */
	int n_files;
	uint32_t n_cut;     /* threads whose oldest chunks were not kept */
	uint32_t n_damaged; /* chunks that cannot be read */
};

/* Write the profiles, and count them for their processes. Returns false and err, with the path in
 * it, if one cannot be written; the others are written all the same. */
bool run_chunks_write(struct run_chunks *chunks, struct run_tally *tally,
		      struct error *err) MUST_USE;

/* Write what the threads told of requests (request_trace.h), if they told something. The user is
 * told what goes wrong. */
void run_chunks_requests(struct run_chunks *chunks, struct run *run, struct run_tally *tally);

#endif
