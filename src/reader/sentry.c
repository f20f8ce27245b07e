/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles of Sentry: a document has the lists `frames`, `stacks` and `samples`, and
 * `thread_metadata`, all within `profile`. A stack is a list of frames, the innermost first. In
 * version 1, samples count nanoseconds since the start (elapsed_since_start_ns); in chunks of
 * version 2, they have the seconds since 1970 (timestamp), so that chunks share a clock.
 *
 * 1. The samples of each thread are a lane. They are taken thread by thread, and share a table of
 * the nodes of stacks, so that the cost follows the samples, not threads times stacks.
 * 2. An envelope is a row of JSON values: its header, and for each item a header and what it holds.
 *    Values without any of the lists are passed.
 * 3. in_app decides whether a function is of the user or of a dependency. */
#include "config.h"

#include "reader/reader.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "build/cpu_builder.h"
#include "build/track_builder.h"
#include "json/json_read.h"
#include "reader/documents.h"
#include "reader/stack_lane.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MOST ((size_t)1 << 26) /* of all lanes of a document */

struct sentry_frame {
	str_id name, address, path, file, module;
	int64_t line, column;
	bool has_owner, is_app;
};

struct sentry_sample {
	int64_t t, stack;
	str_id thread;
};

struct sentry_thread {
	str_id id, name;
};

struct sentry {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct intern texts;
	struct sentry_frame *frames;
	size_t n_frames, cap_frames;
	size_t *stacks; /* where the frames of each one begin in `items` */
	size_t n_stacks, cap_stacks;
	int64_t *items; /* indices of frames */
	size_t n_items, cap_items;
	struct sentry_sample *samples;
	size_t n_samples, cap_samples;
	struct sentry_thread *threads;
	size_t n_threads, cap_threads;
	bool has_frames, has_stacks, has_samples; /* these lists are complete */
	bool has_elapsed;                         /* times count from the start */
	size_t n_profiles;
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
	r->frames = xgrow(r->frames, &r->cap_frames, r->n_frames + 1, sizeof *r->frames);
	r->frames[r->n_frames++] = draft.frame;
	return true;
}

static bool read_item(void *ctx)
{
	struct sentry *r = ctx;

	r->items = xgrow(r->items, &r->cap_items, r->n_items + 1, sizeof *r->items);
	return json_read_index(r->s, &r->items[r->n_items++]);
}

static bool read_stack(void *ctx)
{
	struct sentry *r = ctx;

	if (r->n_stacks == 0)
		r->n_items = 0;
	if (r->n_stacks >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, scan_offset(r->s), "more than %u stacks",
				 CPU_NODES_MAX);
	r->stacks = xgrow(r->stacks, &r->cap_stacks, r->n_stacks + 1, sizeof *r->stacks);
	r->stacks[r->n_stacks++] = r->n_items;
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

	if (r->n_samples >= INT32_MAX)
		return error_set(r->err, ERR_LIMIT, offset, "more than %d samples", INT32_MAX);
	if (!json_read_object(r->s, read_sample_member, &draft))
		return false;
	if (!draft.has_time) {
		builder_warn(r->b, WARN_TIME_MISSING, offset);
		return true;
	}
	r->samples = xgrow(r->samples, &r->cap_samples, r->n_samples + 1, sizeof *r->samples);
	r->samples[r->n_samples++] = draft.sample;
	return true;
}

static bool read_thread_member(void *ctx, struct str key)
{
	struct sentry *r = ctx;

	if (!str_is(key, "name"))
		return scan_skip(r->s);
	return json_read_text(r->s, &r->texts, &r->threads[r->n_threads - 1].name);
}

static bool read_thread(void *ctx, struct str key)
{
	struct sentry *r = ctx;
	str_id id = intern_add(&r->texts, key.p, key.len);

	r->threads = xgrow(r->threads, &r->cap_threads, r->n_threads + 1, sizeof *r->threads);
	r->threads[r->n_threads++] = (struct sentry_thread){ .id = id };
	return json_read_object(r->s, read_thread_member, r);
}

static bool read_threads(void *ctx)
{
	struct sentry *r = ctx;

	r->n_threads = 0;
	return json_read_object(r->s, read_thread, r);
}

/* ---- lanes ---- */

/* Makes the lanes of a document. */
struct lane_maker {
	struct sentry *r;
	uint32_t *order;       /* samples by thread, in the order of the file */
	uint32_t *node, *lane; /* by stack: its node in the lane with this number, from 1 */
	size_t n_nodes;        /* of all lanes */
	uint32_t n_lanes;
	const str_id *name; /* of threads, by id */
};

