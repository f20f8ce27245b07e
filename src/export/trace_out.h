/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the trace writer, shared by its files: trace_out.c for names and the order of things,
 * trace_out_spans.c for what has spans, trace_out_samples.c for CPU profiles. */
#ifndef FLAMETTY_EXPORT_TRACE_OUT_H
#define FLAMETTY_EXPORT_TRACE_OUT_H

#include "export/common.h"
#include "export/places.h"

#include <stddef.h>

struct trace_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct buf *out;
	const struct place *places; /* by lane */
	uint32_t lane;              /* the one that is written */
	int64_t base;               /* ns: clock of the trace at time 0 of the profile */
	struct buf texts;           /* what each frame adds to an event: name, category, place */
	struct {
		size_t at, len;
	} * text_of; /* by frame; len 0: not made yet */
	uint64_t n_async;
	bool *is_copied; /* by input */
	bool is_later;   /* an event stands before */
};

/* Begin an event of the lane that is written: `{"ph":"X","pid":1,"tid":1`. */
void trace_out_begin(struct trace_out *o, const char *phase);

/* `,"ts":12` */
void trace_out_time(struct trace_out *o, int64_t t);

/* `,"name":"f","cat":"app","args":{"url":"file:///x.js","line":1,"column":1}` */
void trace_out_frame(struct trace_out *o, frame_id frame);

void trace_out_spans(struct trace_out *o, const struct lane *lane);
void trace_out_async(struct trace_out *o, const struct lane *lane);
void trace_out_marks(struct trace_out *o, const struct lane *lane);
void trace_out_counter(struct trace_out *o, const struct lane *lane);
void trace_out_samples(struct trace_out *o, const struct lane *lane, unsigned number);

#endif
