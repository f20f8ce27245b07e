/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wall clock of a profile, as far as the names of its files tell it. */
#ifndef FLAMETTY_MODEL_WALL_CLOCK_H
#define FLAMETTY_MODEL_WALL_CLOCK_H

#include "model/profile.h"

/* The clock of places in sentences. All 0: seconds since the start of the profile. */
struct place_clock {
	int64_t origin; /* the clock at time 0 of the profile */
	bool is_wall;   /* the time of day */
	bool is_file;   /* seconds by the clock of the file */
};

/* The wall clock at time 0 of the profile, for a lane: ns since 1970, in the time zone of the
 * machine that recorded it. It is that of the input with the latest start by its name, among those
 * that share the lane's clock: names have whole seconds, so the real time is up to a second later.
 * False: no name of these inputs has a date. */
bool wall_clock_find(const struct profile *profile, const struct lane *lane, int64_t *at_zero);

/* Append date and time of day of `t`, ns since the start of the profile, for a lane:
 * `2025-05-10 13:46:25.123456`; nothing if no name tells it. */
void wall_clock_format(const struct profile *profile, const struct lane *lane, int64_t t,
		       struct buf *out);

/* Append when the recording of an input began, `2025-05-10 13:46:25`, and ` UTC` if that is the
 * time zone; nothing if its name has no date. An impossible date is shown as it is. */
void wall_clock_recorded(const struct profile *profile, const struct input *input, struct buf *out);

bool wall_clock_is_same(const struct place_clock *a, const struct place_clock *b);

/* Format a time of the profile as a place in a sentence: `60.05 s`, `02:37:05.12`. */
void wall_clock_place(const struct place_clock *clock, int64_t t, char out[UNITS_MAX]);

#endif
