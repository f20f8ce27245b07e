/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over the samples of the window. A sample of garbage collection that stands below no
 * stack (raw samples) belongs to the stack of the sample before it, which may lie before the
 * window. */
#include "config.h"

#include "analysis/finding/charge_times.h"

#include "base/alloc.h"
#include "base/units.h"

#include <stdlib.h>

/* The stack below garbage collection; NODE_ROOT if there is none. */
static node_id below_gc(const struct charge_times *t, node_id node)
{
	while (t->kind[node] == CHARGE_GC)
		node = t->lane->tree.parent[node];
	return node;
}

static node_id stack_before(const struct charge_times *t, size_t i)
{
	const struct samples *s = &t->lane->samples;

	while (i > 0) {
		node_id leaf = s->leaf[--i], below = below_gc(t, leaf);

		if (below != NODE_ROOT || t->kind[leaf] != CHARGE_GC)
			return below;
	}
	return NODE_ROOT;
}

void charge_times_rewind(struct charge_times *t)
{
	const struct samples *s = &t->lane->samples;

	t->next = t->end = 0;
	if (!s->n || t->t1 <= t->t0)
		return;
	t->next = samples_find(s, t->t0);
	t->end = samples_find(s, t->t1 - 1) + 1;
	t->last = stack_before(t, t->next);
}

void charge_times_init(struct charge_times *t, const struct lane *lane, const uint8_t *kind,
		       int64_t t0, int64_t t1)
{
	*t = (struct charge_times){ .lane = lane, .kind = kind, .t0 = t0, .t1 = t1 };
	if (t->t0 < lane->sampled_t0)
		t->t0 = lane->sampled_t0;
	if (t->t1 > lane->sampled_t1)
		t->t1 = lane->sampled_t1;
	if (t->t1 < t->t0)
		t->t1 = t->t0;
	t->ns = xcalloc(2 * (size_t)lane->tree.n, sizeof *t->ns);
	t->count = xcalloc(2 * (size_t)lane->tree.n, sizeof *t->count);
	charge_times_rewind(t);
}

void charge_times_done(struct charge_times *t)
{
	free(t->ns);
	free(t->count);
	*t = (struct charge_times){ 0 };
}

bool charge_times_next(struct charge_times *t, struct charge_sample *out)
{
	const struct samples *s = &t->lane->samples;

	while (t->next < t->end) {
		size_t i = t->next++;
		node_id leaf = s->leaf[i];
		enum charge_kind kind = t->kind[leaf];

		if (kind == CHARGE_GC) {
			leaf = below_gc(t, leaf);
			leaf = leaf != NODE_ROOT ? leaf : t->last;
		}
		t->last = leaf;
		out->t0 = s->t[i] > t->t0 ? s->t[i] : t->t0;
		out->t1 = s->t[i + 1] < t->t1 ? s->t[i + 1] : t->t1;
		if (out->t1 <= out->t0)
			continue;
		out->i = i;
		out->kind = kind;
		out->key = CHARGE_KEY(leaf, kind == CHARGE_GC);
		return true;
	}
	return false;
}

/* Without a time line, a sample stands for all hits of its stack; where the file has only weights,
 * for one each millisecond. */
static uint32_t count_of(const struct lane *lane, const struct charge_sample *s)
{
	int64_t ms = (s->t1 - s->t0) / NS_PER_MS;

	if (lane->has_timeline)
		return 1;
	if (lane->hits)
		return lane->hits[lane->samples.leaf[s->i]];
	return ms > UINT32_MAX ? UINT32_MAX : ms < 1 ? 1 : (uint32_t)ms;
}

void charge_times_add(struct charge_times *t, const struct charge_sample *s)
{
	int64_t ns = s->t1 - s->t0;
	uint32_t count = count_of(t->lane, s);

	if (charge_times_is_busy(s->kind)) {
		t->ns[s->key] += ns;
		t->count[s->key] += count;
		t->busy += ns;
		t->n_busy += count;
	}
	t->idle += s->kind == CHARGE_IDLE ? ns : 0;
	t->gc += s->kind == CHARGE_GC ? ns : 0;
	t->program += s->kind == CHARGE_PROGRAM ? ns : 0;
	t->waiting += s->kind == CHARGE_WAITING ? ns : 0;
}

bool charge_times_step(struct charge_times *t, struct budget *budget)
{
	struct charge_sample s;

	while (charge_times_next(t, &s)) {
		charge_times_add(t, &s);
		if (budget_use(budget, 1))
			return false;
	}
	return true;
}
