/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stable merge sort in place: most of a file is sorted already, and there may be no memory for a
 * second copy of it.
 *
 * 1. A slice that is written when it ends comes directly after the slices inside it. So most of two
 *    parts that are merged stays in place; only the middle is moved.
 * 2. At most an eighth of the slices is copied to spare memory. If both parts of a merge are
 * longer, pieces of them are exchanged until one fits.
 *
 * At the end the order is reversed: slices are then taken from the end of the array, and their
 * memory can be given back for what is made of them. */
#include "config.h"

#include "model/build/slice_order.h"

#include "base/alloc.h"
#include "base/units.h"
#include "model/build/track_raw.h"
#include "model/calltree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ==== slice stacks ====
 *
 * Layers are made when an overlap first needs them, and found by their row. */

void slice_stacks_done(struct slice_stacks *s)
{
	free(s->open);
	free(s->layers);
	free(s->at_row);
	*s = (struct slice_stacks){ 0 };
}

static size_t add_layer(struct slice_stacks *s, int row)
{
	s->layers = xgrow(s->layers, &s->cap_layers, s->n_layers + 1, sizeof *s->layers);
	s->layers[s->n_layers] = (struct slice_layer){ .first_row = row, .until = INT64_MIN };
	return s->n_layers++;
}

size_t slice_stacks_layer(struct slice_stacks *s, int row, int64_t t,
			  const struct slice_open *around)
{
	size_t at = (size_t)row;

	if (at >= s->n_at_row) {
		size_t n = s->n_at_row;

		s->at_row = xgrow(s->at_row, &s->n_at_row, at + 1, sizeof *s->at_row);
		memset(s->at_row + n, 0, (s->n_at_row - n) * sizeof *s->at_row);
	}
	/* It is free unless it had to take slices of other rows. */
	if (s->at_row[at] && s->layers[s->at_row[at] - 1].until <= t)
		return s->at_row[at] - 1;
	if (!s->at_row[at] && s->n_layers < SLICE_STACKS_MAX) {
		s->at_row[at] = (uint32_t)add_layer(s, row) + 1;
		return s->at_row[at] - 1;
	}
	for (size_t i = s->n_layers; i-- > 0;)
		if (s->layers[i].until <= t)
			return i;
	assert(around);
	return around->layer;
}

/* ==== slice order ==== */

#define SHORT 16u /* parts of this length are sorted by insertion */
#define MIN_SPARE 512u

struct order {
	const struct raw_track *track;
	bool has_groups;
	struct raw_slice *all;
	struct raw_slice *spare;
	size_t n_spare;
};

/* The order when starts are equal, or with groups. Readers pass pairs of B and E after all X, so
 * the offset decides, not the order of the array. */
static bool is_before_there(const struct order *o, const struct raw_slice *a,
			    const struct raw_slice *b)
{
	if (o->has_groups && raw_group(o->track, a) != raw_group(o->track, b))
		return raw_group(o->track, a) < raw_group(o->track, b);
	return raw_is_before(a, b, o->track->kind == LANE_SLICES && !o->track->is_placed);
}

static inline bool is_before(const struct order *o, const struct raw_slice *a,
			     const struct raw_slice *b)
{
	return a->t0 == b->t0 || o->has_groups ? is_before_there(o, a, b) : a->t0 < b->t0;
}

/* The first index of [from, end) whose slice must come after `key`. */
static size_t find_after(const struct order *o, size_t from, size_t end,
			 const struct raw_slice *key)
{
	while (from < end) {
		size_t mid = from + (end - from) / 2;

		if (is_before(o, key, &o->all[mid]))
			end = mid;
		else
			from = mid + 1;
	}
	return from;
}

/* The first index of [from, end) whose slice need not come before `key`. */
static size_t find_not_before(const struct order *o, size_t from, size_t end,
			      const struct raw_slice *key)
{
	while (from < end) {
		size_t mid = from + (end - from) / 2;

		if (is_before(o, &o->all[mid], key))
			from = mid + 1;
		else
			end = mid;
	}
	return from;
}

static void turn_round(struct raw_slice *all, size_t from, size_t end)
{
	while (from + 1 < end) {
		struct raw_slice swap = all[from];

		all[from++] = all[--end];
		all[end] = swap;
	}
}

/* Merge with a copy of the left part. */
static void merge_up(const struct order *o, size_t from, size_t mid, size_t end)
{
	struct raw_slice *all = o->all, *spare = o->spare;
	size_t n = mid - from, i = 0, k = from;

	memcpy(spare, all + from, n * sizeof *all);
	while (i < n && mid < end) {
		bool is_right = is_before(o, &all[mid], &spare[i]);

		all[k++] = *(is_right ? &all[mid] : &spare[i]);
		mid += is_right;
		i += !is_right;
	}
	memcpy(all + k, spare + i, (n - i) * sizeof *all);
}

