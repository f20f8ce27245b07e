/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files, packages, categories and names: first the new frame of each frame, then that of each node.
 * Lanes: the nodes that sources have time for first, then their callers. Labels: a frame for each
 * value, and one for all nodes. */
#include "config.h"

#include "analyse/view/view_frames.h"

#include "analyse/view/view_transform.h"
#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* The frame for a file, a package, a category or a name: the same one for the same key, in all
 * passes. */
struct maker {
	struct view *v;
	const str_id *files; /* by URL: that of its file; NULL: each is one */
	size_t cap;
	struct hash_table index; /* the new frames, by name, url and category */
};

struct view_frames {
	struct maker maker;
	const struct draft *draft;
	const struct transform *fold; /* NULL: the grouping */
	enum view_group group;
	struct phases phases;
	frame_id *by;          /* by frame: the new one */
	frame_id *to;          /* by node: the new frame */
	struct view_cats cats; /* of a transform that is about them */
	/* Of lanes as frames: */
	frame_id *known; /* by lane, or by event_cat: its frame; FRAME_NONE: not made yet */
	struct view_place place;
	frame_id frame; /* of the source at that place, or of frames without an event category */
	bool is_complete;
};

static uint64_t maker_hash(const struct frame *f)
{
	return hash_u64(hash_u64((uint64_t)f->name << 32 | (uint32_t)f->category) ^ f->url);
}

static void maker_init(struct maker *m, struct view *v, const str_id *files)
{
	*m = (struct maker){ .v = v, .files = files };
	if (!v->own_frames) {
		v->own_frames = xgrow(NULL, &m->cap, (size_t)v->n_frames + 16,
				      sizeof *v->own_frames);
		memcpy(v->own_frames, v->frames, (size_t)v->n_frames * sizeof *v->own_frames);
	} else {
		m->cap = v->n_frames;
	}
	v->frames = v->own_frames;
	for (frame_id f = v->profile->frames.n; f < v->n_frames; f++)
		hash_table_add(&m->index, maker_hash(&v->frames[f]), f);
}

static frame_id add_frame(struct maker *m, const struct frame *frame)
{
	struct view *v = m->v;

	v->own_frames = xgrow(v->own_frames, &m->cap, (size_t)v->n_frames + 1,
			      sizeof *v->own_frames);
	v->own_frames[v->n_frames] = *frame;
	v->frames = v->own_frames;
	return v->n_frames++;
}

/* Whether two frames that stand for groups are those of one group. */
static bool is_same(const struct frame *a, const struct frame *b)
{
	return a->name == b->name && a->url == b->url && a->script == b->script &&
		a->package == b->package && a->category == b->category;
}

static frame_id make(struct maker *m, const struct frame *made)
{
	uint64_t hash = maker_hash(made);
	struct hash_probe probe = hash_probe(hash);
	frame_id id;

	while (hash_table_next(&m->index, &probe)) {
		struct frame *f = &m->v->own_frames[probe.index];

		if (!is_same(f, made))
			continue;
		/* Functions at several places are at none. */
		if (f->line != made->line || f->column != made->column)
			f->line = f->column = 0;
		return probe.index;
	}
	id = add_frame(m, made);
	hash_table_add(&m->index, hash, id);
	return id;
}

/* The frame that stands for the group of f. url: that of its file. */
static struct frame group_of(const struct profile *p, enum view_group group, const struct frame *f,
			     str_id url)
{
	struct frame made = { .name = p->category_names[f->category], .category = f->category };

	if (group == GROUP_NAME) {
		made = *f;
		made.url = url;
		made.script = url ? 0 : f->script;
	} else if (group == GROUP_FILE && url) {
		made.name = url;
	} else if (group == GROUP_PACKAGE && f->package) {
		made.name = made.package = f->package;
	}
	return made;
}

bool view_frames_has(const struct profile *p, enum view_group group, const struct frame *made,
		     const struct frame *f)
{
	struct frame of = group_of(p, group, f, f->url);

	return !category_is_state(f->category) && is_same(&of, made);
}

/* The new frame of a frame. */
static frame_id make_group(struct maker *m, frame_id id, enum view_group group)
{
	const struct frame f = m->v->frames[id];
	struct frame made;

	if (id == FRAME_NONE || category_is_state(f.category))
		return id;
	made = group_of(m->v->profile, group, &f, f.url && m->files ? m->files[f.url] : f.url);
	return make(m, &made);
}

