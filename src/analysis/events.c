/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sample i opens the depths from shared[i - 1] up to the rows of its leaf. */
#include "config.h"

#include "analysis/events.h"

static int opens_from(const struct lane *lane, size_t i)
{
	return i ? lane->samples.shared[i - 1] : 0;
}

static int opens_to(const struct lane *lane, size_t i)
{
	return lane->tree.rows[lane->samples.leaf[i]];
}

static bool first_from(const struct lane *lane, int64_t t, struct event_at *at)
{
	const struct samples *s = &lane->samples;
	size_t i;

	if (s->n == 0 || t > s->t[s->n])
		return false;
	i = samples_find(s, t);
	/* Of samples without time at t, take the first. */
	while (i > 0 && s->t[i] >= t && s->t[i - 1] >= t)
		i--;
	if (s->t[i] < t)
		i++;
	while (i < s->n && opens_from(lane, i) >= opens_to(lane, i))
		i++;
	if (i == s->n)
		return false;
	*at = (struct event_at){ i, opens_from(lane, i) };
	return true;
}

static bool step_on(const struct lane *lane, struct event_at *at)
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

static bool step_back(const struct lane *lane, struct event_at *at)
{
	size_t i = at->sample;

	if (at->depth > opens_from(lane, i)) {
		at->depth--;
		return true;
	}
	while (i-- > 0) {
		if (opens_from(lane, i) >= opens_to(lane, i))
			continue;
		*at = (struct event_at){ i, opens_to(lane, i) - 1 };
		return true;
	}
	return false;
}

static bool counts(const struct lane *lane, const struct event_filter *filter,
		   const struct event_at *at)
{
	struct span span;

	if (filter->min_ns <= 0 && !filter->frames)
		return true;
	return events_span(lane, at, &span) && span.t1 - span.t0 >= filter->min_ns &&
		(!filter->frames || filter->frames[lane->tree.frame[span.node]]);
}

bool events_from(const struct lane *lane, const struct event_filter *filter, int64_t t,
		 struct event_at *at)
{
	return first_from(lane, t, at) &&
		(counts(lane, filter, at) || events_next(lane, filter, at));
}

bool events_next(const struct lane *lane, const struct event_filter *filter, struct event_at *at)
{
	struct event_at to = *at;

	for (int n = 0; n < EVENTS_LOOK && step_on(lane, &to); n++) {
		if (!counts(lane, filter, &to))
			continue;
		*at = to;
		return true;
	}
	return false;
}

bool events_before(const struct lane *lane, const struct event_filter *filter, struct event_at *at)
{
	struct event_at to = *at;

	for (int n = 0; n < EVENTS_LOOK && step_back(lane, &to); n++) {
		if (!counts(lane, filter, &to))
			continue;
		*at = to;
		return true;
	}
	return false;
}

bool events_span(const struct lane *lane, const struct event_at *at, struct span *out)
{
	return span_of_sample(&lane->samples, &lane->tree, at->sample, at->depth, out);
}
