/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree grows as a program would call: from the present stack a few calls return, and another
 * call is made. The samples walk through the tree in the same way, so that neighbours share most of
 * their stack; now and then there is a stretch of idle time or garbage collection. */
#include "config.h"

#include "generate.h"

#include "base/alloc.h"
#include "random.h"
#include "text_out.h"

#include <stdlib.h>

enum { ROOT, PROGRAM, IDLE, GC, FIRST }; /* nodes by number, from 0; ids count from 1 */

#define FILES 97u
/* Step between functions that one node calls: coprime with the number of functions. */
#define STRIDE 61u

struct tree {
	uint32_t n;
	uint32_t *parent;
	uint32_t *rows; /* frames from the root */
	uint32_t *function;
	uint32_t *first_child; /* n + 1 indices into children */
	uint32_t *children;
	uint32_t *hits;
};

/* Node i is called from `parent`. A node calls different functions; calls of equal functions would
 * be one node for the reader. */
static uint32_t add_node(struct tree *tree, uint32_t i, uint32_t parent,
			 const struct profile_shape *shape)
{
	uint64_t nth = tree->first_child[parent + 1]++;

	tree->parent[i] = parent;
	tree->rows[i] = tree->rows[parent] + 1;
	tree->function[i] = (uint32_t)((tree->function[parent] * UINT64_C(37) + 11 + nth * STRIDE) %
				       shape->functions);
	return i;
}

static void grow(struct tree *tree, const struct profile_shape *shape, struct random *r)
{
	uint32_t at = ROOT;

	for (uint32_t i = FIRST; i < tree->n; i++) {
		uint32_t returns = random_few(r, 2);
		/* One call in 64 goes as deep as possible: otherwise hardly any stack would be that
		 * deep. */
		uint32_t down = random_below(r, 64) == 0 ? random_below(r, shape->depth) : 0;

		while (at != ROOT && (returns-- > 0 || tree->rows[at] >= shape->depth))
			at = tree->parent[at];
		/* New nodes rarely start at the bottom: most are called from another node. */
		if (at == ROOT && i > FIRST && random_below(r, 64) != 0)
			at = tree->parent[FIRST + random_below(r, i - FIRST)];
		at = add_node(tree, i, at, shape);
		while (down-- > 0 && i + 1 < tree->n && tree->rows[at] < shape->depth)
			at = add_node(tree, ++i, at, shape);
	}
}

static void list_children(struct tree *tree)
{
	uint32_t *next;

	/* Up to here, first_child[i + 1] is the number of children of node i. */
	for (uint32_t i = 0; i < tree->n; i++)
		tree->first_child[i + 1] += tree->first_child[i];
	next = xmalloc((size_t)tree->n * sizeof *next);
	for (uint32_t i = 0; i < tree->n; i++)
		next[i] = tree->first_child[i];
	for (uint32_t i = ROOT + 1; i < tree->n; i++)
		tree->children[next[tree->parent[i]]++] = i;
	free(next);
}

static void tree_init(struct tree *tree, const struct profile_shape *shape, struct random *r)
{
	size_t n = shape->nodes;

	tree->n = shape->nodes;
	tree->parent = xcalloc(n, sizeof *tree->parent);
	tree->rows = xcalloc(n, sizeof *tree->rows);
	tree->function = xcalloc(n, sizeof *tree->function);
	tree->first_child = xcalloc(n + 1, sizeof *tree->first_child);
	tree->children = xcalloc(n, sizeof *tree->children);
	tree->hits = xcalloc(n, sizeof *tree->hits);
	/* The kinds of time that are not functions. */
	for (uint32_t i = ROOT + 1; i < FIRST; i++)
		add_node(tree, i, ROOT, shape);
	grow(tree, shape, r);
	list_children(tree);
}

static void tree_done(struct tree *tree)
{
	free(tree->parent);
	free(tree->rows);
	free(tree->function);
	free(tree->first_child);
	free(tree->children);
	free(tree->hits);
}

static uint32_t any_child(const struct tree *tree, uint32_t node, struct random *r)
{
	uint32_t n = tree->first_child[node + 1] - tree->first_child[node];

	return n ? tree->children[tree->first_child[node] + random_below(r, n)] : node;
}

/* One step of the program: a few returns, then a few calls. Now and then it starts somewhere else.
 */
static uint32_t step(const struct tree *tree, uint32_t at, struct random *r)
{
	uint32_t returns = random_few(r, 3), calls = random_few(r, 4);

	if (random_below(r, 512) == 0)
		at = FIRST + random_below(r, tree->n - FIRST);
	while (returns-- > 0 && at != ROOT)
		at = tree->parent[at];
	while (calls-- > 0)
		at = any_child(tree, at, r);
	/* All calls have returned: start another one. */
	return at < FIRST ? FIRST + random_below(r, tree->n - FIRST) : at;
}

