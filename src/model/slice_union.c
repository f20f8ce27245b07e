/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of the thread is the union of the self times of all its slices: pieces of all lanes,
 * sorted by start and merged. Compared with the samples of the first lane, it has more and less.
 *
 * Pieces are between two ends of slices, so there are about as many as samples. */
#include "config.h"

#include "model/slice_union.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

/* ==== slice inner ====
 *
 * An outermost slice of a lane that has a link has callers on other lanes: the slice of the link,
 * what is around it, and so on from link to link. For each lane of these callers, their frames are
 * marked, then the samples of the outermost slice are searched for these frames. Where transforms
 * dropped the stack of the callers, they do not count.
 *
 * A slice inside of one of its name on its own lane is no outer one, and its time is in no total
 * anyway. */

/* Slices of a node that maps to this are dropped: they do not count. */
#define SLICE_UNION_DROPPED UINT32_MAX
#define MAX_BACK 8 /* stretches that are looked at for one that goes on */

struct marks {
	const struct slice_inner_part *parts;
	size_t n;
	const struct calltree *tree;
	uint32_t *seen; /* by frame: `now` if a caller has it */
	uint32_t now, marked_lane;
	node_id marked; /* the innermost of the callers; NODE_ROOT: none are marked yet */
	struct open_node {
		node_id node;
		int64_t since;
	} * open; /* the stack of the sample that is searched; since when */
	size_t n_open, cap_open;
	uint8_t *is_open; /* by node of the tree */
};

static const struct calltree *tree_of(const struct marks *m, const struct slice_inner_part *part)
{
	return m->tree ? m->tree : &part->lane->tree;
}

static node_id node_of(const struct slice_inner_part *part, node_id node)
{
	node_id to = part->map ? part->map[node] : node;

	return to == SLICE_UNION_DROPPED ? NODE_ROOT : to;
}

/* Mark the frames of the callers that a link tells on their lane. Slices in a row often have the
 * same ones. */
static void mark_callers(struct marks *m, const struct slice_link *link)
{
	const struct slice_inner_part *part = &m->parts[link->lane];
	const node_id *parent = part->lane->tree.parent;

	if (m->marked == link->around && m->marked_lane == link->lane && m->now > 0)
		return;
	m->marked = link->around;
	m->marked_lane = link->lane;
	m->now++;
	for (node_id i = link->around; i != NODE_ROOT; i = parent[i]) {
		node_id node = node_of(part, i);

		if (node != NODE_ROOT && part->place)
			node = part->place[i];
		if (node != NODE_ROOT && node != SLICE_UNION_DROPPED)
			m->seen[tree_of(m, part)->frame[node]] = m->now;
	}
}

static void add(struct slice_stretches *to, int64_t t0, int64_t t1, node_id node)
{
	for (size_t i = to->n; i > 0 && i + MAX_BACK > to->n; i--) {
		struct slice_stretch *s = &to->list[i - 1];

		if (s->node != node || s->t1 != t0)
			continue;
		s->t1 = t1;
		to->longest = t1 - s->t0 > to->longest ? t1 - s->t0 : to->longest;
		return;
	}
	slice_time_add(to, &(struct slice_stretch){ t0, t1, t0, node });
}

/* Add the parts of [t0, t1) in which the stack of the callers was not dropped. */
static void add_where_left(const struct slice_inner_part *callers, struct slice_stretches *to,
			   int64_t t0, int64_t t1, node_id node)
{
	const struct samples *s = &callers->lane->samples;

	for (size_t i = callers->map ? samples_find(s, t0) : s->n;
	     i < s->n && samples_time(s, i) < t1; i++) {
		if (callers->map[s->leaf[i]] != SLICE_UNION_DROPPED || samples_time(s, i + 1) <= t0)
			continue;
		if (samples_time(s, i) > t0)
			add(to, t0, samples_time(s, i), node);
		t0 = samples_time(s, i + 1);
	}
	if (t1 > t0)
		add(to, t0, t1, node);
}

/* Close the innermost open nodes, until `node` is the last one. */
static void close_nodes(struct marks *m, const struct slice_inner_part *part, node_id node,
			int64_t t, const struct slice_inner_part *callers)
{
	const struct calltree *tree = tree_of(m, part);

	while (m->n_open > 0 && m->open[m->n_open - 1].node != node) {
		const struct open_node *o = &m->open[--m->n_open];

		m->is_open[o->node] = 0;
		if (tree->is_outer[o->node] && m->seen[tree->frame[o->node]] == m->now)
			add_where_left(callers, part->inner, o->since, t, o->node);
	}
}

