/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time and length of samples. The rules, in the order in which they act:
 * 1. Sample i is at the start time plus deltas 0 to i, or at its time stamp. Deltas near 2^32 or
 *    2^64 us are negative ones without a sign if the length of the recording shows it.
 * 2. Samples are sorted by time, equal times in the order of the file.
 * 3. Sample i owns the time up to sample i + 1.
 * 4. The last sample ends with a surplus delta if there is exactly one, which counts from the last
 *    sample in the file's order; an end before the last sample is ignored. Otherwise it ends after
 *    the average interval, of the samples that are not stray (stray.h), at the latest at an
 *    endTime after it; a single sample ends at endTime.
 * 5. A sample that could not be read gives its time to the one before. */
#include "config.h"

#include "model/build/sample_time.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/build/builder_state.h"
#include "model/build/stray.h"

#include <stdlib.h>
#include <string.h>

static int64_t add_clamped(struct builder *b, int64_t t, int64_t delta)
{
	if (delta > PROFILE_TIME_MAX || delta < -PROFILE_TIME_MAX || t + delta > PROFILE_TIME_MAX ||
	    t + delta < -PROFILE_TIME_MAX) {
		builder_warn(b, WARN_TIME_RANGE, -1);
		return delta > 0 ? PROFILE_TIME_MAX : -PROFILE_TIME_MAX;
	}
	return t + delta;
}

static void spread(struct cpu_raw *raw, int64_t t0, int64_t t1)
{
	size_t n = raw->n_samples;
	int64_t step = t1 > t0 ? (t1 - t0) / (int64_t)n : NS_PER_MS;

	if (step == 0)
		step = 1;
	/* The samples may be as late as a time can be. */
	if (t0 > PROFILE_TIME_MAX - (int64_t)n * step)
		t0 = PROFILE_TIME_MAX - (int64_t)n * step;
	raw->times = xgrow(raw->times, &raw->cap_times, n + 1, sizeof *raw->times);
	for (size_t i = 0; i <= n; i++)
		raw->times[i] = t0 + (int64_t)i * step;
	if (t1 > raw->times[n - 1])
		raw->times[n] = t1;
	raw->n_times = n + 1;
}

void sample_time_warn(struct builder *b, const struct sample_clock *c)
{
	for (int i = 0; i < c->n_kinds; i++) {
		size_t n = c->order[i] == WARN_NEGATIVE_DELTA ? c->n_negative
			: c->order[i] == WARN_ODD_DELTA       ? c->n_odd
							      : c->n_clamped;

		builder_warn_times(b, c->order[i], -1, n);
	}
}

/* ---- deltas ----
 *
 * A sample that is earlier than the one before it in the file is moved back among the deltas: the
 * delta behind its new place is divided in two. Then no delta is negative, and none is longer than
 * one of the file, so that all fit into 32 bits without a sign. */

#define AT_ONCE 64u /* deltas that are added up without a check of each */

/* An array for as many times as there are samples, and two more: pages that are not written cost
 * nothing. NULL: samples did not come first, so that their number is unknown, or there is no
 * memory. n: times that have come. */
static void *room(struct cpu_raw *raw, size_t n, size_t size)
{
	size_t cap = raw->n_samples + 2;
	void *p = raw->n_samples > n ? alloc_if_room(cap * size) : NULL;

	raw->cap_times = p ? cap : 0;
	return p;
}

/* Returns false, and adds none, if one needs more than 32 bits, or if the times are in raw.times
 * already or are time stamps. */
static bool add_deltas(struct cpu_raw *raw, const int64_t *ns, size_t n)
{
	uint64_t above = 0;
	uint32_t *to;

	if (raw->times || raw->is_stamps)
		return false;
	if (n == 0)
		return true;
	for (size_t i = 0; i < n; i++)
		above |= ((uint64_t)ns[i] + ((uint64_t)1 << 31)) >> 32;
	raw->has_long |= above != 0;
	if (above)
		return false;
	if (!raw->deltas)
		raw->deltas = room(raw, n, sizeof *raw->deltas);
	raw->deltas = xgrow(raw->deltas, &raw->cap_times, raw->n_times + n, sizeof *raw->deltas);
	to = raw->deltas + raw->n_times;
	for (size_t i = 0; i < n; i++)
		to[i] = (uint32_t)ns[i];
	raw->n_times += n;
	return true;
}

