/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane of samples in the form in which V8 writes it into traces: a Profile event, then
 * ProfileChunk events with nodes and samples. Only line ticks are lost.
 *
 * The reader moves garbage collection from the root onto the stack before it. This writer puts it
 * below the root again, as V8 does. */
#include "config.h"

#include "export/trace_out_samples.h"

#include "base/alloc.h"
#include "export/cut.h"
#include "export/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CAT ",\"cat\":\"disabled-by-default-v8.cpu_profiler\",\"name\":"
#define CHUNK_NODES 1000u
#define CHUNK_SAMPLES 10000u

struct samples_out {
	struct trace_out *o;
	const struct lane *lane;
	unsigned number; /* of the profile */
	uint32_t *
		id; /* by node, from 1, because some programs take 0 for no node; 0: out of scope */
	uint32_t n_ids;
	uint32_t gc; /* id of garbage collection below the root; 0: none */
	frame_id gc_frame;
	int64_t t;         /* time of the previous sample */
	size_t first, end; /* samples in the scope */
};

static void number_nodes(struct samples_out *s)
{
	uint32_t n = s->lane->tree.n;
	uint8_t *is_used = cut_nodes(s->o->profile, s->lane, &s->o->options->scope);

	s->id = xcalloc(n, sizeof *s->id);
	for (node_id i = 0; i < n; i++)
		if (is_used[i] || i == NODE_ROOT)
			s->id[i] = ++s->n_ids;
	free(is_used);
}

static bool is_gc(const struct samples_out *s, node_id node)
{
	return profile_node_frame(s->o->profile, s->lane, node)->category == CATEGORY_GC;
}

static void begin_chunk(struct samples_out *s, int64_t t)
{
	struct trace_out *o = s->o;

	trace_out_begin(o, "P");
	trace_out_time(o, t);
	buf_addf(o->out, CAT "\"ProfileChunk\",\"id\":\"0x%x\",\"args\":{\"data\":{", s->number);
}

static void add_node(struct samples_out *s, uint32_t id, uint32_t parent, frame_id frame)
{
	const struct profile *p = s->o->profile;
	const struct frame *f = profile_frame(p, frame);
	const char *name = profile_text(p, f->name), *script = profile_text(p, f->script);
	struct buf *out = s->o->out;
	bool is_number = *script && strlen(script) < 10 && script[0] != '0' &&
		strspn(script, "0123456789") == strlen(script);

	buf_addf(out, "{\"id\":%" PRIu32, id);
	if (parent)
		buf_addf(out, ",\"parent\":%" PRIu32, parent);
	buf_adds(out, ",\"callFrame\":{\"functionName\":");
	if (strcmp(name, "(anonymous)") == 0)
		buf_adds(out, "\"\"");
	else
		write_string(out, p, f->name);
	buf_adds(out, ",\"scriptId\":");
	if (f->script && !is_number)
		write_string(out, p, f->script);
	else
		buf_adds(out, is_number ? script : "0");
	if (f->url) {
		buf_adds(out, ",\"url\":");
		write_string(out, p, f->url);
	}
	if (f->line > 0)
		buf_addf(out, ",\"lineNumber\":%" PRId32, f->line - 1);
	if (f->column > 0)
		buf_addf(out, ",\"columnNumber\":%" PRId32, f->column - 1);
	buf_adds(out, "}}");
}

/* A node of the lane. If it is garbage collection, remember its id and frame. */
static void add_lane_node(struct samples_out *s, node_id i)
{
	const struct calltree *tree = &s->lane->tree;

	add_node(s, s->id[i], i ? s->id[tree->parent[i]] : 0, tree->frame[i]);
	if (i && is_gc(s, i)) {
		if (tree->parent[i] == NODE_ROOT)
			s->gc = s->id[i];
		s->gc_frame = tree->frame[i];
	}
}

static void add_nodes(struct samples_out *s)
{
	const struct calltree *tree = &s->lane->tree;

	for (node_id i = 0; i < tree->n && sink_step(s->o->sink);) {
		unsigned n = 0;

		begin_chunk(s, s->t);
		buf_adds(s->o->out, "\"cpuProfile\":{\"nodes\":[");
		for (; i < tree->n && n < CHUNK_NODES; i++) {
			if (!s->id[i])
				continue;
			if (n++ > 0)
				buf_addc(s->o->out, ',');
			add_lane_node(s, i);
		}
		while (i < tree->n && !s->id[i])
			i++;
		if (i == tree->n && !s->gc && s->gc_frame) {
			s->gc = s->n_ids + 1;
			buf_addc(s->o->out, ',');
			add_node(s, s->gc, s->id[NODE_ROOT], s->gc_frame);
		}
		buf_adds(s->o->out, "]}}}}");
	}
}

