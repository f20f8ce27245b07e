/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/same_stack.h"

#include "base/alloc.h"
#include "model/seek.h"
#include "ui/same_frames.h"

#include <stdlib.h>
#include <string.h>

void same_stack_take(const struct profile *profile, const struct calltree *tree, node_id node,
		     struct same_stack *stack)
{
	uint32_t n = tree->rows[node];

	*stack = (struct same_stack){ xmalloc(((size_t)n + 1) * sizeof *stack->ids),
				      xmalloc(((size_t)n + 1) * sizeof *stack->names), n };
	for (; n > 0; node = tree->parent[node]) {
		n--;
		stack->ids[n] = same_frames_id(profile, tree->frame[node], true);
		stack->names[n] = same_frames_id(profile, tree->frame[node], false);
	}
}

void same_stack_done(struct same_stack *stack)
{
	free(stack->ids);
	free(stack->names);
	*stack = (struct same_stack){ 0 };
}

bool same_stack_is(const struct same_stack *stack, const struct profile *profile,
		   const struct calltree *tree, node_id node)
{
	uint32_t n = tree->rows[node];

	if (n != stack->n)
		return false;
	for (; n > 0; node = tree->parent[node])
		if (same_frames_id(profile, tree->frame[node], true) != stack->ids[--n])
			return false;
	return true;
}

/* The callee of `node` that is function i of the stack; NODE_ROOT: there is none. */
static node_id find_callee(const struct same_stack *stack, uint32_t i,
			   const struct profile *profile, const struct calltree *tree, node_id node)
{
	node_id moved = NODE_ROOT;

	for (node_id c = node + 1; c < tree->end[node]; c = tree->end[c]) {
		if (same_frames_id(profile, tree->frame[c], true) == stack->ids[i])
			return c;
		if (moved == NODE_ROOT &&
		    same_frames_id(profile, tree->frame[c], false) == stack->names[i])
			moved = c;
	}
	return moved;
}

node_id same_stack_find(const struct same_stack *stack, const struct profile *profile,
			const struct calltree *tree)
{
	node_id node = NODE_ROOT;

	for (uint32_t i = 0; i < stack->n && tree->n; i++) {
		node_id callee = find_callee(stack, i, profile, tree, node);

		if (callee == NODE_ROOT)
			break;
		node = callee;
	}
	return node;
}

/* The distance of a time from a span. */
static int64_t distance(const struct span *span, int64_t t)
{
	return t < span->t0 ? span->t0 - t : t >= span->t1 ? t - span->t1 + 1 : 0;
}

bool same_stack_span(const struct lane *lane, node_id node, int64_t t, struct span *span)
{
	const struct samples *samples = &lane->samples;
	struct seek seek;
	struct span before;
	bool is_next, is_before;
	size_t i;

	if (!samples->n || node == NODE_ROOT)
		return false;
	i = t < samples_time(samples, 0)                ? 0
		: t < samples_time(samples, samples->n) ? samples_find(samples, t)
							: samples->n - 1;
	seek_init_nodes(&seek, lane, &node, 1);
	if (!seek.lane)
		return false;
	is_next = seek_next(&seek, i, span);
	is_before = seek_before(&seek, i, &before);
	if (is_before && (!is_next || distance(&before, t) < distance(span, t)))
		*span = before;
	seek_done(&seek);
	return is_next || is_before;
}
