/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/slice_samples.h"

#include "base/alloc.h"
#include "model/slices.h"

#include <stdlib.h>
#include <string.h>

void slice_samples_done(struct slice_samples *s)
{
	if (!s->is_in_room) {
		free(s->t);
		free(s->leaf);
		free(s->shared);
	}
	*s = (struct slice_samples){ 0 };
}

void slice_samples_use_room(struct slice_samples *s, struct slice_room *room, size_t n)
{
	slice_room_samples(room, 2 * n + 2);
	*s = (struct slice_samples){
		room->t, room->leaf, room->shared, 0, room->cap_samples, true
	};
}

void slice_samples_grow(struct slice_samples *s, size_t step)
{
	s->cap = slices_larger(s->cap, step);
	s->t = xrealloc(s->t, s->cap, sizeof *s->t);
	s->leaf = xrealloc(s->leaf, s->cap, sizeof *s->leaf);
	s->shared = xrealloc(s->shared, s->cap, sizeof *s->shared);
}

/* An array without spare room; a copy if it is in the room of the thread. */
static void *trimmed(const struct slice_samples *s, void *p, size_t size)
{
	return s->is_in_room ? memcpy(xmalloc(s->n * size), p, s->n * size)
			     : xrealloc(p, s->n, size);
}

void slice_samples_take(struct slice_samples *from, int64_t t1, struct samples *to)
{
	int64_t t0 = from->t[0];

	from->t[from->n] = t1;
	to->n = from->n;
	to->leaf = trimmed(from, from->leaf, sizeof *from->leaf);
	to->shared = trimmed(from, from->shared, sizeof *from->shared);
	if (from->is_in_room)
		times_pack_copy(&to->times, from->t, from->n + 1, t0);
	else
		times_pack(&to->times, from->t, from->n + 1, t0);
	*from = (struct slice_samples){ 0 };
}
