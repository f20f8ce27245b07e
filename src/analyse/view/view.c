/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trees of the lanes are laid side by side. Each transform makes a new tree of the one before
 * in one pass from the root down: a node of the old tree knows the node of the new one that its
 * parent became. Trees are drafts (view_transform.h) until the last one is numbered in preorder. A
 * draft may have several nodes for one call path, of several lanes or because of a transform. They
 * are merged at the end only, as finding them in every pass would cost more than all the rest. */
#include "config.h"

#include "analyse/view/view.h"

#include "analyse/scope.h"
#include "analyse/view/view_transform.h"
#include "base/alloc.h"
#include "base/budget.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/text.h"
#include "model/profile.h"
#include "model/slice_union.h"
#include "model/span_find.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ==== transform ====
 *
 * A description is a verb and the text that the transform matches. */

static void describe_match(const struct profile *p, const struct transform *t, struct buf *out)
{
	frame_id last = t->by == BY_PATH && t->n_path ? t->path[t->n_path - 1] : t->id;
	const char *text = "";

	switch (t->by) {
	case BY_FUNCTION:
	case BY_PATH:
		text = last < p->frames.n ? profile_text(p, p->frames.frames[last].name) : "";
		break;
	case BY_FILE:
	case BY_PACKAGE:
		text = profile_text(p, t->id);
		break;
	case BY_CATEGORY:
		text = category_name((enum category)t->id);
		break;
	case BY_ANY_PACKAGE:
		text = "packages";
		break;
	case BY_OTHERS:
		text = "what is not own";
		break;
	case BY_SET:
		text = t->text ? t->text : "";
		break;
	case BY_ALL:
		break;
	}
	if (t->by == BY_SET)
		buf_addc(out, '/');
	text_visible(out, text, strlen(text));
	if (t->by == BY_SET)
		buf_addc(out, '/');
	if (t->by == BY_PATH)
		buf_adds(out, " (this call)");
}

bool transform_is_possible(const struct transform *t, struct error *err)
{
	return !t->set.labels || t->kind == TRANSFORM_KEEP || t->kind == TRANSFORM_DROP ||
		error_set(err, ERR_FORMAT, -1,
			  "'%.200s' is about samples, not functions; --only and --drop take it",
			  t->text);
}

void transform_describe(const struct profile *profile, const struct transform *t, struct buf *out)
{
	static const char *const verb[TRANSFORM_COUNT + 1] = { "focus",          "only",     "drop",
							       "merge",          "collapse", "fold",
							       "fold recursion", "invert" };
	size_t start;

	if (t->set.during) {
		during_describe(t->set.during, t->text, INT64_MIN, INT64_MAX, out);
		return;
	}
	buf_adds(out, verb[t->kind]);
	start = out->len;
	buf_addc(out, ' ');
	describe_match(profile, t, out);
	if (out->len == start + 1)
		out->data[out->len = start] = '\0';
}

/* ==== view union ====
 *
 * Where nothing was dropped, what the lanes say about the time of their thread still holds. */

/* The end of the sources from i on that are one thread or track. */
static uint32_t thread_end(const struct view *v, uint32_t i)
{
	const struct lane *first = v->sources[i++].lane;

	while (i < v->n_sources && v->sources[i].lane->is_joined &&
	       v->sources[i].lane->kind == first->kind)
		i++;
	return i;
}

static bool has_dropped(const struct view_source *source)
{
	for (node_id k = 1; k < source->lane->tree.n; k++)
		if (source->map[k] == VIEW_DROPPED || source->map[k] == NODE_ROOT)
			return true;
	return false;
}

/* Set view_source.united, once the maps of the sources are complete: where slices of a thread were
 * dropped, find anew which time its lanes have in common. */
static void unite_thread(struct view *v, uint32_t first, uint32_t end)
{
	ALLOC_LOCAL struct slice_union_part *parts = NULL;
	bool has_time = false, has_less = false;

	for (uint32_t i = first; i < end; i++) {
		has_time |= v->sources[i].lane->slice_time != NULL;
		has_less |= v->sources[i].map && has_dropped(&v->sources[i]);
	}
	if (!has_time || !has_less)
		return;
	parts = xcalloc(end - first, sizeof *parts);
	for (uint32_t i = first; i < end; i++) {
		struct view_source *source = &v->sources[i];

		source->united = xcalloc(1, sizeof *source->united);
		parts[i - first] = (struct slice_union_part){ .lane = source->lane,
							      .map = source->map,
							      .more = &source->united->more,
							      .less = &source->united->less };
	}
	slice_union(parts, end - first);
}

