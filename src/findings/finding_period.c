/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run begins when a function has been absent for some time. The interval is the median distance
 * of two beginnings; a beat that no sample has hit makes a distance of two or more intervals. */
#include "config.h"

#include "findings/finding_period.h"

#include "base/alloc.h"
#include "base/units.h"

#include <stdlib.h>

#define ABSENT (5 * NS_PER_MS)
#define RUNS_LEAST 8
#define REGULAR_PERCENT 70 /* of the distances */
#define BEATS_MOST 4       /* intervals that may lie between two runs */
#define INTERVAL_MOST NS_PER_S

void finding_period_init(struct finding_periods *p, const struct charge *charge)
{
	bool has_timer = false;

	*p = (struct finding_periods){ .charge = charge };
	for (uint32_t i = 1; lane_has_times(charge->lane) && i < charge->stacks.n && !has_timer;
	     i++)
		has_timer = charge->nodes[i].timer != FRAME_NONE;
	if (has_timer)
		p->of = xcalloc(charge->profile->frames.n, sizeof *p->of);
}

void finding_period_done(struct finding_periods *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->list[i].starts);
	free(p->list);
	free(p->of);
	*p = (struct finding_periods){ 0 };
}

void finding_period_add(struct finding_periods *p, const struct charge_sample *s)
{
	frame_id f = charge_of(p->charge, s->key)->timer;
	struct finding_runs *r;

	if (!p->of || f == FRAME_NONE || s->kind == CHARGE_IDLE)
		return;
	if (!p->of[f]) {
		p->list = xgrow(p->list, &p->cap, p->n + 1, sizeof *p->list);
		p->list[p->n++] = (struct finding_runs){ .function = f, .last = INT64_MIN / 2 };
		p->of[f] = (uint32_t)p->n;
	}
	r = &p->list[p->of[f] - 1];
	if (s->t0 - r->last > ABSENT) {
		r->starts = xgrow(r->starts, &r->cap, r->n + 1, sizeof *r->starts);
		r->starts[r->n++] = s->t0;
	}
	r->last = s->t1;
	r->ns += s->t1 - s->t0;
}

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Whether a distance is about 1 to BEATS_MOST intervals. */
static bool is_regular(int64_t distance, int64_t interval)
{
	for (int64_t k = 1; k <= BEATS_MOST; k++) {
		int64_t off = distance - k * interval;

		if ((off < 0 ? -off : off) < interval / 5)
			return true;
	}
	return false;
}

/* The interval of the runs, 0: they are not regular. */
static int64_t interval_of(const struct finding_runs *r)
{
	int64_t *distances, interval;
	size_t n = r->n - 1, regular = 0;

	if (r->n < RUNS_LEAST)
		return 0;
	distances = xcalloc(n, sizeof *distances);
	for (size_t i = 0; i < n; i++)
		distances[i] = r->starts[i + 1] - r->starts[i];
	qsort(distances, n, sizeof *distances, by_length);
	interval = distances[n / 2];
	for (size_t i = 0; i < n && interval <= INTERVAL_MOST; i++)
		regular += is_regular(distances[i], interval);
	free(distances);
	return regular * 100 >= n * REGULAR_PERCENT ? interval : 0;
}

const struct finding_runs *finding_period_find(struct finding_periods *p, int64_t *ns)
{
	const struct finding_runs *best = NULL;

	*ns = 0;
	for (size_t i = 0; i < p->n; i++) {
		int64_t interval = interval_of(&p->list[i]);

		if (p->list[i].n < RUNS_LEAST || (*ns && !interval) ||
		    (best && !*ns == !interval && p->list[i].ns <= best->ns))
			continue;
		best = &p->list[i];
		*ns = interval;
	}
	return best;
}
