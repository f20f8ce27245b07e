/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two things about slices that their samples do not say: where the time of overlapping slices
 * belongs, and where their events are in the file. */
#include "config.h"

#include "model/slices.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/lane.h"

#include <stdlib.h>

/* ==== slice time ====
 *
 * Stretches of a list that touch a range are found from their starts, and from the length of the
 * longest one: none that begins earlier reaches into the range. */

void slice_time_add(struct slice_stretches *to, const struct slice_stretch *stretch)
{
	int64_t ns = stretch->t1 - stretch->t0;

	*ARRAY_ADD(to->list, to->n, to->cap) = *stretch;
	to->longest = ns > to->longest ? ns : to->longest;
}

SORT_ORDER(compare, struct slice_stretch, SORT_BY_3(x->t0, y->t0, x->node, y->node, x->t1, y->t1))

void slice_time_sort(struct slice_stretches *list)
{
	if (list->n > 1)
		qsort(list->list, list->n, sizeof *list->list, compare);
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
	size_t lo = 0;

	SORT_BISECT(lo, list->n, mid, list->list[mid].t0 < t);
	return lo;
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

/* ==== slices ==== */

#define SLICES_FAN 64u

/* ---- 40 bits ---- */

static void places_resize(struct places *p, size_t n)
{
	p->low = xrealloc(p->low, n, sizeof *p->low);
	p->high = xrealloc(p->high, n, sizeof *p->high);
	p->cap = n;
}

static void places_put(struct places *p, size_t k, int64_t where)
{
	if (where >= SLICE_WHERE(SLICE_OFFSET_END, 0))
		where = SLICE_WHERE(-1, where);
	p->low[k] = (uint32_t)where;
	p->high[k] = (int8_t)(where >> 32);
}

static int64_t places_get(const struct places *p, size_t k)
{
	return (int64_t)p->high[k] * (INT64_C(1) << 32) + p->low[k];
}

/* ---- the list ---- */

void slices_reserve(struct slices *s, size_t n)
{
	places_resize(&s->where, n);
}

void slices_add(struct slices *s, int64_t where, int64_t end_offset, size_t step)
{
	if (s->n >= s->where.cap)
		places_resize(&s->where, slices_larger(s->where.cap, step));
	places_put(&s->where, s->n, where);
	if (end_offset >= 0) {
		s->ended = xgrow(s->ended, &s->cap_ended, s->n_ends + 1, sizeof *s->ended);
		if (s->ends.cap < s->cap_ended)
			places_resize(&s->ends, s->cap_ended);
		s->ended[s->n_ends] = (uint32_t)s->n;
		places_put(&s->ends, s->n_ends++, SLICE_WHERE(end_offset, 0));
	}
	s->n++;
}

void slices_trim(struct slices *s)
{
	places_resize(&s->where, s->n);
	if (s->n_ends) {
		s->ended = xrealloc(s->ended, s->n_ends, sizeof *s->ended);
		s->cap_ended = s->n_ends;
		places_resize(&s->ends, s->n_ends);
	}
	if (s->n_cpu)
		s->cpu = xrealloc(s->cpu, s->cap_cpu = s->n_cpu, sizeof *s->cpu);
	if (s->n_colors) {
		s->color = xrealloc(s->color, s->n_colors, 1);
		s->cap_colors = s->n_colors;
	}
}

void slices_done(struct slices *s)
{
	free(s->where.low);
	free(s->where.high);
	free(s->before);
	free(s->ended);
	free(s->cpu);
	free(s->color);
	free(s->ends.low);
	free(s->ends.high);
	*s = (struct slices){ 0 };
}

int64_t slice_where(const struct slices *s, size_t k)
{
	return places_get(&s->where, k);
}

int64_t slice_end_offset(const struct slices *s, size_t k)
{
	size_t lo = 0;

	SORT_BISECT(lo, s->n_ends, mid, s->ended[mid] < k);
	return lo < s->n_ends && s->ended[lo] == k ? places_get(&s->ends, lo) >> SLICE_FLAG_BITS
						   : -1;
}

/* ---- hits ---- */

SORT_ORDER(compare_hits, uint64_t, SORT_BY_1(*x, *y))

static bool has_hit(const struct event_hits *hits, uint32_t input, int64_t offset)
{
	uint64_t at = EVENT_AT(input, offset);

	return offset >= 0 && hits->n && bsearch(&at, hits->at, hits->n, sizeof at, compare_hits);
}

bool slice_is_hit(const struct slices *s, size_t k, uint32_t input, const struct event_hits *hits)
{
	return has_hit(hits, input, slice_offset(s, k)) ||
		(s->n_ends && has_hit(hits, input, slice_end_offset(s, k)));
}

/* ---- slices and samples ---- */

unsigned lane_opens(const struct lane *lane, size_t sample)
{
	const struct samples *s = &lane->samples;

	return lane->tree.rows[s->leaf[sample]] - (sample ? samples_shared(s, sample - 1) : 0u);
}

void lane_count_slices(struct lane *lane)
{
	size_t n = lane->samples.n, count = 0;

	lane->slices.before = xmalloc((n / SLICES_FAN + 1) * sizeof *lane->slices.before);
	for (size_t i = 0; i < n; i++) {
		if (i % SLICES_FAN == 0)
			lane->slices.before[i / SLICES_FAN] = (uint32_t)count;
		count += lane_opens(lane, i);
	}
}

size_t slice_of_span(const struct lane *lane, const struct span *span)
{
	const struct samples *s = &lane->samples;
	size_t at, i = span->first / SLICES_FAN * SLICES_FAN;
	int above = span->first ? samples_shared(s, span->first - 1) : 0;

	if (lane->slices.n == 0 || span->depth < above ||
	    span->depth >= lane->tree.rows[s->leaf[span->first]])
		return SIZE_MAX;
	for (at = lane->slices.before[i / SLICES_FAN]; i < span->first; i++)
		at += lane_opens(lane, i);
	return at + (size_t)(span->depth - above);
}

int64_t slice_event(const struct lane *lane, const struct span *span)
{
	size_t k = slice_of_span(lane, span);

	return k == SIZE_MAX ? -1 : slice_offset(&lane->slices, k);
}

bool slice_find(const struct lane *lane, int64_t offset, int64_t t0, struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t from;

	if (offset < 0 || lane->slices.n == 0)
		return false;
	from = samples_find(s, t0);
	while (from > 0 && samples_time(s, from - 1) == t0)
		from--;
	for (int depth = 0; depth < lane->max_depth; depth++)
		for (size_t at = from; span_next(s, &lane->tree, depth, at, out) && out->t0 <= t0;
		     at = out->end)
			if (out->t0 == t0 && slice_event(lane, out) == offset)
				return true;
	return false;
}
