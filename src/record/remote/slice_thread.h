/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slices of one thread of a target: which of them run, and what the thread owes an answer to.
 */
#ifndef FLAMETTY_REMOTE_SLICE_THREAD_H
#define FLAMETTY_REMOTE_SLICE_THREAD_H

#include "record/remote/inspector.h"

struct slice_thread {
	struct inspector *inspector;
	char *session; /* NULL: the main thread */
	char *title;
	int tid;
	bool is_gone;
	/* Calls that have no answer yet; 0: none. */
	int64_t id_begin;      /* begins a slice */
	int64_t id_stop;       /* ends a slice at a change, */
	int64_t id_last;       /* and the last one */
	int64_t id_bridge;     /* begins the recording between two slices, */
	int64_t id_bridge_end; /* and ends it */
	bool is_bridged;       /* that recording runs */
	bool has_bridged;      /* it did run at some time */
	bool has_no_bridge;    /* it cannot be begun */
	/* Not 0: one heap profile instead of slices, with a sample each time this many bytes were
	 * allocated. Set before the first call. */
	int64_t heap_bytes;
	bool is_ending;   /* the last slice was asked for */
	int64_t asked_ns; /* when the oldest call that has no answer was sent; 0: none */
	int64_t began_ns; /* the current slice */
};

/* The name of a worker in its title: Node.js calls them `[worker 2] pool-1`. Empty: it has none. A
 * part of `title`. */
const char *slice_thread_name(const char *title);

/* Prepare a thread that has just come, and begin its first slice. All functions here return false
 * and err if the calls cannot be sent. */
bool slice_thread_set_up(struct slice_thread *t, int64_t interval_us, struct error *err);

/* Begin the first slice. */
bool slice_thread_begin(struct slice_thread *t, struct error *err);

/* Begin the next slice and end the current one. */
bool slice_thread_change(struct slice_thread *t, struct error *err);

/* End the slice that runs, once. Nothing is evaluated for that. */
bool slice_thread_end(struct slice_thread *t, struct error *err);

/* Whether the thread has answered everything: then it may be asked again. */
bool slice_thread_is_quiet(const struct slice_thread *t);

/* Whether the last slice has come. */
bool slice_thread_has_ended(const struct slice_thread *t);

#endif
