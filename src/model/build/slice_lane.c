/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the slices of a track to lanes (formats(5), SLICES).
 *
 * 1. Slices are sorted by start, longer first, then by their place in the file: a caller comes
 *    before the slices that it contains.
 * 2. Each slice goes onto a layer (slice_stacks); in tracks of groups a whole group goes onto the
 *    first layer that is free. Layers become joined lanes, one below the other.
 * 3. The slices of a layer nest, so samples can represent them: whenever a slice opens or closes, a
 *    new "sample" begins. A sample without length is kept only where a slice has no other.
 *
 * The slices that open with a sample are the rows that it does not share with the sample before.
 * slice_of_span() relies on this.
 *
 * Memory of a slice, in bytes; `make bench` measures the peak. Nodes, one for each call path, come
 * on top: 19 each, and twice that while a tree is built.
 *
 *     read       16, packed (slice_pack); 24 with a group, or if its end is an event of its own
 *     sorted     32 as raw_slice, 48 with one of these; and an eighth of 32 more
 *     placed     33: 2 samples of 14, 1 place of 5; 9 for such an end, 1 for colours, 4 for times
 *                of the processor, 3 for blocks
 *
 * Only the tracks that threads work on are sorted; their packed slices are freed. Memory of slices
 * that were taken (slice_source) is given back while the layers grow, unless the track is small
 * (slice_arena). So the peak is about 35 bytes per slice, 40 if one track has all slices. Groups
 * need about 20 more each while they are sorted. B and E events wait in their reader with 16 bytes
 * each until all are known; from when they are paired, 4 more, and 4 more of the two threads that
 * are being paired. They are freed as they are passed on. */
#include "config.h"

#include "model/build/slice_lane.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "base/sort.h"
#include "model/blocks.h"
#include "model/build/track_builder.h"
#include "model/calltree.h"
#include "model/slice_union.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct slice_source {
	struct raw_track *track;
	size_t n_more; /* at the beginning */
	struct progress_shared *progress;
};

struct slice_taken {
	struct raw_slice slice;
	struct raw_more more; /* end -1 and group 0 if it has none */
};

/* ==== slice source ====
 *
 * The entries of `more` are mostly in the order in which they are needed. They are reversed, so
 * that they too can be taken from the end. An entry that is taken in another order is marked, and
 * is given back with its neighbours. */

/* Memory is given back in steps of this many slices, 1 MiB. */
#define SLICE_SOURCE_RETURNED 32768u

#define GONE INT64_MIN /* as end_offset */

/* A part of slice_source_take(). */
static void slice_source_take_more(struct slice_source *from, struct slice_taken *to)
{
	struct raw_track *track = from->track;
	struct raw_more *more = &track->more[from->n_more - to->slice.more];

	to->more = *more;
	more->end_offset = GONE;
	while (track->n_more > 0 && track->more[track->n_more - 1].end_offset == GONE)
		if (--track->n_more % SLICE_SOURCE_RETURNED == 0 && track->n_more > 0 &&
		    !track->is_in_room)
			track->more = xrealloc(track->more, track->n_more, sizeof *track->more);
}

/* Take the next slice. Returns false if none is left. Inline: it runs once for each slice. */
static bool slice_source_take(struct slice_source *from, struct slice_taken *to)
{
	struct raw_track *track = from->track;

	if (track->n == 0)
		return false;
	*to = (struct slice_taken){ track->slices[--track->n], { .end_offset = -1 } };
	if (track->n % SLICE_SOURCE_RETURNED == 0 && track->n > 0) {
		if (!track->is_in_room)
			track->slices = xrealloc(track->slices, track->n, sizeof *track->slices);
		progress_shared_add(from->progress, SLICE_SOURCE_RETURNED);
	}
	if (to->slice.more & RAW_GROUP)
		to->more.group = to->slice.more & ~RAW_GROUP;
	else if (to->slice.more)
		slice_source_take_more(from, to);
	return true;
}

/* ==== slice samples ====
 *
 * The samples of a layer while its slices are placed; times are absolute. */

/* A zeroed struct is empty. */
struct slice_samples {
	int64_t *t; /* has one time more than samples: the end */
	node_id *leaf;
	uint16_t *shared; /* rows that a sample shares with the next one */
	size_t n, cap;
	bool is_in_room; /* the arrays are */
};

static void samples_free(struct slice_samples *s)
{
	if (!s->is_in_room) {
		free(s->t);
		free(s->leaf);
		free(s->shared);
	}
	*s = (struct slice_samples){ 0 };
}

