/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self times come from the samples or their blocks. Totals are one pass over the nodes from the
 * last to the first, because a parent comes before its children. The total of a function adds up
 * its outermost nodes only, so that recursion counts once. Sources are added in steps. */
#include "config.h"

#include "analyse/totals.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void totals_init(struct totals *totals, const struct view *view)
{
	size_t n = view->tree ? view->tree->n : 0;

	*totals = (struct totals){ .profile = view->profile,
				   .view = view,
				   .n_frames = view->n_frames };
	totals->self = xmalloc(n * sizeof *totals->self);
	totals->total = xmalloc(n * sizeof *totals->total);
	totals->frame_self = xmalloc(totals->n_frames * sizeof *totals->frame_self);
	totals->frame_total = xmalloc(totals->n_frames * sizeof *totals->frame_total);
	totals->is_called = xmalloc(totals->n_frames);
	totals->used = xmalloc((size_t)totals->n_frames * sizeof *totals->used);
}

size_t totals_bytes(const struct lane *const *lanes, uint32_t n, uint32_t n_frames)
{
	const struct totals *t = NULL;
	size_t n_nodes = 0;

	for (uint32_t i = 0; i < n; i++)
		n_nodes += lanes[i]->tree.n;
	return n_nodes * (sizeof *t->self + sizeof *t->total) +
		n_frames * (sizeof *t->frame_self + sizeof *t->frame_total + 1 + sizeof *t->used);
}

void totals_done(struct totals *totals)
{
	free(totals->self);
	free(totals->total);
	free(totals->frame_self);
	free(totals->frame_total);
	free(totals->inner);
	free(totals->is_called);
	free(totals->used);
	*totals = (struct totals){ 0 };
}

/* Whether a source of the view counts. */
static bool has_source(const struct totals *totals, const struct view_source *source)
{
	return !totals->is_lane || totals->is_lane[source->lane - totals->profile->lanes];
}

/* For a lane whose nodes are mapped to nodes of the view. */
struct mapped {
	struct totals *totals;
	const node_id *map;
};

static void add_mapped(void *ctx, node_id leaf, int64_t ns)
{
	struct mapped *m = ctx;
	node_id node = m->map[leaf];

	if (node == VIEW_DROPPED)
		m->totals->dropped_ns += leaf == NODE_ROOT ? 0 : ns;
	else
		/* What was not sampled is at the root, and may be too much: nothing shows it. */
		m->totals->self[node] = (int64_t)((uint64_t)m->totals->self[node] + (uint64_t)ns);
}

BLOCKS_MANY(add_all_mapped, add_mapped)

/* For a lane whose samples are mapped by their labels, too, which blocks do not know. Returns
 * whether it is complete. */
static bool add_samples(struct totals *totals, uint32_t source, uint32_t most)
{
	const struct samples *s = &totals->view->sources[source].lane->samples;
	uint32_t n = 0;

	if (!totals->has_walk)
		totals->next = s->n ? samples_find(s, totals->t0) : 0;
	for (; totals->next < s->n && samples_time(s, totals->next) < totals->t1 && n < most; n++) {
		size_t i = totals->next++;
		int64_t from = samples_time(s, i), to = samples_time(s, i + 1);
		node_id node = view_sample_node(totals->view, source, i);

		from = from > totals->t0 ? from : totals->t0;
		to = to < totals->t1 ? to : totals->t1;
		if (to <= from)
			continue;
		if (node != VIEW_DROPPED)
			totals->self[node] += to - from;
		else if (s->leaf[i] != NODE_ROOT)
			totals->dropped_ns += to - from;
	}
	totals->has_walk = totals->next < s->n && samples_time(s, totals->next) < totals->t1;
	return !totals->has_walk;
}

/* Continue with a source; returns whether it is complete. */
static bool add_source(struct totals *totals, const struct view_source *source, uint32_t most)
{
	struct mapped mapped = { totals, source->map };
	const struct blocks_visitor visitor = source->map
		? (struct blocks_visitor){ &mapped, add_all_mapped, add_mapped, NULL }
		: blocks_sums(totals->self);
	struct budget step = budget_steps(1, most);

	if (!has_source(totals, source))
		return true;
	if (view_has_labels(totals->view) && source->lane->kind == LANE_SAMPLES)
		return add_samples(totals, totals->source, most);
	if (!totals->has_walk)
		blocks_begin(&totals->walk, &source->lane->samples, totals->t0, totals->t1,
			     &visitor);
	totals->has_walk = !blocks_walk_work(&totals->walk, &visitor, &step);
	return !totals->has_walk;
}