/* Merge with a copy of the right part. */
static void merge_down(const struct order *o, size_t from, size_t mid, size_t end)
{
	struct raw_slice *all = o->all, *spare = o->spare;
	size_t n = end - mid, k = end;

	memcpy(spare, all + mid, n * sizeof *all);
	while (n > 0 && mid > from) {
		bool is_left = is_before(o, &spare[n - 1], &all[mid - 1]);

		all[--k] = *(is_left ? &all[mid - 1] : &spare[n - 1]);
		mid -= is_left;
		n -= !is_left;
	}
	memcpy(all + from, spare, n * sizeof *all);
}

/* Merge [from, mid) and [mid, end), each of which is sorted. */
static void merge(const struct order *o, size_t from, size_t mid, size_t end)
{
	while (from < mid && mid < end && is_before(o, &o->all[mid], &o->all[mid - 1])) {
		size_t x, y;

		from = find_after(o, from, mid, &o->all[mid]);
		end = find_not_before(o, mid, end, &o->all[mid - 1]);
		if (end - mid <= o->n_spare && end - mid <= mid - from) {
			merge_down(o, from, mid, end);
			return;
		}
		if (mid - from <= o->n_spare) {
			merge_up(o, from, mid, end);
			return;
		}
		/* Exchange the second half of the longer part with the slices of the other part
		 * that come before it. */
		if (mid - from >= end - mid) {
			x = from + (mid - from) / 2;
			y = find_not_before(o, mid, end, &o->all[x]);
		} else {
			y = mid + (end - mid) / 2;
			x = find_after(o, from, mid, &o->all[y]);
		}
		turn_round(o->all, x, mid);
		turn_round(o->all, mid, y);
		turn_round(o->all, x, y);
		merge(o, from, x, x + (y - mid));
		from = x + (y - mid);
		mid = y;
	}
}

static void sort_short(const struct order *o, size_t from, size_t end)
{
	for (size_t i = from + 1; i < end; i++) {
		struct raw_slice slice = o->all[i];
		size_t k = i;

		while (k > from && is_before(o, &slice, &o->all[k - 1])) {
			o->all[k] = o->all[k - 1];
			k--;
		}
		o->all[k] = slice;
	}
}

/* Unpack and sort, the first slice first. */
static void sort(struct raw_track *track)
{
	struct order o = { .track = track, .has_groups = lane_kind_has_groups(track->kind) };
	size_t n = track->n, i = 1;

	track_raw_unpack(track);
	o.all = track->slices;
	while (i < n && !is_before(&o, &o.all[i], &o.all[i - 1]))
		i++;
	if (i >= n)
		return;
	o.n_spare = n / 8 + MIN_SPARE;
	o.spare = track->is_in_room ? slice_arena_spare(track->room, o.n_spare)
				    : xmalloc(o.n_spare * sizeof *o.spare);
	for (i = 0; i < n; i += SHORT)
		sort_short(&o, i, n - i < SHORT ? n : i + SHORT);
	for (size_t width = SHORT; width < n; width *= 2)
		for (i = 0; i + width < n; i += 2 * width)
			merge(&o, i, i + width, n - i < 2 * width ? n : i + 2 * width);
	if (!track->is_in_room)
		free(o.spare);
}

void slice_order(struct raw_track *track)
{
	sort(track);
	turn_round(track->slices, 0, track->n);
}

/* ---- groups ---- */

struct start {
	int64_t t0;
	uint32_t group;
};

static int by_start(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->t0 != y->t0)
		return x->t0 < y->t0 ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

/* Number the groups of sorted slices from 0 on. Returns their number. */
static uint32_t count_groups(struct raw_track *track)
{
	uint32_t n = 0, before = 0;

	for (size_t i = 0; i < track->n; i++) {
		uint32_t *group = &track->more[track->slices[i].more - 1].group;

		n += i == 0 || *group != before;
		before = *group;
		*group = n - 1;
	}
	return n;
}

struct slice_group *slice_order_groups(struct raw_track *track)
{
	struct start *starts;
	struct slice_group *groups;
	uint32_t *number, n;

	sort(track);
	n = count_groups(track);
	starts = xmalloc(n * sizeof *starts);
	for (size_t i = track->n; i-- > 0;)
		starts[raw_group(track, &track->slices[i])] =
			(struct start){ track->slices[i].t0, raw_group(track, &track->slices[i]) };
	qsort(starts, n, sizeof *starts, by_start);
	number = xmalloc(n * sizeof *number);
	groups = xmalloc(n * sizeof *groups);
	for (uint32_t i = 0; i < n; i++) {
		number[starts[i].group] = i;
		groups[i] = (struct slice_group){ starts[i].t0, starts[i].t0 };
	}
	for (size_t i = 0; i < track->n; i++) {
		struct raw_more *more = &track->more[track->slices[i].more - 1];

		more->group = number[more->group];
		if (track->slices[i].t1 > groups[more->group].t1)
			groups[more->group].t1 = track->slices[i].t1;
	}
	free(starts);
	free(number);
	slice_order(track);
	return groups;
}
