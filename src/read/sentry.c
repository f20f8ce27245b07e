/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles of Sentry: a document has the lists `frames`, `stacks` and `samples`, and
 * `thread_metadata`, all within `profile`. A stack is a list of frames, the innermost first. In
 * version 1, samples count nanoseconds (elapsed_since_start_ns) since the start, which is
 * `timestamp` of the document; in chunks of version 2, they have the seconds since 1970
 * (timestamp), so that chunks share a clock.
 *
 * 1. Chunks with one `profiler_id` are a series: sentry_lanes.c joins them.
 * 2. A document without samples is passed, and so is one that lacks a list: others of the file
 *    count. Only if the file has no profile, reading fails.
 * 3. in_app decides whether a function is of the user or of a dependency. */
#include "config.h"

#include "base/alloc.h"
#include "base/date.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/json/json_read.h"
#include "base/json/outline.h"
#include "base/units.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"
#include "read/documents.h"
#include "read/reader.h"
#include "read/sentry_lanes.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_usable(void *ctx, int64_t *offset);

/* ==== sentry envelope ====
 *
 * 1. An item has as many bytes as `length` of its header says. Without a length it ends with its
 *    line.
 * 2. Items of a type that begins with `profile` are read as one JSON value, which ends where it
 *    ends, whatever the length says. All others are passed without a look at what they are.
 * 3. What is expected to be the header of an item and is not, as behind a wrong length, is passed
 *    line by line, with WARN_TRAILING. */

#define LENGTH_NONE (-1)
#define LINE_END_MAX 2 /* bytes */

struct envelope {
	const struct documents *d;
	struct scan *s;
	int64_t n_passed, first_passed; /* bytes by rule 3, and where the first one is */
};

struct item {
	struct scan *s;
	bool has_type, is_profile;
	int64_t length;
};

/* Whether a text that begins so is an envelope. */
static bool sentry_envelope_is(const struct outline *o)
{
	static const char type[] = "\"type\"";
	const char *end = o->text + o->len, *line = memchr(o->text, '\n', o->len), *stop;
	bool has_type = false;

	if (o->top != '{' || outline_has(o, "ph", 0) || !line || ++line == end || *line != '{')
		return false;
	stop = memchr(line, '\n', (size_t)(end - line));
	for (; stop && !has_type && line + sizeof type - 1 < stop; line++)
		has_type = memcmp(line, type, sizeof type - 1) == 0;
	return has_type &&
		(outline_has(o, "event_id", 0) || outline_has(o, "sent_at", 0) ||
		 outline_has(o, "dsn", 0) || outline_has(o, "sdk", 0) || o->n_keys == 0);
}

/* ---- passing text ---- */

/* Pass `n` bytes. Returns how many are missing. */
static int64_t pass_bytes(struct scan *s, int64_t n)
{
	struct str ahead;

	while (n > 0 && scan_window(s, 1, &ahead) && ahead.len > 0) {
		size_t many = (uint64_t)n < ahead.len ? (size_t)n : ahead.len;

		s->p += many;
		n -= (int64_t)many;
	}
	return n;
}

/* Pass the rest of the line, and its end. */
static void pass_line(struct scan *s)
{
	struct str ahead;

	while (scan_window(s, 1, &ahead) && ahead.len > 0) {
		const char *end = memchr(ahead.p, '\n', ahead.len);

		s->p += end ? (size_t)(end - ahead.p) + 1 : ahead.len;
		if (end)
			return;
	}
}

/* Pass the line if only blanks are left on it. */
static void pass_line_end(struct scan *s)
{
	struct str ahead;

	while (scan_window(s, 1, &ahead) && ahead.len > 0 && memchr(" \t\r", *ahead.p, 3))
		s->p++;
	if (ahead.len > 0 && *ahead.p == '\n')
		s->p++;
}

/* Pass the rest of a line by rule 3. from: where what is passed begins. */
static void pass_odd_line(struct envelope *e, int64_t from)
{
	if (e->n_passed == 0)
		e->first_passed = from;
	pass_line(e->s);
	e->n_passed += scan_offset(e->s) - from;
}

