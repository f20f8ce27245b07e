/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member `stackFrames`, and the stacks of events: `sf` or `stack` where a slice begins, `esf`
 * or `estack` where it ends. The frames and the events may come in any order, so the ids that
 * events name are counted, and compared with the frames at the end. Lists of names need no frames;
 * they stay in the file, as do the stacks of single events.
 *
 * A stack is whole if each frame and its callers exist. That is computed once per frame. */
#include "config.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/sort.h"
#include "read/trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* ==== trace frame ====
 *
 * Frames of slices and marks: each text has one of each, which is made when the text is first used
 * as such a name. */

/* The name with the event category of `e`, which differs from that of its first event. */
text_id trace_frame_other_name(struct trace *t, const struct trace_event *e)
{
	text_id cat = trace_resolve_category(t, e), id = e->name;

	if (!t->texts.all[id].has_cat) {
		t->texts.all[id].has_cat = true;
		t->texts.all[id].cat = cat;
	}
	while (id && t->texts.all[id].cat != cat)
		id = t->texts.all[id].next;
	if (!id) {
		id = trace_text_twin(&t->texts, e->name);
		if (!id)
			return e->name;
		t->texts.all[id].cat = cat;
	}
	return id;
}

static frame_id make_frame(struct trace *t, text_id name, bool is_mark)
{
	const struct trace_text *text = &t->texts.all[name];
	struct str cat = trace_text_str(&t->texts, text->cat), own = { text->p, text->len };
	frame_id frame;

	if (text->base)
		return track_builder_variant(t->b,
					     is_mark ? trace_frame_of_mark(t, text->base)
						     : trace_frame_of(t, text->base),
					     cat);
	frame = (is_mark ? track_builder_mark : track_builder_frame)(t->b, name ? own.p : "",
								     own.len);
	track_builder_frame_cat(t->b, frame, cat);
	return frame;
}

frame_id trace_frame_make(struct trace *t, text_id name)
{
	return t->texts.all[name].frame = make_frame(t, name, false);
}

frame_id trace_frame_of_mark(struct trace *t, text_id name)
{
	frame_id *mark = &t->texts.all[name].mark;

	return *mark != FRAME_NONE ? *mark : (*mark = make_frame(t, name, true));
}

/* ==== trace stack ==== */

#define VALUE_MAX ((size_t)64 << 20)

enum state { STATE_UNKNOWN, STATE_IN_WORK, STATE_WHOLE, STATE_MISSING, STATE_CYCLE };

/* A frame of `stackFrames`. */
struct trace_stack_frame {
	text_id name, parent;
	int32_t line, column; /* where the function starts, from 1; 0: not stated */
	uint32_t used;        /* number of the last thread that used it, from 1 */
	uint8_t state;
};

struct stack_use {
	text_id id;
	uint64_t n;
	int64_t offset; /* of the first event */
};

struct trace_stacks {
	struct trace_stack_frame *frames;
	uint32_t n_frames;
	size_t cap_frames;
	uint32_t *by_id; /* by the text of its id: frame + 1 */
	size_t n_ids, cap_ids;
	struct stack_use *uses;
	uint32_t n_uses;
	size_t cap_uses;
	uint32_t *use_of; /* by the text of an id: use + 1 */
	size_t n_use_of, cap_use_of;
};

static void free_stacks(struct trace *t)
{
	if (!t->stacks)
		return;
	free(t->stacks->frames);
	free(t->stacks->by_id);
	free(t->stacks->uses);
	free(t->stacks->use_of);
	free(t->stacks);
}

/* ---- reading ---- */

/* The text of an id, which is a number or a string. */
static text_id id_text(struct trace *t, struct str raw)
{
	if (raw.len && (raw.p[0] == '-' || (raw.p[0] >= '0' && raw.p[0] <= '9')))
		return trace_text_add(&t->texts, raw.p, raw.len);
	return trace_text_string(t, raw);
}

/* A member of an object: an id as text; 0: none. */
static text_id stack_member(struct trace *t, struct str object, const char *name)
{
	struct str raw;

	return cursor_find(object, name, &raw) ? id_text(t, raw) : 0;
}

