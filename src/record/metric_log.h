/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is measured of a process while it is recorded: load, delay and memory once a second; from
 * its chunks the longest task, garbage collection and its busiest own function; from the texts of
 * its requests how many there are and how long they take. It is written as counters of a trace
 * (model/metrics.h). Functions may be called on any thread, those that add on one at a time. Times
 * are microseconds of CLOCK_MONOTONIC. */
#ifndef FLAMETTY_RECORD_METRIC_LOG_H
#define FLAMETTY_RECORD_METRIC_LOG_H

#include "base/buf.h"
#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

struct metric_log;

/* keep_us: how long metrics are kept; 0: all are. The caller frees it. */
struct metric_log *metric_log_new(int64_t keep_us);
void metric_log_free(struct metric_log *log);

/* Add a text of request_pull_begin_metrics(), a chunk of the main thread, and a text of
 * requests.cjs. */
void metric_log_pull(struct metric_log *log, struct str text);
void metric_log_chunk(struct metric_log *log, struct str text);
void metric_log_requests(struct metric_log *log, struct str text);

/* The time of the last pull; 0: there was none. */
int64_t metric_log_last(struct metric_log *log);

/* A process, for the trace. Texts are borrowed. */
struct metric_process {
	struct metric_log *log; /* NULL: none is kept */
	int64_t pid;
	const char *name;         /* NULL: another file of the recording has it */
	const char *role, *state; /* a mark each; "": none */
};

/* The time of the first pull of n processes; 0: there was none. */
int64_t metric_log_first(const struct metric_process *processes, size_t n);

/* Append a trace with the events of [t0, t1); of processes without a log there are none. What is
 * known at t0 is written with that time. */
void metric_log_write(const struct metric_process *processes, size_t n, int64_t t0, int64_t t1,
		      struct buf *out);

/* Append a line for people: the means, and the worst. Nothing if there are no metrics. */
void metric_log_sum(struct metric_log *log, struct buf *out);

#endif
