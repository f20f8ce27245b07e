/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The range of times of a trace. Some events have times of another clock, or 0. They are kept,
 * but the first window is the part of the trace with most events. Events are counted by days;
 * consecutive days are one part. */
#include "config.h"

#include "reader/trace/trace.h"

#include <stdlib.h>

#define DAY_NS (INT64_C(86400) * 1000000000)

void trace_range_add(struct trace *t, const struct trace_event *e)
{
	struct trace_day *d = &t->days[t->last_day];

	if (e->ts == 0) {
		if (t->n_zero++ == 0)
			t->zero_offset = e->offset;
		return;
	}
	if (e->ts < t->first)
		t->first = e->ts;
	if (e->ts > t->last)
		t->last = e->ts;
	if (!t->n_days || e->ts < d->from || e->ts >= d->from + DAY_NS) {
		int64_t from = (e->ts / DAY_NS - (e->ts % DAY_NS < 0)) * DAY_NS;

		for (t->last_day = 0; t->last_day < t->n_days && t->days[t->last_day].from != from;)
			t->last_day++;
		/* The last day takes the events of all further ones. */
		if (t->last_day == TRACE_DAYS)
			t->last_day--;
		else if (t->last_day == t->n_days)
			t->days[t->n_days++] = (struct trace_day){ .from = from,
								   .first = e->ts,
								   .last = e->ts,
								   .offset = e->offset };
		d = &t->days[t->last_day];
	}
	d->n++;
	if (e->ts < d->first)
		d->first = e->ts;
	if (e->ts > d->last)
		d->last = e->ts;
}

void trace_range_end(struct trace *t, int64_t ts, int64_t end)
{
	if (end > t->last)
		t->last = end;
	if (ts != 0 && end > t->days[t->last_day].last)
		t->days[t->last_day].last = end;
}

static int by_day(const void *a, const void *b)
{
	const struct trace_day *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Join days that are neighbours. Returns the number of parts. */
static size_t join_days(struct trace *t)
{
	size_t n = 0;

	qsort(t->days, t->n_days, sizeof *t->days, by_day);
	for (size_t i = 0; i < t->n_days; i++) {
		struct trace_day *d = &t->days[i], *before = n ? &t->days[n - 1] : NULL;

		if (!before || d->first - before->last > DAY_NS) {
			t->days[n++] = *d;
			continue;
		}
		before->n += d->n;
		before->last = d->last > before->last ? d->last : before->last;
	}
	return n;
}

static void warn(struct trace *t, uint64_t n, int64_t offset)
{
	for (; n > 0; n--)
		builder_warn(t->b, WARN_TIME_ZERO, offset);
}

void trace_range_finish(struct trace *t)
{
	size_t n = join_days(t), best = 0;
	bool is_odd = n > 1;

	if (n == 0)
		return;
	for (size_t i = 1; i < n; i++)
		if (t->days[i].n > t->days[best].n)
			best = i;
	for (size_t i = 0; i < n; i++)
		if (i != best)
			warn(t, t->days[i].n, t->days[i].offset);
	/* Time 0, far from the part, stands for no time. */
	if (t->n_zero &&
	    t->days[best].first > t->days[best].last - t->days[best].first + INT64_C(1000000000)) {
		warn(t, t->n_zero, t->zero_offset);
		is_odd = true;
	} else if (t->n_zero && t->first > 0) {
		t->first = 0;
	}
	if (is_odd && !t->has_window)
		track_builder_window(t->b, t->days[best].first, t->days[best].last);
}
