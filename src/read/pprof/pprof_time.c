/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where samples with a time are on the time line: formats(5), PPROF, The time line. A sample has
 * exactly its value as its length, so that tables have the sums that other programs print. Writers
 * give each sample the average distance, which differs from the distance to the sample before by
 * some jitter. Without rule 2, a call of many samples would be a row of splinters.
 * 1. A sample ends at its time, and begins its value before that.
 * 2. It begins where the sample before ends, if it would begin earlier, or if less than its own
 *    value would lie between them. What rule 2 moves it back adds up, but never to more than one
 *    value: then the distance is no longer less.
 * 3. A sample of value 0 has no length. Two samples around it keep their distance, because it says
 *    that something else happened there: Datadog writes (idle) so. */
#include "config.h"

#include "read/pprof/pprof_time.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/lane.h"

#include <stdlib.h>

void pprof_time_add(struct pprof_time *t, const struct pprof_timed *sample)
{
	t->samples = xgrow(t->samples, &t->cap, t->n + 1, sizeof *t->samples);
	t->samples[t->n++] = *sample;
}

void pprof_time_clear(struct pprof_time *t)
{
	t->n = 0;
	t->late_ns = t->longest_ns = 0;
}

void pprof_time_done(struct pprof_time *t)
{
	free(t->samples);
	*t = (struct pprof_time){ 0 };
}

static bool is_before(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct pprof_timed *)a)->end_ns < ((const struct pprof_timed *)b)->end_ns;
}

/* Where a sample begins, by rules 1 and 2. end_ns: of the sample before. */
static int64_t begin_of(const struct pprof_timed *sample, int64_t end_ns, bool is_first,
			bool is_apart)
{
	int64_t begin = sample->end_ns - sample->ns;

	if (is_first)
		return begin;
	if (begin < end_ns || (!is_apart && begin - end_ns < sample->ns))
		return end_ns;
	return begin;
}

bool pprof_time_place(struct pprof_time *t, pprof_time_put *put, void *ctx)
{
	int64_t end = 0;
	bool is_first = true, is_apart = false, fits = true;

	sort_stable(t->samples, t->n, sizeof *t->samples, is_before, NULL);
	for (size_t i = 0; i < t->n; i++) {
		const struct pprof_timed *sample = &t->samples[i];
		int64_t begin = begin_of(sample, end, is_first, is_apart);

		is_apart = sample->ns == 0;
		if (is_apart)
			continue;
		if (sample->ns > PROFILE_TIME_MAX - begin) {
			fits = false;
			break;
		}
		if (!is_first && begin > end)
			put(ctx, NULL, end);
		put(ctx, sample, begin);
		is_first = false;
		end = begin + sample->ns;
		if (end - sample->end_ns > t->late_ns)
			t->late_ns = end - sample->end_ns;
		if (sample->ns > t->longest_ns)
			t->longest_ns = sample->ns;
	}
	t->end_ns = end;
	return fits;
}
