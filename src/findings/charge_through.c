/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A router calls other packages, with no own frame on the stack. For the nodes without an owner,
 * the chain of distinct packages is followed from the outermost one inwards, as long as the next
 * one has most of the time; the last one gets the time. Not below an owner: there, the outermost
 * package is the one that the user's code chose. */
#include "config.h"

#include "findings/charge_through.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>

#define PASS_PERCENT 70  /* of the time of a package that the next one must have */
#define CHAIN_MOST 256   /* packages of a chain: each node looks through the one above it */
#define OWNED UINT32_MAX /* instead of a chain: the node has an owner */

/* A chain of distinct packages: the last one, and the chain before it. Chain 0 is empty. */
struct link {
	uint32_t above;
	uint32_t package; /* group */
	uint32_t length;  /* packages; those after CHAIN_MOST count for the last one */
	int64_t ns;       /* of this chain and of all that continue it */
	uint32_t best;    /* the one of these with most time; 0: none */
};

struct charge_through {
	struct charge *charge;
	struct phases phases;
	struct link *list;
	size_t n, cap;
	struct hash_table index;
	uint32_t *path; /* by row: the chains of the nodes above the next one */
	uint32_t stack; /* the first one that is not done */
	uint32_t *last; /* by group: the package that gets the time of a package; 0: itself */
};

struct charge_through *charge_through_begin(struct charge *c)
{
	struct charge_through *t = xcalloc(1, sizeof *t);

	t->charge = c;
	return t;
}

void charge_through_end(struct charge_through *t)
{
	if (!t)
		return;
	free(t->list);
	free(t->path);
	free(t->last);
	hash_table_done(&t->index);
	free(t);
}

static bool has_package(const struct charge_through *t, uint32_t chain, uint32_t package)
{
	for (; chain; chain = t->list[chain].above)
		if (t->list[chain].package == package)
			return true;
	return false;
}

static uint32_t find_chain(struct charge_through *t, uint32_t above, uint32_t package)
{
	uint64_t hash = hash_u64((uint64_t)above << 32 | package);
	struct hash_probe probe = hash_probe(hash);

	if (t->list[above].length == CHAIN_MOST || has_package(t, above, package))
		return above;
	while (hash_table_next(&t->index, &probe))
		if (t->list[probe.index].above == above && t->list[probe.index].package == package)
			return probe.index;
	t->list = xgrow(t->list, &t->cap, t->n + 1, sizeof *t->list);
	t->list[t->n] = (struct link){ .above = above,
				       .package = package,
				       .length = t->list[above].length + 1 };
	hash_table_add(&t->index, hash, (uint32_t)t->n);
	return (uint32_t)t->n++;
}

/* Item i of the pass over nodes is node i + 1. */
static size_t begin_chains(void *ctx)
{
	struct charge_through *t = ctx;
	const struct calltree *tree = &t->charge->lane->tree;

	t->path = xcalloc((size_t)tree->max_rows + 1, sizeof *t->path);
	t->stack = 1;
	t->list = xgrow(t->list, &t->cap, 1, sizeof *t->list);
	t->list[t->n++] = (struct link){ 0 };
	return tree->n - 1;
}

static void make_chains(void *ctx, size_t from, size_t end)
{
	struct charge_through *t = ctx;
	const struct charge *c = t->charge;
	const struct charge_stacks *stacks = &c->stacks;

	for (node_id i = (node_id)from + 1; i <= end; i++) {
		const struct charge_function *fn = charge_function(c, i);
		uint32_t *of = &t->path[c->lane->tree.rows[i]];
		bool is_stack = t->stack < stacks->n && stacks->node[t->stack] == i;

		charge_prefetch(c, i);
		*of = fn->is_own ? OWNED : of[-1];
		if (*of != OWNED && fn->frame.flags & CHARGE_DEPENDENCY && fn->package)
			*of = find_chain(t, *of, fn->package);
		if (*of != OWNED && is_stack)
			t->list[*of].ns += charge_stack_ns(c, &c->whole, t->stack);
		t->stack += is_stack;
	}
}

static size_t begin_sums(void *ctx)
{
	const struct charge_through *t = ctx;

	return t->n - 1;
}

/* From the last chain to the first: a chain comes after the one that it continues. */
static void sum_chains(void *ctx, size_t from, size_t end)
{
	struct charge_through *t = ctx;

	for (size_t i = from; i < end; i++) {
		uint32_t chain = (uint32_t)(t->n - 1 - i);
		struct link *above = &t->list[t->list[chain].above];

		above->ns += t->list[chain].ns;
		if (!above->best || t->list[chain].ns >= t->list[above->best].ns)
			above->best = chain;
	}
}

/* The chain that a chain of one package passes its time on to. */
static uint32_t pass_on(const struct charge_through *t, uint32_t chain)
{
	for (;;) {
		uint32_t best = t->list[chain].best;

		if (!best || t->list[best].ns == 0 ||
		    !charge_times_has(t->list[best].ns, t->list[chain].ns, PASS_PERCENT))
			return chain;
		chain = best;
	}
}

static size_t begin_packages(void *ctx)
{
	struct charge_through *t = ctx;

	t->last = xcalloc(t->charge->n_groups, sizeof *t->last);
	return t->n - 1;
}

static void pass_packages(void *ctx, size_t from, size_t end)
{
	struct charge_through *t = ctx;
	struct charge_group *groups = t->charge->groups;
	const struct link *list = t->list;

	for (size_t i = from + 1; i <= end; i++) {
		uint32_t chain;

		if (list[i].above)
			continue;
		chain = pass_on(t, (uint32_t)i);
		t->last[list[i].package] = list[chain].package;
		for (; list[chain].above; chain = list[chain].above)
			groups[list[chain].package].through = list[list[chain].above].package;
	}
}

static size_t begin_stacks(void *ctx)
{
	const struct charge_through *t = ctx;

	return t->charge->stacks.n;
}

static void pass_stacks(void *ctx, size_t from, size_t end)
{
	struct charge_through *t = ctx;
	struct charge_node *nodes = t->charge->nodes;

	for (size_t i = from; i < end; i++)
		if (nodes[i].owner == NODE_ROOT && t->last[nodes[i].package])
			nodes[i].package = t->last[nodes[i].package];
}

bool charge_through_work(struct charge_through *t, struct budget *budget)
{
	static const struct phase phases[] = {
		{ .begin = begin_chains, .items = make_chains },
		{ .begin = begin_sums, .items = sum_chains },
		{ .begin = begin_packages, .items = pass_packages },
		{ .begin = begin_stacks, .items = pass_stacks },
		{ 0 },
	};

	return phases_work(&t->phases, phases, t, budget);
}
