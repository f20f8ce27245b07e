/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample that is earlier than the one before it in the file is moved back among the deltas: the
 * delta behind its new place is divided in two. Then no delta is negative, and none is longer than
 * one of the file, so that all fit into 32 bits without a sign. */
#include "config.h"

#include "model/build/cpu_deltas.h"

#include "base/alloc.h"
#include "model/build/builder_state.h"

#include <stdlib.h>

#define AT_ONCE 64u /* deltas that are added up without a look at each */

/* Memory that stays unused costs nothing. */
void *cpu_deltas_room(struct cpu_raw *raw, size_t n, size_t size)
{
	size_t cap = raw->n_samples + 2;
	void *p = raw->n_samples > n ? alloc_if_room(cap * size) : NULL;

	raw->cap_times = p ? cap : 0;
	return p;
}

bool cpu_deltas_add(struct cpu_raw *raw, const int64_t *ns, size_t n)
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
		raw->deltas = cpu_deltas_room(raw, n, sizeof *raw->deltas);
	raw->deltas = xgrow(raw->deltas, &raw->cap_times, raw->n_times + n, sizeof *raw->deltas);
	to = raw->deltas + raw->n_times;
	for (size_t i = 0; i < n; i++)
		to[i] = (uint32_t)ns[i];
	raw->n_times += n;
	return true;
}

void cpu_deltas_widen(struct cpu_raw *raw)
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

bool cpu_deltas_suffice(const struct cpu_raw *raw)
{
	return raw->deltas && raw->n_placed == raw->n_samples &&
		(raw->n_times == raw->n_samples || raw->n_times == raw->n_samples + 1);
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

bool cpu_deltas_order(struct builder *b, struct sample_bounds *bounds)
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

void cpu_deltas_to_times(struct cpu_raw *raw, int64_t first)
{
	replace_deltas(raw, times_of_first(raw, raw->n_samples, first));
}

void cpu_deltas_pack(struct cpu_raw *raw, int64_t first, int64_t end, int64_t by,
		     struct times *times)
{
	times_pack_steps(times, raw->deltas, raw->n_samples, first - by, end - by);
	raw->deltas = NULL;
	raw->cap_times = 0;
}
