/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A target is freed in one place, as search and filter both hold two of them. */
#include "config.h"

#include "ui/chart/finder_target.h"

void finder_target_done(struct finder_target *target)
{
	search_done(&target->search);
	buf_done(&target->name);
	*target = (struct finder_target){ 0 };
}

struct budget finder_target_step(int64_t key_ns)
{
	return budget_ns(key_ns < FINDER_STEP_NS ? key_ns : FINDER_STEP_NS);
}
