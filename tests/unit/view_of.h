/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view with transforms and groups, at once. */
#ifndef FLAMETTY_TESTS_VIEW_OF_H
#define FLAMETTY_TESTS_VIEW_OF_H

#include "analyse/view/view.h"

static inline bool view_of(struct view *view, const struct profile *profile,
			   const struct lane *const *lanes, uint32_t n,
			   const struct transform *transforms, size_t n_transforms,
			   enum view_group group)
{
	const struct view_plan plan = { .transforms = transforms,
					.n_transforms = n_transforms,
					.group = group };
	struct view_work *work = view_begin(view, profile, lanes, n, &plan);

	if (!work)
		return false;
	view_work(work, BUDGET_UNLIMITED);
	view_end(work);
	return true;
}

#endif
