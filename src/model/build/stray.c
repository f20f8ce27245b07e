/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts are in order, and more than STRAY_NEAR lies between two of them. A group is a few parts at
 * an end. When there is no room for another part, two in the middle that are nearest to each other
 * are joined: with STRAY_MAX parts and the first of the others at each end left alone, no boundary
 * of a group is lost. */
#include "config.h"

#include "model/build/stray.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "model/build/builder_state.h"

#include <stdlib.h>
#include <string.h>

/* ==== stray ==== */

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

/* Count n samples in [t0, t1]. */
static void stray_add_samples(struct stray_times *times, int64_t t0, int64_t t1, uint64_t n)
{
	add_or_void(times, &(struct stray_part){ clamped(t0), clamped(t1), n, n, -1 });
}

/* Count the n samples of a lane, at sorted times. */
static void stray_add_lane(struct stray_times *times, const int64_t *t, size_t n)
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

/* Find the part of what is kept that has most events, where the parts are more than a day from each
 * other. False: they are not. */
static bool stray_main_part(const struct stray_times *times, const struct stray_found *kept,
			    int64_t *t0, int64_t *t1)
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

/* ==== stray drop ====
 *
 * What is stray is rare: nothing is done here unless an input has it.
 *
 * 1. A slice is kept if it reaches the times that are kept, and is cut to them: only an end that no
 *    event states can lie outside. A slice of a thread whose begin is stray and that has no end is
 *    left out; an object without N or D lives outside of these times, too, so it is kept.
 * 2. A lane of samples loses those at its ends. The last one that is kept lasts for the average
 *    interval then, unless the file tells its length. A lane without any sample left goes.
 * 3. What became of a sample by those before it is undone where these are gone: garbage collection
 *    at the begin is on top of no stack, and a lone (program) sample there joins no call.
 * 4. A sample that goes takes a line tick of its node with it: the last sample of a node all of
 *    them, another one a tick of the line that has most, because files count lines and do not say
 *    which sample was where.
 * 5. Partial loading drops slices as they come, by what a survey has found. Where samples are
 *    stray, their file can only be loaded whole. */

/* ---- what is kept ---- */

bool stray_drop_keeps(const struct input *in, enum lane_kind kind, struct raw_slice *s)
{
	bool is_open = raw_where(s) & SLICE_UNFINISHED && kind != LANE_OBJECTS;

	if (s->t0 > in->kept_t1 || (is_open ? s->t0 : s->t1) < in->kept_t0)
		return false;
	s->t0 = s->t0 < in->kept_t0 ? in->kept_t0 : s->t0;
	s->t1 = s->t1 > in->kept_t1 ? in->kept_t1 : s->t1;
	return true;
}

static void drop_slices(struct raw_track *track, const struct input *in)
{
	size_t n = 0, n_more = 0;

	track_raw_unpack(track);
	for (size_t i = 0; i < track->n; i++) {
		struct raw_slice s = track->slices[i];

		if (!stray_drop_keeps(in, track->kind, &s))
			continue;
		if (s.more && !(s.more & RAW_GROUP)) {
			track->more[n_more] = track->more[s.more - 1];
			s.more = (uint32_t)++n_more;
		}
		track->slices[n++] = s;
	}
	track->n = n;
	track->n_more = n_more;
}

static void drop_values(struct raw_counter *c, const struct input *in)
{
	uint32_t n_series = 0;

	for (uint32_t i = 0; i < c->n_series; i++) {
		struct raw_series s = c->series[i];
		size_t n = 0;

		for (size_t k = 0; k < s.n; k++) {
			if (!stray_drop_keeps_time(in, s.t[k]))
				continue;
			s.t[n] = s.t[k];
			s.value[n++] = s.value[k];
		}
		s.n = n;
		if (n) {
			c->series[n_series++] = s;
		} else {
			free(s.t);
			free(s.value);
		}
	}
	c->n_series = n_series;
}

/* ---- lanes of samples ---- */

/* The samples of a lane that are kept, with absolute times. */
struct cut {
	struct lane *lane;
	int64_t *t; /* one more than samples */
	size_t first, end;
	int64_t last_end; /* where the last one ends */
};

/* Whether a node stands for time without a sample in a lane of stretches (lane_source). */
static bool is_gap(const struct builder *b, const struct lane *lane, node_id leaf)
{
	return leaf == NODE_ROOT ||
		b->profile->frames.frames[lane->tree.frame[leaf]].category == CATEGORY_IDLE;
}

