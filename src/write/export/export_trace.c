/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chrome trace events, for DevTools and Perfetto: names first, then lane by lane. An input that is
 * a trace is copied event by event if all of it is exported, because DevTools shows more of an
 * event than a profile keeps. Every event has a category, because some programs detect the format
 * by the first event. A parent is always written before its children, which decides between slices
 * of equal times. */
#include "config.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/units.h"
#include "model/profile.h"
#include "model/slice_work.h"
#include "model/slices.h"
#include "write/export/export.h"
#include "write/export/export_cpuprofile.h"
#include "write/export/export_ids.h"
#include "write/report/json_out.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== trace out ====
 *
 * The state of the writer, and the fields that all events share. The members that depend on the
 * frame are made once per frame and kept: many events have the same frame. */

struct trace_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct json_writer w;
	const struct lane_ids *places; /* by lane */
	uint32_t lane;                 /* the lane that is being written */
	int64_t base;                  /* ns: time of the trace at time 0 of the profile */
	struct buf texts;              /* the members of events that depend on the frame only */
	struct {
		size_t at, len;
	} * text_of; /* by frame, in `texts`; len 0: not made yet */
	uint64_t n_async;
	struct export_ids_served served;
	bool *is_copied;       /* by input */
	uint32_t first_copied; /* the input whose events come first */
	uint64_t n_events;     /* so far */
	struct export_ids_notes notes;
};

/* The member `ts`: a time. */
static struct json_item trace_out_time(const struct trace_out *o, int64_t t)
{
	return json_us("ts", t + o->base);
}

static void begin_event(struct trace_out *o, const char *phase, int64_t tid)
{
	o->n_events++;
	json_put(&o->w, json_if(o->w.is_later, json_line(0)), json_begin(NULL, "{"),
		 json_string("ph", phase), json_integer("pid", o->places[o->lane].pid),
		 json_integer("tid", tid));
}

/* Begin an event of the current lane: `{"ph":"X","pid":1,"tid":1`. */
static void trace_out_begin(struct trace_out *o, const char *phase)
{
	begin_event(o, phase, o->places[o->lane].tid);
}

/* Make the members of a frame. */
static void make_text(struct trace_out *o, frame_id id)
{
	const struct profile *p = o->profile;
	const struct frame *f = profile_frame(p, id);
	struct json_writer w = { .out = &o->texts, .is_later = true };

	o->text_of[id].at = o->texts.len;
	json_put(&w, json_out_text("name", p, frame_event(f)),
		 json_string("cat", category_name(f->category)));
	if (f->event) {
		bool is_call = strcmp(profile_text(p, f->event), "FunctionCall") == 0;

		/* Write what a slice runs as the browser does. */
		json_put(&w, json_begin("args", "{"), json_begin("data", "{"));
		if (is_call || !f->url)
			json_put(&w, json_out_text(is_call ? "functionName" : "type", p, f->name));
		json_put(&w, json_if(f->url, json_out_text("url", p, f->url)),
			 json_if(f->line > 0, json_integer("lineNumber", f->line)),
			 json_if(f->column > 0, json_integer("columnNumber", f->column)),
			 json_end("}}"));
	} else if (f->url) {
		json_put(&w, json_begin("args", "{"), json_out_text("url", p, f->url),
			 json_if(f->line > 0, json_integer("line", f->line)),
			 json_if(f->column > 0, json_integer("column", f->column)), json_end("}"));
	} else if (slice_work(profile_text(p, f->name)) != WORK_SYSTEM) {
		/* DevTools requires it of its own events. */
		json_put(&w, json_raw("args", "{\"data\":{}}"));
	}
	o->text_of[id].len = o->texts.len - o->text_of[id].at;
}

/* `,"name":"f","cat":"app","args":{"url":"file:///x.js","line":1,"column":1}` */
static void trace_out_frame(struct trace_out *o, frame_id frame)
{
	if (o->text_of[frame].len == 0)
		make_text(o, frame);
	buf_add(o->w.out, o->texts.data + o->text_of[frame].at, o->text_of[frame].len);
}

/* ==== trace out counter ====
 *
 * One C event for each time at which a series has a value, with the values of all series that have
 * one then. */

