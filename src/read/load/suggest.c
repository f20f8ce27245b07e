/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A suggestion must really fit, so estimates are conservative. Times are truncated to whole
 * units. */
#include "config.h"

#include "read/load/suggest.h"

#include "base/units.h"
#include "model/build/partial/time_survey.h"
#include "model/lane_name.h"

#include <inttypes.h>

/* Bytes that one sample or slice takes while the profile is built. */
#define SAMPLE_BYTES 20
#define SLICE_BYTES 120

static bool is_wanted(const struct subset *subset, uint32_t lane)
{
	return subset->sources[lane].survey && (!subset->is_lane || subset->is_lane[lane]);
}

/* The bytes of a lane from the start of the subset to t. */
static int64_t bytes_of(const struct subset *subset, uint32_t i, int64_t t)
{
	const struct lane *lane = &subset->survey->lanes[i];
	bool is_samples = lane->kind == LANE_SAMPLES;

	return (int64_t)time_survey_count(subset->sources[i].survey, lane->n_samples,
					  subset->t0 + lane->zero_ns, t + lane->zero_ns) *
		(is_samples ? SAMPLE_BYTES : SLICE_BYTES);
}

static int64_t bytes_until(const struct subset *subset, int64_t t)
{
	int64_t bytes = 0;

	for (uint32_t i = 0; i < subset->survey->n_lanes; i++)
		if (is_wanted(subset, i))
			bytes += bytes_of(subset, i, t);
	return bytes;
}

/* The latest end time with which the subset fits into `bytes`. */
static int64_t find_time(const struct subset *subset, int64_t bytes)
{
	int64_t lo = subset->t0, hi = subset->t1;

	while (lo < hi) {
		int64_t mid = lo + (hi - lo + 1) / 2;

		if (bytes_until(subset, mid) <= bytes)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* Append t as a value of --to, rounded down. False: that would not be after `after`. */
static bool add_time(int64_t t, int64_t after, struct buf *out)
{
	static const struct {
		int64_t ns;
		const char *unit;
	} units[] = { { NS_PER_S, "s" }, { NS_PER_MS, "ms" }, { NS_PER_US, "us" } };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		int64_t n = t / units[i].ns;

		if (n < 10 && units[i].ns > NS_PER_US)
			continue;
		if (n * units[i].ns <= after)
			return false;
		buf_addf(out, "--to=%" PRId64 "%s", n, units[i].unit);
		return true;
	}
	return false;
}

/* The bytes of all lanes of a thread. */
static int64_t bytes_of_thread(const struct subset *subset, const struct lane *of)
{
	int64_t bytes = 0;

	for (uint32_t i = 0; i < subset->survey->n_lanes; i++) {
		const struct lane *lane = &subset->survey->lanes[i];

		if (subset->sources[i].survey && lane->pid == of->pid && lane->tid == of->tid)
			bytes += bytes_of(subset, i, subset->t1);
	}
	return bytes;
}

/* The largest thread that fits alone. NULL: none does. */
static const struct lane *find_thread(const struct subset *subset, int64_t bytes)
{
	const struct lane *best = NULL;
	int64_t most = 0;

	for (uint32_t i = 0; i < subset->survey->n_lanes; i++) {
		const struct lane *lane = &subset->survey->lanes[i];
		int64_t n;

		if (!is_wanted(subset, i) || lane->pid == LANE_NO_ID || lane->tid == LANE_NO_ID ||
		    lane->kind == LANE_MARKS)
			continue;
		n = bytes_of_thread(subset, lane);
		if (n > most && n <= bytes) {
			most = n;
			best = lane;
		}
	}
	return best;
}

void suggest_say(const struct subset *subset, int64_t bytes, bool was_tried, struct buf *out)
{
	int64_t asked = was_tried ? bytes_until(subset, subset->t1) : INT64_MAX, t;
	const struct lane *thread;
	struct buf text = { 0 };

	bytes = asked / 2 < bytes ? asked / 2 : bytes;
	thread = bytes > 0 ? find_thread(subset, bytes) : NULL;
	t = bytes > 0 ? find_time(subset, bytes) : 0;
	if (t > subset->t0 && t < subset->t1)
		add_time(t, subset->t0, &text);
	if (thread) {
		buf_addf(&text, "%s--lane=%" PRId64 ":%" PRId64 " (", text.len ? " or " : "",
			 thread->pid, thread->tid);
		lane_name(subset->survey, thread, true, &text);
		buf_addc(&text, ')');
	}
	if (text.len)
		buf_addf(out, "What fits: %s%s.\n", buf_text(&text),
			 subset->t0 > 0 ? " with the same --from"
					: ", and other parts of that size");
	else
		buf_adds(out,
			 "No part of it fits: even without samples and slices it needs too much "
			 "memory.\n");
	buf_done(&text);
}
