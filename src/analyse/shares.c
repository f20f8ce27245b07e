/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums by steps of time, in a ring as long as the window. A step counts as soon as it is over. */
#include "config.h"

#include "analyse/shares.h"

#include "base/alloc.h"

#include <string.h>

#define KNOWN_MIN 90 /* percent of a window */

void shares_init(struct shares *s, int64_t window_ns, double limit,
		 void (*visit)(void *ctx, const struct shares_period *period), void *ctx)
{
	*s = (struct shares){ .limit = limit, .visit = visit, .ctx = ctx };
	s->n = window_ns < SHARES_STEP ? 1 : window_ns / SHARES_STEP;
	s->window_ns = s->n * SHARES_STEP;
	/* One more: the step in progress. */
	s->of_kind = xcalloc((size_t)s->n + 1, sizeof *s->of_kind);
	s->of_all = xcalloc((size_t)s->n + 1, sizeof *s->of_all);
}

static void end_period(struct shares *s)
{
	s->is_on = false;
	s->period.has_ended = true;
	s->visit(s->ctx, &s->period);
}

/* Look at the window that ends at t1. */
static void judge(struct shares *s, int64_t t1)
{
	bool is_known = (double)s->all_ns * 100 > (double)s->window_ns * KNOWN_MIN;
	bool is_above = is_known && (double)s->kind_ns >= s->limit * (double)s->all_ns;

	if (is_above && !s->is_on) {
		s->is_on = true;
		s->period = (struct shares_period){ t1 - s->window_ns, t1, s->kind_ns, false };
		s->visit(s->ctx, &s->period);
	} else if (is_above) {
		s->period.t1 = t1;
	} else if (s->is_on && t1 - s->period.t1 >= s->window_ns) {
		end_period(s);
	}
}

/* Forget all steps; the next one that counts is `step`. */
static void restart(struct shares *s, int64_t step)
{
	memset(s->of_kind, 0, ((size_t)s->n + 1) * sizeof *s->of_kind);
	memset(s->of_all, 0, ((size_t)s->n + 1) * sizeof *s->of_all);
	s->kind_ns = s->all_ns = 0;
	s->next = step;
}

/* The step in progress is over: it enters the window, and the oldest one leaves it. */
static void end_step(struct shares *s)
{
	int64_t now = s->next % (s->n + 1), oldest = (s->next + 1) % (s->n + 1);

	s->kind_ns += s->of_kind[now] - s->of_kind[oldest];
	s->all_ns += s->of_all[now] - s->of_all[oldest];
	s->of_kind[oldest] = s->of_all[oldest] = 0;
	s->next++;
	judge(s, s->next * SHARES_STEP);
}

void shares_add(struct shares *s, int64_t t0, int64_t t1, bool is_of_kind)
{
	if (!s->has_begun)
		restart(s, t0 / SHARES_STEP);
	s->has_begun = true;
	if (t0 / SHARES_STEP - s->next > 2 * s->n) {
		if (s->is_on)
			end_period(s);
		restart(s, t0 / SHARES_STEP);
	}
	while (t0 < t1) {
		int64_t end = (t0 / SHARES_STEP + 1) * SHARES_STEP, part = end < t1 ? end : t1;

		while (s->next < t0 / SHARES_STEP)
			end_step(s);
		s->of_all[s->next % (s->n + 1)] += part - t0;
		s->of_kind[s->next % (s->n + 1)] += is_of_kind ? part - t0 : 0;
		t0 = part;
		if (part == end)
			end_step(s);
	}
}

void shares_end(struct shares *s)
{
	if (s->is_on)
		end_period(s);
}
