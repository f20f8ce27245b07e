/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What initiated slices: a timer's callback, the call that set the timer. Pairs are found as
 * DevTools finds them: by an id, the last initiator before a slice counts; styles and layouts by
 * the page frame. They become flows that have the frame of the initiator: what it did, and where.
 *
 * Events of threads come in any order, so all are kept until the end. So are slices of timers,
 * which are called by the function in them. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static const struct rule {
	const char
		*key; /* the member that initiator and slice have in common; NULL: the page frame */
	const char *does; /* what an initiator does; NULL: it has the name of the event, or the
			     event is no initiator */
	bool is_start;
} rules[] = {
	[MEANS_FILE] = { "url", "XMLHttpRequest", false }, /* that has a stack is one */
	[MEANS_TIMER_INSTALL] = { "timerId", "setTimeout", true },
	[MEANS_TIMER_FIRE] = { "timerId", NULL, false },
	[MEANS_ANIMATION_REQUEST] = { "id", "requestAnimationFrame", true },
	[MEANS_ANIMATION_FIRE] = { "id", NULL, false },
	[MEANS_IDLE_REQUEST] = { "id", "requestIdleCallback", true },
	[MEANS_IDLE_FIRE] = { "id", NULL, false },
	[MEANS_MESSAGE_SCHEDULE] = { "traceId", "postMessage", true },
	[MEANS_MESSAGE_HANDLE] = { "traceId", NULL, false },
	[MEANS_TASK_SCHEDULE] = { "taskId", "scheduler.postTask", true },
	[MEANS_TASK_RUN] = { "taskId", NULL, false },
	[MEANS_SOCKET_CREATE] = { "identifier", "WebSocket", true },
	[MEANS_SOCKET] = { "identifier", NULL, false },
	[MEANS_STYLE_SCHEDULE] = { NULL, NULL, true },
	[MEANS_STYLE] = { NULL, NULL, false },
	[MEANS_LAYOUT_INVALIDATE] = { NULL, NULL, true },
	[MEANS_LAYOUT] = { NULL, NULL, false },
};

struct link {
	int64_t t, end; /* end: of a slice, if it is known; otherwise t */
	int64_t pid, tid;
	uint64_t key;
	frame_id frame; /* of an initiator, or of a function call */
	text_id event;
	uint32_t from;  /* the initiator of a slice, + 1 */
	uint32_t timer; /* its slice in `timers`, + 1 */
	uint8_t meaning;
	bool is_start;
};

struct timer {
	struct track_slice slice;
	uint32_t track;
};

/* The last initiator, by key. */
struct last {
	uint64_t key;
	uint32_t at; /* + 1 */
};

struct trace_initiators {
	struct link *all;
	size_t n, cap;
	struct timer *timers;
	size_t n_timers, cap_timers;
	struct last *lasts;
	size_t n_lasts, cap_lasts;
	struct hash_table index;
};

static void free_initiators(struct trace *t)
{
	struct trace_initiators *is = t->initiators;

	if (!is)
		return;
	free(is->all);
	free(is->timers);
	free(is->lasts);
	hash_table_done(&is->index);
	free(is);
	t->initiators = NULL;
}

/* ---- reading ---- */

static uint64_t hash_of(struct str object, const char *name)
{
	struct str raw;

	return cursor_find(object, name, &raw) ? hash_bytes(raw.p, raw.len) : 0;
}

/* What identifies initiator and slice. 0: the event does not say. */
static uint64_t key_of(const struct trace_event *e, enum meaning meaning, struct str data)
{
	const struct rule *rule = &rules[meaning];
	uint64_t page = hash_of(data, "frame"), id = rule->key ? hash_of(data, rule->key) : page;

	if (!id)
		return 0;
	if (meaning == MEANS_MESSAGE_SCHEDULE || meaning == MEANS_MESSAGE_HANDLE)
		return id | 1;
	/* Ids of one kind are of a thread and page frame. */
	id = trace_mix(trace_mix(id, (uint64_t)e->pid), page);
	id = rule->key ? trace_mix(id, (uint64_t)e->tid) : id;
	return trace_mix(id,
			 rule->key ? hash_bytes(rule->key, strlen(rule->key)) +
					 (meaning >= MEANS_IDLE_REQUEST)
				   : 0) |
		1;
}

