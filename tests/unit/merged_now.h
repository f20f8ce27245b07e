/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merged views without steps. */
#ifndef FLAMETTY_TESTS_UNIT_MERGED_NOW_H
#define FLAMETTY_TESTS_UNIT_MERGED_NOW_H

#include "analyse/view/merged.h"

/* Complete a view that was begun. *n_levels: as of merged_end(). */
static inline struct profile *merged_now(struct merged *m, uint32_t *n_levels)
{
	merged_work(m, BUDGET_UNLIMITED);
	return merged_end(m, n_levels);
}

#endif
