/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merged views without steps. */
#ifndef FLAMETTY_TESTS_UNIT_MERGED_NOW_H
#define FLAMETTY_TESTS_UNIT_MERGED_NOW_H

#include "analyse/view/merged.h"

/* Make a view. *n_levels: as of merged_end(). */
static inline struct profile *merged_now(const struct totals *totals, enum merged_kind kind,
					 frame_id frame, uint32_t *n_levels)
{
	struct merged *m = merged_begin(totals, kind, frame, NULL);

	merged_work(m, BUDGET_UNLIMITED);
	return merged_end(m, n_levels, NULL);
}

#endif