/* ---- items ---- */

static bool read_header_member(void *ctx, struct str key)
{
	struct item *item = ctx;
	struct json_read_number number;
	struct str type;

	if (str_is(key, "length")) {
		if (!json_read_number(item->s, 0, INT64_MAX / 2, &number))
			return false;
		item->length = number.is_usable && number.value >= 0 ? number.value : LENGTH_NONE;
		return true;
	}
	if (!str_is(key, "type") || scan_peek(item->s) != '"')
		return scan_skip(item->s);
	if (!scan_raw(item->s, JSON_READ_TEXT_MAX, &type))
		return false;
	item->has_type = true;
	item->is_profile = type.len > 8 && memcmp(type.p, "\"profile", 8) == 0;
	return true;
}

static void set_error(const struct documents *d, struct error *err)
{
	*d->err = d->s->err = err;
}

/* Whether reading can go on behind an error. */
static bool is_of_text(const struct error *err)
{
	return err->kind == ERR_SYNTAX || err->kind == ERR_FORMAT;
}

/* Read the header of an item, and pass its line. *is_header: it is one. */
static bool read_header(struct envelope *e, struct item *item, bool *is_header)
{
	struct error odd = ERROR_INIT, *own = *e->d->err;
	bool ok;

	set_error(e->d, &odd);
	ok = json_read_object(e->s, read_header_member, item);
	set_error(e->d, own);
	if (!ok && !is_of_text(&odd)) {
		*own = odd;
		return false;
	}
	*is_header = ok && item->has_type;
	if (*is_header)
		pass_line_end(e->s);
	return true;
}

static bool read_profile(struct envelope *e, const struct item *item, struct error *problem)
{
	struct error odd = ERROR_INIT, *own = *e->d->err;
	int64_t from = scan_offset(e->s), left;
	bool ok;

	if (scan_peek(e->s) != '{')
		return true;
	set_error(e->d, &odd);
	ok = documents_read_one(e->d);
	set_error(e->d, own);
	if (ok)
		return true;
	if (!is_of_text(&odd)) {
		*own = odd;
		return false;
	}
	builder_warn_text(e->d->b, WARN_TRAILING, from, odd.text);
	if (problem->kind == ERR_NONE)
		*problem = odd;
	left = item->length - (scan_offset(e->s) - from);
	if (item->length != LENGTH_NONE && left > 0)
		pass_bytes(e->s, left);
	else if (item->length == LENGTH_NONE || left < -LINE_END_MAX)
		pass_line(e->s);
	return true;
}

static void pass_item(struct envelope *e, const struct item *item)
{
	int64_t from = scan_offset(e->s);
	int64_t missing = item->length > 0 ? pass_bytes(e->s, item->length) : 0;

	if (item->length == LENGTH_NONE)
		pass_line(e->s);
	else if (missing > 0)
		builder_warn_text(e->d->b, WARN_CUT_OFF, from,
				  "an item is shorter than its length");
}

/* Read the item at the scanner. */
static bool read_item(struct envelope *e, struct error *problem)
{
	struct item item = { .s = e->s, .length = LENGTH_NONE };
	bool is_header = false, ok = true;
	int64_t from = scan_offset(e->s);

	if (scan_peek(e->s) != '{') {
		pass_odd_line(e, from);
		return true;
	}
	if (!read_header(e, &item, &is_header))
		return false;
	if (!is_header)
		pass_odd_line(e, from);
	else if (item.is_profile)
		ok = read_profile(e, &item, problem);
	else
		pass_item(e, &item);
	return ok;
}

/* Read the envelope at the scanner, each profile as one document of `d`. problem: why the first
 * profile failed that did, unless it has an error already. Returns false, with *d->err set, when
 * reading cannot go on. */
