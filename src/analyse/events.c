/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sample i opens the depths from shared[i - 1] up to the rows of its leaf. */
#include "config.h"

#include "analyse/events.h"

static int opens_from(const struct lane *lane, size_t i)
{
	return i ? samples_shared(&lane->samples, i - 1) : 0;
}

static int opens_to(const struct lane *lane, size_t i)
{
	return lane->tree.rows[lane->samples.leaf[i]];
}

bool events_first(const struct lane *lane, int64_t t, struct event_at *at)
{
	const struct samples *s = &lane->samples;
	size_t i;

	if (s->n == 0 || t > samples_time(s, s->n))
		return false;
	i = samples_find(s, t);
	/* Of samples without time at t, take the first. */
	while (i > 0 && samples_time(s, i) >= t && samples_time(s, i - 1) >= t)
		i--;
	if (samples_time(s, i) < t)
		i++;
	while (i < s->n && opens_from(lane, i) >= opens_to(lane, i))
		i++;
	if (i == s->n)
		return false;
	*at = (struct event_at){ i, opens_from(lane, i) };
	return true;
}

bool events_next(const struct lane *lane, struct event_at *at)
{
	size_t i = at->sample;

	if (at->depth + 1 < opens_to(lane, i)) {
		at->depth++;
		return true;
	}
	for (i++; i < lane->samples.n; i++) {
		if (opens_from(lane, i) >= opens_to(lane, i))
			continue;
		*at = (struct event_at){ i, opens_from(lane, i) };
		return true;
	}
	return false;
}

bool events_span(const struct lane *lane, const struct event_at *at, struct span *out)
{
	return span_of_sample(&lane->samples, &lane->tree, at->sample, at->depth, out);
}
