/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text before the event is read and dropped, because the file may be compressed. An event
 * that json-c does not parse (it nests too deeply, is not JSON, or needs more memory than there is)
 * is shown as in the file. */
#include "config.h"

#include "read/trace/event.h"

#include "base/alloc.h"
#include "base/json/json_text.h"
#include "base/json/scan.h"
#include "base/stream/stream.h"
#include "base/stream/stream_skip.h"
#include "base/text.h"
#include "model/event_stack.h"
#include "model/input_place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RAW_MOST ((size_t)256 << 20)
#define EVENT_MOST ((size_t)256 << 10) /* shown of one event */
/* What json-c allocates: a table of 1 kB for each object, about 100 bytes for each value. */
#define ROOM_LEAST ((size_t)1 << 20)
#define ROOM_FACTOR 64u

static void add_lines(struct buf *out, const char *text, size_t len, size_t most)
{
	size_t from = out->len;

	while (len > 0) {
		const char *newline = memchr(text, '\n', len);
		size_t n = newline ? (size_t)(newline - text) : len,
		       left = most - (out->len - from);
		bool is_cut = n > left;

		if (is_cut) {
			/* Do not cut within a character. */
			for (n = left; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;)
				n--;
			newline = NULL;
		}
		text_visible(out, text, n);
		buf_addc(out, '\n');
		text += n + (newline ? 1 : 0);
		len -= n + (newline ? 1 : 0);
		if (len > 0 && (is_cut || out->len - from >= most)) {
			buf_addf(out, "... %zu more bytes\n", len);
			return;
		}
	}
}

/* A number or a string; "?": the text of any other value. */
static const char *text_of(struct json_object *o)
{
	enum json_type type = json_object_get_type(o);
	const char *text;

	if (type != json_type_string && type != json_type_int && type != json_type_double)
		return "?";
	text = json_object_get_string(o);
	if (!text)
		alloc_failed();
	return text;
}

/* Add the stack that a member names, if the event has it: a list of names, or the id of a frame. */
static bool add_stack(struct json_object *event, const char *member, bool is_at_end,
		      struct buf *out)
{
	struct json_object *stack;
	bool is_list;

	if (!json_object_object_get_ex(event, member, &stack) || !stack)
		return false;
	is_list = json_object_is_type(stack, json_type_array);
	event_stack_begin(out, is_at_end, !is_list);
	if (!is_list)
		event_stack_add(out, text_of(stack));
	for (size_t i = 0; is_list && i < json_object_array_length(stack); i++)
		event_stack_add(out, text_of(json_object_array_get_idx(stack, i)));
	event_stack_end(out);
	return true;
}

static void add_stacks(struct json_object *event, struct buf *out)
{
	if (!add_stack(event, "sf", false, out))
		add_stack(event, "stack", false, out);
	if (!add_stack(event, "esf", true, out))
		add_stack(event, "estack", true, out);
}

/* Whether json-c will have the memory for a text of this length. Versions before 0.17 crash when
 * they get none. */
static bool has_room(size_t len)
{
	void *room = alloc_if_room(ROOM_LEAST + ROOM_FACTOR * len);

	free(room);
	return room != NULL;
}

/* The event on several lines; NULL: json-c does not take it, or has no memory. */
static const char *format(struct json_object *event, const char *why, size_t *len)
{
	return why ? NULL
		   : json_object_to_json_string_length(event,
						       JSON_C_TO_STRING_PRETTY |
							       JSON_C_TO_STRING_SPACED |
							       JSON_C_TO_STRING_NOSLASHESCAPE,
						       len);
}

static void show(struct str raw, size_t most, struct buf *out, struct buf *stacks)
{
	struct json_tokener *tok = has_room(raw.len) ? json_tokener_new_ex(JSON_TEXT_DEPTH) : NULL;
	struct json_object *o = NULL;
	const char *why = "no memory", *text;
	size_t bad_at, len;

	if (tok)
		o = json_text_parse(tok, raw.p, raw.len, &bad_at, &why);
	text = format(o, why, &len);
	if (text)
		add_lines(out, text, len, most);
	else
		add_lines(out, raw.p, raw.len, most);
	if (text && stacks && json_object_is_type(o, json_type_object))
		add_stacks(o, stacks);
	json_object_put(o);
	if (tok)
		json_tokener_free(tok);
}

bool event_copy(const struct event_place *at, struct progress *progress, size_t most,
		struct buf *out, struct buf *stacks, struct error *err)
{
	struct stream *stream;
	struct buf text = { 0 }, id = { 0 };
	struct error changed = ERROR_INIT;
	struct str raw;
	struct scan s;
	bool ok;

	if (at->offset < 0)
		return error_set(err, ERR_IO, -1, "the file does not state where it is");
	stream = stream_open_again(at->path, at->print, progress, err);
	if (!stream)
		return false;
	scan_init(&s, stream, err);
	ok = stream_skip(stream, at->offset, err) && scan_raw(&s, RAW_MOST, &raw);
	if (ok)
		show(raw, most, &text, &id);
	/* A file that has changed may have any error, or none. */
	if (!stream_compare(stream, &changed)) {
		*err = changed;
		ok = false;
	}
	if (ok) {
		buf_add(out, buf_text(&text), text.len);
		if (stacks)
			buf_add(stacks, buf_text(&id), id.len);
	}
	scan_done(&s);
	stream_close(stream);
	buf_done(&text);
	buf_done(&id);
	return ok;
}

void event_show(const struct event_place *at, struct progress *progress, struct buf *out,
		struct buf *stacks)
{
	struct error err = ERROR_INIT;

	if (event_copy(at, progress, EVENT_MOST, out, stacks, &err))
		return;
	buf_adds(out, "cannot be read again: ");
	text_visible(out, err.text, strlen(err.text));
	buf_addc(out, '\n');
}

bool event_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		struct buf *out, struct buf *stacks)
{
	struct input_place place = input_place_at(&profile->inputs[input], offset);
	struct event_place at = { profile_text(profile, place.path), place.print, place.offset };

	(void)ctx;
	event_show(&at, NULL, out, stacks);
	return true;
}
