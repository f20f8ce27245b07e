/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracks of which not all slices are kept (part.h). The filter of slices and flows is here, and nowhere else. */
#include "config.h"

#include "model/tracks.h"

#include "base/alloc.h"
#include "base/units.h"
#include "model/blocks.h"
#include "model/cpu_raw.h"
#include "model/part.h"

#include <stdlib.h>

bool builder_is_partial(const struct builder *b)
{
	return b->options.is_survey || b->options.part;
}

void track_begin_part(struct builder *b, struct raw_track *track, uint32_t number)
{
	struct wanted wanted;

	/* Operations of async tracks share rows with those before them: they are kept. */
	if (track->kind == LANE_ASYNC || !builder_is_partial(b))
		return;
	track->is_partial = true;
	if (b->options.is_survey) {
		track->survey = time_survey_new();
		return;
	}
	if (!part_of_track(b->options.part, number, &wanted))
		return;
	track->is_wanted = wanted.is_wanted;
	track->wanted_t0 = wanted.t0;
	track->wanted_t1 = wanted.t1;
}

bool track_keeps(struct raw_track *track, const struct raw_slice *s, int64_t end_offset)
{
	track->first = track->n_passed == 0 || s->t0 < track->first ? s->t0 : track->first;
	track->last = track->n_passed == 0 || s->t1 > track->last ? s->t1 : track->last;
	if (track->survey)
		time_survey_add(track->survey, track->n_passed, s->t0);
	track->n_passed++;
	if (!track->is_wanted)
		return false;
	if (s->t0 > track->wanted_t1 && (!track->has_next || s->t0 < track->next.t0)) {
		track->has_next = true;
		track->next = *s;
		track->next_end = end_offset;
	}
	return s->t1 >= track->wanted_t0 && s->t0 <= track->wanted_t1;
}

void track_end_part(struct raw_track *track)
{
	if (track->has_next)
		track_add(track, &track->next, track->next_end);
	track->has_next = false;
}

bool track_keeps_flow(struct builder *b, uint64_t flow, int64_t t)
{
	const struct part *part = b->options.part;
	struct tracks *tr = &b->tracks;
	int64_t zero;

	if (!builder_is_partial(b))
		return true;
	if (part) {
		zero = part->survey->inputs[b->profile->n_inputs - 1].zero_ns;
		if (t >= part->t0 + zero && t <= part->t1 + zero)
			return true;
		tr->left_flows = xgrow(tr->left_flows, &tr->cap_left_flows, tr->n_left_flows + 1, sizeof *tr->left_flows);
		tr->left_flows[tr->n_left_flows++] = flow;
	}
	return false;
}

/* A lane of a track of which no slice is kept: one stretch without any. */
static void add_empty_lane(struct builder *b, const struct raw_track *track)
{
	struct lane *lane = builder_lane(b, track->kind, track->input, track->pid, track->tid);
	struct samples *s = &lane->samples;
	const node_id parent = NODE_ROOT;
	const frame_id frame = FRAME_NONE;
	node_id order;

	lane->title = track->title;
	lane->source = (uint32_t)(track - b->tracks.tracks);
	lane->t0 = track->first;
	lane->t1 = track->last;
	lane->sampled_t1 = lane->unsampled_ns = lane->t1 - lane->t0;
	if (b->options.is_survey)
		return;
	calltree_build(&lane->tree, 1, &parent, &frame, &order);
	s->n = 1;
	s->t = xcalloc(2, sizeof *s->t);
	s->t[1] = lane->t1 - lane->t0;
	s->leaf = xcalloc(1, sizeof *s->leaf);
	s->shared = xcalloc(1, sizeof *s->shared);
	samples_index(s);
	s->blocks = blocks_build(s, lane->tree.n);
}

/* The first lane of a track begins and ends with the track, and has the slices in its number that none of its lanes has. */
void track_fit_lanes(struct builder *b, struct raw_track *track, uint32_t first_lane)
{
	struct lane *lane;
	int64_t by;

	if (track->n_passed == 0)
		return;
	if (b->profile->n_lanes == first_lane)
		add_empty_lane(b, track);
	lane = &b->profile->lanes[first_lane];
	by = lane->t0 - track->first;
	for (size_t i = 0; lane->samples.n && i <= lane->samples.n; i++)
		lane->samples.t[i] += by;
	lane->sampled_t0 += by;
	lane->sampled_t1 += by;
	lane->t0 = track->first;
	/* Where slices overlap another lane of the track may have the last one. */
	if (b->profile->n_lanes == first_lane + 1 || track->last > track->wanted_t1)
		lane->t1 = track->last;
	lane->survey = track->survey;
	track->survey = NULL;
	lane->n_left = track->n_passed - track->n;
	lane->n_spans += lane->n_left;
}

/* ---- what was left out ---- */

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
	buf_adds(&text, " outside of --from, --to and --lane are not here; depths, and how often other warnings came up, are of what was loaded");
	builder_warn_input(b, input, WARN_PART, buf_text(&text));
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
