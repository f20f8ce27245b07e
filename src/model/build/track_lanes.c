/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the lanes of all tracks and counters. Tracks are independent of each other, so two threads
 * take them in turn; the lanes are put into the profile in the order of the tracks. */
#include "config.h"

#include "model/build/track_lanes.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "base/sort.h"
#include "base/thread.h"
#include "model/build/builder.h"
#include "model/build/builder_state.h"
#include "model/build/partial/track_filter.h"
#include "model/build/slice_lane.h"
#include "model/build/track_raw.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ==== counter lane ====
 *
 * Values are sorted by time. Values with equal times stay in the order of the file, and the last
 * one holds. */

struct value {
	int64_t t;
	double value;
};

static bool is_earlier(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct value *)a)->t < ((const struct value *)b)->t;
}

/* Stable: of several values at one time the last one holds. */
static void sort_series(struct raw_series *s)
{
	size_t n = s->n, i = 1;
	struct value *all;

	while (i < n && s->t[i - 1] <= s->t[i])
		i++;
	if (i >= n)
		return;
	all = xmalloc(n * sizeof *all);
	for (i = 0; i < n; i++)
		all[i] = (struct value){ s->t[i], s->value[i] };
	sort_stable(all, n, sizeof *all, is_earlier, NULL);
	for (i = 0; i < n; i++) {
		s->t[i] = all[i].t;
		s->value[i] = all[i].value;
	}
	free(all);
}

/* Add the lane of a counter that has values. Takes over the arrays of its series. */
static void counter_lane_build(struct builder *b, struct raw_counter *c)
{
	struct lane *lane;

	if (c->n_series == 0)
		return;
	lane = builder_lane(b, LANE_COUNTER, c->input, c->pid, LANE_NO_ID);
	lane->title = c->name;
	lane->series = xcalloc(c->n_series, sizeof *lane->series);
	lane->n_series = c->n_series;
	lane->t0 = INT64_MAX;
	lane->t1 = INT64_MIN;
	for (uint32_t i = 0; i < c->n_series; i++) {
		struct raw_series *from = &c->series[i];

		sort_series(from);
		lane->series[i] = (struct series){ .name = from->name,
						   .n = from->n,
						   .t = from->t,
						   .value = from->value };
		from->t = NULL;
		from->value = NULL;
		series_index(&lane->series[i]);
		if (lane->series[i].t[0] < lane->t0)
			lane->t0 = lane->series[i].t[0];
		if (lane->series[i].t[from->n - 1] > lane->t1)
			lane->t1 = lane->series[i].t[from->n - 1];
	}
	for (uint32_t i = 0; i < lane->n_series; i++)
		for (size_t k = 0; k < lane->series[i].n; k++)
			lane->series[i].t[k] -= lane->t0;
}

/* ==== threads without lane ====
 *
 * A process is listed by itself only if none of its threads is listed and it has no lane at all:
 * otherwise its name stands with its threads. */

static int by_thread(const void *a, const void *b)
{
	const struct profile_named *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static bool has_named_thread(const struct profile *p, size_t at)
{
	return at + 1 < p->n_named && p->named[at + 1].pid == p->named[at].pid;
}

void threads_without_lane_build(struct builder *b)
{
	struct profile *p = b->profile;
	size_t cap = 0;
	uint32_t n = 0;

	/* Of a part of the file it is not known which threads have no events. */
	if (builder_is_partial(b))
		return;
	for (size_t i = 0; i < b->tracks.names.n; i++) {
		const struct track_name *name = &b->tracks.names.list[i];
		const struct track_name *process = thread_names_find(&b->tracks.names, name->of,
								     name->pid, LANE_NO_ID);

		if (name->has_lane || !name->name)
			continue;
		p->named = xgrow(p->named, &cap, (size_t)p->n_named + 1, sizeof *p->named);
		p->named[p->n_named++] = (struct profile_named){
			.pid = name->pid,
			.tid = name->tid,
			.process_name = process ? process->name : 0,
			.thread_name = name->tid != LANE_NO_ID ? name->name : 0,
			.thread_title = name->title,
		};
	}
	if (p->n_named)
		qsort(p->named, p->n_named, sizeof *p->named, by_thread);
	/* The entry of a process (tid LANE_NO_ID) comes before those of its threads. */
	for (uint32_t i = 0; i < p->n_named; i++)
		if (p->named[i].tid != LANE_NO_ID || !has_named_thread(p, i))
			p->named[n++] = p->named[i];
	p->n_named = n;
}

/* ==== track lanes ==== */

#define MANY_SLICES 200000u /* from here on two threads are faster */

/* Threads take tracks one by one, large ones first. */
struct work {
	struct raw_track *tracks;
	struct slice_lanes *made; /* by track */
	const uint32_t *order;
	uint32_t n;
	atomic_uint next;
	struct progress_shared progress; /* in slices */
};

static void work_on(void *ctx)
{
	struct work *w = ctx;
	struct slice_arena room = { 0 };
	unsigned i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->n) {
		struct raw_track *track = &w->tracks[w->order[i]];

		track->room = &room;
		slice_lane_make_all(track, &w->made[w->order[i]], &w->progress);
		track->room = NULL;
	}
	slice_arena_done(&room);
}

