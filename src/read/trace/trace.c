/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chrome trace-event files: the document. Writers append events and may be killed, so all events
 * before the end of a file that is cut off are kept. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/json/list_walk.h"
#include "base/text.h"
#include "base/units.h"
#include "model/build/track_builder.h"
#include "read/cpu/cpuprofile.h"
#include "read/documents.h"
#include "read/reader.h"
#include "read/trace/trace_event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== trace process ====
 *
 * The processes of a trace, in a hash table by process id. */

struct trace_process *trace_process_get(struct trace *t, int64_t pid)
{
	struct hash_probe probe;
	uint64_t hash;

	if (t->last_process < t->n_processes && t->processes[t->last_process].pid == pid)
		return &t->processes[t->last_process];
	hash = hash_u64((uint64_t)pid);
	probe = hash_probe(hash);
	while (hash_table_next(&t->process_index, &probe)) {
		if (t->processes[probe.index].pid == pid) {
			t->last_process = probe.index;
			return &t->processes[probe.index];
		}
	}
	t->processes = xgrow(t->processes, &t->cap_processes, t->n_processes + 1,
			     sizeof *t->processes);
	t->processes[t->n_processes] = (struct trace_process){ .pid = pid };
	t->last_process = (uint32_t)t->n_processes++;
	hash_table_add(&t->process_index, hash, t->last_process);
	return &t->processes[t->last_process];
}

/* ==== trace thread ====
 *
 * The threads of a trace, in a hash table by process and thread id. */

struct trace_thread *trace_thread_find(struct trace *t, int64_t pid, int64_t tid)
{
	uint64_t hash = trace_mix(hash_u64((uint64_t)pid), (uint64_t)tid);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&t->thread_index, &probe)) {
		struct trace_thread *thread = &t->threads[probe.index];

		if (thread->pid == pid && thread->tid == tid) {
			t->last_thread = probe.index;
			return thread;
		}
	}
	t->threads = xgrow(t->threads, &t->cap_threads, t->n_threads + 1, sizeof *t->threads);
	t->threads[t->n_threads] =
		(struct trace_thread){ .pid = pid, .tid = tid, .last_ts = INT64_MIN };
	t->last_thread = (uint32_t)t->n_threads++;
	hash_table_add(&t->thread_index, hash, t->last_thread);
	return &t->threads[t->last_thread];
}

/* ==== trace mark ====
 *
 * Tracks of marks. Each is made when its first mark comes, so that no track stays empty. */

/* *track (number + 1; 0: none yet) is the track of marks of a process or thread: make it if it is
 * missing. Returns its number. */
static uint32_t mark_track(struct trace *t, uint32_t *track, int64_t pid, int64_t tid,
			   const char *title)
{
	if (!*track)
		*track = track_builder_add(t->b, LANE_MARKS, pid, tid, title, strlen(title)) + 1;
	return *track - 1;
}

uint32_t trace_mark_thread(struct trace *t, const struct trace_event *e)
{
	return mark_track(t, &trace_thread_get(t, e->pid, e->tid)->marks, e->pid, e->tid, "");
}

static uint32_t across(struct trace *t, uint32_t track)
{
	track_builder_across(t->b, track);
	return track;
}

uint32_t trace_mark_all(struct trace *t)
{
	return across(t, mark_track(t, &t->marks, LANE_NO_ID, LANE_NO_ID, "Marks"));
}

void trace_mark_add(struct trace *t, uint32_t track, const struct trace_event *e, frame_id frame)
{
	track_builder_slice(t->b, track,
			    &(struct track_slice){ .t0 = e->ts,
						   .t1 = e->ts,
						   .frame = frame,
						   .offset = e->offset,
						   .end_offset = -1,
						   .color = trace_color(e) });
}

/* ==== trace resolve ====
 *
 * What the texts of an event stand for. Events are taken apart on one thread, and this runs on
 * another one, which keeps them (base/json/list_walk.h). */

text_id trace_resolve_category(struct trace *t, const struct trace_event *e)
{
	return e->cat_text.len ? trace_text_raw(&t->texts, e->cat_text, e->is_cat_escaped) : 0;
}

