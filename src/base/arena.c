/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A linked list of blocks; only the last one has free space that is used. Blocks double in size up
 * to 1 MiB, so that a small arena stays small and a large one has few blocks. */
#include "config.h"

#include "base/arena.h"

#include "base/alloc.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_MIN ((size_t)128)
#define BLOCK_MAX ((size_t)1 << 20)

struct arena_block {
	struct arena_block *before;
	size_t size;
	size_t used;
	alignas(max_align_t) char data[];
};

void arena_done(struct arena *a)
{
	struct arena_block *b = a->last, *before;

	for (; b; b = before) {
		before = b->before;
		free(b);
	}
	*a = (struct arena){ 0 };
}

static void *take(struct arena *a, size_t size, size_t align)
{
	struct arena_block *b = a->last;
	size_t at = b ? (b->used + align - 1) & ~(align - 1) : 0;

	if (!b || at > b->size || size > b->size - at) {
		size_t room = b ? b->size * 2 : BLOCK_MIN;

		if (room > BLOCK_MAX)
			room = BLOCK_MAX;
		if (room < size)
			room = size;
		b = xmalloc(sizeof *b + room);
		b->before = a->last;
		b->size = room;
		b->used = 0;
		a->last = b;
		a->bytes += sizeof *b + room;
		at = 0;
	}
	b->used = at + size;
	return b->data + at;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p = take(a, size, alignof(max_align_t));

	memset(p, 0, size);
	return p;
}

char *arena_copy(struct arena *a, const char *text, size_t len)
{
	char *p = take(a, len + 1, 1);

	if (len)
		memcpy(p, text, len);
	p[len] = '\0';
	return p;
}
