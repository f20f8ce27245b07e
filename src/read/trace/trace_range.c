/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder leaves out what is far from the rest (model/build/stray.h), with what was drawn from
 * or to it. */
#include "config.h"

#include "read/trace/trace.h"

void trace_range_add(struct trace *t, const struct trace_event *e)
{
	if (e->ts < t->first)
		t->first = e->ts;
	if (e->ts > t->last)
		t->last = e->ts;
}

void trace_range_end(struct trace *t, int64_t end)
{
	if (end > t->last)
		t->last = end;
}