static bool sentry_envelope_read(const struct documents *d, struct error *problem)
{
	struct envelope e = { .d = d, .s = d->s };
	bool ok = scan_skip(e.s);
	char detail[64];

	while (ok && scan_peek(e.s))
		ok = read_item(&e, problem) && (*d->err)->kind == ERR_NONE;
	if (e.n_passed) {
		snprintf(detail, sizeof detail, "%" PRId64 " bytes", e.n_passed);
		builder_warn_text(d->b, WARN_TRAILING, e.first_passed, detail);
	}
	return ok && (*d->err)->kind == ERR_NONE;
}

/* ==== sentry ==== */

/* Earlier starts (2001) are no dates. */
#define WALL_CLOCK_MIN (INT64_C(1000000000) * NS_PER_S)
#define ENVELOPE_HEAD ((size_t)64 << 10) /* the bytes that show an envelope */

struct sentry {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct intern texts;
	struct sentry_lanes *lanes;
	struct sentry_lists lists;                /* of the document */
	bool has_frames, has_stacks, has_samples; /* these lists are complete */
	bool has_elapsed;                         /* a time counts from the start */
	bool has_start;
	int64_t start_ns; /* of the document, by the wall clock */
	str_id series;    /* of chunks; 0: none */
	size_t n_profiles, n_empty;
	int64_t first_ns; /* of all documents, by the wall clock; 0: unknown */
	bool has_own_clock;
	struct error problem; /* of the first document that is no profile */
};

/* ---- the lists ---- */

/* Read an id, which is a text or a number; 0: neither. */
static bool read_id(struct sentry *r, str_id *id)
{
	struct str raw;
	int c = scan_peek(r->s);

	*id = 0;
	if (c == '"')
		return json_read_text(r->s, &r->texts, id);
	if (c != '-' && !(c >= '0' && c <= '9'))
		return scan_skip(r->s);
	if (!scan_raw(r->s, JSON_READ_TEXT_MAX, &raw))
		return false;
	*id = intern_add(&r->texts, raw.p, raw.len);
	return true;
}

/* The frame being read. */
struct draft_frame {
	struct sentry *r;
	struct sentry_frame frame;
};

static bool read_frame_member(void *ctx, struct str key)
{
	struct draft_frame *draft = ctx;
	struct sentry_frame *f = &draft->frame;
	struct sentry *r = draft->r;
	const struct {
		const char *name;
		str_id *to;
	} texts[] = { { "function", &f->name },
		      { "instruction_addr", &f->address },
		      { "abs_path", &f->path },
		      { "filename", &f->file },
		      { "module", &f->module } };
	int c;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (str_is(key, texts[i].name))
			return json_read_text(r->s, &r->texts, texts[i].to);
	if (str_is(key, "lineno"))
		return json_read_position(r->s, &f->line);
	if (str_is(key, "colno"))
		return json_read_position(r->s, &f->column);
	if (!str_is(key, "in_app"))
		return scan_skip(r->s);
	c = scan_peek(r->s);
	f->has_owner = c == 't' || c == 'f';
	f->is_app = c == 't';
	return scan_skip(r->s);
}

static bool read_frame(void *ctx)
{
	struct sentry *r = ctx;
	struct draft_frame draft = { .r = r };

	if (scan_peek(r->s) != '{')
		builder_warn(r->b, WARN_CALL_FRAME, scan_offset(r->s));
	if (!json_read_object(r->s, read_frame_member, &draft))
		return false;
	r->lists.frames = xgrow(r->lists.frames, &r->lists.cap_frames, r->lists.n_frames + 1,
				sizeof *r->lists.frames);
	r->lists.frames[r->lists.n_frames++] = draft.frame;
	return true;
}

static bool read_item_sentry(void *ctx)
{
	struct sentry *r = ctx;

	r->lists.items = xgrow(r->lists.items, &r->lists.cap_items, r->lists.n_items + 1,
			       sizeof *r->lists.items);
	return json_read_index(r->s, &r->lists.items[r->lists.n_items++]);
}

