/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the lists of a trace to a lane.
 * 1. A stack is identified by its frames: stacks with the same frames become one node.
 * 2. A sample without a stack is empty, or, if it has a marker, a frame with the marker's name. If
 *    gaps are wanted as idle time, an empty sample is a frame (idle).
 * 3. A marker for work that the browser does on behalf of the stack is a frame on top of it.
 * 4. Frame numbers in the lane: those of the file, then (unknown), then (idle), then the markers.
 */
#include "config.h"

#include "read/self_lane.h"

#include "base/alloc.h"
#include "base/json/json_read.h"
#include "model/build/cpu_builder.h"
#include "read/stack_lane.h"

#include <stdlib.h>
#include <string.h>

#define MARKER_MOST 64
#define NO_NODE UINT32_MAX
#define OWN_FRAMES 2u /* (unknown) and (idle) */

struct self_lane {
	const struct self_trace *t;
	const struct self_lane_order *order;
	struct builder *b;
	struct error *err;
	str_id markers[MARKER_MOST];
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
	if (i == MARKER_MOST)
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
	if (node == 0 && builder_has_idle_gaps(r->b) &&
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
	for (n_odd = stack_lane_sort(l); n_odd > 0; n_odd--)
		builder_warn(r->b, WARN_UNSORTED, -1);
	return ok;
}

/* ---- the lane ---- */

static uint32_t *pass_frames(struct self_lane *r)
{
	uint32_t *frames = xmalloc((r->t->n_frames + OWN_FRAMES + r->n_markers) * sizeof *frames);
	struct buf name = { 0 };

	for (size_t i = 0; i < r->t->n_frames; i++) {
		const struct self_frame *f = &r->t->frames[i];
		str_id url = 0;

		if (f->resource >= 0 && (uint64_t)f->resource < r->t->n_resources)
			url = r->t->resources[f->resource];
		else if (f->resource != JSON_INDEX_ABSENT)
			builder_warn(r->b, WARN_ODD_INDEX, -1);
		frames[i] = cpu_builder_frame(
			r->b,
			&(struct cpu_frame){
				intern_text(r->t->texts, f->name), intern_len(r->t->texts, f->name),
				intern_text(r->t->texts, url), intern_len(r->t->texts, url), "0", 1,
				f->line - 1, f->column - 1 });
	}
	frames[r->t->n_frames] = cpu_builder_frame(
		r->b, &(struct cpu_frame){ "(unknown)", 9, "", 0, "0", 1, -1, -1 });
	frames[r->t->n_frames + 1] = cpu_builder_frame(
		r->b, &(struct cpu_frame){ "(idle)", 6, "", 0, "0", 1, -1, -1 });
	for (uint32_t i = 0; i < r->n_markers; i++) {
		buf_clear(&name);
		buf_addc(&name, '(');
		buf_add(&name, intern_text(r->t->texts, r->markers[i]),
			intern_len(r->t->texts, r->markers[i]));
		buf_addc(&name, ')');
		frames[r->t->n_frames + OWN_FRAMES + i] = cpu_builder_frame(
			r->b,
			&(struct cpu_frame){ buf_text(&name), name.len, "", 0, "0", 1, -1, -1 });
	}
	buf_done(&name);
	return frames;
}

bool self_lane_make(const struct self_trace *trace, const struct self_lane_order *order)
{
	struct self_lane w = { .t = trace, .order = order, .b = order->b, .err = order->err };
	struct stack_lane lane;
	bool ok;

	stack_lane_init(&lane);
	cpu_builder_begin(w.b);
	ok = place_samples(&w, &lane);
	if (ok) {
		uint32_t *frames = pass_frames(&w);

		stack_lane_emit(&lane, w.b, frames);
		free(frames);
		if (lane.n_samples == 1)
			builder_warn(w.b, WARN_ONE_SAMPLE, -1);
	}
	stack_lane_done(&lane);
	if (!ok) {
		cpu_builder_drop(w.b);
		return false;
	}
	cpu_builder_title(w.b, order->title, strlen(order->title), false);
	return cpu_builder_end(w.b, order->hints->pid, order->hints->tid, order->err);
}
