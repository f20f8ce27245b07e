/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the end of each begin of a thread. Its events are sorted by time if they are not. An
 * instant is all events with one time: writers put ends and begins of one instant in any order, so
 * an end waits until its instant is complete.
 *
 * Open begins are on two stacks, because an end may close an older begin while begins of its own
 * instant stay open: `older`, and above it `fresh`, begins of the present instant, some of which
 * may be closed. Begins of one name are linked from the latest to the first; closed ones are
 * unlinked when they are met. */
#include "config.h"

#include "read/trace/trace_matcher.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "read/trace/trace_pair.h"

#include <stdlib.h>

#define REPORTED 65536u /* events between two reports of the progress */

static int compare(const void *a, const void *b)
{
	const struct begin_end *x = a, *y = b;

	if (pair_time(x) != pair_time(y))
		return pair_time(x) < pair_time(y) ? -1 : 1;
	return (x->what & PAIR_OFFSET_MASK) < (y->what & PAIR_OFFSET_MASK)
		? -1
		: (x->what & PAIR_OFFSET_MASK) > (y->what & PAIR_OFFSET_MASK);
}

static void sort(struct trace_thread *thread)
{
	struct begin_end *all = xmalloc(thread->n_pairs * sizeof *all);

	for (size_t i = 0; i < thread->n_pairs; i++)
		all[i] = *pair_event(thread, i);
	qsort(all, thread->n_pairs, sizeof *all, compare);
	for (size_t i = 0; i < thread->n_pairs; i++)
		*pair_event(thread, i) = all[i];
	free(all);
}

struct indices {
	uint32_t *at;
	size_t n, cap;
};

struct trace_matcher {
	const struct trace *t;
	struct progress_shared *progress;
	struct trace_thread *thread;
	struct indices older, fresh, waiting;
	uint32_t *latest; /* by name: index + 1 */
	uint32_t *before; /* by index: the begin of that name before it, + 1 */
};

/* Warnings of two threads would come in any order, so they are kept with their thread. */
static void warn(struct trace_matcher *m, enum warning_kind kind, uint32_t event)
{
	struct pair_warnings *w = m->thread->pair_warnings;
	unsigned i = 0;

	if (!w)
		w = m->thread->pair_warnings = xcalloc(1, sizeof *w);
	while (i < w->n && w->all[i].kind != kind)
		i++;
	if (i == w->n) {
		w->n++;
		w->all[i].kind = kind;
		w->all[i].offset = pair_offset(pair_event(m->thread, event));
	}
	w->all[i].n++;
}

static void push(struct indices *x, uint32_t i)
{
	x->at = xgrow(x->at, &x->cap, x->n + 1, sizeof *x->at);
	x->at[x->n++] = i;
}

static bool is_closed(const struct trace_matcher *m, uint32_t i)
{
	return *pair_partner(m->thread, i) != 0;
}

/* The stack with the innermost open begin on top. NULL: none is open. */
static struct indices *innermost(struct trace_matcher *m)
{
	while (m->fresh.n && is_closed(m, m->fresh.at[m->fresh.n - 1]))
		m->fresh.n--;
	return m->fresh.n ? &m->fresh : m->older.n ? &m->older : NULL;
}

static bool close_innermost(struct trace_matcher *m, uint32_t end)
{
	text_id name = pair_name(m->t, pair_event(m->thread, end));
	struct indices *stack = innermost(m);

	if (!stack ||
	    (name && pair_name(m->t, pair_event(m->thread, stack->at[stack->n - 1])) != name))
		return false;
	*pair_partner(m->thread, stack->at[--stack->n]) = end + 1;
	return true;
}

/* Try the waiting ends until none of them matches. */
static void retry(struct trace_matcher *m)
{
	struct indices *x = &m->waiting;
	size_t i = 0;

	while (i < x->n) {
		if (!close_innermost(m, x->at[i])) {
			i++;
			continue;
		}
		for (size_t k = i + 1; k < x->n; k++)
			x->at[k - 1] = x->at[k];
		x->n--;
		i = 0;
	}
}