/* Add what is known of a node to its caller and its frame, after all that it calls. */
static inline void add_node(struct totals *totals, node_id i)
{
	const struct calltree *tree = totals->view->tree;
	frame_id f = tree->frame[i];
	int64_t total = totals->total[i] + totals->self[i];

	if (total == 0)
		return;
	totals->total[i] = total;
	totals->total[tree->parent[i]] += total;
	totals->frame_self[f] += totals->self[i];
	totals->frame_total[f] += tree->is_outer[i] ? total : 0;
	totals->is_called[f] |= tree->parent[i] != NODE_ROOT &&
		(totals->self[i] || tree->is_outer[i]);
}

static void finish_nodes(struct totals *totals)
{
	totals->self_ns = totals->sampled_ns = totals->total[NODE_ROOT];
	totals->total[NODE_ROOT] += totals->self[NODE_ROOT];
}

/* Sum the nodes. */
static void add_nodes(struct totals *totals)
{
	for (node_id i = totals->view->tree->n; i-- > 1;)
		add_node(totals, i);
	finish_nodes(totals);
}

void totals_begin(struct totals *totals, int64_t t0, int64_t t1)
{
	const struct view *view = totals->view;

	totals->n_used = 0;
	totals->self_ns = totals->sampled_ns = totals->idle_ns = totals->dropped_ns = 0;
	totals->t0 = t0;
	totals->t1 = t1;
	totals->source = 0;
	totals->has_walk = false;
	free(totals->inner);
	totals->inner = NULL;
	if (!view->tree || view->tree->n == 0)
		return;
	memset(totals->self, 0, (size_t)view->tree->n * sizeof *totals->self);
	memset(totals->total, 0, (size_t)view->tree->n * sizeof *totals->total);
	memset(totals->frame_self, 0, (size_t)totals->n_frames * sizeof *totals->frame_self);
	memset(totals->frame_total, 0, (size_t)totals->n_frames * sizeof *totals->frame_total);
	memset(totals->is_called, 0, totals->n_frames);
}

/* Self and total time of slices that their samples do not say. */
static void add_slice_time(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	struct mapped *m = ctx;
	struct totals *totals = m->totals;
	const struct calltree *tree = totals->view->tree;
	frame_id f;

	node = m->map ? m->map[node] : node;
	if (node == VIEW_DROPPED || node == NODE_ROOT)
		return;
	f = tree->frame[node];
	totals->self_ns += self_ns;
	totals->self[node] += self_ns;
	totals->total[node] += total_ns;
	totals->frame_self[f] += self_ns;
	totals->frame_total[f] += tree->is_outer[node] ? total_ns : 0;
}

/* Take slices off the total of their function that are inside of one of its slices on another
 * lane. */
static void take_inner(struct totals *totals, const struct view_source *source)
{
	const struct slice_stretches *l = view_inner(source);
	const struct calltree *tree = totals->view->tree;

	for (size_t i = slice_time_reaching(l, totals->t0); i < l->n && l->list[i].t0 < totals->t1;
	     i++) {
		const struct slice_stretch *s = &l->list[i];
		int64_t t0 = s->t0 > totals->t0 ? s->t0 : totals->t0,
			t1 = s->t1 < totals->t1 ? s->t1 : totals->t1;
		node_id node = source->inner || !source->map ? s->node : source->map[s->node];

		if (t1 <= t0 || node == VIEW_DROPPED || !tree->is_outer[node])
			continue;
		if (!totals->inner)
			totals->inner = xcalloc(tree->n, sizeof *totals->inner);
		totals->inner[node] += t1 - t0;
		totals->frame_total[tree->frame[node]] -= t1 - t0;
	}
}