static bool read_stack(void *ctx)
{
	struct sentry *r = ctx;

	if (r->lists.n_stacks == 0)
		r->lists.n_items = 0;
	if (r->lists.n_stacks >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, scan_offset(r->s), "more than %u stacks",
				 CPU_NODES_MAX);
	r->lists.stacks = xgrow(r->lists.stacks, &r->lists.cap_stacks, r->lists.n_stacks + 1,
				sizeof *r->lists.stacks);
	r->lists.stacks[r->lists.n_stacks++] = r->lists.n_items;
	return json_read_list(r->s, read_item_sentry, r);
}

/* The sample being read. */
struct draft_sample {
	struct sentry *r;
	struct sentry_sample sample;
	bool has_time;
};

static bool read_sample_member(void *ctx, struct str key)
{
	struct draft_sample *draft = ctx;
	struct sentry *r = draft->r;
	bool is_elapsed = str_is(key, "elapsed_since_start_ns");
	struct json_read_number number;

	if (str_is(key, "stack_id"))
		return json_read_index(r->s, &draft->sample.stack);
	if (str_is(key, "thread_id"))
		return read_id(r, &draft->sample.thread);
	if (!is_elapsed && !str_is(key, "timestamp"))
		return scan_skip(r->s);
	if (!json_read_number(r->s, is_elapsed ? 0 : 9, PROFILE_TIME_MAX - 1, &number))
		return false;
	r->has_elapsed |= is_elapsed;
	draft->sample.is_elapsed = is_elapsed;
	draft->sample.t = number.value;
	draft->has_time = number.is_usable;
	return true;
}

/* A sample without a time is left out: its time goes to the sample before it. */
static bool read_sample(void *ctx)
{
	struct sentry *r = ctx;
	struct draft_sample draft = { .r = r, .sample = { .stack = JSON_INDEX_BAD } };
	int64_t offset = scan_offset(r->s);

	if (r->lists.n_samples >= INT32_MAX)
		return error_set(r->err, ERR_LIMIT, offset, "more than %d samples", INT32_MAX);
	if (!json_read_object(r->s, read_sample_member, &draft))
		return false;
	if (!draft.has_time) {
		builder_warn(r->b, WARN_TIME_MISSING, offset);
		return true;
	}
	r->lists.samples = xgrow(r->lists.samples, &r->lists.cap_samples, r->lists.n_samples + 1,
				 sizeof *r->lists.samples);
	r->lists.samples[r->lists.n_samples++] = draft.sample;
	return true;
}

static bool read_thread_member(void *ctx, struct str key)
{
	struct sentry *r = ctx;

	if (!str_is(key, "name"))
		return scan_skip(r->s);
	return json_read_text(r->s, &r->texts, &r->lists.threads[r->lists.n_threads - 1].name);
}

static bool read_thread(void *ctx, struct str key)
{
	struct sentry *r = ctx;
	str_id id = intern_add(&r->texts, key.p, key.len);

	r->lists.threads = xgrow(r->lists.threads, &r->lists.cap_threads, r->lists.n_threads + 1,
				 sizeof *r->lists.threads);
	r->lists.threads[r->lists.n_threads++] = (struct sentry_thread){ .id = id };
	return json_read_object(r->s, read_thread_member, r);
}

static bool read_threads(void *ctx)
{
	struct sentry *r = ctx;

	r->lists.n_threads = 0;
	return json_read_object(r->s, read_thread, r);
}

/* ---- the document ---- */

/* When the document begins: a date, or seconds since 1970. */
static bool read_start(void *ctx)
{
	struct sentry *r = ctx;
	struct json_read_number number;
	str_id text;

	r->has_start = false;
	if (scan_peek(r->s) == '"') {
		if (!json_read_text(r->s, &r->texts, &text))
			return false;
		r->has_start = date_parse(intern_text(&r->texts, text), intern_len(&r->texts, text),
					  &r->start_ns);
	} else {
		if (!json_read_number(r->s, 9, PROFILE_TIME_MAX - 1, &number))
			return false;
		r->has_start = number.is_usable;
		r->start_ns = number.value;
	}
	r->has_start = r->has_start && r->start_ns >= WALL_CLOCK_MIN &&
		r->start_ns < PROFILE_TIME_MAX;
	return true;
}

