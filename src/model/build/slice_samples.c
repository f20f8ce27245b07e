/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/slice_samples.h"

#include "base/alloc.h"
#include "model/build/slice_pack.h"
#include "model/calltree.h"
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

struct raw_slice *slice_arena_slices(struct slice_arena *r, size_t n)
{
	return r->slices = array_of(r->slices, &r->cap_slices, n, sizeof *r->slices);
}

struct raw_slice *slice_arena_spare(struct slice_arena *r, size_t n)
{
	return r->spare = array_of(r->spare, &r->cap_spare, n, sizeof *r->spare);
}

struct raw_more *slice_arena_more(struct slice_arena *r, size_t n)
{
	return r->more = array_of(r->more, &r->cap_more, n, sizeof *r->more);
}

/* Make room->t, leaf and shared large enough for n items. */
static void slice_arena_samples(struct slice_arena *r, size_t n)
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

/* ==== slice samples ==== */

void slice_samples_done(struct slice_samples *s)
{
	if (!s->is_in_room) {
		free(s->t);
		free(s->leaf);
		free(s->shared);
	}
	*s = (struct slice_samples){ 0 };
}

void slice_samples_use_room(struct slice_samples *s, struct slice_arena *room, size_t n)
{
	slice_arena_samples(room, 2 * n + 2);
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
