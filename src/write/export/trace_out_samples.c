/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane of samples in the form in which V8 writes it into traces: a Profile event, then
 * ProfileChunk events with nodes and samples. The reader makes the same lane of it, with two
 * members that V8 does not write into traces: nodes of a whole lane have their hitCount,
 * deoptReason and positionTicks, and the last chunk has the length of the last sample (lastDelta),
 * which other programs take for the average.
 *
 * A lane without a time line has hit counts in place of samples. */
#include "config.h"

#include "write/export/trace_out_samples.h"

#include "write/export/samples_out.h"
#include "write/export/write.h"

#include <inttypes.h>

#define CAT ",\"cat\":\"disabled-by-default-v8.cpu_profiler\",\"name\":"
#define CHUNK_NODES 1000u
#define CHUNK_SAMPLES 10000u

struct chunks {
	struct trace_out *o;
	struct samples_out samples;
	unsigned number; /* of the profile */
	int64_t t;       /* time of the previous sample */
};

static const struct samples_out_form form = { .has_parent = true };

static void begin_chunk(struct chunks *c, int64_t t)
{
	struct trace_out *o = c->o;

	trace_out_begin(o, "P");
	trace_out_time(o, t);
	buf_addf(o->out, CAT "\"ProfileChunk\",\"id\":\"0x%x\",\"args\":{\"data\":{", c->number);
}

static void add_nodes(struct chunks *c)
{
	struct samples_out *s = &c->samples;
	struct buf *out = c->o->out;
	uint32_t n_nodes = s->lane->tree.n;

	for (node_id i = 0; i < n_nodes && sink_step(c->o->sink);) {
		unsigned n = 0;

		begin_chunk(c, c->t);
		buf_adds(out, "\"cpuProfile\":{\"nodes\":[");
		for (; i < n_nodes && n < CHUNK_NODES; i++) {
			if (!s->id[i])
				continue;
			if (n++ > 0)
				buf_addc(out, ',');
			samples_out_node(s, i, &form, out);
		}
		while (i < n_nodes && !s->id[i])
			i++;
		if (i == n_nodes && samples_out_has_gc_node(s)) {
			buf_addc(out, ',');
			samples_out_gc_node(s, &form, out);
		}
		buf_adds(out, "]}}}}");
	}
}

static void add_samples(struct chunks *c)
{
	const struct samples_out *s = &c->samples;
	struct buf *out = c->o->out;

	for (size_t i = s->first; i < s->end && sink_step(c->o->sink);) {
		size_t end = s->end - i < CHUNK_SAMPLES ? s->end : i + CHUNK_SAMPLES;

		begin_chunk(c, samples_out_time(s, i));
		buf_adds(out, "\"cpuProfile\":{\"samples\":[");
		for (size_t k = i; k < end; k++) {
			if (k > i)
				buf_addc(out, ',');
			write_integer(out, samples_out_id(s, k));
		}
		buf_adds(out, "]},\"timeDeltas\":[");
		for (size_t k = i; k < end; k++) {
			int64_t t = samples_out_time(s, k);

			if (k > i)
				buf_addc(out, ',');
			write_us(out, t - c->t);
			c->t = t;
		}
		buf_adds(out, "]}}}");
		i = end;
	}
}

/* Other programs give the last sample the average length. If that of a part is longer, a sample of
 * the root ends it; a whole lane has no more samples than were recorded. */
static void add_end(struct chunks *c)
{
	const struct samples_out *s = &c->samples;
	int64_t n = (int64_t)(s->end - s->first), first, end = s->end_of_last;

	if (s->is_whole || n < 2)
		return;
	first = samples_out_time(s, s->first);
	if (end - c->t <= (c->t - first + (n - 1) / 2) / (n - 1))
		return;
	begin_chunk(c, end);
	buf_addf(c->o->out, "\"cpuProfile\":{\"samples\":[%" PRIu32 "]},\"timeDeltas\":[",
		 s->id[NODE_ROOT]);
	write_us(c->o->out, end - c->t);
	c->t = end;
	buf_adds(c->o->out, "]}}}");
}

/* DevTools shows the time between the first and the last instant event or slice; it does not count
 * ProfileChunk events. */
static void add_instant(struct trace_out *o, const char *what, const char *member, int64_t t)
{
	trace_out_begin(o, "I");
	trace_out_time(o, t);
	buf_addf(o->out,
		 ",\"s\":\"t\"" CAT "\"CpuProfiler::%sProfiling\",\"args\":{\"data\":{\"%s\":",
		 what, member);
	write_us(o->out, t + o->base);
	buf_adds(o->out, "}}}");
}

static void add_profile(struct chunks *c)
{
	struct trace_out *o = c->o;

	add_instant(o, "Start", "startTime", c->t);
	trace_out_begin(o, "P");
	trace_out_time(o, c->t);
	buf_addf(o->out,
		 CAT "\"Profile\",\"id\":\"0x%x\",\"args\":{\"data\":{\"startTime\":", c->number);
	write_us(o->out, c->t + o->base);
	buf_adds(o->out, "}}}");
}

static void add_stop(struct chunks *c)
{
	const struct samples_out *s = &c->samples;
	struct trace_out *o = c->o;

	if (s->t1 < 0)
		return;
	begin_chunk(c, s->t1);
	buf_adds(o->out, "\"endTime\":");
	write_us(o->out, s->t1 + o->base);
	if (s->end > s->first) {
		buf_adds(o->out, ",\"lastDelta\":");
		write_us(o->out, s->end_of_last - c->t);
	}
	buf_adds(o->out, "}}}");
	add_instant(o, "Stop", "endTime", s->t1);
}

void trace_out_samples(struct trace_out *o, const struct lane *lane, unsigned number)
{
	struct chunks c = { .o = o, .number = number };

	if (!samples_out_init(&c.samples, o->profile, lane, &o->options->scope))
		return;
	c.t = c.samples.t0;
	add_profile(&c);
	add_nodes(&c);
	add_samples(&c);
	add_end(&c);
	add_stop(&c);
	samples_out_done(&c.samples);
}
