/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that only grows and is freed as a whole. A zeroed struct is empty. */
#ifndef FLAMETTY_BASE_ARENA_H
#define FLAMETTY_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last;
	size_t bytes; /* taken from the system so far */
};

void arena_done(struct arena *a);

/* `size` bytes, zeroed, aligned for any type. They live as long as the arena. */
void *arena_alloc(struct arena *a, size_t size);

/* A copy of `len` bytes with a NUL behind them; not aligned. */
char *arena_copy(struct arena *a, const char *text, size_t len);

#endif
