/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the folder build/ changes profiles; this is its interface for the program. */
#include "config.h"

#include "read/load/split_lanes.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/units.h"
#include "model/build/align.h"
#include "model/build/lane_order.h"
#include "model/build/slice_lane.h"
#include "model/build/track_builder.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ==== part lanes ====
 *
 * Flows lead to slices, which are found again on the parts by their place in the file. */

struct moving {
	struct profile *p;
	const uint32_t *first, *end;
};

/* False: the slice is not found, as its place in the file is not known. */
static bool move_flow(const struct moving *s, struct flow_point *point)
{
	const struct lane *lane = &s->p->whole->lanes[point->lane];
	uint32_t first = s->first[point->lane], end = s->end[point->lane];
	int64_t offset = end > first ? slice_event(lane, &point->span) : -1;

	if (end == first) {
		point->lane = first;
		return true;
	}
	for (uint32_t i = first; i < end; i++) {
		struct span span;

		if (s->p->lanes[i].kind != lane->kind ||
		    !slice_find(&s->p->lanes[i], offset, point->span.t0, &span))
			continue;
		point->lane = i;
		point->span = span;
		return true;
	}
	return false;
}

static void move_flows(const struct moving *s)
{
	struct profile *p = s->p;
	size_t n = 0;

	if (!p->n_flows)
		return;
	p->flows = xmalloc(p->n_flows * sizeof *p->flows);
	memcpy(p->flows, p->whole->flows, p->n_flows * sizeof *p->flows);
	for (size_t i = 0; i < p->n_flows; i++) {
		p->flows[n] = p->flows[i];
		n += move_flow(s, &p->flows[n]);
	}
	p->n_flows = n;
	flow_bind_index(p);
}

/* Give a profile that has its lanes n others, and keep its own (model/profile.h). take_lanes: those
 * with is_part are new, all others are lanes of the profile. By old lane i: its parts are lanes
 * [first[i], end[i]); if there are none, it stays, as first[i]. Nothing that was computed from the
 * profile may be used. */
static void part_lanes_take(struct profile *p, struct lane *lanes, size_t n, const uint32_t *first,
			    const uint32_t *end)
{
	struct moving s = { p, first, end };

	for (size_t i = 0; i < n; i++)
		lanes[i].id = (lane_id)i + 1;
	p->whole = xmalloc(sizeof *p->whole);
	*p->whole = (struct whole_lanes){ p->lanes, p->n_lanes, p->flows, p->flows_by_lane,
					  p->n_flows };
	p->lanes = lanes;
	p->n_lanes = (uint32_t)n;
	p->flows = NULL;
	p->flows_by_lane = NULL;
	unique_names_resolve(p);
	move_flows(&s);
}

/* ==== cat lanes ====
 *
 * The lanes of a thread become raw slices again, a track for each event category, of which lanes
 * are made as at loading. Times are those of the profile, so nothing is aligned anew.
 *
 * A group is the lanes of a thread that are replaced: its slices on all layers, and its marks. They
 * are adjacent. */

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

/* Whether a profile has slices of threads with event categories, and all of them. */
static bool cat_lanes_are_possible(const struct profile *p, struct error *err)
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
	str_id title = cat ? s->p->event_cats[cat].first : s->p->no_event_cat;
	size_t k = slice_of_span(lane, span);
	int64_t where = SLICE_WHERE(-1, 0), end_offset = -1;
	unsigned color = 0;

	if (k != SIZE_MAX) {
		/* What overlaps on one lane for all may not do so here. */
		where = slice_where(&lane->slices, k) & ~(int64_t)SLICE_OVERLAPS;
		end_offset = slice_end_offset(&lane->slices, k);
		color = slice_color(&lane->slices, k);
	}
	track_raw_add(
		track_of(s, lane, title),
		&(struct raw_slice){ .t0 = span->t0,
				     .t1 = span->t0 + slice_time_of_span(lane, span),
				     .where = raw_where_with(where, color),
				     .frame = raw_frame(s, lane->tree.frame[span->node], cat) },
		end_offset, 0);
}

/* ---- from raw slices to lanes ---- */

