/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records several processes at once: a thread of this program for each.
 *
 * For some time: the chunks are joined, and the results can be read when record_is_done().
 *
 * For as long as they run, with record_options.on_chunk: each chunk is given away as it comes.
 * It ends when record_options.target.cancel_fd can be read. */
#ifndef FLAMETTY_RECORD_REMOTE_RECORD_H
#define FLAMETTY_RECORD_REMOTE_RECORD_H

#include "record/remote/recorder.h"

struct buf;
struct error;
struct join;

/* A thread of a recorded process. */
struct record_thread {
	int tid;           /* 0: the main thread; otherwise the number of the worker */
	char *title;       /* of the worker; "": the main thread */
	struct join *join; /* what was recorded, */
	struct buf heap;   /* or the heap profile, as JSON */
	/* With record_options.requests: the texts of requests.cjs, a newline after each. */
	struct buf requests;
};

/* A process to record: by pid, or by the address of its inspector. */
struct record_process {
	pid_t pid; /* 0: by address */
	char host[64];
	int port;

	/* The results; to be read when record_is_done(). */
	struct record_thread *threads;
	uint32_t n_threads;
	struct error err; /* nothing was recorded, or a chunk was broken */
	struct buf notes; /* lines for the user */
	struct buf title; /* what the inspector says the program is */
	/* From before the first chunk on: */
	struct buf command; /* its command line; empty: not known */
	pid_t found_pid;    /* its number on this machine; 0: not known */
	pid_t parent;       /* the next process above that runs JavaScript; 0: there is none */
	/* What it waits for at the end, or some seconds ago, in words; empty: not known. */
	struct buf waits;
	bool is_left_open; /* its inspector could not be closed: it does not answer */

	/* Set while it records; for the functions below. */
	int64_t silence_ns;
	int64_t began_ns; /* 0: not yet */
	bool is_done;
};

struct record_options {
	struct target_options target;
	int64_t interval_us;
	int64_t heap_bytes; /* as in struct recorder_options */
	int chunk_ms;
	const char *requests;     /* as in struct recorder_options */
	int64_t duration_ns;      /* 0: until the process ends, or target.cancel_fd can be read */
	int64_t grow_kb, grow_ns; /* as in struct recorder_options; with on_chunk */
	uint32_t most; /* processes, with those of record_add(); 0: there are none of these */
	bool has_workers;
	bool has_waits; /* look what processes wait for, at the end or each 10 seconds */

	/* Not NULL: a chunk has come, and is not joined, or a text of requests, which is not kept.
	 * process: index; chunk->thread counts the threads of a process, each of which keeps its
	 * number. Called on the thread that records the process, for several processes at the same
	 * time. The text is valid during the call. NULL: chunks are joined. */
	void (*on_chunk)(void *ctx, uint32_t process, const struct recorder_chunk *chunk);
	bool joins; /* with on_chunk: they are joined, too, and texts of requests kept */
	/* May be NULL. A text of recorder_options.on_metrics has come. Called on the same thread.
	 */
	void (*on_metrics)(void *ctx, uint32_t process, struct str text);
	/* May be NULL. A line has come for record_process.notes, before the end. Called on the same
	 * thread. */
	void (*on_note)(void *ctx, uint32_t process, const char *text);
	/* May be NULL. The process is recorded, or failed, and its results except `threads` can be
	 * read. Called on the same thread. */
	void (*on_end)(void *ctx, uint32_t process);
	void *ctx;
};

struct record;

/* How a process is recorded. */
struct record_pace {
	int64_t interval_us;
	int chunk_ms;
};

/* Begin. processes and options are borrowed until record_free(). */
struct record *record_start(struct record_process *processes, uint32_t n,
			    const struct record_options *options);

/* Record one more process, or another one in the place of one that has ended, whose results were
 * freed: processes[i], at most behind the last one, i < record_options.most. On the thread that
 * called record_start(). */
void record_add(struct record *r, uint32_t i, pid_t pid);

/* Whether process i is recorded, or failed. */
bool record_has_ended(struct record *r, uint32_t i);

/* From now on record a process in this way. */
void record_set_pace(struct record *r, uint32_t i, struct record_pace pace);

/* Whether all processes are recorded, or failed. Then the results can be read. */
bool record_is_done(struct record *r);

/* When the first process began to be recorded, on the clock of clock_ns(); 0: none yet. And the
 * time since a process owes an answer; 0: none does. */
int64_t record_began(struct record *r);
int64_t record_silence(struct record *r);

/* Wait for the end and free everything except the results. */
void record_free(struct record *r);

/* What stands for the process in names of files: its number, or its port. */
static inline int record_number(const struct record_process *p)
{
	return p->pid ? (int)p->pid : p->found_pid ? (int)p->found_pid : p->port;
}

/* Append the member of a profile that names the process and a thread of it, whose title this is,
 * and tells what the main thread waits for:
 * `"flametty":{"process":"node server.js","parent":12,"thread":"pool-1","waits":"3 timers"},`.
 * Nothing if neither has a name. */
void record_name(const struct record_process *process, const char *title, struct buf *out);

/* Free the results of a process. */
void record_process_done(struct record_process *process);

#endif
