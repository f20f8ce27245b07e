/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line is allowed if the one that came WATCH_LIMIT_LINES lines before it is old enough. */
#include "config.h"

#include "record/watch_limit.h"

static bool is_free(const struct watch_limit *limit, int64_t now_ns)
{
	return limit->n < WATCH_LIMIT_LINES ||
		now_ns - limit->times[limit->n % WATCH_LIMIT_LINES] >= WATCH_LIMIT_NS;
}

bool watch_limit_allows(struct watch_limit *limit, int64_t now_ns, int64_t began_ns,
			int64_t length_ns)
{
	if (is_free(limit, now_ns)) {
		limit->times[limit->n++ % WATCH_LIMIT_LINES] = now_ns;
		return true;
	}
	if (limit->n_left++ == 0)
		limit->first_ns = began_ns;
	if (length_ns > limit->longest_ns)
		limit->longest_ns = length_ns;
	return false;
}

bool watch_limit_has_left(const struct watch_limit *limit, int64_t now_ns)
{
	return limit->n_left > 0 && is_free(limit, now_ns);
}

void watch_limit_forget(struct watch_limit *limit)
{
	limit->n_left = 0;
	limit->longest_ns = limit->first_ns = 0;
}
