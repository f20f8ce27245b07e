/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What initiated slices: a timer's callback, the call that set the timer. Pairs are found as
 * DevTools finds them: by an id, the last initiator before a slice counts; styles and layouts by
 * the page frame. They become flows that have the frame of the initiator: what it did, and where.
 * Events of threads come in any order, so all are kept until the end.
 *
 * Asynchronous tasks of V8 have no id. Flows of the file lead from one that is scheduled to its
 * run, and from there to the next run of the same task. Instead of such an arrow, one leads from
 * the task that is scheduled to each of its runs. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum act { ASKS, RUNS, COMPUTES_STYLE, INVALIDATES, LAYS_OUT };

#define TRACE 'm'

static const struct rule {
	const char *name; /* means MEANS_INITIATOR + number of the rule; "": events of a meaning */
	enum act act;
	char group;            /* events of one group and key belong together */
	enum trace_member key; /* an id of a thread and page frame, of a TRACE of the trace */
	const char *does; /* of what asks: a name that says what it does; NULL: that of the event */
} rules[] = {
	{ "", RUNS, 'x', TRACE_URL, "XMLHttpRequest" }, /* MEANS_FILE; with a stack: ASKS */
	{ "", RUNS, 't', TRACE_TIMER_ID, NULL },        /* MEANS_TIMER */
	{ "TimerInstall", ASKS, 't', TRACE_TIMER_ID, "setTimeout" },
	{ "RequestAnimationFrame", ASKS, 'a', TRACE_ID, "requestAnimationFrame" },
	{ "FireAnimationFrame", RUNS, 'a', TRACE_ID, NULL },
	{ "RequestIdleCallback", ASKS, 'i', TRACE_ID, "requestIdleCallback" },
	{ "FireIdleCallback", RUNS, 'i', TRACE_ID, NULL },
	{ "SchedulePostMessage", ASKS, TRACE, TRACE_TRACE_ID, "postMessage" },
	{ "HandlePostMessage", RUNS, TRACE, TRACE_TRACE_ID, NULL },
	{ "SchedulePostTaskCallback", ASKS, 'p', TRACE_TASK_ID, "scheduler.postTask" },
	{ "RunPostTaskCallback", RUNS, 'p', TRACE_TASK_ID, NULL },
	{ "AbortPostTaskCallback", RUNS, 'p', TRACE_TASK_ID, NULL },
	{ "WebSocketCreate", ASKS, 'w', TRACE_IDENTIFIER, "WebSocket" },
	{ "WebSocketSendHandshakeRequest", RUNS, 'w', TRACE_IDENTIFIER, NULL },
	{ "WebSocketReceiveHandshakeResponse", RUNS, 'w', TRACE_IDENTIFIER, NULL },
	{ "WebSocketSend", RUNS, 'w', TRACE_IDENTIFIER, NULL },
	{ "WebSocketReceive", RUNS, 'w', TRACE_IDENTIFIER, NULL },
	{ "WebSocketDestroy", RUNS, 'w', TRACE_IDENTIFIER, NULL },
	{ "ScheduleStyleRecalculation", ASKS, 's', TRACE_PAGE_FRAME, NULL },
	{ "UpdateLayoutTree", COMPUTES_STYLE, 's', TRACE_PAGE_FRAME, NULL },
	{ "RecalculateStyles", COMPUTES_STYLE, 's', TRACE_PAGE_FRAME, NULL },
	{ "InvalidateLayout", INVALIDATES, 's', TRACE_PAGE_FRAME, NULL },
	{ "Layout", LAYS_OUT, 's', TRACE_PAGE_FRAME, NULL },
};

static_assert(ARRAY_LEN(rules) <= MEANS_NAVIGATION - MEANS_INITIATOR, "each rule has a meaning");

const char *trace_initiator_name(size_t i)
{
	return i < ARRAY_LEN(rules) ? rules[i].name : NULL;
}

struct link {
	uint64_t key;
	int64_t t, end; /* end: of a slice, if it is known; otherwise t */
	int64_t pid, tid;
	frame_id frame; /* of what asks */
	frame_id event;
	enum act act;
	uint32_t before; /* of a run: the task or run before it, + 1; 0: unknown */
};

struct trace_initiators {
	struct link *all;
	size_t n, cap;
	bool has_asked;     /* something asks, or invalidates */
	struct link *tasks; /* that ask or run */
	size_t n_tasks, cap_tasks;
	struct track_flow *flows;
	size_t n_flows, cap_flows;
};

