/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread's slices go through a queue, which sorts them, and through slice_stacks, which finds
 * their layer; then they are kept or dropped. Marks need neither. The lanes of the kept slices are
 * fitted into the time of all slices, which the filter has measured by layer. */
#include "config.h"

#include "model/build/partial/track_filter.h"

#include "base/alloc.h"
#include "model/blocks.h"
#include "model/build/builder.h"
#include "model/build/builder_state.h"
#include "model/build/partial/subset.h"
#include "model/build/slice_lane.h"
#include "model/build/slice_order.h"
#include "model/build/track_raw.h"

#include <stdlib.h>

/* ==== slice queue ====
 *
 * The waiting slices are a binary heap with the next slice at the top. */

static void slice_queue_done(struct slice_queue *q)
{
	free(q->heap);
	*q = (struct slice_queue){ 0 };
}

static bool is_before(const struct raw_slice *a, const struct raw_slice *b)
{
	return raw_is_before(a, b, true);
}

static void slice_queue_add(struct slice_queue *q, const struct raw_slice *slice,
			    int64_t end_offset)
{
	size_t i = q->n;

	q->is_lost |= q->has_taken && is_before(slice, &q->latest);
	if (q->is_lost)
		return;
	q->heap = xgrow(q->heap, &q->cap, ++q->n, sizeof *q->heap);
	for (; i > 0 && is_before(slice, &q->heap[(i - 1) / 2].slice); i = (i - 1) / 2)
		q->heap[i] = q->heap[(i - 1) / 2];
	q->heap[i] = (struct queued_slice){ *slice, end_offset };
}

/* Take the next slice, in the order of slice_order(). is_end: no more will be added. Returns false
 * if more must be added first; with is_end, if none is left. */
static bool slice_queue_take(struct slice_queue *q, bool is_end, struct queued_slice *out)
{
	struct queued_slice last;
	size_t i = 0;

	if (q->is_lost || q->n <= (is_end ? 0 : SLICE_QUEUE_MAX))
		return false;
	*out = q->heap[0];
	q->latest = out->slice;
	q->has_taken = true;
	last = q->heap[--q->n];
	for (size_t next = 1; next < q->n; next = 2 * i + 1) {
		next += next + 1 < q->n &&
			is_before(&q->heap[next + 1].slice, &q->heap[next].slice);
		if (!is_before(&q->heap[next].slice, &last.slice))
			break;
		q->heap[i] = q->heap[next];
		i = next;
	}
	q->heap[i] = last;
	return true;
}

/* ==== track filter ==== */

/* The range of all slices of a layer, kept or not. A layer becomes a lane. */
struct extent {
	size_t n, n_kept;
	int64_t first, last; /* begin and end */
	size_t made;         /* the lane that was made of the kept ones, if n_kept */
};

/* A slice that is open. */
struct passed {
	struct queued_slice slice;
	bool is_kept;
};

struct track_filter {
	bool is_survey;
	bool is_chosen;
	int64_t t0, t1;             /* slices that touch this range, both ends included, are kept */
	struct time_survey *survey; /* in a survey */
	struct extent all;

	/* Of a thread's slices, if their order can be restored. */
	bool has_stacks;
	struct slice_queue queue;
	struct slice_stacks stacks;
	struct extent *layers;
	size_t cap_layers;
	struct passed *open; /* the slices of stacks.open */
	size_t cap_open;

	/* The neighbours of the range that are kept, too: */
	bool has_next, has_mark;
	struct raw_slice next; /* the first slice after it */
	int64_t next_end;      /* offset of its end, -1 none */
	struct raw_slice mark; /* the last mark before it */
};

void track_filter_begin(struct builder *b, struct raw_track *track, uint32_t number)
{
	struct track_filter *f;
	struct subset_lane of = { 0 };

	if (lane_kind_has_groups(track->kind) || !(b->options.is_survey || b->options.subset))
		return;
	f = track->filter = xcalloc(1, sizeof *f);
	f->is_survey = b->options.is_survey;
	if (f->is_survey)
		f->survey = time_survey_new();
	else if (!subset_of_track(b->options.subset, number, &of))
		return;
	f->is_chosen = of.is_chosen;
	f->t0 = of.t0;
	f->t1 = of.t1;
	f->has_stacks = track->kind == LANE_SLICES && (f->is_survey || of.lane->n_rows);
	track->has_layers = f->has_stacks;
}

void track_filter_done(struct raw_track *track)
{
	struct track_filter *f = track->filter;

	if (!f)
		return;
	time_survey_free(f->survey);
	slice_queue_done(&f->queue);
	slice_stacks_done(&f->stacks);
	free(f->layers);
	free(f->open);
	free(f);
	track->filter = NULL;
}

/* ---- slices ---- */

