/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the slices of a track to lanes (formats(5), SLICES).
 *
 * 1. Sorted by start, longer first, then as the file has them: a caller comes before what
 *    it contains.
 * 2. Each slice goes onto the stack of the deepest layer that is open at its start, if it ends
 *    in time; else it overlaps, and begins a layer of its own. Layers become joined lanes,
 *    one below the other. In tracks of groups a whole group goes onto the first layer that
 *    is free.
 * 3. A layer nests, so it is what samples say as well: whenever something opens or
 *    closes, a new stretch of time (a "sample") begins. A stretch of no time is kept only
 *    where it is all that a slice has.
 *
 * The first stretch that a slice is in is its `first`: no two slices of one depth share it, and those
 * that do lie on each other. That is how slice_of_span() finds it. */
#include "config.h"

#include "model/tracks.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/units.h"
#include "model/blocks.h"
#include "model/cpu_raw.h"
#include "model/slice_place.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LAYERS SLICE_LAYERS_MOST
#define OVERSHOOT_NS SLICE_OVERSHOOT_NS
#define DIGIT_BITS 11

/* An open slice. */
struct open_slice {
	int64_t t1;
	uint32_t node;
	int row;                 /* counted over all layers */
};

/* A layer while it is filled; times are absolute. */
struct layer {
	struct open_slice *stack;
	size_t n_open, cap_open;
	int64_t group_end;       /* groups: when the last one ended */

	uint32_t *parent;        /* draft of the tree */
	frame_id *frame;
	uint32_t n_nodes;
	size_t cap_nodes;
	uint32_t *slots;         /* by hash of parent and frame: node */
	size_t n_slots;

	int64_t *t;              /* samples */
	node_id *leaf;
	uint16_t *shared;
	size_t n, cap;
	int64_t now;             /* start of the stretch that is open */
	size_t kept;             /* rows that stayed open since the last sample */
	bool must;               /* a slice opened that is in no sample yet */

	size_t *slices;          /* indices into the track, in order */
	uint32_t *first;
	size_t n_slices, cap_slices;
};

/* ---- order ---- */

struct key {
	uint64_t t0;
	size_t at;
};

/* Stable, by t0, least digit first; digits that are all the same are passed over. */
static void radix_sort(struct key *keys, struct key *spare, size_t n)
{
	uint64_t differ = 0;
	struct key *from = keys, *to = spare;

	for (size_t i = 1; i < n; i++)
		differ |= keys[i].t0 ^ keys[0].t0;
	for (unsigned shift = 0; shift < 64 && differ >> shift; shift += DIGIT_BITS) {
		size_t count[(1 << DIGIT_BITS) + 1] = { 0 };
		struct key *swap = from;
		const uint64_t mask = (1 << DIGIT_BITS) - 1;

		if (!(differ >> shift & mask))
			continue;
		for (size_t i = 0; i < n; i++)
			count[(from[i].t0 >> shift & mask) + 1]++;
		for (size_t d = 1; d <= mask; d++)
			count[d] += count[d - 1];
		for (size_t i = 0; i < n; i++)
			to[count[from[i].t0 >> shift & mask]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof *keys);
}

/* Of two slices with the same times the one written first is the outer, on a thread; readers pass
 * pairs of B and E after all X. Elsewhere they know the order. */
static bool is_written_before(const struct raw_track *track, const struct raw_slice *a, const struct raw_slice *b)
{
	return track->kind == LANE_SLICES && a->where >> RAW_FLAG_BITS < b->where >> RAW_FLAG_BITS;
}

static bool is_before(const struct raw_track *track, const struct raw_slice *a, const struct raw_slice *b)
{
	if (a->t0 != b->t0)
		return a->t0 < b->t0;
	return a->t1 != b->t1 ? a->t1 > b->t1 : is_written_before(track, a, b);
}

/* Of one start, longer first. Few have the same start: insertion. */
static void sort_same_start(const struct raw_track *track, struct key *keys, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct key key = keys[i];
		size_t k = i;

		while (k > 0 && is_before(track, &track->slices[key.at], &track->slices[keys[k - 1].at])) {
			keys[k] = keys[k - 1];
			k--;
		}
		keys[k] = key;
	}
}

