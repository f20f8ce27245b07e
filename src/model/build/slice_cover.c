/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/slice_cover.h"

#include "base/alloc.h"
#include "model/slice_inner.h"
#include "model/slice_union.h"

#include <stdlib.h>

static void add_part(struct slice_stretches *to, const struct slice_stretch *of, int64_t t0,
		     int64_t t1)
{
	t0 = t0 > of->t0 ? t0 : of->t0;
	t1 = t1 < of->t1 ? t1 : of->t1;
	if (t1 > t0)
		slice_time_add(to, &(struct slice_stretch){ t0, t1, t0, of->node });
}

/* Sort stretches of which only those of one node overlap, and unite them. */
static void unite(struct slice_stretches *list)
{
	slice_time_sort(list);
	for (size_t i = 1; i < list->n; i++)
		if (list->list[i].t0 < list->list[i - 1].t1) {
			list->list[i].t0 = list->list[i - 1].t1;
			if (list->list[i].t1 < list->list[i].t0)
				list->list[i].t1 = list->list[i].t0;
		}
}

/* Cut the stretches in which a slice is covered to where it has no slice inside it on its own
 * layer, and unite those that overlap. `stretches` and `over` are in order of t0, with times and
 * nodes of the lane. */
static void cut_covered(const struct lane *lane, const struct slice_stretches *stretches,
			const struct slice_stretches *over, struct slice_stretches *to)
{
	const struct samples *s = &lane->samples;
	struct slice_stretches behind = { 0 };

	for (size_t k = 0; k < stretches->n; k++) {
		const struct slice_stretch *c = &stretches->list[k];

		for (size_t i = samples_find(s, c->t0); i < s->n && samples_time(s, i) < c->t1; i++)
			if (s->leaf[i] == c->node)
				add_part(to, c, samples_time(s, i), samples_time(s, i + 1));
		for (size_t i = slice_time_reaching(over, c->t0);
		     i < over->n && over->list[i].t0 < c->t1; i++)
			if (over->list[i].node == c->node)
				add_part(&behind, c, over->list[i].self_t0, over->list[i].t1);
	}
	unite(to);
	if (behind.n == 0)
		return;
	/* Where one slice goes on behind its span, another one may be on top of the samples. */
	unite(&behind);
	for (size_t i = 0; i < behind.n; i++)
		slice_time_add(to, &behind.list[i]);
	slice_time_sort(to);
	free(behind.list);
}

void slice_cover_take(struct slice_time *time, struct lane *lane, const node_id *order)
{
	struct slice_time *of;

	if (!time->over.n && !time->covered.n && !time->n_links)
		return;
	of = lane->slice_time = xcalloc(1, sizeof *of);
	for (size_t i = 0; i < time->over.n; i++)
		time->over.list[i].node = order[time->over.list[i].node];
	for (size_t i = 0; i < time->covered.n; i++)
		time->covered.list[i].node = order[time->covered.list[i].node];
	slice_time_sort(&time->over);
	slice_time_sort(&time->covered);
	slice_time_shift(time, -lane->t0);
	cut_covered(lane, &time->covered, &time->over, &of->covered);
	of->over = time->over;
	time->over = (struct slice_stretches){ 0 };
	of->links = time->links;
	of->n_links = time->n_links;
	of->cap_links = time->cap_links;
	time->links = NULL;
	time->n_links = time->cap_links = 0;
}

static struct slice_time *time_of(struct lane *lane)
{
	if (!lane->slice_time)
		lane->slice_time = xcalloc(1, sizeof *lane->slice_time);
	return lane->slice_time;
}

static int by_depth(const void *x, const void *y)
{
	const struct track_cover *a = x, *b = y;

	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return a->t0 != b->t0 ? (a->t0 < b->t0 ? -1 : 1) : 0;
}

/* Sort, and unite those of one depth that overlap or touch. Returns their number. */
static size_t unite_covers(struct track_cover *list, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(list, n, sizeof *list, by_depth);
	for (size_t i = 0; i < n; i++) {
		struct track_cover *last = kept ? &list[kept - 1] : NULL;

		if (!last || last->depth != list[i].depth || list[i].t0 > last->t1)
			list[kept++] = list[i];
		else if (list[i].t1 > last->t1)
			last->t1 = list[i].t1;
	}
	return kept;
}