static void free_initiators(struct trace *t)
{
	if (t->initiators) {
		free(t->initiators->all);
		free(t->initiators->tasks);
		free(t->initiators->flows);
	}
	free(t->initiators);
	t->initiators = NULL;
}

/* What identifies the events that belong together. False: the data do not say. */
static bool key_of(const struct trace_event *e, const struct rule *rule, const struct str *value,
		   uint64_t *key)
{
	struct str id = value[rule->key], frame = value[TRACE_PAGE_FRAME];

	if (!id.len)
		return false;
	*key = trace_mix(hash_bytes(id.p, id.len), (uint64_t)rule->group);
	if (rule->group == TRACE)
		return true;
	*key = trace_mix(*key, (uint64_t)e->pid);
	if (rule->group == 's')
		return true;
	if (frame.len)
		*key = trace_mix(*key, hash_bytes(frame.p, frame.len));
	*key = trace_mix(*key, (uint64_t)e->tid);
	return true;
}

/* The frame of what asks: what it does, and where. */
static frame_id frame_of(struct trace *t, const struct trace_event *e, const char *does,
			 const struct str *value)
{
	struct track_run run = { .event = trace_frame_of_event(t, e),
				 .is_plain = true,
				 .is_mark = true,
				 .cat = trace_text_str(&t->texts, trace_resolve_category(t, e)) };

	if (str_is(value[TRACE_SINGLE_SHOT], "false"))
		does = "setInterval";
	if (does)
		run.name = (struct str){ does, strlen(does) };
	if (value[TRACE_STACK].len)
		trace_run_top(t, e, value[TRACE_STACK], &run);
	return track_builder_run(t->b, &run);
}

frame_id trace_initiator_add(struct trace *t, const struct trace_event *e, const struct str *value)
{
	unsigned meaning = trace_text_get(&t->texts, e->name)->meaning;
	const struct rule *rule =
		&rules[meaning == MEANS_FILE            ? 0
			       : meaning == MEANS_TIMER ? 1
							: meaning - MEANS_INITIATOR];
	bool has_asked = rule->act == ASKS || rule->act == INVALIDATES ||
		(meaning == MEANS_FILE && value[TRACE_STACK].len);
	struct trace_initiators *is;
	struct link link = { .t = e->ts,
			     .end = e->ts + (e->has & HAS_DUR ? e->dur : 0),
			     .pid = e->pid,
			     .tid = e->tid,
			     .act = has_asked && rule->act == RUNS ? ASKS : rule->act };

	if (has_asked)
		link.frame = frame_of(t, e, rule->does, value);
	if (!key_of(e, rule, value, &link.key))
		return link.frame;
	link.event = trace_frame_of_event(t, e);
	is = TRACE_KEPT(t, initiators);
	*ARRAY_ADD(is->all, is->n, is->cap) = link;
	is->has_asked |= has_asked;
	return link.frame;
}

void trace_initiator_task(struct trace *t, const struct trace_event *e, frame_id frame)
{
	struct trace_initiators *is = TRACE_KEPT(t, initiators);

	*ARRAY_ADD(is->tasks, is->n_tasks,
		   is->cap_tasks) = (struct link){ .t = e->ts,
						   .pid = e->pid,
						   .tid = e->tid,
						   .frame = frame,
						   .event = trace_frame_of_event(t, e),
						   .act = frame ? ASKS : RUNS };
}

void trace_initiator_flow(struct trace *t, const struct track_flow *flow)
{
	struct trace_initiators *is = TRACE_KEPT(t, initiators);

	*ARRAY_ADD(is->flows, is->n_flows, is->cap_flows) = *flow;
}

/* ---- at the end ---- */

SORT_BEFORE(is_before, struct link, x->key != y->key ? x->key < y->key : x->t < y->t)

static void add_flow(struct trace *t, const struct link *from, const struct link *to)
{
	struct track_flow flow = { .flow = trace_mix(trace_mix(to->key, (uint64_t)to->t),
						     trace_mix(to->event, (uint64_t)from->t)),
				   .pid = from->pid,
				   .tid = from->tid,
				   .t = from->t,
				   .kind = FLOW_START,
				   .initiator = from->frame };

	track_builder_flow(t->b, &flow);
	flow = (struct track_flow){ .flow = flow.flow,
				    .pid = to->pid,
				    .tid = to->tid,
				    .t = to->t,
				    .kind = FLOW_END,
				    .event = to->event };
	track_builder_flow(t->b, &flow);
}

