/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node of each sample: slots become nodes, lone (program) samples are joined with the call
 * around them, and GC is put on the stack that it interrupted. */
#include "config.h"

#include "model/build/cpu_place.h"

#include "base/alloc.h"
#include "model/build/builder_state.h"

#include <stdlib.h>
#include <string.h>

void cpu_place_new(struct cpu_raw *raw, const uint32_t *slots, size_t n)
{
	uint32_t *to = raw->samples + raw->n_samples;
	size_t i = 0;

	if (raw->n_placed == raw->n_samples) {
		for (; i < n && slots[i] != SLOT_NONE; i++) {
			const struct slot *slot = cpu_slots_find(&raw->slots, slots[i]);

			if (!slot || !slot->node)
				break;
			to[i] = slot->node - 1;
		}
		raw->n_placed += i;
	}
	memcpy(to + i, slots + i, (n - i) * sizeof *to);
	raw->n_samples += n;
}

size_t cpu_place_usual(struct cpu_raw *raw, const int64_t *ids, size_t n)
{
	struct slot *const *chunks = raw->slots.chunks;
	uint32_t *to = raw->samples + raw->n_samples;
	size_t i;

	for (i = 0; i < n && (uint64_t)ids[i] < SLOT_DENSE; i++) {
		size_t id = (size_t)ids[i];
		const struct slot *chunk = chunks[id / SLOT_CHUNK];
		uint32_t node = chunk ? chunk[id % SLOT_CHUNK].node : 0;

		if (!node)
			break;
		to[i] = node - 1;
	}
	raw->n_placed += i;
	raw->n_samples += i;
	return i;
}

static void note_slot(void *ctx, uint32_t number, const struct slot *slot)
{
	((uint32_t *)ctx)[slot->node - 1] = number;
}

void cpu_place_undo(struct cpu_raw *raw)
{
	uint32_t *slot = NULL;

	if (raw->n_placed > 0) {
		slot = xmalloc(raw->n * sizeof *slot);
		cpu_slots_each(&raw->slots, note_slot, slot);
	}
	for (size_t i = 0; i < raw->n_placed; i++)
		raw->samples[i] = slot[raw->samples[i]];
	free(slot);
	raw->n_placed = 0;
}

static void resolve_samples(struct builder *b, struct cpu_draft *d)
{
	struct cpu_raw *raw = &b->raw;

	for (size_t i = 0; i < raw->n_samples; i++) {
		const struct slot *slot = cpu_slots_find(&raw->slots, raw->samples[i]);
		uint32_t at = slot ? slot->node - 1 : CPU_DRAFT_NONE;

		if (i + SLOT_AHEAD < raw->n_samples)
			cpu_slots_prefetch(&raw->slots, raw->samples[i + SLOT_AHEAD]);
		if (at == CPU_DRAFT_NONE) {
			if (d->unknown == CPU_DRAFT_NONE)
				d->unknown = cpu_draft_add_named(d, b, "(unknown)");
			at = d->unknown;
			builder_warn(b, WARN_UNKNOWN_NODE, -1);
		}
		raw->samples[i] = at;
	}
}

/* What a node directly below the root is; 0 of all others. */
enum { IS_IDLE = 1, IS_PROGRAM = 2, IS_GC = 4 };

/* By node. */
static uint8_t *find_pseudos(const struct builder *b, const struct cpu_draft *d)
{
	uint8_t *is = xcalloc(d->n, 1);

	for (uint32_t i = 0; i < d->n; i++) {
		enum category c;

		if (d->parent[i] != d->root)
			continue;
		c = b->profile->frames.frames[d->frame[i]].category;
		is[i] = c == CATEGORY_PROGRAM ? IS_PROGRAM
			: c == CATEGORY_IDLE  ? IS_IDLE
			: c == CATEGORY_GC    ? IS_GC
					      : 0;
	}
	return is;
}

/* The outermost calls of nodes, found when they are asked for. */
struct outermost {
	const struct cpu_draft *d;
	uint32_t *of; /* by node: its ancestor directly below the root; CPU_DRAFT_NONE: not known */
};

static struct outermost outermost_begin(struct cpu_draft *d)
{
	struct outermost top = { d, cpu_draft_scratch(d) };

	memset(top.of, 0xFF, (size_t)d->n * sizeof *top.of);
	top.of[d->root] = d->root;
	return top;
}

/* A walk up ends at a node that an earlier walk has passed. */
static uint32_t find_outermost(const struct outermost *top, uint32_t node)
{
	const uint32_t *parent = top->d->parent;
	uint32_t at = node, is;

	while (top->of[at] == CPU_DRAFT_NONE && parent[at] != top->d->root)
		at = parent[at];
	is = top->of[at] == CPU_DRAFT_NONE ? at : top->of[at];
	for (at = node; top->of[at] == CPU_DRAFT_NONE; at = parent[at])
		top->of[at] = is;
	return is;
}

static void keep_joined(struct recorded *r, size_t sample, uint32_t node)
{
	r->joined = xgrow(r->joined, &r->cap_joined, r->n_joined + 1, sizeof *r->joined);
	r->joined[r->n_joined++] = (struct recorded_sample){ sample, node };
}

static uint32_t gc_on(struct cpu_draft *d, struct recorded *r, uint32_t node, uint32_t gc)
{
	if (node == d->root)
		return gc;
	if (!d->gc_child) {
		d->n_gc_child = d->n;
		d->gc_child = xcalloc(d->n_gc_child, sizeof *d->gc_child);
	}
	if (!d->gc_child[node]) {
		d->gc_child[node] = cpu_draft_add(d, node, d->frame[gc]);
		r->gc = xgrow(r->gc, &r->cap_gc, r->n_gc + 1, sizeof *r->gc);
		r->gc[r->n_gc++] = (struct recorded_node){ d->gc_child[node], gc };
	}
	return d->gc_child[node];
}

/* A single (program) sample between two samples of the same outermost call becomes the sample
 * before it. GC samples have no stack of their own: they are attached to the leaf of the sample
 * before. What a sample is and what is around it is looked up as recorded. */
static void join_and_attach(struct builder *b, struct cpu_draft *d, const uint8_t *pseudos)
{
	struct recorded *r = &b->raw.recorded;
	uint32_t *s = b->raw.samples, below = d->root, before = below;
	size_t n = b->raw.n_samples;
	struct outermost top = outermost_begin(d);

	for (size_t i = 0; i < n; i++) {
		uint32_t here = s[i];
		uint8_t pseudo = pseudos[here];

		if (pseudo == IS_PROGRAM && i > 0 && i + 1 < n && !pseudos[before] &&
		    !pseudos[s[i + 1]] &&
		    find_outermost(&top, before) == find_outermost(&top, s[i + 1])) {
			s[i] = before;
			keep_joined(r, i, here);
			builder_warn(b, WARN_JOINED, -1);
		} else if (pseudo == IS_GC) {
			s[i] = gc_on(d, r, below, here);
		} else {
			below = here;
		}
		before = here;
	}
}

void cpu_place_samples(struct builder *b, struct cpu_draft *d)
{
	struct cpu_raw *raw = &b->raw;

	if (raw->n_placed == 0)
		resolve_samples(b, d);
	cpu_slots_done(&raw->slots);
	if (!b->options.is_raw && !raw->is_as_recorded) {
		uint8_t *pseudos = find_pseudos(b, d);

		join_and_attach(b, d, pseudos);
		free(pseudos);
	}
}
