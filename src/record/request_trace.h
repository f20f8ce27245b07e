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

#include "base/str.h"

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
};

/* A stretch of time [t0, t1), us of CLOCK_MONOTONIC. */
struct request_range {
	int64_t t0, t1;
};

#define REQUEST_RANGE_ALL ((struct request_range){ INT64_MIN, INT64_MAX })

struct request_counts {
	uint64_t n_served, n_calls, n_waits;
	uint64_t n_lost;   /* events for which the script had no room, */
	uint64_t n_errors; /* that failed inside it, */
	uint64_t n_unseen; /* streams of HTTP/2 that Node.js 18 and 20 do not tell of, */
	uint64_t n_broken; /* and texts that are none */
};

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
