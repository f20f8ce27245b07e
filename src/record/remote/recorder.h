/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records a target in chunks: CPU profiles of about a second each, of the main thread and its
 * workers. Between two chunks of a thread is a short one that overlaps both, so that no time is
 * lost. They run on one sampler of the target, so a sample is in both with the same time.
 *
 * Short chunks keep the target free: to end a profile, V8 builds and sends its call tree, and the
 * program stands still for that time. */
#ifndef FLAMETTY_RECORD_REMOTE_RECORDER_H
#define FLAMETTY_RECORD_REMOTE_RECORDER_H

#include "record/remote/target.h"

#include <stdint.h>

struct error;
struct socket_watch;
struct str;

/* A chunk with more bytes ends the recording, as does a target that has grown by GROWTH_MAX_KB: it
 * would stand still for seconds, or run out of memory. */
#define RECORDER_CHUNK_MAX ((size_t)8 << 20)

struct recorder_chunk {
	uint32_t thread;    /* index of the thread in the recorder; 0: the main thread */
	int tid;            /* number of the worker; 0: the main thread */
	const char *title;  /* of the worker; "": the main thread */
	struct str profile; /* V8's CPU profile as JSON; CURSOR_PAD bytes after it can be read */
	/* Instead of a profile: a text of requests.cjs or of socket_watch.h. */
	struct str requests;
	/* If this is 1, or 2 some time later, `profile` is a heap profile: what was allocated since
	 * the memory has grown by grown_kb in grown_ns, and is alive. Else 0. */
	unsigned heap_part;
	int64_t grown_kb, grown_ns;
};

struct recorder_options {
	int64_t interval_us; /* between samples */
	int chunk_ms;        /* length of a chunk */
	/* Not 0: heap profiles instead of CPU profiles, with a sample each time this many bytes
	 * were allocated. chunk_ms must be longer than the recording. */
	int64_t heap_bytes;
	bool has_workers; /* record workers, too */
	/* Not NULL: follow its requests. A JSON object without its closing brace: the settings of
	 * requests.cjs. Its texts are passed to on_chunk(). */
	const char *requests;
	/* Not 0: when the resident memory of the process grows by this within grow_ns, take two
	 * heap profiles of its main thread. Needs a process of this machine. */
	int64_t grow_kb, grow_ns;
	/* Not NULL: measure the main thread and its process once a second. Gets the texts of
	 * request_pull_begin_metrics(). */
	void (*on_metrics)(void *ctx, struct str text);
	struct socket_watch *watch; /* with requests: what the kernel tells; NULL: nothing */
	/* The target may grow over hours by itself: only its growth within a minute counts. */
	bool has_no_end;
	void (*on_chunk)(void *ctx, const struct recorder_chunk *chunk);
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
bool recorder_begin(struct recorder *r, struct error *err) MUST_USE;

/* Take what the target sends, and change chunks when it is time, until the deadline
 * (connection_deadline()). */
enum recorder_news recorder_run(struct recorder *r, int64_t deadline);

/* From the next change of chunks on, which is now, sample and change at other distances. Between
 * the two chunks some milliseconds are missing. */
void recorder_set_pace(struct recorder *r, int64_t interval_us, int chunk_ms);

/* End all chunks and take the last ones: waits for them at most `ms` milliseconds; not for those of
 * workers of a target that leaves. Returns false if some did not come. */
bool recorder_end(struct recorder *r, int ms);

/* Nanoseconds since the target should have answered; 0: it owes no answer. */
int64_t recorder_silence(const struct recorder *r);

#define GROWTH_MAX_KB ((int64_t)256 << 10)

/* Count a worker that ended `ns` after the recording began. Appends a line to `line`, without a
 * newline, for the first LOSSES_NAMED of them. */
#define LOSSES_NAMED 5

/* The name of a worker in its title: Node.js calls them `[worker 2] pool-1`. Empty: it has none. A
 * part of `title`. */
const char *chunk_thread_name(const char *title);

#endif
