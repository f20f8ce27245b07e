/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts are in order, and more than STRAY_NEAR lies between two of them. A group is a few parts at
 * an end. When there is no room for another part, two in the middle that are nearest to each other
 * are joined: with STRAY_MAX parts and the first of the others at each end left alone, no boundary
 * of a group is lost. */
#include "config.h"

#include "model/build/stray.h"

#include "model/lane.h"

#include <string.h>

#define ALONE (STRAY_MAX + 1)
#define ZERO_SLACK NS_PER_S
#define DAY (24 * 3600 * NS_PER_S)

static int64_t clamped(int64_t t)
{
	return t > PROFILE_TIME_MAX     ? PROFILE_TIME_MAX
		: t < -PROFILE_TIME_MAX ? -PROFILE_TIME_MAX
					: t;
}

/* Until the first event there is no part that any time is near to. */
void stray_init(struct stray_times *times)
{
	*times = (struct stray_times){ .near = INT64_MIN, .reach = INT64_MIN };
	times->parts[0].first = INT64_MAX;
}

static void join(struct stray_part *to, const struct stray_part *from)
{
	to->first = from->first < to->first ? from->first : to->first;
	to->last = from->last > to->last ? from->last : to->last;
	to->n += from->n;
	to->n_samples += from->n_samples;
	if (to->offset < 0)
		to->offset = from->offset;
}

static void take_out(struct stray_times *times, size_t at)
{
	memmove(times->parts + at, times->parts + at + 1, (--times->n - at) * sizeof *times->parts);
}

static void make_room(struct stray_times *times)
{
	const struct stray_part *p = times->parts;
	size_t nearest = ALONE;

	for (size_t i = ALONE; i + 1 + ALONE < times->n; i++)
		if (p[i + 1].first - p[i].last < p[nearest + 1].first - p[nearest].last)
			nearest = i;
	join(&times->parts[nearest], &p[nearest + 1]);
	take_out(times, nearest + 1);
}

static bool is_near(const struct stray_part *a, const struct stray_part *b)
{
	return a->first <= b->last + STRAY_NEAR && b->first <= a->last + STRAY_NEAR;
}

/* The first part that is not before `p` and far from it. */
static size_t place_of(const struct stray_times *times, const struct stray_part *p)
{
	size_t at = 0;

	while (at < times->n && times->parts[at].last + STRAY_NEAR < p->first)
		at++;
	return at;
}

static void add(struct stray_times *times, const struct stray_part *p)
{
	size_t at = place_of(times, p);

	if (at < times->n && is_near(&times->parts[at], p)) {
		join(&times->parts[at], p);
		while (at + 1 < times->n && is_near(&times->parts[at], &times->parts[at + 1])) {
			join(&times->parts[at], &times->parts[at + 1]);
			take_out(times, at + 1);
		}
	} else {
		if (times->n == STRAY_PARTS) {
			make_room(times);
			at = place_of(times, p);
		}
		memmove(times->parts + at + 1, times->parts + at,
			(times->n++ - at) * sizeof *times->parts);
		times->parts[at] = *p;
	}
	times->at = at;
	times->near = times->parts[at].last + STRAY_NEAR;
	times->reach = at + 1 < times->n ? times->parts[at + 1].first - STRAY_NEAR - 1 : INT64_MAX;
}

static void add_or_void(struct stray_times *times, const struct stray_part *p)
{
	if (p->first != 0 || !times->is_zero_void) {
		add(times, p);
	} else if (times->has_zero) {
		join(&times->zero, p);
	} else {
		times->has_zero = true;
		times->zero = *p;
	}
}

void stray_add_slowly(struct stray_times *times, int64_t t0, int64_t t1, uint64_t n, int64_t offset)
{
	add_or_void(times, &(struct stray_part){ clamped(t0), clamped(t1), n, 0, offset });
}

void stray_add_samples(struct stray_times *times, int64_t t0, int64_t t1, uint64_t n)
{
	add_or_void(times, &(struct stray_part){ clamped(t0), clamped(t1), n, n, -1 });
}

void stray_add_lane(struct stray_times *times, const int64_t *t, size_t n)
{
	size_t first = 0, end = n;

	for (; first < end && first < STRAY_MAX; first++)
		stray_add_samples(times, t[first], t[first], 1);
	for (; end > first && n - end < STRAY_MAX; end--)
		stray_add_samples(times, t[end - 1], t[end - 1], 1);
	/* What is far from each other, or at 0, is not of one part. */
	for (size_t i = first; i < end; first = i) {
		for (i++; i < end && t[i] - t[i - 1] <= STRAY_NEAR && (t[i] == 0 || t[i - 1] != 0);)
			i++;
		stray_add_samples(times, t[first], t[i - 1], i - first);
	}
}