/* Move all deltas to raw.times, which has room for two more. Without deltas, nothing is done. */
static void widen(struct cpu_raw *raw)
{
	if (!raw->deltas)
		return;
	raw->cap_times = raw->n_times + 2;
	raw->times = xmalloc(raw->cap_times * sizeof *raw->times);
	for (size_t i = 0; i < raw->n_times; i++)
		raw->times[i] = (int32_t)raw->deltas[i];
	free(raw->deltas);
	raw->deltas = NULL;
}

void sample_time_add(struct cpu_raw *raw, const int64_t *ns, size_t n)
{
	if (add_deltas(raw, ns, n))
		return;
	widen(raw);
	if (!raw->times)
		raw->times = room(raw, n, sizeof *raw->times);
	/* One more for the end of the last sample. */
	raw->times = xgrow(raw->times, &raw->cap_times, raw->n_times + n + 1, sizeof *raw->times);
	memcpy(raw->times + raw->n_times, ns, n * sizeof *ns);
	raw->n_times += n;
}

/* Returns an array for the times of all samples. The first `sorted`, which are in order, are set.
 */
static int64_t *times_of_first(const struct cpu_raw *raw, size_t sorted, int64_t first)
{
	int64_t *times = xmalloc((raw->n_samples + 2) * sizeof *times), t = first;

	for (size_t i = 0; i < sorted; i++)
		times[i] = i ? t += raw->deltas[i] : t;
	return times;
}

static void replace_deltas(struct cpu_raw *raw, int64_t *times)
{
	free(raw->deltas);
	raw->deltas = NULL;
	raw->times = times;
	raw->cap_times = raw->n_samples + 2;
}

/* Move sample i, which is `late` (less than 0) after the one before it, to its place. Returns how
 * many samples it passes. *first: the time of the first sample. */
static size_t move_back(struct cpu_raw *raw, size_t i, int64_t late, int64_t *first)
{
	uint32_t *delta = raw->deltas, *sample = raw->samples, moved = sample[i];
	size_t j = i;
	uint32_t behind = 0;

	/* late: the time since sample j - 1 */
	while (late < 0 && j > 0) {
		sample[j] = sample[j - 1];
		delta[j] = behind = delta[j - 1];
		if (--j > 0)
			late += behind;
	}
	sample[j] = moved;
	if (j > 0) {
		delta[j] = (uint32_t)late;
		delta[j + 1] = behind - (uint32_t)late;
	} else {
		delta[1] = (uint32_t)-late;
		*first += late;
	}
	return i - j;
}

/* If the next AT_ONCE samples follow each other, put the clock at the last of them, and return
 * true. The clock is at the latest sample so far. */
static bool pass(const uint32_t *delta, struct sample_clock *clock)
{
	uint32_t any = 0;
	int64_t sum = 0;

	for (size_t i = 0; i < AT_ONCE; i++) {
		any |= delta[i];
		sum += delta[i];
	}
	if (any > INT32_MAX || clock->t > clock->limit - sum)
		return false;
	clock->n += AT_ONCE;
	clock->t += sum;
	return true;
}

/* Rules 1 and 2: sort the samples with their deltas, each of which then counts from the sample
 * before. bounds: n is set; all but `surplus` is found. Returns false if samples are moved so far
 * that this would be slow: raw.times has the times instead, and is not sorted. */
static bool order_deltas(struct builder *b, struct sample_bounds *bounds)
{
	struct cpu_raw *raw = &b->raw;
	struct sample_clock clock = { .limit = PROFILE_TIME_MAX, .t = raw->start_ns };
	size_t n = raw->n_samples, moves = 0, most = SAMPLE_TIME_MOVES(n), i;
	int64_t latest = sample_time_next(&clock, (int32_t)raw->deltas[0]);

	bounds->first = latest;
	for (i = 1; i < n && moves < most; i++) {
		int64_t t;

		while (clock.t == latest && n - i > AT_ONCE && pass(raw->deltas + i, &clock)) {
			latest = clock.t;
			i += AT_ONCE;
		}
		t = sample_time_next(&clock, (int32_t)raw->deltas[i]);
		if (t < latest) {
			moves += move_back(raw, i, t - latest, &bounds->first);
		} else {
			raw->deltas[i] = (uint32_t)(t - latest);
			latest = t;
		}
	}
	bounds->last = latest;
	if (i < n) {
		int64_t *times = times_of_first(raw, i, bounds->first);

		for (; i < n; i++)
			times[i] = sample_time_next(&clock, (int32_t)raw->deltas[i]);
		replace_deltas(raw, times);
	}
	bounds->written_last = clock.t;
	bounds->runs_back = clock.n_negative > 0;
	sample_time_warn(b, &clock);
	return raw->deltas != NULL;
}

