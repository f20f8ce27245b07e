/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles of Sentry: a document has the lists `frames`, `stacks` and `samples`, and
 * `thread_metadata`, all within `profile`. A stack is a list of frames, the innermost first. In
 * version 1, samples count nanoseconds (elapsed_since_start_ns) since the start, which is
 * `timestamp` of the document; in chunks of version 2, they have the seconds since 1970
 * (timestamp), so that chunks share a clock.
 *
 * 1. Chunks with one `profiler_id` are a series: "sentry lanes" below joins them.
 * 2. A document without samples is passed, and so is one that lacks a list: others of the file
 *    count. Only if the file has no profile, reading fails.
 * 3. in_app decides whether a function is of the user or of a dependency. */
#include "config.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/json/json_read.h"
#include "base/json/outline.h"
#include "base/sort.h"
#include "base/units.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"
#include "model/build/track_builder.h"
#include "read/documents.h"
#include "read/reader.h"
#include "read/stack_lane.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ==== sentry lanes ====
 *
 * The cost follows the samples and the frames of their stacks, not the product of threads and
 * frames or stacks:
 *
 * 1. Samples are taken thread by thread, and share a table of the nodes of stacks.
 * 2. Equal frames have one number, in all documents of a file, so that the chunks of a lane have
 *    one tree. A lane passes only the frames of its own nodes to the builder. */

#define NODES_MAX ((size_t)1 << 26) /* of all lanes of a document */
#define UNKNOWN 0u                  /* the number of a frame that does not exist */

struct sentry_frame {
	str_id name, address, path, file, module;
	int64_t line, column;
	char in_app; /* 't', 'f'; 0: unknown */
};

struct sentry_sample {
	int64_t t, stack;
	str_id thread;
	bool is_elapsed; /* t counts from the start of the document */
};

struct sentry_thread {
	str_id id, name;
};

/* The lists of a document. */
struct sentry_lists {
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
};

/* The samples of a lane that one chunk has. */
struct stretch {
	int64_t from, last;
	size_t n;
};

struct sentry_lane {
	uint64_t group;
	str_id thread, name;
	struct stack_lane stacks;
	struct stretch *stretches;
	size_t n_stretches, cap_stretches;
	size_t n_unsorted;
	uint32_t n_here, at; /* of the document: samples, and where they are in `order` */
	bool is_made;
};

/* From the lists to lanes: one for each thread of a document, or of a series of chunks. */
struct sentry_lanes {
	struct builder *b;
	const struct file_hints *hints;
	const struct intern *texts;  /* of the lists */
	struct sentry_frame *frames; /* without an address, file and module: the texts to use */
	size_t n_frames, cap_frames;
	struct hash_table frame_index;
	struct sentry_lane *lanes;
	size_t n_lanes, cap_lanes;
	struct hash_table lane_index;
	size_t cap_passed;
	uint32_t *passed, *passed_for; /* by frame: its number in the builder, for a lane, from 1 */
	uint32_t n_emitted;
	uint32_t n_alone; /* documents without a series */
};

/* ---- the document that is added ---- */

struct adding {
	struct sentry_lanes *l;
	const struct sentry_lists *lists;
	uint32_t *frame;   /* by frame of the document */
	uint32_t *lane;    /* by sample */
	uint32_t *order;   /* samples by lane, in the order of the file */
	uint32_t *touched; /* lanes, in the order of their first samples */
	size_t n_touched;
	uint32_t *node, *node_for; /* by stack: its node in a lane, from 1 */
	size_t n_nodes;
	struct error *err;
};

static uint32_t find_frame(struct sentry_lanes *l, const struct sentry_frame *of_file)
{
	const struct sentry_frame frame = {
		.name = of_file->name ? of_file->name : of_file->address,
		.path = of_file->path   ? of_file->path
			: of_file->file ? of_file->file
					: of_file->module,
		.line = of_file->line,
		.column = of_file->column,
		.in_app = of_file->in_app,
	};
	const uint64_t key[] = { (uint64_t)frame.name << 32 | frame.path, (uint64_t)frame.line,
				 (uint64_t)frame.column << 8 | (uint8_t)frame.in_app };
	struct hash_probe probe = hash_probe(hash_bytes(key, sizeof key));

	while (hash_table_next(&l->frame_index, &probe)) {
		const struct sentry_frame *f = &l->frames[probe.index];

		if (f->name == frame.name && f->path == frame.path && f->line == frame.line &&
		    f->column == frame.column && f->in_app == frame.in_app)
			return probe.index;
	}
	hash_table_add_missing(&l->frame_index, &probe, (uint32_t)l->n_frames);
	*ARRAY_ADD(l->frames, l->n_frames, l->cap_frames) = frame;
	return (uint32_t)l->n_frames - 1;
}

