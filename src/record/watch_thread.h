/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One thread of a watched process: its last chunks, what happens in them, and the profile around
 * that. Everything here runs on the thread of the caller; times are microseconds of CLOCK_MONOTONIC
 * where the name ends with _us. */
#ifndef FLAMETTY_RECORD_WATCH_THREAD_H
#define FLAMETTY_RECORD_WATCH_THREAD_H

#include "analyse/shares.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "findings/stalls.h"
#include "record/remote/ring.h"
#include "record/watch_line.h"
#include "source/maps.h"

#include <stdbool.h>
#include <stdint.h>

/* A zeroed struct has no folder. */
struct watch_files {
	const char *folder; /* NULL: no files are written. Borrowed */
	uint32_t most;      /* files in the folder; then the oldest is removed for a new one */
	uint32_t n;         /* in the folder, with those to be written */
	uint32_t number;    /* of the last file, from 1 on */
	/* The names of those that may be removed, the oldest first: the list of stalls has them. */
	char **own;
	size_t n_own, cap_own;
	int list;         /* the list of stalls, read/stalls.c; -1: no line was written */
	bool is_list_cut; /* its last line has no end */
	int64_t list_len; /* bytes; at WATCH_LIST_MAX its older half goes */
	unsigned n_cuts;  /* how often that was */
	bool has_failed;  /* the list cannot be written, as was told */
};

#define WATCH_LIST_MAX (8 << 20)

/* Make the folder if it is missing, and count the profiles that it has: the program may have been
 * started again. Returns false and err if nothing can be written there. */
bool watch_files_open(struct watch_files *files, const char *folder, uint32_t most,
		      struct error *err) MUST_USE;
void watch_files_done(struct watch_files *files);

/* Append a line to the list of stalls, without the directory of its file. Returns false and err on
 * the first failure. */
bool watch_files_note(struct watch_files *files, const struct watch_line *line,
		      struct error *err) MUST_USE;

#define WATCH_LIMIT_LINES 10

struct watch_limit {
	int64_t times[WATCH_LIMIT_LINES]; /* of the last lines, as a ring */
	uint64_t n;                       /* lines so far */
	/* Stalls without a line, since the last time that they were told. */
	uint64_t n_left;
	int64_t longest_ns, first_ns;
};

/* A limit for a share of the time. */
struct watch_share {
	double limit;      /* 0 to 1; more: there is none */
	int64_t window_ns; /* of the time that it is about */
};

/* What all threads have in common. Borrowed from the caller, and not changed by it. */
struct watch_thread_options {
	int64_t stall_ns;    /* INT64_MAX: stalls do not matter */
	int64_t interval_us; /* between samples */
	int64_t keep_ns;     /* what a file has around an event: two thirds before, a third after */
	struct watch_share gc, busy;
	struct maps_options maps;
	struct watch_files *files;
	struct watch_limit *limit;
	/* An event; its texts are valid during the call. The caller sets pid and address. */
	void (*on_line)(void *ctx, struct watch_line *line);
	/* Something went wrong; text for people. */
	void (*on_error)(void *ctx, const char *text);
};

struct watch_thread {
	const struct watch_thread_options *options;
	void *ctx; /* of on_line and on_error */
	int pid;   /* for names of files: of the process, or the port of its inspector */
	int tid;
	struct ring *ring;
	struct stalls stalls;
	struct shares gc, busy;
	int64_t done_us; /* what was looked at ends here; 0: nothing was */
	int64_t open_ns; /* beginning of the stall that was reported while it went on; 0: none */
	/* The file to be written: a stretch of the ring. */
	bool has_file;
	int64_t file_t0_us, file_t1_us;
	uint64_t n_file_events;
	struct buf file;
};

/* is_started: the program was running for some time: start-up is over. */
void watch_thread_init(struct watch_thread *thread, const struct watch_thread_options *options,
		       void *ctx, int pid, int tid, bool is_started);

/* Add the next chunk: V8's CPU profile, CURSOR_PAD bytes after which can be read. */
void watch_thread_add(struct watch_thread *thread, struct str profile);

/* There are no more chunks: end what goes on, write what is to be written, free everything. */
void watch_thread_end(struct watch_thread *thread);

#endif
