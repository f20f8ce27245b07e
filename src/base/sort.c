/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merge sort from the bottom up. A run is a stretch of items that is in order; two neighbouring
 * runs of `width` items are merged into one. Two runs that follow each other in order are copied
 * without a merge. */
#include "config.h"

#include "base/sort.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct sorting {
	sort_before *before;
	const void *ctx;
	size_t size;
};

/* Merge the runs [from, mid) and [mid, end) of `items` into the same place of `to`. The left item
 * goes first unless the right one is before it: that makes the sort stable. */
static void merge(const struct sorting *s, const char *from, const char *mid, const char *end,
		  char *to)
{
	const char *left = from, *right = mid;

	if (right < end && s->before(right, right - s->size, s->ctx)) {
		while (left < mid && right < end) {
			bool is_right = s->before(right, left, s->ctx);

			memcpy(to, is_right ? right : left, s->size);
			to += s->size;
			right += is_right ? s->size : 0;
			left += is_right ? 0 : s->size;
		}
	}
	memcpy(to, left, (size_t)(mid - left));
	memcpy(to + (mid - left), right, (size_t)(end - right));
}

void sort_stable(void *items, size_t n, size_t size, sort_before *before, const void *ctx)
{
	const struct sorting s = { before, ctx, size };
	char *from = items, *spare, *to;
	size_t i = 1;

	while (i < n && !before(from + i * size, from + (i - 1) * size, ctx))
		i++;
	if (i >= n)
		return;
	spare = to = xmalloc(n * size);
	for (size_t width = 1; width < n; width *= 2) {
		char *swap = from;

		for (i = 0; i < n; i += 2 * width) {
			size_t mid = n - i < width ? n : i + width,
			       end = n - mid < width ? n : mid + width;

			merge(&s, from + i * size, from + mid * size, from + end * size,
			      to + i * size);
		}
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, n * size);
	free(spare);
}
