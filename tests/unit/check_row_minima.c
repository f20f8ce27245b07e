/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared rows of pairs of nodes are compared with those of calltree_common(). */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"

#include <stdlib.h>

#include "model/lane.c"

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

/* A tree of n nodes whose frames all differ. near: parents are at most `near` nodes before their
 * children; so the tree is deep if this is 1, and flat if it is n. */
static void make_tree(struct calltree *tree, uint32_t n, uint32_t near)
{
	node_id *parent = xmalloc(n * sizeof *parent), *order = xmalloc(n * sizeof *order);
	frame_id *frame = xmalloc(n * sizeof *frame);

	for (uint32_t i = 0; i < n; i++) {
		parent[i] = i == 0 ? 0 : i - 1 - below(near < i ? near : i);
		frame[i] = i;
	}
	calltree_build(tree, n, parent, frame, order);
	free(parent);
	free(order);
	free(frame);
}

/* Add the blocks in parts of different sizes. */
static void make_minima(struct row_minima *m, const struct calltree *tree)
{
	row_minima_begin(m, tree);
	for (size_t from = 0, end; from < m->n_blocks; from = end) {
		end = from + 1 + below(5);
		end = end < m->n_blocks ? end : m->n_blocks;
		row_minima_add(m, from, end);
	}
	row_minima_end(m);
}

static const struct {
	uint32_t n, near;
} shapes[] = {
	{ 1, 1 },    { 2, 1 },     { 31, 3 },      { 32, 1 },      { 33, 4 },
	{ 64, 64 },  { 65, 2 },    { 96, 5 },      { 97, 97 },     { 5000, 1 },
	{ 5000, 2 }, { 5000, 40 }, { 5000, 5000 }, { 20000, 300 }, { 70000, 1 },
};

START_TEST(shared_rows_are_those_of_the_common_ancestor)
{
	uint32_t n = shapes[_i].n;
	struct calltree tree;
	struct row_minima m;

	seed = (uint32_t)_i + 1;
	make_tree(&tree, n, shapes[_i].near);
	n = tree.n;
	make_minima(&m, &tree);
	for (int k = 0; k < 20000; k++) {
		node_id a = below(n), reach = below(2) ? n : 1 + below(200);
		node_id b = a + below(reach < n - a ? reach : n - a);

		ck_assert_uint_eq(row_minima_shared(&m, a, b),
				  tree.rows[calltree_common(&tree, a, b)]);
		ck_assert_uint_eq(row_minima_shared(&m, b, a), row_minima_shared(&m, a, b));
	}
	row_minima_done(&m);
	calltree_done(&tree);
}
END_TEST

START_TEST(what_was_not_begun_can_be_freed)
{
	struct row_minima m = { 0 };

	row_minima_done(&m);
	ck_assert_ptr_null(m.until);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "shared rows", SUITE_SECONDS);

	tcase_add_loop_test(t, shared_rows_are_those_of_the_common_ancestor, 0, N(shapes));
	tcase_add_test(t, what_was_not_begun_can_be_freed);
}

int main(void)
{
	return suite_run("row_minima", add_tests);
}