/* Set view_source.inner of a thread, once the tree of the view is complete, too. */
static void find_inner(struct view *v, uint32_t first, uint32_t end)
{
	ALLOC_LOCAL struct slice_inner_part *parts = NULL;
	const struct lane *head = v->sources[first].lane;
	bool has_links = false, is_whole = !head->is_joined;

	for (uint32_t i = first; i < end; i++) {
		const struct lane *lane = v->sources[i].lane;

		has_links |= lane->slice_time && lane->slice_time->n_links > 0;
		is_whole &= lane == head + (i - first);
	}
	if (!has_links)
		return;
	parts = xcalloc(end - first, sizeof *parts);
	for (uint32_t i = first; i < end; i++) {
		struct view_source *source = &v->sources[i];

		source->inner = xcalloc(1, sizeof *source->inner);
		parts[i - first] = (struct slice_inner_part){ .lane = source->lane,
							      .map = source->map,
							      .place = source->place,
							      .inner = source->inner };
	}
	if (is_whole)
		slice_inner(parts, end - first, v->tree, v->n_frames);
}

/* ==== view ==== */

/* Limit of the nodes of a view. */
#define VIEW_NODES_MAX ((uint32_t)INT32_MAX)
#define NODE_BYTES ((size_t)88) /* of drafts, maps and tree together */

#define FREE_WORK 1024u /* units of work to free a lane's arrays */

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

/* A view while it is being made. */
struct view_work {
	struct view *view;
	struct view_plan plan;
	struct draft draft;         /* the tree so far */
	uint32_t n_laid;            /* sources that are in it */
	size_t n_passed;            /* transforms that it has; the grouping comes after them */
	struct view_pass *pass;     /* makes the next one; NULL: not begun */
	struct draft next;          /* that it makes; the same if it keeps the tree */
	struct step step;           /* of the pass */
	uint32_t n_composed;        /* sources that have it */
	struct calltree_work *tree; /* NULL: not begun */
	node_id *order;             /* by node of the draft: that of the tree */
	uint32_t n_united;          /* sources whose slices are known */
	bool is_complete;
};

/* Whether the nodes of the draft become those of the view, with the frames that they have. */
static bool is_as_laid(const struct view_plan *plan)
{
	return plan->n_transforms == 0 && plan->group == GROUP_FUNCTION;
}

/* Whether the tree of a view of only this lane is that of the lane. Tables have one row for twins,
 * which only a new tree joins. */
static bool is_as_lane(const struct view_plan *plan, const struct lane *lane)
{
	return is_as_laid(plan) && !plan->match && !lane->tree.has_twins;
}

/* ---- the draft of all lanes ---- */

static node_id *shifted_nodes(uint32_t n, uint32_t shift)
{
	node_id *map = xmalloc((size_t)n * sizeof *map);

	map[NODE_ROOT] = NODE_ROOT;
	for (node_id k = 1; k < n; k++)
		map[k] = k + shift;
	return map;
}

/* Put the next lane into the draft; the map says where its nodes are. Passes may separate the `map`
 * and the `place` of a node. */
static void lay_source(struct view_work *w)
{
	const frame_id *match = w->plan.match;
	struct draft *d = &w->draft;
	struct view_source *source = &w->view->sources[w->n_laid++];
	const struct calltree *tree = &source->lane->tree;
	uint32_t shift = d->is_lane ? 0 : d->n - 1;

	source->map = shifted_nodes(tree->n, shift);
	if (source->lane->kind != LANE_SAMPLES || source->lane->has_siblings)
		source->place = is_as_laid(&w->plan) ? source->map : shifted_nodes(tree->n, shift);
	for (node_id k = 1; !d->is_lane && k < tree->n; k++)
		draft_child(d, source->map[tree->parent[k]],
			    match ? match[tree->frame[k]] : tree->frame[k]);
}

/* ---- passes ---- */

static void compose_map(node_id *map, uint32_t n, const uint32_t *to)
{
	for (node_id k = 0; k < n; k++)
		if (map[k] != VIEW_DROPPED)
			map[k] = to[map[k]];
}

static bool compose(struct view_work *w, struct step step, struct budget *budget)
{
	while (w->n_composed < w->view->n_sources) {
		struct view_source *source = &w->view->sources[w->n_composed++];
		uint32_t n = source->lane->tree.n;

		compose_map(source->map, n, step.time);
		if (source->place && source->place != source->map)
			compose_map(source->place, n, step.node);
		if (budget_use(budget, n))
			return false;
	}
	w->n_composed = 0;
	return true;
}

