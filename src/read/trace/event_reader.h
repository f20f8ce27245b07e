/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads events again, each as a job (base/thread.h): reading takes long in a large file. */
#ifndef FLAMETTY_READ_TRACE_EVENT_READER_H
#define FLAMETTY_READ_TRACE_EVENT_READER_H

#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/progress.h"
#include "base/thread.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jobs *event_reader_new(void);

/* With jobs_forget() the functions of an event_source of the interface; ctx is a struct jobs. Get
 * an event as event_read() does. Returns false while it is being read: ask again later. */
bool event_reader_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		       struct buf *out, struct buf *stacks);

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
