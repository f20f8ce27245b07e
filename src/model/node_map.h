/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call tree under construction: finds the node of a function that a parent calls, and adds it
 * when it is new. Node 0 is the root, an empty stack; a parent has a lower number than its
 * children. A zeroed struct is an empty map, without even the root. */
#ifndef FLAMETTY_MODEL_NODE_MAP_H
#define FLAMETTY_MODEL_NODE_MAP_H

#include "base/hash.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node_map {
	uint32_t *parent; /* by node; the caller may take it over and store NULL here */
	frame_id *frame;  /* by node; likewise */
	uint32_t n;
	size_t cap;
	struct hash_table index; /* of all nodes except the root */
};

void node_map_done(struct node_map *m);

/* Add the root to an empty map. */
void node_map_init(struct node_map *m);

/* Free the index, which takes most of the memory. After that, nodes are neither found nor added. */
void node_map_close(struct node_map *m);

/* Find the node of `frame` under `parent`. Returns 0 if it was not added yet; then *probe is what
 * node_map_add() needs. */
static inline uint32_t node_map_find(const struct node_map *m, uint32_t parent, frame_id frame,
				     struct hash_probe *probe)
{
	*probe = hash_probe(hash_u64((uint64_t)parent << 32 | frame));
	while (hash_table_next(&m->index, probe))
		if (m->parent[probe->index] == parent && m->frame[probe->index] == frame)
			return probe->index;
	return 0;
}

/* Make room for another node. */
void node_map_grow(struct node_map *m);

/* Add the node that node_map_find() just did not find. Inline: in a trace, nearly every slice can
 * be a new node. */
static inline uint32_t node_map_add(struct node_map *m, uint32_t parent, frame_id frame,
				    const struct hash_probe *probe)
{
	if (m->n >= m->cap)
		node_map_grow(m);
	m->parent[m->n] = parent;
	m->frame[m->n] = frame;
	hash_table_add_missing(&m->index, probe, m->n);
	return m->n++;
}

/* Find the node, or add it. */
static inline uint32_t node_map_child(struct node_map *m, uint32_t parent, frame_id frame)
{
	struct hash_probe probe;
	uint32_t node = node_map_find(m, parent, frame, &probe);

	return node ? node : node_map_add(m, parent, frame, &probe);
}

#endif
