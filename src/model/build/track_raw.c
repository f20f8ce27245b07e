/* SPDX-License-Identifier: GPL-2.0-or-later */
/* While a trace is read, slices are packed in the order of the file. slice_order() unpacks those of
 * a track and sorts them, in the arena of the thread that makes its lanes. */
#include "config.h"

#include "model/build/track_raw.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ==== slice arena ====
 *
 * Memory in which a thread makes lanes of one track after another. New memory costs a page fault
 * for each page, which is more than the work on it. */

/* Tracks with more slices have arrays of their own, which shrink while slices are taken. */
#define SLICE_ARENA_MAX ((size_t)131072)

/* Replace an array that is too small. What is in it is not needed. */
static void *array_of(void *p, size_t *cap, size_t n, size_t size)
{
	if (n <= *cap)
		return p;
	free(p);
	*cap = n;
	return xmalloc(n * size);
}

/* ==== slice pack ====
 *
 * Slices that follow each other are near each other in time and in the file. So a slice is stored
 * as its distance from the slice before it, in words of 64 bits with two numbers each:
 *
 *     number of the frame, form         t1 - t0
 *     t0, distance                      where, distance; HAS_NEAR_GROUP: 20 bits, 12 of the group
 *     end_offset, distance; 0: none     group                (only with HAS_MORE, HAS_GROUP)
 *
 * A slice with a number that does not fit is stored as a word WIDE and a struct wide. */

#define CHUNK_WORDS ((size_t)32 << 10) /* freed, they serve as arrays of lanes */
#define FIRST_WORDS ((size_t)16)
#define HAS_MORE 1u
#define HAS_GROUP 2u /* without a raw_more: RAW_GROUP */
#define HAS_NEAR_GROUP 3u
#define FORM_BITS 2
#define FORM ((1u << FORM_BITS) - 1)
#define NEAR_BITS 20 /* of `where`; the group has the others */
#define WIDE UINT32_MAX

struct pack_chunk {
	uint64_t *words;
	size_t cap, used; /* used: not of the last chunk */
};

struct wide {
	struct raw_slice slice;
	struct raw_more more;
	unsigned form;
};

#define WIDE_WORDS (1 + sizeof(struct wide) / sizeof(uint64_t))

static void slice_pack_done(struct slice_pack *pack)
{
	for (size_t i = 0; i < pack->n_chunks; i++)
		free(pack->chunks[i].words);
	free(pack->chunks);
	*pack = (struct slice_pack){ 0 };
}

/* Make room for a slice. Few slices have one chunk, which grows. */
static void grow(struct slice_pack *pack)
{
	struct pack_chunk *last = pack->n_chunks ? &pack->chunks[pack->n_chunks - 1] : NULL;
	size_t used = last ? (size_t)(pack->p - last->words) : 0;

	if (last && last->cap < CHUNK_WORDS) {
		last->cap *= 2;
		last->words = xrealloc(last->words, last->cap, sizeof *last->words);
	} else {
		if (last)
			last->used = used;
		last = ARRAY_ADD(pack->chunks, pack->n_chunks, pack->cap_chunks);
		last->cap = pack->n_chunks > 1 ? CHUNK_WORDS : FIRST_WORDS;
		last->words = xmalloc(last->cap * sizeof *last->words);
		used = 0;
	}
	pack->p = last->words + used;
	pack->end = last->words + last->cap;
}

/* Variants have the highest bit and small numbers: that bit becomes the lowest one. */
static uint64_t number_of_frame(frame_id frame)
{
	return (uint32_t)(frame << 1 | frame >> 31);
}

/* Distances may overflow. */
static int64_t moved(int64_t from, uint64_t distance)
{
	return (int64_t)((uint64_t)from + distance);
}

static bool fits(uint64_t distance)
{
	return (int64_t)distance == (int32_t)distance;
}

/* The end as a distance from the offset of the slice; 0: it has none. *fits: cleared if it has no
 * room. */
static uint32_t end_of(int64_t end, int64_t where, bool *fits)
{
	int64_t offset = where >> SLICE_FLAG_BITS;

	if (end < 0) {
		*fits &= end == -1;
		return 0;
	}
	*fits &= end > offset && offset >= 0 && end - offset <= UINT32_MAX;
	return (uint32_t)((uint64_t)end - (uint64_t)offset);
}

