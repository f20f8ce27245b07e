/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lanes of a thread become raw slices again, a track for each event category, of which lanes
 * are made as at loading. Times are those of the profile, so nothing is aligned anew.
 *
 * A group is the lanes of a thread that are replaced: its slices on all layers, and its marks. They
 * are adjacent. */
#include "config.h"

#include "model/build/cat_lanes.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "model/build/part_lanes.h"
#include "model/build/slice_cover.h"
#include "model/build/slice_lane.h"

#include <stdlib.h>
#include <string.h>

/* A track that is being collected: slices or marks of one event category. */
struct cat_track {
	str_id cat;
	struct raw_track raw;
};

struct splitting {
	struct profile *p;
	struct raw_variants variants;
	struct hash_table variant_index; /* by frame and category */
	struct cat_track *tracks;        /* of the current group */
	size_t n_tracks, cap_tracks;
	struct lane *lanes; /* the new ones */
	size_t n_lanes, cap_lanes;
	/* By old lane: its group's new lanes are [first, end); both 0: it stays, as first_lane. */
	uint32_t *first, *end;
};

/* ---- which lanes ---- */

/* Whether a group begins with this lane. */
static bool is_first(const struct lane *lane)
{
	return (lane->kind == LANE_SLICES || lane->kind == LANE_MARKS) && lane->tid != LANE_NO_ID &&
		!lane->title && !lane->is_across && !lane->is_joined;
}

/* The lane after the group that begins with lane i. */
static uint32_t group_end(const struct profile *p, uint32_t i)
{
	uint32_t end = i + 1;

	while (end < p->n_lanes && p->lanes[end].is_joined &&
	       lane_is_of_thread(&p->lanes[i], &p->lanes[end]) &&
	       (p->lanes[end].kind == LANE_SLICES || p->lanes[end].kind == LANE_MARKS))
		end++;
	return end;
}

bool cat_lanes_are_possible(const struct profile *p, struct error *err)
{
	bool has_any = false;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (!is_first(&p->lanes[i]))
			continue;
		has_any = true;
		for (uint32_t k = i; k < group_end(p, i); k++)
			if (p->lanes[k].n_left)
				return error_set(err, ERR_FORMAT, -1,
						 "not of a profile that was loaded in part");
	}
	if (p->n_event_cats > 1 && has_any)
		return true;
	return error_set(err, ERR_FORMAT, -1, "no slices of threads with event categories");
}

/* ---- from lanes to raw slices ---- */

static str_id first_cat(const struct profile *p, event_cat cat)
{
	return cat ? p->event_cats[cat].first : p->no_event_cat;
}

/* The frame with an event category, as raw slices have it. */
static frame_id raw_frame(struct splitting *s, frame_id frame, event_cat cat)
{
	uint64_t hash = hash_u64((uint64_t)frame << 32 | cat);
	struct hash_probe probe = hash_probe(hash);
	struct raw_variants *v = &s->variants;

	if (s->p->frames.frames[frame].cat == cat)
		return frame;
	while (hash_table_next(&s->variant_index, &probe))
		if (v->list[probe.index].frame == frame && v->list[probe.index].cat == cat)
			return RAW_VARIANT | probe.index;
	v->list = xgrow(v->list, &v->cap, (size_t)v->n + 1, sizeof *v->list);
	v->list[v->n] = (struct raw_variant){ frame, cat };
	hash_table_add(&s->variant_index, hash, v->n);
	return RAW_VARIANT | v->n++;
}

static struct raw_track *track_of(struct splitting *s, const struct lane *lane, str_id cat)
{
	for (size_t i = 0; i < s->n_tracks; i++)
		if (s->tracks[i].cat == cat && s->tracks[i].raw.kind == lane->kind)
			return &s->tracks[i].raw;
	s->tracks = xgrow(s->tracks, &s->cap_tracks, s->n_tracks + 1, sizeof *s->tracks);
	s->tracks[s->n_tracks] = (struct cat_track){ .cat = cat,
						     .raw = { .kind = lane->kind,
							      .pid = lane->pid,
							      .tid = lane->tid,
							      .input = lane->input,
							      .title = cat,
							      .variants = &s->variants } };
	return &s->tracks[s->n_tracks++].raw;
}

static void add_slice(struct splitting *s, const struct lane *lane, const struct span *span)
{
	event_cat cat = profile_node_cat(s->p, lane, span->node);
	size_t k = slice_of_span(lane, span);
	int64_t where = SLICE_WHERE(-1, 0), end_offset = -1;
	unsigned color = 0;

	if (k != SIZE_MAX) {
		/* What overlaps on one lane for all may not do so here. */
		where = SLICE_WHERE(slice_offset(&lane->slices, k),
				    slice_flags(&lane->slices, k) & ~(unsigned)SLICE_OVERLAPS);
		end_offset = slice_end_offset(&lane->slices, k);
		color = slice_color(&lane->slices, k);
	}
	track_raw_add(
		track_of(s, lane, first_cat(s->p, cat)),
		&(struct raw_slice){ .t0 = span->t0,
				     .t1 = span->t0 + slice_time_of_span(lane, span),
				     .where = raw_where_with(where, color),
				     .frame = raw_frame(s, lane->tree.frame[span->node], cat) },
		end_offset, 0);
}

