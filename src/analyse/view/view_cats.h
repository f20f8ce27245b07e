/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event categories of the nodes of a draft: slices of one name may have several. Only the files
 * of views use this. */
#ifndef FLAMETTY_ANALYSIS_VIEW_CATS_H
#define FLAMETTY_ANALYSIS_VIEW_CATS_H

#include "analyse/view/view_transform.h"

/* Zeroed at first. */
struct view_cats {
	event_cat *of; /* by node of the draft, when the work is complete; 0 also where a frame of
			  the view stands for others */
	uint8_t *is_known;
	struct view_place place;
	const struct view *view;
	const struct draft *draft;
};

/* Find the categories in steps. Returns whether the work is complete. */
bool view_cats_work(struct view_cats *cats, const struct view *view, const struct draft *draft,
		    struct budget *budget);
void view_cats_done(struct view_cats *cats);

#endif
