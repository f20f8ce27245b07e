/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job is one event. Two own it: the reader until it forgets it, and the thread that reads it
 * until it is done; the last one frees it. The mutex protects who owns what and the number of
 * threads; it is freed by its last owner, too. The text of a job belongs to the thread until
 * is_done.
 *
 * A thread without memory stops for ever (base/alloc.h). Its job is done and lost: what the thread
 * holds is not freed.
 *
 * Threads are detached: joining one that is blocked would block. No more than MAX_THREADS run at a
 * time. When all of them are blocked by one file system, another thread would be blocked, too. */
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
#include "model/input_place.h"
#include "model/profile.h"

#include <inttypes.h>
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
	void *room = alloc_if_room(ROOM_MIN + ROOM_FACTOR * len);

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

#define MAX_THREADS 4

/* Most events come within this time, and then no picture without them is drawn. */
#define PATIENCE_MS 10

struct shared {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int n_threads;
	bool has_reader;
};

struct job {
	struct job *next; /* of the reader */
	struct shared *shared;
	uint32_t input;
	char *path;
	struct fingerprint print;
	int64_t at, offset; /* in the file; in the input */
	struct buf text, stacks;
	bool is_wanted, is_done, is_lost;
};

struct event_reader {
	struct shared *shared;
	struct job *jobs; /* that were asked for */
};

struct event_reader *event_reader_new(void)
{
	struct event_reader *r = xcalloc(1, sizeof *r);

	r->shared = xcalloc(1, sizeof *r->shared);
	r->shared->has_reader = true;
	pthread_mutex_init(&r->shared->mutex, NULL);
	thread_cond_init(&r->shared->changed);
	return r;
}

/* Unlock the mutex, and free it if this was its last owner. */
static void unlock(struct shared *s)
{
	bool is_last = !s->has_reader && s->n_threads == 0;

	pthread_mutex_unlock(&s->mutex);
	if (!is_last)
		return;
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->mutex);
	free(s);
}

static void job_free(struct job *job)
{
	if (job->is_lost)
		return;
	free(job->path);
	fingerprint_done(&job->print);
	buf_done(&job->text);
	buf_done(&job->stacks);
	free(job);
}

/* ---- the thread ---- */

static bool is_wanted(void *ctx, const struct progress *p)
{
	const struct job *job = ctx;
	bool is;

	(void)p;
	pthread_mutex_lock(&job->shared->mutex);
	is = job->is_wanted;
	pthread_mutex_unlock(&job->shared->mutex);
	return is;
}

/* The job is done, or its thread can do no more. */
static void end(struct job *job)
{
	struct shared *s = job->shared;

	pthread_mutex_lock(&s->mutex);
	job->is_done = true;
	if (!job->is_wanted)
		job_free(job);
	s->n_threads--;
	pthread_cond_broadcast(&s->changed);
	unlock(s);
}

static bool lose(void *ctx, const char *text)
{
	struct job *job = ctx;

	(void)text;
	job->is_lost = true;
	end(job);
	return true;
}

static void *read_it(void *ctx)
{
	struct job *job = ctx;
	struct event_place at = { job->path, &job->print, job->at };
	struct progress progress = { .tick = is_wanted, .ctx = job, .is_given_up = true };

	die_set_rescue(&(struct die_rescue){ lose, job });
	event_show(&at, &progress, &job->text, &job->stacks);
	end(job);
	return NULL;
}

/* ---- the reader ---- */

static struct job *find(const struct event_reader *r, uint32_t input, int64_t offset)
{
	struct job *job = r->jobs;

	while (job && (job->input != input || job->offset != offset))
		job = job->next;
	return job;
}

/* Start to read an event. NULL: too many threads are still reading. */
static struct job *start(struct event_reader *r, const struct profile *profile, uint32_t input,
			 int64_t offset)
{
	struct input_place place = input_place_at(&profile->inputs[input], offset);
	struct timespec until = thread_after_ms(PATIENCE_MS);
	pthread_t thread;
	struct job *job;

	if (r->shared->n_threads == MAX_THREADS)
		return NULL;
	job = xcalloc(1, sizeof *job);
	job->shared = r->shared;
	job->input = input;
	job->path = xstrdup(profile_text(profile, place.path));
	fingerprint_copy(&job->print, place.print);
	job->at = place.offset;
	job->offset = offset;
	job->is_wanted = true;
	job->next = r->jobs;
	r->jobs = job;
	if (!thread_start(&thread, read_it, job)) {
		buf_adds(&job->text, "cannot be read again: no thread can be started\n");
		job->is_done = true;
		return job;
	}
	pthread_detach(thread);
	r->shared->n_threads++;
	while (!job->is_done &&
	       pthread_cond_timedwait(&r->shared->changed, &r->shared->mutex, &until) == 0)
		;
	return job;
}

bool event_reader_read(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		       struct buf *out, struct buf *stacks)
{
	struct event_reader *r = ctx;
	struct job *job;
	bool is_done;

	pthread_mutex_lock(&r->shared->mutex);
	job = find(r, input, offset);
	if (!job)
		job = start(r, profile, input, offset);
	is_done = job && job->is_done;
	if (is_done && job->is_lost) {
		buf_adds(out, "cannot be read again: not enough memory\n");
	} else if (is_done) {
		buf_add(out, buf_text(&job->text), job->text.len);
		if (stacks)
			buf_add(stacks, buf_text(&job->stacks), job->stacks.len);
	}
	pthread_mutex_unlock(&r->shared->mutex);
	return is_done;
}

static void forget(struct event_reader *r)
{
	while (r->jobs) {
		struct job *job = r->jobs;

		r->jobs = job->next;
		job->is_wanted = false;
		if (job->is_done)
			job_free(job);
	}
}

void event_reader_forget(void *ctx)
{
	struct event_reader *r = ctx;

	pthread_mutex_lock(&r->shared->mutex);
	forget(r);
	pthread_mutex_unlock(&r->shared->mutex);
}

bool event_reader_is_busy(const struct event_reader *r)
{
	bool is;

	pthread_mutex_lock(&r->shared->mutex);
	is = r->shared->n_threads > 0;
	pthread_mutex_unlock(&r->shared->mutex);
	return is;
}

void event_reader_free(struct event_reader *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->shared->mutex);
	forget(r);
	r->shared->has_reader = false;
	unlock(r->shared);
	free(r);
}
