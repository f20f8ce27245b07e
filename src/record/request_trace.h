/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The requests of a recording as a trace. A script in the recorded process tells what it serves and
 * waits for; requests.cjs describes its text. The trace has, in Chrome's format and on the clock of
 * the CPU profiles (microseconds of CLOCK_MONOTONIC):
 *
 *     http.server   async events, one for each request that the process serves: `GET /users/:id`
 *     http.client   the same for its calls of other servers: `GET 10.0.0.7:8080/inventory/:n`
 *     socket        waits on connections of other protocols: `pg 10.0.0.9:5432`
 *     dns, connect, thread pool   the same
 *     request.cpu   slices of the thread: the request that it runs for
 *
 * The args have method, path, route, status, host, and `request`: the id of the request that
 * caused it. */
#ifndef FLAMETTY_RECORD_REQUEST_TRACE_H
#define FLAMETTY_RECORD_REQUEST_TRACE_H

#include "record/request_reader.h"

#include <stdbool.h>
#include <stdint.h>

struct error;
struct run;
struct sink;

/* A thread of a process. Texts are borrowed. */
struct request_source {
	int64_t pid, tid;    /* tid: 0: the main thread; otherwise the number of the worker */
	const char *process; /* "": not known */
	const char *thread;  /* "": it has no name */
	struct str texts;    /* of pull(), each with a newline after it */
	/* Borrowed. It has what the texts before these told, takes these, and forgets what ended
	 * seconds before the range: no later range may begin earlier. NULL: these are all texts. */
	struct request_reader *reader;
};

/* Call say() with a line for each kind of what is missing. */
void request_trace_lacks(const struct request_counts *counts,
			 void (*say)(void *ctx, const char *line), void *ctx);

/* A say() that prints a warning. */
void request_trace_warn(void *ctx, const char *line);

/* Write the trace of some threads, cut to a range: what began before it was `open`, what ends after
 * it is `unfinished`. Texts of any bytes are allowed: what is broken is counted and passed. */
void request_trace_write(const struct request_source *sources, size_t n, struct request_range range,
			 struct sink *sink, struct request_counts *counts);

/* Write it to a file. Returns false and err on failure. */
bool request_trace_file(const struct request_source *sources, size_t n, struct request_range range,
			const char *path, bool is_forced, struct request_counts *counts,
			struct error *err);

/* Write all of it to a file, and warn of what it lacks. Returns false if that is not possible; the
 * user was told. */
bool request_trace_save(struct run *run, const struct request_source *sources, size_t n,
			const char *path);

#endif