unsigned trace_resolve_color(const struct trace_event *e)
{
	struct str name = e->cname;
	BUF_LOCAL decoded = { 0 };
	unsigned color;

	if (memchr(name.p, '\\', name.len) && json_tree_decode(name.p - 1, name.len + 2, &decoded))
		name = (struct str){ buf_text(&decoded), decoded.len };
	color = frame_color_find(name.p, name.len);
	return color;
}

static bool resolve_id(struct trace *t, struct str text, int64_t *id)
{
	text_id name = trace_text_quoted(&t->texts, text);

	*id = TRACE_TEXT_ID + (int64_t)name;
	return name != 0;
}

/* ==== trace phase ====
 *
 * Sends an event to the file that keeps it, by its phase. To handle another phase, add a row in
 * `phases` and a function. Phases without a row are counted as unknown. */

static bool on_complete(struct trace *t, const struct trace_event *e)
{
	struct trace_thread *thread = trace_thread_get(t, e->pid, e->tid);
	enum meaning meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	struct track_slice slice = { .t0 = e->ts,
				     .offset = e->offset,
				     .end_offset = -1,
				     .group = e->has & HAS_CPU ? SLICE_GROUP_OF_CPU(e->cpu) : 0,
				     .color = trace_color(e) };
	int64_t dur = e->dur;

	if (!(e->has & HAS_DUR)) {
		builder_warn(t->b, WARN_DUR_MISSING, e->offset);
		dur = 0;
	} else if (dur < 0) {
		builder_warn(t->b, WARN_DUR_NEGATIVE, e->offset);
		dur = 0;
	}
	slice.t1 = e->ts + dur;
	if (slice.t1 > t->last)
		t->last = slice.t1;
	thread->is_raster |= meaning == MEANS_RASTER;
	if (meaning == MEANS_COMMIT_LOAD)
		trace_page_event(t, e);
	else if (meaning == MEANS_PRIORITY)
		trace_network_event(t, e);
	else if (trace_run_is_meant(e, meaning))
		slice.frame = trace_run_frame(t, e);
	if (slice.frame == FRAME_NONE)
		slice.frame = trace_frame_of(t, trace_frame_name(t, e));
	if (meaning == MEANS_TIMER)
		trace_run_timer(t, thread, &slice);
	else
		track_builder_slice(t->b, trace_thread_slices(t, thread), &slice);
	if (e->has & (FLOWS_IN | FLOWS_OUT)) {
		/* A slice that is a point of a flow. */
		if (!e->bind_id)
			builder_warn(t->b, WARN_FLOW_ID, e->offset);
		else
			track_builder_flow(
				t->b,
				&(struct track_flow){ .flow = e->bind_id,
						      .pid = e->pid,
						      .tid = e->tid,
						      .t = e->ts,
						      .kind = !(e->has & FLOWS_IN) ? FLOW_START
							      : e->has & FLOWS_OUT ? FLOW_STEP
										   : FLOW_END });
	}
	if (t->texts.has_served &&
	    trace_text_get(&t->texts, trace_resolve_category(t, e))->served == TRACE_SERVED_RUN)
		trace_served_event(t, e, TRACE_SERVED_RUN);
	return true;
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
		trace_mark_add(t, mark_track(t, &p->timings, e->pid, LANE_NO_ID, "User timing"), e,
			       trace_frame_of_mark(t, trace_frame_name(t, e)));
	trace_milestone_event(t, e);
}

