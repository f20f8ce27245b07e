/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the lanes of all tracks and counters. Tracks are independent of each other, so two threads
 * take them in turn; the lanes are put into the profile in the order of the tracks. */
#include "config.h"

#include "model/build/track_lanes.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "model/build/builder_lane.h"
#include "model/build/builder_state.h"
#include "model/build/counter_lane.h"
#include "model/build/partial/track_filter.h"
#include "model/build/slice_cover.h"
#include "model/build/slice_lane.h"

#include <stdatomic.h>
#include <stdlib.h>

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
	struct slice_room room = { 0 };
	unsigned i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->n) {
		struct raw_track *track = &w->tracks[w->order[i]];

		track->room = &room;
		slice_lane_make_all(track, &w->made[w->order[i]], &w->progress);
		track->room = NULL;
	}
	slice_room_done(&room);
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