/* The frame of an initiator: what it does, and where. */
static frame_id frame_of(struct trace *t, const struct trace_event *e, enum meaning meaning,
			 struct str data)
{
	struct track_run run = { .event = trace_frame_of(t, e->name),
				 .is_plain = true,
				 .is_mark = true };
	const char *does = rules[meaning].does;
	struct str raw;

	if (meaning == MEANS_TIMER_INSTALL && cursor_find(data, "singleShot", &raw) &&
	    str_is(raw, "false"))
		does = "setInterval";
	if (does)
		run.name = (struct str){ does, strlen(does) };
	if (cursor_find(data, "stackTrace", &raw))
		trace_run_top(t, raw, &run);
	run.cat = trace_text_str(&t->texts, trace_resolve_category(t, e));
	return track_builder_run(t->b, &run);
}

static struct link *add_link(struct trace *t, const struct trace_event *e, enum meaning meaning)
{
	struct trace_initiators *is = t->initiators;

	if (!is)
		is = t->initiators = xcalloc(1, sizeof *is);
	is->all = xgrow(is->all, &is->cap, is->n + 1, sizeof *is->all);
	is->all[is->n] = (struct link){ .t = e->ts,
					.end = e->ts +
						(e->has & HAS_DUR && e->dur > 0 ? e->dur : 0),
					.pid = e->pid,
					.tid = e->tid,
					.event = e->name,
					.meaning = (uint8_t)meaning };
	return &is->all[is->n++];
}

frame_id trace_initiator_add(struct trace *t, const struct trace_event *e, frame_id run)
{
	enum meaning meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	bool is_start = rules[meaning].is_start;
	struct str data = { NULL, 0 }, raw;
	struct link *link;
	uint64_t key;

	if (meaning == MEANS_CALL) {
		if (run)
			add_link(t, e, meaning)->frame = run;
		return FRAME_NONE;
	}
	if (!trace_event_find(t, e, e->args, "data", &data) &&
	    !trace_event_find(t, e, e->args, "beginData", &data))
		return FRAME_NONE;
	key = key_of(e, meaning, data);
	is_start |= meaning == MEANS_FILE && cursor_find(data, "stackTrace", &raw);
	run = is_start ? frame_of(t, e, meaning, data) : FRAME_NONE;
	if (!key)
		return run;
	link = add_link(t, e, meaning);
	link->key = key;
	link->frame = run;
	link->is_start = is_start;
	return run;
}

frame_id trace_initiator_slice(struct trace *t, const struct trace_event *e)
{
	enum meaning meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	frame_id run = trace_run_frame(t, e);

	if (meaning == MEANS_CALL || meaning == MEANS_FILE ||
	    (meaning >= MEANS_TIMER_INSTALL && meaning <= MEANS_LAYOUT))
		trace_initiator_add(t, e, run);
	return run;
}

bool trace_initiator_timer(struct trace *t, const struct trace_event *e, uint32_t track,
			   const struct track_slice *slice)
{
	struct trace_initiators *is = t->initiators;

	if (!is || !is->n || is->all[is->n - 1].meaning != MEANS_TIMER_FIRE ||
	    is->all[is->n - 1].t != e->ts || is->all[is->n - 1].timer)
		return false;
	is->timers = xgrow(is->timers, &is->cap_timers, is->n_timers + 1, sizeof *is->timers);
	is->timers[is->n_timers++] = (struct timer){ *slice, track };
	is->all[is->n - 1].timer = (uint32_t)is->n_timers;
	return true;
}

/* ---- at the end ---- */

static bool is_earlier(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct link *)a)->t < ((const struct link *)b)->t;
}

