/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ticks of a node are brought together first: a node of the tree may be several nodes of the
 * file. */
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
							     .ns = to - given };
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

void line_times_add(struct line_times *times, const struct profile *profile,
		    const struct lane *lane, int64_t t0, int64_t t1, const uint8_t *is_left)
{
	ALLOC_LOCAL struct line_ticks *ticks = NULL;
	ALLOC_LOCAL int64_t *self = NULL;
	size_t first = 0;

	if (!lane->tree.n || lane->kind != LANE_SAMPLES)
		return;
	if (!times->rest)
		times->rest = xcalloc(profile->frames.n, sizeof *times->rest);
	times->has_ticks = times->has_ticks || lane->n_ticks;
	self = lane_self_times(lane, t0, t1, NULL);
	ticks = line_times_ticks(lane);
	while (first < lane->n_ticks) {
		node_id node = ticks[first].node;
		size_t end = first;

		while (end < lane->n_ticks && ticks[end].node == node)
			end++;
		if ((self[node] > 0 || times->keeps_empty) && !(is_left && is_left[node]))
			divide(times, profile->frames.frames, lane->tree.frame[node], ticks + first,
			       end - first, self[node]);
		self[node] = 0;
		first = end;
	}
	for (node_id i = 1; i < lane->tree.n; i++)
		if (!(is_left && is_left[i]))
			times->rest[lane->tree.frame[i]] += self[i];
}

/* ---- the list ---- */

SORT_BEFORE(is_before, struct line_time,
	    SORT_BY_5(x->url, y->url, x->line, y->line, x->is_whole, y->is_whole, x->frame,
		      y->frame, y->ns, x->ns) < 0)

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
	size_t n = 0;

	for (frame_id f = 1; times->rest && f < profile->frames.n; f++)
		add_whole(times, profile->frames.frames, f);
	sort_stable(times->list, times->n, sizeof *times->list, is_before, NULL);
	for (size_t i = 0; i < times->n; i++) {
		const struct line_time *next = &times->list[i];

		if (n && times->list[n - 1].url == next->url &&
		    times->list[n - 1].line == next->line && !next->is_whole &&
		    !times->list[n - 1].is_whole && times->list[n - 1].frame == next->frame) {
			times->list[n - 1].ns += next->ns;
			times->list[n - 1].ticks += next->ticks;
		} else {
			times->list[n++] = *next;
		}
	}
	times->n = n;
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
