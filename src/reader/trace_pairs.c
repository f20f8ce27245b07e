/* SPDX-License-Identifier: GPL-2.0-or-later */
/* B and E events, paired per thread when all of them are known. They are kept as they
 * come, 24 bytes each, and sorted by time at the end only where they are not. A pair
 * is noted in the begin; slices are then passed on in the order of their begins, so
 * that of two equal ones the first written is the outer.
 *
 * All ends of one time stamp wait until its group is complete, because writers put
 * ends and begins of one instant in any order. */
#include "config.h"

#include "reader/trace.h"

#include "base/alloc.h"

#include <stdlib.h>

#define IS_END 0x80000000u
#define IS_CUT 0x40000000u   /* closed by the end of a slice around it */
#define NO_PARTNER UINT32_MAX

struct begin_end {
	int64_t ts, offset;
	text_id name;          /* with IS_END, IS_CUT */
	uint32_t partner;      /* of a begin: index of the event that closes it */
};

/* Where not all is kept, a pair that nothing stands between any more need not wait for the others. */
static bool pass_pair(struct trace *t, struct trace_thread *thread, const struct event *e)
{
	static const struct slice none = { NULL, 0 };
	const struct begin_end *begin = thread->n_pairs ? &thread->pairs[thread->n_pairs - 1] : NULL;

	if (e->ph != 'E' || !begin || begin->name & IS_END || begin->ts >= e->ts || (e->name && e->name != begin->name) ||
	    thread->is_unsorted || !builder_is_partial(t->b))
		return false;
	if (!thread->slices)
		thread->slices = builder_track(t->b, LANE_SLICES, thread->pid, thread->tid, "", 0) + 1;
	builder_slice(t->b, thread->slices - 1, 0, begin->ts, e->ts, trace_frame(t, begin->name, none), begin->offset, e->offset, 0);
	thread->n_pairs--;
	return true;
}

void trace_pairs_add(struct trace *t, const struct event *e)
{
	struct trace_thread *thread = trace_thread(t, e->pid, e->tid);

	if (e->ts < thread->last_ts)
		thread->is_unsorted = true;
	thread->last_ts = e->ts;
	if (e->ph == 'B')
		trace_frame(t, e->name, e->cname);
	if (pass_pair(t, thread, e))
		return;
	thread->pairs = xgrow(thread->pairs, &thread->cap_pairs, thread->n_pairs + 1, sizeof *thread->pairs);
	thread->pairs[thread->n_pairs++] = (struct begin_end){ e->ts, e->offset, e->name | (e->ph == 'E' ? IS_END : 0), NO_PARTNER };
}

