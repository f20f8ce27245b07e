/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String table: maps text to str_id. Equal texts have the same id. Id 0 is the empty text. */
#ifndef FLAMETTY_BASE_INTERN_H
#define FLAMETTY_BASE_INTERN_H

#include "base/error.h"
#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

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

typedef uint32_t str_id;

struct intern_entry;

struct intern {
	struct arena arena;
	struct intern_entry *entries; /* by id */
	size_t n;
	size_t cap;
	struct hash_table index; /* of ids */
	size_t most;             /* texts that fit, the empty one included */
	bool is_full;            /* a text did not fit */
};

void intern_init(struct intern *in);

static inline void intern_done(struct intern *in)
{
	arena_done(&in->arena);
	free(in->entries);
	hash_table_done(&in->index);
	*in = (struct intern){ 0 };
}

/* Find the id of `len` bytes of text, which may contain NULs; add the text when it is new.
 * text: may be NULL if len is 0. Returns 0 when the table is full; intern_fits() tells so later. */
str_id intern_add(struct intern *in, const char *text, size_t len);

static inline str_id intern_adds(struct intern *in, const char *text)
{
	return intern_add(in, text, strlen(text));
}

/* The same in two steps, so that the slots of several texts are fetched at the same time. Returns
 * what intern_add_hashed() needs; text: not NULL. */
uint64_t intern_prefetch(const struct intern *in, const char *text, size_t len);
str_id intern_add_hashed(struct intern *in, const char *text, size_t len, uint64_t hash);

/* Whether all texts found room. Sets an error when one did not. */
bool intern_fits(const struct intern *in, struct error *err) MUST_USE;

/* The text of an id, NUL-terminated, and its length. Borrowed from the table. */
const char *intern_text(const struct intern *in, str_id id);
size_t intern_len(const struct intern *in, str_id id);

/* A table for reading only: the ids of `in`, and from in->n on those of `more`. Both are borrowed;
 * `in` must not get texts meanwhile. out: zeroed, or what the call before has made, which then gets
 * the texts that `more` has got since. intern_leave() frees what is the table's own. */
void intern_join(struct intern *out, const struct intern *in, const struct intern *more);

static inline void intern_leave(struct intern *in)
{
	free(in->entries);
	*in = (struct intern){ 0 };
}

#endif
