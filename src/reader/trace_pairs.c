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

void trace_pairs_add(struct trace *t, const struct event *e)
{
	struct trace_thread *thread = trace_thread(t, e->pid, e->tid);

	if (e->ts < thread->last_ts)
		thread->is_unsorted = true;
	thread->last_ts = e->ts;
	if (e->ph == 'B')
		trace_frame(t, e->name, e->cname);
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

/* The walk through one thread: indices of open begins, and of ends of this time that wait. */
struct walk {
	struct trace *t;
	struct begin_end *all;
	uint32_t *open, *waiting;
	size_t n_open, cap_open, n_waiting, cap_waiting;
	uint32_t *n_named;     /* by name: how many of it are open */
};

/* So many ends of one instant wait for begins. More are no writer's habit but damage, and
 * would cost the square of their number. */
#define WAITING_MOST 1024

static text_id name_of(const struct begin_end *e)
{
	return e->name & ~(IS_END | IS_CUT);
}

static bool close_innermost(struct walk *w, uint32_t end)
{
	text_id name = name_of(&w->all[end]);

	if (w->n_open == 0 || (name && name_of(&w->all[w->open[w->n_open - 1]]) != name))
		return false;
	w->n_open--;
	w->n_named[name_of(&w->all[w->open[w->n_open]])]--;
	w->all[w->open[w->n_open]].partner = end;
	return true;
}

/* Try the ends that wait until none of them fits any more. */
static void retry(struct walk *w)
{
	size_t i = 0;

	while (i < w->n_waiting) {
		if (!close_innermost(w, w->waiting[i])) {
			i++;
			continue;
		}
		for (size_t k = i + 1; k < w->n_waiting; k++)
			w->waiting[k - 1] = w->waiting[k];
		w->n_waiting--;
		i = 0;
	}
}

/* Close the nearest open slice of that name, and those inside it that began before. */
static bool close_outer(struct walk *w, uint32_t end)
{
	text_id name = name_of(&w->all[end]);
	int64_t now = w->all[end].ts;
	size_t at = w->n_open, kept;

	if (!name || !w->n_named[name])
		return false;
	while (name_of(&w->all[w->open[at - 1]]) != name)
		at--;
	kept = --at;
	w->n_named[name]--;
	w->all[w->open[at]].partner = end;
	for (size_t i = at + 1; i < w->n_open; i++) {
		struct begin_end *inner = &w->all[w->open[i]];

		if (inner->ts == now) {
			w->open[kept++] = w->open[i];
			continue;
		}
		w->n_named[name_of(inner)]--;
		inner->partner = end;
		inner->name |= IS_CUT;
		builder_warn(w->t->b, WARN_CLOSED_BY_OUTER, inner->offset);
	}
	w->n_open = kept;
	return true;
}

static void settle(struct walk *w)
{
	for (size_t i = 0; i < w->n_waiting; i++)
		if (!close_innermost(w, w->waiting[i]) && !close_outer(w, w->waiting[i]))
			builder_warn(w->t->b, WARN_UNMATCHED_END, w->all[w->waiting[i]].offset);
	w->n_waiting = 0;
}

static void walk_event(struct walk *w, uint32_t i)
{
	if (!(w->all[i].name & IS_END)) {
		w->open = xgrow(w->open, &w->cap_open, w->n_open + 1, sizeof *w->open);
		w->open[w->n_open++] = i;
		w->n_named[name_of(&w->all[i])]++;
		if (w->n_waiting)
			retry(w);
	} else if (close_innermost(w, i)) {
		if (w->n_waiting)
			retry(w);
	} else {
		w->waiting = xgrow(w->waiting, &w->cap_waiting, w->n_waiting + 1, sizeof *w->waiting);
		w->waiting[w->n_waiting++] = i;
		if (w->n_waiting >= WAITING_MOST)
			settle(w);
	}
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
	w->n_open = w->n_waiting = 0;
	if (thread->is_unsorted)
		qsort(thread->pairs, n, sizeof *thread->pairs, compare);
	for (size_t i = 0; i < n; i++) {
		walk_event(w, (uint32_t)i);
		if (w->n_waiting && (i + 1 == n || thread->pairs[i + 1].ts != thread->pairs[i].ts))
			settle(w);
	}
	while (w->n_open > 0)
		w->n_named[name_of(&w->all[w->open[--w->n_open]])]--;
	pass_on(w->t, thread);
	free(thread->pairs);
	thread->pairs = NULL;
	thread->n_pairs = thread->cap_pairs = 0;
}

void trace_pairs_finish(struct trace *t)
{
	struct walk w = { .t = t, .n_named = xcalloc(t->texts.n, sizeof *w.n_named) };

	for (size_t i = 0; i < t->n_threads; i++)
		if (t->threads[i].n_pairs)
			finish_thread(&w, &t->threads[i]);
	free(w.open);
	free(w.waiting);
	free(w.n_named);
}