/* The last initiator with a key. Borrowed until the next call. */
static uint32_t *last_of(struct trace_initiators *is, uint64_t key)
{
	struct hash_probe probe = hash_probe(key);

	while (hash_table_next(&is->index, &probe))
		if (is->lasts[probe.index].key == key)
			return &is->lasts[probe.index].at;
	is->lasts = xgrow(is->lasts, &is->cap_lasts, is->n_lasts + 1, sizeof *is->lasts);
	is->lasts[is->n_lasts] = (struct last){ key, 0 };
	hash_table_add(&is->index, key, (uint32_t)is->n_lasts);
	return &is->lasts[is->n_lasts++].at;
}

static void add_flow(struct trace *t, const struct link *from, const struct link *to)
{
	uint64_t flow = trace_mix(trace_mix(from->key, (uint64_t)from->t),
				  trace_mix((uint64_t)to->t, (uint64_t)to->tid));

	flow = trace_mix(flow, to->event);
	track_builder_flow(t->b,
			   &(struct track_flow){ .flow = flow,
						 .pid = from->pid,
						 .tid = from->tid,
						 .t = from->t,
						 .kind = FLOW_START,
						 .initiator = from->frame });
	track_builder_flow(t->b,
			   &(struct track_flow){ .flow = flow,
						 .pid = to->pid,
						 .tid = to->tid,
						 .t = to->t,
						 .kind = FLOW_END,
						 .event = trace_frame_of(t, to->event) });
}

/* Keys of styles, of layouts and of the last style of a page frame. */
#define LAYOUT_KEY(key) trace_mix(key, 1)
#define STYLE_KEY(key) trace_mix(key, 2)

/* InvalidateLayout initiates the next layout; the first one of a page frame while styles are
 * computed leaves that to what initiated these. */
static void invalidate(struct trace_initiators *is, uint32_t i)
{
	const struct link *link = &is->all[i];
	uint32_t style = *last_of(is, STYLE_KEY(link->key)), from = i + 1,
		 *last = last_of(is, LAYOUT_KEY(link->key));

	if (!*last && style && is->all[style - 1].from && is->all[style - 1].end > link->t)
		from = is->all[style - 1].from;
	*last = from;
}

static void take(struct trace *t, uint32_t i)
{
	struct trace_initiators *is = t->initiators;
	struct link *link = &is->all[i];
	uint32_t *last;

	if (link->meaning == MEANS_CALL)
		return;
	if (link->meaning == MEANS_LAYOUT_INVALIDATE) {
		invalidate(is, i);
		return;
	}
	last = last_of(is, link->meaning == MEANS_LAYOUT ? LAYOUT_KEY(link->key) : link->key);
	link->from = link->is_start ? 0 : *last;
	if (link->is_start)
		*last = i + 1;
	if (link->from)
		add_flow(t, &is->all[link->from - 1], link);
	if (link->meaning == MEANS_LAYOUT)
		*last = 0;
	if (link->meaning == MEANS_STYLE)
		*last_of(is, STYLE_KEY(link->key)) = i + 1;
}

#define NEAR 1000 /* events among which the function of a timer is looked for */

/* Pass on the slice of a timer, called by the first function in it. */
static void pass_timer(struct trace *t, uint32_t i)
{
	const struct trace_initiators *is = t->initiators;
	const struct link *link = &is->all[i];
	struct timer *timer = &is->timers[link->timer - 1];
	size_t k = i;

	while (k > 0 && is->all[k - 1].t == link->t)
		k--;
	for (size_t end = k + NEAR; k < end && k < is->n && is->all[k].t <= link->end; k++)
		if (is->all[k].meaning == MEANS_CALL && is->all[k].pid == link->pid &&
		    is->all[k].tid == link->tid) {
			timer->slice.frame = track_builder_run_of(
				t->b, trace_frame_of(t, link->event), is->all[k].frame);
			break;
		}
	track_builder_slice(t->b, timer->track, &timer->slice);
}

static void finish_initiators(struct trace *t)
{
	struct trace_initiators *is = t->initiators;

	if (!is || !is->n)
		return;
	sort_stable(is->all, is->n, sizeof *is->all, is_earlier, NULL);
	for (size_t i = 0; i < is->n; i++) {
		take(t, (uint32_t)i);
		if (is->all[i].timer)
			pass_timer(t, (uint32_t)i);
	}
}

const struct trace_part trace_initiator_part = { finish_initiators, free_initiators };