static void add_cover(struct lane *lane, const struct track_cover *cover)
{
	const struct samples *s = &lane->samples;
	int64_t t0 = cover->t0 - lane->t0, t1 = cover->t1 - lane->t0;

	if (t1 <= 0 || t0 >= lane->t1 - lane->t0)
		return;
	for (size_t i = samples_find(s, t0 > 0 ? t0 : 0); i < s->n && samples_time(s, i) < t1;
	     i++) {
		node_id leaf = s->leaf[i];

		if (leaf != NODE_ROOT &&
		    (cover->depth == TRACK_COVER_INNERMOST ||
		     lane->tree.rows[leaf] == cover->depth + 1))
			add_part(&time_of(lane)->covered,
				 &(struct slice_stretch){ t0, t1, t0, leaf }, samples_time(s, i),
				 samples_time(s, i + 1));
	}
}

void slice_cover_add(struct lane *lane, const struct track_cover *covers, size_t n, uint32_t layer)
{
	struct track_cover *own = xmalloc((n + 1) * sizeof *own);
	size_t n_own = 0;

	for (size_t i = 0; i < n; i++)
		if (covers[i].layer == layer &&
		    (covers[i].depth == TRACK_COVER_INNERMOST ||
		     covers[i].depth < lane->tree.max_rows))
			own[n_own++] = covers[i];
	n_own = unite_covers(own, n_own);
	for (size_t i = 0; i < n_own; i++)
		add_cover(lane, &own[i]);
	free(own);
	if (lane->slice_time)
		unite(&lane->slice_time->covered);
}

static int64_t end_of(const struct lane *lane)
{
	int64_t end = lane->t1;

	for (size_t i = 0; lane->slice_time && i < lane->slice_time->over.n; i++) {
		int64_t t1 = lane->slice_time->over.list[i].t1 + lane->t0;

		end = t1 > end ? t1 : end;
	}
	return end;
}

/* Find what is inside of slices of its name on other lanes. */
static void find_inner(struct lane *lanes, size_t n)
{
	struct slice_inner_part *parts;
	uint32_t n_frames = 0;
	bool has_links = false;

	for (size_t i = 0; i < n; i++)
		has_links |= lanes[i].slice_time->n_links > 0;
	if (!has_links)
		return;
	parts = xcalloc(n, sizeof *parts);
	for (size_t i = 0; i < n; i++) {
		const struct calltree *tree = &lanes[i].tree;

		parts[i] = (struct slice_inner_part){ .lane = &lanes[i],
						      .inner = &lanes[i].slice_time->inner };
		for (node_id k = 0; k < tree->n; k++)
			n_frames = tree->frame[k] >= n_frames ? tree->frame[k] + 1 : n_frames;
	}
	slice_inner(parts, n, NULL, n_frames);
	free(parts);
}

void slice_cover_unite(struct lane *lanes, size_t n)
{
	struct slice_union_part *parts;

	if (n == 0 || (n == 1 && !lanes->slice_time))
		return;
	parts = xcalloc(n, sizeof *parts);
	for (size_t i = 0; i < n; i++) {
		struct slice_time *time = time_of(&lanes[i]);

		parts[i] = (struct slice_union_part){ .lane = &lanes[i],
						      .by = lanes[i].t0,
						      .more = &time->more,
						      .less = &time->less };
	}
	slice_union(parts, n);
	find_inner(lanes, n);
	for (size_t i = 0; i < n; i++) {
		int64_t end = end_of(&lanes[i]);

		lanes->t1 = lanes->t1 > end ? lanes->t1 : end;
		lanes[i].t1 = end;
		lanes[i].busy_ns += slice_time_lacking(lanes[i].slice_time, INT64_MIN, INT64_MAX);
		lanes[i].unsampled_ns = lanes[i].t1 - lanes[i].t0 - lanes[i].busy_ns;
	}
	lanes->unsampled_ns = lanes->t1 - lanes->t0 - lanes->busy_ns;
	free(parts);
}
