/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Deduplicated frames: an index table over their ids. */
#include "config.h"

#include "model/frame.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static uint64_t frame_hash(const struct frame *f)
{
	/* If there is a url, the script id is ignored: the same file loaded twice, or in two
	 * threads, has the same functions. Ids are consecutive numbers: they must not be folded
	 * onto each other. */
	uint32_t where = f->url ? f->url : f->script;

	return hash_u64(hash_u64((uint64_t)f->name << 32 | where) ^
			((uint64_t)(uint32_t)f->line << 32 | (uint32_t)f->column));
}

static bool frame_equal(const struct frame *a, const struct frame *b)
{
	return a->name == b->name && a->url == b->url && a->line == b->line &&
		a->column == b->column && (a->url || a->script == b->script) &&
		(a->category == CATEGORY_SLICE) == (b->category == CATEGORY_SLICE) &&
		(a->category == CATEGORY_MARK) == (b->category == CATEGORY_MARK);
}

void frame_table_init(struct frame_table *table)
{
	*table = (struct frame_table){ 0 };
	/* FRAME_NONE is not in the index table: no frame equals it. */
	table->frames = xgrow(NULL, &table->cap, 1, sizeof *table->frames);
	table->frames[FRAME_NONE] = (struct frame){ .category = CATEGORY_NATIVE };
	table->n = 1;
}

void frame_table_done(struct frame_table *table)
{
	free(table->frames);
	hash_table_done(&table->index);
	*table = (struct frame_table){ 0 };
}

void frame_table_reserve(struct frame_table *table, size_t more)
{
	hash_table_reserve(&table->index, table->n + more);
}

frame_id frame_table_add(struct frame_table *table, const struct frame *frame)
{
	uint64_t hash = frame_hash(frame);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&table->index, &probe))
		if (frame_equal(&table->frames[probe.index], frame))
			return probe.index;
	table->frames = xgrow(table->frames, &table->cap, (size_t)table->n + 1,
			      sizeof *table->frames);
	table->frames[table->n] = *frame;
	hash_table_add_missing(&table->index, &probe, table->n);
	return table->n++;
}

static int by_id(const void *a, const void *b)
{
	frame_id x = *(const frame_id *)a, y = *(const frame_id *)b;

	return x < y ? -1 : x > y;
}

frame_id *frame_ranks(const frame_id *frame, uint32_t n, frame_id *rank, uint32_t *n_ranks)
{
	frame_id *ids = xmalloc((size_t)n * sizeof *ids), *at;
	uint32_t n_ids = 0;

	memcpy(ids, frame, (size_t)n * sizeof *ids);
	qsort(ids, n, sizeof *ids, by_id);
	for (uint32_t i = 0; i < n; i++)
		if (n_ids == 0 || ids[i] != ids[n_ids - 1])
			ids[n_ids++] = ids[i];
	for (uint32_t i = 0; i < n; i++) {
		at = bsearch(&frame[i], ids, n_ids, sizeof *ids, by_id);
		rank[i] = (frame_id)(at - ids);
	}
	*n_ranks = n_ids;
	return ids;
}

const char *frame_color_name(unsigned color)
{
	static const char *const name[FRAME_COLORS] = {
		"",
		"good",
		"bad",
		"terrible",
		"black",
		"grey",
		"white",
		"yellow",
		"olive",
		"generic_work",
		"startup",
		"rail_response",
		"rail_animation",
		"rail_idle",
		"rail_load",
		"thread_state_uninterruptible",
		"thread_state_iowait",
		"thread_state_running",
		"thread_state_runnable",
		"thread_state_sleeping",
		"thread_state_unknown",
		"background_memory_dump",
		"light_memory_dump",
		"detailed_memory_dump",
		"vsync_highlight_color",
		"heap_dump_stack_frame",
		"heap_dump_object_type",
		"heap_dump_child_node_arrow",
		"cq_build_running",
		"cq_build_passed",
		"cq_build_failed",
		"cq_build_abandoned",
		"cq_build_attempt_runnig", /* so the format spells it */
		"cq_build_attempt_passed",
		"cq_build_attempt_failed",
	};

	return name[color];
}

unsigned frame_color_find(const char *name, size_t len)
{
	for (unsigned i = 1; i < FRAME_COLORS; i++)
		if (strlen(frame_color_name(i)) == len &&
		    memcmp(frame_color_name(i), name, len) == 0)
			return i;
	return 0;
}
