/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slices run, by their args: FunctionCall a function, EvaluateScript a file, EventDispatch the
 * listeners of an event. Such a slice is called by that (struct frame, `event`). Only the args of
 * events with such a name are looked at, in one pass each. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/hash.h"
#include "base/json/json_repair.h"

#include <string.h>

/* A row of its own for the length of each name and its first two letters: a row that two names had
 * would be a warning. */
#define ROW(len, a, b) (((len) + 2 * (a) + (b)) % 64)

static const struct {
	const char *name;
	size_t len;
	enum trace_member member;
} members[64] = {
	[ROW(2, 'i', 'd')] = { "id", 2, TRACE_ID },
	[ROW(3, 'u', 'r')] = { "url", 3, TRACE_URL },
	[ROW(4, 'd', 'a')] = { "data", 4, TRACE_DATA },
	[ROW(4, 't', 'y')] = { "type", 4, TRACE_TYPE },
	[ROW(5, 'f', 'r')] = { "frame", 5, TRACE_PAGE_FRAME },
	[ROW(6, 't', 'a')] = { "taskId", 6, TRACE_TASK_ID },
	[ROW(7, 't', 'i')] = { "timerId", 7, TRACE_TIMER_ID },
	[ROW(7, 't', 'r')] = { "traceId", 7, TRACE_TRACE_ID },
	[ROW(8, 'f', 'i')] = { "fileName", 8, TRACE_URL },
	[ROW(8, 's', 'c')] = { "scriptId", 8, TRACE_SCRIPT },
	[ROW(9, 'b', 'e')] = { "beginData", 9, TRACE_BEGIN_DATA },
	[ROW(10, 'l', 'i')] = { "lineNumber", 10, TRACE_LINE },
	[ROW(10, 's', 't')] = { "stackTrace", 10, TRACE_STACK },
	[ROW(10, 'i', 'd')] = { "identifier", 10, TRACE_IDENTIFIER },
	[ROW(10, 's', 'i')] = { "singleShot", 10, TRACE_SINGLE_SHOT },
	[ROW(12, 'f', 'u')] = { "functionName", 12, TRACE_FUNCTION },
	[ROW(12, 'c', 'o')] = { "columnNumber", 12, TRACE_COLUMN },
	[ROW(13, 's', 't')] = { "styleSheetUrl", 13, TRACE_URL },
};

/* TRACE_MEMBERS: it is none of them. */
static enum trace_member member_of(struct str key)
{
	size_t m = ROW(key.len, (unsigned char)key.p[0], (unsigned char)key.p[1]);

	if (members[m].len == key.len && key.len && hash_same(members[m].name, key.p, key.len))
		return members[m].member;
	for (m = 0; m < ARRAY_LEN(members) && memchr(key.p, '\\', key.len); m++)
		if (members[m].name && json_key_is(key, members[m].name))
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

/* A key as it stood in the file after some other member, with its comma and colon. */
struct known_key {
	unsigned char text[16];
	uint8_t len, member; /* len 0: none */
};

/* Pass a key. known: of the last object with the same member before: most objects have the same
 * members in the same order. False: there are no more, or the object is damaged. */
static inline bool pass_key(struct cursor *c, struct known_key *known, bool *is_first,
			    enum trace_member *member)
{
	const unsigned char *from = c->p;
	bool is_near_end = c->end - from < (ptrdiff_t)sizeof known->text;
	struct str key;

	if (known->len && !is_near_end && cursor_is_at(from, known->text, known->len)) {
		c->p += known->len;
		*is_first = false;
		*member = known->member;
		return true;
	}
	if (!cursor_key(c, is_first, &key))
		return false;
	*member = member_of(key);
	if (!is_near_end && (size_t)(c->p - from) <= sizeof known->text) {
		memcpy(known->text, from, sizeof known->text);
		known->len = (uint8_t)(c->p - from);
		known->member = (uint8_t)*member;
	}
	return true;
}

/* Find the values of all members in one pass. limit: the end of the text that the object is a part
 * of, which has found its end by its brace: what is after that may be looked at, so that the last
 * members are read as fast as the others. False: the object is damaged. */
static bool read_members(struct str object, const unsigned char *limit, struct str *value)
{
	static _Thread_local struct known_key known[TRACE_MEMBERS + 2]; /* by the member before */
	struct cursor c = cursor_of(object);
	bool is_first = true;
	struct str raw;
	enum trace_member m, before = TRACE_MEMBERS + 1;

	memset(value, 0, TRACE_MEMBERS * sizeof *value);
	if (cursor_peek(&c) != '{')
		return false;
	c.end = limit;
	c.p++;
	while (pass_key(&c, &known[before], &is_first, &m)) {
		if (!read_value(&c, &raw))
			return false;
		if (m < TRACE_MEMBERS)
			value[m] = raw;
		before = m;
	}
	return !c.why && !c.is_cut;
}

bool trace_run_members(struct trace *t, const struct trace_event *e, bool is_needed,
		       struct str *value)
{
	struct str args = e->args, object;
	/* Nearly all begin so: then the object ends by itself. */
	size_t at = str_begins(args, "{\"data\":{")    ? 8
		: str_begins(args, "{\"beginData\":{") ? 13
						       : 0;
	bool has_data = at != 0, is_whole;

