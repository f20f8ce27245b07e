/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads events again (event.h) on threads of its own, for an interface that must not wait for a
 * file: reading takes long in a large file, and does not end on a file system that does not answer.
 *
 * Threads: all functions are for one thread, the one that asks. Each event is read on a thread of
 * its own, which uses copies only. No function waits for these threads, except event_reader_read()
 * for a few milliseconds. A thread that is abandoned ends as soon as it can; one that is blocked
 * keeps what it uses. */
#ifndef FLAMETTY_READER_TRACE_EVENT_READER_H
#define FLAMETTY_READER_TRACE_EVENT_READER_H

#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/progress.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_reader;

struct event_reader *event_reader_new(void);

/* Abandon all events, and free what no thread uses. NULL is allowed. */
void event_reader_free(struct event_reader *r);

/* These two are the functions of an event_source of the interface; ctx is a struct event_reader.
 * Get an event as event_read() does. Returns false while it is being read: ask again later. The
 * text is kept until event_reader_forget(). */
bool event_reader_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		       struct buf *out, struct buf *stacks);

/* Abandon the events that were asked for. */
void event_reader_forget(void *ctx);

/* Whether a thread is reading, also one that was abandoned. */
bool event_reader_is_busy(const struct event_reader *r);

/* Where an event is: at byte `offset` of the uncompressed text of a file. Borrows all. */
struct event_place {
	const char *path;
	const struct fingerprint *print; /* of the file when it was loaded */
	int64_t offset;
};

/* Open the file again and append the JSON value at that place to `out`: indented, in visible form,
 * a newline after each line. Text beyond `most` bytes is left out, and a line says so. stacks:
 * the stacks that the event names are appended (model/event_stack.h); may be NULL. progress: may
 * cancel; NULL: none. False when the file is gone, has changed, or was a pipe, and after it was
 * cancelled; both buffers are then as before. */
bool event_copy(const struct event_place *at, struct progress *progress, size_t most,
		struct buf *out, struct buf *stacks, struct error *err) MUST_USE;

/* event_show() of the event at `offset` of an input: the `read` of an event_source of the
 * interface, which waits for the file. ctx is not used. Always returns true. */
bool event_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		struct buf *out, struct buf *stacks);

#endif
