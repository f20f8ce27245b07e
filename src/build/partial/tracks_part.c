/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracks of which not all slices are kept (part.h). The filter of slices and flows is here, and
 * nowhere else. */
#include "config.h"

#include "build/partial/tracks_part.h"

#include "base/alloc.h"
#include "base/units.h"
#include "build/builder_lane.h"
#include "build/builder_state.h"
#include "build/partial/part.h"
#include "build/partial/slice_place.h"
#include "model/blocks.h"

#include <stdlib.h>

static bool take_placed(void *ctx, const struct placed_slice *s);

void track_begin_part(struct builder *b, struct raw_track *track, uint32_t number)
{
	struct wanted wanted;

	/* Operations of async tracks share rows with those before them: they are kept. */
	if (track->kind == LANE_ASYNC || !(b->options.is_survey || b->options.part))
		return;
	track->is_partial = true;
	if (b->options.is_survey) {
		track->survey = time_survey_new();
	} else {
		if (!part_of_track(b->options.part, number, &wanted))
			return;
		track->is_wanted = wanted.is_wanted;
		track->wanted_t0 = wanted.t0;
		track->wanted_t1 = wanted.t1;
	}
	if (track->kind == LANE_SLICES && (b->options.is_survey || wanted.lane->n_rows)) {
		track->place = xcalloc(1, sizeof *track->place);
		track->place->take = b->options.is_survey ? NULL : take_placed;
	}
}

static bool is_kept(struct raw_track *track, const struct raw_slice *s)
{
	return track->is_wanted && s->t1 >= track->wanted_t0 && s->t0 <= track->wanted_t1;
}

/* One on each side of what is wanted, as far as they are needed there. */
static void note_neighbours(struct raw_track *track, const struct raw_slice *s, int64_t end_offset)
{
	if (s->t0 > track->wanted_t1 && (!track->has_next || s->t0 < track->next.t0)) {
		track->has_next = true;
		track->next = *s;
		track->next_end = end_offset;
	} else if (track->kind == LANE_MARKS && s->t0 < track->wanted_t0 &&
		   (!track->has_mark || s->t0 >= track->mark.t0)) {
		track->has_mark = true;
		track->mark = *s;
	}
}

static bool take_placed(void *ctx, const struct placed_slice *s)
{
	struct raw_track *track = ctx;
	bool is_next = track->is_wanted && !track->has_next && s->slice.t0 > track->wanted_t1;

	track->has_next |= is_next;
	if (!is_next && !is_kept(track, &s->slice))
		return false;
	track_raw_add(track, &s->slice, s->end_offset, s->layer);
	return true;
}

bool track_keeps(struct raw_track *track, const struct raw_slice *s, int64_t end_offset)
{
	track->first = track->n_passed == 0 || s->t0 < track->first ? s->t0 : track->first;
	track->last = track->n_passed == 0 || s->t1 > track->last ? s->t1 : track->last;
	if (track->survey)
		time_survey_add(track->survey, track->n_passed, s->t0);
	track->n_passed++;
	if (track->place) {
		track->place->ctx = track;
		slice_place_add(track->place, s, end_offset);
		return false;
	}
	if (track->is_wanted)
		note_neighbours(track, s, end_offset);
	return is_kept(track, s);
}

void track_end_part(struct raw_track *track)
{
	size_t n = 0;

	if (!track->place) {
		if (track->has_next)
			track_raw_add(track, &track->next, track->next_end, 0);
		if (track->has_mark)
			track_raw_add(track, &track->mark, -1, 0);
		return;
	}
	track->place->ctx = track;
	slice_place_end(track->place);
	for (size_t i = 0; i < track->place->n_layers; i++)
		if (track->place->layers[i].n_kept)
			track->place->layers[i].lane = n++;
}

bool track_keeps_flow(struct builder *b, uint64_t flow, int64_t t)
{
	const struct part *part = b->options.part;
	struct tracks *tr = &b->tracks;
	int64_t zero;

	if (!(b->options.is_survey || b->options.part))
		return true;
	if (part) {
		zero = part->survey->inputs[b->profile->n_inputs - 1].zero_ns;
		if (t >= part->t0 + zero && t <= part->t1 + zero)
			return true;
		tr->left_flows = xgrow(tr->left_flows, &tr->cap_left_flows, tr->n_left_flows + 1,
				       sizeof *tr->left_flows);
		tr->left_flows[tr->n_left_flows++] = flow;
	}
	return false;
}

/* ---- lanes ---- */

/* A lane of which no slice is kept: one stretch without any, of no length yet. */
static struct lane *add_empty_lane(struct builder *b, const struct raw_track *track)
{
	struct lane *lane = builder_lane(b, track->kind, track->input, track->pid, track->tid);
	struct samples *s = &lane->samples;
	node_id parent = NODE_ROOT, order;
	frame_id frame = FRAME_NONE;

	lane->title = track->title;
	if (b->options.is_survey)
		return lane;
	calltree_build(&lane->tree, 1, &parent, &frame, &order);
	s->n = 1;
	s->t = xcalloc(2, sizeof *s->t);
	s->leaf = xcalloc(1, sizeof *s->leaf);
	s->shared = xcalloc(1, sizeof *s->shared);
	return lane;
}

static struct lane *add_made_lane(struct builder *b, const struct lane *made)
{
	struct lane *lane = builder_lane(b, made->kind, made->input, made->pid, made->tid);
	lane_id id = lane->id;

	*lane = *made;
	lane->id = id;
	return lane;
}

