/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile as transforms leave it: the same lanes at the same times, each with the tree of its
 * view (view.h). So chart, panes, search, reports and exports need not know of transforms. */
#ifndef FLAMETTY_ANALYSIS_DERIVE_H
#define FLAMETTY_ANALYSIS_DERIVE_H

#include "analysis/view.h"

/* Make it; `base` must outlive it. Time that was dropped is not sampled in it. Flows, and what single
 * slices are in their file, are not known any more. To be freed by profile_free(). */
struct profile *profile_derive(const struct profile *base, const struct transform *transforms, size_t n, enum view_group group);

#endif
