/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file states about the slices of a lane: where their events are, and their oddities. As
 * there may be hundreds of millions, they are packed: 5 bytes each, 9 more if the end is an event
 * of its own, and 1 more if the lane has slices with a colour. Owned by the lane. */
#ifndef FLAMETTY_MODEL_SLICES_H
#define FLAMETTY_MODEL_SLICES_H

#include <stddef.h>
#include <stdint.h>

/* Oddities of a slice. */
enum {
	SLICE_UNFINISHED = 1, /* still open where the recording or its parent ended */
	SLICE_CUT = 2,        /* closed by the end of a slice that encloses it */
	SLICE_OVERLAPS = 4,   /* begins inside a slice that it outlasts */
	/* On LANE_OBJECTS, where nothing overlaps: the file does not say when it was created. */
	SLICE_NOT_CREATED = 4
};

/* The offset of an event, and SLICE_* flags, in 64 bits. */
#define SLICE_FLAG_BITS 3
#define SLICE_FLAGS ((1 << SLICE_FLAG_BITS) - 1)
#define SLICE_WHERE(offset, flags)                                                                 \
	((int64_t)((uint64_t)(offset) << SLICE_FLAG_BITS | ((flags)&SLICE_FLAGS)))

/* An array of such values in 40 bits each, with the sign of the offset. */
struct places {
	uint32_t *low;
	int8_t *high;
	size_t cap;
};

/* Larger offsets, from 64 GiB on, are not stored. */
#define SLICE_OFFSET_END (INT64_C(1) << 36)

/* Slices in the order in which they open, outer first. Slices that open with the same sample of the
 * lane are adjacent, each one row deeper. Their number is known from the samples: it is the number
 * of rows that the sample does not share with the previous one. slice_of_span() counts them. */
struct slices {
	size_t n;
	struct places where;
	uint32_t *before;   /* before[j]: number of slices that open before sample j * SLICES_FAN */
	uint32_t *ended;    /* slices whose end is an event of its own, ascending */
	struct places ends; /* the offsets of these ends */
	size_t n_ends, cap_ended;
	uint8_t *color; /* by slice: its reserved colour (frame.h); from n_colors on: none */
	size_t n_colors, cap_colors;
};

#define SLICES_FAN 64u

/* Add a slice. where: SLICE_WHERE(); offset -1: none. end_offset: -1: the end is not an event of
 * its own. step: the arrays grow by at most this many slices at a time. */
void slices_add(struct slices *s, int64_t where, int64_t end_offset, size_t step);

/* Set the reserved colour of the slice that was added last; 0: it has none. */
void slices_set_color(struct slices *s, unsigned color);
static inline void slices_color(struct slices *s, unsigned color)
{
	if (color)
		slices_set_color(s, color);
}

/* Free the room that is not used; no slices follow. */
void slices_trim(struct slices *s);
void slices_done(struct slices *s);

/* Byte in the uncompressed file where the event of slice k begins; byte where the event of its end
 * begins; -1: none. */
int64_t slice_offset(const struct slices *s, size_t k);
int64_t slice_end_offset(const struct slices *s, size_t k);

/* The SLICE_* flags of slice k. */
unsigned slice_flags(const struct slices *s, size_t k);

/* The reserved colour of slice k; 0: none. */
static inline unsigned slice_color(const struct slices *s, size_t k)
{
	return k < s->n_colors ? s->color[k] : 0;
}

/* The new capacity of a full array: larger by half, but at most by about `most`. */
static inline size_t slices_larger(size_t cap, size_t most)
{
	return cap + (cap / 2 < most ? cap / 2 : most) + 16;
}

#endif
