/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/partial/slice_place.h"

#include "base/alloc.h"

#include <stdlib.h>

void slice_place_done(struct slice_place *p)
{
	for (size_t i = 0; i < p->n_layers; i++)
		free(p->layers[i].open);
	free(p->layers);
	free(p->waiting);
	*p = (struct slice_place){ 0 };
}

static struct placed_layer *layer_at(struct slice_place *p, size_t i)
{
	if (i >= p->n_layers) {
		p->layers = xgrow(p->layers, &p->cap, i + 1, sizeof *p->layers);
		p->layers[p->n_layers++] = (struct placed_layer){ 0 };
	}
	return &p->layers[i];
}

/* Close what ends by t; returns how many layers have something open. */
static size_t close_until(struct slice_place *p, int64_t t)
{
	size_t n_open = 0;

	for (size_t k = 0; k < p->n_open; k++) {
		struct placed_layer *l = &p->layers[k];

		while (l->n_open && l->open[l->n_open - 1].t1 <= t)
			l->n_open--;
		if (l->n_open)
			n_open = k + 1;
	}
	return n_open;
}

static void open_on(struct slice_place *p, size_t layer, struct placed_slice *s, int64_t t1,
		    int row)
{
	struct placed_layer *l = layer_at(p, layer);

	l->open = xgrow(l->open, &l->cap_open, l->n_open + 1, sizeof *l->open);
	l->open[l->n_open++] = (struct placed_open){ t1, row };
	l->max_depth = (int)l->n_open > l->max_depth ? (int)l->n_open : l->max_depth;
	if (l->max_depth > CALLTREE_MAX_ROWS)
		l->max_depth = CALLTREE_MAX_ROWS;
	l->first = l->n == 0 ? s->slice.t0 : l->first;
	l->last = l->n == 0 || t1 > l->last ? t1 : l->last;
	l->n++;
	/* What cuts it may not be kept. */
	s->slice.t1 = t1;
	s->layer = (uint32_t)layer;
	l->n_kept += p->take && p->take(p->ctx, s);
}

static void place(struct slice_place *p, struct placed_slice *s)
{
	size_t n_open = close_until(p, s->slice.t0);
	const struct placed_layer *l = layer_at(p, n_open ? n_open - 1 : 0);
	int row = n_open ? l->open[l->n_open - 1].row + 1 : 0;
	int64_t t1 = s->slice.t1;

	p->n_rows = row >= p->n_rows ? row + 1 : p->n_rows;
	if (l->n_open && t1 > l->open[l->n_open - 1].t1) {
		if (!raw_overlaps(t1, l->open[l->n_open - 1].t1, n_open)) {
			t1 = l->open[l->n_open - 1].t1;
		} else {
			if (p->n_overlaps++ == 0)
				p->first_overlap = s->slice.where >> SLICE_FLAG_BITS;
			s->slice.where |= SLICE_OVERLAPS;
			n_open++;
		}
	}
	n_open = n_open ? n_open : 1;
	open_on(p, n_open - 1, s, t1, row);
	p->n_open = n_open;
}

/* ---- order ---- */

static bool is_before(const struct raw_slice *a, const struct raw_slice *b)
{
	return raw_is_before(a, b, true);
}

static void push(struct slice_place *p, const struct placed_slice *s)
{
	size_t i = p->n_waiting++;

	p->waiting = xgrow(p->waiting, &p->cap_waiting, p->n_waiting, sizeof *p->waiting);
	for (; i > 0 && is_before(&s->slice, &p->waiting[(i - 1) / 2].slice); i = (i - 1) / 2)
		p->waiting[i] = p->waiting[(i - 1) / 2];
	p->waiting[i] = *s;
}

static struct placed_slice pop(struct slice_place *p)
{
	struct placed_slice first = p->waiting[0], last = p->waiting[--p->n_waiting];
	size_t i = 0, n = p->n_waiting;

	for (size_t next = 1; next < n; next = 2 * i + 1) {
		next += next + 1 < n &&
			is_before(&p->waiting[next + 1].slice, &p->waiting[next].slice);
		if (!is_before(&p->waiting[next].slice, &last.slice))
			break;
		p->waiting[i] = p->waiting[next];
		i = next;
	}
	p->waiting[i] = last;
	return first;
}

static void place_next(struct slice_place *p)
{
	struct placed_slice s = pop(p);

	p->latest = s.slice;
	p->has_placed = true;
	place(p, &s);
}

void slice_place_end(struct slice_place *p)
{
	while (p->n_waiting > 0 && !p->is_lost)
		place_next(p);
}

void slice_place_add(struct slice_place *p, const struct raw_slice *slice, int64_t end_offset)
{
	const struct placed_slice s = { *slice, end_offset, 0 };

	p->is_lost |= p->has_placed && is_before(slice, &p->latest);
	if (p->is_lost)
		return;
	push(p, &s);
	if (p->n_waiting > SLICES_WAITING)
		place_next(p);
}
