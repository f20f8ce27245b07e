/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events and samples that are far from all others of their input: of another clock, at time 0
 * because their writer knew no time, or left over in a buffer. They are left out, because they
 * would make the time line as long as the distance. formats(5), STRAY TIMES, is the same for users:
 *
 * 1. A group of at most STRAY_MAX events or samples is stray if it lies before all others, or
 *    after all others, at a distance over ten times the length of the others, and over ten
 *    seconds. Both ends may have one. An event with a length is one piece, as a pair of begin and
 *    end is: what reaches the others is not far. The time from the end of a group to the begin of
 *    the others is the distance; metadata, points of flows, and ends that no event states, do not
 *    count.
 * 2. If an event says that the recording began there (TracingStartedInBrowser), any number of
 *    events that end before it can be such a group.
 * 3. A start time of a CPU profile can be such a group, and an end time after its last sample.
 * 4. In inputs where time 0 stands for no time (traces), what is at 0 is not one of the others.
 *    It is stray, whatever its number, if the others begin later than their length plus one
 *    second.
 * 5. The others must be more than those of each group (but for rule 2 and 4), and must have a
 *    length: of two events, neither is stray. If there are several ways, as many as possible are
 *    stray.
 *
 * What is kept of the times is enough to decide that: the parts that an input has, with more than
 * ten seconds between them. Where there are many, parts in the middle are joined, which are too
 * many for a group whatever is added. */
#ifndef FLAMETTY_MODEL_BUILD_STRAY_H
#define FLAMETTY_MODEL_BUILD_STRAY_H

#include "base/units.h"
#include "model/build/sample_time.h"
#include "model/build/track_builder.h"
#include "model/build/track_raw.h"
#include "model/lane.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRAY_MAX 3u
#define STRAY_NEAR (10 * NS_PER_S) /* what is not farther apart is of one part */
#define STRAY_TIMES 10             /* a distance is this many times the length */
#define STRAY_PARTS 16u

struct stray_part {
	int64_t first, last;
	uint64_t n, n_samples; /* n: samples are among them */
	int64_t offset;        /* of the first event that came; -1: unknown */
};

/* When the events and samples of an input are. Times are within PROFILE_TIME_MAX on both sides of
 * 0, others are clamped. */
struct stray_times {
	struct stray_part parts[STRAY_PARTS];
	size_t n, at;      /* at: the part of the last event */
	int64_t near;      /* its end plus STRAY_NEAR */
	int64_t reach;     /* an event that ends later may touch the next part */
	bool is_zero_void; /* rule 4 */
	bool keeps_all;    /* nothing is stray */
	bool has_zero;     /* something is at 0, and not in the parts: */
	struct stray_part zero;
	bool has_start; /* rule 2 */
	int64_t start;
};

/* One end of the time line. */
struct stray_side {
	uint64_t n, n_samples; /* n 0 and has: a start or end time alone */
	bool has;
	int64_t first, last;
	int64_t distance;
	int64_t offset;
};

/* What is stray, and the range of the others, both ends included. */
struct stray_found {
	struct stray_side before, after;
	int64_t t0, t1;
};

void stray_init(struct stray_times *times);

/* Count n events in [t0, t1], of any order; n 0: a time that is no event. A part of
 * stray_add(). */
void stray_add_slowly(struct stray_times *times, int64_t t0, int64_t t1, uint64_t n,
		      int64_t offset);

/* Inline: it runs for each slice. */
static inline void stray_add(struct stray_times *times, int64_t t0, int64_t t1, uint64_t n,
			     int64_t offset)
{
	struct stray_part *p = &times->parts[times->at];

	if (t0 < p->first || t0 > times->near || t1 > times->reach || t0 == 0) {
		stray_add_slowly(times, t0, t1, n, offset);
		return;
	}
	p->n += n;
	if (t1 > p->last) {
		p->last = t1;
		times->near = t1 + STRAY_NEAR;
	}
}

/* Note that the recording began at t; of several times the first one counts. */
void stray_add_start(struct stray_times *times, int64_t t);

/* Count what was counted in `from` as samples, `by` later. */
void stray_take_samples(struct stray_times *times, const struct stray_times *from, int64_t by);

/* Apply the rules. False: nothing is stray. */
bool stray_find(const struct stray_times *times, struct stray_found *out);

/* The same for the n sorted times of one lane, n > 0: the others are [*first, *end). */
void stray_of_lane(const int64_t *t, size_t n, size_t *first, size_t *end);

/* ---- builder stray ----
 *
 * Counts when the events and samples of the current input are, and decides when it ends whether
 * some are far from all others (stray.h). stray_drop takes them out. */

/* Leave out all that is stray, before lanes are made of tracks. */
void stray_drop(struct builder *b);

/* Whether a slice of an input that has_kept is kept; then it is cut to what is. */
bool stray_drop_keeps(const struct input *in, enum lane_kind kind, struct raw_slice *slice);

/* Whether a time of an input is kept. */
static inline bool stray_drop_keeps_time(const struct input *in, int64_t t)
{
	return !in->has_kept || (t >= in->kept_t0 && t <= in->kept_t1);
}

/* Prepare for the input that was begun. */
void builder_stray_begin(struct builder *b);

/* Decide what is stray of the current input, if there is one: set its has_kept, and warn. */
void builder_stray_end(struct builder *b);

/* Count the start time of the lane of the current CPU profile and its end time, where these are
 * outside of its samples, the last of which ends at `end`; and its samples, unless only a part is
 * kept. The lane has t0 and t1 and, unless this is a survey, its tree; raw.times, if it is there,
 * and raw.samples are final. */
void builder_stray_lane(struct builder *b, const struct lane *lane, const struct sample_bounds *of,
			int64_t end);

/* Partial loading: let a lane begin and end with its samples where a survey has found that its
 * start or end time is stray. */
void builder_stray_cut_frame(const struct builder *b, struct lane *lane,
			     const struct sample_bounds *of, int64_t end);

/* Count a slice of a track. */
void builder_stray_slice(struct builder *b, enum lane_kind kind, const struct track_slice *s);

#endif