static bool place_stack(struct lane_maker *m, struct stack_lane *l, int64_t stack, uint32_t *node)
{
	struct sentry *r = m->r;
	size_t first, at;

	*node = 0;
	if (stack < 0 || (uint64_t)stack >= r->n_stacks) {
		builder_warn(r->b, WARN_ODD_INDEX, -1);
		return stack_lane_child(l, 0, (uint32_t)r->n_frames, node, r->err);
	}
	if (m->lane[stack] == m->n_lanes) {
		*node = m->node[stack];
		return true;
	}
	first = r->stacks[stack];
	at = (size_t)stack + 1 < r->n_stacks ? r->stacks[stack + 1] : r->n_items;
	if (at - first > NODES_MOST - m->n_nodes)
		return error_set(r->err, ERR_LIMIT, -1, "stacks with more than %zu frames",
				 NODES_MOST);
	m->n_nodes += at - first;
	while (at-- > first) {
		int64_t frame = r->items[at];

		if (frame < 0 || (uint64_t)frame >= r->n_frames) {
			builder_warn(r->b, WARN_ODD_INDEX, -1);
			frame = (int64_t)r->n_frames;
		}
		if (!stack_lane_child(l, *node, (uint32_t)frame, node, r->err))
			return false;
	}
	m->node[stack] = *node;
	m->lane[stack] = m->n_lanes;
	return true;
}

static uint32_t *pass_frames(struct sentry *r)
{
	uint32_t *frames = xmalloc((r->n_frames + 1) * sizeof *frames);

	for (size_t i = 0; i < r->n_frames; i++) {
		const struct sentry_frame *f = &r->frames[i];
		str_id name = f->name ? f->name : f->address;
		str_id url = f->path ? f->path : f->file ? f->file : f->module;

		frames[i] = cpu_builder_frame(r->b,
					      &(struct cpu_frame){ intern_text(&r->texts, name),
								   intern_len(&r->texts, name),
								   intern_text(&r->texts, url),
								   intern_len(&r->texts, url), "0",
								   1, f->line - 1, f->column - 1 });
		if (f->has_owner)
			cpu_builder_owner(r->b, frames[i], f->is_app);
	}
	frames[r->n_frames] = cpu_builder_frame(
		r->b, &(struct cpu_frame){ "(unknown)", 9, "", 0, "0", 1, -1, -1 });
	return frames;
}

/* The number of a thread, which is its id if that is one. */
static int64_t thread_number(const char *id)
{
	char *end;
	long long n = strtoll(id, &end, 10);

	return *id && !*end && n > INT32_MIN && n < INT64_MAX ? n : LANE_NO_ID;
}

static bool end_lane(struct lane_maker *m, str_id thread)
{
	struct sentry *r = m->r;
	const char *id = intern_text(&r->texts, thread);
	int64_t tid = thread_number(id);
	str_id name = m->name[thread];

	if (tid != LANE_NO_ID && name)
		track_builder_thread(r->b, r->hints->pid, tid, intern_text(&r->texts, name),
				     intern_len(&r->texts, name));
	else if (tid == LANE_NO_ID && (name || thread))
		cpu_builder_title(r->b, intern_text(&r->texts, name ? name : thread),
				  intern_len(&r->texts, name ? name : thread), false);
	return cpu_builder_end(r->b, r->hints->pid, tid, r->err);
}

/* Make the lane of n samples of one thread. */
static bool make_lane(struct lane_maker *m, const uint32_t *samples, size_t n)
{
	struct sentry *r = m->r;
	struct stack_lane lane;
	uint32_t *frames, node;
	bool ok = true;
	size_t n_odd;

	m->n_lanes++;
	stack_lane_init(&lane);
	cpu_builder_begin(r->b);
	for (size_t i = 0; ok && i < n; i++) {
		ok = place_stack(m, &lane, r->samples[samples[i]].stack, &node);
		if (ok)
			stack_lane_sample(&lane, node, r->samples[samples[i]].t);
	}
	if (ok) {
		for (n_odd = stack_lane_sort(&lane); n_odd > 0; n_odd--)
			builder_warn(r->b, WARN_UNSORTED, -1);
		frames = pass_frames(r);
		stack_lane_emit(&lane, r->b, frames);
		free(frames);
		if (n == 1)
			builder_warn(r->b, WARN_ONE_SAMPLE, -1);
	}
	stack_lane_done(&lane);
	if (ok)
		return end_lane(m, r->samples[samples[0]].thread);
	cpu_builder_drop(r->b);
	return false;
}

/* Put the samples of each thread together, the threads in the order of their first samples.
 * `first`, by thread id, is zeroed. */
