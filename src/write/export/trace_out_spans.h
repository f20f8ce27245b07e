/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes of spans as trace events. */
#ifndef FLAMETTY_EXPORT_TRACE_OUT_SPANS_H
#define FLAMETTY_EXPORT_TRACE_OUT_SPANS_H

#include "write/export/trace_out.h"

/* Write samples or slices of a thread: an X event for each span. */
void trace_out_spans(struct trace_out *o, const struct lane *lane);

/* Write an async track: b and e events. */
void trace_out_spans_async(struct trace_out *o, const struct lane *lane);

/* Write marks: I events. */
void trace_out_spans_marks(struct trace_out *o, const struct lane *lane);

#endif