/* Not inline: then slice_pack_add() needs no memory for it. */
static __attribute__((noinline)) void add_wide(struct slice_pack *pack,
					       const struct raw_slice *slice, unsigned form,
					       struct raw_more more)
{
	struct wide wide;

	memset(&wide, 0, sizeof wide);
	wide.slice = *slice;
	wide.more = more;
	wide.form = form;
	*pack->p = WIDE;
	memcpy(pack->p + 1, &wide, sizeof wide);
	pack->p += WIDE_WORDS;
}

/* Add a slice with any values. slice->more is not used; has_more: whether the slice has `more`,
 * otherwise only its group counts, which is below RAW_GROUP. */
static void slice_pack_add(struct slice_pack *pack, const struct raw_slice *slice, bool has_more,
			   struct raw_more more)
{
	uint64_t t0 = (uint64_t)slice->t0 - pack->t0,
		 length = (uint64_t)slice->t1 - (uint64_t)slice->t0,
		 where = (uint64_t)slice->where - pack->where;
	bool is_near = where >> NEAR_BITS == 0 && more.group >> (32 - NEAR_BITS) == 0;
	unsigned form = has_more ? HAS_MORE
		: !more.group    ? 0
		: is_near        ? HAS_NEAR_GROUP
				 : HAS_GROUP;
	uint64_t frame = number_of_frame(slice->frame) << FORM_BITS | form;
	bool is_narrow = fits(t0) && fits(where) && length <= UINT32_MAX && frame < WIDE;
	uint32_t end = has_more ? end_of(more.end_offset, slice->where, &is_narrow) : 0;

	if ((size_t)(pack->end - pack->p) < WIDE_WORDS)
		grow(pack);
	pack->t0 = (uint64_t)slice->t0;
	pack->where = (uint64_t)slice->where;
	if (!is_narrow) {
		add_wide(pack, slice, form, more);
		return;
	}
	if (form == HAS_NEAR_GROUP)
		where |= (uint64_t)more.group << NEAR_BITS;
	*pack->p++ = frame | length << 32;
	*pack->p++ = (uint32_t)t0 | where << 32;
	if (form == HAS_MORE || form == HAS_GROUP)
		*pack->p++ = end | (uint64_t)more.group << 32;
}

/* What slice->more is before the track's `more` is there. */
static uint32_t more_of(unsigned form, uint32_t group)
{
	return form > HAS_MORE ? RAW_GROUP | group : form;
}

static const uint64_t *take_wide(const uint64_t *p, struct raw_slice *slice, struct raw_more *more)
{
	struct wide wide;

	memcpy(&wide, p + 1, sizeof wide);
	*slice = wide.slice;
	slice->more = more_of(wide.form, wide.more.group);
	if (wide.form == HAS_MORE)
		*more = wide.more;
	return p + WIDE_WORDS;
}

/* Read a slice that comes after *slice, and pass it. slice->more: HAS_MORE, or RAW_GROUP and a
 * group, or 0. */
static const uint64_t *take_slice(const uint64_t *p, struct raw_slice *slice, struct raw_more *more)
{
	uint32_t frame = (uint32_t)p[0], where = (uint32_t)(p[1] >> 32), end;
	unsigned form = frame & FORM;
	uint32_t number;

	if (frame == WIDE)
		return take_wide(p, slice, more);
	slice->t0 = moved(slice->t0, (uint64_t)(int32_t)p[1]);
	slice->t1 = moved(slice->t0, p[0] >> 32);
	number = frame >> FORM_BITS;
	slice->frame = number >> 1 | number << 31;
	if (form == HAS_NEAR_GROUP) {
		slice->where = moved(slice->where, where & ((1u << NEAR_BITS) - 1));
		slice->more = RAW_GROUP | where >> NEAR_BITS;
		return p + 2;
	}
	slice->where = moved(slice->where, (uint64_t)(int32_t)where);
	slice->more = form ? more_of(form, (uint32_t)(p[2] >> 32)) : 0;
	if (form == HAS_MORE) {
		end = (uint32_t)p[2];
		*more = (struct raw_more){ end ? (slice->where >> SLICE_FLAG_BITS) + end : -1,
					   (uint32_t)(p[2] >> 32) };
	}
	return p + (form ? 3 : 2);
}

