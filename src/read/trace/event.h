/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads one event of a trace again, on demand. Loading keeps only the offset of an event. */
#ifndef FLAMETTY_READER_TRACE_EVENT_H
#define FLAMETTY_READER_TRACE_EVENT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/progress.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
		struct buf *out, struct buf *stacks, struct error *err);

/* Append an event as event_copy() does, or a line that says why it cannot be read again. */
void event_show(const struct event_place *at, struct progress *progress, struct buf *out,
		struct buf *stacks);

/* event_show() of the event at `offset` of an input: the `read` of an event_source of the
 * interface, which waits for the file. ctx is not used. Always returns true. */
bool event_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		struct buf *out, struct buf *stacks);

#endif