void sample_time_pack(struct cpu_raw *raw, int64_t first, int64_t end, int64_t by,
		      struct times *times)
{
	times_pack_steps(times, raw->deltas, raw->n_samples, first - by, end - by);
	raw->deltas = NULL;
	raw->cap_times = 0;
}

/* ---- negative deltas without a sign ---- */

/* Where samples are when deltas are taken as they are, or as negative ones. */
struct extent {
	int64_t least, most;
};

static struct extent extent_of(const struct cpu_raw *raw, bool is_signed)
{
	struct sample_clock clock = { .limit = PROFILE_TIME_MAX, .t = raw->start_ns };
	struct extent e = { raw->start_ns, raw->start_ns };

	for (size_t i = 0; i < raw->n_times; i++) {
		int64_t ns = raw->times[i];
		int64_t t = sample_time_next(&clock, is_signed ? sample_time_signed(ns) : ns);

		e.least = t < e.least ? t : e.least;
		e.most = t > e.most ? t : e.most;
	}
	return e;
}

/* endTime decides: it is beyond reach of deltas as they are, and not of negative ones. Without an
 * endTime, the whole recording must be much shorter than one of these deltas. */
static bool is_unsigned(const struct cpu_raw *raw)
{
	struct extent as_is = extent_of(raw, false), e = extent_of(raw, true);
	int64_t slack = NS_PER_S;

	if (e.least < raw->start_ns - slack)
		return false;
	if (raw->has_end && raw->end_ns > raw->start_ns)
		return e.most <= raw->end_ns + slack && as_is.most > raw->end_ns + slack;
	return e.most - e.least < SAMPLE_TIME_UNSIGNED_32 / 10;
}

static void sign_deltas(struct builder *b)
{
	struct cpu_raw *raw = &b->raw;
	uint64_t n = 0;

	for (size_t i = 0; i < raw->n_times; i++)
		n += sample_time_signed(raw->times[i]) != raw->times[i];
	if (n == 0 || !is_unsigned(raw))
		return;
	builder_warn_times(b, WARN_UNSIGNED_DELTA, -1, n);
	for (size_t i = 0; i < raw->n_times; i++)
		raw->times[i] = sample_time_signed(raw->times[i]);
}

/* Rule 1: turn deltas into times, in place. Returns whether a time is before the previous one. */
static bool sum_up(struct builder *b, size_t n)
{
	struct cpu_raw *raw = &b->raw;
	struct sample_clock clock = { .is_stamps = raw->is_stamps,
				      .limit = PROFILE_TIME_MAX,
				      .t = raw->start_ns };

	for (size_t i = 0; i < n; i++)
		raw->times[i] = sample_time_next(&clock, raw->times[i]);
	sample_time_warn(b, &clock);
	return clock.n_negative > 0;
}

struct pair {
	int64_t t;
	size_t at;
};

SORT_ORDER(by_time, struct pair, SORT_BY_2(x->t, y->t, x->at, y->at))

/* Rule 2. V8 swaps neighbours, so insertion moves little. If it has to move much, all samples are
 * sorted. */
