/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/slices.h"

#include "base/alloc.h"
#include "model/lane.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- slices ---- */

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

void slices_set_color(struct slices *s, unsigned color)
{
	s->color = xgrow(s->color, &s->cap_colors, s->n, 1);
	memset(s->color + s->n_colors, 0, s->n - s->n_colors);
	s->color[s->n - 1] = (uint8_t)color;
	s->n_colors = s->n;
}

void slices_trim(struct slices *s)
{
	places_resize(&s->where, s->n);
	if (s->n_ends) {
		s->ended = xrealloc(s->ended, s->n_ends, sizeof *s->ended);
		s->cap_ended = s->n_ends;
		places_resize(&s->ends, s->n_ends);
	}
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
	free(s->color);
	free(s->ends.low);
	free(s->ends.high);
	*s = (struct slices){ 0 };
}

int64_t slice_offset(const struct slices *s, size_t k)
{
	return places_get(&s->where, k) >> SLICE_FLAG_BITS;
}

int64_t slice_end_offset(const struct slices *s, size_t k)
{
	size_t lo = 0, hi = s->n_ends;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->ended[mid] < k)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->n_ends && s->ended[lo] == k ? places_get(&s->ends, lo) >> SLICE_FLAG_BITS
						   : -1;
}

unsigned slice_flags(const struct slices *s, size_t k)
{
	return (unsigned)(places_get(&s->where, k) & SLICE_FLAGS);
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
