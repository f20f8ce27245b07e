/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes are found again by a table with open addressing. A parent always has a lower
 * number than its children. */
#include "config.h"

#include "reader/stack_lane.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_FIRST 1024u

void stack_lane_init(struct stack_lane *l)
{
	*l = (struct stack_lane){ .n = 1, .n_table = TABLE_FIRST };
	l->parent = xgrow(NULL, &l->cap, 64, sizeof *l->parent);
	l->frame = xmalloc(l->cap * sizeof *l->frame);
	l->parent[0] = l->frame[0] = 0;
	l->table = xcalloc(l->n_table, sizeof *l->table);
}

void stack_lane_done(struct stack_lane *l)
{
	free(l->parent);
	free(l->frame);
	free(l->table);
	free(l->samples);
	free(l->times);
	*l = (struct stack_lane){ 0 };
}

static size_t place_of(const struct stack_lane *l, uint32_t parent, uint32_t frame)
{
	size_t at = hash_u64((uint64_t)parent << 32 | frame) & (l->n_table - 1);

	while (l->table[at] &&
	       (l->parent[l->table[at]] != parent || l->frame[l->table[at]] != frame))
		at = (at + 1) & (l->n_table - 1);
	return at;
}

static void widen(struct stack_lane *l)
{
	free(l->table);
	l->n_table *= 4;
	l->table = xcalloc(l->n_table, sizeof *l->table);
	for (uint32_t i = 1; i < l->n; i++)
		l->table[place_of(l, l->parent[i], l->frame[i])] = i;
}

bool stack_lane_child(struct stack_lane *l, uint32_t parent, uint32_t frame, uint32_t *node,
		      struct error *err)
{
	size_t at = place_of(l, parent, frame);

	if (l->table[at]) {
		*node = l->table[at];
		return true;
	}
	if (l->n >= CPU_NODES_MAX)
		return error_set(err, ERR_LIMIT, -1, "more than %u nodes", CPU_NODES_MAX);
	if (l->n >= l->cap) {
		l->parent = xgrow(l->parent, &l->cap, (size_t)l->n + 1, sizeof *l->parent);
		l->frame = xrealloc(l->frame, l->cap, sizeof *l->frame);
	}
	l->parent[l->n] = parent;
	l->frame[l->n] = frame;
	*node = l->table[at] = l->n++;
	if ((size_t)l->n * 2 > l->n_table)
		widen(l);
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

static int by_time(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

size_t stack_lane_sort(struct stack_lane *l)
{
	size_t n = l->n_samples, n_equal = 0, n_back = 0;
	struct timed *order;
	uint32_t *samples;

	for (size_t i = 1; i < n; i++) {
		n_back += l->times[i] < l->times[i - 1];
		n_equal += l->times[i] == l->times[i - 1];
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
	free(order);
	l->samples = samples;
	return n_back + n_equal;
}

/* The ids of a lane's nodes are their numbers. */
static void emit_nodes(const struct stack_lane *l, struct builder *b, const uint32_t *frames)
{
	uint32_t root = builder_cpu_frame(b, "(root)", 6, "", 0, "0", 1, -1, -1);

	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t node = builder_cpu_node(b, builder_cpu_slot(b, i),
						 i ? frames[l->frame[i]] : root, -1);

		if (i)
			builder_cpu_parent(b, node, builder_cpu_slot(b, l->parent[i]));
	}
}

void stack_lane_emit(const struct stack_lane *l, struct builder *b, const uint32_t *frames)
{
	uint32_t slots[1024];

	builder_cpu_as_recorded(b);
	emit_nodes(l, b, frames);
	for (size_t i = 0; i < l->n_samples;) {
		size_t n = 0;

		for (; n < ARRAY_LEN(slots) && i + n < l->n_samples; n++)
			slots[n] = builder_cpu_slot(b, l->samples[i + n]);
		builder_cpu_samples(b, slots, n);
		builder_cpu_timestamps(b, l->times + i, n);
		i += n;
	}
	if (l->has_end)
		builder_cpu_timestamps(b, &l->end_ns, 1);
}
