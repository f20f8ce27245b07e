/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads events again, each as a job (base/thread.h): reading takes long in a large file. */
#ifndef FLAMETTY_READ_TRACE_EVENT_READER_H
#define FLAMETTY_READ_TRACE_EVENT_READER_H

#include "base/buf.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

struct jobs;

struct jobs *event_reader_new(void);

/* With jobs_forget() the functions of an event_source of the interface; ctx is a struct jobs. Get
 * an event as event_read() does. Returns false while it is being read: ask again later. */
bool event_reader_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		       struct buf *out, struct buf *stacks);

/* With jobs_forget(), `find` and `stop` of an event_source: search the files of a profile for
 * events by a pattern with its word (base/pattern.h). is_here: without a thread. */
struct jobs *event_search_new(bool is_here);
const struct event_hits *event_search(void *ctx, const struct profile *profile, const char *pattern,
				      bool is_plain, int *percent);

/* Append the event at `offset` of an input, and the stacks that it names (model/event_stack.h), or
 * a line that says why it cannot be read again: the `read` of an event_source of the interface,
 * which waits for the file. ctx is not used. Always returns true. */
bool event_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		struct buf *out, struct buf *stacks);

#endif