static int by_length(const void *a, const void *b)
{
	const struct raw_slice *const *x = a, *const *y = b;

	if ((*x)->t1 != (*y)->t1)
		return (*x)->t1 > (*y)->t1 ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static int by_length_and_offset(const void *a, const void *b)
{
	const struct raw_slice *const *x = a, *const *y = b;

	if ((*x)->t1 != (*y)->t1)
		return (*x)->t1 > (*y)->t1 ? -1 : 1;
	if ((*x)->where >> RAW_FLAG_BITS != (*y)->where >> RAW_FLAG_BITS)
		return (*x)->where >> RAW_FLAG_BITS < (*y)->where >> RAW_FLAG_BITS ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* The same where many have one start, as all have in a file whose times are missing. */
static void sort_many(const struct raw_track *track, struct key *keys, size_t n)
{
	const struct raw_slice **list = xmalloc(n * sizeof *list);

	for (size_t i = 0; i < n; i++)
		list[i] = &track->slices[keys[i].at];
	qsort(list, n, sizeof *list, track->kind == LANE_SLICES ? by_length_and_offset : by_length);
	for (size_t i = 0; i < n; i++)
		keys[i].at = (size_t)(list[i] - track->slices);
	free(list);
}

static int by_slice(const void *a, const void *b)
{
	const struct raw_end *x = a, *y = b;

	return x->slice < y->slice ? -1 : x->slice > y->slice;
}

static void sort_slices(struct raw_track *track)
{
	size_t n = track->n, i = 1, *place;
	struct raw_slice *sorted;
	struct key *keys;

	while (i < n && !is_before(track, &track->slices[i], &track->slices[i - 1]))
		i++;
	if (i >= n)
		return;
	keys = xmalloc(2 * n * sizeof *keys);
	for (i = 0; i < n; i++)
		keys[i] = (struct key){ (uint64_t)track->slices[i].t0 ^ UINT64_C(1) << 63, i };
	radix_sort(keys, keys + n, n);
	for (size_t from = 0, end; from < n; from = end) {
		for (end = from + 1; end < n && keys[end].t0 == keys[from].t0; end++)
			;
		if (end - from > 32)
			sort_many(track, keys + from, end - from);
		else
			sort_same_start(track, keys + from, end - from);
	}
	sorted = xmalloc(n * sizeof *sorted);
	for (i = 0; i < n; i++)
		sorted[i] = track->slices[keys[i].at];
	free(track->slices);
	track->slices = sorted;
	track->cap = n;
	if (track->n_ends) {
		place = xmalloc(n * sizeof *place);
		for (i = 0; i < n; i++)
			place[keys[i].at] = i;
		for (i = 0; i < track->n_ends; i++)
			track->ends[i].slice = place[track->ends[i].slice];
		free(place);
	}
	free(keys);
}

/* ---- a layer ---- */

static void layer_done(struct layer *l)
{
	free(l->stack);
	free(l->parent);
	free(l->frame);
	free(l->slots);
	free(l->t);
	free(l->leaf);
	free(l->shared);
	free(l->slices);
	free(l->first);
}

static uint32_t add_node(struct layer *l, uint32_t parent, frame_id frame)
{
	if (l->n_nodes >= l->cap_nodes) {
		size_t cap = l->cap_nodes;

		l->parent = xgrow(l->parent, &cap, (size_t)l->n_nodes + 1, sizeof *l->parent);
		l->frame = xrealloc(l->frame, cap, sizeof *l->frame);
		l->cap_nodes = cap;
	}
	l->parent[l->n_nodes] = parent;
	l->frame[l->n_nodes] = frame;
	return l->n_nodes++;
}

static size_t node_slot(const struct layer *l, uint32_t parent, frame_id frame)
{
	size_t at = hash_u64((uint64_t)parent << 32 | frame) & (l->n_slots - 1);

	while (l->slots[at] && !(l->parent[l->slots[at]] == parent && l->frame[l->slots[at]] == frame))
		at = (at + 1) & (l->n_slots - 1);
	return at;
}

/* The node of a call path; node 0 is the root, which stands in no slot. */
static uint32_t node_of(struct layer *l, uint32_t parent, frame_id frame)
{
	size_t at;

	if (l->n_nodes == 0)
		add_node(l, 0, FRAME_NONE);
	if ((size_t)l->n_nodes * 2 >= l->n_slots) {
		l->n_slots = l->n_slots ? l->n_slots * 4 : 32;
		free(l->slots);
		l->slots = xcalloc(l->n_slots, sizeof *l->slots);
		for (uint32_t i = 1; i < l->n_nodes; i++)
			l->slots[node_slot(l, l->parent[i], l->frame[i])] = i;
	}
	at = node_slot(l, parent, frame);
	if (!l->slots[at])
		l->slots[at] = add_node(l, parent, frame);
	return l->slots[at];
}

static uint32_t top_node(const struct layer *l)
{
	return l->n_open ? l->stack[l->n_open - 1].node : NODE_ROOT;
}

/* The stretch that is open becomes a sample. */
static void emit(struct layer *l)
{
	if (l->n + 1 >= l->cap) {
		size_t cap = l->cap;

		/* One time more than samples: the end. */
		l->t = xgrow(l->t, &cap, l->n + 2, sizeof *l->t);
		l->leaf = xrealloc(l->leaf, cap, sizeof *l->leaf);
		l->shared = xrealloc(l->shared, cap, sizeof *l->shared);
		l->cap = cap;
	}
	if (l->n)
		l->shared[l->n - 1] = (uint16_t)(l->kept < CALLTREE_MAX_ROWS ? l->kept : CALLTREE_MAX_ROWS);
	l->t[l->n] = l->now;
	l->leaf[l->n] = top_node(l);
	l->shared[l->n++] = 0;
	l->kept = l->n_open;
	l->must = false;
}

/* Close the innermost slice. */
static void close_top(struct layer *l)
{
	int64_t t1 = l->stack[l->n_open - 1].t1;

	if (t1 > l->now || l->must)
		emit(l);
	l->n_open--;
	if (l->kept > l->n_open)
		l->kept = l->n_open;
	l->now = t1;
}

static void close_until(struct layer *l, int64_t t)
{
	while (l->n_open && l->stack[l->n_open - 1].t1 <= t)
		close_top(l);
}

/* Open slice `at` of the track, after close_until() its start. */
static void open_on(struct layer *l, const struct raw_slice *slice, size_t at, int64_t t1, int row)
{
	if (l->n == 0 && l->n_open == 0)
		l->now = slice->t0;
	if (slice->t0 > l->now) {
		emit(l);
		l->now = slice->t0;
	}
	/* Where there are too many layers, a group waits for the one before. */
	if (t1 < l->now)
		t1 = l->now;
	if (l->n_slices >= l->cap_slices) {
		size_t cap = l->cap_slices;

		l->slices = xgrow(l->slices, &cap, l->n_slices + 1, sizeof *l->slices);
		l->first = xrealloc(l->first, cap, sizeof *l->first);
		l->cap_slices = cap;
	}
	l->slices[l->n_slices] = at;
	l->first[l->n_slices++] = (uint32_t)l->n;
	l->stack = xgrow(l->stack, &l->cap_open, l->n_open + 1, sizeof *l->stack);
	l->stack[l->n_open] = (struct open_slice){ t1, node_of(l, top_node(l), slice->frame), row };
	l->n_open++;
	l->must = true;
}

/* ---- layers ---- */

struct layers {
	struct layer *list;
	size_t n, cap;
	size_t n_open;           /* layers from here on have nothing open */
	int n_rows;              /* rows that rule 4.4 gives to all of them */
};

static struct layer *layer_at(struct layers *ls, size_t i)
{
	if (i >= ls->n) {
		ls->list = xgrow(ls->list, &ls->cap, i + 1, sizeof *ls->list);
		ls->list[ls->n++] = (struct layer){ .group_end = INT64_MIN };
	}
	return &ls->list[i];
}

/* Rules 4.4: touching slices are siblings; what goes beyond the slice around it by a rounding error
 * belongs there and is cut; what goes further overlaps. */
static void place_nested(struct slice_lanes *out, struct layers *ls, struct raw_track *track)
{
	for (size_t i = 0; i < track->n; i++) {
		struct raw_slice *slice = &track->slices[i];
		int64_t t1 = slice->t1;
		struct layer *l;
		size_t n_open = 0;
		int row;

		for (size_t k = 0; k < ls->n_open; k++) {
			close_until(&ls->list[k], slice->t0);
			if (ls->list[k].n_open)
				n_open = k + 1;
		}
		ls->n_open = n_open;
		l = layer_at(ls, n_open ? n_open - 1 : 0);
		row = n_open ? l->stack[l->n_open - 1].row + 1 : 0;
		if (row >= ls->n_rows)
			ls->n_rows = row + 1;
		if (l->n_open && t1 > l->stack[l->n_open - 1].t1) {
			if (t1 - l->stack[l->n_open - 1].t1 <= OVERSHOOT_NS || n_open == MAX_LAYERS) {
				t1 = l->stack[l->n_open - 1].t1;
			} else {
				if (out->n_overlaps++ == 0)
					out->first_overlap = slice->where >> RAW_FLAG_BITS;
				slice->where |= SLICE_OVERLAPS;
				l = layer_at(ls, n_open++);
			}
		}
		open_on(l, slice, i, t1, row);
		ls->n_open = n_open ? n_open : 1;
	}
}

/* The same where it is known where they stand: those that are kept of them. */
static void place_kept(struct layers *ls, struct raw_track *track)
{
	for (size_t i = 0; i < track->place->n_layers; i++)
		if (track->place->layers[i].n_kept)
			layer_at(ls, ls->n);
	for (size_t i = 0; i < track->n; i++) {
		struct raw_slice *slice = &track->slices[i];
		struct layer *l = &ls->list[track->place->layers[slice->group].lane];

		close_until(l, slice->t0);
		open_on(l, slice, i, slice->t1, 0);
	}
}

static int by_group(const void *a, const void *b)
{
	const struct raw_slice *const *x = a, *const *y = b;

	if ((*x)->group != (*y)->group)
		return (*x)->group < (*y)->group ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

struct group {
	int64_t t0, t1;
	size_t first, n;         /* in the list of slices by group */
};

static int by_start(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->t0 != y->t0)
		return x->t0 < y->t0 ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static void place_group(struct layers *ls, const struct raw_track *track, const struct raw_slice **list, const struct group *g)
{
	struct layer *l;
	size_t i = 0;

	while (i < ls->n && i + 1 < MAX_LAYERS && ls->list[i].group_end > g->t0)
		i++;
	l = layer_at(ls, i);
	if (l->group_end < g->t1)
		l->group_end = g->t1;
	for (size_t k = g->first; k < g->first + g->n; k++) {
		int64_t t1 = list[k]->t1;

		close_until(l, list[k]->t0);
		if (l->n_open && t1 > l->stack[l->n_open - 1].t1)
			t1 = l->stack[l->n_open - 1].t1;
		open_on(l, list[k], (size_t)(list[k] - track->slices), t1, 0);
	}
	close_until(l, INT64_MAX);
}

static void place_groups(struct layers *ls, struct raw_track *track)
{
	const struct raw_slice **list = xmalloc(track->n * sizeof *list);
	struct group *groups = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < track->n; i++)
		list[i] = &track->slices[i];
	qsort(list, track->n, sizeof *list, by_group);
	for (size_t i = 0; i < track->n; i++) {
		if (n == 0 || list[groups[n - 1].first]->group != list[i]->group) {
			groups = xgrow(groups, &cap, n + 1, sizeof *groups);
			groups[n++] = (struct group){ list[i]->t0, list[i]->t1, i, 0 };
		}
		groups[n - 1].n++;
		if (list[i]->t1 > groups[n - 1].t1)
			groups[n - 1].t1 = list[i]->t1;
	}
	qsort(groups, n, sizeof *groups, by_start);
	for (size_t i = 0; i < n; i++)
		place_group(ls, track, list, &groups[i]);
	free(groups);
	free(list);
}

/* Marks have no length and stand side by side. */
static void place_marks(struct layers *ls, struct raw_track *track)
{
	struct layer *l = layer_at(ls, 0);

	for (size_t i = 0; i < track->n; i++) {
		open_on(l, &track->slices[i], i, track->slices[i].t0, 0);
		close_until(l, track->slices[i].t0);
	}
}

/* ---- the lane ---- */

static void take_tree(struct slice_lanes *out, struct layer *l, struct lane *lane)
{
	node_id *order = xmalloc((size_t)l->n_nodes * sizeof *order);
	struct samples *s = &lane->samples;
	const uint16_t *rows;

	out->n_too_deep += calltree_build(&lane->tree, l->n_nodes, l->parent, l->frame, order);
	rows = lane->tree.rows;
	for (size_t i = 0; i < s->n; i++)
		s->leaf[i] = order[s->leaf[i]];
	for (size_t i = 0; i < s->n; i++) {
		uint16_t most = i + 1 < s->n && rows[s->leaf[i + 1]] < rows[s->leaf[i]] ? rows[s->leaf[i + 1]] : rows[s->leaf[i]];

		if (s->shared[i] > most)
			s->shared[i] = most;
		if (rows[s->leaf[i]] > lane->max_depth)
			lane->max_depth = rows[s->leaf[i]];
	}
	for (size_t i = 0; i < s->n; i++)
		lane->n_spans += rows[s->leaf[i]] - (i ? s->shared[i - 1] : 0u);
	free(order);
}

static void take_samples(struct layer *l, struct lane *lane)
{
	struct samples *s = &lane->samples;
	int64_t root_ns = 0;

	lane->t0 = l->t[0];
	l->t[l->n] = l->now;
	lane->t1 = l->now;
	s->n = l->n;
	s->t = xrealloc(l->t, l->n + 1, sizeof *s->t);
	s->leaf = xrealloc(l->leaf, l->n, sizeof *s->leaf);
	s->shared = xrealloc(l->shared, l->n, sizeof *s->shared);
	l->t = NULL;
	l->leaf = NULL;
	l->shared = NULL;
	for (size_t i = 0; i <= s->n; i++)
		s->t[i] -= lane->t0;
	for (size_t i = 0; i < s->n; i++)
		if (s->leaf[i] == NODE_ROOT)
			root_ns += s->t[i + 1] - s->t[i];
	lane->sampled_t1 = s->t[s->n];
	lane->unsampled_ns = root_ns;
	lane->busy_ns = lane->t1 - lane->t0 - root_ns;
}

static void take_slices(struct layer *l, const struct raw_track *track, struct lane *lane)
{
	struct slices *to = &lane->slices;

	to->n = l->n_slices;
	to->first = xrealloc(l->first, l->n_slices, sizeof *to->first);
	l->first = NULL;
	to->offset = xmalloc(to->n * sizeof *to->offset);
	to->flags = xmalloc(to->n);
	for (size_t i = 0; i < to->n; i++) {
		int64_t where = track->slices[l->slices[i]].where;

		to->offset[i] = where >> RAW_FLAG_BITS;
		to->flags[i] = (uint8_t)(where & RAW_FLAGS);
	}
	if (track->n_ends == 0)
		return;
	to->ends = xmalloc(track->n_ends * sizeof *to->ends);
	for (size_t i = 0; i < to->n; i++) {
		struct raw_end key = { l->slices[i], 0 };
		const struct raw_end *end = bsearch(&key, track->ends, track->n_ends, sizeof *track->ends, by_slice);

		if (end) {
			to->ends[to->n_ends].slice = i;
			to->ends[to->n_ends++].offset = end->offset;
		}
	}
	to->ends = xrealloc(to->ends, to->n_ends, sizeof *to->ends);
}

static void make_lane(struct slice_lanes *out, const struct raw_track *track, struct layer *l, int n_rows)
{
	struct lane *lane = &out->lanes[out->n];

	*lane = (struct lane){
		.kind = track->kind, .input = track->input, .pid = track->pid, .tid = track->tid, .title = track->title,
		.is_joined = out->n > 0, .n_rows = n_rows, .has_timeline = true,
	};
	out->n++;
	close_until(l, INT64_MAX);
	take_samples(l, lane);
	take_tree(out, l, lane);
	take_slices(l, track, lane);
	samples_index(&lane->samples);
	lane->samples.blocks = blocks_build(&lane->samples, lane->tree.n);
}

void slice_lanes_make(struct raw_track *track, struct slice_lanes *out)
{
	struct layers ls = { 0 };

	*out = (struct slice_lanes){ 0 };
	if (track->n >= UINT32_MAX / 4)
		die("more than %u slices on one thread", UINT32_MAX / 4);
	if (track->n > 0) {
		if (!track->place)
			sort_slices(track);
		if (track->n_ends)
			qsort(track->ends, track->n_ends, sizeof *track->ends, by_slice);
		if (track->kind == LANE_MARKS)
			place_marks(&ls, track);
		else if (track->kind == LANE_ASYNC)
			place_groups(&ls, track);
		else if (track->place)
			place_kept(&ls, track);
		else
			place_nested(out, &ls, track);
	}
	out->lanes = xcalloc(ls.n, sizeof *out->lanes);
	for (size_t i = 0; i < ls.n; i++) {
		make_lane(out, track, &ls.list[i], ls.n_rows);
		layer_done(&ls.list[i]);
	}
	free(ls.list);
	free(track->slices);
	free(track->ends);
	track->slices = NULL;
	track->ends = NULL;
}

size_t slice_of_span(const struct lane *lane, const struct span *span)
{
	const struct slices *s = &lane->slices;
	size_t lo = 0, hi = s->n, at;
	int above = span->first ? lane->samples.shared[span->first - 1] : 0;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->first[mid] < span->first)
			lo = mid + 1;
		else
			hi = mid;
	}
	at = lo + (size_t)(span->depth - above);
	return span->depth >= above && at < s->n && s->first[at] == span->first ? at : SIZE_MAX;
}