/* The lane of a thread of a document or series. LANE_NONE: there is none. */
#define LANE_NONE UINT32_MAX

static uint32_t find_lane(const struct sentry_lanes *l, uint64_t group, str_id thread,
			  struct hash_probe *probe)
{
	const uint64_t key[] = { group, thread };

	*probe = hash_probe(hash_bytes(key, sizeof key));
	while (hash_table_next(&l->lane_index, probe)) {
		const struct sentry_lane *lane = &l->lanes[probe->index];

		if (lane->group == group && lane->thread == thread)
			return probe->index;
	}
	return LANE_NONE;
}

static uint32_t get_lane(struct sentry_lanes *l, uint64_t group, str_id thread)
{
	struct hash_probe probe;
	uint32_t lane = find_lane(l, group, thread, &probe);

	if (lane != LANE_NONE)
		return lane;
	hash_table_add_missing(&l->lane_index, &probe, (uint32_t)l->n_lanes);
	l->lanes = xgrow(l->lanes, &l->cap_lanes, l->n_lanes + 1, sizeof *l->lanes);
	l->lanes[l->n_lanes] = (struct sentry_lane){ .group = group, .thread = thread };
	stack_lane_init(&l->lanes[l->n_lanes].stacks);
	return (uint32_t)l->n_lanes++;
}

/* Put the samples of each thread together. */
static void order_samples(struct adding *a, uint64_t group)
{
	const struct sentry_sample *samples = a->lists->samples;
	struct sentry_lanes *l = a->l;
	uint32_t at = 0;

	for (size_t i = 0; i < a->lists->n_samples; i++) {
		bool is_same = i > 0 && samples[i].thread == samples[i - 1].thread;

		a->lane[i] = is_same ? a->lane[i - 1] : get_lane(l, group, samples[i].thread);
		if (l->lanes[a->lane[i]].n_here++ == 0)
			a->touched[a->n_touched++] = a->lane[i];
	}
	for (size_t i = 0; i < a->n_touched; i++) {
		struct sentry_lane *lane = &l->lanes[a->touched[i]];

		lane->at = at;
		at += lane->n_here;
	}
	for (size_t i = 0; i < a->lists->n_samples; i++)
		a->order[l->lanes[a->lane[i]].at++] = (uint32_t)i;
}

static bool place_stack(struct adding *a, uint32_t lane, int64_t stack, uint32_t *node)
{
	struct stack_lane *stacks = &a->l->lanes[lane].stacks;
	const struct sentry_lists *lists = a->lists;
	size_t first, at;

	*node = 0;
	if (stack < 0 || (uint64_t)stack >= lists->n_stacks) {
		builder_warn(a->l->b, WARN_ODD_INDEX, -1);
		return stack_lane_child(stacks, 0, UNKNOWN, node, a->err);
	}
	if (a->node_for[stack] == lane + 1) {
		*node = a->node[stack];
		return true;
	}
	first = lists->stacks[stack];
	at = (size_t)stack + 1 < lists->n_stacks ? lists->stacks[stack + 1] : lists->n_items;
	if (at - first > NODES_MAX - a->n_nodes)
		return error_set(a->err, ERR_LIMIT, -1, "stacks with more than %zu frames",
				 NODES_MAX);
	a->n_nodes += at - first;
	while (at-- > first) {
		int64_t frame = lists->items[at];
		bool is_known = frame >= 0 && (uint64_t)frame < lists->n_frames;

		if (!is_known)
			builder_warn(a->l->b, WARN_ODD_INDEX, -1);
		if (!stack_lane_child(stacks, *node, is_known ? a->frame[frame] : UNKNOWN, node,
				      a->err))
			return false;
	}
	a->node[stack] = *node;
	a->node_for[stack] = lane + 1;
	return true;
}

