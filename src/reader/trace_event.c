/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event taken apart: its members are told by length and first letters, and nothing
 * is decoded but what every event has. `args` and whatever is unknown is passed over;
 * where `args` lies is noted, for the few events that need theirs. */
#include "config.h"

#include "reader/trace.h"

#include <string.h>

/* A number or a string as a key for ids: equal text, equal hash. */
static bool read_id(struct cursor *c, uint64_t *id, struct slice *id_text)
{
	struct slice text = { NULL, 0 };
	bool has_escape;
	int b = cursor_peek(c);

	if (b == '"') {
		if (!cursor_string(c, &text, &has_escape))
			return false;
	} else if (!cursor_raw(c, &text)) {
		return false;
	}
	*id_text = text;
	*id = b == 'n' || b == '{' || b == '[' ? 0 : hash_bytes(text.p, text.len) | 1;
	return true;
}

/* id2: {"local": "0x1"} or {"global": "0x1"}. */
static bool read_id2(struct cursor *c, struct event *e)
{
	bool is_first = true;
	struct slice key;

	if (cursor_peek(c) != '{')
		return cursor_skip(c);
	c->p++;
	while (cursor_key(c, &is_first, &key)) {
		bool is_local = cursor_is(key, "local");

		if (!is_local && !cursor_is(key, "global")) {
			if (!cursor_skip(c))
				return false;
			continue;
		}
		if (!read_id(c, &e->id, &e->id_text))
			return false;
		if (e->id)
			e->id_kind = is_local ? ID_LOCAL : ID_GLOBAL;
	}
	return !c->why && !c->is_cut;
}

static bool read_text(struct trace *t, struct cursor *c, text_id *id)
{
	struct slice text;
	bool has_escape;
	int b = cursor_peek(c);

	*id = 0;
	if (b == '"') {
		if (!cursor_string(c, &text, &has_escape))
			return false;
		*id = texts_of_raw(&t->texts, text, has_escape);
		return true;
	}
	if (!cursor_raw(c, &text))
		return false;
	if (b == '-' || (b >= '0' && b <= '9'))
		*id = texts_add(&t->texts, text.p, text.len);
	return true;
}

/* Most events never need theirs: it becomes a text in event_category(). */
static bool read_category(struct cursor *c, struct event *e)
{
	e->cat_text = (struct slice){ NULL, 0 };
	if (cursor_peek(c) != '"')
		return cursor_skip(c);
	return cursor_string(c, &e->cat_text, &e->is_cat_escaped);
}

text_id event_category(struct trace *t, const struct event *e)
{
	return e->cat_text.len ? texts_of_raw(&t->texts, e->cat_text, e->is_cat_escaped) : 0;
}

/* The one letter of a string; 0 for anything else. */
static bool read_letter(struct cursor *c, char *letter)
{
	struct slice text;
	bool has_escape;

	*letter = '\0';
	if (cursor_peek(c) != '"')
		return cursor_skip(c);
	if (!cursor_string(c, &text, &has_escape))
		return false;
	if (text.len == 1)
		*letter = *text.p;
	return true;
}

static bool read_time(struct cursor *c, int64_t *ns, unsigned *has, unsigned bit)
{
	enum number_kind kind;
	bool is_text;

	if (!cursor_number(c, 3, ns, &kind, &is_text))
		return false;
	if (is_text)
		*has |= HAS_TEXT_TIME;
	*has &= ~bit;
	if (kind == NUMBER_NONE)
		return true;
	if (kind == NUMBER_HUGE || *ns > TRACE_TIME_MAX || *ns < -TRACE_TIME_MAX) {
		*has |= HAS_ODD_TIME;
		return true;
	}
	*has |= bit;
	return true;
}

