/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open addressing over ids; the texts stand in an arena. At most half of the
 * slots are used. */
#include "config.h"

#include "base/intern.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct intern_entry {
	const char *text;
	size_t len;
	uint64_t hash;
};

void intern_init(struct intern *in)
{
	*in = (struct intern){ 0 };
	in->n_slots = 256;
	in->slots = xcalloc(in->n_slots, sizeof *in->slots);
	intern_add(in, "", 0);
}

void intern_done(struct intern *in)
{
	arena_done(&in->arena);
	free(in->entries);
	free(in->slots);
	*in = (struct intern){ 0 };
}

static void place(struct intern *in, uint32_t id)
{
	size_t at = in->entries[id].hash & (in->n_slots - 1);

	while (in->slots[at])
		at = (at + 1) & (in->n_slots - 1);
	in->slots[at] = id + 1;
}

static void widen(struct intern *in)
{
	free(in->slots);
	in->n_slots *= 4;
	in->slots = xcalloc(in->n_slots, sizeof *in->slots);
	for (uint32_t id = 0; id < in->n; id++)
		place(in, id);
}

str_id intern_add(struct intern *in, const char *text, size_t len)
{
	uint64_t hash = hash_bytes(text, len);
	size_t at = hash & (in->n_slots - 1);
	uint32_t id;

	for (; in->slots[at]; at = (at + 1) & (in->n_slots - 1)) {
		const struct intern_entry *e = &in->entries[in->slots[at] - 1];

		if (e->hash == hash && e->len == len && memcmp(e->text, text, len) == 0)
			return in->slots[at] - 1;
	}
	if (in->n >= UINT32_MAX - 1)
		die("too many different strings");
	in->entries = xgrow(in->entries, &in->cap, in->n + 1, sizeof *in->entries);
	id = (uint32_t)in->n++;
	in->entries[id] = (struct intern_entry){ arena_copy(&in->arena, text, len), len, hash };
	in->slots[at] = id + 1;
	if (in->n * 2 > in->n_slots)
		widen(in);
	return id;
}

str_id intern_adds(struct intern *in, const char *text)
{
	return intern_add(in, text, strlen(text));
}

const char *intern_text(const struct intern *in, str_id id)
{
	return in->entries[id].text;
}

size_t intern_len(const struct intern *in, str_id id)
{
	return in->entries[id].len;
}
