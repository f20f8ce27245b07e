/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trees of the lanes are laid side by side. Each transform makes a new tree of the one before
 * in one pass from the root down: a node of the old tree knows the node of the new one that its
 * parent became. Trees are drafts (view_transform.h) until the last one is numbered in preorder. A
 * draft may have several nodes for one call path, of several lanes or because of a transform. They
 * are merged at the end only, as finding them in every pass would cost more than all the rest. */
#include "config.h"

#include "analysis/view.h"

#include "analysis/view_transform.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Renumbering the frame of one node costs about as much as a pass over this number of frames. */
#define FRAMES_A_NODE 16u

static void draft_init(struct draft *d, size_t n)
{
	*d = (struct draft){ .parent = xmalloc(n * sizeof *d->parent),
			     .frame = xmalloc(n * sizeof *d->frame),
			     .n = 1 };
	d->parent[0] = 0;
	d->frame[0] = FRAME_NONE;
}

static void draft_done(struct draft *d)
{
	if (d->is_lane)
		return;
	free(d->parent);
	free(d->frame);
}

/* ---- frames made here ---- */

/* The frame for a file, a package or a category: the same one for the same key, in all passes. */
struct maker {
	struct view *v;
	size_t cap;
	struct hash_table index; /* the new frames, by name and category */
};

static uint64_t maker_hash(str_id name, enum category category)
{
	return hash_u64((uint64_t)name << 32 | (uint32_t)category);
}