/* Go on to a sample at `node`. What it shares with the sample before stays open, so the cost
 * follows the slices, not samples times rows. */
static void open_nodes(struct marks *m, const struct slice_inner_part *part, node_id node,
		       int64_t t, const struct slice_inner_part *callers)
{
	const node_id *parent = tree_of(m, part)->parent;
	node_id shared = node;
	size_t at, n = 0;

	for (; shared != NODE_ROOT && !m->is_open[shared]; n++)
		shared = parent[shared];
	close_nodes(m, part, shared, t, callers);
	m->open = xgrow(m->open, &m->cap_open, m->n_open + n + 1, sizeof *m->open);
	at = m->n_open += n;
	for (; node != shared; node = parent[node]) {
		m->open[--at] = (struct open_node){ node, t };
		m->is_open[node] = 1;
	}
}

/* Search the outermost slice from t0 on, which is in part `part`, for frames that are marked. */
static void search(struct marks *m, const struct slice_inner_part *part, int64_t t0,
		   const struct slice_inner_part *callers)
{
	const struct samples *s = &part->lane->samples;
	const struct slice_stretches *over = &part->lane->slice_time->over;
	const struct calltree *tree = tree_of(m, part);
	size_t i = samples_find(s, t0);
	node_id node;

	do
		open_nodes(m, part, node_of(part, s->leaf[i]), samples_time(s, i), callers);
	while (++i < s->n && samples_shared(s, i - 1) > 0);
	close_nodes(m, part, NODE_ROOT, samples_time(s, i), callers);
	for (size_t k = slice_time_from(over, t0 + 1);
	     k < over->n && over->list[k].t0 <= samples_time(s, i); k++) {
		node = node_of(part, over->list[k].node);
		if (node != NODE_ROOT && tree->is_outer[node] &&
		    m->seen[tree->frame[node]] == m->now)
			add_where_left(callers, part->inner, over->list[k].t0, over->list[k].t1,
				       node);
	}
}

/* ---- the result ---- */

SORT_ORDER(by_node, struct slice_stretch, SORT_BY_2(x->node, y->node, x->t0, y->t0))

/* Unite stretches of one node that overlap, where it has callers on several lanes. */
static void unite(struct slice_stretches *list)
{
	size_t n = 0;

	if (list->n > 1)
		qsort(list->list, list->n, sizeof *list->list, by_node);
	for (size_t i = 0; i < list->n; i++) {
		const struct slice_stretch *s = &list->list[i];
		struct slice_stretch *last = n ? &list->list[n - 1] : NULL;

		if (!last || last->node != s->node || last->t1 < s->t0)
			list->list[n++] = *s;
		else if (last->t1 < s->t1)
			last->t1 = s->t1;
	}
	list->n = n;
	list->longest = 0;
	for (size_t i = 0; i < n; i++) {
		int64_t ns = list->list[i].t1 - list->list[i].t0;

		list->longest = ns > list->longest ? ns : list->longest;
	}
	slice_time_sort(list);
}

static node_id most_nodes(const struct marks *m)
{
	node_id most = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct calltree *tree = tree_of(m, &m->parts[i]);

		most = tree->n > most ? tree->n : most;
	}
	return most;
}

void slice_inner(const struct slice_inner_part *parts, size_t n, const struct calltree *tree,
		 uint32_t n_frames)
{
	struct marks m = { .parts = parts, .n = n, .tree = tree };

	m.seen = xcalloc((size_t)n_frames + 1, sizeof *m.seen);
	m.is_open = xcalloc((size_t)most_nodes(&m) + 1, 1);
	for (size_t i = 0; i < n; i++) {
		const struct slice_time *time = parts[i].lane->slice_time;

		for (size_t k = 0; time && k < time->n_links; k++) {
			const struct slice_link *link = &time->links[k];
			int64_t t0 = link->t0, t1 = link->t1;

			while (t1 > t0 && link && link->lane < n) {
				const struct slice_inner_part *callers = &parts[link->lane];
				uint32_t next = link->link;

				mark_callers(&m, link);
				search(&m, &parts[i], t0, callers);
				link = next ? &callers->lane->slice_time->links[next - 1] : NULL;
			}
		}
		unite(parts[i].inner);
	}
	free(m.seen);
	free(m.open);
	free(m.is_open);
}

/* ==== slice union ==== */

struct piece {
	int64_t t0, t1;
};

struct pieces {
	struct piece *list;
	size_t n, cap;
};