static bool on_instant(struct trace *t, const struct trace_event *e)
{
	enum meaning meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	struct str value[TRACE_MEMBERS];
	frame_id frame = FRAME_NONE;
	uint32_t track;

	if (meaning >= MEANS_WILL_SEND && meaning <= MEANS_BLOCKING)
		trace_network_event(t, e);
	switch (meaning) {
	case MEANS_STARTED_IN_BROWSER:
	case MEANS_STARTED_IN_PAGE:
	case MEANS_FRAME_COMMITTED:
	case MEANS_WORKER_SESSION:
		trace_page_event(t, e);
		break;
	case MEANS_NAVIGATION_START:
		trace_page_event(t, e);
		trace_milestone_event(t, e);
		break;
	case MEANS_STOP_PROFILING:
		(void)trace_cpu_event(t, e);
		break;
	case MEANS_CPU_PROFILE:
		return trace_cpu_event(t, e);
	case MEANS_COUNTERS:
		if (trace_counter_update(t, e))
			return true;
		break;
	case MEANS_TIME_STAMP:
		if (trace_custom_time_stamp(t, e))
			return true;
		break;
	default:
		if (meaning > MEANS_NAVIGATION_START)
			trace_milestone_event(t, e);
		break;
	}
	if (trace_text_get(&t->texts, trace_resolve_category(t, e))->is_user_timing &&
	    meaning < MEANS_NAVIGATION) {
		on_user_timing(t, e);
		return true;
	}
	/* R is a milestone of the page, whatever thread reports it. */
	track = e->s == 'g' ? trace_mark_all(t)
		: e->s == 'p' || (e->ph == 'R' && e->s != 't')
		? (across(t,
			  mark_track(t, &trace_process_get(t, e->pid)->marks, e->pid, LANE_NO_ID,
				     "Marks")))
		: trace_mark_thread(t, e);
	if (trace_initiator_is_meant(meaning) && e->args.len &&
	    trace_run_members(t, e, false, value))
		frame = trace_initiator_add(t, e, value);
	trace_mark_add(t, track, e, frame ? frame : trace_frame_of_mark(t, trace_frame_name(t, e)));
	return true;
}

static bool on_sample(struct trace *t, const struct trace_event *e)
{
	unsigned meaning = trace_text_get(&t->texts, e->name)->meaning;

	return meaning == MEANS_PROFILE || meaning == MEANS_CHUNK ? trace_cpu_event(t, e)
								  : on_instant(t, e);
}

static bool on_flow(struct trace *t, const struct trace_event *e)
{
	text_id cat = trace_resolve_category(t, e);
	uint64_t flow = trace_mix(trace_mix(e->id, cat), e->name);
	enum flow_kind kind = e->ph == 's' ? FLOW_START : e->ph == 't' ? FLOW_STEP : FLOW_END;
	struct track_flow point;

	if (e->id_kind == ID_LOCAL)
		flow = trace_mix(flow, (uint64_t)e->pid);
	point = (struct track_flow){ .flow = flow,
				     .pid = e->pid,
				     .tid = e->tid,
				     .t = e->ts,
				     .kind = kind,
				     .is_next = e->ph == 'f' && e->bp != 'e' };
	if (e->id_kind == ID_NONE)
		builder_warn(t->b, WARN_FLOW_ID, e->offset);
	else if (trace_text_get(&t->texts, cat)->is_debugger)
		trace_initiator_flow(t, &point);
	else
		track_builder_flow(t->b, &point);
	return true;
}

/* Memory dumps, clocks, contexts and links of ids: marks of their thread. trace_phase_finish()
 * notes how many have no time. */
static bool on_rare(struct trace *t, const struct trace_event *e)
{
	if (!(e->has & HAS_TS))
		return true;
	t->by_phase[(unsigned char)e->ph]--;
	t->first = e->ts < t->first ? e->ts : t->first;
	t->last = e->ts > t->last ? e->ts : t->last;
	trace_mark_add(t, trace_mark_thread(t, e), e,
		       trace_frame_of_mark(t, trace_frame_name(t, e)));
	return true;
}

typedef bool phase_fn(struct trace *t, const struct trace_event *e);