/* Write a counter lane: C events. */
static void trace_out_counter(struct trace_out *o, const struct lane *lane)
{
	ALLOC_LOCAL size_t *at = xcalloc(lane->n_series ? lane->n_series : 1, sizeof *at);

	for (;;) {
		int64_t t = INT64_MAX;

		for (uint32_t i = 0; i < lane->n_series; i++)
			if (at[i] < lane->series[i].n && lane->series[i].t[at[i]] < t)
				t = lane->series[i].t[at[i]];
		if (t >= o->options->scope.t1 || !sink_step(o->sink))
			break;
		trace_out_begin(o, "C");
		json_put(&o->w, trace_out_time(o, t), json_string("cat", "counter"),
			 json_out_text("name", o->profile, lane->title), json_begin("args", "{"));
		for (uint32_t i = 0; i < lane->n_series; i++) {
			const struct series *s = &lane->series[i];

			/* Of several values at one time the last one counts. */
			if (at[i] >= s->n || s->t[at[i]] != t)
				continue;
			while (at[i] + 1 < s->n && s->t[at[i] + 1] == t)
				at[i]++;
			json_put(&o->w, json_out_text(NULL, o->profile, s->name));
			buf_addf(o->w.out, ":%.17g", s->value[at[i]++]);
		}
		json_put(&o->w, json_end("}}"));
	}
}

/* ==== trace out object ====
 *
 * N and D events for the ends of a lifetime, O events for the snapshots below it. Type, scope and
 * id are taken from the names of lane and lifetime (profile.h). An end that the file does not
 * have is not written; an object of which nothing else would be written gets its N all the same. */

struct object_out {
	struct trace_out *o;
	const struct lane *lane;
	struct span life; /* if is_open */
	struct object_name name;
	unsigned flags; /* of the lifetime: SLICE_* */
	bool is_open;
	bool is_written; /* an event of it was written */
};

static struct str text_of(const struct profile *p, str_id id)
{
	return (struct str){ profile_text(p, id), intern_len(&p->strings, id) };
}

/* Write an event up to its id. */
static void begin(struct object_out *out, const char *phase, int64_t t, struct str name)
{
	struct trace_out *o = out->o;

	trace_out_begin(o, phase);
	json_put(&o->w, trace_out_time(o, t), json_string("cat", "object"),
		 json_text("name", name.p, name.len),
		 json_if(out->name.scope.len,
			 json_text("scope", out->name.scope.p, out->name.scope.len)),
		 json_if(out->name.id.len, json_text("id", out->name.id.p, out->name.id.len)));
	out->is_written = true;
}

static void add_end(struct object_out *out, const char *phase, int64_t t)
{
	begin(out, phase, t, out->name.type);
	json_put(&out->o->w, json_end("}"));
}

static void close_life(struct object_out *out)
{
	if (!out->is_open)
		return;
	if (!(out->flags & SLICE_UNFINISHED))
		add_end(out, "D", out->life.t1);
	else if (!out->is_written)
		add_end(out, "N", out->life.t0);
	out->is_open = false;
}

static void add_snapshot(struct object_out *out, const struct span *span)
{
	const struct profile *p = out->o->profile;
	struct str type, own = out->name.type;

	if (object_name_phase(text_of(p, profile_node_frame(p, out->lane, span->node)->name),
			      &type) != 'O')
		return;
	begin(out, "O", span->t0, type);
	json_put(&out->o->w, json_begin("args", "{"), json_begin("snapshot", "{"),
		 json_if(type.len != own.len || memcmp(type.p, own.p, type.len) != 0,
			 json_text("base_type", own.p, own.len)),
		 json_end("}}}"));
}

static bool add_span(void *ctx, const struct span *span)
{
	struct object_out *out = ctx;

	if (span->depth == 0) {
		const struct profile *p = out->o->profile;
		size_t slice = slice_of_span(out->lane, span);

		close_life(out);
		out->life = *span;
		out->name = object_name_of(
			text_of(p, out->lane->title),
			text_of(p, profile_node_frame(p, out->lane, span->node)->name));
		out->flags = slice == SIZE_MAX ? 0 : slice_flags(&out->lane->slices, slice);
		out->is_open = true;
		out->is_written = false;
		if (!(out->flags & SLICE_NOT_CREATED))
			add_end(out, "N", span->t0);
	} else if (out->is_open) {
		add_snapshot(out, span);
	}
	return sink_step(out->o->sink);
}

/* Write the objects of a lane, in the range of the scope. */
static void trace_out_object(struct trace_out *o, const struct lane *lane)
{
	struct object_out out = { .o = o, .lane = lane };

	cut_each_span(lane, o->options->scope.t0, o->options->scope.t1, true, add_span, &out);
	close_life(&out);
}

