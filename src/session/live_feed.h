/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running processes that are recorded until the user has seen enough: the last minutes of each
 * thread, and any stretch of them as files to open.
 *
 * Slices come on threads of record/remote/record; all functions here are for the main thread. */
#ifndef FLAMETTY_LIVE_FEED_H
#define FLAMETTY_LIVE_FEED_H

#include "base/wake.h"
#include "cli/run.h"
#include "record/remote/guard.h"
#include "record/remote/record.h"
#include "record/remote/ring.h"

#include <pthread.h>

/* A thread of a process. */
struct live_thread {
	uint32_t process, thread; /* as in record_options.on_slice */
	int tid;
	struct ring *ring;
};

struct live_feed {
	struct run *run;
	struct record_process *processes;
	uint32_t n_processes;
	struct record_options options;
	int64_t duration_ns; /* that the user has asked for; 0: none */
	struct guard guard;
	struct wake cancel;
	struct record *record;
	struct wake *news; /* borrowed; woken by each slice, and at the end */
	char *folder;      /* of the files, while they are there; ends with a slash */
	char **files;      /* those of the last live_feed_write(); they are replaced by the next */
	int n_files;

	pthread_mutex_t lock; /* of all below */
	struct live_thread *threads;
	size_t n_threads, cap_threads;
	uint64_t n_slices;
	uint64_t n_broken; /* slices that could not be read */
	int64_t last_us;   /* the latest sample */
};

/* Begin to record what the arguments name. Returns false if that is not possible; the user was
 * told. live_feed_stop() in both cases. */
bool live_feed_start(struct live_feed *f, struct run *run, struct wake *news);

/* Stop recording, close the inspectors, say what there is to say, and free everything. */
void live_feed_stop(struct live_feed *f);

/* Number of slices so far; and the time of the latest sample, microseconds of CLOCK_MONOTONIC. */
uint64_t live_feed_slices(struct live_feed *f, int64_t *last_us);

/* Whether all processes have ended, or failed. */
bool live_feed_has_ended(struct live_feed *f);

/* Nanoseconds since a process owes an answer; 0: none does. */
int64_t live_feed_silence(struct live_feed *f);

/* The time of the first sample that is kept; 0: there is none. */
int64_t live_feed_first_us(struct live_feed *f);

/* Write the stretch [t0, t1) of all threads as files, and set f->files. All have the whole stretch;
 * where a thread was not recorded, nothing is sampled. Their names tell the wall clock at t0, which
 * should be a whole second. Returns false and err on failure; there may be no files. */
bool live_feed_write(struct live_feed *f, int64_t t0, int64_t t1, struct error *err);

/* Remove these files from the disk; their names stay in f->files. */
void live_feed_remove_files(struct live_feed *f);

/* Write everything that is kept to the user's file or, as files named as Node.js would, into the
 * user's folder. Appends a message, also on failure. */
bool live_feed_save(struct live_feed *f, const char *path, bool is_forced, struct buf *said);

#endif