/* A lane begins and ends with all that there is of its layer. */
static void fit_lane(struct builder *b, struct lane *lane, const struct raw_track *track,
		     const struct placed_layer *all)
{
	struct samples *s = &lane->samples;
	bool is_empty = lane->tree.n == 1;
	int64_t by = lane->t0 - all->first;

	lane->source = (uint32_t)(track - b->tracks.tracks);
	for (size_t i = 0; !is_empty && s->n && i <= s->n; i++)
		s->t[i] += by;
	lane->sampled_t0 += is_empty ? 0 : by;
	lane->sampled_t1 += by;
	lane->t0 = all->first;
	lane->t1 = all->last;
	lane->n_left = all->n - all->n_kept;
	lane->n_spans += lane->n_left;
	if (all->max_depth)
		lane->max_depth = all->max_depth;
	lane->n_rows = track->place && !track->place->is_lost ? track->place->n_rows : 0;
	if (!is_empty)
		return;
	s->t[1] = lane->sampled_t1 = lane->unsampled_ns = lane->t1 - lane->t0;
	samples_index(s, &lane->tree, NULL);
	s->blocks = blocks_build(s, lane->tree.n);
}

/* Where slices stand is not known: those that are kept make the lanes. */
static void add_unplaced_lanes(struct builder *b, const struct raw_track *track,
			       const struct slice_lanes *made)
{
	struct placed_layer all = { .n = track->n_passed,
				    .n_kept = track->n,
				    .first = track->first,
				    .last = track->last };

	for (size_t i = 0; i < made->n; i++) {
		struct lane *lane = add_made_lane(b, &made->lanes[i]);
		struct placed_layer own = { .first = lane->t0, .last = lane->t1 };

		/* Where slices overlap another lane of the track may have the last one. */
		if (i == 0 && made->n > 1 && track->last <= track->wanted_t1)
			all.last = lane->t1;
		fit_lane(b, lane, track, i == 0 ? &all : &own);
	}
	if (made->n == 0)
		fit_lane(b, add_empty_lane(b, track), track, &all);
	for (uint64_t i = 0; i < made->n_overlaps; i++)
		builder_warn(b, WARN_OVERLAP, made->first_overlap);
}

static void add_placed_lanes(struct builder *b, const struct raw_track *track,
			     const struct slice_lanes *made)
{
	const struct slice_place *place = track->place;

	for (size_t i = 0; i < place->n_layers; i++) {
		const struct placed_layer *layer = &place->layers[i];
		struct lane *lane = layer->n_kept ? add_made_lane(b, &made->lanes[layer->lane])
						  : add_empty_lane(b, track);

		lane->is_joined = i > 0;
		fit_lane(b, lane, track, layer);
	}
	for (uint64_t i = 0; i < place->n_overlaps; i++)
		builder_warn(b, WARN_OVERLAP, place->first_overlap);
}

void track_add_lanes(struct builder *b, struct raw_track *track, struct slice_lanes *made)
{
	uint32_t first = b->profile->n_lanes;

	if (track->n_passed > 0 && track->place && !track->place->is_lost)
		add_placed_lanes(b, track, made);
	else if (track->n_passed > 0)
		add_unplaced_lanes(b, track, made);
	for (uint32_t i = 0; i < made->n_too_deep; i++)
		builder_warn(b, WARN_TOO_DEEP, -1);
	if (b->profile->n_lanes > first) {
		b->profile->lanes[first].survey = track->survey;
		b->profile->lanes[first].n_samples = b->options.is_survey ? track->n_passed : 0;
		track->survey = NULL;
	}
	free(made->lanes);
}

/* ---- what was left out ---- */

/* Slices and samples of one input that were not kept. */
struct left_out {
	uint64_t n_slices, of_slices, n_samples, of_samples;
};

static void add_left(const struct builder *b, struct left_out *by_input)
{
	const struct profile *p = b->profile;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct left_out *left = &by_input[lane->input];

		if (lane->kind == LANE_SAMPLES && lane->has_timeline) {
			left->of_samples += lane->n_samples;
			left->n_samples += lane->n_left;
		} else if (lane->kind == LANE_SLICES || lane->kind == LANE_MARKS) {
			left->of_slices += lane->n_spans;
			left->n_slices += lane->n_left;
		}
	}
}

static void tell(struct builder *b, uint32_t input, const struct left_out *left)
{
	char n[4][UNITS_MAX];
	struct buf text = { 0 };

	units_count(left->n_samples, n[0]);
	units_count(left->of_samples, n[1]);
	units_count(left->n_slices, n[2]);
	units_count(left->of_slices, n[3]);
	if (left->n_samples)
		buf_addf(&text, "%s of %s samples", n[0], n[1]);
	if (left->n_slices)
		buf_addf(&text, "%s%s of %s slices", left->n_samples ? " and " : "", n[2], n[3]);
	buf_adds(
		&text,
		" outside of --from, --to and --lane are not here; depths, and how often other warnings came up, are of what was loaded");
	builder_warn_input(b, input, WARN_SUBSET, buf_text(&text));
	buf_done(&text);
}

void tracks_tell_part(struct builder *b)
{
	const struct profile *p = b->profile;
	struct left_out *by_input = xcalloc(p->n_inputs, sizeof *by_input);

	add_left(b, by_input);
	for (uint32_t i = 0; i < p->n_inputs; i++)
		if (by_input[i].n_samples || by_input[i].n_slices)
			tell(b, i, &by_input[i]);
	free(by_input);
}