static void add_slice_times(struct totals *totals)
{
	for (uint32_t i = 0; i < totals->view->n_sources; i++) {
		const struct view_source *source = &totals->view->sources[i];
		const struct slice_time *time = source->lane->slice_time;
		struct mapped mapped = { totals, source->map };
		int64_t lacking;

		if (!time || !has_source(totals, source))
			continue;
		slice_time_each(time, totals->t0, totals->t1, add_slice_time, &mapped);
		take_inner(totals, source);
		lacking = slice_time_lacking(view_slice_time(source), totals->t0, totals->t1);
		totals->sampled_ns += lacking;
		totals->dropped_ns += slice_time_lacking(time, totals->t0, totals->t1) - lacking;
	}
}

static void add_idle(struct totals *totals)
{
	for (uint32_t i = 0; i < totals->n_used; i++)
		if (totals->view->frames[totals->used[i]].category == CATEGORY_IDLE)
			totals->idle_ns += totals->frame_self[totals->used[i]];
}

/* List the frames with time. */
static void find_used(struct totals *totals)
{
	for (frame_id f = 0; f < totals->n_frames; f++)
		if (totals->frame_total[f] || totals->frame_self[f])
			totals->used[totals->n_used++] = f;
	add_idle(totals);
}

bool totals_step(struct totals *totals, struct budget *budget)
{
	const struct view *view = totals->view;

	if (!view->tree || view->tree->n == 0)
		return true;
	while (totals->source < view->n_sources) {
		totals->source += add_source(totals, &view->sources[totals->source], budget->step);
		if (budget_spent(budget))
			return false;
	}
	add_nodes(totals);
	add_slice_times(totals);
	find_used(totals);
	return true;
}

void totals_of_selves(struct totals *totals)
{
	if (!totals->view->tree || totals->view->tree->n == 0)
		return;
	add_nodes(totals);
	find_used(totals);
}

/* ---- few nodes ---- */

static void add_few(void *ctx, node_id leaf, int64_t ns)
{
	struct totals_few *few = ctx;

	few->totals->self[leaf] += ns;
	if (ns)
		bitset_add(&few->set, leaf);
}

BLOCKS_MANY(add_all_few, add_few)

/* Whether self times by leaf are all that the totals consist of. */
static bool has_few(const struct view *view)
{
	return view->n_sources == 1 && !view->sources[0].map && !view_has_labels(view) &&
		!view->sources[0].lane->slice_time;
}

/* Forget the last range. */
static void clear_few(struct totals_few *few)
{
	struct totals *t = few->totals;

	for (size_t i = 0; i < few->n; i++)
		t->self[few->nodes[i]] = t->total[few->nodes[i]] = 0;
	for (uint32_t i = 0; i < t->n_used; i++) {
		t->frame_self[t->used[i]] = t->frame_total[t->used[i]] = 0;
		t->is_called[t->used[i]] = 0;
	}
	t->n_used = 0;
	t->self[NODE_ROOT] = t->total[NODE_ROOT] = 0;
}

/* Add what calls the nodes, up to the root. */
static void add_callers(struct totals_few *few)
{
	const struct totals *t = few->totals;
	const struct calltree *tree = t->view->tree;

	few->n = bitset_drain(&few->set, few->nodes);
	for (size_t i = 0; i < few->n; i++)
		for (node_id n = few->nodes[i]; n != NODE_ROOT && !t->total[n];
		     n = tree->parent[n]) {
			t->total[n] = 1;
			bitset_add(&few->set, n);
		}
	few->n = bitset_drain(&few->set, few->nodes);
	for (size_t i = 0; i < few->n; i++) {
		t->total[few->nodes[i]] = 0;
		bitset_add(&few->frame_set, tree->frame[few->nodes[i]]);
	}
}

