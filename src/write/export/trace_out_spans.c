/* SPDX-License-Identifier: GPL-2.0-or-later */
/* X events for spans of threads, which nest; b, n and e events for async tracks; I events for
 * marks. Where lanes of one track are on threads of their own (places.c), M events say when the
 * innermost span of one has no self time, as a span of another lane is inside of it: so the times
 * are the same when the trace is read. Other programs pass metadata that they do not know. */
#include "config.h"

#include "write/export/trace_out_spans.h"

#include "base/alloc.h"
#include "model/slice_time.h"
#include "write/export/cut.h"
#include "write/export/write.h"

#include <stdlib.h>

struct span_out {
	struct trace_out *o;
	const struct lane *lane;
	struct open_async {
		frame_id frame;
		int64_t t1;
		uint64_t id;
	} * open;
	size_t n_open, cap_open;
};

static bool add_slice(void *ctx, const struct span *span)
{
	const struct span_out *s = ctx;
	struct trace_out *o = s->o;

	trace_out_begin(o, "X");
	trace_out_time(o, span->t0);
	buf_adds(o->out, ",\"dur\":");
	write_us(o->out, span->t1 - span->t0);
	trace_out_frame(o, s->lane->tree.frame[span->node]);
	buf_addc(o->out, '}');
	return sink_step(o->sink);
}

static void add_covered(struct trace_out *o, const struct lane *lane)
{
	const struct slice_stretches none = { 0 };
	const struct slice_stretches *c = lane->slice_time ? &lane->slice_time->covered : &none;

	for (size_t i = slice_time_reaching(c, o->options->scope.t0);
	     i < c->n && c->list[i].t0 < o->options->scope.t1 && sink_step(o->sink); i++) {
		int64_t t0 = c->list[i].t0, t1 = c->list[i].t1;

		t0 = t0 > o->options->scope.t0 ? t0 : o->options->scope.t0;
		t1 = t1 < o->options->scope.t1 ? t1 : o->options->scope.t1;
		if (t1 <= t0)
			continue;
		trace_out_begin(o, "M");
		trace_out_time(o, t0);
		buf_adds(o->out, ",\"dur\":");
		write_us(o->out, t1 - t0);
		buf_adds(o->out, ",\"cat\":\"__metadata\",\"name\":\"thread_no_self_time\"}");
	}
}

void trace_out_spans(struct trace_out *o, const struct lane *lane)
{
	struct span_out s = { .o = o, .lane = lane };

	/* Slices of no length are written; spans of samples that have no length are not. */
	cut_each_span(lane, o->options->scope.t0, o->options->scope.t1, lane->kind == LANE_SLICES,
		      add_slice, &s);
	if (lane->is_placed)
		add_covered(o, lane);
}

/* ---- async tracks ---- */

static void add_end(struct span_out *s, const struct open_async *a, const char *phase, int64_t t)
{
	struct trace_out *o = s->o;

	trace_out_begin(o, phase);
	trace_out_time(o, t);
	buf_adds(o->out, ",\"name\":");
	write_string(o->out, o->profile, profile_frame(o->profile, a->frame)->name);
	buf_adds(o->out, ",\"cat\":");
	if (s->lane->title)
		write_string(o->out, o->profile, s->lane->title);
	else
		buf_adds(o->out, "\"async\"");
	buf_adds(o->out, ",\"id\":");
	write_integer(o->out, (int64_t)a->id);
	buf_addc(o->out, '}');
}

static void close_async(struct span_out *s, size_t depth)
{
	while (s->n_open > depth) {
		const struct open_async *a = &s->open[--s->n_open];

		add_end(s, a, "e", a->t1);
	}
}

/* Nested operations have the same id. */
static bool add_async(void *ctx, const struct span *span)
{
	struct span_out *s = ctx;
	struct open_async a = { s->lane->tree.frame[span->node], span->t1, 0 };

	close_async(s, (size_t)span->depth);
	a.id = span->depth == 0 || !s->n_open ? ++s->o->n_async : s->open[0].id;
	if (profile_is_mark(s->o->profile, s->lane, span->node)) {
		add_end(s, &a, "n", span->t0);
		return sink_step(s->o->sink);
	}
	add_end(s, &a, "b", span->t0);
	s->open = xgrow(s->open, &s->cap_open, s->n_open + 1, sizeof *s->open);
	s->open[s->n_open++] = a;
	return sink_step(s->o->sink);
}

void trace_out_spans_async(struct trace_out *o, const struct lane *lane)
{
	struct span_out s = { .o = o, .lane = lane };

	cut_each_span(lane, o->options->scope.t0, o->options->scope.t1, true, add_async, &s);
	close_async(&s, 0);
	free(s.open);
}

/* ---- marks ---- */

static bool add_mark(void *ctx, const struct span *span)
{
	const struct span_out *s = ctx;
	struct trace_out *o = s->o;

	trace_out_begin(o, "I");
	trace_out_time(o, span->t0);
	buf_addf(o->out, ",\"s\":\"%s\"",
		 s->lane->tid != LANE_NO_ID           ? "t"
			 : s->lane->pid != LANE_NO_ID ? "p"
						      : "g");
	trace_out_frame(o, s->lane->tree.frame[span->node]);
	buf_addc(o->out, '}');
	return sink_step(o->sink);
}

void trace_out_spans_marks(struct trace_out *o, const struct lane *lane)
{
	struct span_out s = { .o = o, .lane = lane };

	cut_each_span(lane, o->options->scope.t0, o->options->scope.t1, true, add_mark, &s);
}
