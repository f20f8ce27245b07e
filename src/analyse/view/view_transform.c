/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each transform is one pass from the root down: a node of the old tree knows the node of the new
 * tree that its parent became. A pass is a list of loops: over the frames, to find out which match,
 * then over the nodes. */
#include "config.h"

#include "analyse/view/view_transform.h"

#include "analyse/view/view.h"
#include "base/alloc.h"
#include "base/budget.h"
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

/* Zeroed at first. */
struct view_cats {
	event_cat *of; /* by node of the draft, when the work is complete; 0 also where a frame of
			  the view stands for others */
	uint8_t *is_known;
	struct view_place place;
	const struct view *view;
	const struct draft *draft;
};

/* ==== view cats ====
 *
 * Passes keep the node of a draft that a node of a lane is placed on as a caller. Several nodes of
 * a lane may be placed on one: that from which it was made, and nodes below it which a pass has
 * joined with it. As a lane has parents first, the first one is that from which it was made. */

static void add_source(void *ctx, uint32_t i, size_t from, size_t end)
{
	struct view_cats *c = ctx;
	const struct view_source *source = &c->view->sources[i];
	const node_id *place = source->place ? source->place : source->map;
	const struct profile *p = c->view->profile;

	for (size_t k = from ? from : 1; place && k < end; k++) {
		node_id node = place[k];

		if (node == VIEW_DROPPED || node == NODE_ROOT || c->is_known[node])
			continue;
		c->is_known[node] = 1;
		if (c->draft->frame[node] < p->frames.n)
			c->of[node] = profile_node_cat(p, source->lane, (node_id)k);
	}
}

/* Find the categories in steps. Returns whether the work is complete. */
static bool view_cats_work(struct view_cats *c, const struct view *view, const struct draft *draft,
			   struct budget *budget)
{
	if (!c->of) {
		c->view = view;
		c->draft = draft;
		c->of = xcalloc(draft->n, sizeof *c->of);
		c->is_known = xcalloc(draft->n, 1);
	}
	return view_transform_sources(view, &c->place, add_source, c, budget);
}

static void view_cats_done(struct view_cats *c)
{
	free(c->of);
	free(c->is_known);
	*c = (struct view_cats){ 0 };
}

/* ==== view transform ==== */

/* ---- what matches ---- */

/* Whether a frame of the view so far matches the transform, which is not about event
 * categories. */
static bool view_transform_matches(const struct view *v, const struct transform *t, frame_id id)
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

static size_t begin_frames(void *ctx)
{
	struct view_pass *p = ctx;

	if (p->transform->set.cats)
		return 0;
	p->is = xcalloc(p->view->n_frames, 1);
	return p->view->n_frames;
}

static void match_frames(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;

	for (size_t f = from; f < end; f++)
		p->is[f] = view_transform_matches(p->view, p->transform, (frame_id)f);
}

static bool find_cats(void *ctx, struct budget *budget)
{
	struct view_pass *p = ctx;

	if (!p->transform->set.cats)
		return true;
	if (!p->cats)
		p->cats = xcalloc(1, sizeof *p->cats);
	return view_cats_work(p->cats, p->view, p->in, budget);
}

static size_t begin_slices(void *ctx)
{
	struct view_pass *p = ctx;

	if (!p->transform->set.cats)
		return 0;
	p->is = xcalloc(p->in->n, 1);
	p->is_by_node = true;
	return p->in->n;
}

static void match_slices(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;

	for (size_t i = from ? from : 1; i < end; i++)
		p->is[i] = p->transform->set.cats[p->cats->of[i]];
}

static size_t begin_path(void *ctx)
{
	struct view_pass *p = ctx;

	p->is_by_node = true;

	p->n_same = xcalloc(p->in->n, sizeof *p->n_same);
	p->is = xcalloc(p->in->n, 1);
	return p->in->n;
}

/* By node: 1 at the end of the path. */
static void match_path(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct transform *t = p->transform;

	for (size_t i = from ? from : 1; i < end; i++) {
		uint32_t above = p->in->parent[i], k = p->n_same[above];

		if ((above == 0 || k > 0) && k < t->n_path && p->in->frame[i] == t->path[k]) {
			p->n_same[i] = k + 1;
			p->is[i] = k + 1 == t->n_path;
		}
	}
}

/* ---- the transforms ---- */

static size_t begin_nodes(void *ctx)
{
	struct view_pass *p = ctx;

	p->step.node[0] = p->step.time[0] = 0;
	return p->in->n;
}

static size_t begin_inside(void *ctx)
{
	struct view_pass *p = ctx;

	p->inside = xcalloc(p->in->n, 1);
	return begin_nodes(ctx);
}

static size_t begin_focus(void *ctx)
{
	struct view_pass *p = ctx;

	p->step.node[0] = p->step.time[0] = VIEW_DROPPED;
	return p->in->n;
}

