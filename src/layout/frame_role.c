/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame with a colour of its own, stated by a trace, keeps it. V8's states have a role each. All
 * other frames get one of ROLE_HUES hues, by category or by a hash of a text: the same text has the
 * same hue in each file and each run. */
#include "config.h"

#include "layout/frame_role.h"

#include "base/hash.h"

#include <string.h>

static enum role hue_of_text(const struct profile *profile, str_id text)
{
	uint64_t hash = hash_bytes(profile_text(profile, text),
				   strlen(profile_text(profile, text)));

	return (enum role)(ROLE_FRAME + hash % ROLE_HUES);
}

/* Reserved colour names of traces, by their meaning: good, so-so, bad, or none. */
static enum role role_of_color(unsigned color)
{
	static const uint8_t role[FRAME_COLORS] = {
		[1] = ROLE_FRAME + 4,   [2] = ROLE_FRAME + 1,   [3] = ROLE_FRAME,
		[4] = ROLE_PROGRAM,     [5] = ROLE_PROGRAM,     [6] = ROLE_IDLE,
		[7] = ROLE_FRAME + 2,   [8] = ROLE_FRAME + 3,   [9] = ROLE_FRAME + 5,
		[10] = ROLE_FRAME + 2,  [11] = ROLE_FRAME + 6,  [12] = ROLE_FRAME + 7,
		[13] = ROLE_IDLE,       [14] = ROLE_FRAME + 8,  [15] = ROLE_FRAME + 1,
		[16] = ROLE_FRAME + 2,  [17] = ROLE_FRAME + 4,  [18] = ROLE_FRAME + 6,
		[19] = ROLE_IDLE,       [20] = ROLE_PROGRAM,    [21] = ROLE_FRAME + 9,
		[22] = ROLE_FRAME + 10, [23] = ROLE_FRAME + 11, [24] = ROLE_FRAME + 3,
		[25] = ROLE_FRAME + 2,  [26] = ROLE_FRAME + 4,  [27] = ROLE_FRAME,
		[28] = ROLE_FRAME + 5,  [29] = ROLE_FRAME + 9,
	};

	return (enum role)role[color];
}

enum role frame_role(const struct profile *profile, frame_id id, enum chart_color color)
{
	/* Neighbours in the legend have distant hues; the most frequent categories have the most
	 * distinct colours. */
	static const uint8_t hue[CATEGORY_COUNT] = {
		[CATEGORY_APP] = 0,       [CATEGORY_DEPENDENCY] = 4, [CATEGORY_NODE] = 9,
		[CATEGORY_RUNTIME] = 3,   [CATEGORY_REGEXP] = 2,     [CATEGORY_WASM] = 5,
		[CATEGORY_EVAL] = 7,      [CATEGORY_BUNDLER] = 6,    [CATEGORY_EXTENSION] = 8,
		[CATEGORY_RENDERING] = 1, [CATEGORY_UNKNOWN] = 10,   [CATEGORY_SLICE] = 11,
		[CATEGORY_LANE] = 0
	};
	const struct frame *frame = profile_frame(profile, id);

	if (frame->color)
		return role_of_color(frame->color);
	switch (frame->category) {
	case CATEGORY_GC:
		return ROLE_GC;
	case CATEGORY_IDLE:
		return ROLE_IDLE;
	case CATEGORY_PROGRAM:
		return ROLE_PROGRAM;
	case CATEGORY_NATIVE:
		return ROLE_NATIVE;
	default:
		break;
	}
	switch (color) {
	case CHART_COLOR_CATEGORY:
		return (enum role)(ROLE_FRAME + hue[frame->category]);
	case CHART_COLOR_PACKAGE:
		/* Frames without a package belong to the profiled program itself. */
		return frame->package ? hue_of_text(profile, frame->package) : ROLE_FRAME;
	case CHART_COLOR_NAME:
		return hue_of_text(profile, frame->name);
	case CHART_COLOR_FILE:
	default:
		return hue_of_text(profile, frame->url ? frame->url : frame->name);
	}
}