/* Write all slices to an array, and those that have it to `more`, both in the order in which they
 * were added. The list is freed meanwhile. */
static void slice_pack_take(struct slice_pack *pack, struct raw_slice *slices,
			    struct raw_more *more)
{
	struct raw_slice slice = { 0 };
	uint32_t n_more = 0;

	for (size_t i = 0; i < pack->n_chunks; i++) {
		struct pack_chunk *chunk = &pack->chunks[i];
		const uint64_t *p = chunk->words,
			       *end = i + 1 < pack->n_chunks ? p + chunk->used : pack->p;

		while (p < end) {
			p = take_slice(p, &slice, more);
			*slices = slice;
			if (slice.more == HAS_MORE) {
				slices->more = ++n_more;
				more++;
			}
			slices++;
		}
		free(chunk->words);
		chunk->words = NULL;
	}
	slice_pack_done(pack);
}

/* ==== track raw ==== */

void track_raw_done(struct tracks *tracks)
{
	for (uint32_t i = 0; i < tracks->n; i++) {
		track_raw_free_slices(&tracks->tracks[i]);
		free(tracks->tracks[i].covers);
	}
	for (uint32_t i = 0; i < tracks->n_counters; i++) {
		for (uint32_t k = 0; k < tracks->counters[i].n_series; k++) {
			free(tracks->counters[i].series[k].t);
			free(tracks->counters[i].series[k].value);
		}
		free(tracks->counters[i].series);
	}
	free(tracks->variants.list);
	hash_table_done(&tracks->event_cats);
	free(tracks->tracks);
	free(tracks->counters);
	free(tracks->flows);
	free(tracks->left_flows);
	free(tracks->names.list);
	hash_table_done(&tracks->names.index);
	*tracks = (struct tracks){ 0 };
}

void track_raw_add(struct raw_track *t, const struct raw_slice *slice, int64_t end_offset,
		   uint32_t group)
{
	bool has_more = end_offset >= 0 || lane_kind_has_groups(t->kind) || t->has_layers ||
		t->is_placed;

	slice_pack_add(&t->pack, slice, has_more, (struct raw_more){ end_offset, group });
	t->n++;
	t->n_more += has_more;
}

void track_raw_unpack(struct raw_track *t)
{
	if (t->slices || t->n == 0)
		return;
	t->is_in_room = t->room && t->n <= SLICE_ARENA_MAX;
	if (t->is_in_room) {
		struct slice_arena *r = t->room;

		t->slices = r->slices = array_of(r->slices, &r->cap_slices, t->n,
						 sizeof *r->slices);
		if (t->n_more)
			t->more = r->more = array_of(r->more, &r->cap_more, t->n_more,
						     sizeof *r->more);
	} else {
		t->slices = xmalloc(t->n * sizeof *t->slices);
		if (t->n_more)
			t->more = xmalloc(t->n_more * sizeof *t->more);
	}
	slice_pack_take(&t->pack, t->slices, t->more);
}

void track_raw_free_slices(struct raw_track *t)
{
	slice_pack_done(&t->pack);
	if (!t->is_in_room) {
		free(t->slices);
		free(t->more);
	}
	t->slices = NULL;
	t->more = NULL;
}

/* ==== slice stacks ====
 *
 * Layers are made when an overlap first needs them, and found by their row. */

static size_t add_layer(struct slice_stacks *s, int row)
{
	*ARRAY_ADD(s->layers, s->n_layers,
		   s->cap_layers) = (struct slice_layer){ .first_row = row, .until = INT64_MIN };
	return s->n_layers - 1;
}

/* The layer for a slice that starts at t on `row` and is not inside the slice `around`; `around`'s
 * own if there are too many. */
