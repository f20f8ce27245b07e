/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slices run, by their args: FunctionCall a function, EvaluateScript a file, EventDispatch the
 * listeners of an event. Such a slice is called by that (struct frame, `event`). Only the args of
 * events with such a name are looked at, in one pass each. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/json/json_repair.h"

#include <string.h>

static const struct {
	const char *name;
	size_t len;
	enum trace_member member;
} members[] = {
	/* Sorted by length: see member_of(). */
	{ "id", 2, TRACE_ID },
	{ "url", 3, TRACE_URL },
	{ "type", 4, TRACE_TYPE },
	{ "frame", 5, TRACE_PAGE_FRAME },
	{ "taskId", 6, TRACE_TASK_ID },
	{ "timerId", 7, TRACE_TIMER_ID },
	{ "traceId", 7, TRACE_TRACE_ID },
	{ "fileName", 8, TRACE_URL },
	{ "scriptId", 8, TRACE_SCRIPT },
	{ "lineNumber", 10, TRACE_LINE },
	{ "stackTrace", 10, TRACE_STACK },
	{ "identifier", 10, TRACE_IDENTIFIER },
	{ "singleShot", 10, TRACE_SINGLE_SHOT },
	{ "functionName", 12, TRACE_FUNCTION },
	{ "columnNumber", 12, TRACE_COLUMN },
	{ "styleSheetUrl", 13, TRACE_URL },
};

#define LONGEST 13

/* TRACE_MEMBERS: it is none of them. */
static enum trace_member member_of(struct str key)
{
	/* The first one of each length, or of a greater one. */
	static const unsigned char first[LONGEST + 1] = { 0, 0, 0, 1, 2,  3,  4,
							  5, 7, 9, 9, 13, 13, 15 };

	if (key.len <= LONGEST)
		for (size_t m = first[key.len]; m < ARRAY_LEN(members); m++) {
			if (members[m].len != key.len)
				break;
			if (memcmp(key.p, members[m].name, key.len) == 0)
				return members[m].member;
		}
	for (size_t m = 0; m < ARRAY_LEN(members) && memchr(key.p, '\\', key.len); m++)
		if (json_key_is(key, members[m].name))
			return members[m].member;
	return TRACE_MEMBERS;
}

/* Pass a value: as cursor_raw(), and faster for short texts and digits. */
static bool read_value(struct cursor *c, struct str *raw)
{
	const char *from = (const char *)c->p;
	bool has_escape;

	if (*from == '"' ? !cursor_string(c, raw, &has_escape) : !cursor_skip_digits(c))
		return *from != '"' && cursor_raw(c, raw);
	*raw = (struct str){ from, (size_t)((const char *)c->p - from) };
	return true;
}

/* Find the values of all members in one pass. False: the object is damaged. */
static bool read_members(struct str object, struct str *value)
{
	struct cursor c = cursor_of(object);
	bool is_first = true;
	struct str key, raw;

	memset(value, 0, TRACE_MEMBERS * sizeof *value);
	if (cursor_peek(&c) != '{')
		return false;
	/* The object ends by its brace, which was found when the args were passed. What is after it
	 * may be looked at, so its last members are read as fast as the others. */
	c.end += CURSOR_PAD;
	c.p++;
	while (cursor_key(&c, &is_first, &key)) {
		enum trace_member m = member_of(key);

		if (!read_value(&c, &raw))
			return false;
		if (m < TRACE_MEMBERS)
			value[m] = raw;
	}
	return !c.why && !c.is_cut;
}

bool trace_run_members(struct trace *t, const struct trace_event *e, bool is_needed,
		       struct str *value)
{
	struct str args = e->args, object;
	/* Nearly all begin so: then no member is looked for, and the object ends by itself. */
	size_t at = str_begins(args, "{\"data\":{")    ? 8
		: str_begins(args, "{\"beginData\":{") ? 13
						       : 0;
	bool has_data = at != 0;

	object = (struct str){ args.p + at, args.len - at };
	if (!at && args.len && memmem(args.p, args.len, "ata\"", 4))
		has_data = trace_event_find(t, e, args, "data", &object) ||
			trace_event_find(t, e, args, "beginData", &object);
	if (!read_members(object, value) && is_needed && json_repair_is_needed(object))
		trace_event_no_value_needed(t, e);
	return has_data;
}

/* A line or column; 0: there is none. */
static int32_t number_of(struct str raw)
{
	enum number_kind kind;
	int64_t value;

	if (raw.len > 1 && raw.p[0] == '"')
		raw = (struct str){ raw.p + 1, raw.len - 2 };
	return raw.len && json_number_parse(raw.p, raw.len, 0, &value, &kind) &&
			kind == NUMBER_INTEGER && value > 0 && value <= INT32_MAX
		? (int32_t)value
		: 0;
}

static struct str text_of(struct trace *t, struct str raw)
{
	/* Script ids are numbers or texts. */
	if (raw.len && raw.p[0] >= '0' && raw.p[0] <= '9')
		return raw;
	return trace_text_str(&t->texts, trace_text_string(t, raw));
}

