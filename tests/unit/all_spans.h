/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests that need a truth to compare with: all spans of a lane, found by keeping the open ones
 * in an array from sample to sample. */
#ifndef FLAMETTY_TESTS_ALL_SPANS_H
#define FLAMETTY_TESTS_ALL_SPANS_H

#include "base/alloc.h"
#include "model/profile.h"
#include "model/span.h"

#include <stdlib.h>

/* Spans in the order in which they open, outer before inner. */
struct all_spans {
	struct span *list;
	size_t n;
};

static inline struct all_spans all_spans_of(const struct lane *lane)
{
	const struct samples *s = &lane->samples;
	const struct calltree *tree = &lane->tree;
	struct all_spans all = { 0 };
	size_t open[65536], cap = 0;
	int n_open = 0;

	for (size_t i = 0; i < s->n; i++) {
		int rows = tree->rows[s->leaf[i]], kept = i ? samples_shared(s, i - 1) : 0;

		n_open = kept;
		for (int depth = n_open; depth < rows; depth++) {
			node_id node = s->leaf[i];

			while (tree->rows[node] > depth + 1)
				node = tree->parent[node];
			all.list = xgrow(all.list, &cap, all.n + 1, sizeof(*all.list));
			open[n_open++] = all.n;
			all.list[all.n++] = (struct span){ .node = node,
							   .depth = depth,
							   .t0 = samples_time(s, i),
							   .first = i };
		}
		for (int depth = 0; depth < n_open; depth++) {
			all.list[open[depth]].end = i + 1;
			all.list[open[depth]].t1 = samples_time(s, i + 1);
		}
	}
	return all;
}

static inline void all_spans_done(struct all_spans *all)
{
	free(all->list);
}

#endif
