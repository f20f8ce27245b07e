/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace states, as its reader passed it on: slices, counters, flows, names.
 * Private to the builder: tracks.c collects, slice_lane.c makes lanes of slices,
 * flow.c binds flows to them, lane_order.c names and sorts the lanes. */
#ifndef FLAMETTY_BUILD_TRACKS_H
#define FLAMETTY_BUILD_TRACKS_H

#include "base/hash_table.h"
#include "base/units.h"
#include "build/builder.h"

/* There may be millions: 32 bytes each, and 16 more for what most of them have not. */
struct raw_slice {
	int64_t t0, t1;
	int64_t where; /* SLICE_WHERE() of offset and flags */
	frame_id frame;
	uint32_t more; /* index into the track's `more`, + 1; 0: it has none */
};

struct raw_more {
	int64_t end_offset; /* -1: its end is no event of its own */
	uint32_t group;
};

#define SLICE_LAYERS_MOST 512 /* more at one time are cut to fit into the last */
/* Writers round start and length of a slice separately; an overlap up to this is cut. */
#define SLICE_OVERSHOOT_NS NS_PER_US

struct slice_place;

struct raw_track {
	enum lane_kind kind;
	int64_t pid, tid;
	uint32_t input;
	str_id title;
	struct raw_slice *slices;
	size_t n, cap;
	struct raw_more *more;
	size_t n_more, cap_more;
	bool is_partial; /* not all slices are kept: */
	bool is_wanted;
	int64_t wanted_t0, wanted_t1; /* those that touch this are, both ends included */
	struct time_survey *survey;   /* in a survey */
	size_t n_passed;              /* slices of all, kept or not */
	int64_t first, last;          /* begin and end of all */
	struct slice_place *place; /* where slices stand, as far as they come in order; the group of
				      those kept is their layer; NULL: not known */
	bool has_next;             /* the first slice that begins later: flows may lead there */
	struct raw_slice next;
	int64_t next_end; /* offset of its end, -1 none */
	bool has_mark;    /* the last mark before: the first of a lane is not drawn where a stretch
			     begins with it */
	struct raw_slice mark;
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

/* Slices and samples of one input that were not kept. */
struct left_out {
	uint64_t n_slices, of_slices, n_samples, of_samples;
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
	uint64_t *left_flows; /* flows that points were not kept of: all are numbered */
	size_t n_left_flows, cap_left_flows;
	struct raw_name *names;
	size_t n_names, cap_names;
	struct hash_table name_index; /* by pid and tid */
	size_t cap_stack_frames;
	bool is_empty_ok;
	bool has_window;
	int64_t window_t0, window_t1;
	str_id cpu_title; /* for the CPU profile that ends next */
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
	int64_t first_overlap; /* offset */
	uint32_t n_too_deep;
};

/* What slices of LANE_ASYNC have that belong together. */
struct group {
	int64_t t0, t1;
};

/* Put the slices of a track in order, the one that opens first last (slice_order.c). */
void slice_order(struct raw_track *track);

/* The same for a track of groups: slices of one group follow each other, in order; groups in the
 * order of their starts, by which they are numbered from now on. Returns the groups by number, to
 * be freed by the caller. */
struct group *slice_order_groups(struct raw_track *track);

/* The order of slices that nest: by start, longer first. Of two with the same times the one written
 * first is the outer, on a thread; elsewhere (is_thread false) readers know the order. */
static inline bool raw_is_before(const struct raw_slice *a, const struct raw_slice *b,
				 bool is_thread)
{
	if (a->t0 != b->t0)
		return a->t0 < b->t0;
	if (a->t1 != b->t1)
		return a->t1 > b->t1;
	return is_thread && a->where >> SLICE_FLAG_BITS < b->where >> SLICE_FLAG_BITS;
}

/* Whether a slice until t1 that begins in one until `around`, which is sooner, overlaps it; else it
 * is cut there: what goes beyond by a rounding error, and what would need a layer more than there
 * are. n_layers: those with something open. */
static inline bool raw_overlaps(int64_t t1, int64_t around, size_t n_layers)
{
	return t1 - around > SLICE_OVERSHOOT_NS && n_layers != SLICE_LAYERS_MOST;
}

static inline uint32_t raw_group(const struct raw_track *track, const struct raw_slice *slice)
{
	return slice->more ? track->more[slice->more - 1].group : 0;
}

/* Make the lanes of a track, and free what it collected (slice_lane.c). It touches nothing else:
 * tracks may be made on several threads. */
void slice_lanes_make(struct raw_track *track, struct slice_lanes *out);

/* Keep a slice. */
void track_add(struct raw_track *track, const struct raw_slice *slice, int64_t end_offset,
	       uint32_t group);

/* For a track of which not all is kept (tracks_part.c): how much is, when it is made; whether a
 * slice is kept; what is kept besides, when all have passed; and what becomes of its lanes then. */
void track_begin_part(struct builder *b, struct raw_track *track, uint32_t number);
bool track_keeps(struct raw_track *track, const struct raw_slice *slice, int64_t end_offset);
void track_end_part(struct raw_track *track);
void track_add_lanes(struct builder *b, struct raw_track *track, struct slice_lanes *made);

/* Whether a point of a flow is kept; else it is only counted. */
bool track_keeps_flow(struct builder *b, uint64_t flow, int64_t t);

/* Say of each input what was left out of it. */
void tracks_tell_part(struct builder *b);

/* Names for lanes, and the order of lanes: sets their ids. */
void lane_order(struct builder *b);

/* Bind flows to slices, once all times are those of the profile. */
void flows_build(struct builder *b);

/* What was said of a process (tid -1) or thread; NULL: nothing. */
const struct raw_name *tracks_name(const struct tracks *tracks, int64_t pid, int64_t tid);

/* A warning about an input that is not the current one. */
void builder_warn_input(struct builder *b, uint32_t input, enum warn kind, const char *detail);

/* A lane with the facts that all kinds have. */
struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid,
			  int64_t tid);

#endif