	object = (struct str){ args.p + at, args.len - at };
	is_whole = read_members(object, e->limit, value);
	if (!at && (value[TRACE_DATA].len || value[TRACE_BEGIN_DATA].len)) {
		if (!is_whole)
			trace_event_no_value_needed(t, e);
		object = value[TRACE_DATA].len ? value[TRACE_DATA] : value[TRACE_BEGIN_DATA];
		is_whole = read_members(object, e->limit, value);
		has_data = true;
	}
	if (!is_whole && is_needed && json_repair_is_needed(object))
		trace_event_no_value_needed(t, e);
	return has_data;
}

/* A line or column; 0: there is none. */
static int32_t number_of(struct str raw)
{
	enum number_kind kind;
	uint64_t digits;
	int64_t value;

	/* Eight bytes of the file can be read from each value. */
	if (raw.len && raw.len < 8 && (raw.p[0] != '0' || raw.len == 1) &&
	    digits_read((const unsigned char *)raw.p, &digits) == raw.len)
		return (int32_t)digits;
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

/* The script is as in the file, until the frame is made. */
static void set_place(const struct str *value, struct track_run *run)
{
	run->script = value[TRACE_SCRIPT];
	run->line = number_of(value[TRACE_LINE]);
	run->column = number_of(value[TRACE_COLUMN]);
}

/* The name and place of what a slice runs. False: the values do not say. */
static bool run_of(struct trace *t, const struct trace_event *e, enum meaning meaning,
		   const struct str *value, struct track_run *run)
{
	struct str name;

	if (meaning == MEANS_TASK) {
		if (trace_event_find(t, e, e->args, "taskName", &name))
			run->name = text_of(t, name);
		run->is_plain = true;
		return true;
	}
	if (meaning == MEANS_DISPATCH) {
		run->name = text_of(t, value[TRACE_TYPE]);
		return run->name.len > 0;
	}
	run->url = text_of(t, value[TRACE_URL]);
	if (meaning == MEANS_CALL) {
		run->name = text_of(t, value[TRACE_FUNCTION]);
		set_place(value, run);
		if (!run->name.len && run->url.len)
			run->name = (struct str){ "(anonymous)", 11 };
		return run->name.len > 0;
	}
	if (meaning == MEANS_SCRIPT) {
		set_place(value, run);
		run->script = (struct str){ NULL, 0 };
		/* Releases that count from 0 say so of scripts that are a whole file. */
		run->line += value[TRACE_LINE].len && !run->line;
	}
	run->is_plain = meaning == MEANS_PARSE;
	return run->url.len > 0;
}

void trace_run_top(struct trace *t, const struct trace_event *e, struct str stack,
		   struct track_run *run)
{
	struct cursor c = cursor_of(stack);
	struct str top, value[TRACE_MEMBERS];

	if (cursor_peek(&c) != '[')
		return;
	c.p++;
	if (cursor_peek(&c) != '{' || !cursor_raw(&c, &top) || !read_members(top, e->limit, value))
		return;
	run->url = text_of(t, value[TRACE_URL]);
	set_place(value, run);
	run->script = text_of(t, run->script);
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
	run->script = text_of(t, run->script);
	run->cat = trace_text_str(&t->texts, trace_resolve_category(t, e));
	*last = (struct trace_run){ run->name.p, run->url.p, run->line,
				    run->column, run->event, track_builder_run(t->b, run) };
	return last->frame;
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
	thread->timer.frame = known(t, e, &run);
	trace_run_timer_pass(t, thread);
}

frame_id trace_run_frame(struct trace *t, const struct trace_event *e)
{
	enum meaning meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	bool is_run = meaning >= MEANS_CALL && meaning <= MEANS_TASK;
	struct str value[TRACE_MEMBERS];
	struct track_run run = { 0 };
	frame_id frame;

	if (meaning == MEANS_TASK_RUN) {
		trace_initiator_task(t, e, FRAME_NONE);
		return FRAME_NONE;
	}
	if (trace_run_members(t, e, is_run, value) &&
	    (meaning == MEANS_FILE || meaning == MEANS_TIMER || trace_initiator_is_meant(meaning)))
		trace_initiator_add(t, e, value);
	if (!is_run || !run_of(t, e, meaning, value, &run))
		return FRAME_NONE;
	run.event = trace_frame_of_event(t, e);
	if (meaning == MEANS_CALL)
		name_timer(t, e, run);
	frame = known(t, e, &run);
	if (meaning == MEANS_TASK)
		trace_initiator_task(t, e, frame);
	return frame;
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
