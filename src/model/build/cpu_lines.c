/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Neighbouring samples are often at one position, which is therefore tried first; the others are
 * found by hash. Nodes may come later than their samples, so slots become nodes at the end. */
#include "config.h"

#include "model/build/cpu_lines.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "model/build/cpu_builder.h"
#include "model/build/cpu_raw.h"

#include <stdbool.h>
#include <stdlib.h>

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