void sample_time_sort(struct cpu_raw *raw)
{
	size_t n = raw->n_samples, moves = 0;
	ALLOC_LOCAL struct pair *pairs = NULL;
	ALLOC_LOCAL uint32_t *slots = NULL;

	for (size_t i = 1; i < n && moves < SAMPLE_TIME_MOVES(n); i++) {
		int64_t t = raw->times[i];
		uint32_t slot = raw->samples[i];
		size_t j = i;

		for (; j > 0 && raw->times[j - 1] > t && moves < SAMPLE_TIME_MOVES(n);
		     j--, moves++) {
			raw->times[j] = raw->times[j - 1];
			raw->samples[j] = raw->samples[j - 1];
		}
		raw->times[j] = t;
		raw->samples[j] = slot;
	}
	if (moves < SAMPLE_TIME_MOVES(n))
		return;
	pairs = xmalloc(n * sizeof *pairs);
	slots = xmalloc(n * sizeof *slots);
	for (size_t i = 0; i < n; i++)
		pairs[i] = (struct pair){ raw->times[i], i };
	qsort(pairs, n, sizeof *pairs, by_time);
	memcpy(slots, raw->samples, n * sizeof *slots);
	for (size_t i = 0; i < n; i++) {
		raw->times[i] = pairs[i].t;
		raw->samples[i] = slots[pairs[i].at];
	}
}

/* Take out a pause that is as long for the other samples as a distance of stray ones. */
static void skip_pause(const int64_t *t, size_t n, struct sample_bounds *others)
{
	int64_t most = 0, rest;

	for (size_t i = 1; i < n; i++)
		if (t[i] - t[i - 1] > most)
			most = t[i] - t[i - 1];
	rest = t[n - 1] - t[0] - most;
	if (n < 3 || most <= STRAY_NEAR || rest <= 0 || most / STRAY_TIMES <= rest)
		return;
	others->n--;
	others->last -= most;
}

struct sample_bounds sample_time_others(const struct cpu_raw *raw, const struct sample_bounds *of)
{
	struct sample_bounds others = *of;
	size_t first, end;

	if (!raw->times || raw->n_samples != of->n || sample_time_is_stretches(raw, of) ||
	    of->last - of->first <= STRAY_NEAR)
		return others;
	stray_of_lane(raw->times, of->n, &first, &end);
	others.n = end - first;
	others.first = raw->times[first];
	others.last = raw->times[end - 1];
	skip_pause(raw->times + first, others.n, &others);
	return others;
}

/* Rule 4. The surplus is an extra delta or stamp. */
static int64_t end_of_last(struct builder *b, const struct sample_bounds *of)
{
	struct cpu_raw *raw = &b->raw;
	int64_t n = (int64_t)of->n;
	int64_t last = of->last, average, surplus;
	struct sample_bounds others;
	bool has_end = raw->has_end && raw->end_ns > last;

	if (of->has_surplus) {
		surplus = raw->is_stamps ? of->surplus
					 : add_clamped(b, of->written_last, of->surplus);
		if (surplus >= last)
			return surplus;
	}
	if (!has_end && !raw->is_as_recorded)
		builder_warn(b, WARN_END_TIME, -1);
	if (n == 1)
		return has_end ? raw->end_ns : last;
	others = sample_time_others(raw, of);
	n = (int64_t)others.n - 1;
	average = (others.last - others.first + n / 2) / n;
	if (has_end && raw->end_ns - last < average)
		return raw->end_ns;
	return add_clamped(b, last, average);
}

/* Rule 5. */
static void drop_unreadable(struct cpu_raw *raw)
{
	size_t kept, i = 0, n = raw->n_samples;

	while (i < n && raw->samples[i] != SLOT_NONE)
		i++;
	if (i == n)
		return;
	for (kept = i; i < n; i++) {
		if (raw->samples[i] == SLOT_NONE)
			continue;
		raw->samples[kept] = raw->samples[i];
		raw->times[kept++] = raw->times[i];
	}
	raw->times[kept] = raw->times[n];
	raw->n_samples = kept;
}

static bool is_sorted(const int64_t *t, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (t[i] < t[i - 1])
			return false;
	return true;
}

int64_t sample_time_end(struct builder *b, const struct sample_bounds *of)
{
	struct cpu_raw *raw = &b->raw;

	/* The old format often truncates start and end to whole seconds: use them only if they
	 * enclose the samples. */
	if (raw->is_stamps &&
	    !(raw->has_start && raw->has_end && raw->start_ns <= of->first &&
	      raw->end_ns >= of->last))
		raw->has_start = raw->has_end = false;
	raw->is_instant = of->n == 1 && raw->is_as_recorded && !of->has_surplus && !raw->has_end;
	return raw->is_instant ? of->first + 1 : end_of_last(b, of);
}

