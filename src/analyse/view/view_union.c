/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where nothing was dropped, what the lanes say about the time of their thread still holds. */
#include "config.h"

#include "analyse/view/view_union.h"

#include "base/alloc.h"
#include "model/slice_inner.h"
#include "model/slice_union.h"

#include <stdlib.h>

/* The end of the sources from i on that are one thread or track. */
static uint32_t thread_end(const struct view *v, uint32_t i)
{
	const struct lane *first = v->sources[i++].lane;

	while (i < v->n_sources && v->sources[i].lane->is_joined &&
	       v->sources[i].lane->kind == first->kind)
		i++;
	return i;
}

static bool has_dropped(const struct view_source *source)
{
	for (node_id k = 1; k < source->lane->tree.n; k++)
		if (source->map[k] == VIEW_DROPPED || source->map[k] == NODE_ROOT)
			return true;
	return false;
}

/* Where slices of a thread were dropped, find anew which time its lanes have in common. */
static void unite_thread(struct view *v, uint32_t first, uint32_t end)
{
	struct slice_union_part *parts;
	bool has_time = false, has_less = false;

	for (uint32_t i = first; i < end; i++) {
		has_time |= v->sources[i].lane->slice_time != NULL;
		has_less |= v->sources[i].map && has_dropped(&v->sources[i]);
	}
	if (!has_time || !has_less)
		return;
	parts = xcalloc(end - first, sizeof *parts);
	for (uint32_t i = first; i < end; i++) {
		struct view_source *source = &v->sources[i];

		source->united = xcalloc(1, sizeof *source->united);
		parts[i - first] = (struct slice_union_part){ .lane = source->lane,
							      .map = source->map,
							      .more = &source->united->more,
							      .less = &source->united->less };
	}
	slice_union(parts, end - first);
	free(parts);
}

void view_union_find(struct view *v)
{
	for (uint32_t i = 0, end; i < v->n_sources; i = end) {
		end = thread_end(v, i);
		unite_thread(v, i, end);
	}
}

static void find_inner(struct view *v, uint32_t first, uint32_t end)
{
	struct slice_inner_part *parts;
	const struct lane *head = v->sources[first].lane;
	bool has_links = false, is_whole = !head->is_joined;

	for (uint32_t i = first; i < end; i++) {
		const struct lane *lane = v->sources[i].lane;

		has_links |= lane->slice_time && lane->slice_time->n_links > 0;
		is_whole &= lane == head + (i - first);
	}
	if (!has_links)
		return;
	parts = xcalloc(end - first, sizeof *parts);
	for (uint32_t i = first; i < end; i++) {
		struct view_source *source = &v->sources[i];

		source->inner = xcalloc(1, sizeof *source->inner);
		parts[i - first] = (struct slice_inner_part){ .lane = source->lane,
							      .map = source->map,
							      .place = source->place,
							      .inner = source->inner };
	}
	if (is_whole)
		slice_inner(parts, end - first, v->tree, v->n_frames);
	free(parts);
}

void view_union_find_inner(struct view *v)
{
	for (uint32_t i = 0, end; i < v->n_sources; i = end) {
		end = thread_end(v, i);
		find_inner(v, i, end);
	}
}
