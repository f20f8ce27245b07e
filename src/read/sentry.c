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

#include "read/reader.h"

#include "base/alloc.h"
#include "base/date.h"
#include "base/intern.h"
#include "base/json/json_read.h"
#include "base/units.h"
#include "model/build/cpu_builder.h"
#include "read/documents.h"
#include "read/sentry_envelope.h"
#include "read/sentry_lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Earlier starts (2001) are no dates. */
#define WALL_CLOCK_LEAST (INT64_C(1000000000) * NS_PER_S)
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

static bool read_item(void *ctx)
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
	return json_read_list(r->s, read_item, r);
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
	r->has_start = r->has_start && r->start_ns >= WALL_CLOCK_LEAST &&
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
	if (r->first_ns >= WALL_CLOCK_LEAST && !r->has_own_clock)
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
