/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collected trace data (slices, counters, flows, names) before lanes are built: track_builder.c
 * fills it. Then the slices of a track are sorted, and put onto layers. */
#ifndef FLAMETTY_MODEL_BUILD_TRACK_RAW_H
#define FLAMETTY_MODEL_BUILD_TRACK_RAW_H

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/units.h"
#include "model/calltree.h"
#include "model/frame.h"
#include "model/profile.h"
#include "model/slices.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- slice arena ----
 *
 * Memory in which a thread makes lanes of one track after another. */

/* A zeroed struct is empty. */
struct slice_arena {
	struct raw_slice *slices, *spare;
	struct raw_more *more;
	size_t cap_slices, cap_spare, cap_more;
	/* Samples of a layer. */
	int64_t *t;
	node_id *leaf;
	uint16_t *shared;
	size_t cap_samples;
};

static inline void slice_arena_done(struct slice_arena *room)
{
	free(room->slices);
	free(room->spare);
	free(room->more);
	free(room->t);
	free(room->leaf);
	free(room->shared);
	*room = (struct slice_arena){ 0 };
}

/* ---- slice pack ----
 *
 * A list of slices in mostly 16 bytes each, 24 with a raw_more, instead of 32 and 48: the slices of
 * all tracks are kept until the end of the file, but only a few tracks at a time need theirs as an
 * array. */

/* There may be millions: 32 bytes each, and 16 more in raw_more for those that need it. */
struct raw_slice {
	int64_t t0, t1;
	int64_t where;  /* raw_where() and raw_color() */
	frame_id frame; /* or a variant */
	uint32_t more;  /* index into the track's `more`, + 1; 0: none; or RAW_GROUP and a group,
			   which is all that it would have there */
};

#define RAW_GROUP UINT32_C(0x80000000)

