/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items of short loops add up to a step, so that many short loops do not read the clock often. */
#include "config.h"

#include "base/phases.h"

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