static void order_samples(struct lane_maker *m, uint32_t *first)
{
	const struct sentry *r = m->r;
	uint32_t at = 0;

	for (size_t i = 0; i < r->n_samples; i++)
		first[r->samples[i].thread]++;
	for (size_t i = 0; i < r->n_samples; i++) {
		uint32_t *n = &first[r->samples[i].thread];

		/* A number becomes a place, which has the highest bit. */
		if (!(*n & (1u << 31))) {
			uint32_t many = *n;

			*n = at | 1u << 31;
			at += many;
		}
		m->order[(*n)++ & ~(1u << 31)] = (uint32_t)i;
	}
}

static bool make_lanes(struct sentry *r)
{
	size_t n_texts = (size_t)r->texts.n + 1, n_stacks = r->n_stacks + 1;
	str_id *name = xcalloc(n_texts, sizeof *name);
	uint32_t *first = xcalloc(n_texts, sizeof *first);
	struct lane_maker m = { .r = r,
				.order = xmalloc(r->n_samples * sizeof *m.order),
				.node = xcalloc(n_stacks, sizeof *m.node),
				.lane = xcalloc(n_stacks, sizeof *m.lane),
				.name = name };
	bool ok = true;

	for (size_t i = 0; i < r->n_threads; i++)
		name[r->threads[i].id] = r->threads[i].name;
	order_samples(&m, first);
	if (r->has_elapsed)
		cpu_builder_own_clock(r->b);
	for (size_t i = 0, end; ok && i < r->n_samples; i = end) {
		str_id thread = r->samples[m.order[i]].thread;

		for (end = i; end < r->n_samples && r->samples[m.order[end]].thread == thread;)
			end++;
		ok = make_lane(&m, m.order + i, end - i);
	}
	free(name);
	free(first);
	free(m.order);
	free(m.node);
	free(m.lane);
	return ok;
}

/* ---- the document ---- */

#define LIST(name) offsetof(struct sentry, name)
static const struct document_member members[] = {
	{ "frames", NULL, read_frame, LIST(n_frames), LIST(has_frames) },
	{ "stacks", NULL, read_stack, LIST(n_stacks), LIST(has_stacks) },
	{ "samples", NULL, read_sample, LIST(n_samples), LIST(has_samples) },
	{ "thread_metadata", .read = read_threads },
	{ .name = NULL },
};
#undef LIST

static void begin(void *ctx)
{
	struct sentry *r = ctx;

	r->n_items = r->n_threads = 0;
	r->has_elapsed = false;
}

static bool is_usable(void *ctx, int64_t *offset)
{
	const struct sentry *r = ctx;

	(void)offset;
	return r->has_frames && r->has_stacks && r->n_samples > 0;
}

static bool finish(void *ctx, int64_t offset)
{
	struct sentry *r = ctx;

	if (!r->has_frames && !r->has_stacks && !r->has_samples)
		return true;
	if (r->n_samples == 0)
		return error_set(r->err, ERR_FORMAT, offset, "the profile has no samples");
	if (!r->has_frames || !r->has_stacks)
		return error_set(r->err, ERR_FORMAT, offset, "the profile has no %s",
				 r->has_frames ? "stacks" : "frames");
	r->n_profiles++;
	return intern_fits(&r->texts, r->err) && make_lanes(r);
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

/* Whether the second line is the header of an item of an envelope. */
static bool is_envelope(const struct outline *o)
{
	static const char type[] = "\"type\"";
	const char *end = o->text + o->len, *line = memchr(o->text, '\n', o->len), *stop;

	if (!line || ++line == end || *line != '{')
		return false;
	stop = memchr(line, '\n', (size_t)(end - line));
	for (; stop && line + sizeof type - 1 < stop; line++)
		if (memcmp(line, type, sizeof type - 1) == 0)
			return outline_has(o, "event_id", 0) || outline_has(o, "sent_at", 0) ||
				outline_has(o, "dsn", 0) || outline_has(o, "sdk", 0) ||
				o->n_keys == 0;
	return false;
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

static int sentry_sniff(const struct outline *outline)
{
	if (outline_has(outline, "traceEvents", 0) || outline_has(outline, "nodes", 0))
		return 0;
	if (outline->top == '{' && is_envelope(outline))
		return 70;
	/* Lists that come after long ones are not in the outline. */
	if (has_own_frames(outline) && !outline->is_whole)
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

static bool sentry_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			struct error *err)
{
	struct sentry r = { .s = s, .b = b, .err = err, .hints = hints };
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
	ok = documents_read(&documents);
	if (ok && r.n_profiles == 0)
		ok = error_set(err, ERR_FORMAT, -1, "the envelope has no profile");
	intern_done(&r.texts);
	free(r.frames);
	free(r.stacks);
	free(r.items);
	free(r.samples);
	free(r.threads);
	return ok;
}

const struct reader reader_sentry = {
	"sentry",     "profile of Sentry: version 1, chunks of version 2, envelopes",
	sentry_sniff, sentry_read,
	NULL,         NULL,
};
