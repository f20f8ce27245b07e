/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JS Self-Profiling: a ProfilerTrace has the lists `frames`, `resources`, `stacks` and `samples`,
 * in any order, so all of them are collected before the lane is made.
 * 1. A stack is identified by its frames: stacks with the same frames become one node.
 * 2. A sample without a stack is empty, or, if it has a marker, a frame with the marker's name.
 * 3. A marker for work that the browser does on behalf of the stack is a frame on top of it.
 * 4. Frame numbers in the lane: those of the file, then (unknown), then the markers. */
#include "config.h"

#include "reader/reader.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "build/cpu_builder.h"
#include "json/json_read.h"
#include "reader/documents.h"
#include "reader/stack_lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARKER_MOST 64
#define NO_NODE UINT32_MAX

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

struct self_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct intern texts;
	struct self_frame *frames;
	size_t n_frames, cap_frames;
	str_id *resources;
	size_t n_resources, cap_resources;
	struct self_stack *stacks;
	size_t n_stacks, cap_stacks;
	struct self_sample *samples;
	size_t n_samples, cap_samples;
	str_id markers[MARKER_MOST];
	uint32_t n_markers;
	bool has_frames, has_stacks, has_samples; /* these lists are complete */
	uint32_t n_lanes;
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
	r->frames = xgrow(r->frames, &r->cap_frames, r->n_frames + 1, sizeof *r->frames);
	r->frames[r->n_frames++] = f;
	return ok;
}

static bool read_resource(void *ctx)
{
	struct self_reader *r = ctx;

	r->resources = xgrow(r->resources, &r->cap_resources, r->n_resources + 1,
			     sizeof *r->resources);
	return json_read_text(r->s, &r->texts, &r->resources[r->n_resources++]);
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

	if (r->n_stacks >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, scan_offset(r->s), "more than %u stacks",
				 CPU_NODES_MAX);
	r->stacks = xgrow(r->stacks, &r->cap_stacks, r->n_stacks + 1, sizeof *r->stacks);
	r->stacks[r->n_stacks++] = stack;
	return ok;
}

static bool read_stamp(struct self_reader *r, int64_t *t, bool *has_time)
{
	int64_t offset = scan_offset(r->s);
	struct json_read_number number;

	if (!json_read_number(r->s, 6, PROFILE_TIME_MAX - 1, &number))
		return false;
	*t = number.value;
	*has_time = number.is_usable;
	if (number.is_usable && number.is_text)
		builder_warn(r->b, WARN_NUMBER_TEXT, offset);
	return true;
}

/* The sample being read. */
struct draft_sample {
	struct self_reader *r;
	struct self_sample sample;
	bool has_time;
};

static bool read_sample_member(void *ctx, struct str key)
{
	struct draft_sample *draft = ctx;
	struct self_reader *r = draft->r;

	if (str_is(key, "timestamp"))
		return read_stamp(r, &draft->sample.t, &draft->has_time);
	if (str_is(key, "stackId"))
		return json_read_index(r->s, &draft->sample.stack);
	if (str_is(key, "marker"))
		return json_read_text(r->s, &r->texts, &draft->sample.marker);
	return scan_skip(r->s);
}

/* A sample without a time is left out: its time goes to the sample before it. */
static bool read_sample(void *ctx)
{
	struct self_reader *r = ctx;
	struct draft_sample draft = { .r = r, .sample = { .stack = JSON_INDEX_ABSENT } };
	int64_t offset = scan_offset(r->s);

	if (!json_read_object(r->s, read_sample_member, &draft))
		return false;
	if (!draft.has_time) {
		builder_warn(r->b, WARN_TIME_MISSING, offset);
		return true;
	}
	r->samples = xgrow(r->samples, &r->cap_samples, r->n_samples + 1, sizeof *r->samples);
	r->samples[r->n_samples++] = draft.sample;
	return true;
}

/* ---- stacks ---- */

/* Finds the node of each stack. A stack whose parent has no node yet waits in `todo`. */
struct walk {
	uint32_t *node; /* by stack; NO_NODE: not yet */
	uint32_t *todo;
	uint8_t *is_open; /* by stack: stands in todo */
};

static uint32_t known_frame(struct self_reader *r, const struct self_stack *stack)
{
	if (stack->frame >= 0 && (uint64_t)stack->frame < r->n_frames)
		return (uint32_t)stack->frame;
	builder_warn(r->b, WARN_ODD_INDEX, -1);
	return (uint32_t)r->n_frames;
}

