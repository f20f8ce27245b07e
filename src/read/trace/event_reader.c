/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job has a copy of the path, and reads the file from its beginning up to the event; the file
 * must be the one that was loaded. */
#include "config.h"

#include "read/trace/event_reader.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/json/scan.h"
#include "base/pattern.h"
#include "base/progress.h"
#include "base/stream/stream.h"
#include "base/text.h"
#include "base/thread.h"
#include "model/event_stack.h"
#include "model/profile.h"
#include "model/slices.h"
#include "read/trace/trace_copy.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
	BUF_LOCAL text = { 0 }, id = { 0 };
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

/* ==== event search ====
 *
 * Members are found by their keys, whatever they are nested in. */

#define PERCENT_EVENTS 1024u /* until the percentage changes */

struct search_asked {
	const struct profile *profile;
	const char *text;
	bool is_plain;
};

struct search_job {
	char *text;
	struct pattern *pattern;
	enum pattern_subject subject;
	bool is_plain;
	struct searched_file {
		char *path;
		struct fingerprint print;
		uint64_t from; /* EVENT_AT() of its first byte */
	} * files;
	size_t n_files, cap_files, now;
	struct event_hits hits;
	struct progress *progress;
	atomic_int percent;
	struct buf decoded;
	uint32_t n_events;
};

/* Whether a value matches; of a string or an object, what is between its ends, with its escapes
 * decoded. */
static bool is_match(struct search_job *job, struct str raw)
{
	buf_clear(&job->decoded);
	if (memchr(raw.p, '\\', raw.len) && json_tree_decode(raw.p, raw.len, &job->decoded))
		raw = (struct str){ buf_text(&job->decoded), job->decoded.len };
	else if (*raw.p == '"' || *raw.p == '{')
		raw = (struct str){ raw.p + 1, raw.len - 2 };
	return pattern_find(job->pattern, raw.p, raw.len, NULL, NULL);
}

/* Whether the value of a key is an url, or an id. */
static bool is_key_of(enum pattern_subject subject, struct str key)
{
	const char *end = key.p + key.len;

	if (subject == PATTERN_URL)
		return key.len >= 3 && strncasecmp(end - 3, "url", 3) == 0;
	return str_is(key, "id") || str_is(key, "local") || str_is(key, "global") ||
		str_is(key, "bind_id") ||
		(key.len > 2 && (memcmp(end - 2, "Id", 2) == 0 || memcmp(end - 2, "ID", 2) == 0));
}

static bool has_member_match(struct search_job *job, struct str event)
{
	struct cursor c = cursor_of(event);
	struct str key, value;
	const void *quote;
	bool has_escape;

	while ((quote = memchr(c.p, '"', (size_t)(c.end - c.p)))) {
		c.p = quote;
		if (!cursor_string(&c, &key, &has_escape))
			return false;
		if (cursor_peek(&c) != ':' || !is_key_of(job->subject, key))
			continue;
		c.p++;
		if (cursor_peek(&c) == '{' || cursor_peek(&c) == '[')
			continue;
		if (!cursor_raw(&c, &value) || is_match(job, value))
			return !c.why && !c.is_cut;
	}
	return false;
}

static bool visit_event(void *ctx, int64_t offset, struct str event)
{
	struct search_job *job = ctx;
	const struct progress *p = job->progress;
	struct event_hits *hits = &job->hits;
	struct str args;

	if (++job->n_events % PERCENT_EVENTS == 0 && p && p->total > 0)
		atomic_store(&job->percent, (int)(p->done * 100 / p->total));
	if (job->subject == PATTERN_ARG ? !cursor_find(event, "args", &args) || !is_match(job, args)
					: !has_member_match(job, event))
		return true;
	hits->is_cut = hits->n == EVENT_HITS_MAX || offset >= SLICE_OFFSET_END;
	if (hits->is_cut)
		return false;
	*ARRAY_ADD(hits->at, hits->n, hits->cap) = job->files[job->now].from + (uint64_t)offset;
	return true;
}

static bool is_search_asked(const void *ctx, const void *wanted)
{
	const struct search_job *job = ctx;
	const struct search_asked *asked = wanted;

	return job->is_plain == asked->is_plain && strcmp(job->text, asked->text) == 0;
}

static void add_files(struct search_job *job, const struct profile *p, uint32_t input)
{
	const struct input *in = &p->inputs[input];

	for (size_t i = 0; i < input_place_files(in); i++) {
		struct input_place place = input_place_file(in, i);
		struct searched_file *f;

		job->files = xgrow(job->files, &job->cap_files, job->n_files + 1, sizeof *f);
		f = &job->files[job->n_files++];
		*f = (struct searched_file){ .path = xstrdup(profile_text(p, place.path)) };
		f->from = EVENT_AT(input, in->parts ? in->parts[i].from : 0);
		fingerprint_copy(&f->print, place.print);
	}
}

static void *make_search(const void *wanted)
{
	const struct search_asked *asked = wanted;
	const struct profile *p = asked->profile;
	struct search_job *job = xcalloc(1, sizeof *job);
	struct error err = ERROR_INIT;
	size_t skip;

	job->text = xstrdup(asked->text);
	job->is_plain = asked->is_plain;
	job->subject = pattern_subject(job->text, strlen(job->text), &skip);
	job->pattern = pattern_new(job->text + skip, strlen(job->text + skip), job->is_plain, &err);
	for (uint32_t i = 0; i < p->n_inputs; i++)
		if (p->inputs[i].format && strcmp(p->inputs[i].format, "trace") == 0)
			add_files(job, p, i);
	if (!job->n_files)
		job->hits.why = xstrdup("only events of traces have args and ids");
	return job;
}

static void run_search(const void *ctx, void *data, struct progress *progress)
{
	struct search_job *job = data;
	struct error err = ERROR_INIT;

	(void)ctx;
	job->progress = progress;
	for (size_t i = 0; progress && i < job->n_files; i++)
		progress->total += job->files[i].print.n_bytes;
	if (progress)
		progress->is_set = true;
	for (; job->pattern && job->now < job->n_files && !job->hits.is_cut; job->now++) {
		struct searched_file *f = &job->files[job->now];

		if (!trace_copy_visit(f->path, &f->print, progress, visit_event, job, &err) &&
		    !job->hits.why)
			job->hits.why = xstrdup(err.text);
	}
}

static void free_search(void *ctx)
{
	struct search_job *job = ctx;

	for (size_t i = 0; i < job->n_files; i++) {
		free(job->files[i].path);
		fingerprint_done(&job->files[i].print);
	}
	free(job->files);
	free(job->text);
	pattern_free(job->pattern);
	free(job->hits.at);
	free(job->hits.why);
	buf_done(&job->decoded);
	free(job);
}

struct jobs *event_search_new(bool is_here)
{
	static const struct jobs_kind kind = { .is = is_search_asked,
					       .make = make_search,
					       .run = run_search,
					       .run_here = run_search,
					       .free = free_search,
					       .patience_ms = 10 };

	return jobs_new(&kind, NULL, is_here);
}

const struct event_hits *event_search(void *ctx, const struct profile *profile, const char *pattern,
				      bool is_plain, int *percent)
{
	static const struct event_hits lost = { .why = (char *)"not enough memory" };
	const struct search_asked asked = { profile, pattern, is_plain };
	const struct search_job *job;
	const void *data;
	enum jobs_state state = jobs_get(ctx, &asked, &data);

	job = data;
	*percent = job ? atomic_load(&job->percent) : 0;
	return state == JOBS_BUSY ? NULL : state == JOBS_LOST ? &lost : &job->hits;
}
