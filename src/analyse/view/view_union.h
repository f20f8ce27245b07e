/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of threads whose slices overlap, after transforms and grouping. */
#ifndef FLAMETTY_ANALYSIS_VIEW_UNION_H
#define FLAMETTY_ANALYSIS_VIEW_UNION_H

#include "analyse/view/view.h"

/* Set view_source.united, once the maps of the sources are complete. */
void view_union_find(struct view *view);

/* Set view_source.inner, once the tree of the view is complete, too. */
void view_union_find_inner(struct view *view);

#endif