static const struct phase_rule {
	phase_fn *run;
	bool is_timed; /* it needs a time, which counts for the range of the trace */
} phases[128] = {
	['X'] = { on_complete, true },      ['B'] = { trace_pairs_add, true },
	['E'] = { trace_pairs_add, true },  ['I'] = { on_instant, true },
	['i'] = { on_instant, true },       ['R'] = { on_instant, true },
	['P'] = { on_sample, true },        ['C'] = { trace_counter_event, true },
	['b'] = { trace_async_add, true },  ['n'] = { trace_async_add, true },
	['e'] = { trace_async_add, true },  ['S'] = { trace_async_add, true },
	['T'] = { trace_async_add, true },  ['p'] = { trace_async_add, true },
	['F'] = { trace_async_add, true },  ['s'] = { on_flow, true },
	['t'] = { on_flow, true },          ['f'] = { on_flow, true },
	['N'] = { trace_object_add, true }, ['O'] = { trace_object_add, true },
	['D'] = { trace_object_add, true }, ['M'] = { trace_names_metadata, false },
	['V'] = { on_rare, false },         ['v'] = { on_rare, false },
	['c'] = { on_rare, false },         ['('] = { on_rare, false },
	[')'] = { on_rare, false },         ['='] = { on_rare, false },
};

/* Warn about an unknown phase. The first event of each letter names it. */
static bool unknown_phase(struct trace *t, const struct trace_event *e)
{
	char detail[16] = "";

	if (!e->ph && !(e->has & HAS_PHASE))
		return builder_warn(t->b, WARN_ODD_EVENT, e->offset);
	if (e->ph && t->by_phase[(unsigned char)e->ph] == 1) {
		BUF_LOCAL letter = { 0 };

		text_visible(&letter, &e->ph, 1);
		snprintf(detail, sizeof detail, "%s", buf_text(&letter));
	}
	return builder_warn_text(t->b, WARN_UNKNOWN_PHASE, e->offset,
				 detail[0] ? detail : "no single letter");
}

