/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JS Self-Profiling: a ProfilerTrace has the lists `frames`, `resources`, `stacks` and `samples`,
 * in any order, so all of them are collected before "self lane" below makes the lane.
 *
 * The traces of one object, {"a": trace, "b": trace}, are collected one after the other. Each
 * becomes a lane with the name of its member, as soon as it is complete. They have one clock; other
 * traces have a clock each, because their times count from when their page was opened. */
#include "config.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/json/json_read.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"
#include "read/documents.h"
#include "read/reader.h"
#include "read/stack_lane.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== self lane ====
 *
 * From the lists of a trace to a lane.
 * 1. A stack is identified by its frames: stacks with the same frames become one node.
 * 2. A sample without a stack is empty, or, if it has a marker, a frame with the marker's name. If
 *    gaps are wanted as idle time, an empty sample is a frame (idle).
 * 3. A marker for work that the browser does on behalf of the stack is a frame on top of it.
 * 4. Frame numbers in the lane: those of the file, then (unknown), then (idle), then the markers.
 */

struct self_frame {
	str_id name;
	int64_t resource, line, column; /* line and column count from 1 */
};

struct self_stack {
	int64_t frame, parent;
};

struct self_sample {
	int64_t t, stack;
	str_id marker;
};

struct self_trace {
	struct intern *texts; /* of the names and urls; borrowed */
	struct self_frame *frames;
	size_t n_frames, cap_frames;
	str_id *resources;
	size_t n_resources, cap_resources;
	struct self_stack *stacks;
	size_t n_stacks, cap_stacks;
	struct self_sample *samples; /* in any order; an index that is absent: JSON_INDEX_ABSENT */
	size_t n_samples, cap_samples;
};

#define MARKER_MAX 64
#define NO_NODE UINT32_MAX
#define OWN_FRAMES 2u /* (unknown) and (idle) */

struct self_lane {
	const struct self_trace *t;
	struct builder *b;
	struct error *err;
	str_id markers[MARKER_MAX];
	uint32_t n_markers;
};

/* ---- stacks ---- */

/* Finds the node of each stack. A stack whose parent has no node yet waits in `todo`. */
struct walk {
	uint32_t *node; /* by stack; NO_NODE: not yet */
	uint32_t *todo;
	uint8_t *is_open; /* by stack: stands in todo */
};

static uint32_t known_frame(struct self_lane *r, const struct self_stack *stack)
{
	if (stack->frame >= 0 && (uint64_t)stack->frame < r->t->n_frames)
		return (uint32_t)stack->frame;
	builder_warn(r->b, WARN_ODD_INDEX, -1);
	return (uint32_t)r->t->n_frames;
}

/* Find the node below which the outermost stack in todo belongs. */
static bool find_base(struct self_lane *r, struct stack_lane *l, int64_t parent,
		      const struct walk *w, uint32_t *node)
{
	*node = 0;
	if (parent == JSON_INDEX_ABSENT)
		return true;
	if (parent >= 0 && (uint64_t)parent < r->t->n_stacks) {
		if (w->node[parent] != NO_NODE)
			*node = w->node[parent];
		else
			builder_warn(r->b, WARN_STACK_CYCLE, -1);
		return true;
	}
	builder_warn(r->b, WARN_ODD_INDEX, -1);
	return stack_lane_child(l, 0, (uint32_t)r->t->n_frames, node, r->err);
}

static bool place_stack(struct self_lane *r, struct stack_lane *l, struct walk *w, uint32_t stack)
{
	int64_t at = stack;
	uint32_t n = 0, node;

	while (at >= 0 && (uint64_t)at < r->t->n_stacks && w->node[at] == NO_NODE &&
	       !w->is_open[at]) {
		w->is_open[at] = 1;
		w->todo[n++] = (uint32_t)at;
		at = r->t->stacks[at].parent;
	}
	if (n == 0)
		return true;
	if (!find_base(r, l, at, w, &node))
		return false;
	while (n-- > 0) {
		if (!stack_lane_child(l, node, known_frame(r, &r->t->stacks[w->todo[n]]), &node,
				      r->err))
			return false;
		w->node[w->todo[n]] = node;
		w->is_open[w->todo[n]] = 0;
	}
	return true;
}