static bool read_series(void *ctx)
{
	struct sentry *r = ctx;

	return read_id(r, &r->series);
}

#define LIST(name, complete) offsetof(struct sentry, lists.name), offsetof(struct sentry, complete)

static const struct document_member members[] = {
	{ "frames", NULL, read_frame, LIST(n_frames, has_frames) },
	{ "stacks", NULL, read_stack, LIST(n_stacks, has_stacks) },
	{ "samples", NULL, read_sample, LIST(n_samples, has_samples) },
	{ "thread_metadata", .read = read_threads },
	{ "timestamp", .read = read_start },
	{ "profiler_id", .read = read_series },
	{ .name = NULL },
};

#undef LIST

static void begin(void *ctx)
{
	struct sentry *r = ctx;

	r->lists.n_items = r->lists.n_threads = 0;
	r->has_elapsed = r->has_start = false;
	r->series = 0;
}

static bool is_usable(void *ctx, int64_t *offset)
{
	const struct sentry *r = ctx;

	(void)offset;
	return r->has_frames && r->has_stacks && r->lists.n_samples > 0;
}

/* Bring times that count from the start to the wall clock. */
static void add_start(struct sentry *r, int64_t offset)
{
	for (size_t i = 0; i < r->lists.n_samples; i++) {
		struct sentry_sample *sample = &r->lists.samples[i];

		if (!sample->is_elapsed)
			continue;
		sample->t += r->start_ns;
		if (sample->t > PROFILE_TIME_MAX - 1) {
			builder_warn(r->b, WARN_TIME_RANGE, offset);
			sample->t = PROFILE_TIME_MAX - 1;
		}
	}
}

/* The clock of a document: the wall clock, or one that no other document has. */
static void set_clock(struct sentry *r, int64_t offset)
{
	if (r->has_elapsed && !r->has_start) {
		r->has_own_clock = true;
		r->series = 0;
		cpu_builder_own_clock(r->b);
		return;
	}
	cpu_builder_file_clock(r->b);
	if (r->has_elapsed)
		add_start(r, offset);
	for (size_t i = 0; i < r->lists.n_samples; i++) {
		int64_t t = r->lists.samples[i].t;

		r->first_ns = r->first_ns && r->first_ns < t ? r->first_ns : t;
	}
}

static bool finish(void *ctx, int64_t offset)
{
	struct sentry *r = ctx;
	const char *missing = !r->has_frames ? "frames" : !r->has_stacks ? "stacks" : "samples";

	if (!r->has_frames && !r->has_stacks && !r->has_samples)
		return true;
	if (r->lists.n_samples == 0 || !r->has_frames || !r->has_stacks) {
		struct error problem = ERROR_INIT;

		missing = r->lists.n_samples == 0 ? "samples" : missing;
		error_set(&problem, ERR_FORMAT, offset, "the profile has no %s", missing);
		if (r->problem.kind == ERR_NONE)
			r->problem = problem;
		if (r->lists.n_samples > 0)
			builder_warn_text(r->b, WARN_TRAILING, offset, problem.text);
		else
			r->n_empty++;
		return true;
	}
	r->n_profiles++;
	set_clock(r, offset);
	return intern_fits(&r->texts, r->err) &&
		sentry_lanes_add(r->lanes, &r->lists, r->series, r->err);
}

/* Pass an item of an envelope that is a list. */
static bool pass_list(void *ctx, bool is_bare)
{
	struct sentry *r = ctx;
	bool is_first = true;

	(void)is_bare;
	while (scan_element(r->s, &is_first))
		if (!scan_skip(r->s))
			return false;
	return r->err->kind == ERR_NONE;
}