/* ==== trace out samples ====
 *
 * A lane of samples in the form in which V8 writes it into traces: a Profile event, then
 * ProfileChunk events with nodes and samples. The reader makes the same lane of it, with two
 * members that V8 does not write into traces: nodes of a whole lane have their hitCount,
 * deoptReason and positionTicks, and the last chunk has the length of the last sample (lastDelta),
 * which other programs take for the average.
 *
 * A lane without a time line has hit counts in place of samples. */

#define CAT json_string("cat", "disabled-by-default-v8.cpu_profiler")
#define CHUNK_NODES 1000u
#define CHUNK_SAMPLES 10000u

struct chunks {
	struct trace_out *o;
	struct samples_out samples;
	char id[16]; /* of the profile */
	int64_t t;   /* time of the previous sample */
};

static const struct samples_out_form form = { .has_parent = true };

static void begin_chunk(struct chunks *c, int64_t t)
{
	struct trace_out *o = c->o;

	trace_out_begin(o, "P");
	json_put(&o->w, trace_out_time(o, t), CAT, json_string("name", "ProfileChunk"),
		 json_string("id", c->id), json_begin("args", "{"), json_begin("data", "{"));
}

static void add_nodes(struct chunks *c)
{
	struct samples_out *s = &c->samples;
	struct json_writer *w = &c->o->w;
	node_id last = s->lane->tree.n;

	for (node_id i = 0; i <= last && sink_step(c->o->sink);) {
		unsigned n = 0;

		begin_chunk(c, c->t);
		json_put(w, json_begin("cpuProfile", "{"), json_begin("nodes", "["));
		for (; i <= last; i++) {
			if (!s->id[i])
				continue;
			if (n++ == CHUNK_NODES && i < last)
				break;
			samples_out_node(s, i, &form, w);
		}
		json_put(w, json_end("]}}}}"));
	}
}

static void add_samples(struct chunks *c)
{
	const struct samples_out *s = &c->samples;
	struct json_writer *w = &c->o->w;

	for (size_t i = s->first; i < s->end && sink_step(c->o->sink);) {
		size_t end = s->end - i < CHUNK_SAMPLES ? s->end : i + CHUNK_SAMPLES;

		begin_chunk(c, samples_out_time(s, i));
		json_put(w, json_begin("cpuProfile", "{"), json_begin("samples", "["));
		for (size_t k = i; k < end; k++)
			json_put(w, json_integer(NULL, samples_out_id(s, k)));
		json_put(w, json_end("]}"), json_begin("timeDeltas", "["));
		for (size_t k = i; k < end; k++) {
			int64_t t = samples_out_time(s, k);

			json_put(w, json_us(NULL, t - c->t));
			c->t = t;
		}
		json_put(w, json_end("]}}}"));
		i = end;
	}
}

/* Other programs give the last sample the average length. If that of a part is longer, a sample of
 * the root ends it; a whole lane has no more samples than were recorded. */
static void add_end_samples(struct chunks *c)
{
	const struct samples_out *s = &c->samples;
	int64_t n = (int64_t)(s->end - s->first), first, end = s->end_of_last;

	if (s->is_whole || n < 2)
		return;
	first = samples_out_time(s, s->first);
	if (end - c->t <= (c->t - first + (n - 1) / 2) / (n - 1))
		return;
	begin_chunk(c, end);
	json_put(&c->o->w, json_begin("cpuProfile", "{"), json_begin("samples", "["),
		 json_integer(NULL, s->id[NODE_ROOT]), json_end("]}"),
		 json_begin("timeDeltas", "["), json_us(NULL, end - c->t), json_end("]}}}"));
	c->t = end;
}

/* DevTools shows the time between the first and the last instant event or slice; it does not count
 * ProfileChunk events. */
static void add_instant(struct trace_out *o, const char *name, const char *member, int64_t t)
{
	trace_out_begin(o, "I");
	json_put(&o->w, trace_out_time(o, t), json_string("s", "t"), CAT, json_string("name", name),
		 json_begin("args", "{"), json_begin("data", "{"), json_us(member, t + o->base),
		 json_end("}}}"));
}