/* Use the room of the thread, which lasts for the samples of n slices: two for each. */
static void use_room(struct slice_samples *s, struct slice_arena *room, size_t n)
{
	if (2 * n + 2 > room->cap_samples) {
		free(room->t);
		free(room->leaf);
		free(room->shared);
		room->cap_samples = 2 * n + 2;
		room->t = xmalloc(room->cap_samples * sizeof *room->t);
		room->leaf = xmalloc(room->cap_samples * sizeof *room->leaf);
		room->shared = xmalloc(room->cap_samples * sizeof *room->shared);
	}
	*s = (struct slice_samples){
		room->t, room->leaf, room->shared, 0, room->cap_samples, true
	};
}

static void grow_samples(struct slice_samples *s, size_t step)
{
	s->cap = slices_larger(s->cap, step);
	s->t = xrealloc(s->t, s->cap, sizeof *s->t);
	s->leaf = xrealloc(s->leaf, s->cap, sizeof *s->leaf);
	s->shared = xrealloc(s->shared, s->cap, sizeof *s->shared);
}

/* Add a sample. shared: of the sample before. step: the arrays grow by at most about this many
 * samples at a time. Inline: it runs twice for each slice. */
static inline void add_sample(struct slice_samples *s, int64_t t, node_id leaf, uint16_t shared,
			      size_t step)
{
	if (s->n + 1 >= s->cap)
		grow_samples(s, step);
	if (s->n)
		s->shared[s->n - 1] = shared;
	s->t[s->n] = t;
	s->leaf[s->n] = leaf;
	s->shared[s->n++] = 0;
}

/* An array without spare room; a copy if it is in the room of the thread. */
static void *trimmed(const struct slice_samples *s, void *p, size_t size)
{
	return s->is_in_room ? memcpy(xmalloc(s->n * size), p, s->n * size)
			     : xrealloc(p, s->n, size);
}

/* Give the samples, which end at t1, to a lane that begins with the first one. n must not be 0. */
static void give_samples(struct slice_samples *from, int64_t t1, struct samples *to)
{
	int64_t t0 = from->t[0];

	from->t[from->n] = t1;
	to->n = from->n;
	to->leaf = trimmed(from, from->leaf, sizeof *from->leaf);
	to->shared = trimmed(from, from->shared, sizeof *from->shared);
	if (from->is_in_room)
		times_pack_copy(&to->times, from->t, from->n + 1, t0);
	else
		times_pack(&to->times, from->t, from->n + 1, t0);
	*from = (struct slice_samples){ 0 };
}

/* ==== slice variant ====
 *
 * A tree is built with variants as if they were frames, so that slices of one name with different
 * event categories have nodes of their own. Then they get their frames. */

/* Number the variants among the frames of n nodes behind the frames of the profile, so that a call
 * tree can be made of them. Returns whether there are any. */
static bool slice_variant_number(const struct raw_variants *variants, frame_id *frame, uint32_t n)
{
	bool has_any = false;

	for (uint32_t i = 0; variants->n && i < n; i++) {
		if (!(frame[i] & RAW_VARIANT))
			continue;
		frame[i] = variants->frames->n + (frame[i] & ~RAW_VARIANT);
		has_any = true;
	}
	return has_any;
}

/* Replace such numbers in the tree of a lane by frames, and set the event categories by node. */
static void slice_variant_finish(const struct raw_variants *variants, struct lane *lane)
{
	struct calltree *tree = &lane->tree;

	lane->cats = xmalloc((size_t)tree->n * sizeof *lane->cats);
	for (node_id i = 0; i < tree->n; i++) {
		if (tree->frame[i] >= variants->frames->n) {
			const struct raw_variant *v =
				&variants->list[tree->frame[i] - variants->frames->n];

			tree->frame[i] = v->frame;
			lane->cats[i] = v->cat;
		} else {
			lane->cats[i] = variants->frames->frames[tree->frame[i]].cat;
		}
	}
	free(tree->is_outer);
	tree->is_outer = calltree_outer(tree, tree->frame);
	tree->has_twins = true;
}

/* ==== slice cover ====
 *
 * From what the slices of a layer say about time, while they are placed, to what its lane keeps
 * (model/slices.h). */

static void add_part(struct slice_stretches *to, const struct slice_stretch *of, int64_t t0,
		     int64_t t1)
{
	t0 = t0 > of->t0 ? t0 : of->t0;
	t1 = t1 < of->t1 ? t1 : of->t1;
	if (t1 > t0)
		slice_time_add(to, &(struct slice_stretch){ t0, t1, t0, of->node });
}

