/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waiting slices are a binary heap with the next slice at the top. */
#include "config.h"

#include "model/build/partial/slice_queue.h"

#include "base/alloc.h"

#include <stdlib.h>

void slice_queue_done(struct slice_queue *q)
{
	free(q->heap);
	*q = (struct slice_queue){ 0 };
}

static bool is_before(const struct raw_slice *a, const struct raw_slice *b)
{
	return raw_is_before(a, b, true);
}

void slice_queue_add(struct slice_queue *q, const struct raw_slice *slice, int64_t end_offset)
{
	size_t i = q->n;

	q->is_lost |= q->has_taken && is_before(slice, &q->latest);
	if (q->is_lost)
		return;
	q->heap = xgrow(q->heap, &q->cap, ++q->n, sizeof *q->heap);
	for (; i > 0 && is_before(slice, &q->heap[(i - 1) / 2].slice); i = (i - 1) / 2)
		q->heap[i] = q->heap[(i - 1) / 2];
	q->heap[i] = (struct queued_slice){ *slice, end_offset };
}

bool slice_queue_take(struct slice_queue *q, bool is_end, struct queued_slice *out)
{
	struct queued_slice last;
	size_t i = 0;

	if (q->is_lost || q->n <= (is_end ? 0 : SLICE_QUEUE_MOST))
		return false;
	*out = q->heap[0];
	q->latest = out->slice;
	q->has_taken = true;
	last = q->heap[--q->n];
	for (size_t next = 1; next < q->n; next = 2 * i + 1) {
		next += next + 1 < q->n &&
			is_before(&q->heap[next + 1].slice, &q->heap[next].slice);
		if (!is_before(&q->heap[next].slice, &last.slice))
			break;
		q->heap[i] = q->heap[next];
		i = next;
	}
	q->heap[i] = last;
	return true;
}