/* t: NULL: the grouping. */
static void begin_pass(struct view_work *w, const struct transform *t)
{
	size_t size = (size_t)w->draft.n * sizeof(uint32_t);

	w->next = w->draft;
	if (!t || !transform_keeps_tree(t))
		draft_init(&w->next, w->draft.n);
	w->step = (struct step){ xmalloc(size), xmalloc(size) };
	w->pass = view_pass_begin(w->view, &w->plan, t, &w->draft, &w->next, w->step);
}

/* End a pass; the draft is then `next`. */
static void end_pass(struct view_work *w)
{
	view_pass_end(w->pass);
	w->pass = NULL;
	free(w->step.node);
	free(w->step.time);
	if (w->next.parent != w->draft.parent)
		draft_done(&w->draft);
	w->draft = w->next;
}

static bool make_pass(struct view_work *w, struct budget *budget)
{
	const struct transform *t = w->n_passed < w->plan.n_transforms
		? &w->plan.transforms[w->n_passed]
		: NULL;

	/* It is about samples, not about nodes. */
	if (t && (t->set.labels || t->set.during))
		return true;
	if (!w->pass)
		begin_pass(w, t);
	if (!view_pass_work(w->pass, budget) || !compose(w, w->step, budget))
		return false;
	end_pass(w);
	return true;
}

/* ---- the tree ---- */

/* Add a node below the root for each set of labels: samples of one node of a lane, which is all
 * that the maps are about, may have different ones. */
static void add_label_nodes(struct view_work *w)
{
	struct draft *d = &w->draft;
	size_t n = labels_count(&w->view->profile->labels);

	w->view->label_nodes = xmalloc(n * sizeof *w->view->label_nodes);
	d->parent = xrealloc(d->parent, (size_t)d->n + n, sizeof *d->parent);
	d->frame = xrealloc(d->frame, (size_t)d->n + n, sizeof *d->frame);
	for (size_t i = 0; i < n; i++)
		w->view->label_nodes[i] = draft_child(d, 0, w->view->label_frames[i]);
}

/* Number the nodes of the draft in preorder. */
static bool build_tree(struct view_work *w, struct budget *budget)
{
	struct view *v = w->view;
	struct draft *d = &w->draft;

	if (!w->tree) {
		if (v->label_frames)
			add_label_nodes(w);
		w->order = xmalloc((size_t)d->n * sizeof *w->order);
		w->tree = calltree_begin(&v->own_tree, d->n, d->parent, d->frame, w->order);
	}
	if (!calltree_work(w->tree, budget) ||
	    !compose(w, (struct step){ w->order, w->order }, budget))
		return false;
	for (size_t i = 0; v->label_nodes && i < labels_count(&v->profile->labels); i++)
		v->label_nodes[i] = w->order[v->label_nodes[i]];
	return true;
}

/* ---- the view ---- */

/* Make the draft that lay_source() fills; with a single lane, the lane's tree is the draft, unless
 * frames stand for others. Returns false when there are too many nodes. */
static bool begin_draft(struct view *v, struct draft *d, const frame_id *match)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < v->n_sources; i++)
		n += v->sources[i].lane->tree.n - 1;
	if (n > VIEW_NODES_MAX)
		return false;
	if (v->n_sources == 1 && !match && !v->sources[0].lane->tree.has_twins) {
		const struct calltree *tree = &v->sources[0].lane->tree;

		*d = (struct draft){ .parent = tree->parent,
				     .frame = tree->frame,
				     .n = tree->n,
				     .is_lane = true };
	} else {
		draft_init(d, n);
	}
	return true;
}

bool view_too_large(struct error *err)
{
	return error_set(err, ERR_LIMIT, -1, "more than %u nodes in a view", VIEW_NODES_MAX);
}

bool view_fits(const struct profile *profile, struct error *err)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < profile->n_lanes; i++)
		n += profile->lanes[i].tree.n ? profile->lanes[i].tree.n - 1 : 0;
	return n <= VIEW_NODES_MAX || view_too_large(err);
}

size_t view_bytes(const struct lane *const *lanes, uint32_t n, const struct view_plan *plan)
{
	size_t n_nodes = 0;

	for (uint32_t i = 0; i < n; i++)
		n_nodes += lanes[i]->tree.n;
	return n == 1 && is_as_lane(plan, lanes[0]) ? 0 : n_nodes * NODE_BYTES;
}