static bool touches_range(const struct track_filter *f, const struct raw_slice *s)
{
	return f->is_chosen && s->t1 >= f->t0 && s->t0 <= f->t1;
}

static void extend(struct extent *e, const struct raw_slice *s)
{
	e->first = e->n == 0 || s->t0 < e->first ? s->t0 : e->first;
	e->last = e->n == 0 || s->t1 > e->last ? s->t1 : e->last;
	e->n++;
}

static void keep_slice(struct raw_track *track, size_t at)
{
	struct track_filter *f = track->filter;
	const struct slice_open *open = &f->stacks.open[at];
	struct passed *s = &f->open[at];

	track_raw_add(track, &s->slice.slice, s->slice.end_offset, open->layer);
	f->layers[open->layer].n_kept++;
	s->is_kept = true;
}

static void make_room(struct track_filter *f)
{
	size_t n = f->cap_layers;

	f->open = xgrow(f->open, &f->cap_open, f->stacks.n, sizeof *f->open);
	f->layers = xgrow(f->layers, &f->cap_layers, f->stacks.n_layers, sizeof *f->layers);
	for (size_t i = n; i < f->cap_layers; i++)
		f->layers[i] = (struct extent){ 0 };
}

/* Put the next slice of a thread on its layer, and keep it or not. What outlasts the slice around
 * it by a rounding error may touch the range although that one does not: then both are kept. */
static void pass_placed(struct raw_track *track, struct queued_slice *s)
{
	struct track_filter *f = track->filter;
	struct slice_open open = *slice_stacks_put(&f->stacks, &s->slice);
	bool is_next = f->is_chosen && !f->has_next && s->slice.t0 > f->t1;
	size_t at = f->stacks.n - 1;

	if (f->stacks.n > f->cap_open || f->stacks.n_layers > f->cap_layers)
		make_room(f);
	f->open[at] = (struct passed){ *s, false };
	extend(&f->layers[open.layer], &s->slice);
	f->has_next |= is_next;
	if (!is_next && !touches_range(f, &s->slice))
		return;
	keep_slice(track, at);
	for (; f->stacks.open[at].depth > 0 && !f->open[at - 1].is_kept; at--)
		keep_slice(track, at - 1);
}

static void note_neighbours(struct track_filter *f, enum lane_kind kind, const struct raw_slice *s,
			    int64_t end_offset)
{
	if (s->t0 > f->t1 && (!f->has_next || s->t0 < f->next.t0)) {
		f->has_next = true;
		f->next = *s;
		f->next_end = end_offset;
	} else if (kind == LANE_MARKS && s->t0 < f->t0 && (!f->has_mark || s->t0 >= f->mark.t0)) {
		f->has_mark = true;
		f->mark = *s;
	}
}

void track_filter_slice(struct raw_track *track, const struct raw_slice *s, int64_t end_offset)
{
	struct track_filter *f = track->filter;
	struct queued_slice next;

	if (f->survey)
		time_survey_add(f->survey, f->all.n, s->t0);
	extend(&f->all, s);
	if (f->has_stacks) {
		slice_queue_add(&f->queue, s, end_offset);
		if (slice_queue_take(&f->queue, false, &next))
			pass_placed(track, &next);
		return;
	}
	if (f->is_chosen)
		note_neighbours(f, track->kind, s, end_offset);
	if (touches_range(f, s))
		track_raw_add(track, s, end_offset, 0);
}

void track_filter_end(struct raw_track *track)
{
	struct track_filter *f = track->filter;
	struct queued_slice next;
	size_t n_made = 0;

	if (!f)
		return;
	if (f->has_stacks) {
		while (slice_queue_take(&f->queue, true, &next))
			pass_placed(track, &next);
		for (size_t i = 0; i < f->stacks.n_layers; i++)
			if (f->layers[i].n_kept)
				f->layers[i].made = n_made++;
		track_raw_unpack(track);
		for (size_t i = 0; i < track->n_more; i++)
			track->more[i].group = (uint32_t)f->layers[track->more[i].group].made;
	} else {
		if (f->has_next)
			track_raw_add(track, &f->next, f->next_end, 0);
		if (f->has_mark)
			track_raw_add(track, &f->mark, -1, 0);
	}
	f->all.n_kept = track->n;
}

bool track_filter_flow(struct builder *b, uint64_t flow, int64_t t)
{
	const struct subset *subset = b->options.subset;
	struct tracks *tr = &b->tracks;
	int64_t zero;

	if (!subset)
		return !b->options.is_survey;
	zero = subset->survey->inputs[builder_this_input_index(b)].zero_ns;
	if (t >= subset->t0 + zero && t <= subset->t1 + zero)
		return true;
	tr->left_flows = xgrow(tr->left_flows, &tr->cap_left_flows, tr->n_left_flows + 1,
			       sizeof *tr->left_flows);
	tr->left_flows[tr->n_left_flows++] = flow;
	return false;
}

