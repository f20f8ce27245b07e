/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self times of the nodes of garbage collection are added up from the leaves to the root. Of a
 * function, its outermost nodes count, as in its total time. */
#include "config.h"

#include "analyse/gc_part.h"

#include "base/alloc.h"

#include <stdlib.h>

static const struct calltree *tree_of(const struct gc_part *part)
{
	return part->totals->view->tree;
}

static size_t begin_nodes(void *ctx)
{
	struct gc_part *part = ctx;
	size_t n = tree_of(part) ? tree_of(part)->n : 0;

	part->node = xmalloc((n + 1) * sizeof *part->node);
	part->frame = xcalloc((size_t)part->totals->n_frames + 1, sizeof *part->frame);
	return n;
}

static void copy_selves(void *ctx, size_t from, size_t end)
{
	struct gc_part *part = ctx;
	const struct frame *frames = part->totals->view->frames;

	for (size_t i = from; i < end; i++)
		part->node[i] = i && frames[tree_of(part)->frame[i]].category == CATEGORY_GC
			? part->totals->self[i]
			: 0;
}

static size_t begin_sums(void *ctx)
{
	const struct calltree *tree = tree_of(ctx);

	return tree && tree->n ? tree->n - 1 : 0;
}

/* From the last node to the first, without the root. */
static void add_sums(void *ctx, size_t from, size_t end)
{
	struct gc_part *part = ctx;
	const struct calltree *tree = tree_of(part);

	for (size_t i = tree->n - from; i-- > tree->n - end;) {
		part->node[tree->parent[i]] += part->node[i];
		if (tree->is_outer[i])
			part->frame[tree->frame[i]] += part->node[i];
	}
}

static const struct phase phases[] = {
	{ begin_nodes, copy_selves, NULL },
	{ begin_sums, add_sums, NULL },
	{ NULL, NULL, NULL },
};

void gc_part_begin(struct gc_part *part, const struct totals *totals)
{
	*part = (struct gc_part){ .totals = totals };
}

bool gc_part_work(struct gc_part *part, struct budget *budget)
{
	part->is_complete = part->is_complete || phases_work(&part->phases, phases, part, budget);
	return part->is_complete;
}

void gc_part_done(struct gc_part *part)
{
	free(part->node);
	free(part->frame);
	*part = (struct gc_part){ .totals = NULL };
}

size_t gc_part_bytes(const struct totals *totals)
{
	size_t n = totals->view->tree ? totals->view->tree->n : 0;

	return (n + totals->n_frames + 2) * sizeof(int64_t);
}

int64_t gc_part_of_row(const struct gc_part *part, enum rows_kind kind, const struct row *row)
{
	const struct calltree *tree = tree_of(part);
	int64_t ns = 0;

	if (kind == ROWS_BOTTOMUP && row->depth == 0)
		return part->frame[row->frame];
	if (!row->items)
		return -1;
	for (uint32_t i = 0; i < row->n_items; i++) {
		node_id node = row->items[i].first;

		ns += kind == ROWS_TOPDOWN || tree->is_outer[node] ? part->node[node] : 0;
	}
	return ns;
}
