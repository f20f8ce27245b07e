/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans are found sample by sample: a sample opens those below the depth that it shares with the
 * sample before, or all of them if it is the first in the range. */
#include "config.h"

#include "write/export/cut.h"

#include "base/alloc.h"

#include <string.h>

const struct lane **cut_lanes(const struct profile *p, uint32_t *n)
{
	const struct lane **lanes = xcalloc(p->n_lanes ? p->n_lanes : 1, sizeof *lanes);

	*n = 0;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SAMPLES || p->lanes[i].kind == LANE_SLICES)
			lanes[(*n)++] = &p->lanes[i];
	return lanes;
}

bool cut_each_span(const struct lane *lane, int64_t t0, int64_t t1, bool has_empty,
		   bool (*visit)(void *ctx, const struct span *span), void *ctx)
{
	const struct samples *s = &lane->samples;
	size_t first = s->n ? samples_find(s, t0) : 0;

	/* Take all samples with the same time. */
	while (first > 0 && samples_time(s, first) >= t0)
		first--;
	for (size_t i = first; i < s->n && samples_time(s, i) < t1; i++) {
		int depth = i > first ? samples_shared(s, i - 1) : 0,
		    rows = lane->tree.rows[s->leaf[i]];

		for (; depth < rows; depth++) {
			struct span span;

			if (!span_of_sample(s, &lane->tree, i, depth, &span))
				break;
			if (span.t1 < t0 ||
			    (span.t0 == span.t1 ? !has_empty || span.t0 < t0 : span.t1 == t0))
				continue;
			span.t0 = span.t0 < t0 ? t0 : span.t0;
			span.t1 = span.t1 > t1 ? t1 : span.t1;
			if (!visit(ctx, &span))
				return false;
		}
	}
	return true;
}

uint8_t *cut_nodes(const struct profile *p, const struct lane *lane, const struct scope *scope)
{
	const struct samples *s = &lane->samples;
	uint8_t *is = xcalloc(lane->tree.n, 1);

	if (scope->t0 <= 0 && scope->t1 >= p->t1) {
		memset(is, 1, lane->tree.n);
		return is;
	}
	for (size_t i = 0; i < s->n && samples_time(s, i) < scope->t1; i++)
		if (samples_time(s, i + 1) > scope->t0 || samples_time(s, i) >= scope->t0)
			is[s->leaf[i]] = 1;
	for (node_id i = lane->tree.n; i-- > 1;)
		is[lane->tree.parent[i]] |= is[i];
	return is;
}
