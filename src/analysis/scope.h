/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a question is about: which time range, and whether idle time counts. */
#ifndef FLAMETTY_ANALYSIS_SCOPE_H
#define FLAMETTY_ANALYSIS_SCOPE_H

#include "model/profile.h"

struct scope {
	int64_t t0, t1;     /* ns since the start of the profile, half-open */
	bool has_idle;      /* idle time counts in shares */
};

/* The whole of a profile. */
void scope_all(struct scope *scope, const struct profile *profile);

#endif
