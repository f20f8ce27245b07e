/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An outermost slice of a lane that has a link has callers on other lanes: the slice of the link,
 * what is around it, and so on from link to link. For each lane of these callers, their frames are
 * marked, then the samples of the outermost slice are searched for these frames. Where transforms
 * dropped the stack of the callers, they do not count.
 *
 * A slice inside of one of its name on its own lane is no outer one, and its time is in no total
 * anyway. */
#include "config.h"

#include "model/slice_inner.h"

#include "base/alloc.h"

#include <stdlib.h>

#define MOST_BACK 8 /* stretches that are looked at for one that goes on */

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

	return to == SLICE_INNER_DROPPED ? NODE_ROOT : to;
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
		if (node != NODE_ROOT && node != SLICE_INNER_DROPPED)
			m->seen[tree_of(m, part)->frame[node]] = m->now;
	}
}

static void add(struct slice_stretches *to, int64_t t0, int64_t t1, node_id node)
{
	for (size_t i = to->n; i > 0 && i + MOST_BACK > to->n; i--) {
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
		if (callers->map[s->leaf[i]] != SLICE_INNER_DROPPED || samples_time(s, i + 1) <= t0)
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

static int by_node(const void *a, const void *b)
{
	const struct slice_stretch *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->t0 < y->t0 ? -1 : x->t0 > y->t0;
}

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