static int compare(const void *a, const void *b)
{
	const struct begin_end *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The walk through one thread. Open begins stand on two stacks, because an end may close one that
 * is older while those of its own instant stay open: `older`, and above it `fresh`, where
 * some may be closed already. Begins of one name are chained from the latest on, closed ones too until
 * they are met. */
struct indices {
	uint32_t *at;
	size_t n, cap;
};

struct walk {
	struct trace *t;
	struct begin_end *all;
	struct indices older, fresh, waiting;
	uint32_t *latest;      /* by name: index + 1 */
	uint32_t *before;      /* by index: the begin of that name before it, + 1 */
};

/* So many ends of one instant wait for begins. More are no writer's habit but damage, and
 * would cost the square of their number. */
#define WAITING_MOST 1024

static void push(struct indices *x, uint32_t i)
{
	x->at = xgrow(x->at, &x->cap, x->n + 1, sizeof *x->at);
	x->at[x->n++] = i;
}

static text_id name_of(const struct begin_end *e)
{
	return e->name & ~(IS_END | IS_CUT);
}

static bool is_closed(const struct walk *w, uint32_t i)
{
	return w->all[i].partner != NO_PARTNER;
}

/* The stack whose top is the innermost open begin; NULL: none is open. */
static struct indices *innermost(struct walk *w)
{
	while (w->fresh.n && is_closed(w, w->fresh.at[w->fresh.n - 1]))
		w->fresh.n--;
	return w->fresh.n ? &w->fresh : w->older.n ? &w->older : NULL;
}

static bool close_innermost(struct walk *w, uint32_t end)
{
	text_id name = name_of(&w->all[end]);
	struct indices *stack = innermost(w);

	if (!stack || (name && name_of(&w->all[stack->at[stack->n - 1]]) != name))
		return false;
	w->all[stack->at[--stack->n]].partner = end;
	return true;
}

/* Try the ends that wait until none of them fits any more. */
static void retry(struct walk *w)
{
	struct indices *x = &w->waiting;
	size_t i = 0;

	while (i < x->n) {
		if (!close_innermost(w, x->at[i])) {
			i++;
			continue;
		}
		for (size_t k = i + 1; k < x->n; k++)
			x->at[k - 1] = x->at[k];
		x->n--;
		i = 0;
	}
}

/* The nearest open begin of a name, + 1. */
static uint32_t find_open(struct walk *w, text_id name)
{
	while (w->latest[name] && is_closed(w, w->latest[name] - 1))
		w->latest[name] = w->before[w->latest[name] - 1];
	return w->latest[name];
}

/* Close the nearest open slice of that name, and those inside it that began before. */
static bool close_outer(struct walk *w, uint32_t end)
{
	text_id name = name_of(&w->all[end]);
	uint32_t found = name ? find_open(w, name) : 0;

	if (!found)
		return false;
	w->all[found - 1].partner = end;
	if (w->all[found - 1].ts == w->all[end].ts)
		return true;
	while (w->older.at[--w->older.n] != found - 1) {
		struct begin_end *inner = &w->all[w->older.at[w->older.n]];

		inner->partner = end;
		inner->name |= IS_CUT;
		builder_warn(w->t->b, WARN_CLOSED_BY_OUTER, inner->offset);
	}
	return true;
}

static void settle(struct walk *w)
{
	for (size_t i = 0; i < w->waiting.n; i++)
		if (!close_innermost(w, w->waiting.at[i]) && !close_outer(w, w->waiting.at[i]))
			builder_warn(w->t->b, WARN_UNMATCHED_END, w->all[w->waiting.at[i]].offset);
	w->waiting.n = 0;
}

static void walk_event(struct walk *w, uint32_t i)
{
	text_id name = name_of(&w->all[i]);

	if (!(w->all[i].name & IS_END)) {
		push(&w->fresh, i);
		w->before[i] = w->latest[name];
		w->latest[name] = i + 1;
		if (w->waiting.n)
			retry(w);
	} else if (close_innermost(w, i)) {
		if (w->waiting.n)
			retry(w);
	} else {
		push(&w->waiting, i);
		if (w->waiting.n >= WAITING_MOST)
			settle(w);
	}
}

/* All events of one instant have been seen. */
static void next_instant(struct walk *w)
{
	if (w->waiting.n)
		settle(w);
	for (size_t i = 0; i < w->fresh.n; i++)
		if (!is_closed(w, w->fresh.at[i]))
			push(&w->older, w->fresh.at[i]);
	w->fresh.n = 0;
}

static void pass_on(struct trace *t, struct trace_thread *thread)
{
	static const struct slice none = { NULL, 0 };

	for (size_t i = 0; i < thread->n_pairs; i++) {
		struct begin_end *e = &thread->pairs[i];
		int64_t end = t->last, end_offset = -1;
		unsigned flags = 0;

		if (e->name & IS_END)
			continue;
		if (e->partner == NO_PARTNER) {
			builder_warn(t->b, WARN_UNFINISHED, e->offset);
			flags = SLICE_UNFINISHED;
		} else {
			end = thread->pairs[e->partner].ts;
			if (e->name & IS_CUT)
				flags = SLICE_CUT;
			else
				end_offset = thread->pairs[e->partner].offset;
		}
		if (end < e->ts)
			end = e->ts;
		if (!thread->slices)
			thread->slices = builder_track(t->b, LANE_SLICES, thread->pid, thread->tid, "", 0) + 1;
		builder_slice(t->b, thread->slices - 1, 0, e->ts, end, trace_frame(t, name_of(e), none), e->offset, end_offset, flags);
	}
}

static void finish_thread(struct walk *w, struct trace_thread *thread)
{
	size_t n = thread->n_pairs;

	w->all = thread->pairs;
	w->before = xmalloc(n * sizeof *w->before);
	w->older.n = w->fresh.n = w->waiting.n = 0;
	if (thread->is_unsorted)
		qsort(thread->pairs, n, sizeof *thread->pairs, compare);
	for (size_t i = 0; i < n; i++) {
		walk_event(w, (uint32_t)i);
		if (i + 1 == n || thread->pairs[i + 1].ts != thread->pairs[i].ts)
			next_instant(w);
	}
	for (size_t i = 0; i < n; i++)
		w->latest[name_of(&w->all[i])] = 0;
	free(w->before);
	pass_on(w->t, thread);
	free(thread->pairs);
	thread->pairs = NULL;
	thread->n_pairs = thread->cap_pairs = 0;
}

void trace_pairs_finish(struct trace *t)
{
	struct walk w = { .t = t, .latest = xcalloc(t->texts.n, sizeof *w.latest) };

	for (size_t i = 0; i < t->n_threads; i++)
		if (t->threads[i].n_pairs)
			finish_thread(&w, &t->threads[i]);
	free(w.older.at);
	free(w.fresh.at);
	free(w.waiting.at);
	free(w.latest);
}
