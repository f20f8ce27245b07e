/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much time or work a step of a long computation may still use.
 *
 * The caller states the limit in a struct budget: a deadline, a number of steps, or none. A
 * deadline has come as soon as the thread is short of memory (alloc.h), too. The
 * computation does `step` units of work (a sample, a node, an entry of a block), calls
 * budget_spent(), and returns when that is true. The check comes after the work, not before it:
 * each call makes progress, so a caller that repeats the call until the result is complete always
 * terminates. Only this module looks at the clock. */
#ifndef FLAMETTY_BASE_BUDGET_H
#define FLAMETTY_BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Units of work in a step: about 20 microseconds; reading the clock takes 20 nanoseconds. */
#define BUDGET_STEP 16384u

struct budget {
	int64_t until_ns; /* deadline, on clock_ns(); INT64_MAX: none */
	int64_t whole_ns; /* time that it had at first; INT64_MAX: no limit */
	uint64_t steps;   /* that may still be done; UINT64_MAX: no limit */
	uint32_t step; /* units of work to do before the next call of budget_spent(), 1 or more */
	uint32_t used; /* units of work that budget_use() has counted since */
};

/* A budget without any limit, for a call that returns when all is done. It is a pointer to a new
 * struct that lives as long as the enclosing block. */
#define BUDGET_UNLIMITED                                                                           \
	(&(struct budget){ .until_ns = INT64_MAX,                                                  \
			   .whole_ns = INT64_MAX,                                                  \
			   .steps = UINT64_MAX,                                                    \
			   .step = BUDGET_STEP })

/* ns nanoseconds from now on; 0 or less: one step. */
struct budget budget_ns(int64_t ns);

/* `steps` steps of `step` units of work, both 1 or more, however long they take. The same work is
 * done on each machine. */
static inline struct budget budget_steps(uint64_t steps, uint32_t step)
{
	return (struct budget){ .until_ns = INT64_MAX,
				.whole_ns = INT64_MAX,
				.steps = steps,
				.step = step };
}

/* Half of a budget for the first of two jobs, so that time is left for the second: half of the
 * whole time, from now on. A budget without a deadline is copied. */
struct budget budget_half(const struct budget *budget);

/* Whether it has no limit: the caller waits until all is done. */
static inline bool budget_is_unlimited(const struct budget *budget)
{
	return budget->steps == UINT64_MAX && budget->until_ns == INT64_MAX;
}

/* Whether it counts steps: the same work must be done on each machine. */
static inline bool budget_is_counted(const struct budget *budget)
{
	return budget->steps != UINT64_MAX;
}

/* Report that a step is done. Returns true when the budget is spent, and then on every later
 * call. */
bool budget_spent(struct budget *budget);

/* The same for work in smaller pieces: report `work` units. Returns false until they make a
 * step. */
static inline bool budget_use(struct budget *budget, uint32_t work)
{
	budget->used += work;
	if (budget->used < budget->step)
		return false;
	budget->used = 0;
	return budget_spent(budget);
}

/* One loop: `begin` and `items`, or `work` alone. */
struct phase {
	/* Prepare the loop. Returns its number of items. */
	size_t (*begin)(void *ctx);
	/* Do the items [from, end); an item is a unit of work. */
	void (*items)(void *ctx, size_t from, size_t end);
	/* A computation that counts its work itself. Returns whether it is complete. */
	bool (*work)(void *ctx, struct budget *budget);
};

/* How far a computation is. A zeroed struct: it has not begun. */
struct phases {
	unsigned at; /* index of the phase */
	bool has_begun;
	size_t next, n; /* of the items of the phase */
};

/* Go on with the phases of `list`, which ends with a zeroed phase. Returns true when all are
 * complete, and on every later call. */
bool phases_work(struct phases *phases, const struct phase *list, void *ctx, struct budget *budget);

#endif
