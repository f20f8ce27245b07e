/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event is copied byte by byte, except for the number of its own member `ts`, and unless the
 * copy would be no valid JSON. What is far from all others is not copied, as it was not loaded. */
#include "config.h"

#include "reader/trace/trace_copy.h"

#include "base/buf.h"
#include "base/stream.h"
#include "json/cursor.h"
#include "json/json_repair.h"
#include "json/json_tree.h"
#include "json/outline.h"
#include "json/scan.h"
#include "model/input_place.h"
#include "reader/trace/trace.h"

#include <string.h>

#define WRAPPER_DEPTH 8

struct copy {
	const struct input *in;
	struct scan s;
	struct error *err;
	int64_t shift;
	bool (*pass)(void *ctx, const char *event, size_t len);
	void *ctx;
	struct buf moved, repaired;
	uint64_t n_passed;
	bool is_stopped, has_events;
};

static bool is_time(struct str key)
{
	struct buf text = { 0 };
	bool is;

	if (!memchr(key.p, '\\', key.len))
		return str_is(key, "ts");
	is = json_tree_decode(key.p - 1, key.len + 2, &text) && strcmp(buf_text(&text), "ts") == 0;
	buf_done(&text);
	return is;
}

/* Find the value of the event's own `ts`. */
static bool find_time(struct str event, struct str *value)
{
	struct cursor c = cursor_of(event);
	bool is_first = true, is_found = false;
	struct str key, raw;

	c.p++;
	while (cursor_key(&c, &is_first, &key) && cursor_raw(&c, &raw)) {
		if (!is_time(key))
			continue;
		*value = raw;
		is_found = true;
	}
	return is_found;
}

/* Append a time in microseconds. Printing by hand, because an export does it for each event. */
static void add_time(struct buf *out, int64_t ns)
{
	uint64_t abs = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;
	char text[32];
	size_t at = sizeof text;

	for (int i = 0; i < 4 || abs > 0; i++) {
		if (i == 3)
			text[--at] = '.';
		text[--at] = (char)('0' + abs % 10);
		abs /= 10;
	}
	if (ns < 0)
		text[--at] = '-';
	buf_add(out, text + at, sizeof text - at);
}

/* A number of microseconds, perhaps in quotes. */
static bool parse_time(struct str digits, int64_t *ns)
{
	enum number_kind kind;

	if (digits.len >= 2 && digits.p[0] == '"')
		digits = (struct str){ digits.p + 1, digits.len - 2 };
	return json_number_parse(digits.p, digits.len, 3, ns, &kind) && kind != NUMBER_HUGE;
}

/* Copy the event to c->moved, with its time moved. False: it stays as it is. */
static bool move(struct copy *c, struct str event)
{
	struct str value;
	int64_t ns, to;

	if (!find_time(event, &value) || !parse_time(value, &ns))
		return false;
	if (__builtin_add_overflow(ns, c->shift, &to))
		return false;
	/* In a trace whose clock is moved back to its start, an event at time 0 has no time. */
	if (ns == 0 && c->shift < 0)
		return false;
	buf_clear(&c->moved);
	buf_add(&c->moved, event.p, (size_t)(value.p - event.p));
	add_time(&c->moved, to);
	buf_add(&c->moved, value.p + value.len,
		(size_t)(event.p + event.len - (value.p + value.len)));
	return true;
}

/* Whether loading left an event out because it is far from all others. Metadata have no time, and
 * profiles have one for each sample. */
static bool is_stray(const struct copy *c, struct str event)
{
	struct str phase, value;
	int64_t ts, dur = 0, end;

	if (!c->in->has_kept || !cursor_find(event, "ph", &phase) || str_is(phase, "\"M\"") ||
	    str_is(phase, "\"P\"") || !find_time(event, &value) || !parse_time(value, &ts))
		return false;
	if (str_is(phase, "\"X\"") && cursor_find(event, "dur", &value) &&
	    (!parse_time(value, &dur) || dur < 0))
		dur = 0;
	return ts > c->in->kept_t1 ||
		(!__builtin_add_overflow(ts, dur, &end) && end < c->in->kept_t0);
}

/* The event as it is written: valid, and at its time. What it borrows is valid until the next
 * call. */
static struct str prepare(struct copy *c, struct str event)
{
	if (json_repair_is_needed(event)) {
		buf_clear(&c->repaired);
		json_repair(event, &c->repaired);
		/* A cursor may look at bytes past the end. */
		event.len = c->repaired.len;
		for (int i = 0; i < CURSOR_PAD; i++)
			buf_addc(&c->repaired, ' ');
		event.p = buf_text(&c->repaired);
	}
	if (c->shift && move(c, event))
		event = (struct str){ buf_text(&c->moved), c->moved.len };
	return event;
}

/* Pass the event at the scanner. */
static bool copy_event(struct copy *c)
{
	struct str event;

	if (!scan_raw(&c->s, TRACE_EVENT_MOST, &event))
		return false;
	if (is_stray(c, event))
		return true;
	event = prepare(c, event);
	c->is_stopped = !c->pass(c->ctx, event.p, event.len);
	c->n_passed++;
	return true;
}