static void focus(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct draft *in = p->in;
	struct draft *out = p->out;
	struct step step = p->step;
	const uint8_t *is = p->is;
	bool is_by_node = p->is_by_node;

	for (size_t i = from ? from : 1; i < end; i++) {
		uint32_t above = step.node[in->parent[i]];
		bool begins = is[is_by_node ? i : in->frame[i]];

		step.node[i] = above != VIEW_DROPPED ? draft_child(out, above, in->frame[i])
			: begins                     ? draft_child(out, 0, in->frame[i])
						     : VIEW_DROPPED;
		step.time[i] = step.node[i];
	}
}

static size_t begin_keep_or_drop(void *ctx)
{
	struct view_pass *p = ctx;
	size_t n = begin_inside(ctx);

	if (p->transform->kind == TRANSFORM_KEEP)
		p->step.time[0] = VIEW_DROPPED;
	return n;
}

/* KEEP and DROP: the tree stays; the time on one side of the match is dropped. */
static void keep_or_drop(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct transform *t = p->transform;
	const struct draft *in = p->in;
	const uint8_t *is = p->is;
	uint8_t *inside = p->inside;
	struct step step = p->step;
	bool is_by_node = p->is_by_node;
	bool is_state = t->by == BY_CATEGORY && category_is_state((enum category)t->id);

	for (size_t i = from ? from : 1; i < end; i++) {
		frame_id f = in->frame[i];
		bool is_other = is_state && f != FRAME_NONE &&
			category_is_state(p->view->frames[f].category);

		inside[i] = (is_other ? 0 : inside[in->parent[i]]) | is[is_by_node ? i : f];
		step.node[i] = (uint32_t)i;
		step.time[i] = inside[i] == (t->kind == TRANSFORM_KEEP) ? (uint32_t)i
									: VIEW_DROPPED;
	}
}

static void merge(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct draft *in = p->in;
	const uint8_t *is = p->is;
	struct step step = p->step;
	bool is_by_node = p->is_by_node;

	for (size_t i = from ? from : 1; i < end; i++) {
		uint32_t above = step.node[in->parent[i]];
		bool is_gone = is[is_by_node ? i : in->frame[i]];

		step.node[i] = is_gone ? above : draft_child(p->out, above, in->frame[i]);
		/* Without a caller, no node can take its time. */
		step.time[i] = is_gone && above == 0 ? VIEW_DROPPED : step.node[i];
	}
}

static void collapse(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct draft *in = p->in;
	const uint8_t *is = p->is;
	uint8_t *inside = p->inside;
	struct step step = p->step;
	bool is_by_node = p->is_by_node;

	for (size_t i = from ? from : 1; i < end; i++) {
		uint32_t above = step.node[in->parent[i]];

		inside[i] = inside[in->parent[i]] | is[is_by_node ? i : in->frame[i]];
		step.time[i] = step.node[i] = inside[in->parent[i]]
			? above
			: draft_child(p->out, above, in->frame[i]);
	}
}

static void replace(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct draft *in = p->in;
	const frame_id *to = p->to;
	struct draft *out = p->out;
	struct step step = p->step;

	for (size_t i = from ? from : 1; i < end; i++) {
		uint32_t caller = in->parent[i], above = step.node[caller];
		bool is_new = !p->keeps_rows &&
			(to[i] != in->frame[i] || to[caller] != in->frame[caller]);

		step.time[i] = step.node[i] = is_new && above && out->frame[above] == to[i]
			? above
			: draft_child(out, above, to[i]);
	}
}

/* ---- recursion ---- */

/* The children of each node as lists, for a walk through a draft in preorder. */
static size_t begin_kids(void *ctx)
{
	struct view_pass *p = ctx;

	p->first_kid = xcalloc(p->in->n, sizeof *p->first_kid);
	p->next_kid = xmalloc((size_t)p->in->n * sizeof *p->next_kid);
	return p->in->n - 1;
}

