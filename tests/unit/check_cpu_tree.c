/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of a profile with many nodes, a part of which is made on a thread of its own, is
 * compared with walks from node to node. */
#include "config.h"

#include "load_text.h"
#include "suite.h"

#include "base/buf.h"

#include <check.h>
#include <stdlib.h>

#define NODES 60000u /* more than cpu_lane.c does on one thread */
#define FUNCTIONS 300u

static uint32_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

/* n nodes; parents are at most `near` nodes before their children. n_samples of them. */
static struct profile *make(uint32_t n, uint32_t near, uint32_t n_samples)
{
	struct error err = ERROR_INIT;
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct buf text = { 0 };
	struct profile *p;

	buf_adds(&text, "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}}");
	for (uint32_t i = 2; i <= n; i++)
		buf_addf(&text,
			 ",{\"id\":%u,\"parent\":%u,\"callFrame\":{\"functionName\":\"f\","
			 "\"scriptId\":\"9\",\"url\":\"file:///a.js\",\"lineNumber\":%u}}",
			 i, i - 1 - below(near < i - 1 ? near : i - 1), below(FUNCTIONS));
	buf_adds(&text, "],\"startTime\":0,\"endTime\":90000000,\"samples\":[");
	for (uint32_t i = 0; i < n_samples; i++)
		buf_addf(&text, "%s%u", i ? "," : "", 2 + below(n - 1));
	buf_adds(&text, "],\"timeDeltas\":[");
	for (uint32_t i = 0; i < n_samples; i++)
		buf_adds(&text, i ? ",1000" : "1000");
	buf_adds(&text, "]}");
	p = load_text_with(b, buf_text(&text), text.len, SIZE_MAX, NULL, &err);
	if (!p)
		ck_abort_msg("not loaded: %s", err.text);
	buf_done(&text);
	return p;
}

static bool is_outer(const struct calltree *tree, node_id node)
{
	for (node_id at = tree->parent[node]; at != NODE_ROOT; at = tree->parent[at])
		if (tree->frame[at] == tree->frame[node])
			return false;
	return true;
}

static node_id ancestor(const struct calltree *tree, node_id node, unsigned rows)
{
	while (tree->rows[node] > rows)
		node = tree->parent[node];
	return node;
}

static node_id common(const struct calltree *tree, node_id a, node_id b)
{
	while (a != b)
		if (a > b)
			a = tree->parent[a];
		else
			b = tree->parent[b];
	return a;
}

/* Stacks must not be so deep that these walks take long. */
static const struct {
	uint32_t near, n_samples;
} shapes[] = { { 3000, 70000 }, { 30000, 5000 }, { 3000, 100 }, { 600, 20000 } };

START_TEST(a_tree_of_many_nodes_is_complete)
{
	struct profile *p;
	const struct calltree *tree;
	const struct samples *s;
	uint32_t *end;

	seed = (uint32_t)_i + 1;
	p = make(NODES, shapes[_i].near, shapes[_i].n_samples);
	tree = &p->lanes[0].tree;
	s = &p->lanes[0].samples;
	ck_assert_uint_gt(tree->n, NODES / 2);
	end = xcalloc(tree->n, sizeof *end);
	for (node_id i = tree->n; i-- > 0;) {
		end[i] = end[i] ? end[i] : i + 1;
		ck_assert_uint_eq(tree->end[i], end[i]);
		if (i == 0)
			break;
		ck_assert_uint_eq(tree->is_outer[i], is_outer(tree, i));
		if (!end[tree->parent[i]])
			end[tree->parent[i]] = end[i];
	}
	for (int k = 0; k < 20000; k++) {
		node_id a = below(tree->n), b = below(tree->n);
		unsigned rows = below(tree->rows[a] + 1u);

		ck_assert_uint_eq(calltree_ancestor(tree, a, rows), ancestor(tree, a, rows));
		ck_assert_uint_eq(calltree_common(tree, a, b), common(tree, a, b));
	}
	for (size_t i = 0; i + 1 < s->n; i++)
		ck_assert_uint_le(samples_shared(s, i),
				  tree->rows[common(tree, s->leaf[i], s->leaf[i + 1])]);
	free(end);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "cpu_tree", SUITE_SECONDS);

	tcase_add_loop_test(t, a_tree_of_many_nodes_is_complete, 0, N(shapes));
}

int main(void)
{
	return suite_run("cpu_tree", add_tests);
}