static bool copy_events(struct copy *c)
{
	bool is_first = true;

	if (!scan_open(&c->s, '['))
		return false;
	c->has_events = true;
	while (!c->is_stopped && scan_element(&c->s, &is_first))
		if (scan_peek(&c->s) == '{' ? !copy_event(c) : !scan_skip(&c->s))
			return false;
	return c->err->kind == ERR_NONE;
}

/* Events one after another, perhaps with commas. */
static bool copy_bare(struct copy *c)
{
	c->has_events = true;
	while (!c->is_stopped && scan_peek(&c->s) == '{') {
		if (!copy_event(c))
			return false;
		if (scan_peek(&c->s) == ',')
			c->s.p++;
	}
	return c->err->kind == ERR_NONE;
}

static bool copy_members(struct copy *c, int depth)
{
	bool is_first = true, ok = true;
	struct str key;

	if (!scan_open(&c->s, '{'))
		return false;
	while (ok && !c->is_stopped && scan_key(&c->s, &is_first, &key)) {
		if (str_is(key, "traceEvents") && scan_peek(&c->s) == '[')
			ok = copy_events(c);
		else if (depth < WRAPPER_DEPTH && !c->has_events &&
			 outline_is_wrapper(key.p, key.len) && scan_peek(&c->s) == '{')
			ok = copy_members(c, depth + 1);
		else
			ok = scan_skip(&c->s);
	}
	return ok && c->err->kind == ERR_NONE;
}

/* The events of a message are the list `value` of its `params`; other messages have no such list of
 * objects. */
static bool copy_message(struct copy *c, int depth)
{
	bool is_first = true, ok = true;
	struct str key;

	if (!scan_open(&c->s, '{'))
		return false;
	while (ok && !c->is_stopped && scan_key(&c->s, &is_first, &key)) {
		if (depth == 0 && str_is(key, "params") && scan_peek(&c->s) == '{')
			ok = copy_message(c, 1);
		else if (depth == 1 && str_is(key, "value") && scan_peek(&c->s) == '[')
			ok = copy_events(c);
		else
			ok = scan_skip(&c->s);
	}
	return ok && c->err->kind == ERR_NONE;
}

static bool copy_messages(struct copy *c)
{
	bool is_first = true;

	if (scan_peek(&c->s) == '{')
		return copy_message(c, 0);
	if (!scan_open(&c->s, '['))
		return false;
	while (!c->is_stopped && scan_element(&c->s, &is_first))
		if (scan_peek(&c->s) == '{' ? !copy_message(c, 0) : !scan_skip(&c->s))
			return false;
	return c->err->kind == ERR_NONE;
}

/* Several documents in one file are one trace. */
static void copy_documents(struct copy *c)
{
	enum trace_form form = trace_form_of(&c->s);
	bool ok = true;
	int b;

	while (ok && !c->is_stopped && ((b = scan_peek(&c->s)) == '[' || b == '{')) {
		if (form == TRACE_MESSAGES)
			ok = copy_messages(c);
		else if (b == '[')
			ok = copy_events(c);
		else
			ok = form == TRACE_BARE ? copy_bare(c) : copy_members(c, 0);
	}
}

/* What the end of the copy means for the whole of it. */
static bool conclude(struct copy *c, struct stream *stream)
{
	struct error changed = ERROR_INIT;
	enum error_kind kind;

	if (c->is_stopped)
		return true;
	/* A file that has changed may have any error, or none. */
	if (!stream_compare(stream, &changed))
		*c->err = changed;
	kind = c->err->kind;
	if (kind == ERR_NONE && c->has_events)
		return true;
	if (kind != ERR_NONE && kind != ERR_SYNTAX)
		return false;
	/* Loading kept the events before the error, so the copy ends with them, too. */
	*c->err = (struct error)ERROR_INIT;
	return c->n_passed || error_set(c->err, ERR_UNKNOWN, -1, "no list of events");
}

static bool is_trace(const struct input *input)
{
	return input->format && strcmp(input->format, "trace") == 0;
}

bool trace_copy_is_lost(const struct input *input)
{
	return is_trace(input) && !input_place_file(input, 0).print->is_known;
}

static bool copy_file(struct copy *c, const char *path, const struct fingerprint *print)
{
	struct stream *stream = stream_open_again(path, print, NULL, c->err);
	bool ok;

	if (!stream)
		return false;
	scan_init(&c->s, stream, c->err);
	c->has_events = false;
	copy_documents(c);
	ok = conclude(c, stream);
	scan_done(&c->s);
	stream_close(stream);
	return ok;
}

bool trace_copy(const struct profile *profile, uint32_t input, int64_t shift_ns,
		bool (*pass)(void *ctx, const char *event, size_t len), void *ctx,
		struct error *err)
{
	const struct input *in = &profile->inputs[input];
	struct copy c = { .in = in, .err = err, .shift = shift_ns, .pass = pass, .ctx = ctx };
	bool ok = true;

	if (!is_trace(in) || trace_copy_is_lost(in))
		return error_set(err, ERR_UNKNOWN, -1, "no trace in a file");
	for (size_t i = 0; ok && !c.is_stopped && i < input_place_files(in); i++) {
		struct input_place place = input_place_file(in, i);

		ok = copy_file(&c, profile_text(profile, place.path), place.print);
	}
	buf_done(&c.moved);
	buf_done(&c.repaired);
	return ok;
}
