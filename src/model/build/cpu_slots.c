/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/cpu_slots.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The chunks of all tables that have none. Lookups need no branch for them. Never written; without
 * const, the zeros take no room in the file of the program. */
static struct slot *no_chunks[SLOT_DENSE / SLOT_CHUNK];

void cpu_slots_init(struct cpu_slots *s)
{
	*s = (struct cpu_slots){ .chunks = no_chunks };
}

void cpu_slots_done(struct cpu_slots *s)
{
	if (s->own)
		for (size_t i = 0; i < SLOT_DENSE / SLOT_CHUNK; i++)
			free(s->own[i]);
	free(s->own);
	free(s->few);
	free(s->sparse);
	intern_done(&s->sparse_ids);
	*s = (struct cpu_slots){ 0 };
}

/* ---- few slots ---- */

/* The entry of a slot, or the free one that it would have. There is at least one free entry. */
static struct few_slot *find_few(const struct cpu_slots *s, uint32_t slot)
{
	uint32_t at = slot * 0x9E3779B1u >> 16 & (s->cap_few - 1);

	while (s->few[at].number && s->few[at].number != slot + 1)
		at = (at + 1) & (s->cap_few - 1);
	return &s->few[at];
}

const struct slot *cpu_slots_find_few(const struct cpu_slots *s, uint32_t slot)
{
	const struct few_slot *f = s->cap_few ? find_few(s, slot) : NULL;

	return f && f->number ? &f->slot : NULL;
}

static struct slot *add_to_chunk(struct cpu_slots *s, uint32_t slot)
{
	struct slot **chunk = &s->own[slot / SLOT_CHUNK];

	/* Written, unlike memory of calloc(): the system gives a page that is read first to its
	 * process twice, and the second time interrupts all processors that run it. */
	if (!*chunk)
		*chunk = memset(xmalloc(SLOT_CHUNK * sizeof **chunk), 0,
				SLOT_CHUNK * sizeof **chunk);
	return *chunk + slot % SLOT_CHUNK;
}

/* Move all slots to a table of twice the size, or, when there are too many, to chunks. */
static void grow(struct cpu_slots *s)
{
	struct cpu_slots before = *s;

	if (s->n_few < SLOT_FEW) {
		s->cap_few = s->cap_few ? s->cap_few * 2 : 8;
		s->few = xcalloc(s->cap_few, sizeof *s->few);
	} else {
		s->few = NULL;
		s->n_few = s->cap_few = 0;
		s->own = xcalloc(SLOT_DENSE / SLOT_CHUNK, sizeof(*s->own));
		s->chunks = s->own;
	}
	for (uint32_t i = 0; i < before.cap_few; i++) {
		const struct few_slot *f = &before.few[i];

		if (f->number && s->own)
			*add_to_chunk(s, f->number - 1) = f->slot;
		else if (f->number)
			*find_few(s, f->number - 1) = *f;
	}
	free(before.few);
}

struct slot *cpu_slots_add(struct cpu_slots *s, uint32_t slot)
{
	struct few_slot *f = s->cap_few ? find_few(s, slot) : NULL;

	if (f && f->number)
		return &f->slot;
	if (!s->own && s->n_few >= s->cap_few / 2)
		grow(s);
	if (s->own)
		return add_to_chunk(s, slot);
	f = find_few(s, slot);
	f->number = slot + 1;
	s->n_few++;
	return &f->slot;
}

static void visit_used(void (*visit)(void *ctx, uint32_t number, const struct slot *slot),
		       void *ctx, uint32_t number, const struct slot *slot)
{
	if (slot->node)
		visit(ctx, number, slot);
}

void cpu_slots_each(const struct cpu_slots *s,
		    void (*visit)(void *ctx, uint32_t number, const struct slot *slot), void *ctx)
{
	for (uint32_t c = 0; s->own && c < SLOT_DENSE / SLOT_CHUNK; c++)
		for (uint32_t i = 0; s->own[c] && i < SLOT_CHUNK; i++)
			visit_used(visit, ctx, c * SLOT_CHUNK + i, &s->own[c][i]);
	for (uint32_t i = 0; i < s->cap_few; i++)
		visit_used(visit, ctx, s->few[i].number - 1, &s->few[i].slot);
	for (uint32_t i = 0; i < s->n_sparse; i++)
		visit_used(visit, ctx, SLOT_SPARSE | i, &s->sparse[i]);
}

void cpu_slots_clear(struct cpu_slots *s)
{
	static const struct slot none = { 0 };

	for (size_t c = 0; s->own && c < SLOT_DENSE / SLOT_CHUNK; c++)
		for (size_t i = 0; s->own[c] && i < SLOT_CHUNK; i++)
			s->own[c][i] = none;
	for (uint32_t i = 0; i < s->cap_few; i++)
		s->few[i].slot = none;
	for (size_t i = 0; i < s->n_sparse; i++)
		s->sparse[i] = none;
}

/* ---- sparse slots ---- */

uint32_t cpu_slots_of_text(struct cpu_slots *s, const char *id, size_t len)
{
	str_id at;

	if (len <= 8 && (len == 1 || id[0] != '0')) {
		uint32_t value = 0;
		size_t i = 0;

		for (; i < len && id[i] >= '0' && id[i] <= '9'; i++)
			value = value * 10 + (uint32_t)(id[i] - '0');
		if (i == len && value < SLOT_DENSE)
			return value;
	}
	if (!s->sparse_ids.n) {
		intern_init(&s->sparse_ids);
		s->sparse_ids.most = SLOT_SPARSE_MOST;
	}
	at = intern_add(&s->sparse_ids, id, len);
	if (!at)
		return 0;
	if (at > s->n_sparse) {
		s->sparse = xgrow(s->sparse, &s->cap_sparse, at, sizeof *s->sparse);
		s->sparse[s->n_sparse++] = (struct slot){ 0 };
	}
	return SLOT_SPARSE | (at - 1);
}
