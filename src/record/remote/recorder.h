/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records a target in slices: CPU profiles of about a second each, of the main thread and its
 * workers. Between two slices of a thread is a short one that overlaps both, so that no time is
 * lost. They run on one sampler of the target, so a sample is in both with the same time.
 *
 * Short slices keep the target free: to end a profile, V8 builds and sends its call tree, and the
 * program stands still for that time. */
#ifndef FLAMETTY_REMOTE_RECORDER_H
#define FLAMETTY_REMOTE_RECORDER_H

#include "record/remote/target.h"

/* A slice with more bytes ends the recording, as does a target that has grown by GROWTH_MOST_KB: it
 * would stand still for seconds, or run out of memory. */
#define RECORDER_SLICE_MOST ((size_t)8 << 20)

struct recorder_slice {
	uint32_t thread;    /* index of the thread in the recorder; 0: the main thread */
	int tid;            /* number of the worker; 0: the main thread */
	const char *title;  /* of the worker; "": the main thread */
	struct str profile; /* V8's CPU profile as JSON; CURSOR_PAD bytes after it can be read */
};

struct recorder_options {
	int64_t interval_us; /* between samples */
	int slice_ms;        /* length of a slice */
	/* Not 0: heap profiles instead of CPU profiles, with a sample each time this many bytes
	 * were allocated. slice_ms must be longer than the recording. */
	int64_t heap_bytes;
	bool has_workers; /* record workers, too */
	/* The target may grow over hours by itself: only its growth within a minute counts. */
	bool has_no_end;
	void (*on_slice)(void *ctx, const struct recorder_slice *slice);
	/* Something that the user should know; text for people. */
	void (*on_note)(void *ctx, const char *text);
	void *ctx;
};

enum recorder_news {
	RECORDER_GOES_ON,  /* the deadline has come */
	RECORDER_STOPPED,  /* by itself; on_note() was told why */
	RECORDER_GONE,     /* the target has ended, or its connection */
	RECORDER_LEAVES,   /* the target has ended, and waits for recorder_end() */
	RECORDER_CANCELLED /* the user has cancelled */
};

struct recorder;

/* Borrows target and options. The caller frees it. */
struct recorder *recorder_new(struct target *target, const struct recorder_options *options);
void recorder_free(struct recorder *r);

/* Begin to record. Returns false and err if the target refuses or does not answer. */
bool recorder_begin(struct recorder *r, struct error *err);

/* Take what the target sends, and change slices when it is time, until the deadline
 * (connection_deadline()). */
enum recorder_news recorder_run(struct recorder *r, int64_t deadline);

/* End all slices and take the last ones: waits for them at most `ms` milliseconds; not for those of
 * workers of a target that leaves. Returns false if some did not come. */
bool recorder_end(struct recorder *r, int ms);

/* Nanoseconds since the target should have answered; 0: it owes no answer. */
int64_t recorder_silence(const struct recorder *r);

#endif
