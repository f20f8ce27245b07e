/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes are plain values. */
#include "config.h"

#include "analysis/scope.h"

void scope_all(struct scope *scope, const struct profile *profile)
{
	*scope = (struct scope){ .t0 = 0, .t1 = profile->t1, .has_idle = false };
}
