/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that only grows and is freed as a whole. A zeroed struct is an empty arena. */
#ifndef FLAMETTY_BASE_ARENA_H
#define FLAMETTY_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last;
	size_t bytes; /* taken from the system so far */
};

void arena_done(struct arena *a);

/* Allocate `size` bytes, zeroed and aligned for any type. They live as long as the arena. */
void *arena_alloc(struct arena *a, size_t size);

/* Copy `len` bytes and add a NUL. The copy is not aligned; it lives as long as the arena. */
char *arena_copy(struct arena *a, const char *text, size_t len);

#endif