/* The latest open begin of a name, + 1; 0: none. */
static uint32_t find_open(struct trace_matcher *m, text_id name)
{
	while (m->latest[name] && is_closed(m, m->latest[name] - 1))
		m->latest[name] = m->before[m->latest[name] - 1];
	return m->latest[name];
}

/* Close the latest open begin with the name of an end, and older begins inside it. */
static bool close_outer(struct trace_matcher *m, uint32_t end)
{
	const struct begin_end *e = pair_event(m->thread, end);
	text_id name = pair_name(m->t, e);
	uint32_t found = name ? find_open(m, name) : 0;

	if (!found)
		return false;
	*pair_partner(m->thread, found - 1) = end + 1;
	if (pair_time(pair_event(m->thread, found - 1)) == pair_time(e))
		return true;
	while (m->older.at[--m->older.n] != found - 1) {
		uint32_t inner = m->older.at[m->older.n];

		*pair_partner(m->thread, inner) = (end + 1) | PAIR_IS_CUT;
		warn(m, WARN_CLOSED_BY_OUTER, inner);
	}
	return true;
}

static void settle(struct trace_matcher *m)
{
	for (size_t i = 0; i < m->waiting.n; i++)
		if (!close_innermost(m, m->waiting.at[i]) && !close_outer(m, m->waiting.at[i]))
			warn(m, WARN_UNMATCHED_END, m->waiting.at[i]);
	m->waiting.n = 0;
}

static void take_event(struct trace_matcher *m, uint32_t i)
{
	const struct begin_end *e = pair_event(m->thread, i);
	text_id name = pair_name(m->t, e);

	if (!pair_is_end(e)) {
		push(&m->fresh, i);
		m->before[i] = m->latest[name];
		m->latest[name] = i + 1;
		if (m->waiting.n)
			retry(m);
	} else if (close_innermost(m, i)) {
		if (m->waiting.n)
			retry(m);
	} else {
		push(&m->waiting, i);
		if (m->waiting.n >= PAIR_WAITING_MOST)
			settle(m);
	}
}

/* End an instant: match its waiting ends, and move its open begins to `older`. */
static void next_instant(struct trace_matcher *m)
{
	if (m->waiting.n)
		settle(m);
	for (size_t i = 0; i < m->fresh.n; i++)
		if (!is_closed(m, m->fresh.at[i]))
			push(&m->older, m->fresh.at[i]);
	m->fresh.n = 0;
}

struct trace_matcher *trace_matcher_new(const struct trace *t, struct progress_shared *progress)
{
	struct trace_matcher *m = xcalloc(1, sizeof *m);

	m->t = t;
	m->progress = progress;
	m->latest = xcalloc(t->texts.n, sizeof *m->latest);
	return m;
}

void trace_matcher_pair(struct trace_matcher *m, struct trace_thread *thread)
{
	size_t n = thread->n_pairs, reported = 0;

	m->thread = thread;
	m->before = xmalloc(n * sizeof *m->before);
	m->older.n = m->fresh.n = m->waiting.n = 0;
	for (size_t i = 0; i < thread->n_pair_chunks; i++)
		thread->pairs[i].partner = xcalloc(thread->pairs[i].cap,
						   sizeof *thread->pairs[i].partner);
	if (thread->is_unsorted)
		sort(thread);
	for (size_t i = 0; i < n; i++) {
		if (i - reported == REPORTED) {
			progress_shared_add(m->progress, REPORTED);
			reported = i;
		}
		take_event(m, (uint32_t)i);
		if (i + 1 == n ||
		    pair_time(pair_event(thread, i + 1)) != pair_time(pair_event(thread, i)))
			next_instant(m);
	}
	progress_shared_add(m->progress, (int64_t)(n - reported));
	for (size_t i = 0; i < n; i++)
		m->latest[pair_name(m->t, pair_event(thread, i))] = 0;
	free(m->before);
	m->before = NULL;
}

void trace_matcher_free(struct trace_matcher *m)
{
	free(m->older.at);
	free(m->fresh.at);
	free(m->waiting.at);
	free(m->latest);
	free(m);
}