static bool place_stacks(struct self_lane *r, struct stack_lane *l, struct walk *w)
{
	size_t n = r->t->n_stacks ? r->t->n_stacks : 1;

	w->node = xmalloc(n * sizeof *w->node);
	w->todo = xmalloc(n * sizeof *w->todo);
	w->is_open = xcalloc(n, 1);
	memset(w->node, 0xFF, n * sizeof *w->node);
	for (uint32_t i = 0; i < r->t->n_stacks; i++)
		if (!place_stack(r, l, w, i))
			return false;
	return true;
}

/* ---- samples ---- */

/* Whether a marker stands for work that the browser does on behalf of the stack. */
static bool is_work(const char *marker)
{
	return strcmp(marker, "gc") == 0 || strcmp(marker, "style") == 0 ||
		strcmp(marker, "layout") == 0 || strcmp(marker, "paint") == 0;
}

/* Find the number of a marker's frame. False: there are too many different markers. */
static bool marker_frame(struct self_lane *r, str_id marker, uint32_t *frame)
{
	uint32_t i = 0;

	while (i < r->n_markers && r->markers[i] != marker)
		i++;
	if (i == MARKER_MAX)
		return false;
	if (i == r->n_markers)
		r->markers[r->n_markers++] = marker;
	*frame = (uint32_t)r->t->n_frames + OWN_FRAMES + i;
	return true;
}

static bool place_sample(struct self_lane *r, struct stack_lane *l, const struct walk *w,
			 const struct self_sample *sample)
{
	uint32_t node = 0, frame;

	if (sample->stack >= 0 && (uint64_t)sample->stack < r->t->n_stacks) {
		node = w->node[sample->stack];
	} else if (sample->stack != JSON_INDEX_ABSENT) {
		builder_warn(r->b, WARN_ODD_INDEX, -1);
		if (!stack_lane_child(l, 0, (uint32_t)r->t->n_frames, &node, r->err))
			return false;
	}
	if (sample->marker && (node == 0 || is_work(intern_text(r->t->texts, sample->marker))) &&
	    marker_frame(r, sample->marker, &frame) &&
	    !stack_lane_child(l, node, frame, &node, r->err))
		return false;
	if (node == 0 && builder_options(r->b)->has_idle_gaps &&
	    !stack_lane_child(l, 0, (uint32_t)r->t->n_frames + 1, &node, r->err))
		return false;
	stack_lane_sample(l, node, sample->t);
	return true;
}

static bool place_samples(struct self_lane *r, struct stack_lane *l)
{
	struct walk w = { 0 };
	size_t n_odd;
	bool ok = place_stacks(r, l, &w);

	for (size_t i = 0; ok && i < r->t->n_samples; i++)
		ok = place_sample(r, l, &w, &r->t->samples[i]);
	free(w.node);
	free(w.todo);
	free(w.is_open);
	n_odd = stack_lane_sort(l, false);
	if (n_odd)
		builder_warn_times(r->b, WARN_UNSORTED, -1, n_odd);
	return ok;
}

/* ---- the lane ---- */

static uint32_t *pass_frames(struct self_lane *r)
{
	uint32_t *frames = xmalloc((r->t->n_frames + OWN_FRAMES + r->n_markers) * sizeof *frames);
	BUF_LOCAL name = { 0 };

	for (size_t i = 0; i < r->t->n_frames; i++) {
		const struct self_frame *f = &r->t->frames[i];
		str_id url = 0;

		if (f->resource >= 0 && (uint64_t)f->resource < r->t->n_resources)
			url = r->t->resources[f->resource];
		else if (f->resource != JSON_INDEX_ABSENT)
			builder_warn(r->b, WARN_ODD_INDEX, -1);
		frames[i] = stack_lane_frame(r->b, r->t->texts, f->name, url, f->line, f->column);
	}
	frames[r->t->n_frames] = cpu_builder_named(r->b, "(unknown)", 9);
	frames[r->t->n_frames + 1] = cpu_builder_named(r->b, "(idle)", 6);
	for (uint32_t i = 0; i < r->n_markers; i++) {
		buf_clear(&name);
		buf_addc(&name, '(');
		buf_add(&name, intern_text(r->t->texts, r->markers[i]),
			intern_len(r->t->texts, r->markers[i]));
		buf_addc(&name, ')');
		frames[r->t->n_frames + OWN_FRAMES + i] = cpu_builder_named(r->b, buf_text(&name),
									    name.len);
	}
	return frames;
}