static bool read_thread_id(struct trace *t, struct cursor *c, int64_t *id, unsigned *has, unsigned bit)
{
	enum number_kind kind;
	bool is_text;
	const unsigned char *from;
	int b = cursor_peek(c);

	from = c->p;
	if (!cursor_number(c, 0, id, &kind, &is_text))
		return false;
	*has &= ~bit;
	if (kind == NUMBER_INTEGER) {
		*has |= bit;
	} else if (b == '"' || kind == NUMBER_ROUNDED || kind == NUMBER_HUGE) {
		struct slice text = { (const char *)from + (b == '"'), (size_t)(c->p - from) - (b == '"' ? 2 : 0) };
		text_id name = texts_add(&t->texts, text.p, text.len);

		*id = TRACE_TEXT_ID + (int64_t)name;
		if (name)
			*has |= bit;
	}
	return true;
}

static bool read_bare_string(struct cursor *c, struct slice *text)
{
	bool has_escape;

	if (cursor_peek(c) != '"')
		return cursor_skip(c);
	return cursor_string(c, text, &has_escape);
}

static bool read_true(struct cursor *c, struct event *e, unsigned bit)
{
	if (cursor_peek(c) == 't')
		e->has |= bit;
	return cursor_skip(c);
}

static bool key_is(struct slice key, const char *rest, size_t from)
{
	return memcmp(key.p + from, rest, key.len - from) == 0;
}

static bool read_plain_id(struct cursor *c, struct event *e)
{
	if (!read_id(c, &e->id, &e->id_text))
		return false;
	if (e->id)
		e->id_kind = ID_PLAIN;
	return true;
}

/* Members whose names have four letters or fewer: nearly all. */
static bool read_short_member(struct trace *t, struct cursor *c, struct event *e, struct slice key)
{
	switch (key.len) {
	case 1:
		return *key.p == 's' ? read_letter(c, &e->s) : cursor_skip(c);
	case 2:
		if (key_is(key, "ph", 0)) {
			e->has |= HAS_PHASE;
			return read_letter(c, &e->ph);
		}
		if (key_is(key, "ts", 0))
			return read_time(c, &e->ts, &e->has, HAS_TS);
		if (key_is(key, "id", 0))
			return read_plain_id(c, e);
		return key_is(key, "bp", 0) ? read_letter(c, &e->bp) : cursor_skip(c);
	case 3:
		if (key_is(key, "pid", 0))
			return read_thread_id(t, c, &e->pid, &e->has, HAS_PID);
		if (key_is(key, "tid", 0))
			return read_thread_id(t, c, &e->tid, &e->has, HAS_TID);
		if (key_is(key, "cat", 0))
			return read_category(c, e);
		if (key_is(key, "dur", 0))
			return read_time(c, &e->dur, &e->has, HAS_DUR);
		return key_is(key, "id2", 0) ? read_id2(c, e) : cursor_skip(c);
	case 4:
		if (key_is(key, "name", 0))
			return read_text(t, c, &e->name);
		return key_is(key, "args", 0) ? cursor_raw(c, &e->args) : cursor_skip(c);
	default:
		return cursor_skip(c);
	}
}

static bool read_member(struct trace *t, struct cursor *c, struct event *e, struct slice key)
{
	struct slice none;

	if (key.len <= 4)
		return read_short_member(t, c, e, key);
	if (cursor_is(key, "scope"))
		return read_id(c, &e->scope, &none);
	if (cursor_is(key, "cname"))
		return read_bare_string(c, &e->cname);
	if (cursor_is(key, "bind_id"))
		return read_id(c, &e->bind_id, &none);
	if (cursor_is(key, "flow_in"))
		return read_true(c, e, FLOWS_IN);
	if (cursor_is(key, "flow_out"))
		return read_true(c, e, FLOWS_OUT);
	return cursor_skip(c);
}

enum parsed event_parse(struct trace *t, struct cursor *c, struct event *e)
{
	bool is_first = true;
	struct slice key;

	*e = (struct event){ .offset = e->offset };
	c->p++;
	while (cursor_key(c, &is_first, &key))
		if (!read_member(t, c, e, key))
			return c->why ? PARSED_BAD : PARSED_CUT;
	return c->why ? PARSED_BAD : c->is_cut ? PARSED_CUT : PARSED;
}
