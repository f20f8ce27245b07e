/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of slices in mostly 16 bytes each, 24 with a raw_more, instead of 32 and 48: the slices of
 * all tracks are kept until the end of the file, but only a few tracks at a time need theirs as an
 * array. */
#ifndef FLAMETTY_BUILD_SLICE_PACK_H
#define FLAMETTY_BUILD_SLICE_PACK_H

#include "model/build/raw_slice.h"

#include <stddef.h>
#include <stdint.h>

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