/* Sort stretches of which only those of one node overlap, and unite them. */
static void unite(struct slice_stretches *list)
{
	slice_time_sort(list);
	for (size_t i = 1; i < list->n; i++)
		if (list->list[i].t0 < list->list[i - 1].t1) {
			list->list[i].t0 = list->list[i - 1].t1;
			if (list->list[i].t1 < list->list[i].t0)
				list->list[i].t1 = list->list[i].t0;
		}
}

/* Cut the stretches in which a slice is covered to where it has no slice inside it on its own
 * layer, and unite those that overlap. `stretches` and `over` are in order of t0, with times and
 * nodes of the lane. */
static void cut_covered(const struct lane *lane, const struct slice_stretches *stretches,
			const struct slice_stretches *over, struct slice_stretches *to)
{
	const struct samples *s = &lane->samples;
	struct slice_stretches behind = { 0 };

	for (size_t k = 0; k < stretches->n; k++) {
		const struct slice_stretch *c = &stretches->list[k];

		for (size_t i = samples_find(s, c->t0); i < s->n && samples_time(s, i) < c->t1; i++)
			if (s->leaf[i] == c->node)
				add_part(to, c, samples_time(s, i), samples_time(s, i + 1));
		for (size_t i = slice_time_reaching(over, c->t0);
		     i < over->n && over->list[i].t0 < c->t1; i++)
			if (over->list[i].node == c->node)
				add_part(&behind, c, over->list[i].self_t0, over->list[i].t1);
	}
	unite(to);
	if (behind.n == 0)
		return;
	/* Where one slice goes on behind its span, another one may be on top of the samples. */
	unite(&behind);
	for (size_t i = 0; i < behind.n; i++)
		slice_time_add(to, &behind.list[i]);
	slice_time_sort(to);
	free(behind.list);
}

/* Give the lane, which has its tree and samples, the stretches and links of its layer; the nodes of
 * links stay those of `time`. Takes the lists of `time`, whose times are absolute; `covered` has
 * the whole time of each slice on another layer in its parent on this one. order: the lane's node
 * of each node of `time`. */
static void slice_cover_take(struct slice_time *time, struct lane *lane, const node_id *order)
{
	struct slice_time *of;

	if (!time->over.n && !time->covered.n && !time->n_links)
		return;
	of = lane->slice_time = xcalloc(1, sizeof *of);
	for (size_t i = 0; i < time->over.n; i++)
		time->over.list[i].node = order[time->over.list[i].node];
	for (size_t i = 0; i < time->covered.n; i++)
		time->covered.list[i].node = order[time->covered.list[i].node];
	slice_time_sort(&time->over);
	slice_time_sort(&time->covered);
	slice_time_shift(time, -lane->t0);
	cut_covered(lane, &time->covered, &time->over, &of->covered);
	of->over = time->over;
	time->over = (struct slice_stretches){ 0 };
	of->links = time->links;
	of->n_links = time->n_links;
	of->cap_links = time->cap_links;
	time->links = NULL;
	time->n_links = time->cap_links = 0;
}

static struct slice_time *time_of(struct lane *lane)
{
	if (!lane->slice_time)
		lane->slice_time = xcalloc(1, sizeof *lane->slice_time);
	return lane->slice_time;
}

SORT_ORDER(by_depth, struct track_cover, SORT_BY_2(x->depth, y->depth, x->t0, y->t0))

/* Sort, and unite those of one depth that overlap or touch. Returns their number. */
static size_t unite_covers(struct track_cover *list, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(list, n, sizeof *list, by_depth);
	for (size_t i = 0; i < n; i++) {
		struct track_cover *last = kept ? &list[kept - 1] : NULL;

		if (!last || last->depth != list[i].depth || list[i].t0 > last->t1)
			list[kept++] = list[i];
		else if (list[i].t1 > last->t1)
			last->t1 = list[i].t1;
	}
	return kept;
}

static void add_cover(struct lane *lane, const struct track_cover *cover)
{
	const struct samples *s = &lane->samples;
	int64_t t0 = cover->t0 - lane->t0, t1 = cover->t1 - lane->t0;

	if (t1 <= 0 || t0 >= lane->t1 - lane->t0)
		return;
	for (size_t i = samples_find(s, t0 > 0 ? t0 : 0); i < s->n && samples_time(s, i) < t1;
	     i++) {
		node_id leaf = s->leaf[i];

		if (leaf != NODE_ROOT &&
		    (cover->depth == TRACK_COVER_INNERMOST ||
		     lane->tree.rows[leaf] == cover->depth + 1))
			add_part(&time_of(lane)->covered,
				 &(struct slice_stretch){ t0, t1, t0, leaf }, samples_time(s, i),
				 samples_time(s, i + 1));
	}
}

