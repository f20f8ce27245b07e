/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A long computation as a list of loops that run one after the other and stop between two items
 * when the budget is spent. What a loop needs to go on is in the context of the computation. */
#ifndef FLAMETTY_BASE_PHASES_H
#define FLAMETTY_BASE_PHASES_H

#include "base/budget.h"

#include <stdbool.h>
#include <stddef.h>

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
