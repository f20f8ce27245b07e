/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two arrays by node, and an index table over (parent, frame). The root is not in the table, so 0
 * can mean that a node was not found. */
#include "config.h"

#include "model/node_map.h"

#include "base/alloc.h"

#include <stdlib.h>

#define NODES_FIRST 64u

void node_map_init(struct node_map *m)
{
	*m = (struct node_map){ .n = 1 };
	m->parent = xgrow(NULL, &m->cap, NODES_FIRST, sizeof *m->parent);
	m->frame = xmalloc(m->cap * sizeof *m->frame);
	m->parent[0] = 0;
	m->frame[0] = FRAME_NONE;
}

void node_map_done(struct node_map *m)
{
	free(m->parent);
	free(m->frame);
	hash_table_done(&m->index);
	*m = (struct node_map){ 0 };
}

void node_map_close(struct node_map *m)
{
	hash_table_done(&m->index);
}

void node_map_grow(struct node_map *m)
{
	m->parent = xgrow(m->parent, &m->cap, (size_t)m->n + 1, sizeof *m->parent);
	m->frame = xrealloc(m->frame, m->cap, sizeof *m->frame);
}
