/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Totals of functions count recursion once: only nodes without an ancestor of the same function. */
#include "config.h"

#include "findings/finding_rule_tree.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define HALF_ALL 90 /* percent: it calls the whole program, which says little */
#define INSIDE_PERCENT 60
#define INSIDE_FUNCTIONS 2
#define INSIDE_FUNCTION_SHARE 50000 /* millionths */
#define INSIDE_PACKAGES 3
#define INSIDE_PACKAGE_SHARE 80000

/* ---- half ---- */

/* A function with half of the time below it. */
struct candidate {
	frame_id frame;
	int64_t total;
	unsigned rows;   /* of its deepest node */
	frame_id callee; /* an own function that it calls; FRAME_NONE: none was found */
	bool has_more;   /* it calls another one, too */
};

static bool is_smaller(const void *a, const void *b, const void *ctx)
{
	const struct candidate *x = a, *y = b;

	(void)ctx;
	return x->total != y->total ? x->total < y->total : x->rows > y->rows;
}

static size_t find_candidates(struct finding_window *w, struct candidate **list)
{
	const struct charge *c = w->charge;
	const struct calltree *tree = &c->lane->tree;
	struct finding_tally *t = &w->tally;
	size_t n = 0;

	for (node_id i = 1; i < tree->n; i++) {
		charge_prefetch(c, i);
		if (tree->is_outer[i] && charge_function(c, i)->is_own)
			finding_tally_add(t, tree->frame[i], finding_window_total(w, i));
	}
	*list = arena_alloc(&w->arena, t->n * sizeof **list);
	for (size_t i = 0; i < t->n; i++) {
		frame_id f = t->used[i];
		int64_t charged = w->groups[c->functions[f].group].ns;

		if (charge_times_has(t->ns[f], w->times.busy, 50) &&
		    !charge_times_has(charged, t->ns[f], 50) &&
		    !(c->functions[f].frame.flags & CHARGE_TOP))
			(*list)[n++] = (struct candidate){ .frame = f,
							   .total = t->ns[f],
							   .rows = c->functions[f].rows };
	}
	finding_tally_clear(t);
	return n;
}

/* Calls of own functions by candidates, through packages or not. Callees of recursive calls count
 * only where they are not below themselves. */
struct calls {
	struct finding_window *w;
	uint32_t *of;    /* by frame: index of the candidate + 1; 0: it is none */
	uint32_t *above; /* by row: the owner of the nodes above the next one, in the same way */
	node_id node;    /* the callee, */
	uint32_t by;     /* and the candidate that calls it */
};

/* Find the next call that has time. Returns false at the end. */
static bool next_call(struct calls *k)
{
	const struct charge *c = k->w->charge;
	const struct calltree *tree = &c->lane->tree;

	while (++k->node < tree->n) {
		frame_id f = tree->frame[k->node];
		uint32_t *above = &k->above[tree->rows[k->node]];
		bool is_own = c->functions[f].is_own;

		charge_prefetch(c, k->node);
		k->by = above[-1];
		*above = is_own ? k->of[f] : k->by;
		if (k->by && is_own && tree->is_outer[k->node] && k->of[f] != k->by &&
		    finding_window_total(k->w, k->node) > 0)
			return true;
	}
	return false;
}

static struct calls begin_calls(struct finding_window *w, const struct candidate *list, size_t n)
{
	struct calls k = {
		.w = w,
		.of = xcalloc(w->charge->profile->frames.n, sizeof *k.of),
		.above = xcalloc((size_t)w->charge->lane->tree.max_rows + 1, sizeof *k.above),
	};

	for (size_t i = 0; i < n; i++)
		k.of[list[i].frame] = (uint32_t)i + 1;
	return k;
}

static void end_calls(struct calls *k)
{
	free(k->of);
	free(k->above);
}

/* Note up to two functions that each candidate calls. */
static void note_callees(struct finding_window *w, struct candidate *list, size_t n)
{
	struct calls k = begin_calls(w, list, n);

	while (next_call(&k)) {
		frame_id f = w->charge->lane->tree.frame[k.node];
		struct candidate *by = &list[k.by - 1];

		by->has_more |= by->callee != FRAME_NONE && by->callee != f;
		by->callee = f;
	}
	end_calls(&k);
}

/* Add the time of each function that a candidate calls to the tally. */
static void tally_callees(struct finding_window *w, const struct candidate *list, size_t n,
			  const struct candidate *by)
{
	struct calls k = begin_calls(w, list, n);

	while (next_call(&k)) {
		if (&list[k.by - 1] == by)
			finding_tally_add(&w->tally, w->charge->lane->tree.frame[k.node],
					  finding_window_total(w, k.node));
	}
	end_calls(&k);
}

