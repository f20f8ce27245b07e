/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/slice_room.h"

#include "base/alloc.h"

#include <stdlib.h>

void slice_room_done(struct slice_room *room)
{
	free(room->slices);
	free(room->spare);
	free(room->more);
	free(room->t);
	free(room->leaf);
	free(room->shared);
	*room = (struct slice_room){ 0 };
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

struct raw_slice *slice_room_slices(struct slice_room *r, size_t n)
{
	return r->slices = array_of(r->slices, &r->cap_slices, n, sizeof *r->slices);
}

struct raw_slice *slice_room_spare(struct slice_room *r, size_t n)
{
	return r->spare = array_of(r->spare, &r->cap_spare, n, sizeof *r->spare);
}

struct raw_more *slice_room_more(struct slice_room *r, size_t n)
{
	return r->more = array_of(r->more, &r->cap_more, n, sizeof *r->more);
}

void slice_room_samples(struct slice_room *r, size_t n)
{
	if (n <= r->cap_samples)
		return;
	free(r->t);
	free(r->leaf);
	free(r->shared);
	r->cap_samples = n;
	r->t = xmalloc(n * sizeof *r->t);
	r->leaf = xmalloc(n * sizeof *r->leaf);
	r->shared = xmalloc(n * sizeof *r->shared);
}