void stray_add_start(struct stray_times *times, int64_t t)
{
	if (!times->has_start || t < times->start)
		times->start = clamped(t);
	times->has_start = true;
}

void stray_take_samples(struct stray_times *times, const struct stray_times *from, int64_t by)
{
	for (size_t i = 0; i < from->n; i++)
		stray_add_samples(times, clamped(from->parts[i].first) + by,
				  clamped(from->parts[i].last) + by, from->parts[i].n);
}

/* ---- the rules ---- */

/* Whether `distance` is over ten times `length`. */
static bool is_far(int64_t distance, int64_t length)
{
	return distance > STRAY_NEAR && (distance - 1) / STRAY_TIMES >= length;
}

static void widen(struct stray_side *side, const struct stray_part *p)
{
	side->first = side->has && side->first < p->first ? side->first : p->first;
	side->last = side->has && side->last > p->last ? side->last : p->last;
	side->offset = !side->has || side->offset < 0 ? p->offset : side->offset;
	side->n += p->n;
	side->n_samples += p->n_samples;
	side->has = true;
}

/* Apply rules 1 to 3 and 5 with the others being parts [first, end). */
static bool try(const struct stray_times *times, size_t first, size_t end, struct stray_found *out)
{
	const struct stray_part *p = times->parts;
	int64_t length = p[end - 1].last - p[first].first;
	uint64_t n = 0;
	bool has_begun;

	*out = (struct stray_found){ .t0 = p[first].first, .t1 = p[end - 1].last };
	for (size_t i = 0; i < first; i++)
		widen(&out->before, &p[i]);
	for (size_t i = first; i < end; i++)
		n += p[i].n;
	for (size_t i = end; i < times->n; i++)
		widen(&out->after, &p[i]);
	has_begun = times->has_start && out->before.last <= times->start && out->t0 <= times->start;
	if (out->before.has)
		out->before.distance = out->t0 - out->before.last;
	if (out->after.has)
		out->after.distance = out->after.first - out->t1;
	return length > 0 &&
		(!out->before.has ||
		 (is_far(out->before.distance, length) &&
		  (has_begun || (out->before.n <= STRAY_MAX && out->before.n < n)))) &&
		(!out->after.has ||
		 (is_far(out->after.distance, length) && out->after.n <= STRAY_MAX &&
		  out->after.n < n));
}

/* Find the way that leaves out most parts. None: the range of all is in *out. */
static bool find(const struct stray_times *times, struct stray_found *out)
{
	for (size_t n = 1; n < times->n; n++) /* parts that are kept */
		for (size_t first = 0; first + n <= times->n; first++)
			if (try(times, first, first + n, out))
				return true;
	if (times->n)
		(void)try(times, 0, times->n, out);
	return false;
}

bool stray_find(const struct stray_times *times, struct stray_found *out)
{
	struct stray_times all = *times;
	bool has;

	*out = (struct stray_found){ .t0 = 0, .t1 = 0 };
	has = find(&all, out);
	if (!times->has_zero)
		return has;
	if (times->n && out->t1 > out->t0 && out->t0 > times->zero.last &&
	    out->t0 - times->zero.last > out->t1 - out->t0 + ZERO_SLACK) {
		widen(&out->before, &times->zero);
		out->before.distance = out->t0 - out->before.last;
		return true;
	}
	add(&all, &times->zero);
	return find(&all, out);
}

bool stray_main_part(const struct stray_times *times, const struct stray_found *kept, int64_t *t0,
		     int64_t *t1)
{
	struct stray_part now = { 0 }, best = { 0 };
	bool has_day = false;

	for (size_t i = 0; i < times->n; i++) {
		const struct stray_part *p = &times->parts[i];

		if (p->first < kept->t0 || p->last > kept->t1)
			continue;
		if (now.n && p->first - now.last <= DAY) {
			join(&now, p);
		} else {
			has_day |= now.n > 0;
			now = *p;
		}
		if (now.n > best.n)
			best = now;
	}
	*t0 = best.first;
	*t1 = best.last;
	return has_day;
}

void stray_of_lane(const int64_t *t, size_t n, size_t *first, size_t *end)
{
	struct stray_times times;
	struct stray_found found;

	*first = 0;
	*end = n;
	stray_init(&times);
	stray_add_lane(&times, t, n);
	if (n < 3 || times.n < 2 || !stray_find(&times, &found))
		return;
	while (clamped(t[*first]) < found.t0)
		++*first;
	while (clamped(t[*end - 1]) > found.t1)
		--*end;
}
