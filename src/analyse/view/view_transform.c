/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each transform is one pass from the root down: a node of the old tree knows the node of the new
 * tree that its parent became. First it is found out which frames, or nodes, match. */
#include "config.h"

#include "analyse/view/view_transform.h"

#include "analyse/view/view.h"
#include "base/alloc.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether a category is a state of V8, not code that ran. The innermost state of a stack owns the
 * time: a garbage collection on top of idle time is not idle. */
static inline bool category_is_state(enum category category)
{
	return category == CATEGORY_IDLE || category == CATEGORY_PROGRAM || category == CATEGORY_GC;
}

/* ==== matches ==== */

/* A pass that applies a transform. */
struct pass {
	const struct view *view; /* so far */
	const struct transform *transform;
	const struct draft *in;
	struct draft *out;
	struct step step;
	uint8_t *is;     /* what matches: by frame, */
	bool is_by_node; /* or by node: for a path, and for event categories */
};

/* Whether a frame of the view so far matches the transform, which is not about event
 * categories. */
static bool frame_matches(const struct view *v, const struct transform *t, frame_id id)
{
	const struct frame *f = &v->frames[id];

	if (id == FRAME_NONE)
		return false;
	switch (t->by) {
	case BY_FUNCTION:
		return id == t->id;
	case BY_FILE:
		return f->url == t->id;
	case BY_PACKAGE:
		return f->package == t->id;
	case BY_CATEGORY:
		return f->category == (enum category)t->id;
	case BY_ANY_PACKAGE:
		return f->package != 0;
	case BY_OTHERS:
		return f->category == CATEGORY_BUNDLER || f->category == CATEGORY_EXTENSION ||
			(f->category >= CATEGORY_DEPENDENCY && f->category <= CATEGORY_REGEXP);
	case BY_SET:
		return id < v->profile->frames.n && t->set.frames[id];
	case BY_ALL:
		return true;
	case BY_PATH:
		return false;
	}
	return false;
}

/* Find the event category of each node of a draft; 0 also where a frame of the view stands for
 * others. The caller frees the result.
 *
 * Passes keep the node of a draft that a node of a lane is placed on as a caller. Several nodes of
 * a lane may be placed on one: that from which it was made, and nodes below it which a pass has
 * joined with it. As a lane has parents first, the first one is that from which it was made. */
static event_cat *find_cats(const struct view *v, const struct draft *draft)
{
	event_cat *cats = xcalloc(draft->n, sizeof *cats);
	ALLOC_LOCAL uint8_t *is_known = xcalloc(draft->n, 1);

	for (uint32_t i = 0; i < v->n_sources; i++) {
		const struct view_source *source = &v->sources[i];
		const node_id *place = source->place ? source->place : source->map;

		for (node_id k = 1; place && k < source->lane->tree.n; k++) {
			node_id node = place[k];

			if (node == VIEW_DROPPED || node == NODE_ROOT || is_known[node])
				continue;
			is_known[node] = 1;
			if (draft->frame[node] < v->profile->frames.n)
				cats[node] = profile_node_cat(v->profile, source->lane, k);
		}
	}
	return cats;
}

/* By node: 1 at the end of the path. */
static void match_path(struct pass *p)
{
	const struct transform *t = p->transform;
	const struct draft *in = p->in;
	/* By node: number of frames from the root on that equal those of the path. */
	ALLOC_LOCAL uint32_t *n_same = xcalloc(in->n, sizeof *n_same);

	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = in->parent[i], k = n_same[above];

		if ((above == 0 || k > 0) && k < t->n_path && in->frame[i] == t->path[k]) {
			n_same[i] = k + 1;
			p->is[i] = k + 1 == t->n_path;
		}
	}
}

static void match_cats(struct pass *p)
{
	ALLOC_LOCAL event_cat *cats = find_cats(p->view, p->in);

	for (uint32_t i = 1; i < p->in->n; i++)
		p->is[i] = p->transform->set.cats[cats[i]];
}

static void find_matches(struct pass *p)
{
	bool is_path = p->transform->by == BY_PATH, is_cats = p->transform->set.cats != NULL;
	uint32_t n_frames = p->view->n_frames;

	p->is_by_node = is_path || is_cats;
	p->is = xcalloc(p->is_by_node ? p->in->n : n_frames, 1);
	if (is_path)
		match_path(p);
	else if (is_cats)
		match_cats(p);
	for (frame_id f = 0; !p->is_by_node && f < n_frames; f++)
		p->is[f] = frame_matches(p->view, p->transform, f);
}

