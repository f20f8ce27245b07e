/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A glance at the beginning and the end of a trace: which processes it is of, and when its events
 * were written. By that a file is found to continue another one. */
#ifndef FLAMETTY_READ_TRACE_TRACE_PEEK_H
#define FLAMETTY_READ_TRACE_TRACE_PEEK_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_PEEK_PIDS 8

struct trace_peek {
	int64_t pids[TRACE_PEEK_PIDS]; /* the first few */
	size_t n_pids;
	/* If has_times: median times of writing, in ns of the file's clock, of events at the
	 * beginning and at the end. Events of several threads are written in turn, so single times
	 * would mislead. Without trace_peek_end(), the end is the last time at the beginning. */
	int64_t begin, end;
	bool has_times;
	bool is_v8; /* its events are in the form that V8 writes, and so Node.js */
};

/* Whether a text is none that trace_peek_begin() takes, by its first bytes, which may end anywhere:
 * it is an object that begins with another member. CURSOR_PAD bytes behind it can be read. */
bool trace_peek_is_other(struct str head);

/* Look at the beginning of a text. False: it is no trace with a member traceEvents, or its first
 * events have no process. After the text, CURSOR_PAD bytes must be readable. */
bool trace_peek_begin(struct str text, struct trace_peek *g);

/* Look at the end of the same text: at some last bytes of it, which may begin within an event. The
 * same bytes must be readable after it. */
void trace_peek_end(struct str text, struct trace_peek *g);

/* Whether a trace continues another one: they have a process in common, and it begins in the
 * second half of the other one or after it, but not days after. */
bool trace_peek_continues(const struct trace_peek *before, const struct trace_peek *after);

#endif