static void maker_init(struct maker *m, struct view *v)
{
	*m = (struct maker){ .v = v };
	if (!v->own_frames) {
		v->own_frames = xgrow(NULL, &m->cap, (size_t)v->n_frames + 16,
				      sizeof *v->own_frames);
		memcpy(v->own_frames, v->frames, (size_t)v->n_frames * sizeof *v->own_frames);
	} else {
		m->cap = v->n_frames;
	}
	v->frames = v->own_frames;
	for (frame_id f = v->profile->frames.n; f < v->n_frames; f++)
		hash_table_add(&m->index, maker_hash(v->frames[f].name, v->frames[f].category), f);
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

static frame_id make(struct maker *m, str_id name, str_id package, enum category category)
{
	uint64_t hash = maker_hash(name, category);
	struct hash_probe probe = hash_probe(hash);
	const struct frame made = { .name = name, .package = package, .category = category };
	frame_id id;

	while (hash_table_next(&m->index, &probe)) {
		const struct frame *f = &m->v->frames[probe.index];

		if (f->name == name && f->package == package && f->category == category)
			return probe.index;
	}
	id = add_frame(m, &made);
	hash_table_add(&m->index, hash, id);
	return id;
}

static frame_id group_of(struct maker *m, frame_id id, enum view_group group)
{
	const struct profile *p = m->v->profile;
	const struct frame f = m->v->frames[id];

	if (id == FRAME_NONE || category_is_state(f.category))
		return id;
	if (group == GROUP_FILE)
		return make(m, f.url ? f.url : p->category_names[f.category], 0, f.category);
	if (group == GROUP_PACKAGE)
		return make(m, f.package ? f.package : p->category_names[f.category], f.package,
			    f.category);
	return make(m, p->category_names[f.category], 0, f.category);
}

/* The new frames by node: for all nodes, or (t) for those that match, by package or category. */
static frame_id *group_frames(struct view *v, const struct draft *d, const struct transform *t,
			      enum view_group group)
{
	uint32_t n = v->n_frames;
	frame_id *by = xmalloc((size_t)n * sizeof *by), *to = xmalloc((size_t)d->n * sizeof *to);
	struct maker m;

	maker_init(&m, v);
	for (frame_id f = 0; f < n; f++)
		by[f] = !t || view_transform_matches(v, t, f) ? group_of(&m, f, group) : f;
	for (uint32_t i = 0; i < d->n; i++)
		to[i] = by[d->frame[i]];
	hash_table_done(&m.index);
	free(by);
	return to;
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

static void mark(frame_id *to, const node_id *map, uint32_t n, frame_id frame)
{
	for (node_id k = 1; map && k < n; k++)
		if (map[k] != VIEW_DROPPED)
			to[map[k]] = frame;
}

/* The lane of each node; a node that no lane has time for is a caller of those below it. */
static frame_id *lane_frames(struct view *v, const struct draft *d)
{
	frame_id *to = xcalloc(d->n, sizeof *to),
		 *known = xcalloc(v->profile->n_lanes, sizeof *known);
	struct maker m;

	maker_init(&m, v);
	for (uint32_t i = 0; i < v->n_sources; i++) {
		const struct view_source *source = &v->sources[i];
		frame_id frame = lane_frame(&m, source->lane, known);

		mark(to, source->map, source->lane->tree.n, frame);
		mark(to, source->place, source->lane->tree.n, frame);
	}
	for (uint32_t i = d->n; i-- > 1;)
		if (to[d->parent[i]] == FRAME_NONE)
			to[d->parent[i]] = to[i];
	for (uint32_t i = 0; i < d->n; i++)
		if (i == 0 || to[i] == FRAME_NONE ||
		    category_is_state(v->frames[d->frame[i]].category))
			to[i] = d->frame[i];
	hash_table_done(&m.index);
	free(known);
	return to;
}

/* ---- the view ---- */

static void compose_map(node_id *map, uint32_t n, const uint32_t *to)
{
	for (uint32_t k = 0; k < n; k++)
		if (map[k] != VIEW_DROPPED)
			map[k] = to[map[k]];
}

static void compose(struct view *v, const struct step *step)
{
	for (uint32_t i = 0; i < v->n_sources; i++) {
		struct view_source *source = &v->sources[i];

		compose_map(source->map, source->lane->tree.n, step->time);
		if (source->place && source->place != source->map)
			compose_map(source->place, source->lane->tree.n, step->node);
	}
}

/* One pass: a transform, or (NULL) the grouping. */
static void pass(struct view *v, struct draft *d, const struct transform *t, enum view_group group)
{
	struct step step = { xmalloc((size_t)d->n * sizeof *step.node),
			     xmalloc((size_t)d->n * sizeof *step.time) };
	bool is_same = t && view_transform_keeps_tree(t);
	frame_id *to = NULL;
	struct draft out = *d;

	if (!is_same)
		draft_init(&out, d->n);
	if (t && t->kind == TRANSFORM_FOLD)
		to = group_frames(v, d, t, t->by == BY_CATEGORY ? GROUP_CATEGORY : GROUP_PACKAGE);
	else if (!t)
		to = group == GROUP_LANE ? lane_frames(v, d) : group_frames(v, d, NULL, group);
	if (to)
		view_transform_replace(to, d, &out, &step);
	else
		view_transform_apply(v, t, d, &out, &step);
	free(to);
	compose(v, &step);
	free(step.node);
	free(step.time);
	if (!is_same)
		draft_done(d);
	*d = out;
}

static node_id *map_new(uint32_t n, uint32_t shift)
{
	node_id *map = xmalloc((size_t)n * sizeof *map);

	map[NODE_ROOT] = 0;
	for (node_id k = 1; k < n; k++)
		map[k] = k + shift;
	return map;
}

/* Put all lanes into one draft; the maps say where their nodes are. has_passes: later passes may
 * separate the `map` and the `place` of a node. */
static void lay_together(struct view *v, struct draft *d, bool has_passes)
{
	size_t n = 1;

	for (uint32_t i = 0; i < v->n_sources; i++)
		n += v->sources[i].lane->tree.n - 1;
	if (n > INT32_MAX)
		die("more than %d nodes in a view", INT32_MAX);
	if (v->n_sources == 1) {
		const struct calltree *tree = &v->sources[0].lane->tree;

		*d = (struct draft){ .parent = tree->parent,
				     .frame = tree->frame,
				     .n = tree->n,
				     .is_lane = true };
	} else {
		draft_init(d, n);
	}
	for (uint32_t i = 0; i < v->n_sources; i++) {
		struct view_source *source = &v->sources[i];
		const struct calltree *tree = &source->lane->tree;
		uint32_t shift = d->is_lane ? 0 : d->n - 1;

		source->map = map_new(tree->n, shift);
		if (source->lane->kind != LANE_SAMPLES)
			source->place = has_passes ? map_new(tree->n, shift) : source->map;
		for (node_id k = 1; !d->is_lane && k < tree->n; k++)
			draft_child(d, source->map[tree->parent[k]], tree->frame[k]);
	}
}

static void init(struct view *v, const struct profile *profile, const struct lane *const *lanes,
		 uint32_t n)
{
	*v = (struct view){ .profile = profile,
			    .frames = profile->frames.frames,
			    .n_frames = profile->frames.n };
	v->sources = xcalloc(n, sizeof *v->sources);
	for (uint32_t i = 0; i < n; i++)
		if (lanes[i]->tree.n)
			v->sources[v->n_sources++].lane = lanes[i];
}

/* Make the tree of the draft that init() found, with the transforms. */
static void complete(struct view *v, const struct transform *transforms, size_t n_transforms,
		     enum view_group group)
{
	struct draft d;
	node_id *order;

	lay_together(v, &d, n_transforms > 0 || group != GROUP_FUNCTION);
	for (size_t i = 0; i < n_transforms; i++)
		pass(v, &d, &transforms[i], GROUP_FUNCTION);
	if (group != GROUP_FUNCTION)
		pass(v, &d, NULL, group);
	if (d.is_lane) {
		v->tree = &v->sources[0].lane->tree;
		return;
	}
	order = xmalloc((size_t)d.n * sizeof *order);
	calltree_build(&v->own_tree, d.n, d.parent, d.frame, order);
	compose(v, &(struct step){ order, order });
	free(order);
	draft_done(&d);
	v->tree = &v->own_tree;
}

void view_init(struct view *v, const struct profile *profile, const struct lane *const *lanes,
	       uint32_t n, const struct transform *transforms, size_t n_transforms,
	       enum view_group group)
{
	init(v, profile, lanes, n);
	if (v->n_sources == 1 && n_transforms == 0 && group == GROUP_FUNCTION)
		v->tree = &v->sources[0].lane->tree;
	else
		complete(v, transforms, n_transforms, group);
}

static int by_id(const void *a, const void *b)
{
	frame_id x = *(const frame_id *)a, y = *(const frame_id *)b;

	return x < y ? -1 : x > y;
}

/* Number the frames of the tree from 0, by ascending id; FRAME_NONE, which the root has, stays 0.
 */
static void use_few_frames(struct view *v)
{
	const struct calltree *tree = v->tree;
	frame_id *ids = xmalloc((size_t)tree->n * sizeof *ids), *at;
	uint32_t n = 0;

	assert(tree->frame[NODE_ROOT] == FRAME_NONE);
	memcpy(ids, tree->frame, (size_t)tree->n * sizeof *ids);
	qsort(ids, tree->n, sizeof *ids, by_id);
	for (node_id i = 0; i < tree->n; i++)
		if (n == 0 || ids[i] != ids[n - 1])
			ids[n++] = ids[i];
	v->own_tree = *tree;
	v->own_tree.frame = xmalloc((size_t)tree->n * sizeof *v->own_tree.frame);
	for (node_id i = 0; i < tree->n; i++) {
		at = bsearch(&tree->frame[i], ids, n, sizeof *ids, by_id);
		v->own_tree.frame[i] = (frame_id)(at - ids);
	}
	v->own_frames = xmalloc((size_t)n * sizeof *v->own_frames);
	for (frame_id f = 0; f < n; f++)
		v->own_frames[f] = v->frames[ids[f]];
	v->tree = &v->own_tree;
	v->frames = v->own_frames;
	v->n_frames = n;
	v->frame_ids = ids;
}

void view_init_lane(struct view *v, const struct profile *profile, const struct lane *lane)
{
	view_init(v, profile, &lane, 1, NULL, 0, GROUP_FUNCTION);
	if (v->tree && v->tree->n < v->n_frames / FRAMES_A_NODE)
		use_few_frames(v);
}

void view_init_own(struct view *v, const struct profile *profile, const struct lane *const *lanes,
		   uint32_t n, const struct transform *transforms, size_t n_transforms,
		   enum view_group group)
{
	init(v, profile, lanes, n);
	complete(v, transforms, n_transforms, group);
}

void view_done(struct view *v)
{
	for (uint32_t i = 0; i < v->n_sources; i++) {
		if (v->sources[i].place != v->sources[i].map)
			free(v->sources[i].place);
		free(v->sources[i].map);
	}
	free(v->sources);
	if (v->frame_ids)
		free(v->own_tree.frame);
	else
		calltree_done(&v->own_tree);
	free(v->frame_ids);
	free(v->own_frames);
	*v = (struct view){ 0 };
}

unsigned view_shared(const struct view *v, uint32_t source, size_t i)
{
	const struct lane *lane = v->sources[source].lane;
	const node_id *map = v->sources[source].map, *place = v->sources[source].place;
	const struct samples *s = &lane->samples;
	node_id a, b, both;

	if (!map)
		return s->shared[i];
	if (i + 1 == s->n)
		return 0;
	a = map[s->leaf[i]];
	b = map[s->leaf[i + 1]];
	if (a == VIEW_DROPPED || b == VIEW_DROPPED)
		return 0;
	both = calltree_common(v->tree, a, b);
	/* Where slices of one name touch, the same node is two spans: the stack above them stays
	 * open. */
	if (place &&
	    s->shared[i] <
		    lane->tree.rows[calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])]) {
		node_id above = place[calltree_ancestor(&lane->tree, s->leaf[i], s->shared[i])];

		both = above == VIEW_DROPPED ? NODE_ROOT : calltree_common(v->tree, both, above);
	}
	return v->tree->rows[both];
}

/* ---- names ---- */

const char *view_group_name(enum view_group group)
{
	static const char *const name[GROUP_COUNT] = { "function", "file", "package", "category",
						       "lane" };

	return name[group];
}

const char *view_group_word(unsigned i)
{
	return i < GROUP_COUNT ? view_group_name((enum view_group)i) : NULL;
}