static inline bool is_match(const struct pass *p, uint32_t i)
{
	return p->is[p->is_by_node ? i : p->in->frame[i]];
}

/* ==== transforms ==== */

static void focus(struct pass *p)
{
	const struct draft *in = p->in;
	struct step step = p->step;

	step.node[0] = step.time[0] = VIEW_DROPPED;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step.node[in->parent[i]];

		step.node[i] = above != VIEW_DROPPED ? draft_child(p->out, above, in->frame[i])
			: is_match(p, i)             ? draft_child(p->out, 0, in->frame[i])
						     : VIEW_DROPPED;
		step.time[i] = step.node[i];
	}
}

/* KEEP and DROP: the tree stays; the time on one side of the match is dropped. */
static void keep_or_drop(struct pass *p)
{
	const struct transform *t = p->transform;
	const struct draft *in = p->in;
	struct step step = p->step;
	bool keeps = t->kind == TRANSFORM_KEEP;
	bool is_state = t->by == BY_CATEGORY && category_is_state((enum category)t->id);
	ALLOC_LOCAL uint8_t *inside = xcalloc(in->n, 1);

	step.node[0] = 0;
	step.time[0] = keeps ? VIEW_DROPPED : 0;
	for (uint32_t i = 1; i < in->n; i++) {
		frame_id f = in->frame[i];
		bool is_other = is_state && f != FRAME_NONE &&
			category_is_state(p->view->frames[f].category);

		inside[i] = (is_other ? 0 : inside[in->parent[i]]) | is_match(p, i);
		step.node[i] = i;
		step.time[i] = inside[i] == keeps ? i : VIEW_DROPPED;
	}
}

static void merge(struct pass *p)
{
	const struct draft *in = p->in;
	struct step step = p->step;

	step.node[0] = step.time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step.node[in->parent[i]];
		bool is_gone = is_match(p, i);

		step.node[i] = is_gone ? above : draft_child(p->out, above, in->frame[i]);
		/* Without a caller, no node can take its time. */
		step.time[i] = is_gone && above == 0 ? VIEW_DROPPED : step.node[i];
	}
}

static void collapse(struct pass *p)
{
	const struct draft *in = p->in;
	struct step step = p->step;
	ALLOC_LOCAL uint8_t *inside = xcalloc(in->n, 1);

	step.node[0] = step.time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t caller = in->parent[i], above = step.node[caller];

		inside[i] = inside[caller] | is_match(p, i);
		step.time[i] = step.node[i] = inside[caller]
			? above
			: draft_child(p->out, above, in->frame[i]);
	}
}

/* ---- recursion ---- */

/* The path from the root of the new tree to the node that corresponds to the walk's position in the
 * old tree. A function is on the path at most once, so its last row, if that is still part of the
 * path, identifies it. Stepping back restores the former state: each step changes one entry of each
 * array. */
struct view_way {
	uint32_t *node; /* by row, the root's is 0 */
	uint32_t *row;  /* by frame: its last row */
	struct way_step {
		uint32_t n, node, row;
	} * back;   /* by node of the old tree: the state before it */
	uint32_t n; /* rows */
};

/* The last row of a function on the path, which may have it several times: a set of slices need not
 * have all of one name. 0: none. */
static uint32_t last_row(const struct view_way *way, const struct draft *out, frame_id frame)
{
	uint32_t row = way->n;

	while (row && out->frame[way->node[row]] != frame)
		row--;
	return row;
}

/* A function that runs inside itself, directly or not, is the outer one. */
static void enter(struct view_way *way, uint32_t i, struct pass *p)
{
	frame_id f = p->in->frame[i];
	uint32_t row = way->row[f], n = way->n, outer = row;
	bool is = is_match(p, i);

	if (is && p->is_by_node)
		outer = last_row(way, p->out, f);
	way->back[i] = (struct way_step){ n, 0, row };
	if (is && outer && outer <= n && p->out->frame[way->node[outer]] == f) {
		way->n = outer;
	} else {
		uint32_t node = draft_child(p->out, way->node[n], f);

		way->n = way->row[f] = n + 1;
		way->back[i].node = way->node[n + 1];
		way->node[n + 1] = node;
	}
	p->step.time[i] = p->step.node[i] = way->node[way->n];
}