/* All keys in the subtrees of a function. */
static void add_keys(struct finding_window *w, struct finding_draft *d, frame_id frame)
{
	const struct calltree *tree = &w->charge->lane->tree;
	node_id end = NODE_ROOT, node = 1;

	d->keys.list = arena_alloc(&w->arena, w->keys.n * sizeof *d->keys.list);
	for (size_t i = 0; i < w->keys.n; i++) {
		node_id at = charge_key_node(w->charge, w->keys.list[i]);

		for (; node <= at; node++)
			if (tree->frame[node] == frame && node >= end)
				end = tree->end[node];
		if (at >= end)
			continue;
		d->keys.list[d->keys.n++] = w->keys.list[i];
		d->keys_ns += w->times.ns[w->keys.list[i]];
	}
}

static void add_half(struct finding_window *w, const struct candidate *candidate)
{
	struct finding_draft *d = finding_window_add(w, FINDING_HALF, candidate->total,
						     w->charge->is_tool ? 500000 : 250000);
	struct finding_tally *t = &w->tally;

	if (!w->charge->is_tool && charge_times_has(candidate->total, w->times.busy, HALF_ALL))
		d->f.score /= 10;
	d->f.function = candidate->frame;
	finding_tally_largest(t, &d->other);
	d->other_ns = t->ns[d->other];
	t->ns[d->other] = 0;
	finding_tally_largest(t, &d->third);
	d->third_ns = t->ns[d->third];
	finding_tally_clear(t);
	add_keys(w, d, candidate->frame);
}

void finding_rule_tree_half(struct finding_window *w)
{
	struct candidate *list;
	size_t n;

	/* These functions are told instead. */
	for (size_t i = 0; w->charge->is_tool && i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_SPENT)
			return;
	n = find_candidates(w, &list);
	if (n)
		sort_stable(list, n, sizeof *list, is_smaller, NULL);
	if (n)
		note_callees(w, list, n);
	for (size_t i = 0; i < n; i++) {
		if (!list[i].has_more ||
		    !finding_window_is_enough(w, list[i].total, w->times.n_busy))
			continue;
		tally_callees(w, list, n, &list[i]);
		add_half(w, &list[i]);
		return;
	}
}

/* ---- inside a package ---- */

/* The draft of the package with most of the time. */
static const struct finding_draft *find_package(const struct finding_window *w)
{
	for (size_t i = 0; i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_PACKAGE &&
		    charge_times_has(w->drafts[i].f.ns, w->times.busy, INSIDE_PERCENT))
			return &w->drafts[i];
	return NULL;
}

/* The package that the innermost function of a key is of, as a group. */
static uint32_t inner_package(const struct charge *c, charge_key key)
{
	frame_id inner = charge_of(c, key)->inner;

	return inner == FRAME_NONE ? 0 : c->functions[inner].package;
}

/* Loading modules is no work of the package. */
static uint32_t index_of(const struct charge *c, charge_key key, bool is_package)
{
	const struct charge_node *n = charge_of(c, key);

	if (n->flags & CHARGE_IN_LOAD)
		return 0;
	return is_package ? inner_package(c, key) : n->inner;
}

static void add_inside(struct finding_window *w, const struct finding_keys *keys, uint32_t index,
		       bool is_package)
{
	struct finding_draft *d = finding_window_add(w, FINDING_INSIDE, w->tally.ns[index],
						     is_package ? 550000 : 600000);

	d->keys.list = arena_alloc(&w->arena, keys->n * sizeof *d->keys.list);
	for (size_t i = 0; i < keys->n; i++)
		if (index_of(w->charge, keys->list[i], is_package) == index)
			d->keys.list[d->keys.n++] = keys->list[i];
	d->keys_ns = d->f.ns;
	if (is_package)
		d->group = index;
	else
		d->f.function = index;
}

static void add_hottest(struct finding_window *w, const struct finding_keys *keys, uint32_t except,
			bool is_package)
{
	struct finding_tally *t = &w->tally;
	int least = is_package ? INSIDE_PACKAGE_SHARE : INSIDE_FUNCTION_SHARE;

	for (size_t i = 0; i < keys->n; i++) {
		uint32_t index = index_of(w->charge, keys->list[i], is_package);

		if (index)
			finding_tally_add(t, index, w->times.ns[keys->list[i]]);
	}
	for (int k = is_package ? INSIDE_PACKAGES : INSIDE_FUNCTIONS; k > 0; k--) {
		uint32_t best;

		if (!finding_tally_largest(t, &best) ||
		    finding_window_share(w, t->ns[best]) < least)
			break;
		if (best != except && finding_window_is_enough(w, t->ns[best], w->times.n_busy))
			add_inside(w, keys, best, is_package);
		t->ns[best] = 0;
	}
	finding_tally_clear(t);
}

void finding_rule_tree_inside(struct finding_window *w)
{
	const struct finding_draft *d = w->charge->is_tool ? NULL : find_package(w);
	struct finding_keys keys;
	uint32_t group;

	if (!d)
		return;
	keys = d->keys;
	group = d->group;
	add_hottest(w, &keys, FRAME_NONE, false);
	add_hottest(w, &keys, group, true);
}
