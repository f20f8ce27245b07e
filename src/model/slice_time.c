/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stretches of a list that touch a range are found from their starts, and from the length of the
 * longest one: none that begins earlier reaches into the range. */
#include "config.h"

#include "model/slice_time.h"

#include "base/alloc.h"
#include "model/lane.h"

#include <stdlib.h>

void slice_time_add(struct slice_stretches *to, const struct slice_stretch *stretch)
{
	int64_t ns = stretch->t1 - stretch->t0;

	to->list = xgrow(to->list, &to->cap, to->n + 1, sizeof *to->list);
	to->list[to->n++] = *stretch;
	to->longest = ns > to->longest ? ns : to->longest;
}

uint32_t slice_time_link(struct slice_time *time, const struct slice_link *link)
{
	time->links = xgrow(time->links, &time->cap_links, time->n_links + 1, sizeof *time->links);
	time->links[time->n_links++] = *link;
	return (uint32_t)time->n_links;
}

static int compare(const void *a, const void *b)
{
	const struct slice_stretch *x = a, *y = b;

	if (x->t0 != y->t0)
		return x->t0 < y->t0 ? -1 : 1;
	return x->node != y->node ? (x->node < y->node ? -1 : 1)
				  : (x->t1 > y->t1) - (x->t1 < y->t1);
}

void slice_time_sort(struct slice_stretches *list)
{
	if (list->n > 1)
		qsort(list->list, list->n, sizeof *list->list, compare);
}

void slice_time_done(struct slice_time *time)
{
	free(time->over.list);
	free(time->covered.list);
	free(time->more.list);
	free(time->less.list);
	free(time->inner.list);
	free(time->links);
	*time = (struct slice_time){ 0 };
}

void slice_time_free(struct slice_time *time)
{
	if (time)
		slice_time_done(time);
	free(time);
}

static void shift(struct slice_stretches *list, int64_t by)
{
	for (size_t i = 0; i < list->n; i++) {
		list->list[i].t0 += by;
		list->list[i].t1 += by;
		list->list[i].self_t0 += by;
	}
}

void slice_time_shift(struct slice_time *time, int64_t by)
{
	if (!time)
		return;
	shift(&time->over, by);
	shift(&time->covered, by);
	shift(&time->more, by);
	shift(&time->less, by);
	shift(&time->inner, by);
	for (size_t i = 0; i < time->n_links; i++) {
		time->links[i].t0 += by;
		time->links[i].t1 += by;
	}
}

size_t slice_time_from(const struct slice_stretches *list, int64_t t)
{
	size_t lo = 0, hi = list->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (list->list[mid].t0 < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t slice_time_reaching(const struct slice_stretches *list, int64_t t)
{
	return slice_time_from(list, t < INT64_MIN + list->longest ? INT64_MIN : t - list->longest);
}

static int64_t part(int64_t from, int64_t to, int64_t t0, int64_t t1)
{
	from = from > t0 ? from : t0;
	to = to < t1 ? to : t1;
	return to > from ? to - from : 0;
}

void slice_time_each(const struct slice_time *time, int64_t t0, int64_t t1,
		     void (*visit)(void *ctx, node_id node, int64_t self_ns, int64_t total_ns),
		     void *ctx)
{
	const struct slice_stretches *l;
	int64_t ns;

	if (!time)
		return;
	l = &time->over;
	for (size_t i = slice_time_reaching(l, t0); i < l->n && l->list[i].t0 < t1; i++)
		if ((ns = part(l->list[i].t0, l->list[i].t1, t0, t1)) > 0)
			visit(ctx, l->list[i].node, part(l->list[i].self_t0, l->list[i].t1, t0, t1),
			      ns);
	l = &time->covered;
	for (size_t i = slice_time_reaching(l, t0); i < l->n && l->list[i].t0 < t1; i++)
		if ((ns = part(l->list[i].t0, l->list[i].t1, t0, t1)) > 0)
			visit(ctx, l->list[i].node, -ns, 0);
}

static int64_t sum(const struct slice_stretches *l, int64_t t0, int64_t t1)
{
	int64_t ns = 0;

	for (size_t i = slice_time_reaching(l, t0); i < l->n && l->list[i].t0 < t1; i++)
		ns += part(l->list[i].t0, l->list[i].t1, t0, t1);
	return ns;
}

static void add_self(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	(void)node;
	(void)total_ns;
	*(int64_t *)ctx += self_ns;
}

int64_t slice_time_self_lacking(const struct slice_time *time, int64_t t0, int64_t t1)
{
	int64_t ns = 0;

	slice_time_each(time, t0, t1, add_self, &ns);
	return ns;
}

int64_t slice_time_lacking(const struct slice_time *time, int64_t t0, int64_t t1)
{
	return time ? sum(&time->more, t0, t1) - sum(&time->less, t0, t1) : 0;
}

static const struct slice_stretch *find_over(const struct slice_time *time, node_id node, int64_t t)
{
	const struct slice_stretches *l;

	if (!time)
		return NULL;
	l = &time->over;
	for (size_t i = slice_time_from(l, t); i < l->n && l->list[i].t0 == t; i++)
		if (l->list[i].node == node)
			return &l->list[i];
	return NULL;
}

int64_t slice_time_over(const struct slice_time *time, node_id node, int64_t t)
{
	const struct slice_stretch *over = find_over(time, node, t);

	return over ? over->t1 - t : 0;
}

int64_t slice_time_self_over(const struct slice_time *time, node_id node, int64_t t)
{
	const struct slice_stretch *over = find_over(time, node, t);

	return over ? over->t1 - over->self_t0 : 0;
}

int64_t slice_time_of_span(const struct lane *lane, const struct span *span)
{
	return span->t1 - span->t0 + slice_time_over(lane->slice_time, span->node, span->t1);
}

bool slice_time_span_at(const struct lane *lane, int depth, int64_t t, struct span *out)
{
	const struct slice_stretches *l = lane->slice_time ? &lane->slice_time->over : NULL;
	const struct samples *s = &lane->samples;

	for (size_t i = l ? slice_time_reaching(l, t) : 0; l && i < l->n && l->list[i].t0 <= t;
	     i++) {
		const struct slice_stretch *over = &l->list[i];

		if (t < over->t1 && lane->tree.rows[over->node] == depth + 1 &&
		    span_of_sample(s, &lane->tree, samples_find(s, over->t0 - 1), depth, out) &&
		    out->node == over->node && out->t1 == over->t0) {
			out->t1 = over->t1;
			return true;
		}
	}
	return false;
}
