/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder's part for samples of a CPU profile and their times, as a reader passes them on. */
#include "config.h"

#include "build/partial/cpu_stream.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void builder_cpu_samples(struct builder *b, const uint32_t *slots, size_t n)
{
	struct cpu_raw *raw = &b->raw;

	builder_begun(b);
	if (raw->stream) {
		cpu_stream_samples(b, slots, n);
		return;
	}
	raw->samples = xgrow(raw->samples, &raw->cap_samples, raw->n_samples + n,
			     sizeof *raw->samples);
	memcpy(raw->samples + raw->n_samples, slots, n * sizeof *slots);
	raw->n_samples += n;
}

static void add_times(struct builder *b, const int64_t *ns, size_t n)
{
	struct cpu_raw *raw = &b->raw;

	if (raw->stream) {
		cpu_stream_times(b, ns, n);
		return;
	}
	/* One more than needed: the end of the last sample will stand there. Where samples come
	 * first, it is known how many will come; memory that is not used then costs nothing. */
	if (!raw->times && raw->n_samples > n) {
		raw->times = alloc_if_room((raw->n_samples + 2) * sizeof *raw->times);
		raw->cap_times = raw->times ? raw->n_samples + 2 : 0;
	}
	raw->times = xgrow(raw->times, &raw->cap_times, raw->n_times + n + 1, sizeof *raw->times);
	memcpy(raw->times + raw->n_times, ns, n * sizeof *ns);
	raw->n_times += n;
}

void builder_cpu_deltas(struct builder *b, const int64_t *ns, size_t n)
{
	if (!b->raw.is_stamps)
		add_times(b, ns, n);
}

/* Beyond this (146 years either way) sums could overflow. */
static bool is_far(int64_t ns)
{
	return ns > CPU_TIME_MAX || ns < -CPU_TIME_MAX;
}

static void clear_times(struct builder *b)
{
	b->raw.n_times = 0;
	if (b->raw.stream)
		cpu_stream_clear_times(b->raw.stream);
}

#define STAMPS_AT_ONCE 512

void builder_cpu_timestamps(struct builder *b, const int64_t *ns, size_t n)
{
	int64_t near[STAMPS_AT_ONCE];

	if (!b->raw.is_stamps)
		clear_times(b);
	b->raw.is_stamps = true;
	for (size_t at = 0; at < n; at += STAMPS_AT_ONCE) {
		size_t many = n - at < STAMPS_AT_ONCE ? n - at : STAMPS_AT_ONCE;

		for (size_t i = 0; i < many; i++) {
			near[i] = ns[at + i];
			if (is_far(near[i])) {
				builder_warn(b, WARN_TIME_RANGE, -1);
				near[i] = near[i] > 0 ? CPU_TIME_MAX : -CPU_TIME_MAX;
			}
		}
		add_times(b, near, many);
	}
}

void builder_cpu_clear_samples(struct builder *b)
{
	b->raw.n_samples = 0;
	if (b->raw.stream)
		cpu_stream_clear_samples(b->raw.stream);
}

void builder_cpu_clear_times(struct builder *b, bool is_stamps)
{
	if (is_stamps == b->raw.is_stamps)
		clear_times(b);
}

void builder_cpu_start_time(struct builder *b, int64_t ns)
{
	if (is_far(ns)) {
		builder_warn(b, WARN_TIME_RANGE, -1);
		b->raw.is_start_cut = true;
		return;
	}
	b->raw.has_start = true;
	b->raw.start_ns = ns;
}

void builder_cpu_end_time(struct builder *b, int64_t ns)
{
	if (is_far(ns)) {
		builder_warn(b, WARN_TIME_RANGE, -1);
		return;
	}
	b->raw.has_end = true;
	b->raw.end_ns = ns;
}
