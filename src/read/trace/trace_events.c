/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the events of a trace one after another (list_walk.h). During the walk only keep() uses
 * struct trace, except for `s`, because it may run on another thread. */
#include "config.h"

#include "base/alloc.h"
#include "base/json/list_walk.h"
#include "base/text.h"
#include "base/units.h"
#include "read/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

/* ==== trace phase ====
 *
 * Sends an event to the file that keeps it, by its phase. To handle another phase, add a row in
 * `phases` and a function. Phases without a row are counted as unknown. */

/* A slice that is a point of a flow. */
static void flow_of_slice(struct trace *t, const struct trace_event *e)
{
	if (!e->bind_id)
		builder_warn(t->b, WARN_FLOW_ID, e->offset);
	else
		track_builder_flow(t->b,
				   &(struct track_flow){ .flow = e->bind_id,
							 .pid = e->pid,
							 .tid = e->tid,
							 .t = e->ts,
							 .kind = !(e->has & FLOWS_IN) ? FLOW_START
								 : e->has & FLOWS_OUT ? FLOW_STEP
										      : FLOW_END });
}

static bool on_complete(struct trace *t, const struct trace_event *e)
{
	struct trace_thread *thread = trace_thread_get(t, e->pid, e->tid);
	int64_t dur = e->dur, end;

	if (!(e->has & HAS_DUR)) {
		builder_warn(t->b, WARN_DUR_MISSING, e->offset);
		dur = 0;
	} else if (dur < 0) {
		builder_warn(t->b, WARN_DUR_NEGATIVE, e->offset);
		dur = 0;
	}
	end = e->ts + dur;
	trace_range_end(t, end);
	if (trace_text_get(&t->texts, e->name)->meaning == MEANS_COMMIT_LOAD)
		trace_page_loaded(t, e);
	if (!thread->slices)
		thread->slices = track_builder_add(t->b, LANE_SLICES, e->pid, e->tid, "", 0) + 1;
	track_builder_slice(
		t->b, thread->slices - 1,
		&(struct track_slice){ .t0 = e->ts,
				       .t1 = end,
				       .frame = trace_frame_of(t, trace_frame_name(t, e)),
				       .offset = e->offset,
				       .end_offset = -1,
				       .color = trace_color(e) });
	if (e->has & (FLOWS_IN | FLOWS_OUT))
		flow_of_slice(t, e);
	return true;
}

static bool on_begin_end(struct trace *t, const struct trace_event *e)
{
	return trace_pairs_add(t, e);
}

/* A mark of the page's own, which may be an entry of a track of its own. */
static void on_user_timing(struct trace *t, const struct trace_event *e)
{
	uint32_t custom = trace_custom_number(t, e);
	struct trace_process *p = trace_process_get(t, e->pid);

	if (custom)
		trace_custom_entry(
			t, custom,
			&(struct track_slice){ .t0 = e->ts,
					       .t1 = e->ts,
					       .frame = trace_frame_of(t, trace_frame_name(t, e)),
					       .offset = e->offset,
					       .end_offset = -1,
					       .color = trace_color(e) });
	else
		trace_mark_add(t,
			       trace_mark_track(t, &p->timings, e->pid, LANE_NO_ID, "User timing"),
			       e, trace_frame_name(t, e));
}

static bool on_instant(struct trace *t, const struct trace_event *e)
{
	enum meaning meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	uint32_t track;

	switch (meaning) {
	case MEANS_STARTED_IN_BROWSER:
	case MEANS_STARTED_IN_PAGE:
		trace_page_started(t, e);
		break;
	case MEANS_FRAME_COMMITTED:
		trace_page_committed(t, e);
		break;
	case MEANS_NAVIGATION_START:
		trace_page_navigated(t, e);
		break;
	case MEANS_WORKER_SESSION:
		trace_page_worker(t, e);
		break;
	case MEANS_STOP_PROFILING:
		trace_cpu_stop(t, e);
		break;
	case MEANS_CPU_PROFILE:
		return trace_cpu_whole(t, e);
	case MEANS_COUNTERS:
		if (trace_counter_update(t, e))
			return true;
		break;
	case MEANS_TIME_STAMP:
		if (trace_custom_time_stamp(t, e))
			return true;
		break;
	default:
		break;
	}
	if (trace_text_get(&t->texts, trace_resolve_category(t, e))->is_user_timing &&
	    meaning < MEANS_NAVIGATION) {
		on_user_timing(t, e);
		return true;
	}
	/* R is a milestone of the page, whatever thread reports it. */
	track = e->s == 'g'                                    ? trace_mark_all(t)
		: e->s == 'p' || (e->ph == 'R' && e->s != 't') ? trace_mark_process(t, e->pid)
							       : trace_mark_thread(t, e);
	trace_mark_add(t, track, e, trace_frame_name(t, e));
	return true;
}