/* Make a lane of a trace that has samples. title: empty: none. False, with the error set: it has
 * too many stacks. */
static bool self_lane_make(const struct self_trace *trace, struct builder *b,
			   const struct file_hints *hints, const char *title, struct error *err)
{
	struct self_lane w = { .t = trace, .b = b, .err = err };
	struct stack_lane lane;
	bool ok;

	stack_lane_init(&lane);
	cpu_builder_begin(b);
	ok = place_samples(&w, &lane);
	if (ok) {
		uint32_t *frames = pass_frames(&w);

		stack_lane_emit(&lane, b, frames);
		free(frames);
		if (lane.n_samples == 1)
			builder_warn(b, WARN_ONE_SAMPLE, -1);
	}
	stack_lane_done(&lane);
	if (!ok) {
		cpu_builder_drop(b);
		return false;
	}
	cpu_builder_title(b, title, strlen(title), false);
	return cpu_builder_end(b, hints->pid, hints->tid, err);
}

/* ==== self profile ==== */

struct self_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct intern texts;
	struct self_trace t;
	bool has_frames, has_stacks, has_samples; /* these lists are complete */
	uint32_t n_lanes;
	str_id title;     /* of the trace: the name of the member that holds it; 0: none does */
	uint32_t n_named; /* traces of this object that are complete */
};

/* ---- the four lists ---- */

static bool read_frame(void *ctx)
{
	static const struct json_field fields[] = {
		{ "name", JSON_FIELD_TEXT, offsetof(struct self_frame, name) },
		{ "resourceId", JSON_FIELD_INDEX, offsetof(struct self_frame, resource) },
		{ "line", JSON_FIELD_POSITION, offsetof(struct self_frame, line) },
		{ "column", JSON_FIELD_POSITION, offsetof(struct self_frame, column) },
	};
	struct self_reader *r = ctx;
	struct self_frame f = { .resource = JSON_INDEX_ABSENT };
	bool ok;

	if (scan_peek(r->s) != '{')
		builder_warn(r->b, WARN_CALL_FRAME, scan_offset(r->s));
	ok = json_read_fields(r->s, fields, ARRAY_LEN(fields), &r->texts, &f);
	*ARRAY_ADD(r->t.frames, r->t.n_frames, r->t.cap_frames) = f;
	return ok;
}

static bool read_resource(void *ctx)
{
	struct self_reader *r = ctx;

	r->t.resources = xgrow(r->t.resources, &r->t.cap_resources, r->t.n_resources + 1,
			       sizeof *r->t.resources);
	return json_read_text(r->s, &r->texts, &r->t.resources[r->t.n_resources++]);
}

static bool read_stack(void *ctx)
{
	static const struct json_field fields[] = {
		{ "frameId", JSON_FIELD_INDEX, offsetof(struct self_stack, frame) },
		{ "parentId", JSON_FIELD_INDEX, offsetof(struct self_stack, parent) },
	};
	struct self_reader *r = ctx;
	struct self_stack stack = { .frame = JSON_INDEX_BAD, .parent = JSON_INDEX_ABSENT };
	bool ok = json_read_fields(r->s, fields, ARRAY_LEN(fields), &r->texts, &stack);

	if (r->t.n_stacks >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, scan_offset(r->s), "more than %u stacks",
				 CPU_NODES_MAX);
	*ARRAY_ADD(r->t.stacks, r->t.n_stacks, r->t.cap_stacks) = stack;
	return ok;
}