struct raw_more {
	int64_t end_offset; /* -1: the end is not an event of its own */
	uint32_t group;
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

/* A zeroed struct is empty. */
struct slice_pack {
	struct pack_chunk *chunks;
	size_t n_chunks, cap_chunks;
	uint64_t *p, *end;  /* the room in the last chunk */
	uint64_t t0, where; /* of the slice that was added last */
};

/* A thread, or a process (tid LANE_NO_ID), that was named or sorted. */
struct track_name {
	int64_t pid, tid;
	uint32_t of;  /* the input; after lane_order() the group of lanes */
	str_id name;  /* 0: none */
	str_id title; /* of a thread: stands for its name in the names of lanes; 0: none */
	str_id page;
	enum page_order page_order; /* of a process: track_builder_page_order(); 0: no page */
	uint8_t page_rank;
	int64_t page_tid;
	int64_t sort; /* sort index; lower first */
	int rank;     /* among equal sort indices; 0: main thread; has_sort: both are stated */
	bool has_sort, has_lane;
};

struct thread_names {
	struct track_name *list;
	size_t n, cap;
	struct hash_table index; /* by pid, tid and `of` */
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
struct track_cover;

/* The row of the lane that the slice of an event belongs to. */
struct raw_row {
	int64_t offset; /* of the event in the file */
	str_id name;    /* of the row: a route, or a host */
	uint32_t number;
};

struct raw_track {
	enum lane_kind kind;
	int64_t pid, tid;
	uint32_t input;
	str_id title;
	size_t n, n_more;
	struct slice_pack pack;   /* the slices, until track_raw_unpack() */
	struct raw_slice *slices; /* after it; so `more` */
	struct raw_more *more;
	struct slice_arena *room; /* of the thread that makes its lanes; NULL: none */
	bool is_in_room;          /* `slices` and `more` are */
	bool is_across;           /* as in the lane; */
	enum lane_served served;  /* the same */
	struct raw_row *rows;     /* of a track that serves: by offset */
	size_t n_rows;
	bool is_placed;  /* track_builder_placed() */
	bool has_layers; /* the group of each slice is its layer; else layers follow from times */
	struct track_cover *covers;
	size_t n_covers, cap_covers;
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
	int64_t last; /* the time of the last value that came, if there are any */
	bool is_bytes;
};

/* A point of a flow at t on a thread. It belongs to the innermost slice there that encloses t, or,
 * with is_next, to the first one that begins at or after t. */
struct track_flow {
	uint64_t flow; /* a number of the caller's choice */
	int64_t pid, tid, t;
	enum flow_kind kind;
	bool is_next;
	frame_id initiator; /* of a start: what it did and where; FRAME_NONE: not stated */
	uint32_t input;     /* set by the builder */
	frame_id event; /* of an end: the name of its slice, which begins at t; FRAME_NONE: any */
};

struct tracks {
	struct raw_track *tracks;
	uint32_t n;
	size_t cap;
	struct raw_counter *counters;
	uint32_t n_counters;
	size_t cap_counters;
	struct track_flow *flows;
	size_t n_flows, cap_flows;
	uint64_t
		*left_flows; /* flow numbers of points that were not kept: all flows are numbered */
	size_t n_left_flows, cap_left_flows;
	struct thread_names names;
	struct raw_variants variants;
	struct hash_table event_cats; /* of the profile, by text */
	size_t cap_event_cats;
	size_t cap_stack_frames, cap_requests;
	size_t cap_milestones, cap_loads; /* of the profile */
	bool has_window;
	int64_t window_t0, window_t1; /* of the file's clock */
};

static inline uint32_t raw_group(const struct raw_track *track, const struct raw_slice *slice)
{
	return slice->more & RAW_GROUP ? slice->more & ~RAW_GROUP
		: slice->more          ? track->more[slice->more - 1].group
				       : 0;
}

void track_raw_done(struct tracks *tracks);

/* Keep a slice; slice->more is not used. */
void track_raw_add(struct raw_track *track, const struct raw_slice *slice, int64_t end_offset,
		   uint32_t group);

/* Store the slices as an array, in the order in which they were added, unless they are in one. No
 * more can be added. */
void track_raw_unpack(struct raw_track *track);

/* Free the slices. */
void track_raw_free_slices(struct raw_track *track);

/* ---- slice order ---- */

/* The time that the slices of one group take, and the row of the first one; zeroed: none. */
struct slice_group {
	int64_t t0, t1;
	struct raw_row row;
};

/* Sort the slices of a track; the one that opens first comes last. */
void slice_order(struct raw_track *track);

/* The same for a track of groups: the slices of one group follow each other. Groups are sorted by
 * start and get new numbers in this order. Returns them by number, to be freed by the caller. */
struct slice_group *slice_order_groups(struct raw_track *track);

/* ---- slice stacks ---- */

/* Layers of a thread. When all exist, slices that would need another one go onto a layer that is
 * free, on other rows than theirs, or are cut if none is. */
#define SLICE_STACKS_MAX 512

/* Writers round start and length of a slice separately; an overlap up to this is none. */
#define SLICE_STACKS_OVERSHOOT_NS NS_PER_US

struct slice_layer {
	int first_row; /* of the thread */
	int n_rows;
	int64_t until; /* the end of what ends last, as the file states it */
};

struct slice_open {
	int64_t t1;  /* cut where the slice around it on its layer ends */
	int64_t end; /* as the file states it */
	int row;     /* of the thread */
	int depth;   /* of the layer */
	uint32_t layer;
	node_id node;  /* of the layer; for the caller */
	uint32_t link; /* of the outermost slice around it on its layer; for the caller */
};

/* A zeroed struct is empty. */
struct slice_stacks {
	/* The slices that are open, in the order of their rows. Those below the last one may have
	 * ended. */
	struct slice_open *open;
	size_t n, cap;
	struct slice_layer *layers;
	size_t n_layers, cap_layers;
	uint32_t *at_row; /* by row: the layer that begins there, + 1 */
	size_t n_at_row;
	int n_rows; /* of all slices */
	uint64_t n_overlaps;
	int64_t first_overlap; /* offset */
};

static inline void slice_stacks_done(struct slice_stacks *s)
{
	free(s->open);
	free(s->layers);
	free(s->at_row);
	*s = (struct slice_stacks){ 0 };
}

/* Close what ends by t on top of the stack: then the last one is the deepest open slice. */
static inline void slice_stacks_close(struct slice_stacks *s, int64_t t)
{
	while (s->n && s->open[s->n - 1].end <= t)
		s->n--;
}

/* Open a slice on a layer, below all that is open. t1: where it is cut. */
static inline struct slice_open *slice_stacks_push(struct slice_stacks *s,
						   const struct slice_open *slice)
{
	if (s->n >= s->cap)
		s->open = xgrow(s->open, &s->cap, s->n + 1, sizeof *s->open);
	assert(s->open);
	s->open[s->n] = *slice;
	return &s->open[s->n++];
}

/* Put the next slice, in the order of slice_order(). Returns it as an open slice, valid until the
 * next call. A slice that overlaps gets the flag SLICE_OVERLAPS. */
struct slice_open *slice_stacks_put(struct slice_stacks *stacks, struct raw_slice *slice);

#endif
