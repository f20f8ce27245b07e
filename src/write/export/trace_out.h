/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the trace writer, and the parts that all its events begin with. Above it stand
 * trace_out_spans, trace_out_counter and trace_out_samples, one for each kind of lane, and above
 * those export_trace.c, which calls them lane by lane. */
#ifndef FLAMETTY_WRITE_EXPORT_TRACE_OUT_H
#define FLAMETTY_WRITE_EXPORT_TRACE_OUT_H

#include "base/json/json_writer.h"
#include "model/profile.h"
#include "write/export/export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lane_ids {
	int64_t pid, tid;
	bool is_new; /* an invented number that no lane before it has */
};

/* The places of all lanes; the caller frees them. is_split: samples get a thread of their own if
 * their thread has slices. */
struct lane_ids *places_of(const struct profile *profile, bool is_split);

struct trace_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct json_writer w;
	const struct lane_ids *places; /* by lane */
	uint32_t lane;                 /* the lane that is being written */
	int64_t base;                  /* ns: time of the trace at time 0 of the profile */
	struct buf texts;              /* the members of events that depend on the frame only */
	struct {
		size_t at, len;
	} * text_of; /* by frame, in `texts`; len 0: not made yet */
	uint64_t n_async;
	bool *is_copied;       /* by input */
	uint32_t first_copied; /* the input whose events come first */
};

/* Begin an event of the current lane: `{"ph":"X","pid":1,"tid":1`. */
void trace_out_begin(struct trace_out *o, const char *phase);

/* The member `ts`: a time. */
struct json_item trace_out_time(const struct trace_out *o, int64_t t);

/* `,"name":"f","cat":"app","args":{"url":"file:///x.js","line":1,"column":1}` */
void trace_out_frame(struct trace_out *o, frame_id frame);

#endif