/* ---- lanes ---- */

/* Add a lane without kept slices: one empty stretch, whose length is set later. */
static struct lane *add_empty_lane(struct builder *b, const struct raw_track *track)
{
	struct lane *lane = builder_lane(b, track->kind, track->input, track->pid, track->tid);
	struct samples *s = &lane->samples;
	node_id parent = NODE_ROOT, order;
	frame_id frame = FRAME_NONE;

	lane->title = track->title;
	if (track->filter->is_survey)
		return lane;
	calltree_build(&lane->tree, 1, &parent, &frame, &order);
	s->n = 1;
	times_set(&s->times, 0, 0);
	s->leaf = xcalloc(1, sizeof *s->leaf);
	s->shared = xcalloc(1, sizeof *s->shared);
	return lane;
}

/* Fit a lane to the range of all slices of its layer. */
static void fit_lane(struct lane *lane, const struct raw_track *track, const struct extent *all)
{
	const struct track_filter *f = track->filter;
	struct samples *s = &lane->samples;
	bool is_empty = lane->tree.n == 1;
	int64_t by = lane->t0 - all->first;

	if (!is_empty && s->n)
		times_shift(&s->times, s->n + 1, by);
	slice_time_shift(lane->slice_time, by);
	lane->sampled_t0 += is_empty ? 0 : by;
	lane->sampled_t1 += by;
	lane->t0 = all->first;
	lane->t1 = all->last;
	lane->n_left = all->n - all->n_kept;
	lane->n_spans += lane->n_left;
	lane->n_marks += lane->kind == LANE_MARKS ? lane->n_left : 0;
	lane->n_rows = f->has_stacks && !f->queue.is_lost ? f->stacks.n_rows : 0;
	if (!is_empty)
		return;
	lane->sampled_t1 = lane->unsampled_ns = lane->t1 - lane->t0;
	times_done(&s->times);
	times_set(&s->times, 0, lane->sampled_t1);
	samples_index(s, &lane->tree, NULL);
	s->blocks = blocks_build(s, lane->tree.n);
}

/* Add lanes when the layers of all slices are not known: the kept slices alone make the lanes. */
static void add_unplaced_lanes(struct builder *b, const struct raw_track *track,
			       const struct slice_lanes *made)
{
	const struct extent all = track->filter->all;

	for (size_t i = 0; i < made->n; i++) {
		struct lane *lane = builder_lane_take(b, &made->lanes[i]);
		struct extent own = { .first = lane->t0, .last = lane->t1 };

		fit_lane(lane, track, i == 0 ? &all : &own);
	}
	if (made->n == 0)
		fit_lane(add_empty_lane(b, track), track, &all);
}

/* Links tell the lanes that were made; between these there are lanes of layers without slices. */
static void renumber_links(const struct track_filter *f, struct lane *lane)
{
	struct slice_time *time = lane->slice_time;

	for (size_t k = 0; time && k < time->n_links; k++) {
		uint32_t i = 0;

		while (!f->layers[i].n_kept || f->layers[i].made != time->links[k].lane)
			i++;
		time->links[k].lane = i;
	}
}

static void add_placed_lanes(struct builder *b, const struct raw_track *track,
			     const struct slice_lanes *made)
{
	const struct track_filter *f = track->filter;

	for (size_t i = 0; i < f->stacks.n_layers; i++) {
		const struct extent *layer = &f->layers[i];
		int n_rows = f->stacks.layers[i].n_rows;
		struct lane *lane = layer->n_kept ? builder_lane_take(b, &made->lanes[layer->made])
						  : add_empty_lane(b, track);

		lane->is_joined = i > 0;
		lane->first_row = f->stacks.layers[i].first_row;
		fit_lane(lane, track, layer);
		renumber_links(f, lane);
		lane->max_depth = n_rows < CALLTREE_MAX_ROWS ? n_rows : CALLTREE_MAX_ROWS;
	}
	for (uint64_t i = 0; i < f->stacks.n_overlaps; i++)
		builder_warn(b, WARN_OVERLAP, f->stacks.first_overlap);
}

void track_filter_add_lanes(struct builder *b, const struct raw_track *track,
			    const struct slice_lanes *made)
{
	struct track_filter *f = track->filter;
	uint32_t first = b->profile->n_lanes;

	if (f->all.n == 0)
		return;
	if (f->has_stacks && !f->queue.is_lost)
		add_placed_lanes(b, track, made);
	else
		add_unplaced_lanes(b, track, made);
	if (!f->is_survey)
		return;
	b->profile->lanes[first].n_samples = f->all.n;
	b->sources[first].survey = f->survey;
	f->survey = NULL;
}