/* Where the last sample that is kept ends. */
static int64_t end_of_last(const struct cut *c, const struct lane_source *source)
{
	int64_t last = c->t[c->end - 1], interval = NS_PER_MS;
	size_t n = c->end - c->first;

	if (source->is_stretches ||
	    (c->end == c->lane->samples.n && (c->first == 0 || source->has_surplus)))
		return c->t[c->end];
	if (n > 1 && last > c->t[c->first])
		interval = (last - c->t[c->first]) / (int64_t)(n - 1);
	return source->has_end && source->end_ns > last && source->end_ns - last < interval
		? source->end_ns
		: last + interval;
}

static void cut_recorded(struct recorded *r, const struct cut *c)
{
	size_t n = 0;

	for (size_t i = 0; r && i < r->n_joined; i++) {
		if (r->joined[i].sample < c->first || r->joined[i].sample >= c->end)
			continue;
		r->joined[n] = r->joined[i];
		r->joined[n++].sample -= c->first;
	}
	if (r)
		r->n_joined = n;
}

static void cut_breaks(struct lane *lane, const struct cut *c)
{
	size_t n = 0;

	for (size_t i = 0; i < lane->n_breaks; i++) {
		if (lane->breaks[i].sample < c->first || lane->breaks[i].sample + 1 >= c->end)
			continue;
		lane->breaks[n] = lane->breaks[i];
		lane->breaks[n++].sample -= c->first;
	}
	lane->n_breaks = n;
}

/* Rule 3. leaf: of the samples that are kept. */
static void undo_first(struct recorded *r, const struct cut *c, node_id *leaf)
{
	size_t n = r && c->first > 0 ? c->end - c->first : 0;
	bool is_gc = true;

	for (size_t i = 0; n && i < r->n_joined && r->joined[i].sample <= c->first; i++)
		if (r->joined[i].sample == c->first) {
			leaf[0] = r->joined[i].node;
			r->joined[i].sample = c->end; /* cut_recorded() leaves it out */
			return;
		}
	for (size_t i = 0; i < n && is_gc; i++) {
		is_gc = false;
		for (size_t k = 0; k < r->n_gc && !is_gc; k++) {
			is_gc = r->gc[k].node == leaf[i];
			leaf[i] = is_gc ? r->gc[k].as : leaf[i];
		}
	}
}

/* Take up to n ticks from the lines of a node. Returns how many it took. */
static size_t take_ticks(struct line_ticks *ticks, size_t n_lines, size_t n)
{
	size_t left = n;

	for (struct line_ticks *most = ticks; left; most = ticks) {
		for (size_t i = 1; i < n_lines; i++)
			if (ticks[i].ticks > most->ticks)
				most = &ticks[i];
		if (most->ticks == 0)
			break;
		if (most->ticks > left) {
			most->ticks -= (uint32_t)left;
			return n;
		}
		left -= most->ticks;
		most->ticks = 0;
	}
	return n - left;
}

/* Rule 4. */
static void cut_ticks(struct lane *lane, const struct cut *c)
{
	const node_id *leaf = lane->samples.leaf;
	ALLOC_LOCAL size_t *gone = NULL;
	size_t n_kept = 0;
	ALLOC_LOCAL uint8_t *is_kept = NULL;

	if (lane->n_ticks == 0)
		return;
	gone = xcalloc(lane->tree.n, sizeof *gone);
	is_kept = xcalloc(lane->tree.n, sizeof *is_kept);
	for (size_t i = 0; i < lane->samples.n; i++) {
		gone[leaf[i]] += i < c->first || i >= c->end;
		is_kept[leaf[i]] |= i >= c->first && i < c->end;
	}
	for (size_t i = 0, end; i < lane->n_ticks; i = end) {
		node_id node = lane->ticks[i].node;

		for (end = i + 1; end < lane->n_ticks && lane->ticks[end].node == node;)
			end++;
		if (gone[node] && is_kept[node])
			gone[node] -= take_ticks(lane->ticks + i, end - i, gone[node]);
		else if (gone[node])
			take_ticks(lane->ticks + i, end - i, SIZE_MAX);
	}
	for (size_t i = 0; i < lane->n_ticks; i++)
		if (lane->ticks[i].ticks)
			lane->ticks[n_kept++] = lane->ticks[i];
	lane->n_ticks = n_kept;
}