/* A stretch of samples with one leaf. */
struct stretch {
	uint32_t node;
	uint64_t n;
};

/* Most leaves last for one to three samples, some for many; one stretch in 256 is a pause. */
static struct stretch next_stretch(const struct tree *tree, uint32_t *at, struct random *r)
{
	static const uint32_t pauses[] = { IDLE, IDLE, GC, PROGRAM };
	struct stretch stretch;

	if (random_below(r, 256) == 0) {
		stretch.node = pauses[random_below(r, ARRAY_LEN(pauses))];
		stretch.n = 1 + random_below(r, stretch.node == IDLE ? 200 : 8);
		return stretch;
	}
	*at = step(tree, *at, r);
	stretch.node = *at;
	stretch.n = 1 + random_below(r, random_below(r, 16) == 0 ? 40 : 3);
	return stretch;
}

static uint32_t *walk(struct tree *tree, uint64_t n, struct random *r)
{
	uint32_t *samples = xmalloc((size_t)n * sizeof *samples), at = FIRST;
	struct stretch stretch = { 0 };

	for (uint64_t i = 0; i < n; i++) {
		if (stretch.n == 0)
			stretch = next_stretch(tree, &at, r);
		samples[i] = stretch.node;
		stretch.n--;
		tree->hits[stretch.node]++;
	}
	return samples;
}

/* ---- as text ---- */

static void put_frame(struct text_out *out, const char *name, uint32_t function)
{
	static const char *const verbs[] = { "parse", "render",    "resolve", "emit",
					     "visit", "transform", "read",    "hash" };

	text_put(out, "\"callFrame\":{\"functionName\":\"");
	if (name) {
		text_put(out, name);
		text_put(
			out,
			"\",\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}");
		return;
	}
	text_put(out, verbs[function % ARRAY_LEN(verbs)]);
	text_put(out, "Module");
	text_number(out, function);
	text_put(out, "\",\"scriptId\":\"");
	text_number(out, 20 + function % FILES);
	text_put(out,
		 function % FILES < FILES / 3
			 ? "\",\"url\":\"file:///srv/shop/node_modules/package-"
			 : "\",\"url\":\"file:///srv/shop/src/server/modules/part-");
	text_number(out, function % FILES);
	text_put(out, "/lib/index.js\",\"lineNumber\":");
	text_number(out, function / FILES * 31 % 4000);
	text_put(out, ",\"columnNumber\":");
	text_number(out, function % 80);
	text_put(out, "}");
}

static void put_node(struct text_out *out, const struct tree *tree, uint32_t node)
{
	static const char *const names[FIRST] = { "(root)", "(program)", "(idle)",
						  "(garbage collector)" };
	uint32_t first = tree->first_child[node], end = tree->first_child[node + 1];

	text_put(out, node == ROOT ? "{\"id\":" : ",{\"id\":");
	text_number(out, (uint64_t)node + 1);
	text_put(out, ",");
	put_frame(out, node < FIRST ? names[node] : NULL, tree->function[node]);
	text_put(out, ",\"hitCount\":");
	text_number(out, tree->hits[node]);
	for (uint32_t i = first; i < end; i++) {
		text_put(out, i == first ? ",\"children\":[" : ",");
		text_number(out, (uint64_t)tree->children[i] + 1);
	}
	text_put(out, first < end ? "]}" : "}");
}

static void put_samples(struct text_out *out, const uint32_t *samples, uint64_t n)
{
	text_put(out, "\"samples\":[");
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			text_put(out, ",");
		text_number(out, (uint64_t)samples[i] + 1);
	}
	text_put(out, "]");
}

/* Deltas of about 125 us, and the end of the document. */
static void put_times(struct text_out *out, uint64_t n, struct random *r)
{
	uint64_t time = 1000000000;

	text_put(out, ",\"timeDeltas\":[");
	for (uint64_t i = 0; i < n; i++) {
		uint64_t delta = 50 + random_below(r, 150);

		if (i)
			text_put(out, ",");
		text_number(out, delta);
		time += delta;
	}
	text_put(out, "],\"startTime\":1000000000,\"endTime\":");
	text_number(out, time + 125);
}

bool generate_profile(const char *path, const struct profile_shape *shape)
{
	struct random r = { UINT64_C(0x9e3779b97f4a7c15) ^ shape->nodes };
	struct text_out *out = xmalloc(sizeof *out);
	struct tree tree;
	uint32_t *samples;
	bool ok;

	tree_init(&tree, shape, &r);
	samples = walk(&tree, shape->samples, &r);
	text_open(out, path);
	text_put(out, "{\"nodes\":[");
	for (uint32_t i = 0; i < tree.n; i++)
		put_node(out, &tree, i);
	text_put(out, "],");
	put_samples(out, samples, shape->samples);
	put_times(out, shape->samples, &r);
	text_put(out, "}\n");
	ok = text_close(out);
	free(samples);
	tree_done(&tree);
	free(out);
	return ok;
}