/* Find the samples that transforms by labels drop. */
static void find_label_drops(struct view *v, const struct view_plan *plan)
{
	size_t n = labels_count(&v->profile->labels);

	for (size_t i = 0; i < plan->n_transforms; i++) {
		const struct transform *t = &plan->transforms[i];

		if (!t->set.labels)
			continue;
		if (!v->label_drops)
			v->label_drops = xcalloc(n, 1);
		for (size_t k = 0; k < n; k++)
			v->label_drops[k] |= t->set.labels[k] == (t->kind == TRANSFORM_DROP);
	}
}

struct view_work *view_begin(struct view *v, const struct profile *profile,
			     const struct lane *const *lanes, uint32_t n,
			     const struct view_plan *plan)
{
	struct view_work *w = xcalloc(1, sizeof *w);

	*v = (struct view){ .profile = profile,
			    .frames = profile->frames.frames,
			    .n_frames = profile->frames.n };
	v->sources = xcalloc(n, sizeof *v->sources);
	for (uint32_t i = 0; i < n; i++)
		if (lanes[i]->tree.n)
			v->sources[v->n_sources++].lane = lanes[i];
	w->view = v;
	w->plan = *plan;
	find_label_drops(v, plan);
	w->is_complete = v->n_sources == 1 && is_as_lane(plan, v->sources[0].lane);
	if (w->is_complete) {
		w->draft.is_lane = true;
		v->tree = &v->sources[0].lane->tree;
	} else if (!begin_draft(v, &w->draft, plan->match)) {
		view_done(v);
		free(w);
		return NULL;
	}
	return w;
}

/* Whether the samples without labels are still to be dropped. */
static bool drops_unlabelled(const struct view_work *w)
{
	return w->n_united == 0 && w->view->label_drops && w->view->label_drops[0];
}

bool view_work(struct view_work *w, struct budget *budget)
{
	struct view *v = w->view;
	size_t n_passes = w->plan.n_transforms + (w->plan.group != GROUP_FUNCTION);

	if (w->is_complete)
		return true;
	while (w->n_laid < v->n_sources) {
		lay_source(w);
		if (budget_use(budget, v->sources[w->n_laid - 1].lane->tree.n))
			return false;
	}
	for (; w->n_passed < n_passes; w->n_passed++)
		if (!make_pass(w, budget))
			return false;
	if (!v->tree && !w->draft.is_lane && !build_tree(w, budget))
		return false;
	/* Drop the lanes whose samples have no labels, if transforms drop such samples. */
	for (uint32_t i = 0; i < v->n_sources && drops_unlabelled(w); i++)
		for (node_id k = 1; !v->sources[i].lane->labels && k < v->sources[i].lane->tree.n;
		     k++)
			v->sources[i].map[k] = VIEW_DROPPED;
	v->tree = w->draft.is_lane ? &v->sources[0].lane->tree : &v->own_tree;
	while (w->n_united < v->n_sources) {
		uint32_t i = w->n_united, end = thread_end(v, i);

		w->n_united = end;
		if (w->plan.n_transforms)
			unite_thread(v, i, end);
		if (!is_as_laid(&w->plan))
			find_inner(v, i, end);
		if (budget_use(budget, v->sources[i].lane->tree.n))
			return false;
	}
	w->is_complete = true;
	return true;
}

void view_end(struct view_work *w)
{
	calltree_end(w->tree);
	if (w->pass)
		end_pass(w);
	free(w->order);
	draft_done(&w->draft);
	free(w);
}

bool view_init(struct view *v, const struct profile *profile, const struct lane *const *lanes,
	       uint32_t n)
{
	const struct view_plan plan = { .group = GROUP_FUNCTION };
	struct view_work *w = view_begin(v, profile, lanes, n, &plan);

	if (!w)
		return false;
	view_work(w, BUDGET_UNLIMITED);
	view_end(w);
	return true;
}

/* Give the view only the frames of its nodes. FRAME_NONE, which the root has, stays 0. */
static void use_few_frames(struct view *v)
{
	const struct calltree *tree = v->tree;

	assert(tree->frame[NODE_ROOT] == FRAME_NONE);
	v->own_tree = *tree;
	v->own_tree.frame = xmalloc((size_t)tree->n * sizeof *v->own_tree.frame);
	v->frame_ids = frame_ranks(tree->frame, tree->n, v->own_tree.frame, &v->n_frames);
	v->own_frames = xmalloc((size_t)v->n_frames * sizeof *v->own_frames);
	for (frame_id f = 0; f < v->n_frames; f++)
		v->own_frames[f] = v->frames[v->frame_ids[f]];
	v->tree = &v->own_tree;
	v->frames = v->own_frames;
}

