/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "analyse/label_parts.h"

#include "base/alloc.h"

#include <stdlib.h>

static int by_node(const void *a, const void *b)
{
	const struct label_parts_row *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->set > y->set) - (x->set < y->set);
}

static size_t join(struct label_parts_row *rows, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(rows, n, sizeof *rows, by_node);
	for (size_t i = 0; i < n; i++)
		if (kept && by_node(&rows[kept - 1], &rows[i]) == 0) {
			rows[kept - 1].ns += rows[i].ns;
			rows[kept - 1].n += rows[i].n;
		} else {
			rows[kept++] = rows[i];
		}
	return kept;
}

size_t label_parts(const struct view *view, const struct scope *scope,
		   struct label_parts_row **rows)
{
	const struct view_source *source = &view->sources[0];
	const struct lane *lane = source->lane;
	const struct samples *s = &lane->samples;
	/* Samples of no length at the end, as in leaf_counts(). */
	int64_t t1 = s->n && scope->t1 >= samples_time(s, s->n) ? INT64_MAX : scope->t1;
	size_t n = 0;

	*rows = NULL;
	if (!lane->labels)
		return 0;
	*rows = xcalloc(s->n + 1, sizeof **rows);
	for (size_t i = 0; i < s->n && samples_time(s, i) < t1; i++) {
		int64_t from = samples_time(s, i), to = samples_time(s, i + 1);
		node_id node = source->map ? source->map[s->leaf[i]] : s->leaf[i];
		bool is_in = from >= scope->t0 || to > scope->t0;

		if (!is_in || node == NODE_ROOT || node == VIEW_DROPPED)
			continue;
		from = from > scope->t0 ? from : scope->t0;
		to = to < scope->t1 ? to : scope->t1;
		(*rows)[n++] = (struct label_parts_row){ node, lane->labels[i],
							 to > from ? to - from : 0,
							 lane->has_timeline };
	}
	return join(*rows, n);
}
