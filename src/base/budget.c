/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A spent budget stays spent: `steps` stays 0, and the clock does not go back. A shortage of memory
 * is over before the next step begins. */
#include "config.h"

#include "base/budget.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ==== phases ====
 *
 * Items of short loops add up to a step, so that many short loops do not read the clock often. */

/* Go on with a loop; returns whether it is complete. */
static bool loop(struct phases *p, const struct phase *phase, void *ctx, struct budget *budget)
{
	if (!p->has_begun) {
		p->n = phase->begin(ctx);
		p->next = 0;
		p->has_begun = true;
	}
	while (p->next < p->n) {
		size_t left = p->n - p->next, most = budget->step - budget->used,
		       n = left < most ? left : most;

		phase->items(ctx, p->next, p->next + n);
		p->next += n;
		if (budget_use(budget, (uint32_t)n))
			return false;
	}
	return true;
}

bool phases_work(struct phases *p, const struct phase *list, void *ctx, struct budget *budget)
{
	for (; list[p->at].begin || list[p->at].work; p->at++) {
		const struct phase *phase = &list[p->at];

		if (phase->work ? !phase->work(ctx, budget) : !loop(p, phase, ctx, budget))
			return false;
		p->has_begun = false;
	}
	return true;
}

/* ==== budget ==== */

struct budget budget_ns(int64_t ns)
{
	return (struct budget){ .until_ns = clock_ns() + ns,
				.whole_ns = ns,
				.steps = UINT64_MAX,
				.step = BUDGET_STEP };
}

struct budget budget_half(const struct budget *budget)
{
	struct budget half = *budget;

	if (budget->until_ns != INT64_MAX) {
		half.whole_ns = budget->whole_ns / 2;
		half.until_ns = clock_ns() + half.whole_ns;
	}
	return half;
}

bool budget_spent(struct budget *budget)
{
	if (budget->steps != UINT64_MAX && (budget->steps == 0 || --budget->steps == 0))
		return true;
	if (budget->until_ns == INT64_MAX)
		return false;
	return clock_ns() >= budget->until_ns || reserve_wanted() > 0;
}
