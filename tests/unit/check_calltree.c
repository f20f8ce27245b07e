/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees are compared with those that a recursive walk over lists of children gives, for nodes in
 * preorder, with leaves after them, in other orders, and with children to be joined. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "model/calltree.h"

#include <string.h>

#define MOST 3000u

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

struct input {
	uint32_t n;
	node_id parent[MOST];
	frame_id frame[MOST];
};

/* What the tree should be. */
struct model {
	const struct input *in;
	uint32_t n;
	node_id parent[MOST], end[MOST], order[MOST];
	unsigned rows[MOST];
	frame_id frame[MOST];
};

/* Add a node for all of the given nodes of the input, then its children: nodes with one frame are
 * one child. */
static void add(struct model *m, const node_id *nodes, uint32_t n_nodes, node_id parent)
{
	const struct input *in = m->in;
	node_id id = m->n++, *children = xmalloc(in->n * sizeof *children);
	uint32_t n = 0;

	m->parent[id] = parent;
	m->rows[id] = id ? m->rows[parent] + 1 : 0;
	m->frame[id] = in->frame[nodes[0]];
	/* The children of a node that is joined come before those of the others. */
	for (uint32_t k = n_nodes; k-- > 0;) {
		m->order[nodes[k]] = id;
		for (node_id i = 1; i < in->n; i++)
			if (in->parent[i] == nodes[k])
				children[n++] = i;
	}
	for (uint32_t k = 0; k < n; k++) {
		node_id same[MOST];
		uint32_t n_same = 0;

		same[0] = 0;
		for (uint32_t j = 0; j < n; j++)
			if (in->frame[children[j]] == in->frame[children[k]])
				same[n_same++] = children[j];
		if (same[0] == children[k])
			add(m, same, n_same, id);
	}
	m->end[id] = m->n;
	free(children);
}

static bool is_outer(const struct model *m, node_id i)
{
	for (node_id up = m->parent[i]; up != NODE_ROOT; up = m->parent[up])
		if (m->frame[up] == m->frame[i])
			return false;
	return i != NODE_ROOT;
}

static bool has_right_ancestors(const struct calltree *tree, node_id i)
{
	for (node_id up = i; up != NODE_ROOT; up = tree->parent[up])
		if (calltree_ancestor(tree, i, tree->rows[up]) != up)
			return false;
	return calltree_ancestor(tree, i, 0) == NODE_ROOT;
}

/* An assertion for each node would take most of the time. */
static bool is_right(const struct model *m, const struct calltree *tree, node_id i)
{
	return tree->rows[i] == m->rows[i] && tree->rows[i] <= tree->max_rows &&
		tree->is_outer[i] == is_outer(m, i) && has_right_ancestors(tree, i);
}

/* Build `in` in steps of `step` nodes, and compare. */
static void check(const struct input *in, uint32_t step)
{
	static struct model m;
	static struct input copy;
	node_id order[MOST];
	struct calltree tree;
	struct calltree_work *w;
	struct budget budget;
	bool all_right = true;

	m = (struct model){ .in = in };
	add(&m, &(node_id){ 0 }, 1, 0);
	copy = *in;
	w = calltree_begin(&tree, in->n, copy.parent, copy.frame, order);
	do
		budget = budget_steps(1, step);
	while (!calltree_work(w, &budget));
	ck_assert_uint_eq(calltree_end(w), 0);
	ck_assert_uint_eq(tree.n, m.n);
	ck_assert_mem_eq(order, m.order, in->n * sizeof *order);
	ck_assert_mem_eq(tree.parent, m.parent, m.n * sizeof *m.parent);
	ck_assert_mem_eq(tree.frame, m.frame, m.n * sizeof *m.frame);
	ck_assert_mem_eq(tree.end, m.end, m.n * sizeof *m.end);
	for (node_id i = 0; i < m.n; i++)
		all_right &= is_right(&m, &tree, i);
	ck_assert(all_right);
	calltree_done(&tree);
}

/* n nodes in preorder; a higher `depth` makes deeper trees. If frames are `distinct`, siblings
 * differ, but a function may call itself. */