/* Find the node below which the outermost stack in todo belongs. */
static bool find_base(struct self_reader *r, struct stack_lane *l, int64_t parent,
		      const struct walk *w, uint32_t *node)
{
	*node = 0;
	if (parent == JSON_INDEX_ABSENT)
		return true;
	if (parent >= 0 && (uint64_t)parent < r->n_stacks) {
		if (w->node[parent] != NO_NODE)
			*node = w->node[parent];
		else
			builder_warn(r->b, WARN_STACK_CYCLE, -1);
		return true;
	}
	builder_warn(r->b, WARN_ODD_INDEX, -1);
	return stack_lane_child(l, 0, (uint32_t)r->n_frames, node, r->err);
}

static bool place_stack(struct self_reader *r, struct stack_lane *l, struct walk *w, uint32_t stack)
{
	int64_t at = stack;
	uint32_t n = 0, node;

	while (at >= 0 && (uint64_t)at < r->n_stacks && w->node[at] == NO_NODE && !w->is_open[at]) {
		w->is_open[at] = 1;
		w->todo[n++] = (uint32_t)at;
		at = r->stacks[at].parent;
	}
	if (n == 0)
		return true;
	if (!find_base(r, l, at, w, &node))
		return false;
	while (n-- > 0) {
		if (!stack_lane_child(l, node, known_frame(r, &r->stacks[w->todo[n]]), &node,
				      r->err))
			return false;
		w->node[w->todo[n]] = node;
		w->is_open[w->todo[n]] = 0;
	}
	return true;
}

