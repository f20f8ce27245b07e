/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/track_raw.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "model/calltree.h"
#include "model/frame.h"
#include "model/profile.h"
#include "model/slices.h"
#include "model/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== slice arena ====
 *
 * Memory in which a thread makes lanes of one track after another. New memory costs a page fault
 * for each page, which is more than the work on it. */

/* Tracks with more slices have arrays of their own, which shrink while slices are taken. */
#define SLICE_ARENA_MAX ((size_t)131072)

void slice_arena_done(struct slice_arena *room)
{
	free(room->slices);
	free(room->spare);
	free(room->more);
	free(room->t);
	free(room->leaf);
	free(room->shared);
	*room = (struct slice_arena){ 0 };
}

/* Replace an array that is too small. What is in it is not needed. */
static void *array_of(void *p, size_t *cap, size_t n, size_t size)
{
	if (n <= *cap)
		return p;
	free(p);
	*cap = n;
	return xmalloc(n * size);
}

struct raw_slice *slice_arena_spare(struct slice_arena *r, size_t n)
{
	return r->spare = array_of(r->spare, &r->cap_spare, n, sizeof *r->spare);
}

/* ==== slice pack ====
 *
 * Slices that follow each other are near each other in time and in the file. So a slice is stored
 * as its distance from the slice before it, in words of 64 bits with two numbers each:
 *
 *     number of the frame, HAS_MORE     t1 - t0
 *     t0, distance                      where, distance
 *     end_offset, distance; 0: none     group                (only with HAS_MORE)
 *
 * A slice with a number that does not fit is stored as a word WIDE and a struct wide. */

#define CHUNK_WORDS ((size_t)32 << 10) /* freed, they go back to the system at once */
#define FIRST_WORDS ((size_t)16)
#define HAS_MORE 1u
#define WIDE UINT32_MAX

struct pack_chunk {
	uint64_t *words;
	size_t cap, used; /* used: not of the last chunk */
};

struct wide {
	struct raw_slice slice;
	struct raw_more more;
	bool has_more;
};

#define WIDE_WORDS (1 + sizeof(struct wide) / sizeof(uint64_t))

static void slice_pack_done(struct slice_pack *pack)
{
	for (size_t i = 0; i < pack->n_chunks; i++)
		free(pack->chunks[i].words);
	free(pack->chunks);
	*pack = (struct slice_pack){ 0 };
}

/* Make room for a slice. Few slices have one chunk, which grows. */
static void grow(struct slice_pack *pack)
{
	struct pack_chunk *last = pack->n_chunks ? &pack->chunks[pack->n_chunks - 1] : NULL;
	size_t used = last ? (size_t)(pack->p - last->words) : 0;

	if (last && last->cap < CHUNK_WORDS) {
		last->cap *= 2;
		last->words = xrealloc(last->words, last->cap, sizeof *last->words);
	} else {
		if (last)
			last->used = used;
		pack->chunks = xgrow(pack->chunks, &pack->cap_chunks, pack->n_chunks + 1,
				     sizeof *pack->chunks);
		last = &pack->chunks[pack->n_chunks++];
		last->cap = pack->n_chunks > 1 ? CHUNK_WORDS : FIRST_WORDS;
		last->words = xmalloc(last->cap * sizeof *last->words);
		used = 0;
	}
	pack->p = last->words + used;
	pack->end = last->words + last->cap;
}

/* Variants have the highest bit and small numbers: that bit becomes the lowest one. */
static uint64_t number_of_frame(frame_id frame)
{
	return (uint32_t)(frame << 1 | frame >> 31);
}

static frame_id frame_of_number(uint32_t number)
{
	return number >> 1 | number << 31;
}

/* Distances may overflow. */
static int64_t moved(int64_t from, uint64_t distance)
{
	return (int64_t)((uint64_t)from + distance);
}

static bool fits(uint64_t distance)
{
	return (int64_t)distance == (int32_t)distance;
}

/* The end as a distance from the offset of the slice; 0: it has none. *fits: cleared if it has no
 * room. */
static uint32_t end_of(int64_t end, int64_t where, bool *fits)
{
	int64_t offset = where >> SLICE_FLAG_BITS;

	if (end < 0) {
		*fits &= end == -1;
		return 0;
	}
	*fits &= end > offset && offset >= 0 && end - offset <= UINT32_MAX;
	return (uint32_t)((uint64_t)end - (uint64_t)offset);
}

/* Not inline: then slice_pack_add() needs no memory for it. */
static __attribute__((noinline)) void add_wide(struct slice_pack *pack,
					       const struct raw_slice *slice, bool has_more,
					       struct raw_more more)
{
	struct wide wide;

	memset(&wide, 0, sizeof wide);
	wide.slice = *slice;
	wide.more = more;
	wide.has_more = has_more;
	*pack->p = WIDE;
	memcpy(pack->p + 1, &wide, sizeof wide);
	pack->p += WIDE_WORDS;
}

/* Add a slice with any values. slice->more is not used; has_more: whether the slice has `more`. */
static void slice_pack_add(struct slice_pack *pack, const struct raw_slice *slice, bool has_more,
			   struct raw_more more)
{
	uint64_t t0 = (uint64_t)slice->t0 - pack->t0,
		 length = (uint64_t)slice->t1 - (uint64_t)slice->t0,
		 where = (uint64_t)slice->where - pack->where,
		 frame = number_of_frame(slice->frame) << 1 | has_more;
	bool is_narrow = fits(t0) && fits(where) && length <= UINT32_MAX && frame < WIDE;
	uint32_t end = has_more ? end_of(more.end_offset, slice->where, &is_narrow) : 0;

