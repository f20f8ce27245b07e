/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/cpu_raw.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "model/build/cpu_builder.h"
#include "model/lane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== cpu slots ====
 *
 * Slots: the node ids of a file as small numbers. Ids below SLOT_DENSE are their own number; all
 * others are numbered from SLOT_SPARSE on, by their text.
 *
 * The slots of a few dense ids stand in a small hash table, so that each of many small profiles
 * takes little memory. More than SLOT_FEW of them move to chunks that are allocated when needed. */

#define SLOT_FEW 256u

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
		s->sparse_ids.most = SLOT_SPARSE_MAX;
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

/* ==== cpu lines ====
 *
 * Neighbouring samples are often at one position, which is therefore tried first; the others are
 * found by hash. Nodes may come later than their samples, so slots become nodes at the end. */

void cpu_lines_free(struct cpu_lines *lines)
{
	if (!lines)
		return;
	free(lines->all);
	hash_table_done(&lines->index);
	free(lines);
}

static bool is_at(const struct cpu_line *l, uint32_t slot, int32_t line, int32_t column)
{
	return l->slot == slot && l->line == line && l->column == column;
}

/* Find or add a position; returns its index. */
static size_t find(struct cpu_lines *lines, uint32_t slot, int32_t line, int32_t column)
{
	uint64_t place = (uint64_t)(uint32_t)line << 32 | (uint32_t)column;
	struct hash_probe probe = hash_probe(hash_u64(hash_u64(place) + slot));

	while (hash_table_next(&lines->index, &probe))
		if (is_at(&lines->all[probe.index], slot, line, column))
			return probe.index;
	lines->all = xgrow(lines->all, &lines->cap, lines->n + 1, sizeof *lines->all);
	lines->all[lines->n] = (struct cpu_line){ slot, line, column, 0 };
	hash_table_add_missing(&lines->index, &probe, (uint32_t)lines->n);
	return lines->n++;
}

void cpu_lines_add(struct cpu_lines *lines, uint32_t slot, int64_t line, int64_t column)
{
	int32_t at = column > 0 && column <= INT32_MAX ? (int32_t)column : 0;

	if (slot == SLOT_NONE || line <= 0 || line > INT32_MAX || lines->n >= HASH_TABLE_INDEX_MAX)
		return;
	if (lines->n == 0 || !is_at(&lines->all[lines->last], slot, (int32_t)line, at))
		lines->last = find(lines, slot, (int32_t)line, at);
	if (lines->all[lines->last].ticks < UINT32_MAX)
		lines->all[lines->last].ticks++;
}

static int by_place(const void *a, const void *b)
{
	const struct cpu_line *x = a, *y = b;

	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

/* Slots are mostly small numbers: each gets its part of a new array, and only the parts are
 * sorted. */
void cpu_lines_sort(struct cpu_lines *lines)
{
	struct cpu_line *all;
	uint32_t most = 0;
	size_t *next, from = 0;

	if (lines->is_sorted)
		return;
	lines->is_sorted = true;
	hash_table_done(&lines->index);
	for (size_t i = 0; i < lines->n; i++)
		most = lines->all[i].slot > most ? lines->all[i].slot : most;
	if (most >= lines->n) {
		qsort(lines->all, lines->n, sizeof *lines->all, by_place);
		return;
	}
	next = xcalloc((size_t)most + 2, sizeof *next);
	for (size_t i = 0; i < lines->n; i++)
		next[lines->all[i].slot + 1]++;
	for (uint32_t slot = 0; slot < most; slot++)
		next[slot + 1] += next[slot];
	all = xmalloc(lines->n * sizeof *all);
	for (size_t i = 0; i < lines->n; i++)
		all[next[lines->all[i].slot]++] = lines->all[i];
	free(lines->all);
	lines->all = all;
	for (uint32_t slot = 0; slot <= most; from = next[slot++])
		qsort(all + from, next[slot] - from, sizeof *all, by_place);
	free(next);
}

void cpu_lines_resolve(struct cpu_raw *raw)
{
	struct cpu_lines *lines = raw->lines;

	if (raw->n_ticks == 0 && lines && lines->n > 0) {
		cpu_lines_sort(lines);
		raw->ticks = xgrow(raw->ticks, &raw->cap_ticks, lines->n, sizeof *raw->ticks);
		for (size_t i = 0; i < lines->n; i++) {
			const struct cpu_line *l = &lines->all[i];
			const struct slot *slot = cpu_slots_find(&raw->slots, l->slot);

			if (slot && slot->node)
				raw->ticks[raw->n_ticks++] = (struct line_ticks){
					slot->node - 1, l->line, l->column, l->ticks
				};
		}
	}
	cpu_lines_free(raw->lines);
	raw->lines = NULL;
}