static void add_profile(struct chunks *c)
{
	struct trace_out *o = c->o;

	add_instant(o, "CpuProfiler::StartProfiling", "startTime", c->t);
	trace_out_begin(o, "P");
	json_put(&o->w, trace_out_time(o, c->t), CAT, json_string("name", "Profile"),
		 json_string("id", c->id), json_begin("args", "{"), json_begin("data", "{"),
		 json_us("startTime", c->t + o->base), json_end("}}}"));
}

static void add_stop(struct chunks *c)
{
	const struct samples_out *s = &c->samples;
	struct trace_out *o = c->o;

	if (s->t1 < 0)
		return;
	begin_chunk(c, s->t1);
	json_put(&o->w, json_us("endTime", s->t1 + o->base),
		 json_if(s->end > s->first, json_us("lastDelta", s->end_of_last - c->t)),
		 json_end("}}}"));
	add_instant(o, "CpuProfiler::StopProfiling", "endTime", s->t1);
}

/* Write a lane of samples: a Profile event and its ProfileChunk events. number: of the profile in
 * the file, from 1. */
static void trace_out_samples(struct trace_out *o, const struct lane *lane, unsigned number)
{
	struct chunks c = { .o = o };

	snprintf(c.id, sizeof c.id, "0x%x", number);
	if (!samples_out_init(&c.samples, o->profile, lane, &o->options->scope))
		return;
	c.t = c.samples.t0;
	export_ids_note_samples(&o->notes, o->lane, &c.samples, o->places[o->lane].pid,
				o->places[o->lane].tid);
	add_profile(&c);
	add_nodes(&c);
	add_samples(&c);
	add_end_samples(&c);
	add_stop(&c);
	samples_out_done(&c.samples);
}

/* ==== trace out spans ====
 *
 * X events for spans of threads, which nest; b, n and e events for async tracks; I events for
 * marks. Where lanes of one track are on threads of their own (places), M events say when the
 * innermost span of one has no self time, as a span of another lane is inside of it: so the times
 * are the same when the trace is read. Other programs pass metadata that they do not know. */

struct span_out {
	struct trace_out *o;
	const struct lane *lane;
	struct open_async {
		frame_id frame;
		int64_t t1;
		uint64_t id;
		const struct export_ids_event *served; /* NULL: it is about no request */
	} * open;
	size_t n_open, cap_open;
};

static bool add_slice(void *ctx, const struct span *span)
{
	const struct span_out *s = ctx;
	struct trace_out *o = s->o;
	const struct export_ids_event *served = export_ids_served_of(&o->served, s->lane, span);

	trace_out_begin(o, "X");
	json_put(&o->w, trace_out_time(o, span->t0), json_us("dur", span->t1 - span->t0));
	if (served) {
		json_put(&o->w,
			 json_out_text("name", o->profile,
				       profile_node_frame(o->profile, s->lane, span->node)->name),
			 json_string("cat", served_category(served->category)));
		export_ids_put_args(&o->served, served, span, &o->w);
	} else {
		trace_out_frame(o, s->lane->tree.frame[span->node]);
	}
	json_put(&o->w, json_end("}"));
	export_ids_note_event(&o->notes, o->lane, span, o->n_events - 1);
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
		json_put(&o->w, trace_out_time(o, t0), json_us("dur", t1 - t0),
			 json_string("cat", "__metadata"),
			 json_string("name", "thread_no_self_time"), json_end("}"));
	}
}

/* Write samples or slices of a thread: an X event for each span. */
static void trace_out_spans(struct trace_out *o, const struct lane *lane)
{
	struct span_out s = { .o = o, .lane = lane };

	/* Slices of no length are written; spans of samples that have no length are not. */
	cut_each_span(lane, o->options->scope.t0, o->options->scope.t1, lane->kind == LANE_SLICES,
		      add_slice, &s);
	if (lane->is_placed)
		add_covered(o, lane);
}

/* ---- async tracks ---- */

/* The samples of the thread of a request, in its own file; n_lanes: there are none. */
static uint32_t thread_of(const struct profile *p, const struct served *s)
{
	uint32_t i = 0;

	while (i < p->n_lanes &&
	       (p->lanes[i].kind != LANE_SAMPLES || p->lanes[i].input != s->input ||
		!served_is_of(s, p->lanes[i].pid, p->lanes[i].tid)))
		i++;
	return i;
}

/* The number of the thread of a request, as its samples have it. */
static int64_t tid_of(const struct trace_out *o, const struct served *s)
{
	uint32_t lane = thread_of(o->profile, s);

	if (lane < o->profile->n_lanes)
		return o->places[lane].tid;
	return s->tid != LANE_NO_ID ? s->tid : o->places[o->lane].tid;
}