/* A number, which may be quoted. */
static bool stack_number(struct str object, const char *name, int scale, int64_t *value)
{
	enum number_kind kind;
	BUF_LOCAL decoded = { 0 };
	struct str raw;

	*value = 0;
	if (!cursor_find(object, name, &raw))
		return false;
	if (raw.len > 1 && raw.p[0] == '"') {
		if (memchr(raw.p, '\\', raw.len) && json_tree_decode(raw.p, raw.len, &decoded))
			raw = (struct str){ buf_text(&decoded), decoded.len };
		else
			raw = (struct str){ raw.p + 1, raw.len - 2 };
	}
	return json_number_parse(raw.p, raw.len, scale, value, &kind) && kind != NUMBER_HUGE;
}

/* A line or column, counted from 1. 0: there is none. */
static int32_t member_place(struct str object, const char *name)
{
	int64_t value;

	return stack_number(object, name, 0, &value) && value > 0 && value <= INT32_MAX
		? (int32_t)value
		: 0;
}

/* Make room for entry `id` of an array by text, with zeros. */
static uint32_t *grow(uint32_t *list, text_id id, size_t *n, size_t *cap)
{
	if (id < *n)
		return list;
	list = xgrow(list, cap, (size_t)id + 1, sizeof *list);
	memset(list + *n, 0, (*cap - *n) * sizeof *list);
	*n = *cap;
	return list;
}

static void add_frame(struct trace *t, text_id id, struct str raw)
{
	struct trace_stacks *ts = TRACE_KEPT(t, stacks);
	struct trace_stack_frame frame = { .name = stack_member(t, raw, "name"),
					   .parent = stack_member(t, raw, "parent"),
					   .line = member_place(raw, "funcLine"),
					   .column = member_place(raw, "funcColumn") };
	text_id category = stack_member(t, raw, "category");

	ts->by_id = grow(ts->by_id, id, &ts->n_ids, &ts->cap_ids);
	*ARRAY_ADD(ts->frames, ts->n_frames, ts->cap_frames) = frame;
	ts->by_id[id] = ts->n_frames;
	track_builder_stack_frame(
		t->b,
		&(struct track_stack_frame){ .id = trace_text_str(&t->texts, id),
					     .name = trace_text_str(&t->texts, frame.name),
					     .category = trace_text_str(&t->texts, category),
					     .parent = trace_text_str(&t->texts, frame.parent) });
}

bool trace_stack_frames_read(void *ctx)
{
	struct trace *t = ctx;
	bool is_first = true;
	struct str key, raw;

	if (!scan_open(t->s, '{'))
		return false;
	while (scan_key(t->s, &is_first, &key)) {
		text_id id = trace_text_quoted(&t->texts, key);

		if (scan_peek(t->s) != '{') {
			builder_warn(t->b, WARN_STACK_FRAME, scan_offset(t->s));
			if (!scan_skip(t->s))
				return false;
			continue;
		}
		if (!scan_raw(t->s, VALUE_MAX, &raw))
			return false;
		if (id)
			add_frame(t, id, raw);
	}
	return t->err->kind == ERR_NONE;
}

static void add_use(struct trace *t, struct str raw, int64_t offset)
{
	struct trace_stacks *ts = TRACE_KEPT(t, stacks);
	text_id id = id_text(t, raw);

	ts->use_of = grow(ts->use_of, id, &ts->n_use_of, &ts->cap_use_of);
	if (!ts->use_of[id]) {
		ts->uses = xgrow(ts->uses, &ts->cap_uses, (size_t)ts->n_uses + 1, sizeof *ts->uses);
		ts->uses[ts->n_uses] = (struct stack_use){ .id = id, .offset = offset };
		ts->use_of[id] = ++ts->n_uses;
	}
	ts->uses[ts->use_of[id] - 1].n++;
}

void trace_stack_use(struct trace *t, const struct trace_event *e)
{
	if (e->has & HAS_STACK)
		add_use(t, e->stack, e->offset);
	if (e->has & HAS_END_STACK)
		add_use(t, e->end_stack, e->offset);
}

/* ---- at the end ---- */

/* The frame (from 1) with this id; 0: there is none. */
static uint32_t find_stack(const struct trace *t, text_id id)
{
	const struct trace_stacks *ts = t->stacks;

	return ts && id && id < ts->n_ids ? ts->by_id[id] : 0;
}

/* Borrowed until frames are added. */
static struct trace_stack_frame *stack_frame(struct trace *t, uint32_t frame)
{
	return &t->stacks->frames[frame - 1];
}

/* The state of the stack with that innermost frame, computed for it and its callers. */
static enum state state_of(struct trace *t, uint32_t first)
{
	enum state state = STATE_WHOLE;
	uint32_t frame = first;

