/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file says of the slices of a lane: where their events are, and what is odd about them.
 * There may be hundreds of millions, so that is packed: 5 bytes each, and 9 more for an end that is
 * an event of its own. They belong to the lane. */
#ifndef FLAMETTY_MODEL_SLICES_H
#define FLAMETTY_MODEL_SLICES_H

#include <stddef.h>
#include <stdint.h>

/* What is odd about a slice. */
enum {
	SLICE_UNFINISHED = 1, /* still open where the recording or its parent ended */
	SLICE_CUT = 2,        /* closed by the end of a slice around it */
	SLICE_OVERLAPS = 4    /* begins inside a slice that it outlasts */
};

/* An offset with flags in 64 bits. */
#define SLICE_FLAG_BITS 3
#define SLICE_FLAGS ((1 << SLICE_FLAG_BITS) - 1)
#define SLICE_WHERE(offset, flags)                                                                 \
	((int64_t)((uint64_t)(offset) << SLICE_FLAG_BITS | ((flags)&SLICE_FLAGS)))

/* The same in 40 bits, with their sign. */
struct places {
	uint32_t *low;
	int8_t *high;
	size_t cap;
};

/* Offsets from here on, 64 GiB, are not kept. */
#define SLICE_OFFSET_END (INT64_C(1) << 36)

/* Slices in the order in which they open, outer first; those that open with the same sample of the
 * lane follow each other, one row deeper each. Which these are the samples know: as many as there
 * are rows that the sample does not share with the one before. slice_of_span() counts them. */
struct slices {
	size_t n;
	struct places where;
	uint32_t *before;   /* before[j]: slices that open before sample j * SLICES_FAN */
	uint32_t *ended;    /* those whose end is an event of its own, ascending */
	struct places ends; /* of these */
	size_t n_ends, cap_ended;
};

#define SLICES_FAN 64u

/* One more slice. where: SLICE_WHERE(), offset -1: none. end_offset: -1: its end is no event of its
 * own. step: so many slices there is room for then, at most, that are not there. */
void slices_add(struct slices *s, int64_t where, int64_t end_offset, size_t step);

/* No more will come. */
void slices_trim(struct slices *s);
void slices_done(struct slices *s);

/* Byte in the uncompressed file where the event of slice k begins, and where that of its end does;
 * -1: none. */
int64_t slice_offset(const struct slices *s, size_t k);
int64_t slice_end_offset(const struct slices *s, size_t k);

/* SLICE_* of slice k. */
unsigned slice_flags(const struct slices *s, size_t k);

/* An array that is full grows to that many items: by half, by `most` at most. */
static inline size_t slices_larger(size_t cap, size_t most)
{
	return cap + (cap / 2 < most ? cap / 2 : most) + 16;
}

#endif
