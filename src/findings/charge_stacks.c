/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk over the blocks of all samples sets a bit for each stack; then the bits are counted. */
#include "config.h"

#include "findings/charge_stacks.h"

#include "base/alloc.h"

#include <stdlib.h>

void charge_stacks_init(struct charge_stacks *s, const struct lane *lane)
{
	*s = (struct charge_stacks){ .lane = lane };
	s->kind = xcalloc(lane->tree.n, 1);
	s->words = xcalloc((size_t)lane->tree.n / CHARGE_STACKS_WORD + 1, sizeof *s->words);
}

void charge_stacks_done(struct charge_stacks *s)
{
	free(s->kind);
	free(s->node);
	free(s->words);
	*s = (struct charge_stacks){ 0 };
}

node_id charge_stacks_below_gc(const struct charge_stacks *s, node_id node)
{
	while (s->kind[node] == CHARGE_GC)
		node = s->lane->tree.parent[node];
	return node;
}

static void add(struct charge_stacks *s, node_id node)
{
	s->words[node / CHARGE_STACKS_WORD].bits |= 1u << node % CHARGE_STACKS_WORD;
}

static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct charge_stacks *s = ctx;

	(void)ns;
	add(s, leaf);
	if (s->kind[leaf] == CHARGE_GC)
		add(s, charge_stacks_below_gc(s, leaf));
}

static void add_leaves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_leaf(ctx, leaf[i], ns[i]);
}

/* Number the stacks. */
static void number(struct charge_stacks *s)
{
	size_t n_words = (size_t)s->lane->tree.n / CHARGE_STACKS_WORD + 1;
	uint32_t n = 0;

	for (size_t i = 0; i < n_words; i++) {
		s->words[i].before = s->n;
		s->n += charge_stacks_bits(s->words[i].bits);
	}
	s->node = xmalloc(s->n * sizeof *s->node);
	for (size_t i = 0; i < n_words; i++)
		for (uint32_t bits = s->words[i].bits; bits; bits &= bits - 1)
			s->node[n++] = (node_id)(i * CHARGE_STACKS_WORD) +
				(node_id)__builtin_ctz(bits);
}

bool charge_stacks_find(struct charge_stacks *s, struct budget *budget)
{
	const struct blocks_visitor visitor = { s, add_leaves, add_leaf, NULL };

	if (!s->walk.samples) {
		add(s, NODE_ROOT);
		blocks_begin(&s->walk, &s->lane->samples, INT64_MIN, INT64_MAX, &visitor);
	}
	if (!blocks_walk_work(&s->walk, &visitor, budget))
		return false;
	number(s);
	return true;
}
