/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of frames given by a pattern (pattern.h), which matches the name, the url or the package of
 * a frame, or only what the pattern's subject is: of event categories, those of any slice with the
 * name. Finds the same frames as a search, all at once. */
#ifndef FLAMETTY_ANALYSIS_FRAME_SET_H
#define FLAMETTY_ANALYSIS_FRAME_SET_H

#include "analyse/match_set.h"
#include "base/error.h"
#include "model/profile.h"

/* The set of frames[0 .. n) that match, 1 each; the caller frees it. The frames may be others than
 * those of the profile, but their texts must be texts of the profile. Returns NULL with err set if
 * the pattern is invalid or takes too long. */
uint8_t *frame_set_find(const struct profile *profile, const struct frame *frames, uint32_t n,
			const char *pattern, struct error *err);

/* The same for the frames of a profile, with the event categories that match. The caller frees
 * *out by match_set_done(). */
bool frame_set_match(const struct profile *profile, const char *pattern, struct match_set *out,
		     struct error *err);

/* The same for lanes: name of the thread, title, name of the process, path of the file. */
uint8_t *frame_set_lanes(const struct profile *profile, const char *pattern, struct error *err);

/* Whether the pattern is valid; if not, err tells why. */
bool frame_set_check(const char *pattern, struct error *err);

#endif