/* Add a piece, which does not begin before the others of its lane. */
static void add_union(struct pieces *to, int64_t t0, int64_t t1)
{
	if (t1 <= t0)
		return;
	if (to->n && to->list[to->n - 1].t0 <= t0 && to->list[to->n - 1].t1 >= t0) {
		if (to->list[to->n - 1].t1 < t1)
			to->list[to->n - 1].t1 = t1;
		return;
	}
	*ARRAY_ADD(to->list, to->n, to->cap) = (struct piece){ t0, t1 };
}

static bool counts(const struct slice_union_part *p, node_id node)
{
	node_id to = p->map ? p->map[node] : node;

	return to != NODE_ROOT && to != SLICE_UNION_DROPPED;
}

/* Add [t0, t1) of a slice of `node` without what is covered there. *from: a covered stretch before
 * which none touches the range; moves on to those that may touch what comes after it. */
static void add_self(const struct slice_union_part *p, int64_t t0, int64_t t1, node_id node,
		     size_t *from, struct pieces *to)
{
	const struct slice_stretches none = { 0 };
	const struct slice_stretches *c = p->lane->slice_time ? &p->lane->slice_time->covered
							      : &none;

	while (*from < c->n && c->list[*from].t1 <= t0)
		++*from;
	for (size_t i = *from; i < c->n && c->list[i].t0 < t1; i++) {
		if (c->list[i].node != node || c->list[i].t1 <= t0)
			continue;
		add_union(to, t0 + p->by, c->list[i].t0 + p->by);
		t0 = c->list[i].t1;
	}
	add_union(to, t0 + p->by, t1 + p->by);
}

static void add_lane(const struct slice_union_part *p, struct pieces *to)
{
	const struct samples *s = &p->lane->samples;
	const struct slice_time *time = p->lane->slice_time;
	size_t from = 0;

	for (size_t i = 0; i < s->n; i++)
		if (samples_time(s, i + 1) > samples_time(s, i) && counts(p, s->leaf[i]))
			add_self(p, samples_time(s, i), samples_time(s, i + 1), s->leaf[i], &from,
				 to);
	for (size_t i = 0; time && i < time->over.n; i++) {
		const struct slice_stretch *over = &time->over.list[i];

		from = slice_time_reaching(&time->covered, over->self_t0);
		if (counts(p, over->node))
			add_self(p, over->self_t0, over->t1, over->node, &from, to);
	}
}

SORT_ORDER(by_start, struct piece, SORT_BY_1(x->t0, y->t0))

static void merge(struct pieces *all)
{
	size_t n = all->n;

	if (n > 1)
		qsort(all->list, n, sizeof *all->list, by_start);
	all->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct piece piece = all->list[i];

		add_union(all, piece.t0, piece.t1);
	}
}

static void add_stretch(struct slice_stretches *to, int64_t t0, int64_t t1, int64_t by)
{
	if (t1 > t0)
		slice_time_add(to, &(struct slice_stretch){ t0 - by, t1 - by, t0 - by, NODE_ROOT });
}

/* The samples of a lane that count, as pieces. */
static void find_sampled(const struct slice_union_part *p, struct pieces *to)
{
	const struct samples *s = &p->lane->samples;

	for (size_t i = 0; i < s->n; i++)
		if (counts(p, s->leaf[i]))
			add_union(to, samples_time(s, i) + p->by, samples_time(s, i + 1) + p->by);
}

/* Put what `a` has and `b` has not into `to`. Both are sorted and merged. */
static void subtract(const struct pieces *a, const struct pieces *b, struct slice_stretches *to,
		     int64_t by)
{
	size_t k = 0;

	for (size_t i = 0; i < a->n; i++) {
		int64_t t0 = a->list[i].t0, t1 = a->list[i].t1;

		while (k < b->n && b->list[k].t1 <= t0)
			k++;
		for (size_t j = k; j < b->n && b->list[j].t0 < t1; j++) {
			add_stretch(to, t0, b->list[j].t0, by);
			t0 = b->list[j].t1;
		}
		add_stretch(to, t0, t1, by);
	}
}

void slice_union(const struct slice_union_part *parts, size_t n)
{
	struct pieces all = { 0 }, nothing = { 0 };

	for (size_t i = 0; i < n; i++)
		add_lane(&parts[i], &all);
	merge(&all);
	for (size_t i = 0; i < n; i++) {
		struct pieces own = { 0 };

		find_sampled(&parts[i], &own);
		if (i == 0)
			subtract(&all, &own, parts[i].more, parts[i].by);
		subtract(&own, i == 0 ? &all : &nothing, parts[i].less, parts[i].by);
		free(own.list);
	}
	free(all.list);
}
