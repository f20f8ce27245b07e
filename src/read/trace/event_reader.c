/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job has a copy of the path, and reads the file from its beginning up to the event; the file
 * must be the one that was loaded. */
#include "config.h"

#include "read/trace/event_reader.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/json/json_read.h"
#include "base/json/scan.h"
#include "base/progress.h"
#include "base/stream/stream.h"
#include "base/text.h"
#include "base/thread.h"
#include "model/event_stack.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== event ====
 *
 * The text before the event is read and dropped, because the file may be compressed. An event
 * that json-c does not parse (it nests too deeply, is not JSON, or needs more memory than there is)
 * is shown as in the file. */

#define RAW_MAX ((size_t)256 << 20)
#define EVENT_MAX ((size_t)256 << 10) /* shown of one event */

/* What json-c allocates: a table of 1 kB for each object, about 100 bytes for each value. */
#define ROOM_MIN ((size_t)1 << 20)
#define ROOM_FACTOR 64u

/* Where an event is: at byte `offset` of the uncompressed text of a file. Borrows all. */
struct event_place {
	const char *path;
	const struct fingerprint *print; /* of the file when it was loaded */
	int64_t offset;
};

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
	return true;
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
	/* Whether json-c will have the memory. Versions before 0.17 crash when they get none. */
	void *room = alloc_if_room(ROOM_MIN + ROOM_FACTOR * raw.len);
	struct json_tokener *tok = room ? json_tokener_new_ex(JSON_TEXT_DEPTH) : NULL;
	struct json_object *o = NULL;
	const char *why = "no memory", *text;
	size_t bad_at, len;

	free(room);
	if (tok)
		o = json_text_parse(tok, raw.p, raw.len, &bad_at, &why);
	text = format(o, why, &len);
	if (text)
		add_lines(out, text, len, most);
	else
		add_lines(out, raw.p, raw.len, most);
	if (text && stacks && json_object_is_type(o, json_type_object)) {
		if (!add_stack(o, "sf", false, stacks))
			add_stack(o, "stack", false, stacks);
		if (!add_stack(o, "esf", true, stacks))
			add_stack(o, "estack", true, stacks);
	}
	json_object_put(o);
	if (tok)
		json_tokener_free(tok);
}

/* Open the file again and append the JSON value at that place to `out`: indented, in visible form,
 * a newline after each line. Text beyond `most` bytes is left out, and a line says so. stacks:
 * the stacks that the event names are appended (model/event_stack.h); may be NULL. progress: may
 * cancel; NULL: none. False when the file is gone, has changed, or was a pipe, and after it was
 * cancelled; both buffers are then as before. */
static bool event_copy(const struct event_place *at, struct progress *progress, size_t most,
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
	ok = stream_skip(stream, at->offset, err) && scan_raw(&s, RAW_MAX, &raw);
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

/* Append an event as event_copy() does, or a line that says why it cannot be read again. */
static void event_show(const struct event_place *at, struct progress *progress, struct buf *out,
		       struct buf *stacks)
{
	struct error err = ERROR_INIT;

	if (event_copy(at, progress, EVENT_MAX, out, stacks, &err))
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

/* ==== event reader ==== */

struct asked {
	const struct profile *profile;
	uint32_t input;
	int64_t offset;
};

struct event_job {
	uint32_t input;
	char *path;
	struct fingerprint print;
	int64_t at, offset; /* in the file; in the input */
	struct buf text, stacks;
};

static bool is_asked(const void *ctx, const void *wanted)
{
	const struct event_job *job = ctx;
	const struct asked *asked = wanted;

	return job->input == asked->input && job->offset == asked->offset;
}

static void *make(const void *wanted)
{
	const struct asked *asked = wanted;
	const struct profile *profile = asked->profile;
	struct input_place place = input_place_at(&profile->inputs[asked->input], asked->offset);
	struct event_job *job = xcalloc(1, sizeof *job);

	job->input = asked->input;
	job->path = xstrdup(profile_text(profile, place.path));
	fingerprint_copy(&job->print, place.print);
	job->at = place.offset;
	job->offset = asked->offset;
	return job;
}

static void run(const void *ctx, void *data, struct progress *progress)
{
	struct event_job *job = data;
	struct event_place at = { job->path, &job->print, job->at };

	(void)ctx;
	event_show(&at, progress, &job->text, &job->stacks);
}

static void say_no_thread(const void *ctx, void *job, struct progress *progress)
{
	(void)ctx;
	(void)progress;
	buf_adds(&((struct event_job *)job)->text,
		 "cannot be read again: no thread can be started\n");
}

static void done(void *ctx)
{
	struct event_job *job = ctx;

	free(job->path);
	fingerprint_done(&job->print);
	buf_done(&job->text);
	buf_done(&job->stacks);
	free(job);
}

struct jobs *event_reader_new(void)
{
	/* Most events come within 10 ms, and then no picture without them is drawn. */
	static const struct jobs_kind kind = { .is = is_asked,
					       .make = make,
					       .run = run,
					       .run_here = say_no_thread,
					       .free = done,
					       .patience_ms = 10 };

	return jobs_new(&kind, NULL, false);
}

bool event_reader_read(void *jobs, const struct profile *profile, uint32_t input, int64_t offset,
		       struct buf *out, struct buf *stacks)
{
	const struct asked asked = { profile, input, offset };
	const struct event_job *job;
	const void *ctx;

	switch (jobs_get(jobs, &asked, &ctx)) {
	case JOBS_BUSY:
		return false;
	case JOBS_LOST:
		buf_adds(out, "cannot be read again: not enough memory\n");
		break;
	case JOBS_DONE:
		job = ctx;
		buf_add(out, buf_text(&job->text), job->text.len);
		if (stacks)
			buf_add(stacks, buf_text(&job->stacks), job->stacks.len);
	}
	return true;
}