	while (frame && stack_frame(t, frame)->state == STATE_UNKNOWN) {
		struct trace_stack_frame *f = stack_frame(t, frame);

		f->state = STATE_IN_WORK;
		frame = find_stack(t, f->parent);
		if (!frame && f->parent)
			state = STATE_MISSING;
	}
	if (frame) {
		state = (enum state)stack_frame(t, frame)->state;
		if (state == STATE_IN_WORK)
			state = STATE_CYCLE;
	}
	for (frame = first; frame && stack_frame(t, frame)->state == STATE_IN_WORK;
	     frame = find_stack(t, stack_frame(t, frame)->parent))
		stack_frame(t, frame)->state = (uint8_t)state;
	return state;
}

static void finish_stacks(struct trace *t)
{
	for (uint32_t i = 0; t->stacks && i < t->stacks->n_uses; i++) {
		const struct stack_use *use = &t->stacks->uses[i];
		uint32_t frame = find_stack(t, use->id);
		enum state state = frame ? state_of(t, frame) : STATE_MISSING;

		for (uint64_t k = 0; k < use->n && state != STATE_WHOLE; k++)
			builder_warn(t->b,
				     state == STATE_CYCLE ? WARN_STACK_CYCLE : WARN_STACK_FRAME,
				     use->offset);
	}
}

const struct trace_part trace_stack_part = { finish_stacks, free_stacks };

/* ==== trace samples ====
 *
 * The member `samples`, which, with `stackFrames`, Hermes and converters for Linux perf write. The
 * samples of a thread become a CPU profile, whose nodes are the stack frames that they use.
 * Either member may come first, so both are kept until the end. */

#define ROOT_SLOT 1
#define FIRST_SLOT 3 /* 2: the frame of samples whose stack frame is missing */

struct raw_sample {
	int64_t pid, tid, ts;
	size_t at;
	text_id frame;
};

struct trace_samples {
	struct raw_sample *samples;
	size_t n, cap;
};

static void free_samples(struct trace *t)
{
	if (!t->samples)
		return;
	free(t->samples->samples);
	free(t->samples);
}

/* ---- reading ---- */

static void add_sample(struct trace *t, struct str raw, int64_t offset)
{
	struct trace_samples *ts = t->samples;
	struct raw_sample s = { .at = ts->n, .frame = stack_member(t, raw, "sf") };
	bool has_pid = stack_number(raw, "pid", 0, &s.pid),
	     has_tid = stack_number(raw, "tid", 0, &s.tid);

	if (!stack_number(raw, "ts", 3, &s.ts) || s.ts > PROFILE_TIME_MAX ||
	    s.ts < -PROFILE_TIME_MAX) {
		builder_warn(t->b, WARN_TIME_MISSING, offset);
		return;
	}
	if (!has_pid || !has_tid)
		builder_warn(t->b, WARN_NO_IDS, offset);
	*ARRAY_ADD(ts->samples, ts->n, ts->cap) = s;
}

bool trace_samples_read(void *ctx)
{
	struct trace *t = ctx;
	bool is_first = true;
	struct str raw;

	t->has_samples = true;
	if (!t->samples)
		t->samples = xcalloc(1, sizeof *t->samples);
	if (!scan_open(t->s, '['))
		return false;
	while (scan_element(t->s, &is_first)) {
		int64_t offset = scan_offset(t->s);

		if (scan_peek(t->s) != '{') {
			builder_warn(t->b, WARN_ODD_EVENT, offset);
			if (!scan_skip(t->s))
				return false;
			continue;
		}
		if (!scan_raw(t->s, VALUE_MAX, &raw))
			return false;
		add_sample(t, raw, offset);
		t->good_end = scan_offset(t->s);
	}
	return t->err->kind == ERR_NONE;
}

/* ---- at the end ---- */

SORT_ORDER(compare, struct raw_sample,
	   SORT_BY_4(x->pid, y->pid, x->tid, y->tid, x->ts, y->ts, x->at, y->at))

/* Read the number before `end`, which follows a colon. Returns the place of the colon; NULL:
 * there is no such number. */
static const char *number_before(const char *from, const char *end, int64_t *value)
{
	const char *p = end;

	while (p > from && p[-1] >= '0' && p[-1] <= '9')
		p--;
	if (p == end || end - p > 9 || p == from || p[-1] != ':')
		return NULL;
	*value = strtoll(p, NULL, 10);
	return p - 1;
}