static bool on_sample(struct trace *t, const struct trace_event *e)
{
	switch (trace_text_get(&t->texts, e->name)->meaning) {
	case MEANS_PROFILE:
		return trace_cpu_profile(t, e);
	case MEANS_CHUNK:
		return trace_cpu_chunk(t, e);
	default:
		return on_instant(t, e);
	}
}

static bool on_counter(struct trace *t, const struct trace_event *e)
{
	trace_counter_event(t, e);
	return true;
}

static bool on_async(struct trace *t, const struct trace_event *e)
{
	bool has_detail = e->ph == 'b' &&
		trace_text_get(&t->texts, trace_resolve_category(t, e))->is_user_timing;

	trace_async_add(t, e, has_detail ? trace_custom_number(t, e) : 0);
	return true;
}

static bool on_flow(struct trace *t, const struct trace_event *e)
{
	uint64_t flow = trace_mix(trace_mix(e->id, trace_resolve_category(t, e)), e->name);
	enum flow_kind kind = e->ph == 's' ? FLOW_START : e->ph == 't' ? FLOW_STEP : FLOW_END;

	if (e->id_kind == ID_LOCAL)
		flow = trace_mix(flow, (uint64_t)e->pid);
	if (e->id_kind == ID_NONE)
		builder_warn(t->b, WARN_FLOW_ID, e->offset);
	else
		track_builder_flow(t->b,
				   &(struct track_flow){ .flow = flow,
							 .pid = e->pid,
							 .tid = e->tid,
							 .t = e->ts,
							 .kind = kind,
							 .is_next = e->ph == 'f' && e->bp != 'e' });
	return true;
}

static bool on_object(struct trace *t, const struct trace_event *e)
{
	trace_object_add(t, e);
	return true;
}

static bool on_metadata(struct trace *t, const struct trace_event *e)
{
	trace_names_metadata(t, e);
	return true;
}

/* Keep only the number of these events, which trace_phase_finish() notes. */
static bool on_counted(struct trace *t, const struct trace_event *e)
{
	(void)t;
	(void)e;
	return true;
}

typedef bool phase_fn(struct trace *t, const struct trace_event *e);

static const struct phase_rule {
	phase_fn *run;
	bool is_timed; /* it needs a time, which counts for the range */
} phases[128] = {
	['X'] = { on_complete, true },  ['B'] = { on_begin_end, true },
	['E'] = { on_begin_end, true }, ['I'] = { on_instant, true },
	['i'] = { on_instant, true },   ['R'] = { on_instant, true },
	['P'] = { on_sample, true },    ['C'] = { on_counter, true },
	['b'] = { on_async, true },     ['n'] = { on_async, true },
	['e'] = { on_async, true },     ['S'] = { on_async, true },
	['T'] = { on_async, true },     ['p'] = { on_async, true },
	['F'] = { on_async, true },     ['s'] = { on_flow, true },
	['t'] = { on_flow, true },      ['f'] = { on_flow, true },
	['N'] = { on_object, true },    ['O'] = { on_object, true },
	['D'] = { on_object, true },    ['M'] = { on_metadata, false },
	['V'] = { on_counted, false },  ['v'] = { on_counted, false },
	['c'] = { on_counted, false },  ['('] = { on_counted, false },
	[')'] = { on_counted, false },  ['='] = { on_counted, false },
};

/* Warn about an unknown phase. The first event of each letter names it. */
static bool unknown_phase(struct trace *t, const struct trace_event *e)
{
	char detail[16] = "";

	if (!e->ph && !(e->has & HAS_PHASE)) {
		builder_warn(t->b, WARN_ODD_EVENT, e->offset);
		return true;
	}
	if (e->ph && t->by_phase[(unsigned char)e->ph] == 1) {
		struct buf letter = { 0 };

		text_visible(&letter, &e->ph, 1);
		snprintf(detail, sizeof detail, "%s", buf_text(&letter));
		buf_done(&letter);
	}
	builder_warn_text(t->b, WARN_UNKNOWN_PHASE, e->offset,
			  detail[0] ? detail : "no single letter");
	return true;
}

void trace_phase_finish(struct trace *t)
{
	char count[UNITS_MAX];

	for (unsigned c = 1; c < 256; c++) {
		if (!t->by_phase[c] ||
		    (c < ARRAY_LEN(phases) && phases[c].run && phases[c].run != on_counted))
			continue;
		units_count(t->by_phase[c], count);
		if (c > ' ' && c < 0x7F)
			builder_input_note(t->b, true, "%s events of phase %c not drawn", count,
					   (int)c);
		else
			builder_input_note(t->b, true, "%s events of phase 0x%02X not drawn", count,
					   c);
	}
}

