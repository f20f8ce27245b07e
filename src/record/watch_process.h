/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One watched process: it is recorded on a thread of its own, which hands over chunks; everything
 * else happens on the thread that calls the functions here. */
#ifndef FLAMETTY_WATCH_PROCESS_H
#define FLAMETTY_WATCH_PROCESS_H

#include "base/thread.h"
#include "record/remote/record.h"
#include "record/watch_thread.h"

/* What all processes have in common. Borrowed from the caller, and not changed by it. */
struct watch_process_options {
	struct record_options record;       /* on_chunk, on_end and ctx are set here */
	const struct wake *news;            /* woken when a process needs watch_process_work() */
	struct watch_thread_options thread; /* on_line and on_error are set here */
	void (*on_line)(void *ctx, const struct watch_line *line);
	/* Something about a process went wrong; text for people. */
	void (*on_error)(void *ctx, const char *text);
	void *ctx; /* of both */
};

enum watch_process_state {
	WATCH_PROCESS_RUNS,
	WATCH_PROCESS_ENDED, /* the process has ended */
	WATCH_PROCESS_FAILED /* it cannot be recorded, or its recording has stopped */
};

struct watch_process;

/* Begin to watch a process. who: its pid, or the address of its inspector. */
struct watch_process *watch_process_new(const struct watch_process_options *options,
					const struct record_process *who);

/* Take what has come, and print what there is to say. is_ending: the user has ended the program:
 * nothing is said about the end of the recording. When the state is another than
 * WATCH_PROCESS_RUNS, all is done: free it. */
enum watch_process_state watch_process_work(struct watch_process *process, bool is_ending);

/* Wait for the end of the recording, and free everything. */
void watch_process_free(struct watch_process *process);

/* The pid; 0: it is known by an address. */
pid_t watch_process_pid(const struct watch_process *process);

#endif
