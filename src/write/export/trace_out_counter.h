/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters as trace events. */
#ifndef FLAMETTY_EXPORT_TRACE_OUT_COUNTER_H
#define FLAMETTY_EXPORT_TRACE_OUT_COUNTER_H

#include "write/export/trace_out.h"

/* Write a counter lane: C events. */
void trace_out_counter(struct trace_out *o, const struct lane *lane);

#endif
