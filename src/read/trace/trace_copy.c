/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event is copied byte by byte, except for the number of its own member `ts`, and unless the
 * copy would be no valid JSON. What is far from all others is not copied, as it was not loaded. The
 * other members of the document are copied by another reading, in pieces, so that none of them is
 * in memory as a whole. */
#include "config.h"

#include "read/trace/trace_copy.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/json/json_repair.h"
#include "base/json/scan.h"
#include "base/stream/stream.h"
#include "model/profile.h"
#include "read/documents.h"
#include "read/trace/trace.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMES_DEPTH 256 /* of breadcrumbs; times below it are not moved */

struct copy {
	const struct input *in;
	struct scan s;
	struct error *err;
	int64_t shift;
	/* Called with each event, with visit_ctx; NULL: the other members are passed. */
	bool (*visit)(void *ctx, int64_t offset, struct str event);
	void *visit_ctx;
	bool (*pass)(void *ctx, const char *text, size_t len);
	void *ctx;
	struct buf moved, repaired;
	uint64_t n_passed;
	bool is_stopped, has_events;
	bool is_other;             /* the message is no Tracing.dataCollected */
	struct intern *seen;       /* keys of members that are not passed */
	bool is_copied;            /* the members stand beside the events of the file */
	const char *modifications; /* in place of those of the file; empty: none */
};