static void add_lane(struct splitting *s, const struct lane *lane)
{
	struct span span;

	for (int depth = 0; depth < lane->max_depth; depth++)
		for (size_t from = 0; span_next(&lane->samples, &lane->tree, depth, from, &span);
		     from = span.end)
			add_slice(s, lane, &span);
}

/* ---- from raw slices to lanes ---- */

/* By name, those without category last; marks below the slices. */
static int compare(const struct profile *p, const struct cat_track *a, const struct cat_track *b)
{
	bool is_none = a->cat == p->no_event_cat;

	if (a->cat != b->cat)
		return is_none != (b->cat == p->no_event_cat)
			? (is_none ? 1 : -1)
			: strcmp(profile_text(p, a->cat), profile_text(p, b->cat));
	return (a->raw.kind == LANE_MARKS) - (b->raw.kind == LANE_MARKS);
}

/* There are few. */
static void sort_tracks(struct splitting *s)
{
	for (size_t i = 1; i < s->n_tracks; i++)
		for (size_t k = i; k > 0 && compare(s->p, &s->tracks[k - 1], &s->tracks[k]) > 0;
		     k--) {
			struct cat_track swap = s->tracks[k];

			s->tracks[k] = s->tracks[k - 1];
			s->tracks[k - 1] = swap;
		}
}

static void take_lane(struct splitting *s, const struct lane *group, const struct lane *made)
{
	const struct lane *before = s->n_lanes ? &s->lanes[s->n_lanes - 1] : NULL;
	bool has_slices = before && before->is_part && before->title == made->title &&
		lane_is_of_thread(before, made);
	struct lane *lane;
	int64_t t0 = made->t0;

	s->lanes = xgrow(s->lanes, &s->cap_lanes, s->n_lanes + 1, sizeof *s->lanes);
	lane = &s->lanes[s->n_lanes++];
	*lane = *made;
	lane->is_part = true;
	lane->is_joined = has_slices;
	lane->process_name = group->process_name;
	lane->thread_name = group->thread_name;
	lane->thread_title = group->thread_title;
	lane->page = group->page;
	lane->zero_ns = group->zero_ns;
	lane->group_zero_ns = group->group_zero_ns;
	/* New lanes have their times since their own start. */
	times_shift(&lane->samples.times, lane->samples.n + 1, t0);
	slice_time_shift(lane->slice_time, t0);
	lane->sampled_t0 += t0;
	lane->sampled_t1 += t0;
}

static void split_group(struct splitting *s, uint32_t first, uint32_t end)
{
	const struct lane *group = &s->p->lanes[first];
	uint32_t from = (uint32_t)s->n_lanes;

	s->n_tracks = 0;
	for (uint32_t i = first; i < end; i++)
		add_lane(s, &s->p->lanes[i]);
	sort_tracks(s);
	for (size_t i = 0; i < s->n_tracks; i++) {
		struct slice_lanes made;

		slice_lane_make_all(&s->tracks[i].raw, &made, NULL);
		if (s->tracks[i].raw.kind == LANE_SLICES)
			slice_cover_unite(made.lanes, made.n);
		for (size_t k = 0; k < made.n; k++)
			take_lane(s, group, &made.lanes[k]);
		free(made.lanes);
	}
	for (uint32_t i = first; i < end; i++) {
		s->first[i] = from;
		s->end[i] = (uint32_t)s->n_lanes;
	}
}

/* ---- the profile ---- */

void cat_lanes_make(struct profile *p)
{
	struct splitting s = { .p = p,
			       .variants = { .frames = &p->frames },
			       .first = xcalloc((size_t)p->n_lanes + 1, sizeof *s.first),
			       .end = xcalloc((size_t)p->n_lanes + 1, sizeof *s.end) };

	for (uint32_t i = 0, end; i < p->n_lanes; i = end) {
		end = i + 1;
		if (is_first(&p->lanes[i])) {
			end = group_end(p, i);
			split_group(&s, i, end);
			continue;
		}
		s.lanes = xgrow(s.lanes, &s.cap_lanes, s.n_lanes + 1, sizeof *s.lanes);
		s.first[i] = s.end[i] = (uint32_t)s.n_lanes;
		s.lanes[s.n_lanes++] = p->lanes[i];
	}
	p->has_cat_lanes = true;
	part_lanes_take(p, s.lanes, s.n_lanes, s.first, s.end);
	free(s.first);
	free(s.end);
	free(s.tracks);
	free(s.variants.list);
	hash_table_done(&s.variant_index);
}