void totals_few_compute(struct totals_few *few, int64_t t0, int64_t t1)
{
	struct totals *t = few->totals;
	const struct calltree *tree = t->view->tree;
	const struct blocks_visitor visitor = { few, add_all_few, add_few, NULL };

	if (!tree || !tree->n || !has_few(t->view)) {
		totals_compute(t, t0, t1);
		return;
	}
	if (!few->has_begun) {
		totals_begin(t, t0, t1);
		bitset_init(&few->set, tree->n);
		bitset_init(&few->frame_set, t->n_frames);
		few->nodes = xmalloc(((size_t)tree->n + 1) * sizeof *few->nodes);
		few->has_begun = true;
	}
	clear_few(few);
	t->t0 = t0;
	t->t1 = t1;
	t->idle_ns = 0;
	blocks_each(&t->view->sources[0].lane->samples, t0, t1, &visitor);
	add_callers(few);
	for (size_t i = few->n; i-- > 0;)
		add_node(t, few->nodes[i]);
	finish_nodes(t);
	t->n_used = (uint32_t)bitset_drain(&few->frame_set, t->used);
	add_idle(t);
}

void totals_few_done(struct totals_few *few)
{
	bitset_done(&few->set);
	bitset_done(&few->frame_set);
	free(few->nodes);
	*few = (struct totals_few){ 0 };
}

/* ---- counts ---- */

/* State of a count over the samples of one lane. */
struct counting {
	const struct totals *totals;
	uint32_t source;
	const struct calltree *tree; /* of the view */
	uint32_t *opens;             /* by node of the view */
	uint8_t *is_seen;
	uint64_t *n_self, *n_spans;
};

/* Count a sample with time. The nodes of its stack that did not stay open since the last such
 * sample begin a span; `kept` rows stayed open. */
static void count_opens(struct counting *c, node_id leaf, unsigned kept)
{
	c->opens[leaf]++;
	if (kept > c->tree->rows[leaf])
		kept = c->tree->rows[leaf];
	if (kept > 0)
		c->opens[calltree_ancestor(c->tree, leaf, kept)]--;
}

uint64_t totals_sample_count(const struct lane *lane, size_t i)
{
	const struct samples *s = &lane->samples;

	if (lane->counts)
		return lane->counts[i];
	if (!lane->hit_ns)
		return lane->has_timeline || !lane->value.type;
	return (uint64_t)((samples_time(s, i + 1) - samples_time(s, i)) / lane->hit_ns);
}

/* The rows of the view that samples i and i + 1 share. Those of different labels are apart. */
static unsigned shared_rows(const struct view *view, uint32_t source, size_t i)
{
	unsigned shared = view_shared(view, source, i), most;
	node_id leaf, next;

	if (!view_has_labels(view) || i + 1 == view->sources[source].lane->samples.n)
		return shared;
	leaf = view_sample_node(view, source, i);
	next = view_sample_node(view, source, i + 1);
	if (leaf == VIEW_DROPPED || next == VIEW_DROPPED)
		return 0;
	most = view->tree->rows[calltree_common(view->tree, leaf, next)];
	return shared < most ? shared : most;
}

static void count_lane(struct counting *c)
{
	const struct totals *totals = c->totals;
	const struct lane *lane = totals->view->sources[c->source].lane;
	const struct samples *s = &lane->samples;
	bool has_time = lane->kind == LANE_SAMPLES && s->n &&
		samples_time(s, s->n) > samples_time(s, 0);
	/* Samples without time at the end of the lane belong to a range that ends there. */
	int64_t t_end = s->n && totals->t1 >= samples_time(s, s->n) ? INT64_MAX : totals->t1;
	unsigned kept = 0;

	/* opens is a difference over the tree: +1 at the leaf, -1 at the node that stayed on the
	 * stack; the sum over a subtree is the number of spans of its top node. The arithmetic is
	 * modulo 2^32, so the -1 may come before the +1. */
	for (size_t i = s->n ? samples_find(s, totals->t0 - 1) : 0; i < s->n; i++) {
		node_id leaf = view_sample_node(totals->view, c->source, i);
		bool is_in = leaf != VIEW_DROPPED &&
			(samples_time(s, i) >= totals->t0 || samples_time(s, i + 1) > totals->t0);
		unsigned shared;

		if (samples_time(s, i) >= t_end)
			break;
		if (is_in) {
			c->n_self[c->tree->frame[leaf]] += totals_sample_count(lane, i);
			c->is_seen[leaf] = 1;
		}
		/* Sampled spans of zero length count only if there are no others. Slices of zero
		 * length count. */
		if (is_in && (!has_time || samples_time(s, i + 1) > samples_time(s, i))) {
			count_opens(c, leaf, kept);
			kept = UINT16_MAX;
		}
		shared = shared_rows(totals->view, c->source, i);
		if (shared < kept)
			kept = shared;
	}
}