static void make_preorder(struct input *in, uint32_t n, uint32_t depth, bool distinct)
{
	in->n = n;
	in->parent[0] = in->frame[0] = 0;
	for (uint32_t i = 1; i < n; i++) {
		node_id at = i - 1;

		while (at && below(depth) == 0)
			at = in->parent[at];
		in->parent[i] = at;
		in->frame[i] = distinct ? 1 + i % (n / 2 + 1) : 1 + below(8);
	}
}

/* Add leaves at the end, as the builder does for garbage collections. */
static void add_leaves(struct input *in, uint32_t n, bool distinct)
{
	uint32_t before = in->n;

	for (; n-- > 0; in->n++) {
		in->parent[in->n] = below(before);
		in->frame[in->n] = distinct ? 5000 + in->n : 1 + below(8);
	}
}

/* Number the nodes anew, all but the root. */
static void shuffle(struct input *in)
{
	node_id to[MOST];
	struct input *before = xmalloc(sizeof *before);

	*before = *in;
	for (node_id i = 0; i < in->n; i++)
		to[i] = i;
	for (node_id i = in->n; i-- > 2;) {
		node_id j = 1 + below(i), t = to[i];

		to[i] = to[j];
		to[j] = t;
	}
	for (node_id i = 0; i < in->n; i++) {
		in->parent[to[i]] = to[before->parent[i]];
		in->frame[to[i]] = before->frame[i];
	}
	free(before);
}

static const uint32_t sizes[] = { 1, 2, 3, 10, 100, 500 };

START_TEST(a_tree_is_that_of_a_recursive_walk)
{
	static struct input in;

	seed = (uint32_t)_i + 3;
	for (uint32_t k = 0; k < SUITE_CASES(40); k++) {
		bool distinct = k % 2;

		make_preorder(&in, sizes[_i], 2 + below(6), distinct);
		check(&in, 1 + below(50));
		add_leaves(&in, 1 + below(40), distinct);
		check(&in, 1 + below(50));
		/* A leaf below a leaf is no leaf. */
		in.parent[in.n] = in.n - 1;
		in.frame[in.n++] = 6000;
		check(&in, 1000);
		shuffle(&in);
		check(&in, 1 + below(50));
	}
}
END_TEST

/* A chain, with a leaf below its last node. */
START_TEST(deeper_nodes_are_merged_into_the_deepest_row)
{
	uint32_t n = (uint32_t)(CALLTREE_MAX_ROWS + _i);
	node_id *parent = xcalloc(n + 1, sizeof *parent), *order = xcalloc(n + 1, sizeof *order);
	frame_id *frame = xcalloc(n + 1, sizeof *frame);
	struct calltree tree;
	uint32_t n_cut;

	for (uint32_t i = 1; i <= n; i++) {
		parent[i] = i - 1;
		frame[i] = i;
	}
	parent[n] = n - 1;
	n_cut = calltree_build(&tree, n + 1, parent, frame, order);
	ck_assert_uint_eq(n_cut, n > CALLTREE_MAX_ROWS ? n - CALLTREE_MAX_ROWS : 0);
	ck_assert_uint_eq(tree.max_rows, n < CALLTREE_MAX_ROWS ? n : CALLTREE_MAX_ROWS);
	ck_assert_uint_eq(order[n], n < CALLTREE_MAX_ROWS ? n : CALLTREE_MAX_ROWS);
	ck_assert_uint_eq(tree.end[NODE_ROOT], tree.n);
	calltree_done(&tree);
	free(parent);
	free(order);
	free(frame);
}
END_TEST

START_TEST(a_tree_that_was_not_finished_can_be_freed)
{
	static struct input in;
	node_id order[MOST];

	for (uint64_t steps = 1; steps < 300; steps += 7) {
		struct calltree tree;
		struct calltree_work *w;
		struct budget budget = budget_steps(steps, 10);

		make_preorder(&in, 400, 5, steps % 2);
		w = calltree_begin(&tree, in.n, in.parent, in.frame, order);
		calltree_work(w, &budget);
		calltree_end(w);
		calltree_done(&tree);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "call trees", SUITE_SECONDS);

	tcase_add_loop_test(t, a_tree_is_that_of_a_recursive_walk, 0, N(sizes));
	tcase_add_loop_test(t, deeper_nodes_are_merged_into_the_deepest_row, -3, 3);
	tcase_add_test(t, a_tree_that_was_not_finished_can_be_freed);
}

int main(void)
{
	return suite_run("calltree", add_tests);
}