/* Note the phases that are not drawn. */
static void trace_phase_finish(struct trace *t)
{
	char count[UNITS_MAX];

	for (unsigned c = 1; c < 256; c++) {
		if (!t->by_phase[c] ||
		    (c < ARRAY_LEN(phases) && phases[c].run && phases[c].run != on_rare))
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

/* Send an event to the file that keeps it. */
static bool trace_phase_run(struct trace *t, const struct trace_event *e)
{
	const struct phase_rule *phase = (unsigned char)e->ph < 128 ? &phases[(unsigned char)e->ph]
								    : &phases[0];
	unsigned meaning;

	t->by_phase[(unsigned char)e->ph]++;
	if (!phase->run)
		return unknown_phase(t, e);
	if (e->has & HAS_TEXT_TIME)
		builder_warn(t->b, WARN_NUMBER_TEXT, e->offset);
	if (!phase->is_timed)
		return phase->run(t, e);
	if (!(e->has & HAS_TS))
		return builder_warn(t->b,
				    e->has & HAS_ODD_TIME ? WARN_TIME_RANGE : WARN_TIME_MISSING,
				    e->offset);
	if ((e->has & (HAS_PID | HAS_TID)) != (HAS_PID | HAS_TID))
		builder_warn(t->b, WARN_NO_IDS, e->offset);
	if (e->ts < t->first)
		t->first = e->ts;
	if (e->ts > t->last)
		t->last = e->ts;
	if (e->has & (HAS_STACK | HAS_END_STACK))
		trace_stack_use(t, e);
	meaning = trace_text_get(&t->texts, e->name)->meaning;
	if (meaning >= MEANS_LAYER && meaning <= MEANS_COMMIT)
		trace_frame_event(t, e);
	return phase->run(t, e);
}

/* ==== trace events ====
 *
 * Reads the events of a trace one after another (list_walk.h). During the walk only keep() uses
 * struct trace, except for `s`, because it may run on another thread. */

struct events {
	struct trace *t;
	struct trace_event batch[LIST_WALK_BATCHES][LIST_WALK_MAX];
};

#define AHEAD 4u /* events */

/* The events of a batch were last used by the thread that keeps them. Fetch the room of one of the
 * next events, so that writing to it does not wait for another processor. */
static inline void fetch(const struct trace_event *batch, size_t i)
{
	const char *room = (const char *)(batch + (i + AHEAD < LIST_WALK_MAX ? i + AHEAD : i));

	for (size_t at = 0; at < 192; at += 64)
		__builtin_prefetch(room + at, 1);
}

static enum list_walk_taken take(void *ctx, unsigned b, size_t i, struct cursor *c, int64_t offset)
{
	struct events *events = ctx;
	struct trace_event *e = &events->batch[b][i];

	fetch(events->batch[b], i);
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
	/* Find the numbers of its texts. */
	e->name = e->name_text.len ? trace_text_raw(&t->texts, e->name_text, e->is_name_escaped)
				   : 0;
	if ((e->has & HAS_PID_TEXT) && resolve_id(t, e->pid_text, &e->pid))
		e->has |= HAS_PID;
	if ((e->has & HAS_TID_TEXT) && resolve_id(t, e->tid_text, &e->tid))
		e->has |= HAS_TID;
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

/* Read the events of a list from the byte after its bracket on; is_bare: of a document without
 * brackets, with events one after another. False on errors; the events before t->good_end are
 * kept. */
static bool trace_events_read(struct trace *t, bool is_bare)
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

/* ==== trace ==== */

#define HEAD ((size_t)4096) /* bytes that show what a document is */
#define UNIT_MAX 4096       /* bytes of displayTimeUnit */

/* ---- the other members ---- */

/* Skip a member, and note its name and size. */
static bool skip_member(void *ctx, struct str key)
{
	struct trace *t = ctx;
	char name[40];
	int64_t from = scan_offset(t->s);

	snprintf(name, sizeof name, "%.*s", key.len > 32 ? 32 : (int)key.len, key.p);
	if (!scan_skip(t->s))
		return false;
	if (t->form == TRACE_MESSAGES)
		return true;
	if (trace_may_note(t))
		builder_input_note(t->b, true, "member %s (%s) not shown", name,
				   units_bytes(scan_offset(t->s) - from, UNITS_ROOM));
	return true;
}

static bool read_events(void *ctx)
{
	struct trace *t = ctx;

	return scan_open(t->s, '[') && trace_events_read(t, false);
}

/* `ns` or `ms`: the unit in which the writer wants times to be shown. */
static bool read_unit(void *ctx)
{
	struct trace *t = ctx;
	struct str raw;

	if (scan_peek(t->s) != '"')
		return scan_skip(t->s);
	if (!scan_raw(t->s, UNIT_MAX, &raw))
		return false;
	if (str_is(raw, "\"ns\""))
		track_builder_show_ns(t->b);
	return true;
}

/* ---- messages ---- */

static bool read_method(void *ctx)
{
	struct trace *t = ctx;
	struct str raw;

	if (t->form != TRACE_MESSAGES || scan_peek(t->s) != '"')
		return skip_member(t, (struct str){ "method", 6 });
	if (!scan_raw(t->s, UNIT_MAX, &raw))
		return false;
	t->is_other = !str_is(raw, "\"Tracing.dataCollected\"");
	return true;
}

/* Read the CPU profile of a message, which is the reply to Profiler.stop, or tells that the page
 * has ended one. Profiles of another kind are not shown. */
static bool read_profile(struct trace *t)
{
	const struct file_hints hints = { .pid = LANE_NO_ID, .tid = LANE_NO_ID, .seq = -1 };
	struct outline *outline;
	struct str head;
	uint32_t first;
	bool is_cpu;

	if (!scan_window(t->s, HEAD, &head))
		return false;
	outline = xmalloc(sizeof *outline);
	outline_look(outline, head.p, head.len, head.len < HEAD);
	is_cpu = reader_cpuprofile.sniff(outline) > 0;
	free(outline);
	if (!is_cpu && trace_may_note(t))
		builder_input_note(t->b, true, "a profile that is no CPU profile, not shown");
	if (!is_cpu)
		return scan_skip(t->s);
	trace_cpu_park(t);
	first = track_builder_lanes(t->b);
	if (!cpuprofile_read_value(t->s, t->b, &hints, t->err))
		return false;
	/* Events alone, as an export copies them, would lack it. */
	track_builder_sample_list(t->b, first);
	t->n_profiles++;
	return true;
}

/* Read `params` or `result` of a message. */
static bool read_content(struct trace *t, bool has_events)
{
	bool is_first = true;
	struct str key;

	if (!scan_open(t->s, '{'))
		return false;
	while (scan_key(t->s, &is_first, &key)) {
		bool is_events = has_events && str_is(key, "value"), is_profile = false, ok;

		if (str_is(key, "profile"))
			is_profile = scan_peek(t->s) == '{';
		is_events = is_events && scan_peek(t->s) == '[';
		ok = is_profile ? read_profile(t) : is_events ? read_events(t) : scan_skip(t->s);
		if (!ok)
			return false;
	}
	return t->err->kind == ERR_NONE;
}

static bool read_params(void *ctx)
{
	struct trace *t = ctx;

	if (t->form != TRACE_MESSAGES || scan_peek(t->s) != '{')
		return skip_member(t, (struct str){ "params", 6 });
	return read_content(t, !t->is_other);
}

static bool read_result(void *ctx)
{
	struct trace *t = ctx;

	return scan_peek(t->s) == '{' ? read_content(t, false) : scan_skip(t->s);
}

static void begin(void *ctx)
{
	struct trace *t = ctx;

	t->is_other = false;
}

static const struct document_member members[] = {
	{ "traceEvents", '[', .read = read_events },
	{ "stackFrames", '{', .read = trace_stack_frames_read },
	{ "samples", '[', .read = trace_samples_read },
	{ "metadata", '{', .read = trace_metadata_read },
	{ "displayTimeUnit", .read = read_unit },
	{ "method", .read = read_method },
	{ "params", .read = read_params },
	{ .name = NULL },
};

/* Replies between the messages may have members of the same names as a trace has. */
static const struct document_member message_members[] = {
	{ "method", .read = read_method },
	{ "params", .read = read_params },
	{ "result", .read = read_result },
	{ .name = NULL },
};

/* ---- the document ---- */

static bool is_found(void *ctx)
{
	const struct trace *t = ctx;

	return t->has_events;
}

static bool has_any(const struct trace *t)
{
	return t->has_events || t->has_before || t->has_samples || t->n_profiles;
}

static bool is_usable(void *ctx)
{
	return has_any(ctx);
}

static bool read_list(void *ctx, bool is_bare)
{
	return trace_events_read(ctx, is_bare);
}

/* Read the events of one file. */
static bool read_file(struct trace *t)
{
	const struct documents documents = { .s = t->s,
					     .b = t->b,
					     .err = &t->err,
					     .ctx = t,
					     .noun = "trace",
					     .members = t->form == TRACE_MESSAGES ? message_members
										  : members,
					     .other = skip_member,
					     .is_found = is_found,
					     .begin = begin,
					     .is_usable = is_usable,
					     .good_end = &t->good_end,
					     .list = t->form == TRACE_MESSAGES ? NULL : read_list,
					     .is_bare = t->form == TRACE_BARE,
					     .is_joined = true };

	return documents_read(&documents);
}

/* In the order in which they finish. */
static const struct trace_part *const parts[] = {
	&trace_names_part,     &trace_entry_part,  &trace_pairs_part, &trace_initiator_part,
	&trace_async_part,     &trace_object_part, &trace_stack_part, &trace_custom_part,
	&trace_network_part,   &trace_frame_part,  &trace_cpu_part,   &trace_samples_part,
	&trace_milestone_part, &trace_served_part,
};

/* Pass all that needs the whole trace to the builder. */
static bool finish(struct trace *t)
{
	if (!has_any(t))
		return error_set(
			t->err, ERR_FORMAT, 0,
			t->form == TRACE_MESSAGES
				? "no message is Tracing.dataCollected or has a CPU profile"
				: "the trace has no traceEvents");
	builder_accept_empty(t->b);
	if (t->n_events == 0 && !t->has_samples && !t->n_profiles)
		builder_warn(t->b, WARN_NO_EVENTS, -1);
	trace_phase_finish(t);
	for (size_t i = 0; i < ARRAY_LEN(parts) && t->err->kind == ERR_NONE; i++)
		parts[i]->finish(t);
	return t->err->kind == ERR_NONE;
}

/* Whether the first object may be a message of the DevTools protocol, or a reply. */
static bool is_message(const struct outline *outline)
{
	return outline_has(outline, "method", '"') || outline_has(outline, "params", '{') ||
		(outline_has(outline, "id", 0) &&
		 (outline_has(outline, "result", '{') || outline_has(outline, "error", '{')));
}

static bool has_text(const struct outline *outline, const char *text)
{
	return memmem(outline->text, outline->len, text, strlen(text)) != NULL;
}

static int trace_sniff(const struct outline *outline)
{
	/* Any messages may come before those with events. */
	if (is_message(outline) && has_text(outline, "\"Tracing.dataCollected\""))
		return 92;
	/* They may come after the text that was examined. */
	if (is_message(outline) && outline->is_whole &&
	    (!outline->is_all || has_text(outline, "\"profile\"")))
		return 20;
	if (outline_has(outline, "traceEvents", '['))
		return 95;
	if (outline->top == '[')
		return !outline->element                ? (outline->is_whole ? 50 : 0)
			: outline_has(outline, "ph", 0) ? 95
							: 0;
	if (outline_has(outline, "ph", '"'))
		return 40;
	return outline_has(outline, "stackFrames", '{') && outline_has_list(outline, "samples", "{")
		? 60
		: 0;
}

static void trace_done(struct trace *t)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (parts[i]->free)
			parts[i]->free(t);
	free(t->threads);
	free(t->processes);
	hash_table_done(&t->thread_index);
	hash_table_done(&t->process_index);
	trace_text_done(&t->texts);
	json_tree_done(&t->tree);
}

enum trace_form trace_form_of(struct scan *s)
{
	enum trace_form form = TRACE_ENCLOSED;
	ALLOC_LOCAL struct outline *outline = NULL;
	struct str head;

	if (!scan_peek(s) || !scan_window(s, 4096, &head))
		return form;
	outline = xmalloc(sizeof *outline);
	outline_look(outline, head.p, head.len, head.len < 4096);
	if (outline_has(outline, "traceEvents", 0))
		form = TRACE_ENCLOSED;
	else if (outline_has(outline, "ph", '"'))
		form = outline->top == '{' ? TRACE_BARE : TRACE_ENCLOSED;
	else if (is_message(outline))
		form = TRACE_MESSAGES;
	return form;
}

static void trace_init(struct trace *t, struct builder *b, struct error *err)
{
	*t = (struct trace){ .b = b,
			     .err = err,
			     .first = INT64_MAX,
			     .last = INT64_MIN,
			     .next_entry = UINT64_MAX,
			     .odd_args = -1 };
	track_builder_zero_is_void(b);
	t->most_pairs = builder_most(b, TRACE_PAIRS_MAX);
	trace_text_init(&t->texts);
}

static bool trace_read(struct scan *s, struct builder *b, const struct file_hints *hints,
		       struct error *err)
{
	struct trace t;
	bool ok;

	(void)hints;
	trace_init(&t, b, err);
	t.s = s;
	t.form = trace_form_of(s);
	ok = read_file(&t) && finish(&t);
	trace_done(&t);
	return ok;
}

static bool trace_read_files(const struct reader_files *files, struct builder *b, struct error *err)
{
	struct trace t;
	bool ok;

	trace_init(&t, b, err);
	while ((t.s = files->next(files->ctx)) != NULL) {
		t.has_before |= t.has_events;
		t.has_events = false;
		t.good_end = scan_offset(t.s);
		t.form = trace_form_of(t.s);
		(void)read_file(&t);
	}
	ok = err->kind == ERR_NONE && finish(&t);
	trace_done(&t);
	return ok;
}

const struct reader reader_trace = {
	.name = "trace",
	.help = "Chrome trace events (DevTools Performance saves, chrome://tracing, "
		"node_trace.*.log, Hermes)",
	.members = "method params id traceEvents ph stackFrames",
	.sniff = trace_sniff,
	.read = trace_read,
	.read_files = trace_read_files,
};
