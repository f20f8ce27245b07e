/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event is written when it is over: X events at their end, others at their time. Writers keep
 * events in buffers for each thread, so they are in order only roughly.
 *
 * Metadata events have any times. They count for the processes only. */
#include "config.h"

#include "read/trace/trace_peek.h"

#include "base/json/cursor.h"
#include "base/sort.h"
#include "read/trace/trace_event.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS 1024 /* the most events to look at, at each end */
#define TRIES 1024  /* to find the beginning of an event */
#define DAY_NS (INT64_C(86400) * 1000000000)

struct times {
	int64_t t[EVENTS];
	size_t n;
};

static void add_pid(struct trace_peek *g, int64_t pid)
{
	for (size_t i = 0; i < g->n_pids; i++)
		if (g->pids[i] == pid)
			return;
	if (g->n_pids < TRACE_PEEK_PIDS)
		g->pids[g->n_pids++] = pid;
}

static void add_event(struct trace_peek *g, struct times *times, const struct trace_event *e)
{
	int64_t end;

	if (e->has & HAS_PID)
		add_pid(g, e->pid);
	if (e->ph == 'M' || !(e->has & HAS_TS) || e->ts == 0 || times->n == EVENTS ||
	    __builtin_add_overflow(
		    e->ts, e->ph == 'X' && (e->has & HAS_DUR) && e->dur > 0 ? e->dur : 0, &end))
		return;
	times->t[times->n++] = end;
}

SORT_ORDER(ascending, int64_t, SORT_BY_1(*x, *y))

static bool median(struct times *times, int64_t *t)
{
	qsort(times->t, times->n, sizeof *times->t, ascending);
	*t = times->n ? times->t[times->n / 2] : 0;
	return times->n > 0;
}

/* Pass a token at the cursor. */
static bool pass(struct cursor *c, const char *token)
{
	size_t len = strlen(token);

	if (!cursor_peek(c) || (size_t)(c->end - c->p) < len || memcmp(c->p, token, len) != 0)
		return false;
	c->p += len;
	return true;
}

/* Look at the events from the cursor on. */
static void look(struct cursor *c, struct trace_peek *g, struct times *times)
{
	struct trace_event e;

	while (cursor_peek(c) == '{' && times->n < EVENTS) {
		if (trace_event_parse(c, &e) != PARSED)
			return;
		add_event(g, times, &e);
		if (cursor_peek(c) == ',')
			c->p++;
	}
}

#define EVENTS_MEMBER "\"traceEvents\""

bool trace_peek_is_other(struct str head)
{
	struct cursor c = cursor_of(head);

	if (!pass(&c, "{"))
		return false;
	cursor_peek(&c);
	return (size_t)(c.end - c.p) >= sizeof EVENTS_MEMBER - 1 && !pass(&c, EVENTS_MEMBER);
}

bool trace_peek_begin(struct str text, struct trace_peek *g)
{
	struct cursor c = cursor_of(text), first;
	struct times times = { .n = 0 };

	*g = (struct trace_peek){ .n_pids = 0 };
	if (!pass(&c, "{") || !pass(&c, EVENTS_MEMBER) || !pass(&c, ":") || !pass(&c, "["))
		return false;
	first = c;
	g->is_v8 = pass(&first, "{") && pass(&first, "\"pid\"");
	look(&c, g, &times);
	g->has_times = median(&times, &g->begin);
	g->end = times.n ? times.t[times.n - 1] : 0;
	return g->n_pids > 0;
}

/* Whether an event begins at the cursor. A value inside an event has no phase. */
static bool is_event(struct cursor c)
{
	struct trace_event e;

	return trace_event_parse(&c, &e) == PARSED && e.ph && (e.has & HAS_TS);
}

void trace_peek_end(struct str text, struct trace_peek *g)
{
	struct cursor c = cursor_of(text);
	struct times times = { .n = 0 };
	int64_t end;

	for (int tries = 0; c.p < c.end && tries < TRIES; c.p++)
		if (*c.p == '{' && (tries++, is_event(c)))
			break;
	look(&c, g, &times);
	if (median(&times, &end))
		g->end = end;
}

static bool has_common_pid(const struct trace_peek *a, const struct trace_peek *b)
{
	for (size_t i = 0; i < a->n_pids; i++)
		for (size_t k = 0; k < b->n_pids; k++)
			if (a->pids[i] == b->pids[k])
				return true;
	return false;
}

bool trace_peek_continues(const struct trace_peek *before, const struct trace_peek *after)
{
	if (!has_common_pid(before, after))
		return false;
	if (!before->has_times || !after->has_times)
		return true;
	/* Half of each: the sum might overflow. */
	return after->begin >= before->begin / 2 + before->end / 2 &&
		after->begin / 2 - before->end / 2 <= DAY_NS / 2;
}