/* By name, those without category last; marks below the slices. */
static bool cat_before(const void *x, const void *y, const void *ctx)
{
	const struct cat_track *a = x, *b = y;
	const struct profile *p = ctx;
	bool is_none = a->cat == p->no_event_cat;

	if (a->cat == b->cat)
		return a->raw.kind != LANE_MARKS && b->raw.kind == LANE_MARKS;
	if (is_none || b->cat == p->no_event_cat)
		return !is_none;
	return strcmp(profile_text(p, a->cat), profile_text(p, b->cat)) < 0;
}

static void take_lane(struct splitting *s, const struct lane *group, const struct lane *made)
{
	const struct lane *before = s->n_lanes ? &s->lanes[s->n_lanes - 1] : NULL;
	bool has_slices = before && before->is_part && before->title == made->title &&
		lane_is_of_thread(before, made);
	struct lane *lane;
	int64_t t0 = made->t0;

	lane = ARRAY_ADD(s->lanes, s->n_lanes, s->cap_lanes);
	*lane = *made;
	lane->is_part = true;
	lane->is_joined = has_slices;
	lane->process_name = group->process_name;
	lane->thread_name = group->thread_name;
	lane->thread_title = group->thread_title;
	lane->page = group->page;
	lane->is_page_main = group->is_page_main;
	lane->page_order = group->page_order;
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
	for (uint32_t i = first; i < end; i++) {
		const struct lane *lane = &s->p->lanes[i];
		struct span span;

		for (int depth = 0; depth < lane->max_depth; depth++)
			for (size_t k = 0; span_next(&lane->samples, &lane->tree, depth, k, &span);
			     k = span.end)
				add_slice(s, lane, &span);
	}
	sort_stable(s->tracks, s->n_tracks, sizeof *s->tracks, cat_before, s->p);
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

/* Put the slices and marks of all threads on such lanes, which nest by formats(5), SLICES, each for
 * itself. whole_lanes_restore() puts them back. Nothing that was computed from the profile may be
 * used. Requires that this is possible, and the profile has its lanes. */
static void cat_lanes_make(struct profile *p)
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

/* ==== label lanes ====
 *
 * A part of a lane has the samples of one value, or of several, and between them samples without a
 * stack, one for each stretch of samples of other parts. Times by part add up to those of the
 * lane. */

#define LABEL_LANES_ALL ((size_t)1000)

/* A value on a lane; 0: none. */
struct value_time {
	str_id value;
	int64_t ns;
};

struct splitting_lanes {
	struct profile *p;
	uint32_t key;
	str_id *value_of;         /* by set of labels */
	uint32_t *part_of;        /* by value: index of its part, from 1; 0: it has none yet */
	struct value_time *parts; /* of the current lane */
	size_t n_parts, cap_parts;
	size_t most; /* parts of a lane with a lane of their own */
	struct lane *lanes;
	size_t n_lanes, cap_lanes;
	uint32_t *first, *end;
};

/* The samples of a part while they are collected. */
struct picked {
	int64_t *t; /* n + 1 */
	node_id *leaf;
	uint32_t *labels, *counts;
	size_t n;
	uint64_t n_samples;
};

/* ---- values ---- */

static str_id value_at(const struct splitting_lanes *s, const struct lane *lane, size_t i)
{
	return s->value_of[lane->labels[i]];
}

/* Whether a sample with a stack has the label. */
static bool has_label(const struct splitting_lanes *s, const struct lane *lane)
{
	bool has = false;

	if (lane->kind != LANE_SAMPLES || !lane->labels)
		return false;
	for (size_t i = 0; i < lane->samples.n && !has; i++)
		has = lane->samples.leaf[i] != NODE_ROOT && value_at(s, lane, i);
	return has;
}

static void add_part(struct splitting_lanes *s, str_id value, int64_t ns)
{
	if (!s->part_of[value]) {
		*ARRAY_ADD(s->parts, s->n_parts, s->cap_parts) = (struct value_time){ value, 0 };
		s->part_of[value] = (uint32_t)s->n_parts;
	}
	s->parts[s->part_of[value] - 1].ns += ns;
}

/* Most time first, none last; equal ones in the order of the file. */
static int by_time(const void *a, const void *b)
{
	const struct value_time *x = a, *y = b;

	if (!x->value != !y->value)
		return x->value ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* Find the parts of a lane, in the order of their lanes. Returns the number of values. */
static size_t find_parts(struct splitting_lanes *s, const struct lane *lane)
{
	const struct samples *samples = &lane->samples;
	size_t n;

	s->n_parts = 0;
	for (size_t i = 0; i < samples->n; i++)
		if (samples->leaf[i] != NODE_ROOT)
			add_part(s, value_at(s, lane, i),
				 samples_time(samples, i + 1) - samples_time(samples, i));
	qsort(s->parts, s->n_parts, sizeof *s->parts, by_time);
	n = s->n_parts - (s->n_parts && !s->parts[s->n_parts - 1].value);
	for (size_t i = 0; i < s->n_parts; i++)
		s->part_of[s->parts[i].value] = (uint32_t)i + 1;
	return n;
}

/* ---- samples of a part ---- */

/* Pick the samples of parts [first, end). Those of sums follow each other. */
static void pick(const struct splitting_lanes *s, const struct lane *lane, size_t first, size_t end,
		 struct picked *to)
{
	const struct samples *from = &lane->samples;
	int64_t sum = samples_time(from, 0), t_end = sum;

	*to = (struct picked){ .t = xcalloc(from->n + 1, sizeof *to->t),
			       .leaf = xcalloc(from->n, sizeof *to->leaf),
			       .labels = xcalloc(from->n, sizeof *to->labels),
			       .counts = lane->counts ? xcalloc(from->n, sizeof *to->counts)
						      : NULL };
	for (size_t i = 0; i < from->n; i++) {
		size_t part = s->part_of[value_at(s, lane, i)];
		int64_t t = samples_time(from, i), ns = samples_time(from, i + 1) - t;
		bool is = from->leaf[i] != NODE_ROOT && part > first && part <= end;

		if (!is && (to->n == 0 || !lane->has_timeline || !to->leaf[to->n - 1]))
			continue;
		to->t[to->n] = lane->has_timeline ? t : sum;
		to->leaf[to->n] = is ? from->leaf[i] : NODE_ROOT;
		if (to->counts)
			to->counts[to->n] = is ? lane->counts[i] : 0;
		to->labels[to->n++] = is ? lane->labels[i] : 0;
		if (!is)
			continue;
		to->n_samples++;
		sum += ns;
		t_end = lane->has_timeline ? t + ns : sum;
	}
	/* Behind the last one, nothing is sampled. */
	if (to->n && !to->leaf[to->n - 1])
		to->n--;
	to->t[to->n] = t_end;
	/* Most parts have few of the samples. */
	to->leaf = xrealloc(to->leaf, to->n + 1, sizeof *to->leaf);
	to->labels = xrealloc(to->labels, to->n + 1, sizeof *to->labels);
	if (to->counts)
		to->counts = xrealloc(to->counts, to->n + 1, sizeof *to->counts);
}

/* The tree of the nodes that the samples need; leaves, and what nodes have, move to it. */
static void make_tree(const struct lane *from, struct picked *picked, struct lane *lane)
{
	uint32_t n = from->tree.n, n_kept = 0;
	ALLOC_LOCAL node_id *place = xcalloc(n, sizeof *place);
	ALLOC_LOCAL node_id *parent = NULL, *order = NULL;
	ALLOC_LOCAL uint8_t *is_kept = xcalloc(n, 1);
	ALLOC_LOCAL frame_id *frame = NULL;

	for (size_t i = 0; i < picked->n; i++)
		is_kept[picked->leaf[i]] = 1;
	for (node_id i = n; i-- > 1;)
		is_kept[from->tree.parent[i]] |= is_kept[i];
	is_kept[NODE_ROOT] = 1;
	for (node_id i = 0; i < n; i++)
		if (is_kept[i])
			place[i] = n_kept++;
	parent = xcalloc(n_kept, sizeof *parent);
	order = xcalloc(n_kept, sizeof *order);
	frame = xcalloc(n_kept, sizeof *frame);
	for (node_id i = 0; i < n; i++) {
		if (!is_kept[i])
			continue;
		parent[place[i]] = place[from->tree.parent[i]];
		frame[place[i]] = from->tree.frame[i];
	}
	calltree_build(&lane->tree, n_kept, parent, frame, order);
	lane->deopt = from->deopt ? xcalloc(lane->tree.n, sizeof *lane->deopt) : NULL;
	lane->cats = from->cats ? xcalloc(lane->tree.n, sizeof *lane->cats) : NULL;
	for (node_id i = 0; i < n; i++) {
		if (is_kept[i] && from->deopt)
			lane->deopt[order[place[i]]] = from->deopt[i];
		if (is_kept[i] && from->cats)
			lane->cats[order[place[i]]] = from->cats[i];
	}
	for (size_t i = 0; i < picked->n; i++)
		picked->leaf[i] = order[place[picked->leaf[i]]];
}

static void set_title(struct splitting_lanes *s, const struct lane *from, str_id name,
		      struct lane *lane)
{
	struct intern *strings = &s->p->strings;
	BUF_LOCAL text = { 0 };

	lane->title = name;
	if (!from->title)
		return;
	buf_add(&text, intern_text(strings, name), intern_len(strings, name));
	buf_addf(&text, " \302\267 %s", intern_text(strings, from->title));
	lane->title = intern_add(strings, text.data, text.len);
}

static struct lane *next_lane(struct splitting_lanes *s)
{
	return ARRAY_ADD(s->lanes, s->n_lanes, s->cap_lanes);
}

static void add_lane_lanes(struct splitting_lanes *s, const struct lane *from, size_t first,
			   size_t end, str_id name)
{
	struct lane *lane = next_lane(s);
	struct picked picked;

	pick(s, from, first, end, &picked);
	*lane = *from;
	lane->is_part = true;
	lane_forget_nodes(lane);
	make_tree(from, &picked, lane);
	lane->n_file_nodes = lane->tree.n - 1;
	lane->n_samples = from->n_samples ? picked.n_samples : 0;
	lane->samples = (struct samples){ .n = picked.n, .leaf = picked.leaf };
	lane->labels = picked.labels;
	lane->counts = picked.counts;
	lane->sampled_t0 = picked.t[0];
	lane->sampled_t1 = picked.t[picked.n];
	if (!from->has_timeline)
		lane->t1 = lane->t0 + (lane->sampled_t1 - lane->sampled_t0);
	times_pack(&lane->samples.times, picked.t, picked.n + 1, 0);
	set_title(s, from, name, lane);
	lane_link(lane, s->p->frames.frames, NULL);
}

/* ---- lanes ---- */

static str_id name_of_rest(struct splitting_lanes *s, size_t n)
{
	BUF_LOCAL text = { 0 };

	buf_addf(&text, "(%s other values of %s)", units_count(n, UNITS_ROOM),
		 profile_text(s->p, s->p->labels.keys[s->key].name));
	return intern_add(&s->p->strings, text.data, text.len);
}

static void split_lane(struct splitting_lanes *s, uint32_t i)
{
	const struct lane *lane = &s->p->lanes[i];
	struct label_lanes_of *of = &s->p->label_lanes;
	size_t n = find_parts(s, lane), n_own = n <= s->most ? n : s->most;

	s->first[i] = (uint32_t)s->n_lanes;
	for (size_t k = 0; k < n_own; k++)
		add_lane_lanes(s, lane, k, k + 1, s->parts[k].value);
	if (n_own < n)
		add_lane_lanes(s, lane, n_own, n, name_of_rest(s, n - n_own));
	if (n < s->n_parts)
		add_lane_lanes(s, lane, n, n + 1, s->p->labels.keys[s->key].none);
	s->end[i] = (uint32_t)s->n_lanes;
	if (n > of->n_all) {
		of->n_own = n_own;
		of->n_all = n;
	}
	for (size_t k = 0; k < s->n_parts; k++)
		s->part_of[s->parts[k].value] = 0;
}

/* Put the samples of all lanes on which some have the label on such lanes; those without it have
 * one, too. A lane of a time line has no stack while the samples are of other lanes. Lines of
 * functions are of all samples, so they are left out. whole_lanes_restore() puts all back. Nothing
 * that was computed from the profile may be used. Requires that the profile has its lanes. */
static void label_lanes_make(struct profile *p, uint32_t key)
{
	struct splitting_lanes s = { .p = p,
				     .key = key,
				     .part_of = xcalloc(p->strings.n + 1, sizeof *s.part_of),
				     .first = xcalloc((size_t)p->n_lanes + 1, sizeof *s.first),
				     .end = xcalloc((size_t)p->n_lanes + 1, sizeof *s.end) };
	size_t n_sets = labels_count(&p->labels), n = 0; /* n: lanes that are split */

	s.value_of = xcalloc(n_sets, sizeof *s.value_of);
	for (size_t i = 0; i < n_sets; i++)
		s.value_of[i] = labels_value(&p->labels, (uint32_t)i, key);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		n += has_label(&s, &p->lanes[i]);
	s.most = n > LABEL_LANES_ALL / LABEL_LANES_MAX ? LABEL_LANES_ALL / n + 1 : LABEL_LANES_MAX;
	p->label_lanes = (struct label_lanes_of){ .key = key + 1 };
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (has_label(&s, &p->lanes[i])) {
			split_lane(&s, i);
			continue;
		}
		s.first[i] = s.end[i] = (uint32_t)s.n_lanes;
		*next_lane(&s) = p->lanes[i];
	}
	part_lanes_take(p, s.lanes, s.n_lanes, s.first, s.end);
	free(s.value_of);
	free(s.part_of);
	free(s.parts);
	free(s.first);
	free(s.end);
}

/* ==== realign ====
 *
 * The user's choice between one time line for all lanes and one for each group of them, for a
 * profile that is loaded. */

bool realign_is_possible(const struct profile *p, bool is_own, struct error *err)
{
	if (p->has_own_zero == is_own)
		return true;
	if (!p->has_groups)
		return error_set(err, ERR_FORMAT, -1, "all lanes are of one recording");
	return !p->has_other_clock ||
		error_set(err, ERR_FORMAT, -1, "the files have no clock in common");
}

bool realign(struct profile *p, bool is_own, struct error *err)
{
	if (!realign_is_possible(p, is_own, err))
		return false;
	align_switch(p, is_own);
	return true;
}

/* ==== split lanes ==== */

#define LABEL "label:"

/* The key of `label:KEY`; NULL: it is another word. */
static const char *key_of(const char *how)
{
	return strncmp(how, LABEL, sizeof LABEL - 1) == 0 ? how + sizeof LABEL - 1 : NULL;
}

bool split_lanes_is_word(const char *how)
{
	const char *key = key_of(how);

	return key ? *key != '\0' : strcmp(how, "none") == 0 || strcmp(how, "cat") == 0;
}

bool split_lanes_is_possible(const struct profile *p, const char *how, struct error *err)
{
	const char *key = key_of(how);
	uint32_t index;

	if (key)
		return labels_find(&p->labels, &p->strings, key, &index, err);
	return strcmp(how, "cat") != 0 || p->has_cat_lanes || cat_lanes_are_possible(p, err);
}

bool split_lanes_differs(const struct profile *p, const char *how)
{
	const char *key = key_of(how);
	uint32_t index = p->label_lanes.key;

	if (key)
		return !index || strcmp(profile_text(p, p->labels.keys[index - 1].name), key) != 0;
	return strcmp(how, "cat") == 0 ? !p->has_cat_lanes : p->whole != NULL;
}

bool split_lanes(struct profile *p, const char *how, struct error *err)
{
	const char *key = key_of(how);
	uint32_t index;

	if (!split_lanes_is_possible(p, how, err))
		return false;
	if (!split_lanes_differs(p, how))
		return true;
	whole_lanes_restore(p);
	if (key) {
		if (!labels_find(&p->labels, &p->strings, key, &index, err))
			return false;
		label_lanes_make(p, index);
	} else if (strcmp(how, "cat") == 0) {
		cat_lanes_make(p);
	}
	return true;
}
