/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree is a node_map: a parent always has a lower number than its children. */
#include "config.h"

#include "read/stack_lane.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/sort.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"
#include "model/calltree.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* ==== named stacks ====
 *
 * A sample begins where the one before it ends; lane.end_ns is the end of the last one. A reader
 * that drops its stacks sets n_stacks to 0. Their nodes stay, without samples. */

bool named_stacks_push(struct named_stacks *l, str_id name, struct error *err)
{
	return stack_lane_child(&l->lane, l->node, name, &l->node, err);
}

void named_stacks_add(struct named_stacks *l, struct builder *b, int64_t offset, int64_t ns)
{
	int64_t most, t;

	if (l->n_stacks++ == 0)
		l->lane.n_samples = 0;
	t = l->lane.n_samples ? l->lane.end_ns : 0;
	most = PROFILE_TIME_MAX - t;
	if (ns < 0 || ns > most) {
		builder_warn(b, WARN_TIME_RANGE, offset);
		ns = ns < 0 ? 0 : most;
	}
	stack_lane_sample(&l->lane, l->node, t);
	l->lane.end_ns = t + ns;
	l->lane.has_end = true;
	l->node = 0;
}

bool named_stacks_end(struct named_stacks *l, struct builder *b, const struct file_hints *hints,
		      struct error *err)
{
	const struct intern *names;
	ALLOC_LOCAL uint32_t *frames = NULL;

	if (l->n_stacks == 0)
		return error_set(err, ERR_FORMAT, -1, "the file has no stacks");
	if (!intern_fits(&l->names, err))
		return false;
	cpu_builder_clock(b, CPU_CLOCK_OWN);
	cpu_builder_begin(b);
	names = &l->names;
	frames = xmalloc(((size_t)names->n + 1) * sizeof *frames);
	cpu_builder_form(b, CPU_NAMES_ONLY);
	for (str_id i = 0; i < names->n; i++)
		frames[i] = stack_lane_frame(b, names, i, 0, 0, 0);
	stack_lane_emit(&l->lane, b, frames);
	named_stacks_done(l);
	named_stacks_init(l);
	return cpu_builder_end(b, hints->pid, hints->tid, err);
}

/* ==== stack lane ==== */

void stack_lane_done(struct stack_lane *l)
{
	node_map_done(&l->map);
	free(l->samples);
	free(l->times);
	*l = (struct stack_lane){ 0 };
}

bool stack_lane_child(struct stack_lane *l, uint32_t parent, uint32_t frame, uint32_t *node,
		      struct error *err)
{
	struct hash_probe probe;

	*node = node_map_find(&l->map, parent, frame, &probe);
	if (*node)
		return true;
	if (l->map.n >= CPU_NODES_MAX)
		return error_set(err, ERR_LIMIT, -1, "more than %u nodes", CPU_NODES_MAX);
	*node = node_map_add(&l->map, parent, frame, &probe);
	return true;
}

void stack_lane_sample(struct stack_lane *l, uint32_t node, int64_t t)
{
	if (l->n_samples >= l->cap_samples) {
		l->samples = xgrow(l->samples, &l->cap_samples, l->n_samples + 1,
				   sizeof *l->samples);
		l->times = xrealloc(l->times, l->cap_samples, sizeof *l->times);
	}
	l->samples[l->n_samples] = node;
	l->times[l->n_samples++] = t;
}

struct timed {
	int64_t t;
	size_t at;
};

SORT_ORDER(by_time, struct timed, SORT_BY_2(x->t, y->t, x->at, y->at))

size_t stack_lane_sort(struct stack_lane *l, bool may_be_equal)
{
	size_t n = l->n_samples, n_equal = 0, n_back = 0;
	ALLOC_LOCAL struct timed *order = NULL;
	uint32_t *samples;

	for (size_t i = 1; i < n; i++) {
		n_back += l->times[i] < l->times[i - 1];
		n_equal += !may_be_equal && l->times[i] == l->times[i - 1];
	}
	if (n_back == 0)
		return n_equal;
	order = xmalloc(n * sizeof *order);
	samples = xmalloc(l->cap_samples * sizeof *samples);
	for (size_t i = 0; i < n; i++)
		order[i] = (struct timed){ l->times[i], i };
	qsort(order, n, sizeof *order, by_time);
	for (size_t i = 0; i < n; i++) {
		samples[i] = l->samples[order[i].at];
		l->times[i] = order[i].t;
	}
	free(l->samples);
	l->samples = samples;
	return n_back + n_equal;
}

void stack_lane_emit(struct stack_lane *l, struct builder *b, const uint32_t *frames)
{
	uint32_t slots[1024];
	uint32_t root;

	/* The builder makes arrays of its own for all nodes. */
	hash_table_done(&l->map.index);
	cpu_builder_form(b, CPU_AS_RECORDED);
	/* The ids of nodes, as the builder sees them, are their numbers. */
	root = cpu_builder_named(b, "(root)", 6);
	for (uint32_t i = 0; i < l->map.n; i++) {
		uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i),
						 i ? frames[l->map.frame[i]] : root, -1);

		if (i)
			cpu_builder_parent(b, node, cpu_builder_slot(b, l->map.parent[i]));
	}
	for (size_t i = 0; i < l->n_samples;) {
		size_t n = 0;

		for (; n < ARRAY_LEN(slots) && i + n < l->n_samples; n++)
			slots[n] = cpu_builder_slot(b, l->samples[i + n]);
		cpu_builder_samples(b, slots, n);
		cpu_builder_timestamps(b, l->times + i, n);
		i += n;
	}
	if (l->has_end)
		cpu_builder_timestamps(b, &l->end_ns, 1);
}

uint32_t stack_lane_frame(struct builder *b, const struct intern *texts, str_id name, str_id url,
			  int64_t line, int64_t column)
{
	return cpu_builder_frame(
		b,
		&(struct cpu_frame){ intern_text(texts, name), intern_len(texts, name),
				     intern_text(texts, url), intern_len(texts, url), "0", 1,
				     line - 1, column - 1 });
}