static void leave(struct view_way *way, uint32_t i, frame_id f)
{
	struct way_step back = way->back[i];

	/* After a step back to an outer row, the row after it is free. */
	if (way->n == back.n + 1)
		way->node[way->n] = back.node;
	way->row[f] = back.row;
	way->n = back.n;
}

/* Walk through the draft in preorder. */
static void recursion(struct pass *p)
{
	const struct draft *in = p->in;
	/* The children of each node as lists; 0: none. */
	uint32_t at;
	ALLOC_LOCAL uint32_t *first = xcalloc(in->n, sizeof *first),
			     *next = xmalloc(in->n * sizeof *next);
	struct view_way way = { .node = xcalloc((size_t)in->n + 1, sizeof *way.node),
				.row = xcalloc(p->view->n_frames, sizeof *way.row),
				.back = xmalloc(in->n * sizeof *way.back) };

	for (uint32_t i = in->n; i-- > 1;) {
		next[i] = first[in->parent[i]];
		first[in->parent[i]] = i;
	}
	p->step.node[0] = p->step.time[0] = 0;
	for (at = first[0]; at;) {
		enter(&way, at, p);
		if (first[at]) {
			at = first[at];
			continue;
		}
		for (; at && !next[at]; at = in->parent[at])
			leave(&way, at, in->frame[at]);
		if (at) {
			leave(&way, at, in->frame[at]);
			at = next[at];
		}
	}
	free(way.node);
	free(way.row);
	free(way.back);
}

/* ==== view frames ====
 *
 * The frames that a view makes: those that stand for files, packages, categories, names and lanes.
 * Files, packages, categories and names: first the new frame of each frame, then that of each node.
 * Lanes: the nodes that sources have time for first, then their callers. Labels: a frame for each
 * value, and one for all nodes. */

/* The frame for a file, a package, a category or a name: the same one for the same key, in all
 * passes. */
