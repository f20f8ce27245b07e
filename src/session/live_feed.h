/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is recorded for a live picture: the last minutes of the threads, which are written as files
 * to be loaded. All times are microseconds of CLOCK_MONOTONIC. */
#ifndef FLAMETTY_SESSION_LIVE_FEED_H
#define FLAMETTY_SESSION_LIVE_FEED_H

#include "base/error.h"
#include "record/recording.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct run;

struct live_thread;
struct metric_log;
struct live_requests;

/* Of what the texts of all threads told. */
struct live_requests_list {
	struct live_requests *list;
	size_t n, cap;
};

/* What is known of a process beside its recording. */
struct live_process {
	struct metric_log *log; /* NULL: it is gone, and another one may take its place */
	char *name;
	bool is_worker;   /* of a cluster, */
	pid_t parent;     /* whose primary is this */
	int64_t ended_ns; /* when it was seen that it is not recorded any more; 0: it is */
	struct buf state; /* why not; empty: it is */
};

#define LIVE_ALL UINT32_MAX /* no process is shown by itself */

struct live_feed {
	struct run *run;
	/* Several: all are measured, and sampled at long intervals; one of them, or none, is
	 * recorded as usual. Others may come. */
	bool is_many;
	uint32_t shown;   /* which one; LIVE_ALL: none */
	int64_t usual_us; /* between its samples */
	struct recording_seen seen;
	int64_t looked_ns;
	struct record_process *processes; /* may have zeroed ones, which are gone */
	struct live_process *lives;       /* one for each */
	uint32_t n_processes;
	struct record_options options;
	int64_t duration_ns; /* that the user has asked for; 0: none */
	struct recording recording;
	struct record *record;
	struct wake *news; /* borrowed; woken by each chunk, and at the end */
	char *folder;      /* of the files, while they are there */
	char **files;      /* those that were loaded last, or are being loaded */
	int n_files;
	char **written; /* those of live_feed_write(), until live_feed_take_files() */
	int n_written;
	struct live_requests_list requests; /* of live_feed_write() */

	/* Of what is here; who writes files has it for some time. `lock` may be taken inside. */
	pthread_mutex_t rings_lock;
	struct live_thread *threads;
	size_t n_threads, cap_threads;
	struct request_counts counts; /* of threads that were forgotten */
	bool is_over;                 /* chunks that come now are not kept */

	pthread_mutex_t lock; /* of all below; held for moments only */
	uint64_t n_chunks;    /* of the thread that is shown; of all: texts of metrics */
	uint64_t n_broken;    /* chunks that could not be read */
	struct buf note;      /* the last line that was not shown yet */
	int64_t last_us;      /* the latest sample */
};

/* Number of chunks so far; and the time of the latest sample, microseconds of CLOCK_MONOTONIC. */
uint64_t live_feed_chunks(struct live_feed *f, int64_t *last_us);

/* Look for processes that have begun or ended, if it is time. Of several only. */
void live_feed_look(struct live_feed *f);

/* Show a process of several, or LIVE_ALL. It is recorded as usual from now on. */
void live_feed_show(struct live_feed *f, uint32_t process);

/* The process with a number; LIVE_ALL: there is none. */
uint32_t live_feed_find(const struct live_feed *f, int64_t pid);

/* Whether what is shown is not recorded any more. */
bool live_feed_is_over(struct live_feed *f);

/* Remove these files from the disk; their names stay in f->files. */
void live_feed_remove_files(struct live_feed *f);

/* Let the files be those that were written last. */
void live_feed_take_files(struct live_feed *f);

/* Write the stretch [t0, t1) of all threads as files, and set f->written. is_all: it is all that is
 * kept; of what is not, none may begin before the one before it. All files have the whole stretch;
 * where a thread was not recorded, nothing is sampled. Their names tell the wall clock at t0, which
 * should be a whole second. Returns false and err on failure; there may be no files. For any
 * thread, one at a time. */
bool live_feed_write(struct live_feed *f, bool is_all, int64_t t0, int64_t t1, struct error *err);

/* The time of the first sample that is kept; 0: there is none. */
int64_t live_feed_first_us(struct live_feed *f);

/* Write everything that is kept to the user's file or, as files named as Node.js would, into the
 * user's folder. Appends a message, also on failure. */
bool live_feed_save(struct live_feed *f, const char *path, bool is_forced, struct buf *said);

/* Begin to record what the arguments name. Returns false if that is not possible; the user was
 * told. live_feed_stop() in both cases. */
bool live_feed_start(struct live_feed *f, struct run *run, struct wake *news);

/* Stop recording, close the inspectors, say what there is to say, and free everything. */
void live_feed_stop(struct live_feed *f);

#endif