/* Add the samples of one thread. */
static bool add_samples(struct adding *a, uint32_t at)
{
	struct sentry_lane *lane = &a->l->lanes[at];
	const uint32_t *order = a->order + (lane->at - lane->n_here);
	int64_t before = a->lists->samples[order[0]].t;
	struct stretch stretch = { before, before, lane->n_here };
	uint32_t node;

	for (uint32_t i = 0; i < lane->n_here; i++) {
		const struct sentry_sample *sample = &a->lists->samples[order[i]];

		if (!place_stack(a, at, sample->stack, &node))
			return false;
		stack_lane_sample(&lane->stacks, node, sample->t);
		lane->n_unsorted += i > 0 && sample->t <= before;
		before = sample->t;
		stretch.from = sample->t < stretch.from ? sample->t : stretch.from;
		stretch.last = sample->t > stretch.last ? sample->t : stretch.last;
	}
	*ARRAY_ADD(lane->stretches, lane->n_stretches, lane->cap_stretches) = stretch;
	return true;
}

/* ---- lanes ---- */

SORT_ORDER(by_start, struct stretch, SORT_BY_1(x->from, y->from))

/* Between two chunks of a series there may be a pause. The last sample before it, and then also the
 * last one of all, lasts as long as those of its chunk on average. */
static void add_pauses(struct sentry_lane *lane)
{
	struct stack_lane *stacks = &lane->stacks;
	int64_t last = INT64_MIN, distance = 0;

	qsort(lane->stretches, lane->n_stretches, sizeof *lane->stretches, by_start);
	for (size_t i = 0; i < lane->n_stretches; i++) {
		const struct stretch *s = &lane->stretches[i];

		if (distance > 0 && s->from - last > NS_PER_S && (s->from - last) / 10 > distance) {
			stack_lane_sample(stacks, 0, last + distance);
			stacks->has_end = true;
		}
		if (s->last > last) {
			last = s->last;
			distance = s->n > 1 ? (s->last - s->from) / (int64_t)(s->n - 1) : 0;
		}
	}
	stacks->has_end = stacks->has_end && distance > 0;
	stacks->end_ns = last + distance;
}

/* Pass the frames of all nodes of a lane to the builder. */
static void pass_frames(struct sentry_lanes *l, const struct node_map *map)
{
	if (l->cap_passed < l->n_frames) {
		size_t before = l->cap_passed;

		l->passed_for = xgrow(l->passed_for, &l->cap_passed, l->n_frames,
				      sizeof *l->passed_for);
		l->passed = xrealloc(l->passed, l->cap_passed, sizeof *l->passed);
		memset(l->passed_for + before, 0, (l->cap_passed - before) * sizeof *l->passed_for);
	}
	l->n_emitted++;
	for (uint32_t i = 1; i < map->n; i++) {
		uint32_t frame = map->frame[i];
		const struct sentry_frame *f = &l->frames[frame];

		if (l->passed_for[frame] == l->n_emitted)
			continue;
		l->passed_for[frame] = l->n_emitted;
		l->passed[frame] = frame == UNKNOWN
			? cpu_builder_named(l->b, "(unknown)", 9)
			: stack_lane_frame(l->b, l->texts, f->name, f->path, f->line, f->column);
		if (f->in_app)
			cpu_builder_owner(l->b, l->passed[frame], f->in_app == 't');
	}
}

/* The number of a thread, which is its id if that is one. */
static int64_t thread_number(const char *id)
{
	char *end;
	long long n = strtoll(id, &end, 10);

	return *id && !*end && n > INT32_MIN && n < INT64_MAX ? n : LANE_NO_ID;
}

static bool make_lane(struct sentry_lanes *l, struct sentry_lane *lane, struct error *err)
{
	size_t n = lane->stacks.n_samples;
	int64_t tid;
	str_id name;

	add_pauses(lane);
	cpu_builder_begin(l->b);
	stack_lane_sort(&lane->stacks, true);
	if (lane->n_unsorted)
		builder_warn_times(l->b, WARN_UNSORTED, -1, lane->n_unsorted);
	pass_frames(l, &lane->stacks.map);
	stack_lane_emit(&lane->stacks, l->b, l->passed);
	if (n == 1)
		builder_warn(l->b, WARN_ONE_SAMPLE, -1);
	stack_lane_done(&lane->stacks);
	tid = thread_number(intern_text(l->texts, lane->thread));
	name = lane->name ? lane->name : lane->thread;
	if (tid != LANE_NO_ID && lane->name)
		track_builder_name(l->b, l->hints->pid, tid, intern_text(l->texts, name),
				   intern_len(l->texts, name));
	else if (tid == LANE_NO_ID && name)
		cpu_builder_title(l->b, intern_text(l->texts, name), intern_len(l->texts, name),
				  false);
	return cpu_builder_end(l->b, l->hints->pid, tid, err);
}