/* From the last node to the first. */
static void find_kids(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const uint32_t *parent = p->in->parent;

	for (size_t i = p->in->n - from; i-- > p->in->n - end;) {
		p->next_kid[i] = p->first_kid[parent[i]];
		p->first_kid[parent[i]] = (uint32_t)i;
	}
}

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
static void enter(struct view_way *way, uint32_t i, struct view_pass *p)
{
	frame_id f = p->in->frame[i];
	uint32_t row = way->row[f], n = way->n, outer = row;
	bool is = p->is[p->is_by_node ? i : f];

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

static size_t begin_recursion(void *ctx)
{
	struct view_pass *p = ctx;
	struct view_way *way = xcalloc(1, sizeof *way);

	way->node = xcalloc((size_t)p->in->n + 1, sizeof *way->node);
	way->row = xcalloc(p->view->n_frames, sizeof *way->row);
	way->back = xmalloc((size_t)p->in->n * sizeof *way->back);
	p->way = way;
	p->step.node[0] = p->step.time[0] = 0;
	p->at = p->first_kid[0];
	return p->in->n;
}

/* Each item is a node. */
static void recursion(void *ctx, size_t from, size_t end)
{
	struct view_pass *p = ctx;
	const struct draft *in = p->in;
	uint32_t at = p->at;

	for (; from < end && at; from++) {
		enter(p->way, at, p);
		if (p->first_kid[at]) {
			at = p->first_kid[at];
			continue;
		}
		for (; at && !p->next_kid[at]; at = in->parent[at])
			leave(p->way, at, in->frame[at]);
		if (at) {
			leave(p->way, at, in->frame[at]);
			at = p->next_kid[at];
		}
	}
	p->at = at;
}

/* ---- passes ---- */

static const struct phase focus_path_phases[] = {
	{ begin_path, match_path, NULL },
	{ begin_focus, focus, NULL },
	{ NULL, NULL, NULL },
};

static const struct phase replace_phases[] = {
	{ begin_nodes, replace, NULL },
	{ NULL, NULL, NULL },
};

static const struct phase match_phases[] = {
	{ begin_frames, match_frames, NULL },
	{ NULL, NULL, find_cats },
	{ begin_slices, match_slices, NULL },
	{ NULL, NULL, NULL },
};

static bool match(void *ctx, struct budget *budget)
{
	struct view_pass *p = ctx;

	return phases_work(&p->matching, match_phases, p, budget);
}

/* FOLD replaces frames, see view.c. */
static const struct phase kind_phases[TRANSFORM_COUNT][4] = {
	[TRANSFORM_FOCUS] = { { NULL, NULL, match }, { begin_focus, focus, NULL } },
	[TRANSFORM_KEEP] = { { NULL, NULL, match }, { begin_keep_or_drop, keep_or_drop, NULL } },
	[TRANSFORM_DROP] = { { NULL, NULL, match }, { begin_keep_or_drop, keep_or_drop, NULL } },
	[TRANSFORM_MERGE] = { { NULL, NULL, match }, { begin_nodes, merge, NULL } },
	[TRANSFORM_COLLAPSE] = { { NULL, NULL, match }, { begin_inside, collapse, NULL } },
	[TRANSFORM_RECURSION] = { { NULL, NULL, match },
				  { begin_kids, find_kids, NULL },
				  { begin_recursion, recursion, NULL } },
};

bool view_transform_keeps_tree(const struct transform *t)
{
	return t->kind == TRANSFORM_KEEP || t->kind == TRANSFORM_DROP;
}

bool view_transform_work(struct view_pass *p, struct budget *budget)
{
	const struct transform *t = p->transform;
	const struct phase *phases = p->to                       ? replace_phases
		: t->kind == TRANSFORM_FOCUS && t->by == BY_PATH ? focus_path_phases
								 : kind_phases[t->kind];

	return phases_work(&p->phases, phases, p, budget);
}

void view_transform_end(struct view_pass *p)
{
	if (p->cats)
		view_cats_done(p->cats);
	free(p->cats);
	free(p->is);
	free(p->inside);
	free(p->n_same);
	free(p->first_kid);
	free(p->next_kid);
	if (p->way) {
		free(p->way->node);
		free(p->way->row);
		free(p->way->back);
		free(p->way);
	}
	*p = (struct view_pass){ 0 };
}

bool view_transform_sources(const struct view *v, struct view_place *place, view_nodes *nodes,
			    void *ctx, struct budget *budget)
{
	while (place->source < v->n_sources) {
		size_t n = v->sources[place->source].lane->tree.n, from = place->node,
		       most = budget->step - budget->used, end = n - from < most ? n : from + most;

		nodes(ctx, place->source, from, end);
		*place = end < n ? (struct view_place){ place->source, end }
				 : (struct view_place){ place->source + 1, 0 };
		if (budget_use(budget, (uint32_t)(end - from)))
			return false;
	}
	*place = (struct view_place){ 0, 0 };
	return true;
}

/* ==== view frames ====
 *
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

static size_t begin_all_frames(void *ctx)
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

static size_t begin_frame_nodes(void *ctx)
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

static bool find_cat_frames(void *ctx, struct budget *budget)
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
	{ begin_all_frames, find_frames, NULL },
	{ NULL, NULL, find_cat_frames },
	{ begin_frame_nodes, replace_frames, NULL },
	{ NULL, NULL, NULL },
};

static const struct phase label_phases[] = {
	{ begin_sets, find_sets, NULL },
	{ begin_frame_nodes, label_nodes, NULL },
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