static bool is_time(struct str key)
{
	BUF_LOCAL text = { 0 };

	if (!memchr(key.p, '\\', key.len))
		return str_is(key, "ts");
	return json_tree_decode(key.p - 1, key.len + 2, &text) &&
		strcmp(buf_text(&text), "ts") == 0;
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

/* ---- members ---- */

/* Values down to this depth are passed in pieces. */
#define PIECES_DEPTH 4

static void pass_text(struct copy *c, const char *text, size_t len)
{
	c->is_stopped = c->is_stopped || !c->pass(c->ctx, text, len);
}

/* Pass the comma unless it is the first of its container, and the key if there is one. */
static void pass_key(struct copy *c, bool *is_first, const char *comma, const struct str *key)
{
	BUF_LOCAL text = { 0 }, repaired = { 0 };

	buf_adds(&text, *is_first ? "" : comma);
	*is_first = false;
	if (key) {
		size_t from = text.len;
		struct str quoted;

		buf_addc(&text, '"');
		buf_add(&text, key->p, key->len);
		buf_addc(&text, '"');
		quoted = (struct str){ buf_text(&text) + from, text.len - from };
		if (json_repair_is_needed(quoted)) {
			json_repair(quoted, &repaired);
			text.len = from;
			buf_add(&text, buf_text(&repaired), repaired.len);
		}
		buf_addc(&text, ':');
	}
	pass_text(c, buf_text(&text), text.len);
}

/* A container that is open. */
struct pieces {
	bool is_list, is_first; /* is_first: nothing of it was passed */
	bool is_modified;       /* within `modifications` */
	bool is_begun;          /* some of it was read */
};

/* Begin the next value: a container of *depth + 1, or a value that is passed whole. */
static bool begin_value(struct copy *c, struct pieces *open, int *depth, bool is_modified,
			bool is_time)
{
	/* Breadcrumbs are nested, one in another. */
	int most = is_modified ? TIMES_DEPTH : PIECES_DEPTH, b = scan_peek(&c->s);

	if ((b != '{' && b != '[') || *depth + 1 >= most) {
		struct str raw;
		enum number_kind kind;
		int64_t ns, to;

		/* Pass a value whole. */
		if (!scan_raw(&c->s, TRACE_EVENT_MAX, &raw))
			return false;
		if (json_repair_is_needed(raw)) {
			buf_clear(&c->repaired);
			json_repair(raw, &c->repaired);
			raw = (struct str){ buf_text(&c->repaired), c->repaired.len };
		}
		if (is_time && c->shift && json_number_parse(raw.p, raw.len, 3, &ns, &kind) &&
		    kind != NUMBER_HUGE && !__builtin_add_overflow(ns, c->shift, &to)) {
			buf_clear(&c->moved);
			add_time(&c->moved, to);
			raw = (struct str){ buf_text(&c->moved), c->moved.len };
		}
		pass_text(c, raw.p, raw.len);
		return true;
	}
	if (!scan_open(&c->s, (char)b))
		return false;
	open[++*depth] = (struct pieces){ b == '[', true, is_modified, false };
	pass_text(c, b == '[' ? "[" : "{", 1);
	return true;
}

/* The file ends or is wrong within a value: what was passed becomes valid. is_missing: a value is
 * due. Returns false. */
static bool end_early(struct copy *c, const struct pieces *open, int depth, bool is_missing)
{
	if (is_missing)
		pass_text(c, "null", 4);
	for (; depth >= 0; depth--)
		pass_text(c, open[depth].is_list ? "]" : "}", 1);
	return false;
}

/* Pass the value of a member in pieces. */
static bool pass_value(struct copy *c, bool is_metadata)
{
	struct pieces open[TIMES_DEPTH];
	int depth = -1;
	struct str key = { 0 };

	if (!begin_value(c, open, &depth, false, false))
		return end_early(c, open, depth, true);
	while (depth >= 0 && !c->is_stopped) {
		struct pieces *top = &open[depth];
		bool is_modified = top->is_modified, is_time = false, was_first = !top->is_begun;
		bool has_more = top->is_list ? scan_element(&c->s, &was_first)
					     : scan_key(&c->s, &was_first, &key);

		top->is_begun = true;
		if (!has_more) {
			if (is_metadata && depth == 0 && *c->modifications) {
				pass_text(c, ",\n", top->is_first ? 0 : 2);
				pass_text(c, c->modifications, strlen(c->modifications));
			}
			pass_text(c, top->is_list ? "]" : "}", 1);
			depth--;
			if (c->err->kind != ERR_NONE)
				return end_early(c, open, depth, false);
			continue;
		}
		if (!top->is_list) {
			/* Of a range that the user chose. */
			is_time = is_modified && (str_is(key, "min") || str_is(key, "max"));
			is_modified |= is_metadata && depth == 0 && str_is(key, "modifications");
		}
		/* They name events by their numbers in the file. */
		if (is_modified && (!c->is_copied || *c->modifications)) {
			if (!scan_skip(&c->s))
				return end_early(c, open, depth, false);
			continue;
		}
		pass_key(c, &top->is_first, depth > 0 ? "," : ",\n", top->is_list ? NULL : &key);
		if (!begin_value(c, open, &depth, is_modified, is_time))
			return end_early(c, open, depth, true);
	}
	return true;
}

/* Pass a member, or skip it if its key was seen. */
static bool pass_member(struct copy *c, struct str key)
{
	bool is_metadata = str_is(key, "metadata"), is_first = false;
	size_t n = c->seen->n;

	if (!c->is_copied && str_is(key, "stackFrames"))
		return scan_skip(&c->s);
	/* They are written as a profile. */
	if ((!c->is_copied || c->in->has_sample_list) && str_is(key, "samples"))
		return scan_skip(&c->s);
	intern_add(c->seen, key.p, key.len);
	if (c->seen->n == n)
		return scan_skip(&c->s);
	pass_key(c, &is_first, ",\n", &key);
	return pass_value(c, is_metadata);
}

/* ---- events ---- */

/* Metadata name events by their numbers, so that an event that is left out keeps its number. */
#define PLACEHOLDER                                                                                \
	"{\"ph\":\"M\",\"pid\":0,\"tid\":0,\"ts\":0,\"cat\":\"__metadata\","                       \
	"\"name\":\"left_out\",\"args\":{}}"

/* Pass an event on. */
static bool pass_event(void *ctx, int64_t offset, struct str event)
{
	struct copy *c = ctx;

	(void)offset;
	if (!is_stray(c, event))
		event = prepare(c, event);
	else if (c->in->has_metadata)
		event = (struct str){ PLACEHOLDER, sizeof PLACEHOLDER - 1 };
	else
		return true;
	return c->pass(c->ctx, event.p, event.len);
}

/* Visit the event at the scanner. */
static bool copy_event(struct copy *c)
{
	int64_t offset = scan_offset(&c->s);
	struct str event;

	if (!scan_raw(&c->s, TRACE_EVENT_MAX, &event))
		return false;
	c->is_stopped = !c->visit(c->visit_ctx, offset, event);
	c->n_passed++;
	return true;
}

/* Copy the events of a list, from the byte after its bracket on; is_bare: events one after another,
 * perhaps with commas. */
static bool copy_list(void *ctx, bool is_bare)
{
	struct copy *c = ctx;
	bool is_first = true;

	c->has_events = true;
	c->n_passed += c->seen != NULL;
	while (!c->is_stopped &&
	       (is_bare ? scan_peek(&c->s) == '{' : scan_element(&c->s, &is_first))) {
		if (c->seen || scan_peek(&c->s) != '{' ? !scan_skip(&c->s) : !copy_event(c))
			return false;
		if (is_bare && scan_peek(&c->s) == ',')
			c->s.p++;
	}
	return !c->is_stopped && c->err->kind == ERR_NONE;
}

static bool copy_events(void *ctx)
{
	struct copy *c = ctx;

	return scan_open(&c->s, '[') && copy_list(c, false);
}

static bool copy_other(void *ctx, struct str key)
{
	struct copy *c = ctx;

	return (c->seen ? pass_member(c, key) : scan_skip(&c->s)) && !c->is_stopped;
}

static bool copy_method(void *ctx)
{
	struct copy *c = ctx;
	struct str raw;

	if (scan_peek(&c->s) != '"')
		return scan_skip(&c->s);
	if (!scan_raw(&c->s, TRACE_EVENT_MAX, &raw))
		return false;
	c->is_other = !str_is(raw, "\"Tracing.dataCollected\"");
	return true;
}

/* The events of a message Tracing.dataCollected are the list `value` of its `params`. */
static bool copy_params(void *ctx)
{
	struct copy *c = ctx;
	bool is_first = true, ok = scan_open(&c->s, '{');
	struct str key;

	while (ok && scan_key(&c->s, &is_first, &key))
		ok = !c->is_other && str_is(key, "value") && scan_peek(&c->s) == '['
			? copy_events(c)
			: scan_skip(&c->s);
	return ok && c->err->kind == ERR_NONE;
}

static void begin_document(void *ctx)
{
	((struct copy *)ctx)->is_other = false;
}

static bool has_events(void *ctx)
{
	return ((const struct copy *)ctx)->has_events;
}

static const struct document_member members[] = {
	{ "traceEvents", '[', .read = copy_events },
	{ .name = NULL },
};

static const struct document_member message_members[] = {
	{ "method", .read = copy_method },
	{ "params", '{', .read = copy_params },
	{ .name = NULL },
};

/* Several documents in one file are one trace. What is read fails where copying stops; conclude()
 * tells what that means. */
static void copy_documents(struct copy *c)
{
	enum trace_form form = trace_form_of(&c->s);
	bool is_messages = form == TRACE_MESSAGES;
	const struct documents documents = { .s = &c->s,
					     .err = &c->err,
					     .ctx = c,
					     .noun = "trace",
					     .members = is_messages ? message_members : members,
					     .other = copy_other,
					     .is_found = has_events,
					     .begin = begin_document,
					     .list = is_messages ? NULL : copy_list,
					     .is_bare = form == TRACE_BARE,
					     .is_joined = true };

	/* These have events only. */
	if (c->seen && (is_messages || form == TRACE_BARE)) {
		c->has_events = true;
		c->n_passed++;
		return;
	}
	(void)documents_read(&documents);
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

/* Frames are in the order of the inputs. */
bool trace_copy_has_other_frames(const struct profile *p, uint32_t input)
{
	bool is_second = false;

	for (size_t i = 0; i < p->n_stack_frames; i++) {
		uint32_t owner = p->stack_frames[i].input;

		if (owner == input)
			return is_second;
		is_second = true;
	}
	return false;
}

static bool copy_file(struct copy *c, const char *path, const struct fingerprint *print,
		      struct progress *progress)
{
	struct stream *stream = stream_open_again(path, print, progress, c->err);
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

static bool copy_files(struct copy *c, const struct profile *profile, uint32_t input)
{
	const struct input *in = &profile->inputs[input];
	bool ok = true;

	if (!is_trace(in) || trace_copy_is_lost(in))
		return error_set(c->err, ERR_UNKNOWN, -1, "no trace in a file");
	if ((!c->seen || c->is_copied) && trace_copy_has_other_frames(profile, input))
		return error_set(c->err, ERR_UNKNOWN, -1, "frames that are not copied");
	for (size_t i = 0; ok && !c->is_stopped && i < input_place_files(in); i++) {
		struct input_place place = input_place_file(in, i);

		ok = copy_file(c, profile_text(profile, place.path), place.print, NULL);
	}
	buf_done(&c->moved);
	buf_done(&c->repaired);
	return ok;
}

bool trace_copy(const struct profile *profile, uint32_t input, int64_t shift_ns,
		bool (*pass)(void *ctx, const char *event, size_t len), void *ctx,
		struct error *err)
{
	struct copy c = { .in = &profile->inputs[input],
			  .err = err,
			  .shift = shift_ns,
			  .visit = pass_event,
			  .visit_ctx = &c,
			  .pass = pass,
			  .ctx = ctx };

	return copy_files(&c, profile, input);
}

bool trace_copy_visit(const char *path, const struct fingerprint *print, struct progress *progress,
		      bool (*visit)(void *ctx, int64_t offset, struct str event), void *ctx,
		      struct error *err)
{
	struct copy c = { .err = err, .visit = visit, .visit_ctx = ctx };

	return copy_file(&c, path, print, progress);
}

bool trace_copy_members(const struct profile *profile, uint32_t input, bool is_copied,
			const char *notes, int64_t shift_ns, struct intern *seen,
			bool (*pass)(void *ctx, const char *text, size_t len), void *ctx,
			struct error *err)
{
	struct copy c = { .in = &profile->inputs[input],
			  .err = err,
			  .shift = shift_ns,
			  .pass = pass,
			  .ctx = ctx,
			  .seen = seen,
			  .modifications = notes,
			  .is_copied = is_copied };

	return copy_files(&c, profile, input);
}

/* ---- notes ---- */

/* The notes of an input, whose events are looked for. */
struct numbering {
	struct notes *notes;
	uint32_t input;
	uint64_t n;           /* events so far */
	uint64_t next_number; /* of the events that are looked for, */
	int64_t next_offset;  /* and the place of one */
};

/* Whether DevTools makes an entry of its own of an event. */
static bool is_source(struct str event)
{
	struct str cat, name;

	return (cursor_find(event, "cat", &cat) &&
		memmem(cat.p, cat.len, "blink.user_timing", 17)) ||
		(cursor_find(event, "name", &name) &&
		 (str_is(name, "\"ResourceSendRequest\"") || str_is(name, "\"Animation\"")));
}

/* Find the next event that a note names, by its number or by its place. False: there is none. */
static bool find_wanted(struct numbering *w, int64_t offset)
{
	w->next_number = UINT64_MAX;
	w->next_offset = INT64_MAX;
	for (size_t i = 0; i < w->notes->n; i++) {
		const struct user_note *note = &w->notes->list[i];
		uint64_t number = note->offset < 0 ? notes_number(note) : UINT64_MAX;

		if (note->input != w->input)
			continue;
		if (number >= w->n && number < w->next_number)
			w->next_number = number;
		if (!note->key && note->offset > offset && note->offset < w->next_offset)
			w->next_offset = note->offset;
	}
	return w->next_number != UINT64_MAX || w->next_offset != INT64_MAX;
}

/* Complete the notes that name this event. */
static bool number_event(void *ctx, int64_t offset, struct str event)
{
	struct numbering *w = ctx;
	struct str value;
	char key[24];

	if (w->n++ != w->next_number && offset != w->next_offset)
		return true;
	snprintf(key, sizeof key, "r-%" PRIu64, w->n - 1);
	for (size_t i = 0; i < w->notes->n; i++) {
		struct user_note *note = &w->notes->list[i];

		if (note->input != w->input)
			continue;
		if (note->offset < 0 && notes_number(note) == w->n - 1) {
			if (find_time(event, &value) && parse_time(value, &note->t))
				note->offset = offset;
		} else if (!note->key && note->offset == offset &&
			   (is_source(event) ||
			    (cursor_find(event, "ph", &value) && value.len == 3 &&
			     strchr("XBIiR", value.p[1])))) {
			*key = is_source(event) ? 's' : 'r';
			note->key = xstrdup(key);
		}
	}
	return find_wanted(w, offset);
}

void trace_copy_find_notes(const struct input *in, uint32_t input, const char *path,
			   struct notes *notes)
{
	struct error err = ERROR_INIT;
	struct numbering w = { .notes = notes, .input = input };
	struct copy c = { .err = &err, .visit = number_event, .visit_ctx = &w };

	/* A failure leaves them as they are. */
	if (find_wanted(&w, -1) && is_trace(in) && !in->parts && in->print.is_known)
		(void)copy_file(&c, path, &in->print, NULL);
}