/* Add what the reader told about a layer (track_builder_cover()), whose lane this is. */
static void slice_cover_add(struct lane *lane, const struct track_cover *covers, size_t n,
			    uint32_t layer)
{
	struct track_cover *own = xmalloc((n + 1) * sizeof *own);
	size_t n_own = 0;

	for (size_t i = 0; i < n; i++)
		if (covers[i].layer == layer &&
		    (covers[i].depth == TRACK_COVER_INNERMOST ||
		     covers[i].depth < lane->tree.max_rows))
			own[n_own++] = covers[i];
	n_own = unite_covers(own, n_own);
	for (size_t i = 0; i < n_own; i++)
		add_cover(lane, &own[i]);
	free(own);
	if (lane->slice_time)
		unite(&lane->slice_time->covered);
}

static int64_t end_of(const struct lane *lane)
{
	int64_t end = lane->t1;

	for (size_t i = 0; lane->slice_time && i < lane->slice_time->over.n; i++) {
		int64_t t1 = lane->slice_time->over.list[i].t1 + lane->t0;

		end = t1 > end ? t1 : end;
	}
	return end;
}

/* Find what is inside of slices of its name on other lanes. */
static void find_inner(struct lane *lanes, size_t n)
{
	ALLOC_LOCAL struct slice_inner_part *parts = NULL;
	uint32_t n_frames = 0;
	bool has_links = false;

	for (size_t i = 0; i < n; i++)
		has_links |= lanes[i].slice_time->n_links > 0;
	if (!has_links)
		return;
	parts = xcalloc(n, sizeof *parts);
	for (size_t i = 0; i < n; i++) {
		const struct calltree *tree = &lanes[i].tree;

		parts[i] = (struct slice_inner_part){ .lane = &lanes[i],
						      .inner = &lanes[i].slice_time->inner };
		for (node_id k = 0; k < tree->n; k++)
			n_frames = tree->frame[k] >= n_frames ? tree->frame[k] + 1 : n_frames;
	}
	slice_inner(parts, n, NULL, n_frames);
}

void slice_cover_unite(struct lane *lanes, size_t n)
{
	ALLOC_LOCAL struct slice_union_part *parts = NULL;

	if (n == 0 || (n == 1 && !lanes->slice_time))
		return;
	parts = xcalloc(n, sizeof *parts);
	for (size_t i = 0; i < n; i++) {
		struct slice_time *time = time_of(&lanes[i]);

		parts[i] = (struct slice_union_part){ .lane = &lanes[i],
						      .by = lanes[i].t0,
						      .more = &time->more,
						      .less = &time->less };
	}
	slice_union(parts, n);
	find_inner(lanes, n);
	for (size_t i = 0; i < n; i++) {
		int64_t end = end_of(&lanes[i]);

		lanes->t1 = lanes->t1 > end ? lanes->t1 : end;
		lanes[i].t1 = end;
		lanes[i].busy_ns += slice_time_lacking(lanes[i].slice_time, INT64_MIN, INT64_MAX);
		lanes[i].unsampled_ns = lanes[i].t1 - lanes[i].t0 - lanes[i].busy_ns;
	}
	lanes->unsampled_ns = lanes->t1 - lanes->t0 - lanes->busy_ns;
}

/* ==== slice lane ==== */

/* An open slice. */
struct open_slice {
	int64_t t1;  /* cut where the slice around it ends */
	int64_t end; /* as the file states it */
	uint32_t node;
	uint32_t over; /* its stretch behind t1, + 1; 0: it has none */
};

/* A layer while it is filled; times are absolute. */
struct layer {
	size_t step;  /* limit of spare room when arrays grow, in slices */
	bool has_cpu; /* the groups of its slices are times of the processor */
	struct open_slice *stack;
	size_t n_open, cap_open;
	int64_t group_end;  /* tracks of groups: the end of the last group, */
	struct raw_row row; /* and the row that all belong to */

	struct node_map map; /* the tree under construction */

	struct slice_samples samples;
	int64_t now;   /* start of the sample that is open */
	size_t kept;   /* rows that stayed open since the last sample */
	bool must;     /* a slice opened, and is in no sample yet */
	bool is_begun; /* `now` is set, before the first slice */

	struct slices slices;
	struct slice_time time; /* absolute, with nodes of the map; see
				   "slice cover" below */
	uint32_t link;          /* of the outermost open slice, in `time`, from 1; 0: it has none */
	node_id *order;         /* by node of the map: that of the lane's tree */
	uint32_t lane;          /* that it becomes, among those of the track */
};

/* ---- a layer ---- */

