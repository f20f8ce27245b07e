/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What attach, live, watch and run have in common. This file finds the processes that the user
 * means and the interval of samples, catches the signals that end a recording, names its files, and
 * prints its messages. */
#ifndef FLAMETTY_RECORD_RECORDING_H
#define FLAMETTY_RECORD_RECORDING_H

#include "base/buf.h"
#include "base/error.h"
#include "base/thread.h"
#include "base/units.h"
#include "cli/run.h"
#include "record/remote/guard.h"
#include "record/remote/record.h"
#include "record/request_trace.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define RECORDING_CHUNK_MS 1000
#define RECORDING_SILENT_NS (2 * NS_PER_S) /* then the user is told that no answer comes */
#define RECORDING_SIGNALS 3
#define RECORDING_LEFT_OPEN "its inspector stays open until the program returns to its loop"

/* Find the processes of the arguments: pids; HOST:PORT of an inspector on this machine; a word of
 * the command line of one JavaScript process, such as `server.js`; with --tree the process and
 * those that it has started. The caller frees *processes. Returns false if one is not found, or if
 * a word means several; the user was told which. */
bool recording_processes_find(struct run *run, struct record_process **processes, uint32_t *n);

/* The processes that were there at the last look; none at first. */
struct recording_seen {
	char *const *words; /* the arguments; borrowed */
	int n_words;
	pid_t *pids;
	size_t n;
	int looks; /* that are due, as a new process may become another program */
};

/* Find those that --all-node, patterns, and --tree mean now; *n is 0, too, if no process is new.
 * Nothing is said. The caller frees *processes. */
void recording_processes_more(struct run *run, struct recording_seen *seen,
			      struct record_process **processes, uint32_t *n);

/* Print the JavaScript processes of this machine, and whether they can be recorded. */
void recording_processes_list(struct run *run);

/* Find the time between samples or, with --heap, the bytes that are allocated between them.
 * heap_bytes: NULL: the command does not record what is allocated. Only one of both is set. Returns
 * false and err after wrong usage. */
bool recording_find_interval(const struct options *options, int64_t *interval_us,
			     int64_t *heap_bytes, struct error *err) MUST_USE;

/* Warn of an interval that slows the processes down, if it does. */
void recording_warn_of_interval(int64_t interval_us);

/* The file of a recording with --requests, in its folder. */
#define RECORDING_REQUESTS "requests.trace.json"

/* The settings of requests.cjs that the options ask for (struct recorder_options); NULL: they do
 * not ask for requests. Lives as long as the program. */
const char *recording_requests(const struct options *options);

/* Find interval, duration, workers, requests. Returns false after wrong usage. */
bool recording_find_options(struct run *run, struct record_options *options);

struct recording {
	struct guard guard;
	struct wake cancel; /* wake it to end the recording */
	bool catches_signals;
	struct sigaction before[RECORDING_SIGNALS];
};

#define RECORDING_NONE ((struct recording){ .guard = { .fd = -1 }, .cancel = { -1, -1 } })

/* Start the guard, before there are threads. Returns false if nothing can be recorded; the user was
 * told. recording_end() in both cases; a struct that is RECORDING_NONE is left alone by it. */
bool recording_begin(struct recording *recording, struct run *run);
void recording_end(struct recording *recording);

/* From now on until its end, SIGINT, SIGTERM and SIGHUP cancel it. One recording can do that. */
void recording_catch_signals(struct recording *recording);

/* Whether one of them came; and the one that shall end the program after the recording; 0: none. */
bool recording_is_cancelled(void);
int recording_fatal_signal(void);

/* How inspectors are opened for it. Borrows from the recording. */
static inline struct target_options recording_target(struct recording *r, uint32_t n_processes)
{
	return (struct target_options){ .proc = PROCESS_PROC,
					.cancel_fd = wake_fd(&r->cancel),
					.guard = &r->guard,
					.n_processes = n_processes };
}

/* Whether --output means a folder: it is one, or ends with a slash. */
bool recording_is_folder(const char *path);

/* Make a folder that only the user can read, and append its path. place: the folder it stands in;
 * NULL: TMPDIR. Returns false, with errno, if that is not possible. */
bool recording_make_folder(const char *place, struct buf *path);

/* Append a slash to the path of a folder, unless it ends with one. */
void recording_add_slash(struct buf *folder);

/* Append the name of a file as Node.js would call it, CPU.DATE.TIME.PID.TID.SEQ.cpuprofile, or with
 * Heap and heapprofile: so it shows which process and thread it is of when it is opened. `path` is
 * its folder, or empty. at: when the recording begins; pid: of the process, or the port of its
 * inspector; tid: 0 for the main thread; number: of the file. */
void recording_file_name(bool is_heap, time_t at, int pid, long tid, long number, struct buf *path);

/* Say that `path` cannot be written or made, and why. Returns false. */
static inline bool recording_complain(struct run *run, const char *path, int errnum,
				      const char *what)
{
	struct error err = ERROR_INIT;

	error_errno(&err, errnum, "%s", what);
	run_complain_output(run, path, &err);
	return false;
}

/* Say what went wrong with a process, and what its recording has to say. */
void recording_tell(struct run *run, const struct record_process *process);

#endif