void view_init_lane(struct view *v, const struct profile *profile, const struct lane *lane)
{
	view_init(v, profile, &lane, 1);
	/* A lane without a tree, such as a counter, has a root of its own. */
	if (v->tree == &lane->tree && frame_ranks_pay(v->tree->n, v->n_frames))
		use_few_frames(v);
}

static void free_source(struct view_source *source)
{
	if (source->place != source->map)
		free(source->place);
	free(source->map);
	slice_time_free(source->united);
	if (source->inner)
		free(source->inner->list);
	free(source->inner);
}

bool view_free_work(struct view *v, struct budget *budget)
{
	while (v->n_sources) {
		free_source(&v->sources[--v->n_sources]);
		if (budget_use(budget, FREE_WORK))
			return false;
	}
	free(v->sources);
	if (v->frame_ids)
		free(v->own_tree.frame);
	else
		calltree_done(&v->own_tree);
	free(v->frame_ids);
	free(v->own_frames);
	free(v->label_frames);
	free(v->label_nodes);
	free(v->label_drops);
	*v = (struct view){ 0 };
	return true;
}

void view_done(struct view *v)
{
	view_free_work(v, BUDGET_UNLIMITED);
}

void view_seek_init(struct span_find *seek, const struct view *view, uint32_t source,
		    const node_id *nodes, uint32_t n)
{
	const struct lane *lane = view->sources[source].lane;
	uint32_t n_found = 0;
	ALLOC_LOCAL uint8_t *is_wanted = NULL;
	ALLOC_LOCAL node_id *found = NULL;

	*seek = (struct span_find){ 0 };
	if (!reserve_has_room((size_t)lane->tree.n * 2 * sizeof *found))
		return;
	is_wanted = xcalloc((size_t)view->tree->n + 1, 1);
	found = xmalloc((lane->tree.n + (size_t)1) * sizeof *found);
	for (uint32_t i = 0; i < n; i++)
		is_wanted[nodes[i]] = 1;
	for (node_id i = 1; i < lane->tree.n; i++) {
		node_id node = view_node(view, source, i);

		if (node != VIEW_DROPPED && is_wanted[node])
			found[n_found++] = i;
	}
	span_find_init_nodes(seek, lane, found, n_found);
}

unsigned view_shared(const struct view *v, uint32_t source, size_t i)
{
	const struct lane *lane = v->sources[source].lane;
	const node_id *map = v->sources[source].map, *place = v->sources[source].place;
	const struct samples *s = &lane->samples;
	node_id a, b, both;

	if (!map)
		return samples_shared(s, i);
	if (i + 1 == s->n)
		return 0;
	a = map[s->leaf[i]];
	b = map[s->leaf[i + 1]];
	if (a == VIEW_DROPPED || b == VIEW_DROPPED)
		return 0;
	both = calltree_common(v->tree, a, b);
	/* Where slices of one name touch, or siblings that are one function, the same node is two
	 * spans: the stack above them stays open. Without transforms, so do slices of names that
	 * are one. */
	if (place &&
	    (place == map ||
	     samples_shared(s, i) <
		     lane->tree.rows[calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])])) {
		node_id above =
			place[calltree_ancestor(&lane->tree, s->leaf[i], samples_shared(s, i))];

		both = above == VIEW_DROPPED ? NODE_ROOT : calltree_common(v->tree, both, above);
	}
	return v->tree->rows[both];
}

/* ---- names ---- */

const char *view_group_name(const struct profile *p, enum view_group group)
{
	static const char *const name[GROUP_COUNT] = { "function", "file",  "package",
						       "category", "lane",  "event category",
						       "name",     "origin" };

	return group < GROUP_LABEL ? name[group]
				   : profile_text(p, p->labels.keys[group - GROUP_LABEL].name);
}

const char *view_group_word(unsigned i)
{
	if (i == GROUP_EVENT_CAT)
		return "cat";
	if (i == GROUP_LABEL)
		return "label:";
	return i < GROUP_COUNT ? view_group_name(NULL, (enum view_group)i) : NULL;
}

bool view_group_find_label(const struct profile *p, const char *key, enum view_group *group,
			   struct error *err)
{
	uint32_t index;

	if (!labels_find(&p->labels, &p->strings, key, &index, err))
		return false;
	*group = (enum view_group)(GROUP_LABEL + index);
	return true;
}
