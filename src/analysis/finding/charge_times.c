/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over the samples of the window. A sample of garbage collection that stands below no
 * stack (raw samples) belongs to the stack of the sample before it, which may lie before the
 * window. */
#include "config.h"

#include "analysis/finding/charge_times.h"

#include "base/alloc.h"
#include "base/units.h"

#include <stdlib.h>

/* Units of work of a sample: its node and the sums of its key stand anywhere in memory. */
#define SAMPLE_WORK 8

node_id charge_times_below_gc(const struct charge_times *t, node_id node)
{
	while (t->kind[node] == CHARGE_GC)
		node = t->lane->tree.parent[node];
	return node;
}

static node_id stack_before(const struct charge_times *t, size_t i)
{
	const struct samples *s = &t->lane->samples;

	while (i > 0) {
		node_id leaf = s->leaf[--i], below = charge_times_below_gc(t, leaf);

		if (below != NODE_ROOT || t->kind[leaf] != CHARGE_GC)
			return below;
	}
	return NODE_ROOT;
}

void charge_times_rewind(struct charge_times *t)
{
	const struct samples *s = &t->lane->samples;

	t->next = t->end = t->until = 0;
	if (!s->n || t->t1 <= t->t0)
		return;
	t->next = samples_find(s, t->t0);
	t->end = samples_find(s, t->t1 - 1) + 1;
	t->last = stack_before(t, t->next);
}

void charge_times_read(struct charge_times *t, size_t i)
{
	const struct samples *s = &t->lane->samples;

	t->read = i;
	t->until = s->n - i > CHARGE_TIMES_READ ? i + CHARGE_TIMES_READ : s->n;
	times_read(&s->times, i, t->until - i + 1, t->t);
}

/* The sampled part of a window. */
static void clip(const struct lane *lane, int64_t *t0, int64_t *t1)
{
	if (*t0 < lane->sampled_t0)
		*t0 = lane->sampled_t0;
	if (*t1 > lane->sampled_t1)
		*t1 = lane->sampled_t1;
	if (*t1 < *t0)
		*t1 = *t0;
}

bool charge_times_is_window(const struct charge_times *t, int64_t t0, int64_t t1)
{
	clip(t->lane, &t0, &t1);
	return t0 == t->t0 && t1 == t->t1;
}

void charge_times_init(struct charge_times *t, const struct lane *lane, const uint8_t *kind,
		       int64_t t0, int64_t t1)
{
	*t = (struct charge_times){ .lane = lane, .kind = kind, .t0 = t0, .t1 = t1 };
	clip(lane, &t->t0, &t->t1);
	t->is_one_each = lane->has_timeline;
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

/* Without a time line, a sample stands for all hits of its stack; where the file has only weights,
 * for one each millisecond. */
uint32_t charge_times_count(const struct lane *lane, const struct charge_sample *s)
{
	int64_t ms = (s->t1 - s->t0) / NS_PER_MS;

	if (lane->hits)
		return lane->hits[lane->samples.leaf[s->i]];
	return ms > UINT32_MAX ? UINT32_MAX : ms < 1 ? 1 : (uint32_t)ms;
}

void charge_times_sum(struct charge_times *t)
{
	t->busy = 0;
	t->n_busy = 0;
	for (enum charge_kind k = 0; k < CHARGE_KINDS; k++) {
		t->busy += charge_times_is_busy(k) ? t->kind_ns[k] : 0;
		t->n_busy += charge_times_is_busy(k) ? t->kind_count[k] : 0;
	}
	t->idle = t->kind_ns[CHARGE_IDLE];
	t->program = t->kind_ns[CHARGE_PROGRAM];
	t->gc = t->kind_ns[CHARGE_GC];
	t->waiting = t->kind_ns[CHARGE_WAITING];
}

bool charge_times_step(struct charge_times *t, struct budget *budget)
{
	struct charge_sample s;

	while (charge_times_next(t, &s)) {
		charge_times_add(t, &s);
		if (budget_use(budget, SAMPLE_WORK))
			return false;
	}
	charge_times_sum(t);
	return true;
}