/* begun: the span that begins; NULL: none does. */
static void add_end_spans(struct span_out *s, const struct open_async *a, const char *phase,
			  int64_t t, const struct span *begun)
{
	struct trace_out *o = s->o;
	const struct export_ids_event *e = a->served;

	/* The thread of a request is more than the process of its track. */
	begin_event(o, phase,
		    e && e->category == 0 ? tid_of(o, &o->profile->served.requests[e->at])
					  : o->places[o->lane].tid);
	json_put(&o->w, trace_out_time(o, t),
		 json_out_text("name", o->profile,
			       e ? export_ids_name(&o->served, e)
				 : profile_frame(o->profile, a->frame)->name),
		 e                        ? json_string("cat", served_category(e->category))
			 : s->lane->title ? json_out_text("cat", o->profile, s->lane->title)
					  : json_string("cat", "async"));
	if (e)
		export_ids_put_id(&o->served, "id", e, &o->w);
	else
		json_put(&o->w, json_integer("id", (int64_t)a->id));
	if (e && begun)
		export_ids_put_args(&o->served, e, begun, &o->w);
	json_put(&o->w, json_end("}"));
}

static void close_async(struct span_out *s, size_t depth)
{
	while (s->n_open > depth) {
		const struct open_async *a = &s->open[--s->n_open];

		add_end_spans(s, a, "e", a->t1, NULL);
	}
}

/* Nested operations have the same id. */
static bool add_async(void *ctx, const struct span *span)
{
	struct span_out *s = ctx;
	struct open_async a = { s->lane->tree.frame[span->node], span->t1, 0,
				export_ids_served_of(&s->o->served, s->lane, span) };

	close_async(s, (size_t)span->depth);
	a.id = span->depth == 0 || !s->n_open ? ++s->o->n_async : s->open[0].id;
	if (profile_is_mark(s->o->profile, s->lane, span->node)) {
		add_end_spans(s, &a, "n", span->t0, NULL);
		return sink_step(s->o->sink);
	}
	add_end_spans(s, &a, "b", span->t0, span);
	*ARRAY_ADD(s->open, s->n_open, s->cap_open) = a;
	return sink_step(s->o->sink);
}

/* ---- marks ---- */

static bool add_mark(void *ctx, const struct span *span)
{
	const struct span_out *s = ctx;
	struct trace_out *o = s->o;

	trace_out_begin(o, "I");
	json_put(&o->w, trace_out_time(o, span->t0),
		 json_string("s",
			     s->lane->tid != LANE_NO_ID           ? "t"
				     : s->lane->pid != LANE_NO_ID ? "p"
								  : "g"));
	trace_out_frame(o, s->lane->tree.frame[span->node]);
	json_put(&o->w, json_end("}"));
	export_ids_note_event(&o->notes, o->lane, span, o->n_events - 1);
	return sink_step(o->sink);
}

/* Write marks: I events. */
static void trace_out_spans_marks(struct trace_out *o, const struct lane *lane)
{
	struct span_out s = { .o = o, .lane = lane };

	cut_each_span(lane, o->options->scope.t0, o->options->scope.t1, true, add_mark, &s);
}

/* ==== export trace ==== */

#define ERROR_PATH_MAX 300     /* bytes of a path in an error */
#define FIRST_BESIDE 0x100000u /* profiles in copied events have lower numbers */

/* Whether a lane is in the events of a copied input. */
static bool is_lane_copied(const struct trace_out *o, uint32_t lane)
{
	const struct lane *l = &o->profile->lanes[lane];

	return o->is_copied[l->input] && !l->is_beside_events;
}

/* ---- names ---- */

static void add_metadata(struct trace_out *o, const char *kind, struct json_item item)
{
	trace_out_begin(o, "M");
	json_put(&o->w, json_integer("ts", 0), json_string("cat", "__metadata"),
		 json_string("name", kind), json_begin("args", "{"), item, json_end("}}"));
}

static void name_process(struct trace_out *o, const struct lane *lane)
{
	const struct profile *p = o->profile;
	const char *path = profile_text(p, p->inputs[lane->input].path),
		   *slash = strrchr(path, '/');

	if (lane->process_name)
		add_metadata(o, "process_name", json_out_text("name", p, lane->process_name));
	else if (lane->pid == LANE_NO_ID)
		add_metadata(o, "process_name", json_string("name", slash ? slash + 1 : path));
	add_metadata(o, "process_sort_index", json_integer("sort_index", o->lane));
}

