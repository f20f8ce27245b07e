/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slices run, by their args: FunctionCall a function, EvaluateScript a file, EventDispatch the
 * listeners of an event. Such a slice is called by that (struct frame, `event`). Only the args of
 * events with such a name are looked at, in one pass each. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/json/json_repair.h"

#include <string.h>

/* Members of args.data, or of args itself. */
enum member { FUNCTION, TYPE, URL, SCRIPT, LINE, COLUMN, MEMBERS };

static const struct {
	const char *name;
	size_t len;
	enum member member;
} members[] = {
	{ "functionName", 12, FUNCTION },
	{ "type", 4, TYPE },
	{ "url", 3, URL },
	{ "fileName", 8, URL },
	{ "styleSheetUrl", 13, URL },
	{ "scriptId", 8, SCRIPT },
	{ "lineNumber", 10, LINE },
	{ "columnNumber", 12, COLUMN },
};

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

	if (cursor_peek(&c) != '{')
		return false;
	c.p++;
	while (cursor_key(&c, &is_first, &key)) {
		size_t m = 0;

		while (m < ARRAY_LEN(members) &&
		       (key.len != members[m].len || memcmp(key.p, members[m].name, key.len) != 0))
			m++;
		if (!read_value(&c, &raw))
			return false;
		if (m < ARRAY_LEN(members))
			value[members[m].member] = raw;
	}
	return !c.why && !c.is_cut;
}

/* A line or column; 0: there is none. */
static int32_t number_of(struct str raw)
{
	enum number_kind kind;
	int64_t value;

	if (raw.len > 1 && raw.p[0] == '"')
		raw = (struct str){ raw.p + 1, raw.len - 2 };
	return json_number_parse(raw.p, raw.len, 0, &value, &kind) && kind == NUMBER_INTEGER &&
			value > 0 && value <= INT32_MAX
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
	run->script = text_of(t, value[SCRIPT]);
	run->line = number_of(value[LINE]);
	run->column = number_of(value[COLUMN]);
}

/* The name and place of what a slice runs. False: the values do not say. */
static bool run_of(struct trace *t, enum meaning meaning, const struct str *value,
		   struct track_run *run)
{
	if (meaning == MEANS_DISPATCH) {
		run->name = text_of(t, value[TYPE]);
		return run->name.len > 0;
	}
	run->url = text_of(t, value[URL]);
	if (meaning == MEANS_CALL) {
		run->name = text_of(t, value[FUNCTION]);
		set_place(t, value, run);
		if (!run->name.len && run->url.len)
			run->name = (struct str){ "(anonymous)", 11 };
		return run->name.len > 0;
	}
	if (meaning == MEANS_SCRIPT) {
		set_place(t, value, run);
		run->script = (struct str){ NULL, 0 };
		/* Releases that count from 0 say so of scripts that are a whole file. */
		run->line += value[LINE].len && !run->line;
	}
	run->is_plain = meaning == MEANS_PARSE;
	return run->url.len > 0;
}

void trace_run_top(struct trace *t, struct str stack, struct track_run *run)
{
	struct cursor c = cursor_of(stack);
	struct str top, value[MEMBERS] = { { NULL, 0 } };

	if (cursor_peek(&c) != '[')
		return;
	c.p++;
	if (cursor_peek(&c) != '{' || !cursor_raw(&c, &top) || !read_members(top, value))
		return;
	run->url = text_of(t, value[URL]);
	set_place(t, value, run);
}

/* Nearly all begin with `{"data":{` or `{"beginData":{`: then no member is looked for. */
bool trace_run_data(struct trace *t, const struct trace_event *e, struct str *data)
{
	struct str args = e->args;
	size_t at = str_begins(args, "{\"data\":{")    ? 8
		: str_begins(args, "{\"beginData\":{") ? 13
						       : 0;

	data->p = args.p + at;
	data->len = at ? cursor_flat_object((const unsigned char *)data->p,
					    (const unsigned char *)args.p + args.len + CURSOR_PAD)
		       : 0;
	return data->len ||
		(args.len && memmem(args.p, args.len, "ata\"", 4) &&
		 (trace_event_find(t, e, args, "data", data) ||
		  trace_event_find(t, e, args, "beginData", data)));
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
	thread->timer.frame = track_builder_run(t->b, &run);
	trace_run_timer_pass(t, thread);
}

/* The frame, which is looked up if it is none of the last ones. Equal texts are at one place. */
static frame_id known(struct trace *t, const struct track_run *run)
{
	uint64_t hash = trace_mix(trace_mix((uintptr_t)run->name.p, (uintptr_t)run->url.p),
				  (uint64_t)run->line << 32 | run->event);
	struct trace_run *last = &t->runs[hash % ARRAY_LEN(t->runs)];

	if (last->frame && last->name == run->name.p && last->url == run->url.p &&
	    last->line == run->line && last->column == run->column && last->event == run->event &&
	    (run->url.len || !run->script.len))
		return last->frame;
	*last = (struct trace_run){ run->name.p, run->url.p, run->line,
				    run->column, run->event, track_builder_run(t->b, run) };
	return last->frame;
}

frame_id trace_run_frame(struct trace *t, const struct trace_event *e)
{
	enum meaning meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	struct str object, value[MEMBERS] = { { NULL, 0 } };
	struct track_run run = { .event = trace_frame_of_event(t, e) };

	if (meaning == MEANS_FILE || meaning == MEANS_TIMER || trace_initiator_is_meant(meaning))
		trace_initiator_add(t, e);
	if (meaning < MEANS_CALL || meaning > MEANS_PARSE)
		return FRAME_NONE;
	if (!trace_run_data(t, e, &object))
		object = e->args;
	if (!read_members(object, value) && json_repair_is_needed(object))
		trace_event_no_value_needed(t, e);
	if (!run_of(t, meaning, value, &run))
		return FRAME_NONE;
	run.cat = trace_text_str(&t->texts, trace_resolve_category(t, e));
	if (meaning == MEANS_CALL)
		name_timer(t, e, run);
	return known(t, &run);
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
