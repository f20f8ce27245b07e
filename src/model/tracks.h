/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace states, as its reader passed it on: slices, counters, flows, names.
 * Private to the builder: tracks.c collects, slice_lane.c makes lanes of slices,
 * flow.c binds flows to them, lane_order.c names and sorts the lanes. */
#ifndef FLAMETTY_MODEL_TRACKS_H
#define FLAMETTY_MODEL_TRACKS_H

#include "model/builder.h"

/* There may be millions: 32 bytes each, and 16 more for what most of them have not. */
struct raw_slice {
	int64_t t0, t1;
	int64_t where;          /* SLICE_WHERE() of offset and flags */
	frame_id frame;
	uint32_t more;          /* index into the track's `more`, + 1; 0: it has none */
};

struct raw_more {
	int64_t end_offset;     /* -1: its end is no event of its own */
	uint32_t group;
};

struct raw_track {
	enum lane_kind kind;
	int64_t pid, tid;
	uint32_t input;
	str_id title;
	struct raw_slice *slices;
	size_t n, cap;
	struct raw_more *more;
	size_t n_more, cap_more;
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
	int kind;
	bool is_next;
	uint32_t input;
};

/* A process (tid -1) or a thread that was named or sorted. */
struct raw_name {
	int64_t pid, tid;
	str_id name;
	int64_t sort;
	int rank;
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
	struct raw_name *names;
	size_t n_names, cap_names;
	uint32_t *name_slots;       /* by hash of pid and tid: index + 1 */
	size_t n_name_slots;
	size_t cap_stack_frames;
	bool is_empty_ok;
	bool has_window;
	int64_t window_t0, window_t1;
	str_id cpu_title;           /* for the CPU profile that ends next */
	bool is_cpu_folded;
};

void tracks_done(struct tracks *tracks);

/* Make lanes of all tracks and counters, with absolute times in t0, t1 and times of spans that
 * count from t0, as cpu_lane.c does. Frees what it used. */
void tracks_build(struct builder *b);

/* What became of one track: its lanes, without a place among others, and what was odd. */
struct slice_lanes {
	struct lane *lanes;
	size_t n;
	uint64_t n_overlaps;
	int64_t first_overlap;  /* offset */
	uint32_t n_too_deep;
};

/* What slices of LANE_ASYNC have that belong together. */
struct group {
	int64_t t0, t1;
};

/* Put the slices of a track in order, the one that opens first last (slice_order.c). */
void slice_order(struct raw_track *track);

/* The same for a track of groups: slices of one group follow each other, in order; groups in the order of their starts,
 * by which they are numbered from now on. Returns the groups by number, to be freed by the caller. */
struct group *slice_order_groups(struct raw_track *track);

static inline uint32_t raw_group(const struct raw_track *track, const struct raw_slice *slice)
{
	return slice->more ? track->more[slice->more - 1].group : 0;
}

/* Make the lanes of a track, and free what it collected (slice_lane.c). It touches nothing else: tracks may be made on
 * several threads. */
void slice_lanes_make(struct raw_track *track, struct slice_lanes *out);

/* Names for lanes, and the order of lanes: sets their ids. */
void lane_order(struct builder *b);

/* Bind flows to slices, once all times are those of the profile. */
void flows_build(struct builder *b);

/* What was said of a process (tid -1) or thread; NULL: nothing. */
const struct raw_name *tracks_name(const struct tracks *tracks, int64_t pid, int64_t tid);

/* A lane with the facts that all kinds have. */
struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid, int64_t tid);

#endif
