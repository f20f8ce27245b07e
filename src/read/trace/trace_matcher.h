/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs the events of threads, one after the other. Several matchers may work at the same time, on
 * different threads: each changes only the pairs of its thread, and reads the texts of the trace.
 */
#ifndef FLAMETTY_READER_TRACE_TRACE_MATCHER_H
#define FLAMETTY_READER_TRACE_TRACE_MATCHER_H

struct progress_shared;
struct trace;
struct trace_matcher;
struct trace_thread;

/* progress: gets the events that were paired; may be NULL. */
struct trace_matcher *trace_matcher_new(const struct trace *t, struct progress_shared *progress);

/* Set `partner` of all events of a thread, and its pair_warnings. */
void trace_matcher_pair(struct trace_matcher *m, struct trace_thread *thread);
void trace_matcher_free(struct trace_matcher *m);

#endif
