/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One C event for each time at which a series has a value, with the values of all series that have
 * one then. */
#include "config.h"

#include "write/export/trace_out_counter.h"

#include "base/alloc.h"
#include "write/export/write.h"

#include <stdlib.h>

static void add_values(struct trace_out *o, const struct lane *lane, size_t *at, int64_t t)
{
	bool is_later = false;

	trace_out_begin(o, "C");
	trace_out_time(o, t);
	buf_adds(o->out, ",\"cat\":\"counter\",\"name\":");
	write_string(o->out, o->profile, lane->title);
	buf_adds(o->out, ",\"args\":{");
	for (uint32_t i = 0; i < lane->n_series; i++) {
		const struct series *s = &lane->series[i];

		/* Of several values at one time the last one counts. */
		if (at[i] >= s->n || s->t[at[i]] != t)
			continue;
		while (at[i] + 1 < s->n && s->t[at[i] + 1] == t)
			at[i]++;
		if (is_later)
			buf_addc(o->out, ',');
		is_later = true;
		write_string(o->out, o->profile, s->name);
		buf_addf(o->out, ":%.17g", s->value[at[i]++]);
	}
	buf_adds(o->out, "}}");
}

void trace_out_counter(struct trace_out *o, const struct lane *lane)
{
	size_t *at = xcalloc(lane->n_series ? lane->n_series : 1, sizeof *at);

	for (;;) {
		int64_t t = INT64_MAX;

		for (uint32_t i = 0; i < lane->n_series; i++)
			if (at[i] < lane->series[i].n && lane->series[i].t[at[i]] < t)
				t = lane->series[i].t[at[i]];
		if (t >= o->options->scope.t1 || !sink_step(o->sink))
			break;
		add_values(o, lane, at, t);
	}
	free(at);
}