/* A sample without a time is left out: its time goes to the sample before it. */
static bool read_sample(void *ctx)
{
	struct draft {
		struct json_read_number time;
		int64_t stack;
		str_id marker;
	};
	static const struct json_field fields[] = {
		{ "timestamp", JSON_FIELD_MS, offsetof(struct draft, time) },
		{ "stackId", JSON_FIELD_INDEX, offsetof(struct draft, stack) },
		{ "marker", JSON_FIELD_TEXT, offsetof(struct draft, marker) },
	};
	struct self_reader *r = ctx;
	struct draft draft = { .stack = JSON_INDEX_ABSENT };
	int64_t offset = scan_offset(r->s), t;

	if (!json_read_fields(r->s, fields, ARRAY_LEN(fields), &r->texts, &draft))
		return false;
	t = draft.time.value;
	if (!draft.time.is_usable || t >= PROFILE_TIME_MAX || t <= -PROFILE_TIME_MAX)
		return builder_warn(r->b, WARN_TIME_MISSING, offset);
	if (draft.time.is_text)
		builder_warn(r->b, WARN_NUMBER_TEXT, draft.time.offset);
	*ARRAY_ADD(r->t.samples, r->t.n_samples,
		   r->t.cap_samples) = (struct self_sample){ t, draft.stack, draft.marker };
	return true;
}

/* ---- the document ---- */

#define LIST(name) offsetof(struct self_reader, name)

static const struct document_member members[] = {
	{ "frames", 0, NULL, read_frame, LIST(t.n_frames), LIST(has_frames) },
	{ "resources", 0, NULL, read_resource, LIST(t.n_resources), 0 },
	{ "stacks", 0, NULL, read_stack, LIST(t.n_stacks), LIST(has_stacks) },
	{ "samples", 0, NULL, read_sample, LIST(t.n_samples), LIST(has_samples) },
	{ .name = NULL },
};

#undef LIST

static void begin(void *ctx)
{
	struct self_reader *r = ctx;

	r->title = 0;
	r->n_named = 0;
}

/* Whether the lists suffice for a lane: samples refer to frames and stacks. */
static bool is_trace(const struct self_reader *r)
{
	return r->has_frames && r->has_stacks && r->t.n_samples > 0;
}

static bool make_lane(struct self_reader *r)
{
	const char *title = intern_text(&r->texts, r->title);
	char number[32];

	if (!r->title || r->n_named == 0)
		cpu_builder_clock(r->b, CPU_CLOCK_OWN);
	if (!r->title && r->n_lanes > 0) {
		snprintf(number, sizeof number, "trace %u", r->n_lanes + 1);
		title = number;
	}
	r->n_lanes++;
	return self_lane_make(&r->t, r->b, r->hints, title, r->err);
}

/* ---- traces in members of an object ---- */

static bool read_named_member(void *ctx, struct str key)
{
	struct self_reader *r = ctx;

	for (const struct document_member *m = members; m->name; m++) {
		if (!str_is(key, m->name) || scan_peek(r->s) != '[')
			continue;
		*(size_t *)((char *)r + m->n) = 0;
		if (!json_read_list(r->s, m->element, r))
			return false;
		if (m->is_complete)
			*(bool *)((char *)r + m->is_complete) = true;
		return true;
	}
	return scan_skip(r->s);
}

static void free_lists(struct self_trace *t)
{
	free(t->frames);
	free(t->resources);
	free(t->stacks);
	free(t->samples);
	*t = (struct self_trace){ .texts = t->texts };
}

/* A member that is no list of the trace: a trace of its own, or nothing. Where the file is cut off
 * within it, its lists stay, for is_usable() and finish(). */
static bool read_other(void *ctx, struct str key)
{
	struct self_reader *r = ctx;
	const struct self_reader outer = *r;
	/* Looking at the value may move the window, with the key in it. */
	str_id title = intern_add(&r->texts, key.p, key.len);
	bool ok, is_complete;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	r->t = (struct self_trace){ .texts = &r->texts };
	r->has_frames = r->has_stacks = r->has_samples = false;
	r->title = title;
	is_complete = json_read_object(r->s, read_named_member, r);
	ok = is_complete && (!is_trace(r) || make_lane(r));
	if (is_complete) {
		r->n_named += is_trace(r);
		free_lists(&r->t);
		r->t = outer.t;
		r->has_frames = outer.has_frames;
		r->has_stacks = outer.has_stacks;
		r->has_samples = outer.has_samples;
		r->title = outer.title;
	} else {
		struct self_trace lists = outer.t;

		free_lists(&lists);
	}
	return ok;
}

