/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A spent budget stays spent: `steps` stays 0, and the clock does not go back. A shortage of memory
 * is over before the next step begins. */
#include "config.h"

#include "base/budget.h"

#include "base/clock.h"
#include "base/reserve.h"

struct budget budget_ns(int64_t ns)
{
	return (struct budget){ .until_ns = clock_ns() + ns,
				.whole_ns = ns,
				.steps = UINT64_MAX,
				.step = BUDGET_STEP };
}

struct budget budget_steps(uint64_t steps, uint32_t step)
{
	return (struct budget){ .until_ns = INT64_MAX,
				.whole_ns = INT64_MAX,
				.steps = steps,
				.step = step };
}

struct budget budget_part(const struct budget *budget, int divisor)
{
	struct budget part = *budget;

	if (budget->until_ns != INT64_MAX) {
		part.whole_ns = budget->whole_ns / divisor;
		part.until_ns = clock_ns() + part.whole_ns;
	}
	return part;
}

bool budget_spent(struct budget *budget)
{
	if (budget->steps != UINT64_MAX && (budget->steps == 0 || --budget->steps == 0))
		return true;
	if (budget->until_ns == INT64_MAX)
		return false;
	return clock_ns() >= budget->until_ns || reserve_wanted() > 0;
}