bool trace_phase_run(struct trace *t, const struct trace_event *e)
{
	const struct phase_rule *phase = (unsigned char)e->ph < 128 ? &phases[(unsigned char)e->ph]
								    : &phases[0];

	t->by_phase[(unsigned char)e->ph]++;
	if (!phase->run)
		return unknown_phase(t, e);
	if (e->has & HAS_TEXT_TIME)
		builder_warn(t->b, WARN_NUMBER_TEXT, e->offset);
	if (!phase->is_timed)
		return phase->run(t, e);
	if (!(e->has & HAS_TS)) {
		builder_warn(t->b, e->has & HAS_ODD_TIME ? WARN_TIME_RANGE : WARN_TIME_MISSING,
			     e->offset);
		return true;
	}
	if ((e->has & (HAS_PID | HAS_TID)) != (HAS_PID | HAS_TID))
		builder_warn(t->b, WARN_NO_IDS, e->offset);
	trace_range_add(t, e);
	if (e->has & (HAS_STACK | HAS_END_STACK))
		trace_stack_use(t, e);
	return phase->run(t, e);
}

/* ==== trace events ==== */

/* An event may contain a whole profile, or a picture. */

struct events {
	struct trace *t;
	struct trace_event batch[LIST_WALK_BATCHES][LIST_WALK_MAX];
};

static enum list_walk_taken take(void *ctx, unsigned b, size_t i, struct cursor *c, int64_t offset)
{
	struct events *events = ctx;
	struct trace_event *e = &events->batch[b][i];

	switch (trace_event_parse(c, e)) {
	case PARSED:
		e->offset = offset;
		e->end = offset + ((const char *)c->p - e->start);
		return LIST_WALK_TAKEN;
	case PARSED_CUT:
		return LIST_WALK_CUT;
	default:
		return LIST_WALK_ODD;
	}
}

static bool keep_one(struct trace *t, struct trace_event *e)
{
	trace_resolve_event(t, e);
	if (t->n_events++ == t->next_entry)
		trace_entry_take(t, e);
	if (!trace_phase_run(t, e))
		return false;
	t->good_end = e->end;
	return true;
}

static bool keep(void *ctx, unsigned b, size_t n)
{
	struct events *events = ctx;

	for (size_t i = 0; i < n; i++)
		if (!keep_one(events->t, &events->batch[b][i]))
			return false;
	return true;
}

static bool pass_odd(struct trace *t, const char *what)
{
	builder_warn_text(t->b, WARN_ODD_EVENT, scan_offset(t->s), what);
	if (!scan_skip(t->s))
		return false;
	t->good_end = scan_offset(t->s);
	return true;
}

/* Read one element. An event that crosses the end of the window is tried again with a larger
 * window. */
static bool read(void *ctx)
{
	struct trace *t = ((struct events *)ctx)->t;
	struct scan *s = t->s;
	struct trace_event e;

	if (scan_peek(s) != '{')
		return pass_odd(t, NULL);
	for (;;) {
		struct cursor c = { s->p, s->end, NULL, false };
		size_t have = (size_t)(s->end - s->p);
		struct str ahead;

		e.offset = scan_offset(s);
		switch (trace_event_parse(&c, &e)) {
		case PARSED:
			e.end = e.offset + (c.p - s->p);
			if (!keep_one(t, &e))
				return false;
			s->p = c.p;
			return true;
		case PARSED_BAD:
			return error_set(s->err, ERR_SYNTAX, e.offset + (c.p - s->p), "%s", c.why);
		case PARSED_CUT:
			break;
		}
		if (have > TRACE_EVENT_MAX / 2)
			return pass_odd(t, "too large");
		if (!scan_window(s, have * 2, &ahead))
			return false;
		if (ahead.len == have) {
			s->is_cut = true;
			return error_set(s->err, ERR_SYNTAX, e.offset + (int64_t)have,
					 "the file ends inside an event");
		}
	}
}

bool trace_events_read(struct trace *t, bool is_bare)
{
	struct events *events = xmalloc(sizeof *events);
	struct list_walk list = { .s = t->s,
				  .is_bare = is_bare,
				  .take = take,
				  .keep = keep,
				  .read = read,
				  .ctx = events };
	bool ok;

	events->t = t;
	t->has_events = true;
	t->good_end = scan_offset(t->s);
	ok = list_walk(&list);
	free(events);
	return ok;
}