/* Give the lane the samples that are kept, and all that follows from them. */
static void replace_samples(struct builder *b, struct cut *c, int64_t t0, int64_t t1)
{
	struct lane *lane = c->lane;
	size_t n = c->end - c->first;
	struct samples kept = { .n = n };

	kept.leaf = xmalloc(n * sizeof *kept.leaf);
	memcpy(kept.leaf, lane->samples.leaf + c->first, n * sizeof *kept.leaf);
	undo_first(lane->recorded, c, kept.leaf);
	cut_ticks(lane, c);
	if (lane->labels && c->first)
		memmove(lane->labels, lane->labels + c->first, n * sizeof *lane->labels);
	c->t[c->end] = c->last_end;
	times_pack_copy(&kept.times, c->t + c->first, n + 1, t0);
	samples_done(&lane->samples);
	lane->samples = kept;
	lane->t0 = t0;
	lane->t1 = t1;
	lane->sampled_t0 = c->t[c->first] - t0;
	lane->sampled_t1 = c->last_end - t0;
	cut_recorded(lane->recorded, c);
	cut_breaks(lane, c);
	lane_link(lane, b->profile->frames.frames, NULL);
}

/* Count the samples that go, and find the interval of the others. */
static void count_kept(const struct builder *b, const struct cut *c,
		       const struct lane_source *source)
{
	struct lane *lane = c->lane;
	size_t n = c->end - c->first, n_gone = 0;

	for (size_t i = 0; i < lane->samples.n; i++)
		n_gone += (i < c->first || i >= c->end) &&
			!(source->is_taken && is_gap(b, lane, lane->samples.leaf[i]));
	lane->n_samples -= n_gone < lane->n_samples ? n_gone : lane->n_samples;
	if (!source->is_taken)
		lane->interval_ns = n > 1 ? (c->t[c->end - 1] - c->t[c->first]) / (int64_t)(n - 1)
					  : 0;
}

/* Leave out what is stray of a lane. False: nothing is left. */
static bool cut_lane(struct builder *b, struct lane *lane, const struct lane_source *source)
{
	const struct input *in = &b->profile->inputs[lane->input];
	size_t n = lane->samples.n;
	struct cut c = { .lane = lane, .end = n };
	int64_t t0 = lane->t0, t1 = lane->t1;
	bool is_cut;
	const node_id *leaf;
	bool is;

	c.t = xmalloc((n + 1) * sizeof *c.t);
	times_read(&lane->samples.times, 0, n + 1, c.t);
	for (size_t i = 0; i <= n; i++)
		c.t[i] += lane->t0;
	/* Find the first sample that is kept, and the last one. */
	leaf = c.lane->samples.leaf;
	is = source->is_stretches;
	while (c.first < c.end &&
	       (is ? c.t[c.first + 1] <= in->kept_t0 ||
				(c.t[c.first] < in->kept_t0 && is_gap(b, c.lane, leaf[c.first]))
		   : c.t[c.first] < in->kept_t0))
		c.first++;
	while (c.end > c.first &&
	       (c.t[c.end - 1] > in->kept_t1 ||
		(is && c.t[c.end] > in->kept_t1 && is_gap(b, c.lane, leaf[c.end - 1]))))
		c.end--;
	if (c.end > c.first) {
		c.last_end = end_of_last(&c, source);
		t0 = t0 < in->kept_t0 ? c.t[c.first] : t0;
		t1 = t1 > in->kept_t1 || (c.end == n && t1 == c.t[n]) ? c.last_end : t1;
		is_cut = c.first > 0 || c.end < n || t0 != lane->t0 || t1 != lane->t1;
		if (c.first > 0 || c.end < n)
			count_kept(b, &c, source);
		if (is_cut)
			replace_samples(b, &c, t0, t1 > c.last_end ? t1 : c.last_end);
	}
	free(c.t);
	return c.end > c.first;
}

/* A lane of sums has no place in time; it begins where what is kept begins, at the earliest. */
static void move_sums(const struct input *in, struct lane *lane)
{
	int64_t by;

	if (lane->kind != LANE_SAMPLES || lane_has_times(lane) || !in->has_kept ||
	    in->kept_t0 <= lane->t0)
		return;
	by = in->kept_t0 - lane->t0;
	lane->t0 += by;
	lane->t1 = lane->t1 > PROFILE_TIME_MAX - by ? PROFILE_TIME_MAX : lane->t1 + by;
}