static size_t begin_frames(void *ctx)
{
	struct view_frames *f = ctx;
	uint32_t n = f->maker.v->n_frames;

	f->by = xmalloc((size_t)n * sizeof *f->by);
	return n;
}

static void find_frames(void *ctx, size_t from, size_t end)
{
	struct view_frames *f = ctx;

	for (size_t i = from; i < end; i++) {
		frame_id id = (frame_id)i;

		f->by[i] = !f->fold || f->fold->set.cats ||
				view_transform_matches(f->maker.v, f->fold, id)
			? make_group(&f->maker, id, f->group)
			: id;
	}
}

static size_t begin_nodes(void *ctx)
{
	struct view_frames *f = ctx;

	f->to = xmalloc((size_t)f->draft->n * sizeof *f->to);
	return f->draft->n;
}

static void replace_frames(void *ctx, size_t from, size_t end)
{
	struct view_frames *f = ctx;
	const frame_id *by = f->by, *frame = f->draft->frame;
	const uint8_t *cats = f->fold ? f->fold->set.cats : NULL;
	frame_id *to = f->to;

	for (size_t i = from; i < end; i++)
		to[i] = !cats || cats[f->cats.of[i]] ? by[frame[i]] : frame[i];
}

static bool find_cats(void *ctx, struct budget *budget)
{
	struct view_frames *f = ctx;

	return !f->fold || !f->fold->set.cats ||
		view_cats_work(&f->cats, f->maker.v, f->draft, budget);
}

/* ---- lanes as frames ---- */

/* The frame of the thread or track of a source. Joined lanes are part of one track. */
static frame_id lane_frame(struct maker *m, const struct lane *lane, frame_id *known)
{
	const struct lane *first = m->v->profile->lanes;

	while (lane > first && lane->is_joined && lane[-1].kind == lane->kind)
		lane--;
	if (!known[lane - first])
		known[lane - first] = add_frame(
			m, &(struct frame){ .name = lane->name, .category = CATEGORY_LANE });
	return known[lane - first];
}

static void mark(frame_id *to, const node_id *map, size_t from, size_t end, frame_id frame)
{
	for (size_t k = from ? from : 1; map && k < end; k++)
		if (map[k] != VIEW_DROPPED)
			to[map[k]] = frame;
}

/* The frame of an event category: one for all with the same first one. */
static frame_id cat_frame(struct view_frames *f, event_cat cat)
{
	if (!f->known[cat]) {
		const struct frame made = { .name = f->maker.v->profile->event_cats[cat].first,
					    .category = CATEGORY_SLICE };

		f->known[cat] = make(&f->maker, &made);
		f->maker.v->own_frames[f->known[cat]].cat = cat;
	}
	return f->known[cat];
}

static void mark_cats(struct view_frames *f, const struct lane *lane, const node_id *map,
		      size_t from, size_t end)
{
	const struct profile *p = f->maker.v->profile;

	for (size_t k = from ? from : 1; map && k < end; k++) {
		event_cat cat = profile_node_cat(p, lane, (node_id)k);

		if (map[k] != VIEW_DROPPED)
			f->to[map[k]] = cat ? cat_frame(f, cat) : f->frame;
	}
}

/* Frames without an event category have one frame in common. */
static void mark_cats_of_source(struct view_frames *f, const struct view_source *source,
				size_t from, size_t end)
{
	if (!f->frame)
		f->frame = add_frame(&f->maker,
				     &(struct frame){ .name = f->maker.v->profile->no_event_cat,
						      .category = CATEGORY_SLICE });
	mark_cats(f, source->lane, source->map, from, end);
	mark_cats(f, source->lane, source->place, from, end);
}

static void mark_source(void *ctx, uint32_t i, size_t from, size_t end)
{
	struct view_frames *f = ctx;
	const struct view_source *source = &f->maker.v->sources[i];

	if (f->group == GROUP_EVENT_CAT) {
		mark_cats_of_source(f, source, from, end);
		return;
	}
	if (from == 0)
		f->frame = lane_frame(&f->maker, source->lane, f->known);
	mark(f->to, source->map, from, end, f->frame);
	mark(f->to, source->place, from, end, f->frame);
}

static bool mark_sources(void *ctx, struct budget *budget)
{
	struct view_frames *f = ctx;

	if (!f->to) {
		f->to = xcalloc(f->draft->n, sizeof *f->to);
		f->known = xcalloc(f->group == GROUP_EVENT_CAT
					   ? (size_t)f->maker.v->profile->n_event_cats + 1
					   : f->maker.v->profile->n_lanes,
				   sizeof *f->known);
	}
	return view_transform_sources(f->maker.v, &f->place, mark_source, f, budget);
}

