/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records several processes at once for some time: a thread of this program for each. */
#ifndef FLAMETTY_REMOTE_RECORD_H
#define FLAMETTY_REMOTE_RECORD_H

#include "remote/join.h"
#include "remote/recorder.h"

/* A thread of a recorded process. */
struct record_thread {
	int tid;           /* 0: the main thread; otherwise the number of the worker */
	char *title;       /* of the worker; "": the main thread */
	struct join *join; /* what was recorded */
};

/* A process to record: by pid, or by the address of its inspector. */
struct record_process {
	pid_t pid; /* 0: by address */
	char host[64];
	int port;

	/* The results; to be read when record_is_done(). */
	struct record_thread *threads;
	uint32_t n_threads;
	struct error err;  /* nothing was recorded, or a slice was broken */
	struct buf notes;  /* lines for the user */
	struct buf title;  /* what the inspector says the program is */
	bool is_left_open; /* its inspector could not be closed: it does not answer */

	/* Set while it records; for the functions below. */
	int64_t silence_ns;
	int64_t began_ns; /* 0: not yet */
	bool is_done;
};

struct record_options {
	struct target_options target;
	int64_t interval_us;
	int slice_ms;
	int64_t duration_ns;
	bool has_workers;
};

struct record;

/* Begin. processes and options are borrowed until record_free(). */
struct record *record_start(struct record_process *processes, uint32_t n,
			    const struct record_options *options);

/* Whether all processes are recorded, or failed. Then the results can be read. */
bool record_is_done(struct record *r);

/* When the first process began to be recorded, on the clock of clock_ns(); 0: none yet. And the
 * time since a process owes an answer; 0: none does. */
int64_t record_began(struct record *r);
int64_t record_silence(struct record *r);

/* Wait for the end and free everything except the results. */
void record_free(struct record *r);

/* Free the results of a process. */
void record_process_done(struct record_process *process);

#endif