/* Whether the first frame has a member that only frames of Sentry have. */
static bool has_own_frames(const struct outline *o)
{
	static const char *const own[] = { "function", "raw_function",    "module", "filename",
					   "abs_path", "lineno",          "colno",  "in_app",
					   "platform", "instruction_addr" };
	int key = outline_first_key(o, "frames", own, (int)ARRAY_LEN(own));

	return key >= 0 && key < (int)ARRAY_LEN(own);
}

/* Whether the lists are empty, and those of a document behind them are of Sentry. */
static bool begins_empty(const struct outline *o)
{
	return outline_has_list(o, "samples", "") && outline_has_list(o, "frames", "") &&
		outline_has_list(o, "stacks", "") && has_own_frames(o);
}

static int sentry_sniff(const struct outline *outline)
{
	if (outline_has(outline, "traceEvents", 0) || outline_has(outline, "nodes", 0) ||
	    outline_has(outline, "ph", 0))
		return 0;
	if (sentry_envelope_is(outline))
		return 70;
	/* Lists that come after long ones are not in the outline. */
	if (has_own_frames(outline) && (!outline->is_whole || begins_empty(outline)))
		return 95;
	if (!outline_has_list(outline, "samples", "{n") ||
	    !outline_has_list(outline, "frames", "{n"))
		return 0;
	return outline_has(outline, "thread_metadata", '{') ||
			outline_has(outline, "profiler_id", '"') ||
			(outline_has_list(outline, "stacks", "[") &&
			 !outline_has_list(outline, "stacks", ""))
		? 95
		: 0;
}

/* Whether the text at the scanner is an envelope. */
static bool is_envelope(struct scan *s)
{
	struct outline outline;
	struct str head;

	if (scan_peek(s) != '{' || !scan_window(s, ENVELOPE_HEAD, &head))
		return false;
	outline_look(&outline, head.p, head.len, head.len < ENVELOPE_HEAD);
	return sentry_envelope_is(&outline);
}

/* Read all documents, and make what is left of lanes. */
static bool read_all(struct sentry *r, const struct documents *documents)
{
	struct error *err = r->err;

	if (is_envelope(r->s) ? !sentry_envelope_read(documents, &r->problem)
			      : !documents_read(documents))
		return false;
	if (r->n_profiles == 0 && r->problem.kind != ERR_NONE) {
		*err = r->problem;
		return false;
	}
	if (r->n_profiles == 0)
		return error_set(err, ERR_FORMAT, -1, "the envelope has no profile");
	if (r->n_empty)
		builder_input_note(r->b, false, "profiles without samples: %zu", r->n_empty);
	cpu_builder_file_clock(r->b);
	if (r->first_ns >= WALL_CLOCK_MIN && !r->has_own_clock)
		builder_input_date(r->b, r->first_ns / NS_PER_S, true);
	return intern_fits(&r->texts, err) && sentry_lanes_finish(r->lanes, err);
}

static bool sentry_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			struct error *err)
{
	struct sentry r = { .s = s, .b = b, .err = err, .hints = hints, .problem = ERROR_INIT };
	const struct documents documents = { .s = s,
					     .b = b,
					     .err = &r.err,
					     .ctx = &r,
					     .noun = "profile",
					     .members = members,
					     .begin = begin,
					     .is_usable = is_usable,
					     .finish = finish,
					     .list = scan_peek(s) == '{' ? pass_list : NULL,
					     .is_joined = true };
	bool ok;

	intern_init(&r.texts);
	r.lanes = sentry_lanes_new(b, hints, &r.texts);
	ok = read_all(&r, &documents);
	sentry_lanes_free(r.lanes);
	intern_done(&r.texts);
	free(r.lists.frames);
	free(r.lists.stacks);
	free(r.lists.items);
	free(r.lists.samples);
	free(r.lists.threads);
	return ok;
}

const struct reader reader_sentry = {
	"sentry",     "profile of Sentry: version 1, chunks of version 2, envelopes",
	sentry_sniff, sentry_read,
	NULL,         NULL,
};