SORT_BEFORE(is_task_before, struct link,
	    x->pid != y->pid           ? x->pid < y->pid
		    : x->tid != y->tid ? x->tid < y->tid
				       : x->t < y->t)
SORT_BEFORE(is_flow_before, struct track_flow, x->flow != y->flow ? x->flow < y->flow : x->t < y->t)

/* The first task or run of an instant of a thread; NULL: there is none. */
static struct link *task_at(const struct trace_initiators *is, const struct track_flow *point)
{
	const struct link key = { .pid = point->pid, .tid = point->tid, .t = point->t };
	size_t lo = 0;

	SORT_BISECT(lo, is->n_tasks, mid, is_task_before(&is->tasks[mid], &key, NULL));
	return lo < is->n_tasks && !is_task_before(&key, &is->tasks[lo], NULL) ? &is->tasks[lo]
									       : NULL;
}

/* The run at the end of an arrow between tasks; NULL: it is another arrow. */
static struct link *run_of_arrow(const struct trace_initiators *is, size_t i, struct link **from)
{
	const struct track_flow *point = &is->flows[i];
	struct link *run;

	if (i + 1 == is->n_flows || point[1].flow != point->flow)
		return NULL;
	*from = task_at(is, point);
	run = *from ? task_at(is, &point[1]) : NULL;
	return run && run->act == RUNS && run->t > (*from)->t ? run : NULL;
}

/* The task of a run; NULL: it was scheduled before the recording. Shortens the way to it. */
static const struct link *task_of(struct trace_initiators *is, struct link *run)
{
	uint32_t first = run->before;

	while (first && is->tasks[first - 1].before)
		first = is->tasks[first - 1].before;
	run->before = first;
	return first && is->tasks[first - 1].act == ASKS ? &is->tasks[first - 1] : NULL;
}

static void finish_tasks(struct trace *t, struct trace_initiators *is)
{
	bool was_joined = false;
	struct link *from, *run;

	sort_stable(is->tasks, is->n_tasks, sizeof *is->tasks, is_task_before, NULL);
	sort_stable(is->flows, is->n_flows, sizeof *is->flows, is_flow_before, NULL);
	for (size_t i = 0; i < is->n_flows; i++)
		if ((run = run_of_arrow(is, i, &from)) != NULL)
			run->before = (uint32_t)(from - is->tasks) + 1;
	for (size_t i = 0; i < is->n_flows; i++) {
		const struct link *task;

		run = run_of_arrow(is, i, &from);
		task = run ? task_of(is, run) : NULL;
		if (task)
			add_flow(t, task, run);
		else if (!was_joined)
			track_builder_flow(t->b, &is->flows[i]);
		was_joined = task != NULL;
	}
}

/* InvalidateLayout initiates the next layout; the first one while styles are computed leaves that
 * to what initiated these. */
static void finish_initiators(struct trace *t)
{
	struct trace_initiators *is = t->initiators;
	const struct link *asked = NULL, *style = NULL, *style_asked = NULL, *invalid = NULL;

	for (size_t i = 0; i < t->n_threads; i++)
		trace_run_timer_pass(t, &t->threads[i]);
	if (is)
		finish_tasks(t, is);
	if (!is || !is->has_asked)
		return;
	sort_stable(is->all, is->n, sizeof *is->all, is_before, NULL);
	for (size_t i = 0; i < is->n; i++) {
		const struct link *link = &is->all[i], *from = NULL;

		if (i == 0 || link->key != link[-1].key)
			asked = style = style_asked = invalid = NULL;
		switch (link->act) {
		case ASKS:
			asked = link;
			break;
		case INVALIDATES:
			invalid = !invalid && style_asked && style->end > link->t ? style_asked
										  : link;
			break;
		case COMPUTES_STYLE:
			style = link;
			style_asked = from = asked;
			break;
		case LAYS_OUT:
			from = invalid;
			invalid = NULL;
			break;
		case RUNS:
			from = asked;
			break;
		}
		if (from)
			add_flow(t, from, link);
	}
}

const struct trace_part trace_initiator_part = { finish_initiators, free_initiators };