static void layer_done(struct layer *l)
{
	free(l->stack);
	node_map_done(&l->map);
	samples_free(&l->samples);
	slices_done(&l->slices);
	slice_time_done(&l->time);
	free(l->order);
}

static uint32_t top_node(const struct layer *l)
{
	return l->n_open ? l->stack[l->n_open - 1].node : NODE_ROOT;
}

/* Add the open sample. */
static void emit(struct layer *l)
{
	add_sample(&l->samples, l->now, top_node(l),
		   (uint16_t)(l->kept < CALLTREE_MAX_ROWS ? l->kept : CALLTREE_MAX_ROWS),
		   2 * l->step);
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

/* Set the reserved colour of the slice that was added last. */
static void set_color(struct slices *s, unsigned color)
{
	s->color = xgrow(s->color, &s->cap_colors, s->n, 1);
	memset(s->color + s->n_colors, 0, s->n - s->n_colors);
	s->color[s->n - 1] = (uint8_t)color;
	s->n_colors = s->n;
}

static void set_cpu(struct slices *s, uint32_t cpu)
{
	size_t cap = s->n > s->cap_cpu ? s->where.cap : s->cap_cpu;

	if (cap > UINT32_MAX)
		return;
	if (cap > s->cap_cpu)
		s->cpu = xrealloc(s->cpu, cap, sizeof *s->cpu);
	s->cap_cpu = (uint32_t)cap;
	memset(s->cpu + s->n_cpu, 0, (s->n - s->n_cpu) * sizeof *s->cpu);
	s->cpu[s->n - 1] = cpu;
	s->n_cpu = (uint32_t)s->n;
}

/* Open a slice on a layer. Those that end by its start must be closed. */
static void open_on(struct layer *l, const struct slice_taken *taken, int64_t t1)
{
	const struct raw_slice *slice = &taken->slice;

	if (l->samples.n == 0 && l->n_open == 0 && !l->is_begun)
		l->now = slice->t0;
	if (slice->t0 > l->now) {
		emit(l);
		l->now = slice->t0;
	}
	/* If there are too many layers, a group begins when the one before it has ended. */
	if (t1 < l->now)
		t1 = l->now;
	/* Samples cannot represent more rows: see slice_of_span(). */
	if (l->n_open < CALLTREE_MAX_ROWS) {
		slices_add(&l->slices, raw_where(slice), taken->more.end_offset, l->step);
		if (raw_color(slice))
			set_color(&l->slices, raw_color(slice));
		if (l->has_cpu && taken->more.group)
			set_cpu(&l->slices, taken->more.group);
	}
	if (l->n_open >= l->cap_open)
		l->stack = xgrow(l->stack, &l->cap_open, l->n_open + 1, sizeof *l->stack);
	if (l->map.n == 0)
		node_map_init(&l->map);
	l->stack[l->n_open] = (struct open_slice){
		t1, slice->t1, node_map_child(&l->map, top_node(l), slice->frame), 0
	};
	l->n_open++;
	l->must = true;
}

/* The slice that was opened last outlasts the one around it: note its time behind that end. It is
 * no self time of the one around, if that goes on, too. */
static void note_over(struct layer *l)
{
	struct open_slice *top = &l->stack[l->n_open - 1];
	const struct open_slice *around = l->n_open > 1 ? top - 1 : NULL;

	if (top->end <= top->t1)
		return;
	if (around && around->over) {
		struct slice_stretch *s = &l->time.over.list[around->over - 1];
		int64_t until = top->end < s->t1 ? top->end : s->t1;

		s->self_t0 = until > s->self_t0 ? until : s->self_t0;
	}
	slice_time_add(&l->time.over,
		       &(struct slice_stretch){ top->t1, top->end, top->t1, top->node });
	top->over = (uint32_t)l->time.over.n;
}

/* ---- layers ---- */

struct layers {
	struct layer *list;
	size_t n, cap;
	size_t step; /* of each, */
	bool has_cpu;
};

static struct layer *layer_at(struct layers *ls, size_t i)
{
	while (i >= ls->n) {
		*ARRAY_ADD(ls->list, ls->n, ls->cap) = (struct layer){ .step = ls->step,
								       .has_cpu = ls->has_cpu,
								       .group_end = INT64_MIN };
	}
	return &ls->list[i];
}

/* The end of a slice on a layer, cut to the slice around it. */
static int64_t cut_end(const struct layer *l, int64_t t1)
{
	return l->n_open && t1 > l->stack[l->n_open - 1].t1 ? l->stack[l->n_open - 1].t1 : t1;
}

/* Add a link; returns its number, from 1. */
static uint32_t add_link(struct slice_time *time, const struct slice_link *link)
{
	*ARRAY_ADD(time->links, time->n_links, time->cap_links) = *link;
	return (uint32_t)time->n_links;
}

/* The slice that is on top of the stack begins a layer, while slices of other layers are open: the
 * innermost of them that contains it has no self time. The layer gets a link to that one. */
static void note_covered(struct layers *ls, const struct slice_stacks *stacks,
			 const struct raw_slice *slice)
{
	struct layer *l = &ls->list[stacks->open[stacks->n - 1].layer];

	for (size_t at = stacks->n - 1; at-- > 0;) {
		const struct slice_open *o = &stacks->open[at];

		if (o->end <= slice->t0 || slice->t1 - o->end > SLICE_STACKS_OVERSHOOT_NS)
			continue;
		slice_time_add(&ls->list[o->layer].time.covered,
			       &(struct slice_stretch){ slice->t0,
							slice->t1 < o->end ? slice->t1 : o->end,
							slice->t0, o->node });
		l->link = add_link(
			&l->time,
			&(struct slice_link){ slice->t0, slice->t1, o->layer, o->node, o->link });
		return;
	}
}

/* Place the slices of a thread. has_layers: the group of a slice is its layer; else `stacks` finds
 * it. */
static void place_nested(struct layers *ls, struct slice_source *from, struct slice_stacks *stacks,
			 bool has_layers)
{
	struct slice_taken taken;

	while (slice_source_take(from, &taken)) {
		const struct raw_slice *slice = &taken.slice;
		struct slice_open *open;
		struct layer *l;

		if (has_layers) {
			slice_stacks_close(stacks, slice->t0);
			open = slice_stacks_push(stacks,
						 &(struct slice_open){ .end = slice->t1,
								       .layer = taken.more.group });
		} else {
			open = slice_stacks_put(stacks, &taken.slice);
		}
		l = layer_at(ls, open->layer);
		close_until(l, slice->t0);
		if (l->n_open == 0)
			l->link = 0;
		if (l->n_open == 0 && stacks->n > 1)
			note_covered(ls, stacks, slice);
		open_on(l, &taken, cut_end(l, slice->t1));
		open->node = top_node(l);
		open->link = l->link;
		note_over(l);
	}
}

/* Place slices whose layers the reader chose (track_builder_place()). Where one begins a layer, the
 * slice around it, on another layer, has no self time. The first layer begins with the first slice,
 * whatever its layer is: it represents the thread. */
static void place_chosen(struct layers *ls, struct slice_source *from)
{
	struct slice_taken taken;

	while (slice_source_take(from, &taken)) {
		const struct raw_slice *slice = &taken.slice;
		uint32_t place = taken.more.group, i = place % TRACK_BUILDER_LAYERS;
		uint32_t around = (place >> 9) % TRACK_BUILDER_LAYERS, depth = place >> 18;
		struct layer *l, *other;

		layer_at(ls, i > around ? i : around);
		if (!ls->list->is_begun)
			ls->list->now = slice->t0;
		ls->list->is_begun = true;
		l = &ls->list[i];
		other = &ls->list[around];
		close_until(l, slice->t0);
		close_until(other, slice->t0);
		if (l->n_open == 0)
			l->link = 0;
		if (l != other && l->n_open == 0 && depth < other->n_open) {
			const struct open_slice *o = &other->stack[depth];

			slice_time_add(&other->time.covered,
				       &(struct slice_stretch){
					       slice->t0, slice->t1 < o->t1 ? slice->t1 : o->t1,
					       slice->t0, o->node });
			if (slice->t1 <= o->t1)
				l->link = add_link(&l->time,
						   &(struct slice_link){ slice->t0, slice->t1,
									 around, o->node,
									 other->link });
		}
		open_on(l, &taken, cut_end(l, slice->t1));
	}
}

/* Whether a layer has groups of another row, or one that has not ended. */
static bool is_taken(const struct layer *l, const struct slice_group *group)
{
	return l->group_end != INT64_MIN &&
		(l->row.number != group->row.number || l->group_end > group->t0);
}

/* The first layer of its row that is free at the start of a group; the last one, if there are too
 * many. */
static struct layer *layer_of(struct layers *ls, const struct slice_group *group)
{
	struct layer *l;
	size_t i = 0;

	assert(group);
	while (i < ls->n && i + 1 < SLICE_STACKS_MAX && is_taken(&ls->list[i], group))
		i++;
	l = layer_at(ls, i);
	if (l->group_end == INT64_MIN)
		l->row = group->row;
	if (l->group_end < group->t1)
		l->group_end = group->t1;
	return l;
}

/* The marks of a lifetime stand in the row below it, also those at its end. */
static void place_objects(struct layers *ls, struct slice_source *from,
			  const struct slice_group *groups)
{
	struct slice_taken taken;
	struct layer *l = NULL;
	uint32_t group = 0;

	while (slice_source_take(from, &taken)) {
		bool is_lifetime = !l || taken.more.group != group;

		while (l && l->n_open > (is_lifetime ? 0u : 1u))
			close_top(l);
		if (is_lifetime) {
			group = taken.more.group;
			l = layer_of(ls, &groups[group]);
		}
		open_on(l, &taken, cut_end(l, taken.slice.t1));
	}
}

/* Marks have no length, and stand next to each other. */
static void place_marks(struct layers *ls, struct slice_source *from)
{
	struct layer *l = layer_at(ls, 0);
	struct slice_taken taken;

	while (slice_source_take(from, &taken)) {
		open_on(l, &taken, taken.slice.t0);
		close_until(l, taken.slice.t0);
	}
}

/* ---- the lane ---- */

static void take_tree(struct slice_lanes *out, const struct raw_variants *variants, struct layer *l,
		      struct lane *lane)
{
	bool has_variants = slice_variant_number(variants, l->map.frame, l->map.n);
	node_id *order = xmalloc((size_t)l->map.n * sizeof *order);
	const struct frame *frames = variants->frames->frames;
	struct samples *s = &lane->samples;
	const uint16_t *rows;
	uint16_t own;        /* rows of a sample */
	uint16_t before = 0; /* rows that it shares with the sample before */

	out->n_too_deep += calltree_build(&lane->tree, l->map.n, l->map.parent, l->map.frame,
					  order);
	node_map_done(&l->map);
	if (has_variants)
		slice_variant_finish(variants, lane);
	rows = lane->tree.rows;
	for (size_t i = 0; i < s->n; i++)
		s->leaf[i] = order[s->leaf[i]];
	own = s->n ? rows[s->leaf[0]] : 0;
	for (size_t i = 0; i < s->n; i++) {
		uint16_t next = i + 1 < s->n ? rows[s->leaf[i + 1]] : own;
		uint16_t most = next < own ? next : own;

		if (s->shared[i] > most)
			s->shared[i] = most;
		if (own > lane->max_depth)
			lane->max_depth = own;
		lane->n_spans += (uint64_t)own - before;
		lane->n_marks += own > before &&
			frames[lane->tree.frame[s->leaf[i]]].category == CATEGORY_MARK;
		before = s->shared[i];
		own = next;
	}
	slice_cover_take(&l->time, lane, order);
	l->order = order;
}

static void make_lane(struct slice_lanes *out, const struct raw_track *track, struct layer *l,
		      const struct slice_stacks *stacks)
{
	struct lane *lane = &out->lanes[out->n];
	struct slice_samples *s;
	int64_t root_ns = 0;

	*lane = (struct lane){
		.kind = track->kind,
		.input = track->input,
		.pid = track->pid,
		.tid = track->tid,
		.title = track->title,
		.is_joined = out->n > 0,
		.is_placed = track->is_placed,
		.row_name = l->row.name,
		.n_rows = stacks->n_rows,
		.first_row = out->n < stacks->n_layers ? stacks->layers[out->n].first_row : 0,
		.has_timeline = true,
	};
	out->n++;
	close_until(l, INT64_MAX);
	hash_table_done(&l->map.index);
	s = &l->samples;
	for (size_t i = 0; i < s->n; i++)
		if (s->leaf[i] == NODE_ROOT)
			root_ns += (i + 1 < s->n ? s->t[i + 1] : l->now) - s->t[i];
	lane->t0 = s->t[0];
	lane->t1 = l->now;
	give_samples(s, l->now, &lane->samples);
	lane->sampled_t1 = lane->t1 - lane->t0;
	lane->unsampled_ns = root_ns;
	lane->busy_ns = lane->t1 - lane->t0 - root_ns;
	slices_trim(&l->slices);
	lane->slices = l->slices;
	l->slices = (struct slices){ 0 };
	take_tree(out, track->variants, l, lane);
	if (track->n_covers)
		slice_cover_add(lane, track->covers, track->n_covers, (uint32_t)out->n - 1);
	lane_count_slices(lane);
	samples_index(&lane->samples, &lane->tree, NULL);
	lane->samples.blocks = blocks_build(&lane->samples, lane->tree.n);
}

/* Those of no row come last. */
SORT_BEFORE(layer_is_before, struct layer, x->row.number - 1 < y->row.number - 1)

/* Sort the slices and put them onto layers. `stacks` gets the layers of slices of a thread, unless
 * they are known already. */
static void place_all(struct raw_track *track, struct layers *ls, struct slice_stacks *stacks,
		      struct progress_shared *progress)
{
	struct slice_group *groups = NULL;
	struct slice_source from;

	if (lane_kind_has_groups(track->kind))
		groups = slice_order_groups(track);
	else
		slice_order(track);
	if (track->is_in_room)
		use_room(&layer_at(ls, 0)->samples, track->room, track->n);
	for (size_t i = 0, k = track->n_more; i + 1 < k; i++) {
		struct raw_more first = track->more[i];

		track->more[i] = track->more[--k];
		track->more[k] = first;
	}
	from = (struct slice_source){ track, track->n_more, progress };
	if (track->kind == LANE_MARKS) {
		place_marks(ls, &from);
	} else if (track->is_placed) {
		place_chosen(ls, &from);
	} else if (track->kind == LANE_ASYNC) {
		struct slice_taken taken;
		struct layer *l = NULL;
		uint32_t group = 0;

		while (slice_source_take(&from, &taken)) {
			if (!l || taken.more.group != group) {
				if (l)
					close_until(l, INT64_MAX);
				group = taken.more.group;
				l = layer_of(ls, &groups[group]);
			}
			close_until(l, taken.slice.t0);
			open_on(l, &taken, cut_end(l, taken.slice.t1));
		}
		sort_stable(ls->list, ls->n, sizeof *ls->list, layer_is_before, NULL);
	} else if (track->kind == LANE_OBJECTS) {
		place_objects(ls, &from, groups);
	} else {
		place_nested(ls, &from, stacks, track->has_layers);
	}
	free(groups);
}

/* Let a layer begin earlier, outside of all slices. */
static void begin_at(struct layer *l, int64_t t)
{
	struct slice_samples *s = &l->samples;
	size_t n;

	close_until(l, INT64_MAX);
	n = s->n;
	if (s->t[0] <= t)
		return;
	add_sample(s, 0, NODE_ROOT, 0, 0);
	memmove(s->t + 1, s->t, n * sizeof *s->t);
	memmove(s->leaf + 1, s->leaf, n * sizeof *s->leaf);
	memmove(s->shared + 1, s->shared, n * sizeof *s->shared);
	s->t[0] = t;
	s->leaf[0] = NODE_ROOT;
	s->shared[0] = 0;
}

void slice_lane_make_all(struct raw_track *track, struct slice_lanes *out,
			 struct progress_shared *progress)
{
	struct layers ls = { .step = track->n / 8,
			     .has_cpu = track->kind == LANE_SLICES && !track->is_placed &&
				     !track->has_layers };
	struct slice_stacks stacks = { 0 };

	if (track->n > 0) {
		/* Most slices of a thread are on its first layer. Memory that is never written to
		 * is not taken. */
		slices_reserve(&layer_at(&ls, 0)->slices, track->n);
		place_all(track, &ls, &stacks, progress);
	}
	*out = (struct slice_lanes){ .n_overlaps = stacks.n_overlaps,
				     .first_overlap = stacks.first_overlap };
	track_raw_free_slices(track);
	out->lanes = xcalloc(ls.n, sizeof *out->lanes);
	for (size_t i = 0; i < ls.n; i++) {
		ls.list[i].lane = (uint32_t)out->n;
		/* Where the reader chose the layers, one may have no slice: its slices were far
		 * from all others, and left out. */
		if (track->is_placed && !ls.list[i].slices.n)
			continue;
		if (i > 0 && out->n == 0)
			begin_at(&ls.list[i], ls.list->now);
		make_lane(out, track, &ls.list[i], &stacks);
	}
	if (track->is_placed || track->served) {
		int n = 0;

		/* Each layer of slices that the reader placed, or of requests, has rows of its own.
		 */
		for (size_t i = 0; i < out->n; i++) {
			out->lanes[i].first_row = n;
			n += out->lanes[i].max_depth;
		}
		for (size_t i = 0; i < out->n; i++)
			out->lanes[i].n_rows = n;
	}
	/* Links tell nodes of other layers, whose trees are built now. */
	for (size_t i = 0; i < out->n; i++) {
		struct slice_time *time = out->lanes[i].slice_time;

		for (size_t k = 0; time && k < time->n_links; k++) {
			struct slice_link *link = &time->links[k];

			if (link->lane < ls.n) {
				link->around = ls.list[link->lane].order[link->around];
				link->lane = ls.list[link->lane].lane;
			}
		}
	}
	for (size_t i = 0; i < ls.n; i++)
		layer_done(&ls.list[i]);
	slice_stacks_done(&stacks);
	free(ls.list);
}
