/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ticks of a function are brought together first: it has several nodes, and a node of the tree
 * may be several nodes of the file. So the list has one entry for each line of a lane, and not one
 * for each of its nodes. */
#include "config.h"

#include "analyse/line_times.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

/* ---- the times of nodes ---- */

uint64_t line_times_share(uint64_t value, uint64_t sum, uint64_t all)
{
	/* Below 2^32, the products do not overflow. */
	while (all >= UINT32_MAX) {
		sum >>= 1;
		all >>= 1;
	}
	return value / all * sum + value % all * sum / all;
}

/* Divide the time of a node among its ticks. */
static void divide(struct line_times *times, const struct frame *frames, frame_id frame,
		   const struct line_ticks *ticks, size_t n, int64_t ns)
{
	uint64_t whole = 0, part = 0;
	int64_t given = 0;

	for (size_t i = 0; i < n; i++)
		whole += ticks[i].ticks;
	if (!whole) {
		times->rest[frame] += ns;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		int64_t to;

		part += ticks[i].ticks;
		to = (int64_t)line_times_share((uint64_t)ns, part, whole);
		*ARRAY_ADD(times->list, times->n,
			   times->cap) = (struct line_time){ .frame = frame,
							     .url = frames[frame].url,
							     .line = ticks[i].line,
							     .column = ticks[i].column,
							     .ticks = ticks[i].ticks,
							     .ns = to - given,
							     .most_ns = to - given };
		given = to;
	}
}

SORT_BEFORE(is_tick_before, struct line_ticks,
	    x->node != y->node ? x->node < y->node : x->line < y->line)

struct line_ticks *line_times_ticks(const struct lane *lane)
{
	struct line_ticks *ticks = xcalloc(lane->n_ticks ? lane->n_ticks : 1, sizeof *ticks);

	if (lane->n_ticks)
		memcpy(ticks, lane->ticks, lane->n_ticks * sizeof *ticks);
	sort_stable(ticks, lane->n_ticks, sizeof *ticks, is_tick_before, NULL);
	return ticks;
}

/* Of two ticks of a lane, by their indices: by function, then as is_tick_before(). */
static bool is_index_before(const void *a, const void *b, const void *ctx)
{
	const struct lane *lane = ctx;
	const struct line_ticks *x = &lane->ticks[*(const uint32_t *)a],
				*y = &lane->ticks[*(const uint32_t *)b];
	frame_id f = lane->tree.frame[x->node], g = lane->tree.frame[y->node];

	return f != g ? f < g : is_tick_before(x, y, NULL);
}

#define FRAMES_A_TICK 4 /* more functions for each are not counted through */

/* The ticks of a lane by function, as indices. Those of a function may be in any order. */
static uint32_t *ticks_by_frame(const struct lane *lane, uint32_t n_frames)
{
	const frame_id *frame = lane->tree.frame;
	uint32_t *order = xcalloc(lane->n_ticks ? lane->n_ticks : 1, sizeof *order);
	ALLOC_LOCAL uint32_t *at = NULL;
	uint32_t first = 0;

	if (n_frames / FRAMES_A_TICK > lane->n_ticks) {
		for (uint32_t i = 0; i < lane->n_ticks; i++)
			order[i] = i;
		sort_stable(order, lane->n_ticks, sizeof *order, is_index_before, lane);
		return order;
	}
	at = xcalloc(n_frames, sizeof *at);
	for (size_t i = 0; i < lane->n_ticks; i++)
		at[frame[lane->ticks[i].node]]++;
	for (frame_id f = 0; f < n_frames; f++) {
		uint32_t n = at[f];

		at[f] = first;
		first += n;
	}
	for (uint32_t i = 0; i < lane->n_ticks; i++)
		order[at[frame[lane->ticks[i].node]]++] = i;
	return order;
}

SORT_BEFORE(is_before, struct line_time,
	    SORT_BY_5(x->url, y->url, x->line, y->line, x->is_whole, y->is_whole, x->frame,
		      y->frame, y->most_ns, x->most_ns) < 0)

/* Sort the entries from `from` on, and leave one for each line. */
static void join_lines(struct line_times *times, size_t from)
{
	struct line_time *list;
	size_t n = 0;

	if (times->n < from + 2)
		return;
	list = times->list + from;
	sort_stable(list, times->n - from, sizeof *list, is_before, NULL);
	for (size_t i = 0; i < times->n - from; i++) {
		const struct line_time *next = &list[i];

		if (n && list[n - 1].url == next->url && list[n - 1].line == next->line &&
		    !next->is_whole && !list[n - 1].is_whole && list[n - 1].frame == next->frame) {
			list[n - 1].ns += next->ns;
			list[n - 1].ticks += next->ticks;
		} else {
			list[n++] = *next;
		}
	}
	times->n = from + n;
}

/* The same for the lines of one function, which mostly are near each other: by a table of lines,
 * with the places of their entries behind `from`. */
