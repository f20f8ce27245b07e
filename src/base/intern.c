/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An index table over the ids. The texts are stored in an arena. */
#include "config.h"

#include "base/intern.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== arena ====
 *
 * A linked list of blocks; only the last one has free space that is used. Blocks double in size up
 * to 1 MiB, so that a small arena stays small and a large one has few blocks. */

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

/* ==== intern ==== */

struct intern_entry {
	const char *text;
	size_t len;
};

void intern_init(struct intern *in)
{
	*in = (struct intern){ .most = UINT32_MAX - 1 };
	intern_add(in, "", 0);
}

uint64_t intern_prefetch(const struct intern *in, const char *text, size_t len)
{
	uint64_t hash = hash_bytes(text, len);

	hash_table_prefetch(&in->index, hash);
	return hash;
}

str_id intern_add(struct intern *in, const char *text, size_t len)
{
	return intern_add_hashed(in, text, len, hash_bytes(text, len));
}

str_id intern_add_hashed(struct intern *in, const char *text, size_t len, uint64_t hash)
{
	struct hash_probe probe = hash_probe(hash);
	uint32_t id;

	/* The empty text is the first one, from intern_init() on. */
	if (len == 0 && in->n > 0)
		return 0;
	while (hash_table_next(&in->index, &probe)) {
		const struct intern_entry *e = &in->entries[probe.index];

		if (e->len == len && memcmp(e->text, text, len) == 0)
			return probe.index;
	}
	if (in->n >= in->most) {
		in->is_full = true;
		return 0;
	}
	in->entries = xgrow(in->entries, &in->cap, in->n + 1, sizeof *in->entries);
	id = (uint32_t)in->n++;
	in->entries[id] = (struct intern_entry){ arena_copy(&in->arena, text, len), len };
	hash_table_add_missing(&in->index, &probe, id);
	return id;
}

bool intern_fits(const struct intern *in, struct error *err)
{
	return !in->is_full ||
		error_set(err, ERR_LIMIT, -1, "more than %zu different texts", in->most - 1);
}

const char *intern_text(const struct intern *in, str_id id)
{
	return in->entries[id].text;
}

size_t intern_len(const struct intern *in, str_id id)
{
	return in->entries[id].len;
}

void intern_join(struct intern *out, const struct intern *in, const struct intern *more)
{
	size_t had = out->n, n = in->n + more->n, first = had > in->n ? had : in->n;

	out->entries = xgrow(out->entries, &out->cap, n, sizeof *out->entries);
	if (had < in->n)
		memcpy(out->entries, in->entries, in->n * sizeof *out->entries);
	memcpy(out->entries + first, more->entries + (first - in->n),
	       (n - first) * sizeof *out->entries);
	out->n = n;
}