/* Hermes names a function `name(url:line:column)`, counted from 1. That is where it was at the
 * sample. funcLine and funcColumn, which old releases lack, are where it starts: they make it one
 * function whichever line it was at. */
static uint32_t frame_of(struct trace *t, const struct trace_stack_frame *entry)
{
	const struct trace_text *name = trace_text_get(&t->texts, entry->name);
	const char *open = memchr(name->p, '(', name->len), *end = name->p + name->len;
	const char *column_at, *line_at;
	int64_t line, column, start = entry->line - 1, start_column = entry->column - 1;

	if (open && end[-1] == ')' && (column_at = number_before(open, end - 1, &column)) &&
	    (line_at = number_before(open, column_at, &line)) && line_at > open)
		return cpu_builder_frame(
			t->b,
			&(struct cpu_frame){ name->p, (size_t)(open - name->p), open + 1,
					     (size_t)(line_at - open - 1), "", 0,
					     start >= 0 ? start : line - 1,
					     start >= 0 ? start_column : column - 1 });
	return cpu_builder_frame(
		t->b, &(struct cpu_frame){ name->p, name->len, "", 0, "", 0, start, start_column });
}

static uint32_t plain_frame(struct trace *t, const char *name)
{
	return cpu_builder_frame(t->b,
				 &(struct cpu_frame){ name, strlen(name), "", 0, "", 0, -1, -1 });
}

/* Make nodes of a frame and its callers in the profile of thread number `now`, if it has none of
 * them yet. */
static void use_frame(struct trace *t, uint32_t frame, uint32_t now)
{
	while (frame && stack_frame(t, frame)->used != now) {
		struct trace_stack_frame *e = stack_frame(t, frame);
		uint32_t parent = find_stack(t, e->parent);
		uint32_t node = cpu_builder_node(
			t->b, cpu_builder_slot(t->b, FIRST_SLOT + (int64_t)frame), frame_of(t, e),
			-1);

		e->used = now;
		if (e->parent && !parent)
			builder_warn(t->b, WARN_STACK_FRAME, -1);
		cpu_builder_parent(
			t->b, node,
			cpu_builder_slot(t->b, parent ? FIRST_SLOT + (int64_t)parent : ROOT_SLOT));
		frame = parent;
	}
}

static bool finish_thread(struct trace *t, const struct raw_sample *samples, size_t n, uint32_t now)
{
	uint32_t node;
	bool has_unknown = false;

	cpu_builder_begin(t->b);
	cpu_builder_form(t->b, CPU_BY_FUNCTION);
	cpu_builder_node(t->b, cpu_builder_slot(t->b, ROOT_SLOT), plain_frame(t, "(root)"), -1);
	for (size_t i = 0; i < n; i++) {
		uint32_t frame = find_stack(t, samples[i].frame);
		uint32_t slot;

		if (!frame) {
			builder_warn(t->b, WARN_STACK_FRAME, -1);
			if (!has_unknown) {
				node = cpu_builder_node(t->b, cpu_builder_slot(t->b, 2),
							plain_frame(t, "?"), -1);
				cpu_builder_parent(t->b, node, cpu_builder_slot(t->b, ROOT_SLOT));
			}
			has_unknown = true;
		}
		use_frame(t, frame, now);
		slot = cpu_builder_slot(t->b, frame ? FIRST_SLOT + (int64_t)frame : 2);
		cpu_builder_samples(t->b, &slot, 1);
		cpu_builder_timestamps(t->b, &samples[i].ts, 1);
	}
	cpu_builder_start_time(t->b, samples[0].ts);
	return cpu_builder_end(t->b, samples[0].pid, samples[0].tid, t->err);
}

static void finish_samples(struct trace *t)
{
	struct trace_samples *ts = t->samples;
	uint32_t now = 0, first_lane = track_builder_lanes(t->b);

	if (!ts || ts->n == 0)
		return;
	qsort(ts->samples, ts->n, sizeof *ts->samples, compare);
	for (size_t from = 0, end; from < ts->n; from = end) {
		const struct raw_sample *first = &ts->samples[from];

		for (end = from + 1; end < ts->n && ts->samples[end].pid == first->pid &&
		     ts->samples[end].tid == first->tid;
		     end++)
			;
		if (!finish_thread(t, first, end - from, ++now))
			return;
	}
	track_builder_sample_list(t->b, first_lane);
}

const struct trace_part trace_samples_part = { finish_samples, free_samples };