static void name_thread(struct trace_out *o, const struct lane *lane)
{
	const char *samples = o->places[o->lane].is_new && lane->kind == LANE_SAMPLES &&
			!lane->title
		? " (samples)"
		: "";
	/* Layers of its track that are before a lane with a thread of its own. */
	uint32_t layer = 0;
	BUF_LOCAL name = { 0 };

	while (layer < o->lane && lane[-(ptrdiff_t)layer].is_placed &&
	       lane[-(ptrdiff_t)layer].is_joined)
		layer++;
	export_lane_name(o->profile, lane, &name);
	buf_adds(&name, samples);
	if (layer > 0)
		buf_addf(&name, ", layer %" PRIu32, layer + 1);
	add_metadata(o, "thread_name", json_text("name", buf_text(&name), name.len));
	add_metadata(o, "thread_sort_index", json_integer("sort_index", o->lane));
}

struct seen {
	int64_t pid, tid;
	uint32_t lane;
};

SORT_ORDER(by_place, struct seen, SORT_BY_3(x->pid, y->pid, x->tid, y->tid, x->lane, y->lane))

/* Name each process and each thread once, after its first lane. */
static void add_names(struct trace_out *o)
{
	const struct profile *p = o->profile;
	ALLOC_LOCAL struct seen *seen = xmalloc((p->n_lanes ? p->n_lanes : 1) * sizeof *seen);
	uint32_t n = 0, last = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		const struct lane_ids *place = &o->places[i];
		/* The copied events of the input may name the thread. */
		bool is_named = o->is_copied[lane->input] && place->pid == lane->pid &&
			place->tid == lane->tid;

		if (export_ids_has_spans(lane) && (!lane->is_joined || lane->is_placed) &&
		    !is_named && !is_lane_copied(o, i))
			seen[n++] = (struct seen){ place->pid, place->tid, i };
	}
	if (n)
		qsort(seen, n, sizeof *seen, by_place);
	for (uint32_t i = 0; i < n; i++) {
		bool is_process = i == 0 || seen[i].pid != seen[last].pid,
		     is_same = !is_process && seen[i].tid == seen[last].tid;

		last = i;
		o->lane = seen[i].lane;
		if (is_process)
			name_process(o, &p->lanes[o->lane]);
		if (!is_same)
			name_thread(o, &p->lanes[o->lane]);
	}
}

/* ---- lanes and flows ---- */

static void add_flows(struct trace_out *o)
{
	static const char
		*const phase[] = { [FLOW_START] = "s", [FLOW_STEP] = "t", [FLOW_END] = "f" };
	const struct profile *p = o->profile;

	for (size_t i = 0; i < p->n_flows && sink_step(o->sink); i++) {
		const struct flow_point *f = &p->flows[i];

		if (f->t < o->options->scope.t0 || f->t >= o->options->scope.t1)
			continue;
		if (p->first_link && f->flow >= p->first_link)
			break;
		o->lane = f->lane;
		if (o->is_copied[p->lanes[f->lane].input])
			continue;
		trace_out_begin(o, phase[f->kind]);
		json_put(&o->w, trace_out_time(o, f->t), json_string("name", "flow"),
			 json_string("cat", "flow"), json_string("bp", "e"),
			 json_integer("id", f->flow), json_end("}"));
	}
}

/* Write the runs that are no slices, because the file had no events. */
static void add_runs(struct trace_out *o)
{
	const struct profile *p = o->profile;

	for (size_t i = 0; i < p->served.n_runs && sink_step(o->sink); i++) {
		const struct served_run *run = &p->served.runs[i];
		const struct served *s = &p->served.requests[run->served];
		struct export_ids_event event = { 0, -1, SERVED_WAIT_KINDS + 1, i };
		struct span cut = { .t0 = run->t0, .t1 = run->t1 };

		cut.t0 = cut.t0 > o->options->scope.t0 ? cut.t0 : o->options->scope.t0;
		cut.t1 = cut.t1 < o->options->scope.t1 ? cut.t1 : o->options->scope.t1;
		o->lane = run->offset < 0 && cut.t0 < cut.t1 ? thread_of(p, s) : p->n_lanes;
		if (o->lane == p->n_lanes)
			continue;
		trace_out_begin(o, "X");
		json_put(&o->w, trace_out_time(o, cut.t0), json_us("dur", cut.t1 - cut.t0),
			 json_out_text("name", p, s->name),
			 json_string("cat", served_category(event.category)));
		export_ids_put_args(&o->served, &event, &cut, &o->w);
		json_put(&o->w, json_end("}"));
	}
}

