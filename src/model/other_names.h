/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile can name its functions in two ways: as the scripts that ran have them, and as their
 * sources have them, where source maps are there. The profile holds one way; this struct holds what
 * differs in the other. Samples, slices and times are the same in both. */
#ifndef FLAMETTY_MODEL_OTHER_NAMES_H
#define FLAMETTY_MODEL_OTHER_NAMES_H

#include "model/profile.h"

/* What differs of a lane; frame is NULL: nothing. */
struct other_lane {
	frame_id *frame;   /* by node */
	uint8_t *is_outer; /* by node, as in struct calltree */
	struct line_ticks *ticks;
	size_t n_ticks;
};

struct other_names {
	struct frame_table frames;
	/* By frame of the profile: the frame of `frames` that is the same function; of several, the
	 * first; FRAME_NONE: none is. */
	frame_id *same;
	uint32_t n_same;
	frame_id *source_of; /* by frame with the names of the scripts: the same function by its
				source; for both ways */
	uint32_t n_scripts;
	struct other_lane *lanes; /* by lane of the profile */
	uint32_t n_lanes;
	bool is_source; /* these are the names of the sources */
};

/* Make the names of sources from a new table of frames, which is taken over. frame_of: by frame of
 * the profile, its frame in `frames`. The lanes get copies of the profile's line_ticks, which the
 * caller may change. */
struct other_names *other_names_new(const struct profile *profile, struct frame_table *frames,
				    const frame_id *frame_of);
void other_names_free(struct other_names *names);

/* Exchange the names of the profile with profile->other, which is not NULL. All that was computed
 * from the profile before is void. */
void other_names_swap(struct profile *profile);

/* Whether the profile shows the names of sources. */
bool other_names_shows_source(const struct profile *profile);

/* What a place by the other names is called: "in script" or "in source". */
const char *other_names_label(const struct profile *profile);

/* Mark the functions of the profile that a set has by its other way: there: by frame of
 * profile->other, which is not NULL; here: by frame of the profile, 1 is set. A function of a
 * source can be several of a script. */
void other_names_find(const struct profile *profile, const uint8_t *there, uint8_t *here);

/* The frame of the other way that has the same function; NULL: there is none, or it is no other. */
const struct frame *other_names_of(const struct profile *profile, frame_id frame);

/* Append the other name and place of a frame, if it has one: `e  bundle.js:1:133`. */
void other_names_add(const struct profile *profile, frame_id id, struct buf *out);

#endif
