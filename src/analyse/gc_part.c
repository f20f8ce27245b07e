/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self times of the nodes of garbage collection are added up from the leaves to the root. Of a
 * function, its outermost nodes count, as in its total time. */
#include "config.h"

#include "analyse/gc_part.h"

#include "base/alloc.h"

void gc_part_find(struct gc_part *part, const struct totals *totals)
{
	const struct view *view = totals->view;
	const struct calltree *tree = view->tree;
	uint32_t n = tree ? tree->n : 0;

	*part = (struct gc_part){ .tree = tree,
				  .node = xcalloc((size_t)n + 1, sizeof *part->node),
				  .frame = xcalloc((size_t)totals->n_frames + 1,
						   sizeof *part->frame) };
	for (node_id i = n; i-- > 1;) {
		if (view->frames[tree->frame[i]].category == CATEGORY_GC)
			part->node[i] += totals->self[i];
		part->node[tree->parent[i]] += part->node[i];
		if (tree->is_outer[i])
			part->frame[tree->frame[i]] += part->node[i];
	}
}

int64_t gc_part_of_row(const struct gc_part *part, enum rows_kind kind, const struct row *row)
{
	int64_t ns = 0;

	if (kind == ROWS_BOTTOMUP && row->depth == 0)
		return part->frame[row->frame];
	if (!row->items)
		return -1;
	for (uint32_t i = 0; i < row->n_items; i++) {
		node_id node = row->items[i].first;

		ns += kind == ROWS_TOPDOWN || part->tree->is_outer[node] ? part->node[node] : 0;
	}
	return ns;
}
