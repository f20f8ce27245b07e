/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of findings, and which of them are about the same. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_ORDER_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_ORDER_H

#include "findings/finding_window.h"

/* Sort the drafts of the window, and mark those that are merged or dropped. */
void finding_order(struct finding_window *w);

/* The common time of two sets of keys. */
int64_t finding_order_overlap(const struct finding_window *w, const struct finding_keys *a,
			      const struct finding_keys *b);

#endif
