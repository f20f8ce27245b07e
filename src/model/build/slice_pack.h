/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of slices in mostly 16 bytes each, 24 with a raw_more, instead of 32 and 48: the slices of
 * all tracks are kept until the end of the file, but only a few tracks at a time need theirs as an
 * array. */
#ifndef FLAMETTY_BUILD_SLICE_PACK_H
#define FLAMETTY_BUILD_SLICE_PACK_H

#include "model/frame.h"
#include "model/slices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* There may be millions: 32 bytes each, and 16 more in raw_more for those that need it. */
struct raw_slice {
	int64_t t0, t1;
	int64_t where;  /* raw_where() and raw_color() */
	frame_id frame; /* or a variant */
	uint32_t more;  /* index into the track's `more`, + 1; 0: none */
};

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

void slice_pack_done(struct slice_pack *pack);

/* Add a slice with any values. slice->more is not used; has_more: whether the slice has `more`. */
void slice_pack_add(struct slice_pack *pack, const struct raw_slice *slice, bool has_more,
		    struct raw_more more);

/* Write all slices to an array, and those that have it to `more`, both in the order in which they
 * were added. The list is freed meanwhile. */
void slice_pack_take(struct slice_pack *pack, struct raw_slice *slices, struct raw_more *more);

#endif