static void set_place(struct trace *t, const struct str *value, struct track_run *run)
{
	run->script = text_of(t, value[TRACE_SCRIPT]);
	run->line = number_of(value[TRACE_LINE]);
	run->column = number_of(value[TRACE_COLUMN]);
}

/* The name and place of what a slice runs. False: the values do not say. */
static bool run_of(struct trace *t, enum meaning meaning, const struct str *value,
		   struct track_run *run)
{
	if (meaning == MEANS_DISPATCH) {
		run->name = text_of(t, value[TRACE_TYPE]);
		return run->name.len > 0;
	}
	run->url = text_of(t, value[TRACE_URL]);
	if (meaning == MEANS_CALL) {
		run->name = text_of(t, value[TRACE_FUNCTION]);
		set_place(t, value, run);
		if (!run->name.len && run->url.len)
			run->name = (struct str){ "(anonymous)", 11 };
		return run->name.len > 0;
	}
	if (meaning == MEANS_SCRIPT) {
		set_place(t, value, run);
		run->script = (struct str){ NULL, 0 };
		/* Releases that count from 0 say so of scripts that are a whole file. */
		run->line += value[TRACE_LINE].len && !run->line;
	}
	run->is_plain = meaning == MEANS_PARSE;
	return run->url.len > 0;
}

void trace_run_top(struct trace *t, struct str stack, struct track_run *run)
{
	struct cursor c = cursor_of(stack);
	struct str top, value[TRACE_MEMBERS];

	if (cursor_peek(&c) != '[')
		return;
	c.p++;
	if (cursor_peek(&c) != '{' || !cursor_raw(&c, &top) || !read_members(top, value))
		return;
	run->url = text_of(t, value[TRACE_URL]);
	set_place(t, value, run);
}

/* ---- timers ---- */

void trace_run_timer_pass(struct trace *t, struct trace_thread *thread)
{
	if (thread->has_timer)
		track_builder_slice(t->b, trace_thread_slices(t, thread), &thread->timer);
	thread->has_timer = false;
}

void trace_run_timer(struct trace *t, struct trace_thread *thread, const struct track_slice *slice)
{
	trace_run_timer_pass(t, thread);
	thread->timer = *slice;
	thread->has_timer = true;
}

/* The first call in a timer is what the timer runs. */
static void name_timer(struct trace *t, const struct trace_event *e, struct track_run run)
{
	struct trace_thread *thread = trace_thread_get(t, e->pid, e->tid);

	if (!thread->has_timer || e->ts < thread->timer.t0 || e->ts >= thread->timer.t1)
		return;
	run.event = trace_frame_of(t, trace_text_add(&t->texts, "TimerFire", 9));
	run.cat = trace_text_str(&t->texts, trace_resolve_category(t, e));
	thread->timer.frame = track_builder_run(t->b, &run);
	trace_run_timer_pass(t, thread);
}

/* The frame, which is looked up if it is none of the last ones. Equal texts are at one place. */
static frame_id known(struct trace *t, const struct trace_event *e, struct track_run *run)
{
	uint64_t hash = trace_mix(trace_mix((uintptr_t)run->name.p, (uintptr_t)run->url.p),
				  (uint64_t)run->line << 32 | run->event);
	struct trace_run *last = &t->runs[hash % ARRAY_LEN(t->runs)];

	if (last->frame && last->name == run->name.p && last->url == run->url.p &&
	    last->line == run->line && last->column == run->column && last->event == run->event &&
	    (run->url.len || !run->script.len))
		return last->frame;
	run->cat = trace_text_str(&t->texts, trace_resolve_category(t, e));
	*last = (struct trace_run){ run->name.p, run->url.p, run->line,
				    run->column, run->event, track_builder_run(t->b, run) };
	return last->frame;
}

frame_id trace_run_frame(struct trace *t, const struct trace_event *e)
{
	enum meaning meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	bool is_run = meaning >= MEANS_CALL && meaning <= MEANS_PARSE;
	struct str value[TRACE_MEMBERS];
	struct track_run run = { 0 };

	if (trace_run_members(t, e, is_run, value) &&
	    (meaning == MEANS_FILE || meaning == MEANS_TIMER || trace_initiator_is_meant(meaning)))
		trace_initiator_add(t, e, value);
	if (!is_run || !run_of(t, meaning, value, &run))
		return FRAME_NONE;
	run.event = trace_frame_of_event(t, e);
	if (meaning == MEANS_CALL)
		name_timer(t, e, run);
	return known(t, e, &run);
}

text_id trace_run_request(struct trace *t, const struct trace_event *e)
{
	static const char *const names[] = { "method", "url", "path", "statusCode" };
	struct str data, raw;
	struct buf text = { 0 };
	text_id id;

	if (trace_text_get(&t->texts, e->name)->meaning != MEANS_HTTP || !e->args.len ||
	    !trace_event_find(t, e, e->args, "data", &data))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (trace_event_find(t, e, data, names[i], &raw)) {
			raw = text_of(t, raw);
			buf_adds(&text, text.len ? " " : "");
			buf_add(&text, raw.p, raw.len);
		}
	id = text.len ? trace_text_add(&t->texts, buf_text(&text), text.len) : 0;
	buf_done(&text);
	return id;
}
