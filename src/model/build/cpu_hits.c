/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of hit counts fit: a profile has at most 2^28 nodes with 2^32 hits. Those of
 * sums do, too: cpu_builder_sum() clamps them. */
#include "config.h"

#include "model/build/cpu_hits.h"

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

/* ---- sums of nodes with labels ---- */

static int by_node(const void *a, const void *b)
{
	const struct raw_label_sum *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->set > y->set) - (x->set < y->set);
}

/* Sort the sums, and add up those of one node and set. */
static void join_label_sums(struct cpu_raw *raw)
{
	struct raw_label_sum *list = raw->label_sums;
	size_t n = 0;

	qsort(list, raw->n_label_sums, sizeof *list, by_node);
	for (size_t i = 0; i < raw->n_label_sums; i++)
		if (n && by_node(&list[n - 1], &list[i]) == 0)
			list[n - 1].ns += list[i].ns;
		else
			list[n++] = list[i];
	raw->n_label_sums = n;
}

/* Whether the sums by labels are the sums of the nodes. */
static bool has_label_sums(const struct cpu_raw *raw)
{
	int64_t *left;
	bool is_equal = true;

	if (!raw->label_sums)
		return false;
	left = xcalloc(raw->n, sizeof *left);
	for (size_t i = 0; i < raw->n; i++)
		left[i] = raw->sum[i];
	for (size_t i = 0; i < raw->n_label_sums && is_equal; i++) {
		const struct raw_label_sum *sum = &raw->label_sums[i];

		is_equal = sum->ns > 0 && sum->ns <= left[sum->node];
		left[sum->node] -= is_equal ? sum->ns : 0;
	}
	for (size_t i = 0; i < raw->n && is_equal; i++)
		is_equal = left[i] == 0;
	free(left);
	return is_equal;
}

/* Make a sample for each node and set, from time t on. */
static void samples_of_labels(struct cpu_raw *raw, int64_t t)
{
	size_t n = raw->n_label_sums;

	free(raw->labels);
	free(raw->samples);
	free(raw->times);
	raw->labels = xmalloc((n + 1) * sizeof *raw->labels);
	raw->samples = xmalloc((n + 1) * sizeof *raw->samples);
	raw->times = xmalloc((n + 1) * sizeof *raw->times);
	for (size_t i = 0; i < n; i++) {
		raw->labels[i] = raw->label_sums[i].set;
		raw->samples[i] = raw->label_sums[i].node;
		raw->times[i] = t;
		t += raw->label_sums[i].ns;
	}
	raw->times[n] = t;
	raw->n_samples = raw->n_labels = n;
}

bool cpu_hits_of_sums(struct cpu_raw *raw)
{
	int64_t latest = PROFILE_TIME_MAX - raw->all_sums;
	int64_t t = raw->start_ns < latest ? raw->start_ns : latest;
	bool has_labels = raw->label_sums != NULL;
	size_t k = 0;

	if (has_label_sums(raw)) {
		join_label_sums(raw);
		samples_of_labels(raw, t);
		return true;
	}
	raw->n_label_sums = 0;
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
	return !has_labels;
}

/* The same for samples with labels. */
static void sort_labels(struct cpu_raw *raw)
{
	int64_t t = raw->n_samples ? raw->times[0] : 0;

	for (size_t i = 0; i < raw->n_label_sums; i++)
		raw->label_sums[i].node = raw->samples[i];
	join_label_sums(raw);
	samples_of_labels(raw, t);
}

void cpu_hits_sort(struct cpu_raw *raw, const struct lane *lane)
{
	/* In preorder the calls of one caller are adjacent. Their times are assigned again. */
	int64_t *dur, t = raw->n_samples ? raw->times[0] : 0;
	size_t k = 0;

	if (raw->n_label_sums) {
		sort_labels(raw);
		return;
	}
	dur = xcalloc(lane->tree.n, sizeof *dur);
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