static size_t begin_callers(void *ctx)
{
	return ((struct view_frames *)ctx)->draft->n - 1;
}

/* A node that no lane has time for is a caller of those below it. From the last node to the first.
 */
static void mark_callers(void *ctx, size_t from, size_t end)
{
	struct view_frames *f = ctx;
	const uint32_t *parent = f->draft->parent;
	frame_id *to = f->to;

	for (size_t i = f->draft->n - from; i-- > f->draft->n - end;)
		if (to[parent[i]] == FRAME_NONE)
			to[parent[i]] = to[i];
}

static size_t begin_states(void *ctx)
{
	return ((struct view_frames *)ctx)->draft->n;
}

static void restore_states(void *ctx, size_t from, size_t end)
{
	struct view_frames *f = ctx;
	const struct frame *frames = f->maker.v->frames;
	const frame_id *frame = f->draft->frame;
	frame_id *to = f->to;

	for (size_t i = from; i < end; i++)
		if (i == 0 || to[i] == FRAME_NONE || category_is_state(frames[frame[i]].category))
			to[i] = frame[i];
}

/* ---- labels as frames ---- */

static size_t begin_sets(void *ctx)
{
	struct view_frames *f = ctx;
	size_t n = labels_count(&f->maker.v->profile->labels);

	f->maker.v->label_frames = xmalloc(n * sizeof *f->maker.v->label_frames);
	return n;
}

/* The frame of each set: the value of the key. */
static void find_sets(void *ctx, size_t from, size_t end)
{
	struct view_frames *f = ctx;
	const struct labels *labels = &f->maker.v->profile->labels;
	uint32_t key = (uint32_t)(f->group - GROUP_LABEL);

	for (size_t i = from; i < end; i++) {
		str_id value = labels_value(labels, (uint32_t)i, key);

		f->maker.v->label_frames[i] = make(
			&f->maker,
			&(struct frame){ .name = value ? value : labels->keys[key].none,
					 .category = CATEGORY_LABEL });
	}
}

/* All nodes get the frame of samples without labels, which the samples change, but idle ones. */
static void label_nodes(void *ctx, size_t from, size_t end)
{
	struct view_frames *f = ctx;
	const struct frame *frames = f->maker.v->frames;
	const frame_id *frame = f->draft->frame;

	for (size_t i = from; i < end; i++)
		f->to[i] = i == 0 || frames[frame[i]].category == CATEGORY_IDLE
			? frame[i]
			: f->maker.v->label_frames[0];
}

/* ---- the whole ---- */

static const struct phase group_phases[] = {
	{ begin_frames, find_frames, NULL },
	{ NULL, NULL, find_cats },
	{ begin_nodes, replace_frames, NULL },
	{ NULL, NULL, NULL },
};

static const struct phase label_phases[] = {
	{ begin_sets, find_sets, NULL },
	{ begin_nodes, label_nodes, NULL },
	{ NULL, NULL, NULL },
};

static const struct phase lane_phases[] = {
	{ NULL, NULL, mark_sources },
	{ begin_callers, mark_callers, NULL },
	{ begin_states, restore_states, NULL },
	{ NULL, NULL, NULL },
};

struct view_frames *view_frames_begin(struct view *view, const struct draft *draft,
				      const struct transform *fold, enum view_group group,
				      const str_id *files)
{
	struct view_frames *f = xcalloc(1, sizeof *f);

	f->draft = draft;
	f->fold = fold;
	f->group = group;
	maker_init(&f->maker, view, files);
	return f;
}

bool view_frames_work(struct view_frames *f, struct budget *budget)
{
	f->is_complete = phases_work(&f->phases,
				     f->group >= GROUP_LABEL ? label_phases
					     : f->group == GROUP_LANE || f->group == GROUP_EVENT_CAT
					     ? lane_phases
					     : group_phases,
				     f, budget);
	return f->is_complete;
}

frame_id *view_frames_end(struct view_frames *f)
{
	frame_id *to = f->to;

	if (!f->is_complete) {
		free(to);
		to = NULL;
	}
	hash_table_done(&f->maker.index);
	view_cats_done(&f->cats);
	free(f->by);
	free(f->known);
	free(f);
	return to;
}
