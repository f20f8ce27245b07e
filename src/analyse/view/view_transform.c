/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each transform is one pass from the root down: a node of the old tree knows the node of the new
 * tree that its parent became. First it is found out which frames, or nodes, match. A pass is made
 * in steps: the phases of a transform are those of `transform_phases`, those of a group or a fold
 * `group_phases`. */
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

/* Finds the event category of each node of a draft; 0 also where a frame of the view stands for
 * others.
 *
 * Passes keep the node of a draft that a node of a lane is placed on as a caller. Several nodes of
 * a lane may be placed on one: that from which it was made, and nodes below it which a pass has
 * joined with it. As a lane has parents first, the first one is that from which it was made. */
struct cat_search {
	event_cat *cats; /* by node of the draft; NULL: nothing was found yet */
	uint8_t *is_known;
};

/* The frame for a file, a package, a category or a name: the same one for the same key, in all
 * passes. */
struct maker {
	struct view *v;
	const str_id *files; /* by URL: that of its file; NULL: each is one */
	size_t cap;
	struct hash_table index; /* the new frames, by name, url and category */
};

/* A fold, or a grouping. */
struct grouping {
	enum view_group group;
	struct maker maker;
	frame_id *to;    /* by node: its new frame */
	frame_id *by;    /* by frame: its new frame; NULL: that is not how they are found */
	frame_id *known; /* by lane, or by event_cat: its frame; FRAME_NONE: not made yet; NULL: the
			    same */
};

/* The path from the root of the new tree to the node that corresponds to the walk's position in the
 * old tree. A function is on the path at most once, so its last row, if that is still part of the
 * path, identifies it. Stepping back restores the former state: each step changes one entry of each
 * array. */
struct view_way {
	uint32_t *node; /* by row, the root's is 0 */
	uint32_t *row;  /* by frame: its last row */
	struct way_step {
		uint32_t n, node, row;
	} * back;               /* by node of the old tree: the state before it */
	uint32_t n;             /* rows */
	uint32_t *first, *next; /* the children of each node of the old tree as lists; 0: none */
	uint32_t at;            /* the next node; 0: the walk is over */
};

