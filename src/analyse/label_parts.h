/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self times of a lane by node and labels, as pprof has them. */
#ifndef FLAMETTY_ANALYSIS_LABEL_PARTS_H
#define FLAMETTY_ANALYSIS_LABEL_PARTS_H

#include "analyse/scope.h"
#include "analyse/view/view.h"

/* Of the samples that end at a node and have one set of labels. */
struct label_parts_row {
	node_id node; /* of the view */
	uint32_t set;
	int64_t ns;
	uint64_t n; /* samples, as leaf_counts() has them; of sums 0 */
};

/* Find the rows of a view of one lane, in the range of the scope, by node and set. The caller frees
 * *rows; NULL: the samples of the lane have no labels. Returns their number. */
size_t label_parts(const struct view *view, const struct scope *scope,
		   struct label_parts_row **rows);

#endif
