/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distance of samples is averaged over the samples of all lanes of a file. */
#include "config.h"

#include "write/report/input_sums.h"

#include "base/alloc.h"

static void add_lane(struct input_sums *sums, const struct lane *lane)
{
	bool is_first = sums->n_lanes == 0;

	sums->n_lanes += is_first || !lane->is_joined;
	sums->t0 = is_first || lane->t0 < sums->t0 ? lane->t0 : sums->t0;
	sums->t1 = is_first || lane->t1 > sums->t1 ? lane->t1 : sums->t1;
	sums->duration_ns = sums->t1 - sums->t0;
	if (lane->kind != LANE_SAMPLES)
		return;
	sums->n_nodes += lane->n_file_nodes;
	if (lane->has_timeline && lane->interval_ns > 0 && lane->n_samples > 0) {
		uint64_t n = sums->n_samples + lane->n_samples;

		sums->interval_ns += (int64_t)((double)(lane->interval_ns - sums->interval_ns) *
					       (double)lane->n_samples / (double)n);
	}
	if (lane->has_timeline)
		sums->n_samples += lane->n_samples;
}

struct input_sums *input_sums_new(const struct profile *p)
{
	struct input_sums *sums = xcalloc(p->n_inputs ? p->n_inputs : 1, sizeof *sums);

	for (uint32_t i = 0; i < p->n_lanes; i++)
		add_lane(&sums[p->lanes[i].input], &p->lanes[i]);
	return sums;
}
