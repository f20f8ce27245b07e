/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane of samples in the form in which V8 writes it into traces: a Profile event, then
 * ProfileChunk events with nodes and samples. The reader makes the same lane of it, with two
 * members that V8 does not write into traces: nodes of a whole lane have their hitCount,
 * deoptReason and positionTicks, and the last chunk has the length of the last sample (lastDelta),
 * which other programs take for the average.
 *
 * A lane without a time line has hit counts in place of samples.
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
	int64_t t;                /* time of the previous sample */
	size_t first, end;        /* samples in the scope */
	bool is_whole;            /* the scope has all of the lane */
	struct line_ticks *ticks; /* of a whole lane: sorted by node and line; owned */
	size_t n_ticks, next_tick;
};

static int by_node_and_line(const void *a, const void *b)
{
	const struct line_ticks *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Ticks have no times: those of a part are not known. */
static void sort_ticks(struct samples_out *s)
{
	const struct lane *lane = s->lane;

	if (!s->is_whole || lane->n_ticks == 0)
		return;
	s->ticks = xcalloc(lane->n_ticks, sizeof *s->ticks);
	memcpy(s->ticks, lane->ticks, lane->n_ticks * sizeof *s->ticks);
	s->n_ticks = lane->n_ticks;
	qsort(s->ticks, s->n_ticks, sizeof *s->ticks, by_node_and_line);
}

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

/* Begin a node; the caller ends it. */
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
	buf_addc(out, '}');
}

/* The ticks of a node, which come in the order of nodes. Columns of one line are joined. */
static void add_ticks(struct samples_out *s, node_id node)
{
	struct buf *out = s->o->out;
	bool is_first = true;

	while (s->next_tick < s->n_ticks && s->ticks[s->next_tick].node < node)
		s->next_tick++;
	while (s->next_tick < s->n_ticks && s->ticks[s->next_tick].node == node) {
		int32_t line = s->ticks[s->next_tick].line;
		uint64_t ticks = 0;

		for (; s->next_tick < s->n_ticks && s->ticks[s->next_tick].node == node &&
		     s->ticks[s->next_tick].line == line;
		     s->next_tick++)
			ticks += s->ticks[s->next_tick].ticks;
		buf_addf(out, "%s{\"line\":%" PRId32 ",\"ticks\":%" PRIu64 "}",
			 is_first ? ",\"positionTicks\":[" : ",", line, ticks);
		is_first = false;
	}
	if (!is_first)
		buf_addc(out, ']');
}

/* A node of the lane. If it is garbage collection, remember its id and frame. */
static void add_lane_node(struct samples_out *s, node_id i)
{
	const struct calltree *tree = &s->lane->tree;

	add_node(s, s->id[i], i ? s->id[tree->parent[i]] : 0, tree->frame[i]);
	if (s->is_whole && s->lane->hits && s->lane->hits[i])
		buf_addf(s->o->out, ",\"hitCount\":%" PRIu32, s->lane->hits[i]);
	if (s->is_whole && s->lane->deopt && s->lane->deopt[i]) {
		buf_adds(s->o->out, ",\"deoptReason\":");
		write_string(s->o->out, s->o->profile, s->lane->deopt[i]);
	}
	add_ticks(s, i);
	buf_addc(s->o->out, '}');
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
			buf_addc(s->o->out, '}');
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

/* Other programs give the last sample the average length. If that of a part is longer, a sample of
 * the root ends it; a whole lane has no more samples than were recorded. */
static void add_end(struct samples_out *s, int64_t first_t, int64_t end)
{
	int64_t n = (int64_t)(s->end - s->first);

	if (s->is_whole || n < 2 || end - s->t <= (s->t - first_t + (n - 1) / 2) / (n - 1))
		return;
	begin_chunk(s, end);
	buf_addf(s->o->out, "\"cpuProfile\":{\"samples\":[%" PRIu32 "]},\"timeDeltas\":[",
		 s->id[NODE_ROOT]);
	write_us(s->o->out, end - s->t);
	s->t = end;
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

static void add_profile(struct samples_out *s, int64_t t0)
{
	struct trace_out *o = s->o;

	add_instant(o, "Start", "startTime", t0);
	trace_out_begin(o, "P");
	trace_out_time(o, t0);
	buf_addf(o->out,
		 CAT "\"Profile\",\"id\":\"0x%x\",\"args\":{\"data\":{\"startTime\":", s->number);
	write_us(o->out, t0 + o->base);
	buf_adds(o->out, "}}}");
}

/* last_delta: of the last sample; -1: there is none. */
static void add_stop(struct samples_out *s, int64_t end_time, int64_t last_delta)
{
	struct trace_out *o = s->o;

	begin_chunk(s, end_time);
	buf_adds(o->out, "\"endTime\":");
	write_us(o->out, end_time + o->base);
	if (last_delta >= 0) {
		buf_adds(o->out, ",\"lastDelta\":");
		write_us(o->out, last_delta);
	}
	buf_adds(o->out, "}}}");
	add_instant(o, "Stop", "endTime", end_time);
}

/* The reader divides the time to endTime among the hits, also those of the root. If that is not the
 * length that a hit has, the profile had no endTime. */
static bool hits_have_end(const struct lane *lane)
{
	const struct samples *samples = &lane->samples;
	uint32_t first = lane->hits[samples->leaf[0]];
	int64_t sum = 0;

	for (node_id i = 0; i < lane->tree.n; i++)
		sum += lane->hits[i];
	return first && sum &&
		(lane->t1 - lane->t0) / sum == (samples->t[1] - samples->t[0]) / first;
}

/* A lane without a time line, whole: hits have no times. */
static void add_hits(struct samples_out *s)
{
	s->is_whole = true;
	s->t = s->lane->t0;
	sort_ticks(s);
	number_nodes(s);
	add_profile(s, s->lane->t0);
	add_nodes(s);
	if (hits_have_end(s->lane))
		add_stop(s, s->lane->t1, -1);
}

static void add_range(struct samples_out *s)
{
	const struct lane *lane = s->lane;
	const struct samples *samples = &lane->samples;
	const struct scope *scope = &s->o->options->scope;
	int64_t t0 = lane->t0 > scope->t0 ? lane->t0 : scope->t0, end, end_time;

	if (samples->t[0] >= scope->t1 || samples->t[samples->n] <= scope->t0)
		return;
	/* Samples of no length at the ends belong to a whole lane only. */
	s->is_whole = lane->n_left == 0 && scope->t0 <= samples->t[0] &&
		scope->t1 >= samples->t[samples->n];
	s->first = s->is_whole ? 0 : samples_find(samples, scope->t0);
	s->end = s->is_whole ? samples->n : samples_find(samples, scope->t1 - 1) + 1;
	end = samples->t[s->end] < scope->t1 ? samples->t[s->end] : scope->t1;
	end_time = s->end - s->first == 1 ? end : lane->t1 < scope->t1 ? lane->t1 : scope->t1;
	s->t = t0;
	sort_ticks(s);
	number_nodes(s);
	add_profile(s, t0);
	add_nodes(s);
	add_samples(s);
	add_end(s, samples->t[s->first] < t0 ? t0 : samples->t[s->first], end);
	add_stop(s, end_time, end - s->t);
}

void trace_out_samples(struct trace_out *o, const struct lane *lane, unsigned number)
{
	struct samples_out s = { .o = o, .lane = lane, .number = number };

	if (lane->samples.n == 0)
		return;
	if (lane->has_timeline)
		add_range(&s);
	else if (lane->hits)
		add_hits(&s);
	free(s.ticks);
	free(s.id);
}
