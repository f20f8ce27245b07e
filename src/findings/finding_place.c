/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "findings/finding_place.h"

#include "base/alloc.h"
#include "base/units.h"
#include "model/seek.h"

#include <stdlib.h>

#define LENGTH_LEAST (50 * NS_PER_MS)
#define LENGTH_MOST NS_PER_S
#define LENGTH_PART 20 /* of the window */
#define OUTSIDE_PERCENT 50

static void find_load(struct finding_places *p)
{
	const struct charge *c = p->w->charge;

	for (uint32_t g = 1; g < c->n_groups; g++) {
		const struct finding_keys *keys = &p->w->groups[g].keys;

		for (size_t i = 0; c->groups[g].kind == CHARGE_BY_LOAD && keys->list && i < keys->n;
		     i++)
			p->is_load[keys->list[i]] = true;
	}
}

void finding_place_init(struct finding_places *p, struct finding_window *w)
{
	int64_t length = (w->times.t1 - w->times.t0) / LENGTH_PART;

	if (length < LENGTH_LEAST)
		length = LENGTH_LEAST;
	if (length > LENGTH_MOST)
		length = LENGTH_MOST;
	*p = (struct finding_places){ .w = w, .length = length };
	p->mask = xcalloc(2 * (size_t)w->charge->stacks.n, sizeof *p->mask);
	p->is_load = xcalloc(2 * (size_t)w->charge->stacks.n, sizeof *p->is_load);
	find_load(p);
}

void finding_place_done(struct finding_places *p)
{
	finding_dense_end(p->dense);
	free(p->mask);
	free(p->is_load);
	*p = (struct finding_places){ 0 };
}

/* Modules are loaded once. What a program does with them is a better place, if it is most of the
 * time. */
static bool is_outside_loading(const struct finding_places *p, const struct finding_draft *draft)
{
	int64_t ns = 0;

	switch (draft->f.kind) {
	case FINDING_OWNER:
	case FINDING_PACKAGE:
	case FINDING_FILE:
	case FINDING_SPENT:
	case FINDING_HALF:
	case FINDING_INSIDE:
		break;
	default:
		return false;
	}
	for (size_t i = 0; i < draft->keys.n; i++)
		if (!p->is_load[draft->keys.list[i]])
			ns += p->w->times.ns[draft->keys.list[i]];
	return charge_times_has(ns, draft->keys_ns, OUTSIDE_PERCENT);
}

void finding_place_want(struct finding_places *p, struct finding_draft *draft)
{
	bool is_outside;

	if (draft->has_place || !draft->keys.n || !lane_has_times(p->w->charge->lane))
		return;
	is_outside = is_outside_loading(p, draft);
	for (size_t i = 0; i < draft->keys.n; i++)
		if (!is_outside || !p->is_load[draft->keys.list[i]])
			p->mask[draft->keys.list[i]] |= (uint16_t)(1u << p->n);
	p->drafts[p->n++] = draft;
}

static void set_places(struct finding_places *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		struct finding_draft *d = p->drafts[i];
		const struct finding_stretch *found = finding_dense_of(p->dense, i);

		d->dense_ns = found->ns;
		d->run_ns = found->run_ns;
		if (!found->ns || p->length >= d->f.t1 - d->f.t0)
			continue;
		d->f.t0 = found->t0;
		if (d->f.t0 > p->w->times.t1 - p->length)
			d->f.t0 = p->w->times.t1 - p->length;
		d->f.t1 = d->f.t0 + p->length;
	}
}

bool finding_place_step(struct finding_places *p, struct budget *budget)
{
	unsigned runs = 0;

	/* Sentences about regular expressions need the length of runs; others do not. */
	for (unsigned i = 0; i < p->n; i++)
		runs |= (p->drafts[i]->f.kind == FINDING_REGEXP ? 1u : 0u) << i;
	free(p->is_load);
	p->is_load = NULL;
	if (!p->dense)
		p->dense = finding_dense_begin(&p->w->times, p->mask, p->n, runs, p->length);
	if (!finding_dense_work(p->dense, budget))
		return false;
	set_places(p);
	return true;
}

/* By node: whether a sample with it as the leaf is about the draft. The caller frees it; NULL: the
 * draft has no keys. */
static uint8_t *leaves_of(const struct finding_window *w, const struct finding_draft *d)
{
	const struct charge_stacks *s = w->times.stacks;
	uint8_t *is_gc, *is_leaf;

	if (!d->keys.n)
		return NULL;
	is_gc = xcalloc(s->n, 1);
	is_leaf = xcalloc(s->lane->tree.n, 1);
	for (size_t i = 0; i < d->keys.n; i++) {
		uint32_t stack = CHARGE_KEY_STACK(d->keys.list[i]);

		if (CHARGE_KEY_IS_GC(d->keys.list[i]))
			is_gc[stack] = 1;
		else
			is_leaf[s->node[stack]] = 1;
	}
	for (uint32_t i = 1; i < s->n; i++)
		if (s->kind[s->node[i]] == CHARGE_GC)
			is_leaf[s->node[i]] = is_gc[charge_stacks_before(
				s, charge_stacks_below_gc(s, s->node[i]))];
	free(is_gc);
	return is_leaf;
}

/* Whether the stacks of a stretch have less rows than the lane has nodes, about. */
static bool is_short(const struct lane *lane, int64_t t0, int64_t t1)
{
	size_t first, end;

	samples_range(&lane->samples, t0, t1, &first, &end);
	return (end - first) * lane->tree.max_rows < 4 * (size_t)lane->tree.n;
}

void finding_place_span(const struct finding_window *w, struct finding_draft *draft)
{
	const struct lane *lane = w->charge->lane;
	struct finding *f = &draft->f;
	uint8_t *is_leaf;
	struct seek seek;

	if (f->function == FRAME_NONE || !lane_has_times(lane))
		return;
	is_leaf = leaves_of(w, draft);
	if (is_short(lane, f->t0, f->t1))
		seek_init_stacks(&seek, lane, f->function);
	else
		seek_init_frame(&seek, lane, f->function);
	f->has_span = seek_heaviest(&seek, is_leaf, f->t0, f->t1, &f->span);
	seek_done(&seek);
	free(is_leaf);
}