static void forget_stacks(struct sentry_lane *lane)
{
	stack_lane_done(&lane->stacks);
	free(lane->stretches);
	lane->stretches = NULL;
}

/* Make the lanes from `from` on that are not made yet. */
static bool make_lanes(struct sentry_lanes *l, size_t from, struct error *err)
{
	for (size_t i = from; i < l->n_lanes; i++) {
		struct sentry_lane *lane = &l->lanes[i];
		bool ok = lane->is_made || lane->n_stretches == 0 || make_lane(l, lane, err);

		lane->is_made = true;
		forget_stacks(lane);
		if (!ok)
			return false;
	}
	return true;
}

static void sentry_lanes_init(struct sentry_lanes *l, struct builder *b,
			      const struct file_hints *hints, const struct intern *texts)
{
	*l = (struct sentry_lanes){ .b = b, .hints = hints, .texts = texts };
	l->frames = xgrow(NULL, &l->cap_frames, 1, sizeof *l->frames);
	l->frames[l->n_frames++] = (struct sentry_frame){ 0 };
}

static void sentry_lanes_done(struct sentry_lanes *l)
{
	for (size_t i = 0; i < l->n_lanes; i++)
		forget_stacks(&l->lanes[i]);
	free(l->lanes);
	free(l->frames);
	free(l->passed);
	free(l->passed_for);
	hash_table_done(&l->frame_index);
	hash_table_done(&l->lane_index);
}

/* Add the samples of a document. series: the id of the chunks that it belongs to; 0: none. A thread
 * of a series is one lane, which waits for further chunks; the lanes of a document without a series
 * are made at once. Fails with ERR_LIMIT. */
static bool sentry_lanes_add(struct sentry_lanes *l, const struct sentry_lists *lists,
			     str_id series, struct error *err)
{
	struct adding a = { .l = l,
			    .lists = lists,
			    .frame = xmalloc((lists->n_frames + 1) * sizeof *a.frame),
			    .lane = xmalloc((lists->n_samples + 1) * sizeof *a.lane),
			    .order = xmalloc((lists->n_samples + 1) * sizeof *a.order),
			    .touched = xmalloc((lists->n_samples + 1) * sizeof *a.touched),
			    .node = xcalloc(lists->n_stacks + 1, sizeof *a.node),
			    .node_for = xcalloc(lists->n_stacks + 1, sizeof *a.node_for),
			    .err = err };
	uint64_t group = series ? series : UINT64_C(1) << 32 | l->n_alone++;
	size_t n_before = l->n_lanes;
	bool ok = true;
	struct hash_probe probe;

	for (size_t i = 0; i < lists->n_frames; i++)
		a.frame[i] = find_frame(l, &lists->frames[i]);
	order_samples(&a, group);
	for (size_t i = 0; i < lists->n_threads; i++) {
		uint32_t lane = find_lane(l, group, lists->threads[i].id, &probe);

		if (lane != LANE_NONE && lists->threads[i].name)
			l->lanes[lane].name = lists->threads[i].name;
	}
	for (size_t i = 0; i < a.n_touched; i++) {
		ok = ok && add_samples(&a, a.touched[i]);
		l->lanes[a.touched[i]].n_here = 0;
	}
	free(a.frame);
	free(a.lane);
	free(a.order);
	free(a.touched);
	free(a.node);
	free(a.node_for);
	return ok && (series || make_lanes(l, n_before, err));
}

/* ==== sentry ==== */

#define ENVELOPE_HEAD ((size_t)64 << 10) /* the bytes that show an envelope */