/* The same without spans. */
static void count_leaves(struct counting *c)
{
	const struct totals *totals = c->totals;
	const struct view_source *source = &totals->view->sources[c->source];
	const struct lane *lane = source->lane;
	const struct samples *s = &lane->samples;
	bool is_own = !source->map && !view_has_labels(totals->view),
	     is_one = !lane->counts && !lane->hit_ns && totals_sample_count(lane, 0);
	size_t first = s->n ? samples_find(s, totals->t0 - 1) : 0, end = s->n;

	if (s->n && totals->t1 < samples_time(s, s->n))
		end = times_until(&s->times, s->n, totals->t1 - 1);
	if (first < end && samples_time(s, first) < totals->t0 &&
	    samples_time(s, first + 1) <= totals->t0)
		first++;
	for (size_t i = first; i < end && is_own && is_one; i++)
		c->opens[s->leaf[i]]++;
	for (size_t i = first; i < end && !(is_own && is_one); i++) {
		node_id leaf = view_sample_node(totals->view, c->source, i);

		if (leaf == VIEW_DROPPED)
			continue;
		c->n_self[c->tree->frame[leaf]] += totals_sample_count(lane, i);
		c->is_seen[leaf] = 1;
	}
}

/* Slices that are in the range only behind the end of their span. */
static void count_ends(struct counting *c)
{
	const struct totals *totals = c->totals;
	const struct slice_time *time = totals->view->sources[c->source].lane->slice_time;

	for (size_t i = time ? slice_time_reaching(&time->over, totals->t0) : 0;
	     time && i < time->over.n && time->over.list[i].t0 <= totals->t0; i++) {
		const struct slice_stretch *over = &time->over.list[i];
		node_id node = view_node(totals->view, c->source, over->node);

		if (node == VIEW_DROPPED || node == NODE_ROOT || over->t1 <= totals->t0)
			continue;
		c->n_spans[c->tree->frame[node]]++;
		c->is_seen[node] = 1;
	}
}

static void count_all(const struct totals *totals, bool has_spans, struct totals_counts *counts)
{
	const struct view *view = totals->view;
	const struct calltree *tree = view->tree;
	uint32_t n = tree ? tree->n : 0;
	struct counting c = {
		.totals = totals,
		.tree = tree,
		.opens = xcalloc((size_t)n + 1, sizeof *c.opens),
		.is_seen = xcalloc((size_t)n + 1, 1),
		.n_self = xcalloc(totals->n_frames, sizeof *c.n_self),
		.n_spans = xcalloc(totals->n_frames, sizeof *c.n_spans),
	};
	uint8_t *is_used = xcalloc(totals->n_frames, 1);

	for (c.source = 0; n && c.source < view->n_sources; c.source++) {
		if (!has_source(totals, &view->sources[c.source]))
			continue;
		if (has_spans)
			count_lane(&c);
		else
			count_leaves(&c);
		count_ends(&c);
	}
	for (node_id i = 0; i < n && !has_spans; i++) {
		c.n_self[tree->frame[i]] += c.opens[i];
		c.is_seen[i] |= c.opens[i] > 0;
		c.opens[i] = 0;
	}
	for (node_id i = n; i-- > 1;) {
		c.opens[tree->parent[i]] += c.opens[i];
		c.n_spans[tree->frame[i]] += c.opens[i];
		c.is_seen[tree->parent[i]] |= c.is_seen[i];
		is_used[tree->frame[i]] |= c.is_seen[i];
	}
	free(c.opens);
	free(c.is_seen);
	*counts = (struct totals_counts){ c.n_spans, c.n_self, is_used };
}

void totals_counts(const struct totals *totals, struct totals_counts *counts)
{
	count_all(totals, true, counts);
}

void totals_leaves(const struct totals *totals, struct totals_counts *counts)
{
	count_all(totals, false, counts);
	free(counts->spans);
	counts->spans = NULL;
}
