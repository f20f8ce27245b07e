/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One profile of a speedscope file. The state is shared by two files: speedscope_profile.c reads
 * the member `profiles`; speedscope.c reads the rest of the file and makes lanes. */
#ifndef FLAMETTY_READER_SPEEDSCOPE_PROFILE_H
#define FLAMETTY_READER_SPEEDSCOPE_PROFILE_H

#include "base/intern.h"
#include "read/reader.h"
#include "read/stack_lane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct speedscope_frame {
	str_id name, file;
	int64_t line, column; /* count from 1; 0: unknown */
};

/* Frames of the lane's nodes are numbers of speedscope.frames, + 1; 0 is the frame (unknown). */
struct speedscope_profile {
	struct stack_lane lane;
	str_id name, unit;
	int64_t start, end; /* ns */
	bool has_start, has_end;
	int64_t offset;   /* in the document */
	int64_t *weights; /* ns; of a sampled profile */
	size_t n_weights, cap_weights;
	bool has_samples;
};

struct speedscope {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct intern texts;
	struct speedscope_frame *frames;
	size_t n_frames, cap_frames;
	struct speedscope_profile *profiles;
	size_t n_profiles, cap_profiles;

	/* Of the profile that is being read: */
	uint32_t *stack; /* open nodes, if it is evented */
	size_t n_stack, cap_stack;
	int64_t last; /* time of the event before */
	int scale;    /* a time times 10^scale is ns */
};

/* Read the list of profiles, with the scanner before it, and append them to r->profiles. What is
 * read of a profile that is cut off stays. False: failed, with the error set. */
bool speedscope_profile_read(struct speedscope *r);

/* Free all profiles. */
void speedscope_profile_clear(struct speedscope *r);

#endif
