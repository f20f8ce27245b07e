/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a lane of slices while its slices are placed; times are absolute. */
#ifndef FLAMETTY_BUILD_SLICE_SAMPLES_H
#define FLAMETTY_BUILD_SLICE_SAMPLES_H

#include "model/build/slice_pack.h"
#include "model/calltree.h"
#include "model/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tracks with more slices have arrays of their own, which shrink while slices are taken. */
#define SLICE_ARENA_MAX ((size_t)131072)

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

void slice_arena_done(struct slice_arena *room);

/* An array of n items with undefined values. It belongs to the room, and is the same one at the
 * next call. */
struct raw_slice *slice_arena_slices(struct slice_arena *room, size_t n);
struct raw_slice *slice_arena_spare(struct slice_arena *room, size_t n);
struct raw_more *slice_arena_more(struct slice_arena *room, size_t n);

/* A zeroed struct is empty. */
struct slice_samples {
	int64_t *t; /* has one time more than samples: the end */
	node_id *leaf;
	uint16_t *shared; /* rows that a sample shares with the next one */
	size_t n, cap;
	bool is_in_room; /* the arrays are */
};

void slice_samples_done(struct slice_samples *samples);

/* Use the room of the thread, which lasts for the samples of n slices: two for each. */
void slice_samples_use_room(struct slice_samples *samples, struct slice_arena *room, size_t n);

/* A part of slice_samples_add(). step: as there. */
void slice_samples_grow(struct slice_samples *samples, size_t step);

/* Add a sample. shared: of the sample before. step: the arrays grow by at most about this many
 * samples at a time. Inline: it runs twice for each slice. */
static inline void slice_samples_add(struct slice_samples *s, int64_t t, node_id leaf,
				     uint16_t shared, size_t step)
{
	if (s->n + 1 >= s->cap)
		slice_samples_grow(s, step);
	if (s->n)
		s->shared[s->n - 1] = shared;
	s->t[s->n] = t;
	s->leaf[s->n] = leaf;
	s->shared[s->n++] = 0;
}

/* Give the samples, which end at t1, to a lane that begins with the first one. n must not be 0. */
void slice_samples_take(struct slice_samples *from, int64_t t1, struct samples *to);

#endif
