/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames that a view makes: those that stand for files, packages, categories, names and lanes.
 * For view.c. */
#ifndef FLAMETTY_ANALYSIS_VIEW_FRAMES_H
#define FLAMETTY_ANALYSIS_VIEW_FRAMES_H

#include "analyse/view/view_transform.h"

struct view_frames;

/* Begin to find the new frame of each node of a draft: of all nodes by `group`, which is not
 * GROUP_FUNCTION, or (fold) only of those whose frames match that transform. files: as in struct
 * view_plan. New frames are added to the view. Call view_frames_work() until it returns true, then
 * end, which returns the frames by node; the caller frees them. Ended earlier, it returns NULL. */
struct view_frames *view_frames_begin(struct view *view, const struct draft *draft,
				      const struct transform *fold, enum view_group group,
				      const str_id *files);
bool view_frames_work(struct view_frames *frames, struct budget *budget);
frame_id *view_frames_end(struct view_frames *frames);

/* Whether `made`, which stands for a file, package, category or name, stands for frame `f` of the
 * profile. */
bool view_frames_has(const struct profile *profile, enum view_group group, const struct frame *made,
		     const struct frame *f);

#endif