static bool is_usable(void *ctx)
{
	const struct self_reader *r = ctx;

	return is_trace(r) || r->n_named > 0;
}

/* A profiler that is stopped at once returns four empty lists, which is no error. */
static bool finish(void *ctx, int64_t offset)
{
	struct self_reader *r = ctx;

	if (r->n_named > 0 && !is_trace(r))
		return true;
	if (!r->has_frames)
		return error_set(r->err, ERR_FORMAT, offset, "the trace has no frames");
	if (r->t.n_samples > 0)
		return make_lane(r);
	if (r->t.n_frames || r->t.n_stacks || !r->has_samples)
		return error_set(r->err, ERR_FORMAT, offset, "the trace has no samples");
	builder_input_note(r->b, false,
			   "an empty trace: the profiler was stopped before its first sample");
	builder_accept_empty(r->b);
	return true;
}

/* Whether a member is an object that begins with a list of a trace. The frames of a speedscope file
 * are in such an object, too: `shared`. */
static bool has_named_trace(const struct outline *outline)
{
	if (outline_has_any(outline, "profiles threads $schema"))
		return false;
	for (const struct document_member *m = members; m->name; m++)
		for (size_t i = 0; i < outline->n_keys; i++)
			if (outline->keys[i].value == '{' &&
			    strcmp(outline->keys[i].name, "shared") != 0 &&
			    strcmp(outline->keys[i].inner, m->name) == 0)
				return true;
	return false;
}

/* Whether the first element of a list is an object that begins with another member than those n. */
static bool is_foreign(const struct outline *o, const char *list, const char *const *own, size_t n)
{
	return outline_first_key(o, list, own, (int)n) == (int)n;
}

/* Whether this is no other format with lists of the same names. Profiles of Sentry are one: stacks
 * are lists of numbers there. */
static bool has_marks(const struct outline *o)
{
	static const char *const of_frames[] = { "name", "resourceId", "line", "column" };
	static const char *const others[] = { "frameId", "parentId", "stackId", "timestamp",
					      "marker" };

	if (outline_has_any(o, "thread_metadata profiler_id") ||
	    (outline_has_list(o, "stacks", "[") && !outline_has_list(o, "stacks", "")))
		return false;
	return outline_has(o, "resources", 0) ||
		!(is_foreign(o, "stacks", others, ARRAY_LEN(others)) ||
		  is_foreign(o, "samples", others, ARRAY_LEN(others)) ||
		  is_foreign(o, "frames", of_frames, ARRAY_LEN(of_frames)));
}

static int self_profile_sniff(const struct outline *outline)
{
	if (!has_marks(outline))
		return 0;
	if (outline_has_list(outline, "frames", "{n") &&
	    outline_has_list(outline, "samples", "{n") && outline_has_list(outline, "stacks", "{n"))
		return 90;
	if (has_named_trace(outline))
		return 80;
	/* A list is missing. The reader's message about that is better than "unknown format". */
	if (outline->is_whole && outline_has_list(outline, "samples", "{n") &&
	    (outline_has_list(outline, "frames", "{n") ||
	     outline_has_list(outline, "stacks", "{n")))
		return 60;
	return 0;
}

static bool self_profile_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			      struct error *err)
{
	struct self_reader r = { .s = s, .b = b, .err = err, .hints = hints };
	const struct documents documents = { .s = s,
					     .b = b,
					     .err = &r.err,
					     .ctx = &r,
					     .noun = "trace",
					     .members = members,
					     .other = read_other,
					     .begin = begin,
					     .is_usable = is_usable,
					     .finish = finish };
	bool ok;

	intern_init(&r.texts);
	r.t.texts = &r.texts;
	ok = documents_read(&documents) && intern_fits(&r.texts, err);
	intern_done(&r.texts);
	free_lists(&r.t);
	return ok;
}

const struct reader reader_self_profile = {
	.name = "selfprofile",
	.help = "JS Self-Profiling trace (what Profiler.stop() gives in a page)",
	.foreign = "traceEvents nodes",
	.sniff = self_profile_sniff,
	.read = self_profile_read,
};
