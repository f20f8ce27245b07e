/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two loops over nodes: over all, for the call; then over the callees of the last call of the
 * stack, again and again. Nodes are numbered in preorder, so both only count up. Of calls with
 * equal time, the first one in that order is taken. */
#include "config.h"

#include "analyse/heavy_stack.h"

#include "analyse/scope.h"
#include "analyse/totals.h"
#include "analyse/view/view.h"
#include "base/alloc.h"
#include "base/text.h"
#include "model/profile.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== folded ====
 *
 * Frames of stacks as lines of Brendan Gregg's folded format, `a;b;c`, as flamegraph.pl and
 * speedscope read it: the export and the clipboard write the same text. */

void folded_add_name(struct buf *out, const char *name, size_t len)
{
	size_t start = out->len;
	char *p;

	text_visible(out, name, len);
	for (p = out->data + start; out->len > start && (p = strchr(p, ';')); p++)
		*p = ':';
}

void folded_add_frame(struct buf *out, const struct profile *profile, const struct frame *frame)
{
	BUF_LOCAL place = { 0 };

	folded_add_name(out, profile_text(profile, frame->name),
			intern_len(&profile->strings, frame->name));
	if (!frame->url || !profile_is_anonymous(profile, frame))
		return;
	profile_location(profile, frame, false, &place);
	buf_addc(out, ' ');
	folded_add_name(out, buf_text(&place), place.len);
}

/* ==== leaf counts ====
 *
 * One pass over the samples. Profiles of hit counts have the numbers already. */

/* Sum the numbers of the nodes of a lane by node of the view, which joins siblings of one function.
 */
static uint64_t *by_view_node(const struct view *view, uint64_t *n)
{
	const struct view_source *source = &view->sources[0];
	uint64_t *sums;

	if (!source->map)
		return n;
	sums = xcalloc(view->tree->n, sizeof *sums);
	for (node_id i = 0; i < source->lane->tree.n; i++)
		if (source->map[i] != VIEW_DROPPED)
			sums[source->map[i]] += n[i];
	free(n);
	return sums;
}

uint64_t *leaf_counts(const struct view *view, const struct scope *scope)
{
	const struct lane *lane = view->sources[0].lane;
	const struct samples *s = &lane->samples;
	uint64_t *n = xcalloc(lane->tree.n, sizeof *n);
	/* Samples of no length at the end of the lane belong to a range that ends there. */
	int64_t t1 = s->n && scope->t1 >= samples_time(s, s->n) ? INT64_MAX : scope->t1;

	if (lane->kind != LANE_SAMPLES)
		return by_view_node(view, n);
	for (node_id i = 0; !lane->has_timeline && lane->hits && i < lane->tree.n; i++)
		n[i] = lane->hits[i];
	for (size_t i = 0; lane->has_timeline && i < s->n && samples_time(s, i) < t1; i++)
		n[s->leaf[i]] += samples_time(s, i) >= scope->t0 ||
			samples_time(s, i + 1) > scope->t0;
	return by_view_node(view, n);
}

/* ==== heavy stack ==== */

/* Whether a node is a call that the path stands for. Adds the nodes that were looked at to *work.
 */
static bool matches(const struct heavy_stack *s, node_id node, uint32_t *work)
{
	const struct calltree *tree = s->totals->view->tree;
	uint32_t n = s->n_path, rows = tree->rows[node];
	node_id above = node, outermost = node;

	if (s->from == HEAVY_ROOT ? rows != n : rows < n)
		return false;
	for (uint32_t i = 0; i < n; i++, above = tree->parent[above]) {
		++*work;
		if (tree->frame[above] != s->path[s->from == HEAVY_CALLERS ? i : n - 1 - i])
			return false;
		outermost = above;
	}
	return s->from != HEAVY_OUTER || tree->is_outer[outermost];
}

/* Look for the heaviest call. Returns whether all nodes were looked at. */
static bool find(struct heavy_stack *s, struct budget *budget)
{
	const struct calltree *tree = s->totals->view->tree;
	const int64_t *total = s->totals->total;
	frame_id last = s->path[s->from == HEAVY_CALLERS ? 0 : s->n_path - 1];

	while (s->next < tree->n) {
		node_id node = s->next++;
		uint32_t work = 1;

		if (tree->frame[node] == last && total[node] > (s->best ? total[s->best] : 0) &&
		    matches(s, node, &work))
			s->best = node;
		if (budget_use(budget, work))
			return false;
	}
	return true;
}

/* Add callees. Returns whether the last one is there. */
static bool go_down(struct heavy_stack *s, struct budget *budget)
{
	const struct calltree *tree = s->totals->view->tree;
	const int64_t *total = s->totals->total;

	for (;;) {
		node_id last = s->nodes[s->n - 1];

		while (s->next < tree->end[last]) {
			if (total[s->next] > (s->heaviest ? total[s->heaviest] : 0))
				s->heaviest = s->next;
			s->next = tree->end[s->next];
			if (budget_use(budget, 1))
				return false;
		}
		if (!s->heaviest || total[s->heaviest] <= s->totals->self[last])
			return true;
		*ARRAY_ADD(s->nodes, s->n, s->cap) = s->heaviest;
		s->next = s->heaviest + 1;
		s->heaviest = NODE_ROOT;
	}
}

bool heavy_stack_step(struct heavy_stack *stack, struct budget *budget)
{
	if (!stack->is_found) {
		if (!find(stack, budget))
			return false;
		stack->is_found = true;
		if (stack->best) {
			/* Take the call and its callers. */
			const struct calltree *tree = stack->totals->view->tree;
			uint32_t n = tree->rows[stack->best];

			stack->nodes = xgrow(NULL, &stack->cap, n, sizeof *stack->nodes);
			stack->n = n;
			for (node_id node = stack->best; node != NODE_ROOT;
			     node = tree->parent[node])
				stack->nodes[--n] = node;
			n = stack->n;
			stack->next = stack->best + 1;
			stack->heaviest = NODE_ROOT;
			stack->at = stack->from == HEAVY_CALLERS ? n - stack->n_path : n - 1;
		}
	}
	return !stack->best || go_down(stack, budget);
}