struct line_table {
	uint32_t *at; /* 0: no entry yet */
	size_t cap;
	struct line_time *joined;
	size_t n, cap_joined;
};

#define LINES_AN_ENTRY 8 /* with more, they are sorted */

static void join_function(struct line_times *times, size_t from, struct line_table *table)
{
	struct line_time *list = times->list + from;
	size_t n = times->n - from, n_lines;
	int32_t first = INT32_MAX, last = 0;

	for (size_t i = 0; i < n; i++) {
		first = list[i].line < first ? list[i].line : first;
		last = list[i].line > last ? list[i].line : last;
	}
	if (n < 2 || first < 0 || (size_t)(last - first) / LINES_AN_ENTRY >= n) {
		join_lines(times, from);
		return;
	}
	n_lines = (size_t)(last - first) + 1;
	if (n_lines > table->cap)
		table->at = xgrow(table->at, &table->cap, n_lines, sizeof *table->at);
	memset(table->at, 0, n_lines * sizeof *table->at);
	/* Each line keeps its longest entry, with the sums. */
	for (size_t i = 0; i < n; i++) {
		uint32_t *at = &table->at[list[i].line - first];
		struct line_time *sum = *at ? &list[*at - 1] : &list[i];
		int64_t ns = *at ? sum->ns : 0;
		uint64_t ticks = *at ? sum->ticks : 0;

		ns += list[i].ns;
		ticks += list[i].ticks;
		if (!*at || list[i].most_ns > sum->most_ns) {
			*at = (uint32_t)i + 1;
			sum = &list[i];
		}
		sum->ns = ns;
		sum->ticks = ticks;
	}
	table->n = 0;
	for (size_t i = 0; i < n_lines; i++)
		if (table->at[i])
			*ARRAY_ADD(table->joined, table->n,
				   table->cap_joined) = list[table->at[i] - 1];
	memcpy(list, table->joined, table->n * sizeof *list);
	times->n = from + table->n;
}

void line_times_add(struct line_times *times, const struct profile *profile,
		    const struct lane *lane, int64_t t0, int64_t t1, const uint8_t *is_left)
{
	const frame_id *frame = lane->tree.frame;
	ALLOC_LOCAL struct line_ticks *ticks = NULL; /* of a node */
	ALLOC_LOCAL uint32_t *order = NULL;
	ALLOC_LOCAL int64_t *self = NULL;
	struct line_table table = { 0 };
	size_t first = 0, cap = 0;

	if (!lane->tree.n || lane->kind != LANE_SAMPLES)
		return;
	if (!times->rest)
		times->rest = xcalloc(profile->frames.n, sizeof *times->rest);
	times->has_ticks = times->has_ticks || lane->n_ticks;
	self = lane_self_times(lane, t0, t1, NULL);
	order = ticks_by_frame(lane, profile->frames.n);
	while (first < lane->n_ticks) {
		frame_id f = frame[lane->ticks[order[first]].node];
		size_t end = first, from = times->n;

		while (end < lane->n_ticks && frame[lane->ticks[order[end]].node] == f)
			end++;
		sort_stable(order + first, end - first, sizeof *order, is_index_before, lane);
		while (first < end) {
			node_id node = lane->ticks[order[first]].node;
			size_t n = 0;

			for (; first < end && lane->ticks[order[first]].node == node; first++)
				*ARRAY_ADD(ticks, n, cap) = lane->ticks[order[first]];
			if ((self[node] > 0 || times->keeps_empty) && !(is_left && is_left[node]))
				divide(times, profile->frames.frames, f, ticks, n, self[node]);
			self[node] = 0;
		}
		join_function(times, from, &table);
	}
	free(table.at);
	free(table.joined);
	for (node_id i = 1; i < lane->tree.n; i++)
		if (!(is_left && is_left[i]))
			times->rest[frame[i]] += self[i];
}

/* ---- the list ---- */

static void add_whole(struct line_times *times, const struct frame *frames, frame_id frame)
{
	const struct frame *f = &frames[frame];

	if (times->rest[frame] <= 0 || !f->url || f->line <= 0)
		return;
	*ARRAY_ADD(times->list, times->n,
		   times->cap) = (struct line_time){ .frame = frame,
						     .url = f->url,
						     .line = f->line,
						     .column = f->column,
						     .is_whole = true,
						     .ns = times->rest[frame] };
}

void line_times_finish(struct line_times *times, const struct profile *profile)
{
	for (frame_id f = 1; times->rest && f < profile->frames.n; f++)
		add_whole(times, profile->frames.frames, f);
	join_lines(times, 0);
}

size_t line_times_of(const struct line_times *times, str_id url, size_t *first)
{
	size_t low = 0, end;

	SORT_BISECT(low, times->n, mid, times->list[mid].url < url);
	*first = low;
	for (end = low; end < times->n && times->list[end].url == url; end++)
		;
	return end - low;
}