struct size {
	size_t n;
	uint32_t track;
};

static int larger_first(const void *a, const void *b)
{
	const struct size *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

/* Sort the tracks by size. Returns the number of all slices. */
static size_t order_tracks(const struct tracks *t, uint32_t *order)
{
	struct size *sizes = xmalloc((size_t)t->n * sizeof *sizes);
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		sizes[i] = (struct size){ t->tracks[i].n, i };
		n += t->tracks[i].n;
	}
	qsort(sizes, t->n, sizeof *sizes, larger_first);
	for (uint32_t i = 0; i < t->n; i++)
		order[i] = sizes[i].track;
	free(sizes);
	return n;
}

static void make_tracks(struct tracks *t, struct slice_lanes *made, struct progress *progress)
{
	uint32_t *order = xmalloc((size_t)t->n * sizeof *order);
	struct work work = { .tracks = t->tracks, .made = made, .order = order, .n = t->n };

	size_t n = order_tracks(t, order);

	progress_shared_begin(&work.progress, progress, "putting slices in order", (int64_t)n);
	if (n >= MANY_SLICES && t->n > 1)
		parallel_run(work_on, &work);
	else
		work_on(&work);
	progress_step(progress, NULL, 0);
	free(order);
}

/* Put the lanes of a track into the profile. */
static void add_lanes(struct builder *b, uint32_t number, struct slice_lanes *made)
{
	struct raw_track *track = &b->tracks.tracks[number];
	uint32_t first = b->profile->n_lanes;

	if (track->filter)
		track_filter_add_lanes(b, track, made);
	else
		for (size_t i = 0; i < made->n; i++)
			builder_lane_take(b, &made->lanes[i]);
	if (track->kind != LANE_MARKS)
		slice_cover_unite(b->profile->lanes + first, b->profile->n_lanes - first);
	for (uint32_t i = first; i < b->profile->n_lanes; i++) {
		b->sources[i].number = number;
		b->profile->lanes[i].is_across = track->is_across;
	}
	if (made->n_overlaps)
		builder_warn_times(b, WARN_OVERLAP, made->first_overlap, made->n_overlaps);
	if (made->n_too_deep)
		builder_warn_times(b, WARN_TOO_DEEP, -1, made->n_too_deep);
	free(made->lanes);
}

void track_lanes_build(struct builder *b)
{
	struct tracks *t = &b->tracks;
	struct slice_lanes *made = xcalloc(t->n, sizeof *made);

	t->variants.frames = &b->profile->frames;
	for (uint32_t i = 0; i < t->n; i++) {
		t->tracks[i].variants = &t->variants;
		track_filter_end(&t->tracks[i]);
	}
	make_tracks(t, made, b->options.progress);
	for (uint32_t i = 0; i < t->n; i++)
		add_lanes(b, i, &made[i]);
	free(made);
	for (uint32_t i = 0; i < t->n_counters; i++)
		counter_lane_build(b, &t->counters[i]);
}
