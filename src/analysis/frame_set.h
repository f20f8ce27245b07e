/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of frames named by a pattern (pattern.h) that matches the name, the url or the package of a
 * frame anywhere: what a search finds, for whoever wants all of it at once. */
#ifndef FLAMETTY_ANALYSIS_FRAME_SET_H
#define FLAMETTY_ANALYSIS_FRAME_SET_H

#include "base/error.h"
#include "model/profile.h"

/* The frames[0 .. n) that match, 1 each; to be freed. The frames may be others than the profile's
 * own, but their texts are its texts. NULL and err when the pattern is none, or takes too long. */
uint8_t *frame_set_find(const struct profile *profile, const struct frame *frames, uint32_t n,
			const char *pattern, struct error *err);

/* The same for lanes: the thread's name, the title, the process's name, the path of the file. */
uint8_t *frame_set_lanes(const struct profile *profile, const char *pattern, struct error *err);

/* Whether it is a pattern; err says why not. */
bool frame_set_check(const char *pattern, struct error *err);

#endif
