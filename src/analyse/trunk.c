/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A span over more than half of the range covers its middle. So all candidates are on the stack of
 * the sample in the middle. */
#include "config.h"

#include "analyse/trunk.h"

#define LEAST_ROWS 2
#define MOST_ROWS 1000 /* deeper ones are not worth the time */

bool trunk_is_module(const struct profile *profile, const struct frame *frame)
{
	return frame->url && frame->line == 1 && frame->column <= 1 &&
		profile_is_anonymous(profile, frame);
}

static bool only_starts_or_schedules(const struct profile *profile, const struct frame *frame)
{
	switch (frame->category) {
	case CATEGORY_NODE:
	case CATEGORY_RUNTIME:
	case CATEGORY_NATIVE:
	case CATEGORY_BUNDLER:
		return true;
	default:
		/* In heap profiles, the script that starts the program has neither name nor place.
		 */
		return trunk_is_module(profile, frame) ||
			(!frame->url && profile_is_anonymous(profile, frame));
	}
}

static bool fills(const struct span *span, int64_t t0, int64_t t1)
{
	int64_t from = span->t0 > t0 ? span->t0 : t0, end = span->t1 < t1 ? span->t1 : t1;

	return end - from >= t1 - t0 - (t1 - t0) / 20;
}

static size_t middle_sample(const struct lane *lane, int64_t t0, int64_t t1)
{
	return samples_find(&lane->samples, t0 + (t1 - t0) / 2);
}

void trunk_span(const struct lane *lane, int64_t t0, int64_t t1, int depth, struct span *out)
{
	span_of_sample(&lane->samples, &lane->tree, middle_sample(lane, t0, t1), depth, out);
}

int trunk_rows(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1)
{
	int rows = 0, most;
	struct span span;
	size_t middle;

	if (lane->kind != LANE_SAMPLES || !lane->has_timeline || !lane->samples.n)
		return 0;
	middle = middle_sample(lane, t0, t1);
	most = (int)lane->tree.rows[lane->samples.leaf[middle]] - 1;
	most = most < MOST_ROWS ? most : MOST_ROWS;
	while (rows < most && span_of_sample(&lane->samples, &lane->tree, middle, rows, &span) &&
	       fills(&span, t0, t1) &&
	       only_starts_or_schedules(profile, profile_node_frame(profile, lane, span.node)))
		rows++;
	return rows < LEAST_ROWS ? 0 : rows;
}
