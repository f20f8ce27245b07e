/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collected trace data (slices, counters, flows, names) before lanes are built. track_builder.c
 * fills it; track_lanes.c makes lanes of it. */
#ifndef FLAMETTY_BUILD_TRACK_RAW_H
#define FLAMETTY_BUILD_TRACK_RAW_H

#include "build/track_names.h"
#include "model/profile.h"

/* There may be millions: 32 bytes each, and 16 more in raw_more for the few that need it. */
struct raw_slice {
	int64_t t0, t1;
	int64_t where;  /* raw_where() and raw_color() */
	frame_id frame; /* or a variant */
	uint32_t more;  /* index into the track's `more`, + 1; 0: none */
};

/* SLICE_WHERE() has far fewer bits than 64; below the sign, `where` has the reserved colour as
 * well. It is flipped if the sign is set, so that SLICE_WHERE() alone means no colour. */
#define RAW_COLOR_BIT 57
#define RAW_COLORS ((UINT64_C(1) << (63 - RAW_COLOR_BIT)) - 1)

static inline int64_t raw_where_with(int64_t where, unsigned color)
{
	return (int64_t)((uint64_t)where ^ (uint64_t)color << RAW_COLOR_BIT);
}

static inline unsigned raw_color(const struct raw_slice *s)
{
	return (unsigned)(((uint64_t)s->where >> RAW_COLOR_BIT ^ (s->where < 0 ? RAW_COLORS : 0)) &
			  RAW_COLORS);
}

/* SLICE_WHERE() of offset and flags. */
static inline int64_t raw_where(const struct raw_slice *s)
{
	return raw_where_with(s->where, raw_color(s));
}

struct raw_more {
	int64_t end_offset; /* -1: the end is not an event of its own */
	uint32_t group;
};

/* A frame with an event category other than its own. In raw slices it stands in place of the frame,
 * as RAW_VARIANT and its index. */
struct raw_variant {
	frame_id frame;
	event_cat cat;
};

#define RAW_VARIANT 0x80000000u

struct raw_variants {
	struct raw_variant *list;
	uint32_t n;
	size_t cap;
	const struct frame_table *frames; /* of the profile */
};

struct track_filter;

struct raw_track {
	enum lane_kind kind;
	int64_t pid, tid;
	uint32_t input;
	str_id title;
	struct raw_slice *slices;
	size_t n, cap;
	struct raw_more *more;
	size_t n_more, cap_more;
	bool is_across;  /* as in the lane */
	bool has_layers; /* the group of each slice is its layer; else layers follow from times */
	const struct raw_variants *variants; /* set before its lanes are made */
	struct track_filter *filter;         /* slices go there first; NULL: all are kept */
};

struct raw_series {
	str_id name;
	int64_t *t;
	double *value;
	size_t n, cap;
};

struct raw_counter {
	int64_t pid;
	uint32_t input;
	str_id name;
	struct raw_series *series;
	uint32_t n_series;
	size_t cap_series;
};

struct raw_flow {
	uint64_t flow;
	int64_t pid, tid, t;
	enum flow_kind kind;
	bool is_next;
	uint32_t input;
};

struct tracks {
	struct raw_track *tracks;
	uint32_t n;
	size_t cap;
	struct raw_counter *counters;
	uint32_t n_counters;
	size_t cap_counters;
	struct raw_flow *flows;
	size_t n_flows, cap_flows;
	uint64_t
		*left_flows; /* flow numbers of points that were not kept: all flows are numbered */
	size_t n_left_flows, cap_left_flows;
	struct track_names names;
	struct raw_variants variants;
	struct hash_table event_cats; /* of the profile, by text */
	size_t cap_event_cats;
	size_t cap_stack_frames;
	bool has_window;
	int64_t window_t0, window_t1; /* of the file's clock */
};

/* The order of slices that nest: by start, longer first. Of two with the same times, the one that
 * stands first in the file is the outer one, on a thread; elsewhere (is_thread false) slices keep
 * the order in which they were passed. */
static inline bool raw_is_before(const struct raw_slice *a, const struct raw_slice *b,
				 bool is_thread)
{
	if (a->t0 != b->t0)
		return a->t0 < b->t0;
	if (a->t1 != b->t1)
		return a->t1 > b->t1;
	return is_thread && raw_where(a) >> SLICE_FLAG_BITS < raw_where(b) >> SLICE_FLAG_BITS;
}

static inline uint32_t raw_group(const struct raw_track *track, const struct raw_slice *slice)
{
	return slice->more ? track->more[slice->more - 1].group : 0;
}

void track_raw_done(struct tracks *tracks);

/* Parts of track_raw_add(): make room for another slice; set `more` of the last slice. */
void track_raw_grow(struct raw_track *track);
void track_raw_add_more(struct raw_track *track, int64_t end_offset, uint32_t group);

/* Keep a slice. Inline: it runs once for each slice of a trace. */
static inline void track_raw_add(struct raw_track *t, const struct raw_slice *slice,
				 int64_t end_offset, uint32_t group)
{
	if (t->n >= t->cap)
		track_raw_grow(t);
	t->slices[t->n++] = *slice;
	if (end_offset >= 0 || lane_kind_has_groups(t->kind) || t->has_layers)
		track_raw_add_more(t, end_offset, group);
}

#endif