static size_t find_layer(struct slice_stacks *s, int row, int64_t t,
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

struct slice_open *slice_stacks_put(struct slice_stacks *s, struct raw_slice *slice)
{
	const struct slice_open *around;
	struct slice_layer *layer;
	size_t i = 0;
	int row = 0, depth = 0;
	int64_t t1 = slice->t1;

	slice_stacks_close(s, slice->t0);
	around = s->n ? &s->open[s->n - 1] : NULL;
	if (around) {
		bool is_inside = t1 - around->end <= SLICE_STACKS_OVERSHOOT_NS;

		row = around->row + 1;
		i = around->layer;
		if (!is_inside) {
			if (s->n_overlaps++ == 0)
				s->first_overlap = raw_where(slice) >> SLICE_FLAG_BITS;
			slice->where |= SLICE_OVERLAPS;
		}
		if (!is_inside || around->t1 <= slice->t0)
			i = find_layer(s, row, slice->t0, around);
		if (i == around->layer && around->t1 > slice->t0) {
			depth = around->depth + 1;
			t1 = t1 < around->t1 ? t1 : around->t1;
		}
	} else if (s->n_layers == 0) {
		find_layer(s, 0, slice->t0, NULL);
	}
	layer = &s->layers[i];
	if (row >= s->n_rows)
		s->n_rows = row + 1;
	if (depth >= layer->n_rows)
		layer->n_rows = depth + 1;
	if (slice->t1 > layer->until)
		layer->until = slice->t1;
	return slice_stacks_push(
		s, &(struct slice_open){ t1, slice->t1, row, depth, (uint32_t)i, NODE_ROOT, 0 });
}

/* ==== slice order ====
 *
 * A stable merge sort in place: most of a file is sorted already, and there may be no memory for a
 * second copy of it.
 *
 * 1. A slice that is written when it ends comes directly after the slices inside it. So most of two
 *    parts that are merged stays in place; only the middle is moved.
 * 2. At most an eighth of the slices is copied to spare memory. If both parts of a merge are
 *    longer, pieces of them are exchanged until one fits.
 *
 * At the end the order is reversed: slices are then taken from the end of the array, and their
 * memory can be given back for what is made of them. */

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
	SORT_BISECT(from, end, mid, !is_before(o, key, &o->all[mid]));
	return from;
}

/* The first index of [from, end) whose slice need not come before `key`. */
static size_t find_not_before(const struct order *o, size_t from, size_t end,
			      const struct raw_slice *key)
{
	SORT_BISECT(from, end, mid, is_before(o, &o->all[mid], key));
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
	if (track->is_in_room)
		o.spare = track->room->spare = array_of(track->room->spare, &track->room->cap_spare,
							o.n_spare, sizeof *o.spare);
	else
		o.spare = xmalloc(o.n_spare * sizeof *o.spare);
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

SORT_ORDER(by_start, struct start, SORT_BY_2(x->t0, y->t0, x->group, y->group))

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

/* The row of a slice; zeroed: it has none. */
static struct raw_row row_of(const struct raw_track *track, const struct raw_slice *slice)
{
	int64_t offset = raw_where(slice) >> SLICE_FLAG_BITS;
	size_t lo = 0, n = track->n_rows;

	SORT_BISECT(lo, n, mid, track->rows[mid].offset < offset);
	return lo < track->n_rows && track->rows[lo].offset == offset
		? track->rows[lo]
		: (struct raw_row){ .name = 0 };
}

struct slice_group *slice_order_groups(struct raw_track *track)
{
	ALLOC_LOCAL struct start *starts = NULL;
	struct slice_group *groups;
	ALLOC_LOCAL uint32_t *number = NULL;
	uint32_t n;

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
		groups[i] = (struct slice_group){ .t0 = starts[i].t0, .t1 = starts[i].t0 };
	}
	for (size_t i = 0; i < track->n; i++) {
		struct raw_more *more = &track->more[track->slices[i].more - 1];

		more->group = number[more->group];
		if (track->slices[i].t1 > groups[more->group].t1)
			groups[more->group].t1 = track->slices[i].t1;
		if (track->n_rows && !groups[more->group].row.name)
			groups[more->group].row = row_of(track, &track->slices[i]);
	}
	slice_order(track);
	return groups;
}
