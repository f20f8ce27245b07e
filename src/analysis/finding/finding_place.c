/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stretch of the fixed length moves over the samples. For each draft a ring has the runs of its
 * samples inside the stretch that ends with the last sample; the oldest run is cut where the
 * stretch begins. Invariant: `ns` is the length of all runs of the ring. */
#include "config.h"

#include "analysis/finding/finding_place.h"

#include "analysis/seek.h"
#include "base/alloc.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH_LEAST (50 * NS_PER_MS)
#define LENGTH_MOST NS_PER_S
#define LENGTH_PART 20 /* of the window */
#define OUTSIDE_PERCENT 50

struct run {
	int64_t t0, t1;
};

struct place {
	struct run *runs; /* a queue: [first, n) */
	size_t first, n, cap;
	int64_t ns;
	int64_t best_ns, best_t0;
	int64_t run_t0, longest_run; /* when the last run began, before it was cut */
};

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
	p->places = xcalloc(FINDINGS_MOST, sizeof *p->places);
	p->mask = xcalloc(2 * (size_t)w->charge->lane->tree.n, sizeof *p->mask);
	p->is_load = xcalloc(2 * (size_t)w->charge->lane->tree.n, sizeof *p->is_load);
	find_load(p);
	charge_times_rewind(&w->times);
}

void finding_place_done(struct finding_places *p)
{
	for (unsigned i = 0; i < p->n; i++)
		free(p->places[i].runs);
	free(p->places);
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

static void push(struct place *at, int64_t t0, int64_t t1)
{
	if (at->n > at->first && at->runs[at->n - 1].t1 == t0) {
		at->runs[at->n - 1].t1 = t1;
	} else {
		if (at->n == at->cap && at->first > at->n / 2) {
			memmove(at->runs, at->runs + at->first,
				(at->n - at->first) * sizeof *at->runs);
			at->n -= at->first;
			at->first = 0;
		}
		at->runs = xgrow(at->runs, &at->cap, at->n + 1, sizeof *at->runs);
		at->runs[at->n++] = (struct run){ t0, t1 };
		at->run_t0 = t0;
	}
	at->ns += t1 - t0;
	if (t1 - at->run_t0 > at->longest_run)
		at->longest_run = t1 - at->run_t0;
}

static void cut(struct place *at, int64_t from)
{
	while (at->first < at->n && at->runs[at->first].t0 < from) {
		struct run *r = &at->runs[at->first];

		if (r->t1 > from) {
			at->ns -= from - r->t0;
			r->t0 = from;
			return;
		}
		at->ns -= r->t1 - r->t0;
		at->first++;
	}
}

static void add(struct place *at, const struct charge_sample *s, int64_t length)
{
	push(at, s->t0, s->t1);
	cut(at, s->t1 - length);
	if (at->ns > at->best_ns) {
		at->best_ns = at->ns;
		at->best_t0 = at->runs[at->first].t0;
	}
}

static void set_places(struct finding_places *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		struct finding_draft *d = p->drafts[i];
		const struct place *at = &p->places[i];

		d->dense_ns = at->best_ns;
		d->run_ns = at->longest_run;
		if (!at->best_ns || p->length >= d->f.t1 - d->f.t0)
			continue;
		d->f.t0 = at->best_t0;
		if (d->f.t0 > p->w->times.t1 - p->length)
			d->f.t0 = p->w->times.t1 - p->length;
		d->f.t1 = d->f.t0 + p->length;
	}
}

bool finding_place_step(struct finding_places *p, struct budget *budget)
{
	struct charge_sample s;

	while (p->n && charge_times_next(&p->w->times, &s)) {
		unsigned mask = charge_times_is_busy(s.kind) ? p->mask[s.key] : 0;

		for (; mask; mask &= mask - 1)
			add(&p->places[__builtin_ctz(mask)], &s, p->length);
		if (budget_use(budget, 1))
			return false;
	}
	set_places(p);
	return true;
}

/* By node: whether a sample with it as the leaf is about the draft. The caller frees it; NULL: the
 * draft has no keys. */
static uint8_t *leaves_of(const struct finding_window *w, const struct finding_draft *d)
{
	const struct charge_times *t = &w->times;
	uint32_t n = w->charge->lane->tree.n;
	uint8_t *is_key, *is_leaf;

	if (!d->keys.n)
		return NULL;
	is_key = xcalloc(2 * (size_t)n, 1);
	is_leaf = xcalloc(n, 1);
	for (size_t i = 0; i < d->keys.n; i++)
		is_key[d->keys.list[i]] = 1;
	for (node_id i = 1; i < n; i++) {
		bool is_gc = t->kind[i] == CHARGE_GC;

		is_leaf[i] = is_key[CHARGE_KEY(is_gc ? charge_times_below_gc(t, i) : i, is_gc)];
	}
	free(is_key);
	return is_leaf;
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
	seek_init_frame(&seek, lane, f->function);
	f->has_span = seek_heaviest(&seek, is_leaf, f->t0, f->t1, &f->span);
	seek_done(&seek);
	free(is_leaf);
}