struct sentry {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct intern texts;
	struct sentry_lanes lanes;
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

static bool read_frame(void *ctx)
{
	static const struct json_field fields[] = {
		{ "function", JSON_FIELD_TEXT, offsetof(struct sentry_frame, name) },
		{ "instruction_addr", JSON_FIELD_TEXT, offsetof(struct sentry_frame, address) },
		{ "abs_path", JSON_FIELD_TEXT, offsetof(struct sentry_frame, path) },
		{ "filename", JSON_FIELD_TEXT, offsetof(struct sentry_frame, file) },
		{ "module", JSON_FIELD_TEXT, offsetof(struct sentry_frame, module) },
		{ "lineno", JSON_FIELD_POSITION, offsetof(struct sentry_frame, line) },
		{ "colno", JSON_FIELD_POSITION, offsetof(struct sentry_frame, column) },
		{ "in_app", JSON_FIELD_FLAG, offsetof(struct sentry_frame, in_app) },
	};
	struct sentry *r = ctx;
	struct sentry_frame frame = { 0 };

	if (scan_peek(r->s) != '{')
		builder_warn(r->b, WARN_CALL_FRAME, scan_offset(r->s));
	if (!json_read_fields(r->s, fields, ARRAY_LEN(fields), &r->texts, &frame))
		return false;
	*ARRAY_ADD(r->lists.frames, r->lists.n_frames, r->lists.cap_frames) = frame;
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
	*ARRAY_ADD(r->lists.stacks, r->lists.n_stacks, r->lists.cap_stacks) = r->lists.n_items;
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
		return json_read_id(r->s, &r->texts, &draft->sample.thread);
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
	if (!draft.has_time)
		return builder_warn(r->b, WARN_TIME_MISSING, offset);
	*ARRAY_ADD(r->lists.samples, r->lists.n_samples, r->lists.cap_samples) = draft.sample;
	return true;
}

static bool read_thread(void *ctx, struct str key)
{
	static const struct json_field fields[] = {
		{ "name", JSON_FIELD_TEXT, offsetof(struct sentry_thread, name) },
	};
	struct sentry *r = ctx;
	struct sentry_thread *thread = ARRAY_ADD(r->lists.threads, r->lists.n_threads,
						 r->lists.cap_threads);

	*thread = (struct sentry_thread){ .id = intern_add(&r->texts, key.p, key.len) };
	return json_read_fields(r->s, fields, ARRAY_LEN(fields), &r->texts, thread);
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
	r->has_start = r->has_start && r->start_ns >= PROFILE_WALL_CLOCK_MIN &&
		r->start_ns < PROFILE_TIME_MAX;
	return true;
}

static bool read_series(void *ctx)
{
	struct sentry *r = ctx;

	return json_read_id(r->s, &r->texts, &r->series);
}

#define LIST(name, complete) offsetof(struct sentry, lists.name), offsetof(struct sentry, complete)

static const struct document_member members[] = {
	{ "frames", 0, NULL, read_frame, LIST(n_frames, has_frames) },
	{ "stacks", 0, NULL, read_stack, LIST(n_stacks, has_stacks) },
	{ "samples", 0, NULL, read_sample, LIST(n_samples, has_samples) },
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

static bool is_usable(void *ctx)
{
	const struct sentry *r = ctx;

	return r->has_frames && r->has_stacks && r->lists.n_samples > 0;
}

/* The clock of a document: the wall clock, or one that no other document has. */
static void set_clock(struct sentry *r, int64_t offset)
{
	if (r->has_elapsed && !r->has_start) {
		r->has_own_clock = true;
		r->series = 0;
		cpu_builder_clock(r->b, CPU_CLOCK_OWN);
		return;
	}
	cpu_builder_clock(r->b, CPU_CLOCK_OF_FILE);
	if (r->has_elapsed) {
		/* Bring times that count from the start to the wall clock. */
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
		sentry_lanes_add(&r->lanes, &r->lists, r->series, r->err);
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

static int sentry_sniff(const struct outline *outline)
{
	if (sentry_envelope_is(outline))
		return 70;
	/* Lists that come after long ones are not in the outline, nor those of a document behind
	 * one whose lists are empty. */
	if (has_own_frames(outline) &&
	    (!outline->is_whole ||
	     (outline_has_list(outline, "samples", "") && outline_has_list(outline, "frames", "") &&
	      outline_has_list(outline, "stacks", ""))))
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
	cpu_builder_clock(r->b, CPU_CLOCK_OF_FILE);
	if (r->first_ns >= PROFILE_WALL_CLOCK_MIN && !r->has_own_clock)
		builder_input_date(r->b, r->first_ns / NS_PER_S, true);
	return intern_fits(&r->texts, err) && make_lanes(&r->lanes, 0, err);
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
	sentry_lanes_init(&r.lanes, b, hints, &r.texts);
	ok = read_all(&r, &documents);
	sentry_lanes_done(&r.lanes);
	intern_done(&r.texts);
	free(r.lists.frames);
	free(r.lists.stacks);
	free(r.lists.items);
	free(r.lists.samples);
	free(r.lists.threads);
	return ok;
}

const struct reader reader_sentry = {
	.name = "sentry",
	.help = "profile of Sentry: version 1, chunks of version 2, envelopes",
	.foreign = "traceEvents nodes ph",
	.sniff = sentry_sniff,
	.read = sentry_read,
};