/* The node id of a sample. */
static uint32_t sample_id(const struct samples_out *s, size_t i)
{
	const struct samples *samples = &s->lane->samples;
	node_id leaf = samples->leaf[i], below;

	if (i == s->first || leaf == NODE_ROOT || !is_gc(s, leaf))
		return s->id[leaf];
	/* Several garbage collections in a row stand on the stack before the first. */
	for (below = samples->leaf[i - 1]; i > s->first && below != NODE_ROOT && is_gc(s, below);)
		below = s->lane->tree.parent[below];
	return s->lane->tree.parent[leaf] == below ? s->gc : s->id[leaf];
}

static void add_samples(struct samples_out *s)
{
	const struct samples *samples = &s->lane->samples;
	const struct scope *scope = &s->o->options->scope;
	struct buf *out = s->o->out;

	for (size_t i = s->first; i < s->end && sink_step(s->o->sink);) {
		size_t end = s->end - i < CHUNK_SAMPLES ? s->end : i + CHUNK_SAMPLES;

		begin_chunk(s, samples->t[i] < scope->t0 ? scope->t0 : samples->t[i]);
		buf_adds(out, "\"cpuProfile\":{\"samples\":[");
		for (size_t k = i; k < end; k++) {
			if (k > i)
				buf_addc(out, ',');
			write_integer(out, sample_id(s, k));
		}
		buf_adds(out, "]},\"timeDeltas\":[");
		for (size_t k = i; k < end; k++) {
			int64_t t = samples->t[k] < scope->t0 ? scope->t0 : samples->t[k];

			if (k > i)
				buf_addc(out, ',');
			write_us(out, t - s->t);
			s->t = t;
		}
		buf_adds(out, "]}}}");
		i = end;
	}
}

/* Other programs give the last sample the average length. If it is longer, a sample of the root
 * ends it. */
static void add_end(struct samples_out *s, int64_t first_t, int64_t end)
{
	int64_t n = (int64_t)(s->end - s->first);

	if (n < 2 || end - s->t <= (s->t - first_t + (n - 1) / 2) / (n - 1))
		return;
	begin_chunk(s, end);
	buf_addf(s->o->out, "\"cpuProfile\":{\"samples\":[%" PRIu32 "]},\"timeDeltas\":[",
		 s->id[NODE_ROOT]);
	write_us(s->o->out, end - s->t);
	buf_adds(s->o->out, "]}}}");
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

void trace_out_samples(struct trace_out *o, const struct lane *lane, unsigned number)
{
	const struct samples *samples = &lane->samples;
	const struct scope *scope = &o->options->scope;
	struct samples_out s = { .o = o, .lane = lane, .number = number };
	int64_t t0 = lane->t0 > scope->t0 ? lane->t0 : scope->t0, end, end_time;

	if (samples->n == 0 || samples->t[0] >= scope->t1 || samples->t[samples->n] <= scope->t0)
		return;
	s.first = samples_find(samples, scope->t0);
	s.end = samples_find(samples, scope->t1 - 1) + 1;
	end = samples->t[s.end] < scope->t1 ? samples->t[s.end] : scope->t1;
	end_time = s.end - s.first == 1 ? end : lane->t1 < scope->t1 ? lane->t1 : scope->t1;
	s.t = t0;
	number_nodes(&s);
	add_instant(o, "Start", "startTime", t0);
	trace_out_begin(o, "P");
	trace_out_time(o, t0);
	buf_addf(o->out,
		 CAT "\"Profile\",\"id\":\"0x%x\",\"args\":{\"data\":{\"startTime\":", number);
	write_us(o->out, t0 + o->base);
	buf_adds(o->out, "}}}");
	add_nodes(&s);
	add_samples(&s);
	add_end(&s, samples->t[s.first] < t0 ? t0 : samples->t[s.first], end);
	begin_chunk(&s, end_time);
	buf_adds(o->out, "\"endTime\":");
	write_us(o->out, end_time + o->base);
	buf_adds(o->out, "}}}");
	add_instant(o, "Stop", "endTime", end_time);
	free(s.id);
}
