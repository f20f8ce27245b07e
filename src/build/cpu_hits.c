/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of hit counts fit: a profile has at most 2^28 nodes with 2^32 hits. Those of
 * sums do, too: cpu_builder_sum() clamps them. */
#include "config.h"

#include "build/cpu_hits.h"

#include "base/alloc.h"
#include "base/units.h"

#include <stdlib.h>

bool cpu_hits_any(const struct cpu_raw *raw, uint32_t root)
{
	for (uint32_t i = 0; raw->hits && i < raw->n; i++)
		if (raw->hits[i] && i != root)
			return true;
	return false;
}

int64_t cpu_hits_to_samples(struct cpu_raw *raw, uint32_t root)
{
	uint64_t sum = 0;
	int64_t unit = NS_PER_MS, t;
	size_t k = 0;

	for (size_t i = 0; i < raw->n; i++)
		sum += raw->hits[i];
	if (sum > 0 && raw->has_end && raw->end_ns > raw->start_ns &&
	    (raw->end_ns - raw->start_ns) / (int64_t)sum > 0)
		unit = (raw->end_ns - raw->start_ns) / (int64_t)sum;
	else if (sum > (uint64_t)(PROFILE_TIME_MAX / NS_PER_MS))
		unit = 1;
	free(raw->samples);
	free(raw->times);
	raw->samples = xmalloc(raw->n * sizeof *raw->samples);
	raw->times = xmalloc((raw->n + 1) * sizeof *raw->times);
	t = raw->start_ns;
	if (sum <= (uint64_t)(PROFILE_TIME_MAX / unit) &&
	    t > PROFILE_TIME_MAX - (int64_t)sum * unit)
		t = PROFILE_TIME_MAX - (int64_t)sum * unit;
	for (uint32_t i = 0; i < raw->n; i++) {
		if (!raw->hits[i] || i == root)
			continue;
		raw->samples[k] = i;
		raw->times[k++] = t;
		t += (int64_t)raw->hits[i] * unit;
	}
	raw->times[k] = t;
	raw->n_samples = k;
	return unit;
}

void cpu_hits_of_sums(struct cpu_raw *raw)
{
	int64_t latest = PROFILE_TIME_MAX - raw->all_sums;
	int64_t t = raw->start_ns < latest ? raw->start_ns : latest;
	size_t k = 0;

	free(raw->samples);
	free(raw->times);
	raw->samples = xmalloc(raw->n * sizeof *raw->samples);
	raw->times = xmalloc((raw->n + 1) * sizeof *raw->times);
	for (uint32_t i = 0; i < raw->n; i++) {
		if (raw->sum[i] <= 0)
			continue;
		raw->samples[k] = i;
		raw->times[k++] = t;
		t += raw->sum[i];
	}
	raw->times[k] = t;
	raw->n_samples = k;
}

void cpu_hits_sort(struct cpu_raw *raw, const struct lane *lane)
{
	/* In preorder the calls of one caller are adjacent. Their times are assigned again. */
	int64_t *dur = xcalloc(lane->tree.n, sizeof *dur);
	int64_t t = raw->n_samples ? raw->times[0] : 0;
	size_t k = 0;

	for (size_t i = 0; i < raw->n_samples; i++)
		dur[raw->samples[i]] += raw->times[i + 1] - raw->times[i];
	for (node_id i = 1; i < lane->tree.n; i++) {
		if (!dur[i])
			continue;
		raw->samples[k] = i;
		raw->times[k++] = t;
		t += dur[i];
	}
	raw->times[k] = t;
	raw->n_samples = k;
	free(dur);
}