struct view_pass {
	struct view *view; /* so far */
	const struct view_plan *plan;
	const struct transform *transform; /* NULL: the group */
	const struct draft *in;
	struct draft *out;
	struct step step;
	struct phases phases;
	uint8_t *is;     /* what matches: by frame, */
	bool is_by_node; /* or by node: for a path, and for event categories */
	uint32_t source; /* the next one of a phase that goes through them */
	uint32_t
		*n_same; /* by node: number of frames from the root on that equal those of a path */
	uint8_t *inside; /* by node: 1: it is a match, or below one */
	struct cat_search cats;
	struct grouping grouping;
	struct view_way way;
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

static void find_cats(struct view_pass *p, const struct view_source *source)
{
	const struct view *v = p->view;
	const struct draft *draft = p->in;
	const node_id *place = source->place ? source->place : source->map;

	for (node_id k = 1; place && k < source->lane->tree.n; k++) {
		node_id node = place[k];

		if (node == VIEW_DROPPED || node == NODE_ROOT || p->cats.is_known[node])
			continue;
		p->cats.is_known[node] = 1;
		if (draft->frame[node] < v->profile->frames.n)
			p->cats.cats[node] = profile_node_cat(v->profile, source->lane, k);
	}
}

/* Call `take` for each source. */
static bool each_source(struct view_pass *p, struct budget *budget,
			void (*take)(struct view_pass *p, const struct view_source *source))
{
	while (p->source < p->view->n_sources) {
		const struct view_source *source = &p->view->sources[p->source++];

		take(p, source);
		if (budget_use(budget, source->lane->tree.n))
			return false;
	}
	return true;
}

/* If the pass is about event categories, find those of the nodes. */
static bool search_cats(void *ctx, struct budget *budget)
{
	struct view_pass *p = ctx;
	const struct transform *t = p->transform;

	if (!t || !t->set.cats)
		return true;
	if (!p->cats.cats) {
		p->cats.cats = xcalloc(p->in->n, sizeof *p->cats.cats);
		p->cats.is_known = xcalloc(p->in->n, 1);
	}
	return each_source(p, budget, find_cats);
}

static size_t begin_frames(void *ctx)
{
	struct view_pass *p = ctx;
	const struct transform *t = p->transform;

	p->is_by_node = t->by == BY_PATH || t->set.cats;
	p->is = xcalloc(p->is_by_node ? p->in->n : p->view->n_frames, 1);
	return p->is_by_node ? 0 : p->view->n_frames;
}

static void match_frames(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;

	for (size_t f = from; f < end; f++)
		p->is[f] = frame_matches(p->view, p->transform, (frame_id)f);
}

static size_t begin_nodes(void *ctx)
{
	struct view_pass *p = ctx;

	if (p->transform->by == BY_PATH)
		p->n_same = xcalloc(p->in->n, sizeof *p->n_same);
	return p->is_by_node ? p->in->n : 0;
}

/* By node: 1 at the end of the path. */
static void match_path(struct view_pass *p, uint32_t i)
{
	const struct transform *t = p->transform;
	uint32_t above = p->in->parent[i], k = p->n_same[above];

	if ((above == 0 || k > 0) && k < t->n_path && p->in->frame[i] == t->path[k]) {
		p->n_same[i] = k + 1;
		p->is[i] = k + 1 == t->n_path;
	}
}

static void match_nodes(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;

	for (uint32_t i = from ? (uint32_t)from : 1; i < end; i++) {
		if (p->n_same)
			match_path(p, i);
		else
			p->is[i] = p->transform->set.cats[p->cats.cats[i]];
	}
}

static inline bool is_match(const struct view_pass *p, uint32_t i)
{
	return p->is[p->is_by_node ? i : p->in->frame[i]];
}

/* ==== transforms ==== */

static void focus(struct view_pass *p, uint32_t i)
{
	const struct draft *in = p->in;
	struct step step = p->step;
	uint32_t above = step.node[in->parent[i]];

	step.node[i] = above != VIEW_DROPPED ? draft_child(p->out, above, in->frame[i])
		: is_match(p, i)             ? draft_child(p->out, 0, in->frame[i])
					     : VIEW_DROPPED;
	step.time[i] = step.node[i];
}

/* KEEP and DROP: the tree stays; the time on one side of the match is dropped. */
static void keep_or_drop(struct view_pass *p, uint32_t i)
{
	const struct transform *t = p->transform;
	bool keeps = t->kind == TRANSFORM_KEEP;
	frame_id f = p->in->frame[i];
	bool is_other = t->by == BY_CATEGORY && category_is_state((enum category)t->id) &&
		f != FRAME_NONE && category_is_state(p->view->frames[f].category);

	p->inside[i] = (is_other ? 0 : p->inside[p->in->parent[i]]) | is_match(p, i);
	p->step.node[i] = i;
	p->step.time[i] = p->inside[i] == keeps ? i : VIEW_DROPPED;
}

static void merge(struct view_pass *p, uint32_t i)
{
	uint32_t above = p->step.node[p->in->parent[i]];
	bool is_gone = is_match(p, i);

	p->step.node[i] = is_gone ? above : draft_child(p->out, above, p->in->frame[i]);
	/* Without a caller, no node can take its time. */
	p->step.time[i] = is_gone && above == 0 ? VIEW_DROPPED : p->step.node[i];
}

static void collapse(struct view_pass *p, uint32_t i)
{
	uint32_t caller = p->in->parent[i], above = p->step.node[caller];

	p->inside[i] = p->inside[caller] | is_match(p, i);
	p->step.time[i] = p->step.node[i] = p->inside[caller]
		? above
		: draft_child(p->out, above, p->in->frame[i]);
}

static size_t begin_apply(void *ctx)
{
	struct view_pass *p = ctx;
	enum transform_kind kind = p->transform->kind;

	p->step.node[0] = kind == TRANSFORM_FOCUS ? VIEW_DROPPED : 0;
	p->step.time[0] = kind == TRANSFORM_FOCUS || kind == TRANSFORM_KEEP ? VIEW_DROPPED : 0;
	if (kind == TRANSFORM_RECURSION)
		return 0;
	p->inside = xcalloc(p->in->n, 1);
	return p->in->n;
}

static void apply(void *ctx, size_t from, size_t end)
{
	static void (*const node[TRANSFORM_COUNT])(struct view_pass * p, uint32_t i) = {
		[TRANSFORM_FOCUS] = focus,       [TRANSFORM_KEEP] = keep_or_drop,
		[TRANSFORM_DROP] = keep_or_drop, [TRANSFORM_MERGE] = merge,
		[TRANSFORM_COLLAPSE] = collapse,
	};
	struct view_pass *p = ctx;

	for (uint32_t i = from ? (uint32_t)from : 1; i < end; i++)
		node[p->transform->kind](p, i);
}

/* ---- recursion ---- */

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
static void enter(struct view_way *way, uint32_t i, struct view_pass *p)
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

/* The walk goes through the draft in preorder: first lists of children, from the last node on. */
static size_t begin_children(void *ctx)
{
	struct view_pass *p = ctx;
	uint32_t n = p->in->n;

	if (p->transform->kind != TRANSFORM_RECURSION)
		return 0;
	p->way = (struct view_way){ .node = xcalloc((size_t)n + 1, sizeof *p->way.node),
				    .row = xcalloc(p->view->n_frames, sizeof *p->way.row),
				    .back = xmalloc(n * sizeof *p->way.back),
				    .first = xcalloc(n, sizeof *p->way.first),
				    .next = xmalloc(n * sizeof *p->way.next) };
	return n - 1;
}

static void list_children(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	struct view_way *way = &p->way;

	for (size_t k = from; k < end; k++) {
		uint32_t i = p->in->n - 1 - (uint32_t)k, above = p->in->parent[i];

		way->next[i] = way->first[above];
		way->first[above] = i;
	}
	way->at = way->first[0];
}

/* The node after the one that the walk has entered. */
static uint32_t next_node(struct view_way *way, const struct draft *in)
{
	uint32_t at = way->at;

	if (way->first[at])
		return way->first[at];
	for (; at && !way->next[at]; at = in->parent[at])
		leave(way, at, in->frame[at]);
	if (!at)
		return 0;
	leave(way, at, in->frame[at]);
	return way->next[at];
}

static bool walk(void *ctx, struct budget *budget)
{
	struct view_pass *p = ctx;

	while (p->way.at) {
		enter(&p->way, p->way.at, p);
		p->way.at = next_node(&p->way, p->in);
		if (budget_use(budget, 1))
			return false;
	}
	return true;
}

static const struct phase transform_phases[] = {
	{ begin_frames, match_frames, NULL },
	{ NULL, NULL, search_cats },
	{ begin_nodes, match_nodes, NULL },
	{ begin_apply, apply, NULL },
	{ begin_children, list_children, NULL },
	{ NULL, NULL, walk },
	{ NULL, NULL, NULL },
};

/* ==== view frames ====
 *
 * The frames that a view makes: those that stand for files, packages, categories, names and lanes.
 * Files, packages, categories and names: first the new frame of each frame, then that of each node.
 * Lanes: the nodes that sources have time for first, then their callers. Labels: a frame for each
 * value, and one for all nodes. */

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

/* Begin to find the new frame of each node by that of its frame; of a fold, only of those that
 * match. */
static void begin_by_frame(struct view_pass *p)
{
	const struct transform *fold = p->transform;
	struct grouping *g = &p->grouping;
	uint32_t n = p->view->n_frames;

	g->by = xmalloc((size_t)n * sizeof *g->by);
	for (frame_id f = 0; f < n; f++)
		g->by[f] = !fold || fold->set.cats || frame_matches(p->view, fold, f)
			? make_group(&g->maker, f, g->group)
			: f;
}

static frame_id frame_by(const struct view_pass *p, uint32_t i)
{
	const uint8_t *is = p->transform ? p->transform->set.cats : NULL;
	frame_id f = p->in->frame[i];

	return !is || is[p->cats.cats[i]] ? p->grouping.by[f] : f;
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

/* A node that no lane has time for is a caller of those below it. */
static void begin_by_source(struct view_pass *p)
{
	const struct profile *profile = p->view->profile;
	struct grouping *g = &p->grouping;
	bool is_cats = g->group == GROUP_EVENT_CAT;

	g->known = xcalloc(is_cats ? (size_t)profile->n_event_cats + 1 : profile->n_lanes,
			   sizeof *g->known);
	memset(g->to, 0, (size_t)p->in->n * sizeof *g->to);
	if (is_cats && p->view->n_sources)
		g->known[0] = add_frame(&g->maker,
					&(struct frame){ .name = profile->no_event_cat,
							 .category = CATEGORY_SLICE });
}

static void mark_source(struct view_pass *p, const struct view_source *source)
{
	struct grouping *g = &p->grouping;
	const struct lane *lane = source->lane;

	if (g->group == GROUP_EVENT_CAT) {
		mark_cats(&g->maker, g->to, lane, source->map, g->known);
		mark_cats(&g->maker, g->to, lane, source->place, g->known);
	} else {
		frame_id frame = lane_frame(&g->maker, lane, g->known);

		mark(g->to, source->map, lane->tree.n, frame);
		mark(g->to, source->place, lane->tree.n, frame);
	}
}

static bool mark_sources(void *ctx, struct budget *budget)
{
	struct view_pass *p = ctx;

	return !p->grouping.known || each_source(p, budget, mark_source);
}

static size_t begin_callers(void *ctx)
{
	const struct view_pass *p = ctx;

	return p->grouping.known ? p->in->n - 1 : 0;
}

/* From the last node on. */
static void mark_callers(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	frame_id *to = p->grouping.to;

	for (size_t k = from; k < end; k++) {
		uint32_t i = p->in->n - 1 - (uint32_t)k, above = p->in->parent[i];

		if (to[above] == FRAME_NONE)
			to[above] = to[i];
	}
}

/* ---- labels as frames ---- */

static void begin_labels(struct view_pass *p)
{
	struct view *v = p->view;
	const struct labels *labels = &v->profile->labels;
	uint32_t key = (uint32_t)(p->grouping.group - GROUP_LABEL),
		 n = (uint32_t)labels_count(labels);

	v->label_frames = xmalloc(n * sizeof *v->label_frames);
	for (uint32_t i = 0; i < n; i++) {
		str_id value = labels_value(labels, i, key);

		v->label_frames[i] = make(
			&p->grouping.maker,
			&(struct frame){ .name = value ? value : labels->keys[key].none,
					 .category = CATEGORY_LABEL });
	}
}

/* ==== view pass ==== */

static bool begin_groups(void *ctx, struct budget *budget)
{
	struct view_pass *p = ctx;
	const struct transform *fold = p->transform;
	struct grouping *g = &p->grouping;

	(void)budget;
	g->group = !fold                  ? p->plan->group
		: fold->by == BY_CATEGORY ? GROUP_CATEGORY
					  : GROUP_PACKAGE;
	g->to = xmalloc((size_t)p->in->n * sizeof *g->to);
	maker_init(&g->maker, p->view, fold ? NULL : p->plan->files);
	if (g->group >= GROUP_LABEL)
		begin_labels(p);
	else if (g->group == GROUP_LANE || g->group == GROUP_EVENT_CAT)
		begin_by_source(p);
	else
		begin_by_frame(p);
	return true;
}

static size_t begin_new_frames(void *ctx)
{
	return ((struct view_pass *)ctx)->in->n;
}

/* All nodes get the frame of samples without labels, which the samples change, but idle ones.
 * States stay where lanes are frames. */
static void find_new_frames(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct view *v = p->view;
	frame_id *to = p->grouping.to;

	for (uint32_t i = (uint32_t)from; i < end; i++) {
		frame_id f = p->in->frame[i];
		enum category category = v->frames[f].category;

		if (p->grouping.by)
			to[i] = frame_by(p, i);
		else if (!p->grouping.known)
			to[i] = i == 0 || category == CATEGORY_IDLE ? f : v->label_frames[0];
		else if (i == 0 || to[i] == FRAME_NONE || category_is_state(category))
			to[i] = f;
	}
}

static size_t begin_replace(void *ctx)
{
	struct view_pass *p = ctx;

	p->step.node[0] = p->step.time[0] = 0;
	return p->in->n;
}

/* Give nodes their new frames. Adjacent nodes that get the same frame become one, unless rows are
 * kept; the frame of the root stays. */
static void replace(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct draft *in = p->in;
	const frame_id *to = p->grouping.to;
	struct step step = p->step;

	for (uint32_t i = from ? (uint32_t)from : 1; i < end; i++) {
		uint32_t caller = in->parent[i], above = step.node[caller];
		bool is_new = p->grouping.group != GROUP_NAME &&
			(to[i] != in->frame[i] || to[caller] != in->frame[caller]);

		step.time[i] = step.node[i] = is_new && above && p->out->frame[above] == to[i]
			? above
			: draft_child(p->out, above, to[i]);
	}
}

static const struct phase group_phases[] = {
	{ NULL, NULL, search_cats },
	{ NULL, NULL, begin_groups },
	{ NULL, NULL, mark_sources },
	{ begin_callers, mark_callers, NULL },
	{ begin_new_frames, find_new_frames, NULL },
	{ begin_replace, replace, NULL },
	{ NULL, NULL, NULL },
};

struct view_pass *view_pass_begin(struct view *view, const struct view_plan *plan,
				  const struct transform *transform, const struct draft *in,
				  struct draft *out, struct step step)
{
	struct view_pass *p = xcalloc(1, sizeof *p);

	*p = (struct view_pass){ .view = view,
				 .plan = plan,
				 .transform = transform,
				 .in = in,
				 .out = out,
				 .step = step };
	return p;
}

bool view_pass_work(struct view_pass *p, struct budget *budget)
{
	bool is_group = !p->transform || p->transform->kind == TRANSFORM_FOLD;

	return phases_work(&p->phases, is_group ? group_phases : transform_phases, p, budget);
}

void view_pass_end(struct view_pass *p)
{
	free(p->is);
	free(p->n_same);
	free(p->inside);
	free(p->cats.cats);
	free(p->cats.is_known);
	free(p->grouping.to);
	free(p->grouping.by);
	free(p->grouping.known);
	hash_table_done(&p->grouping.maker.index);
	free(p->way.node);
	free(p->way.row);
	free(p->way.back);
	free(p->way.first);
	free(p->way.next);
	free(p);
}
