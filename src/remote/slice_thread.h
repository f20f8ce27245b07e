/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slices of one thread of a target: which of them run, and what the thread owes an answer to.
 */
#ifndef FLAMETTY_REMOTE_SLICE_THREAD_H
#define FLAMETTY_REMOTE_SLICE_THREAD_H

#include "remote/inspector.h"

struct slice_thread {
	struct inspector *inspector;
	char *session; /* NULL: the main thread */
	char *title;
	int tid;
	bool is_gone;
	int turn;          /* which title the current slice has */
	bool is_open[2];   /* a slice of that title runs */
	bool is_ending[2]; /* and was asked to end */
	int64_t id_begin;  /* the call that begins a slice; 0: answered */
	int64_t id_stop;   /* Profiler.stop; 0: answered */
	bool has_begun;    /* a slice has begun at some time */
	bool is_plain;     /* by Profiler.start and Profiler.stop, or a heap profile */
	/* Not 0: one heap profile instead of slices, with a sample each time this many bytes were
	 * allocated. Set before the first call. */
	int64_t heap_bytes;
	bool has_ended;   /* plain: the last slice was asked for */
	int64_t asked_ns; /* when the oldest call that has no answer was sent; 0: none */
	int64_t began_ns; /* the current slice */
};

/* Prepare a thread that has just come, and begin its first slice. All functions here return false
 * and err if the calls cannot be sent. */
bool slice_thread_set_up(struct slice_thread *t, int64_t interval_us, struct error *err);

/* Begin a slice, of the title whose turn it is. */
bool slice_thread_begin(struct slice_thread *t, struct error *err);

/* Begin the next slice and end the current one. */
bool slice_thread_change(struct slice_thread *t, struct error *err);

/* End the slices that run and were not asked to end. Call this until slice_thread_has_ended(): one
 * may be about to begin. */
bool slice_thread_end_all(struct slice_thread *t, struct error *err);

/* Whether the thread has answered everything: then it may be asked again. */
bool slice_thread_is_quiet(const struct slice_thread *t);

/* Whether it has answered everything and no slice runs. */
bool slice_thread_has_ended(const struct slice_thread *t);

#endif