static void add_lane(struct trace_out *o, const struct lane *lane, unsigned *n_profiles)
{
	switch (lane->kind) {
	case LANE_SAMPLES:
		if (!o->options->is_slices &&
		    (lane->has_timeline || lane->value.type || lane->hits)) {
			trace_out_samples(o, lane, ++*n_profiles);
			break;
		}
		/* fall through */
	case LANE_SLICES:
		trace_out_spans(o, lane);
		break;
	case LANE_ASYNC:
		if (!export_ids_note_is_ranges(o->profile, lane)) {
			struct span_out s = { .o = o, .lane = lane };

			/* Write an async track: b and e events. */
			cut_each_span(lane, o->options->scope.t0, o->options->scope.t1, true,
				      add_async, &s);
			close_async(&s, 0);
			free(s.open);
		}
		break;
	case LANE_OBJECTS:
		trace_out_object(o, lane);
		break;
	case LANE_MARKS:
		trace_out_spans_marks(o, lane);
		break;
	case LANE_COUNTER:
		trace_out_counter(o, lane);
		break;
	}
}

/* ---- copies ---- */

static bool add_event(void *ctx, const char *event, size_t len)
{
	struct trace_out *o = ctx;

	o->n_events++;
	json_put(&o->w, json_if(o->w.is_later, json_line(0)), json_copy(NULL, event, len));
	return sink_step(o->sink);
}

/* Report that an input cannot be read again. Writing its lanes instead would lose what only its
 * events have, so the export fails. */
static void fail_copy(struct trace_out *o, const char *path, const struct error *why)
{
	struct error err = ERROR_INIT;
	size_t len = strlen(path);

	/* The reason must fit into the text of the error. */
	error_set(&err, why->kind, -1, "%s: %s",
		  len > ERROR_PATH_MAX ? path + len - ERROR_PATH_MAX : path, why->text);
	sink_fail(o->sink, &err);
}

static void copy_input(struct trace_out *o, uint32_t input)
{
	const struct profile *p = o->profile;
	const struct input *in = &p->inputs[input];
	struct error err = ERROR_INIT;
	uint64_t first = o->n_events;

	if (o->options->copy(p, input, o->base - in->zero_ns, add_event, o, &err))
		o->is_copied[input] = true;
	else if (err.kind != ERR_UNKNOWN)
		fail_copy(o, profile_text(p, in->path), &err);
	if (o->is_copied[input])
		export_ids_note_copied(&o->notes, input, first);
}

/* The lanes of a copied input are not written, except those beside its events. What a user hid or
 * labelled names events by their numbers, so that the first input with metadata comes first. */
static void copy_inputs(struct trace_out *o)
{
	const struct profile *p = o->profile;
	uint32_t first = 0;

	if (!o->options->copy || o->options->scope.t0 > 0 || o->options->scope.t1 < p->t1)
		return;
	while (first < p->n_inputs && !p->inputs[first].has_metadata)
		first++;
	if (first < p->n_inputs)
		copy_input(o, first);
	for (uint32_t i = 0; i < p->n_inputs; i++)
		if (i != first)
			copy_input(o, i);
	o->first_copied = first;
}

static bool add_text(void *ctx, const char *text, size_t len)
{
	struct trace_out *o = ctx;

	buf_add(o->w.out, text, len);
	return sink_step(o->sink);
}

/* Whether a lane of an input is exported. */
static bool has_lane(const struct profile *p, uint32_t input)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].input == input)
			return true;
	return false;
}

/* If the events were made anew, an export without the members is better than none, so that it does
 * not fail if the file was changed or is gone before any member was passed. */
static void copy_members_of(struct trace_out *o, uint32_t input, const char *notes,
			    struct intern *seen)
{
	const struct profile *p = o->profile;
	bool is_copied = o->is_copied[input];
	size_t n = seen->n;
	struct error err = ERROR_INIT;

	if (!o->options->copy_members || (!is_copied && !has_lane(p, input)))
		return;
	if (!o->options->copy_members(p, input, is_copied, notes,
				      o->base - p->inputs[input].zero_ns, seen, add_text, o,
				      &err) &&
	    err.kind != ERR_UNKNOWN && (is_copied || seen->n > n))
		fail_copy(o, profile_text(p, p->inputs[input].path), &err);
}

