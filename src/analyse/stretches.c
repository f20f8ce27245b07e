/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk over the samples. Where slices of the thread overlap, lists say in which time the samples
 * of its first lane are not all (model/slices.h); the walk goes through them, too.
 *
 * Where there are twice as many as are wanted, the shorter half goes: so a
 * stretch costs the logarithm of the number that is wanted. */
#include "config.h"

#include "analyse/stretches.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/slices.h"

#include <stdlib.h>

SORT_BEFORE(stretch_is_before, struct stretch, x->t1 - x->t0 > y->t1 - y->t0)

void stretches_settle(struct stretches *found)
{
	sort_stable(found->list, found->n, sizeof *found->list, stretch_is_before, NULL);
	if (found->n < found->most || found->most == 0)
		return;
	found->n = found->most;
	found->least_ns = found->list[found->n - 1].t1 - found->list[found->n - 1].t0;
}

/* Stretches without length do not count. */
static void take(struct stretches *found, const struct stretch *s)
{
	if (s->t1 <= s->t0)
		return;
	found->all++;
	if (found->most == 0 || s->t1 - s->t0 <= found->least_ns)
		return;
	*ARRAY_ADD(found->list, found->n, found->cap) = *s;
	if (found->n / 2 >= found->most)
		stretches_settle(found);
}

enum node_state { STATE_BUSY, STATE_IDLE, STATE_EMPTY, STATE_NONE };

/* By node: what a sample with this leaf says. */
static uint8_t *find_states(const struct profile *p, const struct calltree *tree)
{
	uint8_t *state = xmalloc(tree->n);

	state[NODE_ROOT] = STATE_EMPTY;
	for (node_id i = 1; i < tree->n; i++)
		state[i] = p->frames.frames[tree->frame[i]].category == CATEGORY_IDLE ? STATE_IDLE
										      : STATE_BUSY;
	return state;
}

/* A walk through the time of a lane. */
struct stretch_walk {
	struct stretches *found; /* by whether they are busy */
	struct stretch now;
	bool in_pause;
	int64_t bridge_ns;   /* a pause up to this length is none */
	struct stretch busy; /* before the pause `now`; t1 <= t0: nothing */
	/* Of overlapping slices: what the samples have less and more; NULL: nothing. */
	const struct slice_time *time;
	size_t less, more; /* the next stretches of these */
};

/* Take the stretch that has ended, and the busy one before a pause. */
static void take_now(struct stretch_walk *w, int64_t end)
{
	w->now.t1 = end;
	if (w->busy.t1 > w->busy.t0)
		take(&w->found[true], &w->busy);
	w->busy.t1 = w->busy.t0;
	take(&w->found[!w->in_pause], &w->now);
}

/* The next part of the walk begins. A busy stretch waits for the length of the pause behind it. */
static void pass(struct stretch_walk *w, int64_t from, bool is_pause, bool is_sampled)
{
	if (is_pause && !w->in_pause) {
		w->busy = w->now;
		w->busy.t1 = from;
		w->now = (struct stretch){ .lane = w->now.lane, .t0 = from };
	} else if (w->in_pause && !is_pause && w->busy.t1 > w->busy.t0 && w->now.is_sampled &&
		   from - w->now.t0 <= w->bridge_ns) {
		w->now = w->busy;
		w->busy.t1 = w->busy.t0;
	} else if (w->in_pause && !is_pause) {
		take_now(w, from);
		w->now = (struct stretch){ .lane = w->now.lane, .t0 = from };
	}
	w->in_pause = is_pause;
	w->now.is_sampled |= is_sampled;
}

/* Whether t is in a stretch of the list. *end: cut to where that changes. */
static bool is_in(const struct slice_stretches *list, size_t *at, int64_t t, int64_t *end)
{
	int64_t change;

	while (*at < list->n && list->list[*at].t1 <= t)
		++*at;
	if (*at == list->n)
		return false;
	change = list->list[*at].t0 > t ? list->list[*at].t0 : list->list[*at].t1;
	*end = change < *end ? change : *end;
	return list->list[*at].t0 <= t;
}

/* Pass [from, to), in which the samples say the same. Slices of the thread may be open that these
 * do not have. */
static void pass_sample(struct stretch_walk *w, int64_t from, int64_t to, bool is_pause,
			bool is_sampled)
{
	if (!w->time)
		pass(w, from, is_pause, is_sampled);
	for (int64_t end; w->time && from < to; from = end) {
		bool is_less, is_more;

		end = to;
		is_less = is_in(&w->time->less, &w->less, from, &end);
		is_more = is_in(&w->time->more, &w->more, from, &end);
		pass(w, from, (is_pause || is_less) && !is_more,
		     (is_sampled && !is_less) || is_more);
	}
}

void stretches_add(struct stretches found[2], const struct profile *p, const struct lane *lane,
		   int64_t t0, int64_t t1)
{
	ALLOC_LOCAL uint8_t *states = find_states(p, &lane->tree);
	const struct samples *s = &lane->samples;
	struct stretch_walk w = { .found = found,
				  .now = { .lane = lane, .t0 = t0 },
				  .in_pause = true,
				  .bridge_ns = lane_bridge_ns(lane),
				  .time = lane->slice_time };
	int64_t end = s->n && samples_time(s, s->n) > t0 ? samples_time(s, s->n) : t0;
	size_t until = s->n ? times_until(&s->times, s->n, t1 - 1) : 0;
	enum node_state last = STATE_NONE;

	if (s->n && samples_time(s, 0) > t0)
		pass_sample(&w, t0, samples_time(s, 0) < t1 ? samples_time(s, 0) : t1, true, false);
	for (size_t i = s->n ? samples_find(s, t0) : 0; i < until; i++) {
		enum node_state state = states[s->leaf[i]];
		int64_t from, to;

		/* What says the same as the sample before changes nothing. */
		if (state == last && !w.time)
			continue;
		from = samples_time(s, i) > t0 ? samples_time(s, i) : t0;
		to = samples_time(s, i + 1);
		if (to <= from)
			continue;
		pass_sample(&w, from, to < t1 ? to : t1, state != STATE_BUSY, state != STATE_EMPTY);
		last = state;
	}
	/* The time after the last sample is unknown. */
	if (end < t1)
		pass_sample(&w, end, t1, true, false);
	take_now(&w, t1);
}