/* Rules 1 and 2 in raw.times. */
static void sum_and_sort(struct builder *b, struct sample_bounds *bounds)
{
	struct cpu_raw *raw = &b->raw;
	size_t n = bounds->n, known = raw->n_times;

	widen(raw);
	if (known > n + 1)
		builder_warn(b, WARN_DELTAS_LONG, -1);
	bounds->runs_back = sum_up(b, known < n ? known : n);
	if (known < n) {
		int64_t step = NS_PER_MS;
		size_t first = 0, end = known;

		builder_warn(b, WARN_DELTAS_SHORT, -1);
		if (known > 1 && is_sorted(raw->times, known))
			stray_of_lane(raw->times, known, &first, &end);
		if (known > 1)
			step = (raw->times[end - 1] - raw->times[first]) /
				(int64_t)(end - first - 1);
		if (step < 0)
			step = NS_PER_MS;
		raw->times = xgrow(raw->times, &raw->cap_times, raw->n_samples + 1,
				   sizeof *raw->times);
		for (size_t i = known; i < raw->n_samples; i++)
			raw->times[i] = add_clamped(b, raw->times[i - 1], step);
	}
	bounds->written_last = raw->times[n - 1];
	if (bounds->runs_back)
		sample_time_sort(raw);
}

/* Either raw.times is complete then; or raw.deltas, the bounds and the end, which is returned. */
static int64_t resolve_all(struct builder *b, struct sample_bounds *bounds)
{
	struct cpu_raw *raw = &b->raw;
	size_t n = raw->n_samples;
	int64_t end;

	*bounds = (struct sample_bounds){ .n = n, .has_surplus = raw->n_times == n + 1 };
	if (raw->n_times == 0) {
		widen(raw);
		builder_warn(b, WARN_DELTAS_MISSING, -1);
		spread(raw, raw->start_ns, raw->has_end ? raw->end_ns : raw->start_ns);
		drop_unreadable(raw);
		return 0;
	}
	if (raw->has_long && !raw->is_stamps && !raw->deltas)
		sign_deltas(b);
	if (bounds->has_surplus)
		bounds->surplus = raw->deltas ? (int32_t)raw->deltas[n] : raw->times[n];
	/* Whether deltas can be put in order here: there is one for each sample, or one more, and
	 * each sample has its node. */
	if (!(raw->deltas && raw->n_placed == raw->n_samples &&
	      (raw->n_times == raw->n_samples || raw->n_times == raw->n_samples + 1)))
		sum_and_sort(b, bounds);
	else if (!order_deltas(b, bounds))
		sample_time_sort(raw);
	if (!raw->deltas) {
		bounds->first = raw->times[0];
		bounds->last = raw->times[n - 1];
	}
	end = sample_time_end(b, bounds);
	if (raw->deltas && end != bounds->first)
		return end;
	if (raw->deltas)
		replace_deltas(raw, times_of_first(raw, n, bounds->first));
	raw->times[n] = end;
	if (raw->times[n] == raw->times[0]) {
		builder_warn(b, WARN_ZERO_DURATION, -1);
		raw->is_unmeasured = !raw->has_end || raw->end_ns <= raw->times[0];
		spread(raw, raw->times[0], raw->is_unmeasured ? raw->times[0] : raw->end_ns);
	}
	drop_unreadable(raw);
	return 0;
}

void sample_time_check_start(struct builder *b)
{
	const struct cpu_raw *raw = &b->raw;

	if (!raw->has_start && !raw->is_stamps && !raw->is_start_cut)
		builder_warn(b, WARN_START_TIME, -1);
}

void sample_time_resolve(struct builder *b, struct sample_bounds *bounds, int64_t *end)
{
	struct cpu_raw *raw = &b->raw;

	sample_time_check_start(b);
	*end = resolve_all(b, bounds);
	if (raw->deltas)
		return;
	bounds->n = raw->n_samples;
	bounds->first = raw->times[0];
	bounds->last = raw->times[raw->n_samples - 1];
	*end = raw->times[raw->n_samples];
}
