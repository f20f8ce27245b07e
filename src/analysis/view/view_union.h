/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of threads whose slices overlap, after transforms. */
#ifndef FLAMETTY_ANALYSIS_VIEW_UNION_H
#define FLAMETTY_ANALYSIS_VIEW_UNION_H

#include "analysis/view/view.h"

/* Set view_source.united, once the maps of the sources are complete. */
void view_union_find(struct view *view);

#endif