/* Whether all that users noted is in the members of the first input that was copied. */
static bool has_copied_notes(const struct trace_out *o)
{
	const struct profile *p = o->profile;
	bool is = o->first_copied < p->n_inputs && o->is_copied[o->first_copied];

	for (uint32_t i = 0; i < p->n_lanes; i++)
		is &= is_lane_copied(o, i) || !export_ids_note_is_ranges(p, &p->lanes[i]);
	return is;
}

/* The members of the inputs beside the events. Of several inputs with one member, the first
 * one counts, in the order in which they were copied. */
static void copy_members(struct trace_out *o)
{
	static const char *const own[] = { "displayTimeUnit", "traceEvents" };
	struct intern seen;
	BUF_LOCAL notes = { 0 };
	size_t n;

	intern_init(&seen);
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		intern_adds(&seen, own[i]);
	if (o->notes.is_changed || !has_copied_notes(o))
		export_ids_note_write(&o->notes, &o->options->scope, o->base, &notes);
	/* Without copies, first_copied is 0. */
	if (o->first_copied < o->profile->n_inputs)
		copy_members_of(o, o->first_copied, buf_text(&notes), &seen);
	for (uint32_t i = 0; i < o->profile->n_inputs; i++)
		if (i != o->first_copied)
			copy_members_of(o, i, buf_text(&notes), &seen);
	n = seen.n;
	intern_adds(&seen, "metadata");
	if (seen.n > n && notes.len)
		json_put(&o->w, json_line(0), json_begin("metadata", "{"),
			 json_copy(NULL, notes.data, notes.len), json_end("}"));
	n = seen.n;
	intern_adds(&seen, "otherData");
	if (seen.n > n)
		json_put(&o->w, json_line(0), json_begin("otherData", "{"),
			 json_string("exporter", "flametty " PACKAGE_VERSION), json_end("}"));
	intern_done(&seen);
}

static void trace_write(const struct profile *p, const struct export_options *options,
			struct sink *sink)
{
	struct export_options own = *options;
	struct trace_out o = { .profile = p,
			       .options = &own,
			       .sink = sink,
			       .w = { .out = sink_buf(sink) } };
	ALLOC_LOCAL struct lane_ids *places = export_ids_of(p, options->is_slices);
	unsigned n_profiles = 0, n_beside = FIRST_BESIDE;

	/* The whole profile includes events of no length at its very end. */
	own.scope.t1 += own.scope.t1 == p->t1;
	o.places = places;
	o.is_copied = xcalloc(p->n_inputs ? p->n_inputs : 1, sizeof *o.is_copied);
	o.text_of = xcalloc(p->frames.n, sizeof *o.text_of);
	/* Programs that read traces treat time 0 as a missing time. */
	o.base = p->has_own_zero ? 0 : p->origin_ns;
	if (o.base < 1000)
		o.base = NS_PER_MS;
	json_put(&o.w, json_begin(NULL, "{"),
		 json_string("displayTimeUnit", p->has_ns ? "ns" : "ms"), json_line(0),
		 json_begin("traceEvents", "[\n"));
	export_ids_served(&o.served, p);
	export_ids_note_init(&o.notes, p, options->notes ? options->notes : &p->notes);
	copy_inputs(&o);
	add_names(&o);
	for (uint32_t i = 0; i < p->n_lanes && sink_step(sink); i++) {
		o.lane = i;
		if (is_lane_copied(&o, i))
			continue;
		add_lane(&o, &p->lanes[i],
			 o.is_copied[p->lanes[i].input] ? &n_beside : &n_profiles);
	}
	add_runs(&o);
	add_flows(&o);
	json_put(&o.w, json_end("\n]"));
	copy_members(&o);
	json_put(&o.w, json_end("}\n"));
	export_ids_note_done(&o.notes);
	buf_done(&o.texts);
	free(o.text_of);
	free(o.is_copied);
	export_ids_served_done(&o.served);
}

const struct export_format export_trace = {
	.name = "trace",
	.help = "Chrome trace events, for DevTools and Perfetto; all files in one",
	.opens = "Chrome DevTools (Performance), ui.perfetto.dev, speedscope.app",
	.is_of_times = true,
	.has_requests = true,
	.write = trace_write,
};