static void drop_of_lanes(struct builder *b)
{
	struct profile *p = b->profile;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &p->lanes[i];
		bool is_affected = lane->kind == LANE_SAMPLES && lane_has_times(lane) &&
			lane->samples.n && p->inputs[lane->input].has_kept;

		if (is_affected && !cut_lane(b, lane, &b->sources[i])) {
			lane_done(lane);
			continue;
		}
		move_sums(&p->inputs[lane->input], lane);
		p->lanes[n] = p->lanes[i];
		b->sources[n++] = b->sources[i];
	}
	p->n_lanes = n;
}

void stray_drop(struct builder *b)
{
	builder_stray_end(b);
	if (b->has_strays && !builder_is_partial(b)) {
		const struct input *inputs = b->profile->inputs;
		struct tracks *t = &b->tracks;
		size_t n = 0;

		for (uint32_t i = 0; i < t->n; i++)
			if (inputs[t->tracks[i].input].has_kept)
				drop_slices(&t->tracks[i], &inputs[t->tracks[i].input]);
		for (uint32_t i = 0; i < t->n_counters; i++)
			if (inputs[t->counters[i].input].has_kept)
				drop_values(&t->counters[i], &inputs[t->counters[i].input]);
		for (size_t i = 0; i < t->n_flows; i++)
			if (stray_drop_keeps_time(&inputs[t->flows[i].input], t->flows[i].t))
				t->flows[n++] = t->flows[i];
		t->n_flows = n;
		drop_of_lanes(b);
	}
	/* Breaks were kept as long as samples might go. */
	for (uint32_t i = 0; i < b->profile->n_lanes; i++) {
		struct lane *lane = &b->profile->lanes[i];

		if (lane->recorded)
			continue;
		free(lane->breaks);
		lane->breaks = NULL;
		lane->n_breaks = 0;
	}
}

/* ==== builder stray ====
 *
 * Nearly all slices take the short way of stray_add(). Of a lane of samples only those at its ends
 * are counted one by one. */

/* ---- what is stray ---- */

/* Partial loading: take what a survey has found of the input. */
static void take_known(struct builder *b)
{
	const struct profile *from = b->options.kept_of;
	uint32_t number = builder_this_input_index(b);
	struct input *in = builder_this_input(b);
	const struct input *known = from && number < from->n_inputs ? &from->inputs[number] : NULL;

	b->has_kept = known && known->has_kept;
	if (!b->has_kept)
		return;
	in->has_kept = true;
	in->kept_t0 = known->kept_t0;
	in->kept_t1 = known->kept_t1;
	for (size_t i = 0; i < known->n_warnings; i++) {
		const struct warning *w = &known->warnings[i];

		if (w->kind == WARN_TIME_ZERO)
			builder_warn_input(b, number, w,
					   profile_text(from, w->text) +
						   strlen(warning_text(WARN_TIME_ZERO)) + 2);
	}
}

void builder_stray_begin(struct builder *b)
{
	stray_init(&b->times);
	take_known(b);
}

/* Append `2 events and 1 sample at 0 µs of the file's clock, 25 h before the others`. others: when
 * these begin. */
static void add_side(const struct stray_side *side, int64_t others, const char *where,
		     struct buf *out)
{
	uint64_t n_events = side->n - side->n_samples;

	if (!side->has)
		return;
	if (out->len)
		buf_adds(out, "; ");
	if (n_events)
		buf_addf(out, "%s event%s", units_count(n_events, UNITS_ROOM),
			 n_events == 1 ? "" : "s");
	if (side->n_samples)
		buf_addf(out, "%s%s sample%s", n_events ? " and " : "",
			 units_count(side->n_samples, UNITS_ROOM), side->n_samples == 1 ? "" : "s");
	if (side->n == 0)
		buf_addf(out, "the %s time", side->last > others ? "end" : "start");
	buf_addf(out, " at %s of the file's clock, %s %s the others",
		 units_exact(side->first, UNITS_ROOM), units_time(side->distance, UNITS_ROOM),
		 where);
}

static void warn(struct builder *b, uint32_t input, const struct stray_found *found)
{
	uint64_t n = found->before.n + found->after.n +
		(found->before.has && found->before.n == 0) +
		(found->after.has && found->after.n == 0);
	struct warning w = { .kind = WARN_TIME_ZERO,
			     .offset = found->before.has ? found->before.offset
							 : found->after.offset,
			     .count = n };
	BUF_LOCAL text = { 0 };

	add_side(&found->before, found->t0, "before", &text);
	add_side(&found->after, found->t0, "after", &text);
	builder_warn_input(b, input, &w, buf_text(&text));
}