struct maker {
	struct view *v;
	const str_id *files; /* by URL: that of its file; NULL: each is one */
	size_t cap;
	struct hash_table index; /* the new frames, by name, url and category */
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
		made.party = f->party;
	} else if (group == GROUP_ORIGIN && f->origin) {
		made.name = f->origin;
		made.party = f->party;
		made.category = frame_is_slice(f) ? f->category : CATEGORY_APP;
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

/* Find the new frame of each node by that of its frame; of a fold, only of those that match. */
static void find_groups(struct maker *m, const struct draft *draft, const struct transform *fold,
			enum view_group group, frame_id *to)
{
	const uint8_t *is = fold ? fold->set.cats : NULL;
	ALLOC_LOCAL event_cat *cats = is ? find_cats(m->v, draft) : NULL;
	uint32_t n = m->v->n_frames;
	ALLOC_LOCAL frame_id *by = xmalloc((size_t)n * sizeof *by);

	for (frame_id f = 0; f < n; f++)
		by[f] = !fold || is || frame_matches(m->v, fold, f) ? make_group(m, f, group) : f;
	for (uint32_t i = 0; i < draft->n; i++)
		to[i] = !is || is[cats[i]] ? by[draft->frame[i]] : draft->frame[i];
}

/* ---- lanes and event categories as frames ---- */

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

/* The frame of an event category: one for all with the same first one. */
static frame_id cat_frame(struct maker *m, event_cat cat, frame_id *known)
{
	if (!known[cat]) {
		const struct frame made = { .name = m->v->profile->event_cats[cat].first,
					    .category = CATEGORY_SLICE };

		known[cat] = make(m, &made);
		m->v->own_frames[known[cat]].cat = cat;
	}
	return known[cat];
}

/* Frames without an event category have one frame in common, known[0]. */
static void mark_cats(struct maker *m, frame_id *to, const struct lane *lane, const node_id *map,
		      frame_id *known)
{
	for (node_id k = 1; map && k < lane->tree.n; k++)
		if (map[k] != VIEW_DROPPED)
			to[map[k]] = cat_frame(m, profile_node_cat(m->v->profile, lane, k), known);
}

static void mark_sources(struct maker *m, enum view_group group, frame_id *to)
{
	const struct profile *p = m->v->profile;
	bool is_cats = group == GROUP_EVENT_CAT;
	/* By lane, or by event_cat: its frame; FRAME_NONE: not made yet. */
	ALLOC_LOCAL frame_id *known = xcalloc(is_cats ? (size_t)p->n_event_cats + 1 : p->n_lanes,
					      sizeof *known);

	if (is_cats && m->v->n_sources)
		known[0] = add_frame(
			m, &(struct frame){ .name = p->no_event_cat, .category = CATEGORY_SLICE });
	for (uint32_t i = 0; i < m->v->n_sources; i++) {
		const struct view_source *source = &m->v->sources[i];
		const struct lane *lane = source->lane;

		if (is_cats) {
			mark_cats(m, to, lane, source->map, known);
			mark_cats(m, to, lane, source->place, known);
		} else {
			frame_id frame = lane_frame(m, lane, known);

			mark(to, source->map, lane->tree.n, frame);
			mark(to, source->place, lane->tree.n, frame);
		}
	}
}

/* ---- labels as frames ---- */

/* All nodes get the frame of samples without labels, which the samples change, but idle ones. */
static void find_labels(struct maker *m, const struct draft *draft, enum view_group group,
			frame_id *to)
{
	struct view *v = m->v;
	const struct labels *labels = &v->profile->labels;
	uint32_t key = (uint32_t)(group - GROUP_LABEL), n = (uint32_t)labels_count(labels);

	v->label_frames = xmalloc(n * sizeof *v->label_frames);
	for (uint32_t i = 0; i < n; i++) {
		str_id value = labels_value(labels, i, key);

		v->label_frames[i] = make(
			m,
			&(struct frame){ .name = value ? value : labels->keys[key].none,
					 .category = CATEGORY_LABEL });
	}
	for (uint32_t i = 0; i < draft->n; i++)
		to[i] = i == 0 || v->frames[draft->frame[i]].category == CATEGORY_IDLE
			? draft->frame[i]
			: v->label_frames[0];
}

/* ---- the whole ---- */

/* A grouping, or a fold. */
static void replace_frames(struct view *v, const struct view_plan *plan,
			   const struct transform *fold, const struct draft *in, struct draft *out,
			   struct step step)
{
	enum view_group group = !fold     ? plan->group
		: fold->by == BY_CATEGORY ? GROUP_CATEGORY
					  : GROUP_PACKAGE;
	ALLOC_LOCAL frame_id *to = xmalloc((size_t)in->n * sizeof *to);
	struct maker m;

	maker_init(&m, v, fold ? NULL : plan->files);
	if (group >= GROUP_LABEL) {
		find_labels(&m, in, group, to);
	} else if (group == GROUP_LANE || group == GROUP_EVENT_CAT) {
		/* A node that no lane has time for is a caller of those below it. States stay. */
		memset(to, 0, (size_t)in->n * sizeof *to);
		mark_sources(&m, group, to);
		for (uint32_t i = in->n; i-- > 1;)
			if (to[in->parent[i]] == FRAME_NONE)
				to[in->parent[i]] = to[i];
		for (uint32_t i = 0; i < in->n; i++)
			if (i == 0 || to[i] == FRAME_NONE ||
			    category_is_state(m.v->frames[in->frame[i]].category))
				to[i] = in->frame[i];
	} else {
		find_groups(&m, in, fold, group, to);
	}
	/* Give nodes their new frames. Adjacent nodes that get the same frame become one, unless
	 * rows are kept; the frame of the root stays. */
	step.node[0] = step.time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t caller = in->parent[i], above = step.node[caller];
		bool is_new = group != GROUP_NAME &&
			(to[i] != in->frame[i] || to[caller] != in->frame[caller]);

		step.time[i] = step.node[i] = is_new && above && out->frame[above] == to[i]
			? above
			: draft_child(out, above, to[i]);
	}
	hash_table_done(&m.index);
}

void view_transform(struct view *v, const struct view_plan *plan, const struct transform *t,
		    const struct draft *in, struct draft *out, struct step step)
{
	static void (*const apply[TRANSFORM_COUNT])(struct pass * p) = {
		[TRANSFORM_FOCUS] = focus,       [TRANSFORM_KEEP] = keep_or_drop,
		[TRANSFORM_DROP] = keep_or_drop, [TRANSFORM_MERGE] = merge,
		[TRANSFORM_COLLAPSE] = collapse, [TRANSFORM_RECURSION] = recursion,
	};
	struct pass p = { .view = v, .transform = t, .in = in, .out = out, .step = step };

	if (!t || t->kind == TRANSFORM_FOLD) {
		replace_frames(v, plan, t, in, out, step);
		return;
	}
	find_matches(&p);
	apply[t->kind](&p);
	free(p.is);
}