	if ((size_t)(pack->end - pack->p) < WIDE_WORDS)
		grow(pack);
	pack->t0 = (uint64_t)slice->t0;
	pack->where = (uint64_t)slice->where;
	if (!is_narrow) {
		add_wide(pack, slice, has_more, more);
		return;
	}
	*pack->p++ = frame | length << 32;
	*pack->p++ = (uint32_t)t0 | where << 32;
	if (has_more)
		*pack->p++ = end | (uint64_t)more.group << 32;
}

static const uint64_t *take_wide(const uint64_t *p, struct raw_slice *slice, struct raw_more *more)
{
	struct wide wide;

	memcpy(&wide, p + 1, sizeof wide);
	*slice = wide.slice;
	slice->more = wide.has_more;
	if (wide.has_more)
		*more = wide.more;
	return p + WIDE_WORDS;
}

/* Read a slice that comes after *slice, and pass it. slice->more: whether it has one. */
static const uint64_t *take_slice(const uint64_t *p, struct raw_slice *slice, struct raw_more *more)
{
	uint32_t frame = (uint32_t)p[0], end;

	if (frame == WIDE)
		return take_wide(p, slice, more);
	slice->t0 = moved(slice->t0, (uint64_t)(int32_t)p[1]);
	slice->t1 = moved(slice->t0, p[0] >> 32);
	slice->where = moved(slice->where, (uint64_t)(int32_t)(p[1] >> 32));
	slice->frame = frame_of_number(frame >> 1);
	slice->more = frame & HAS_MORE;
	if (!slice->more)
		return p + 2;
	end = (uint32_t)p[2];
	*more = (struct raw_more){ end ? (slice->where >> SLICE_FLAG_BITS) + end : -1,
				   (uint32_t)(p[2] >> 32) };
	return p + 3;
}

/* Write all slices to an array, and those that have it to `more`, both in the order in which they
 * were added. The list is freed meanwhile. */
static void slice_pack_take(struct slice_pack *pack, struct raw_slice *slices,
			    struct raw_more *more)
{
	struct raw_slice slice = { 0 };
	uint32_t n_more = 0;

	for (size_t i = 0; i < pack->n_chunks; i++) {
		struct pack_chunk *chunk = &pack->chunks[i];
		const uint64_t *p = chunk->words,
			       *end = i + 1 < pack->n_chunks ? p + chunk->used : pack->p;

		while (p < end) {
			p = take_slice(p, &slice, more);
			*slices = slice;
			if (slice.more) {
				slices->more = ++n_more;
				more++;
			}
			slices++;
		}
		free(chunk->words);
		chunk->words = NULL;
	}
	slice_pack_done(pack);
}

/* ==== track raw ==== */

void track_raw_done(struct tracks *tracks)
{
	for (uint32_t i = 0; i < tracks->n; i++) {
		track_raw_free_slices(&tracks->tracks[i]);
		free(tracks->tracks[i].covers);
	}
	for (uint32_t i = 0; i < tracks->n_counters; i++) {
		for (uint32_t k = 0; k < tracks->counters[i].n_series; k++) {
			free(tracks->counters[i].series[k].t);
			free(tracks->counters[i].series[k].value);
		}
		free(tracks->counters[i].series);
	}
	free(tracks->variants.list);
	hash_table_done(&tracks->event_cats);
	free(tracks->tracks);
	free(tracks->counters);
	free(tracks->flows);
	free(tracks->left_flows);
	free(tracks->names.list);
	hash_table_done(&tracks->names.index);
	*tracks = (struct tracks){ 0 };
}

void track_raw_add(struct raw_track *t, const struct raw_slice *slice, int64_t end_offset,
		   uint32_t group)
{
	bool has_more = end_offset >= 0 || lane_kind_has_groups(t->kind) || t->has_layers ||
		t->is_placed;

	slice_pack_add(&t->pack, slice, has_more, (struct raw_more){ end_offset, group });
	t->n++;
	t->n_more += has_more;
}

void track_raw_unpack(struct raw_track *t)
{
	if (t->slices || t->n == 0)
		return;
	t->is_in_room = t->room && t->n <= SLICE_ARENA_MAX;
	if (t->is_in_room) {
		struct slice_arena *r = t->room;

		t->slices = r->slices = array_of(r->slices, &r->cap_slices, t->n, sizeof *r->slices);
		if (t->n_more)
			t->more = r->more =
				array_of(r->more, &r->cap_more, t->n_more, sizeof *r->more);
	} else {
		t->slices = xmalloc(t->n * sizeof *t->slices);
		if (t->n_more)
			t->more = xmalloc(t->n_more * sizeof *t->more);
	}
	slice_pack_take(&t->pack, t->slices, t->more);
}

void track_raw_free_slices(struct raw_track *t)
{
	slice_pack_done(&t->pack);
	if (!t->is_in_room) {
		free(t->slices);
		free(t->more);
	}
	t->slices = NULL;
	t->more = NULL;
}