/* Of a trace whose events lie more than a day apart, the first window has the part with most. */
static void set_window(struct builder *b, const struct stray_found *kept)
{
	int64_t t0, t1;

	if (b->tracks.n == 0 || b->tracks.has_window || !stray_main_part(&b->times, kept, &t0, &t1))
		return;
	track_builder_window(b, t0, t1);
	builder_input_note(b, false,
			   "events lie more than a day apart; the first window has most of them");
}

void builder_stray_end(struct builder *b)
{
	struct stray_found found;
	struct input *in;

	/* A survey has decided before what is stray. */
	if (b->profile->n_inputs == 0 || b->options.keeps_strays || b->options.kept_of)
		return;
	in = builder_this_input(b);
	if (!b->times.keeps_all && stray_find(&b->times, &found)) {
		in->has_kept = b->has_strays = true;
		in->kept_t0 = found.before.has ? found.t0 : INT64_MIN;
		in->kept_t1 = found.after.has ? found.t1 : INT64_MAX;
		b->has_stray_samples |= found.before.n_samples || found.after.n_samples;
		warn(b, builder_this_input_index(b), &found);
	}
	if (!b->times.keeps_all)
		set_window(b, &found);
	stray_init(&b->times);
}

/* ---- what there is ---- */

/* Count sample i, which is a stretch. Returns whether it is one. */
static bool count_stretch(struct builder *b, const struct lane *lane, size_t i)
{
	const struct cpu_raw *raw = &b->raw;

	if (is_gap(b, lane, raw->samples[i]))
		return false;
	stray_add_samples(&b->times, raw->times[i], raw->times[i + 1], 1);
	return true;
}

/* As stray_add_lane(). */
static void count_stretches(struct builder *b, const struct lane *lane)
{
	const struct cpu_raw *raw = &b->raw;
	size_t first = 0, end = raw->n_samples, n = 0;

	while (first < end && n < STRAY_MAX)
		n += count_stretch(b, lane, first++);
	for (n = 0; end > first && n < STRAY_MAX;)
		n += count_stretch(b, lane, --end);
	while (first < end && is_gap(b, lane, raw->samples[first]))
		first++;
	while (first < end && is_gap(b, lane, raw->samples[end - 1]))
		end--;
	if (first < end)
		stray_add_samples(&b->times, raw->times[first], raw->times[end], end - first);
}

void builder_stray_lane(struct builder *b, const struct lane *lane, const struct sample_bounds *of,
			int64_t end)
{
	const struct cpu_raw *raw = &b->raw;

	if (!lane_has_times(lane) || !amount_is_time(&b->profile->unit))
		return;
	if (lane->t0 < of->first)
		stray_add_slowly(&b->times, lane->t0, lane->t0, 0, -1);
	if (lane->t1 > end)
		stray_add_slowly(&b->times, lane->t1, lane->t1, 0, -1);
	if (builder_is_partial(b))
		return;
	if (!raw->times)
		stray_add_samples(&b->times, of->first, of->last, of->n);
	else if (sample_time_is_stretches(raw, of))
		count_stretches(b, lane);
	else
		stray_add_lane(&b->times, raw->times, raw->n_samples);
}

void builder_stray_cut_frame(const struct builder *b, struct lane *lane,
			     const struct sample_bounds *of, int64_t end)
{
	const struct input *in = &b->profile->inputs[lane->input];

	if (!b->has_kept || !lane_has_times(lane))
		return;
	if (lane->t0 < in->kept_t0)
		lane->t0 = of->first;
	if (lane->t1 > in->kept_t1)
		lane->t1 = end;
}

void builder_stray_slice(struct builder *b, enum lane_kind kind, const struct track_slice *s)
{
	bool is_open = s->flags & SLICE_UNFINISHED,
	     is_older = kind == LANE_OBJECTS && (s->flags & SLICE_NOT_CREATED);
	bool is_life = kind == LANE_OBJECTS && s->t1 > s->t0;
	int64_t t0 = s->t0, t1 = s->t1 > s->t0 ? s->t1 : s->t0;

	/* The marks of a lifetime are its events. */
	if (is_older && is_open)
		return;
	stray_add(&b->times, is_older ? t1 : t0, is_open ? t0 : t1,
		  is_life ? 0 : 1 + (s->end_offset >= 0), s->offset);
}