static bool place_stacks(struct self_reader *r, struct stack_lane *l, struct walk *w)
{
	size_t n = r->n_stacks ? r->n_stacks : 1;

	w->node = xmalloc(n * sizeof *w->node);
	w->todo = xmalloc(n * sizeof *w->todo);
	w->is_open = xcalloc(n, 1);
	memset(w->node, 0xFF, n * sizeof *w->node);
	for (uint32_t i = 0; i < r->n_stacks; i++)
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
static bool marker_frame(struct self_reader *r, str_id marker, uint32_t *frame)
{
	uint32_t i = 0;

	while (i < r->n_markers && r->markers[i] != marker)
		i++;
	if (i == MARKER_MOST)
		return false;
	if (i == r->n_markers)
		r->markers[r->n_markers++] = marker;
	*frame = (uint32_t)r->n_frames + 1 + i;
	return true;
}

static bool place_sample(struct self_reader *r, struct stack_lane *l, const struct walk *w,
			 const struct self_sample *sample)
{
	uint32_t node = 0, frame;

	if (sample->stack >= 0 && (uint64_t)sample->stack < r->n_stacks) {
		node = w->node[sample->stack];
	} else if (sample->stack != JSON_INDEX_ABSENT) {
		builder_warn(r->b, WARN_ODD_INDEX, -1);
		if (!stack_lane_child(l, 0, (uint32_t)r->n_frames, &node, r->err))
			return false;
	}
	if (sample->marker && (node == 0 || is_work(intern_text(&r->texts, sample->marker))) &&
	    marker_frame(r, sample->marker, &frame) &&
	    !stack_lane_child(l, node, frame, &node, r->err))
		return false;
	stack_lane_sample(l, node, sample->t);
	return true;
}

static bool place_samples(struct self_reader *r, struct stack_lane *l)
{
	struct walk w = { 0 };
	size_t n_odd;
	bool ok = place_stacks(r, l, &w);

	for (size_t i = 0; ok && i < r->n_samples; i++)
		ok = place_sample(r, l, &w, &r->samples[i]);
	free(w.node);
	free(w.todo);
	free(w.is_open);
	for (n_odd = stack_lane_sort(l); n_odd > 0; n_odd--)
		builder_warn(r->b, WARN_UNSORTED, -1);
	return ok;
}

/* ---- the lane ---- */

static uint32_t *pass_frames(struct self_reader *r)
{
	uint32_t *frames = xmalloc((r->n_frames + 1 + r->n_markers) * sizeof *frames);
	struct buf name = { 0 };

	for (size_t i = 0; i < r->n_frames; i++) {
		const struct self_frame *f = &r->frames[i];
		str_id url = 0;

		if (f->resource >= 0 && (uint64_t)f->resource < r->n_resources)
			url = r->resources[f->resource];
		else if (f->resource != JSON_INDEX_ABSENT)
			builder_warn(r->b, WARN_ODD_INDEX, -1);
		frames[i] = cpu_builder_frame(r->b,
					      &(struct cpu_frame){ intern_text(&r->texts, f->name),
								   intern_len(&r->texts, f->name),
								   intern_text(&r->texts, url),
								   intern_len(&r->texts, url), "0",
								   1, f->line - 1, f->column - 1 });
	}
	frames[r->n_frames] = cpu_builder_frame(
		r->b, &(struct cpu_frame){ "(unknown)", 9, "", 0, "0", 1, -1, -1 });
	for (uint32_t i = 0; i < r->n_markers; i++) {
		buf_clear(&name);
		buf_addc(&name, '(');
		buf_add(&name, intern_text(&r->texts, r->markers[i]),
			intern_len(&r->texts, r->markers[i]));
		buf_addc(&name, ')');
		frames[r->n_frames + 1 + i] = cpu_builder_frame(
			r->b,
			&(struct cpu_frame){ buf_text(&name), name.len, "", 0, "0", 1, -1, -1 });
	}
	buf_done(&name);
	return frames;
}

static bool make_lane(struct self_reader *r)
{
	struct stack_lane lane;
	char title[32];
	bool ok;

	stack_lane_init(&lane);
	/* Times count from when the page was opened. */
	cpu_builder_own_clock(r->b);
	cpu_builder_begin(r->b);
	ok = place_samples(r, &lane);
	if (ok) {
		uint32_t *frames = pass_frames(r);

		stack_lane_emit(&lane, r->b, frames);
		free(frames);
		if (lane.n_samples == 1)
			builder_warn(r->b, WARN_ONE_SAMPLE, -1);
	}
	stack_lane_done(&lane);
	if (!ok) {
		cpu_builder_drop(r->b);
		return false;
	}
	if (r->n_lanes++ > 0)
		cpu_builder_title(r->b, title,
				  (size_t)snprintf(title, sizeof title, "trace %u", r->n_lanes),
				  false);
	return cpu_builder_end(r->b, r->hints->pid, r->hints->tid, r->err);
}

/* ---- the document ---- */

#define LIST(name) offsetof(struct self_reader, name)
static const struct document_member members[] = {
	{ "frames", NULL, read_frame, LIST(n_frames), LIST(has_frames) },
	{ "resources", NULL, read_resource, LIST(n_resources), 0 },
	{ "stacks", NULL, read_stack, LIST(n_stacks), LIST(has_stacks) },
	{ "samples", NULL, read_sample, LIST(n_samples), LIST(has_samples) },
	{ .name = NULL },
};
#undef LIST

static void begin(void *ctx)
{
	struct self_reader *r = ctx;

	r->n_markers = 0;
}

/* Samples refer to frames and stacks, so those must be complete. */
static bool is_usable(void *ctx, int64_t *offset)
{
	const struct self_reader *r = ctx;

	(void)offset;
	return r->has_frames && r->has_stacks && r->n_samples > 0;
}

/* A profiler that is stopped at once returns four empty lists, which is no error. */
static bool finish(void *ctx, int64_t offset)
{
	struct self_reader *r = ctx;

	if (!r->has_frames)
		return error_set(r->err, ERR_FORMAT, offset, "the trace has no frames");
	if (r->n_samples > 0)
		return make_lane(r);
	if (r->n_frames || r->n_stacks || !r->has_samples)
		return error_set(r->err, ERR_FORMAT, offset, "the trace has no samples");
	builder_input_note(r->b, false,
			   "an empty trace: the profiler was stopped before its first sample");
	builder_accept_empty(r->b);
	return true;
}

static int self_profile_sniff(const struct outline *outline)
{
	if (outline_has(outline, "traceEvents", 0) || outline_has(outline, "nodes", 0))
		return 0;
	if (outline_has_list(outline, "frames", "{n") &&
	    outline_has_list(outline, "samples", "{n") && outline_has_list(outline, "stacks", "{n"))
		return 90;
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
					     .begin = begin,
					     .is_usable = is_usable,
					     .finish = finish };
	bool ok;

	intern_init(&r.texts);
	ok = documents_read(&documents) && intern_fits(&r.texts, err);
	intern_done(&r.texts);
	free(r.frames);
	free(r.resources);
	free(r.stacks);
	free(r.samples);
	return ok;
}

const struct reader reader_self_profile = {
	"selfprofile",
	"JS Self-Profiling trace (what Profiler.stop() gives in a page)",
	self_profile_sniff,
	self_profile_read,
};
