/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member `stackFrames`, and the stacks of events: `sf` or `stack` where a slice begins, `esf`
 * or `estack` where it ends. The frames and the events may come in any order, so the ids that
 * events name are counted, and compared with the frames at the end. Lists of names need no frames;
 * they stay in the file, as do the stacks of single events.
 *
 * A stack is whole if each frame and its callers exist. That is computed once per frame. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_MOST ((size_t)64 << 20)

enum state { STATE_UNKNOWN, STATE_IN_WORK, STATE_WHOLE, STATE_MISSING, STATE_CYCLE };

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

static struct trace_stacks *stacks_of(struct trace *t)
{
	if (!t->stacks)
		t->stacks = xcalloc(1, sizeof *t->stacks);
	return t->stacks;
}

void trace_stack_free(struct trace *t)
{
	if (!t->stacks)
		return;
	free(t->stacks->frames);
	free(t->stacks->by_id);
	free(t->stacks->uses);
	free(t->stacks->use_of);
	free(t->stacks);
	t->stacks = NULL;
}

/* ---- reading ---- */

/* The text of an id, which is a number or a string. */
static text_id id_text(struct trace *t, struct str raw)
{
	if (raw.len && (raw.p[0] == '-' || (raw.p[0] >= '0' && raw.p[0] <= '9')))
		return trace_text_add(&t->texts, raw.p, raw.len);
	return trace_text_string(t, raw);
}

text_id trace_stack_member(struct trace *t, struct str object, const char *name)
{
	struct str raw;

	return cursor_find(object, name, &raw) ? id_text(t, raw) : 0;
}

bool trace_stack_number(struct str object, const char *name, int scale, int64_t *value)
{
	enum number_kind kind;
	struct buf decoded = { 0 };
	struct str raw;
	bool ok;

	*value = 0;
	if (!cursor_find(object, name, &raw))
		return false;
	if (raw.len > 1 && raw.p[0] == '"') {
		if (memchr(raw.p, '\\', raw.len) && json_tree_decode(raw.p, raw.len, &decoded))
			raw = (struct str){ buf_text(&decoded), decoded.len };
		else
			raw = (struct str){ raw.p + 1, raw.len - 2 };
	}
	ok = json_number_parse(raw.p, raw.len, scale, value, &kind) && kind != NUMBER_HUGE;
	buf_done(&decoded);
	return ok;
}

/* A line or column, counted from 1. 0: there is none. */
static int32_t member_place(struct str object, const char *name)
{
	int64_t value;

	return trace_stack_number(object, name, 0, &value) && value > 0 && value <= INT32_MAX
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

static struct str text_of(struct trace *t, text_id id)
{
	const struct trace_text *text = trace_text_get(&t->texts, id);

	return (struct str){ text->p, text->len };
}

static void add_frame(struct trace *t, text_id id, struct str raw)
{
	struct trace_stacks *ts = stacks_of(t);
	struct trace_stack_frame frame = { .name = trace_stack_member(t, raw, "name"),
					   .parent = trace_stack_member(t, raw, "parent"),
					   .line = member_place(raw, "funcLine"),
					   .column = member_place(raw, "funcColumn") };
	text_id category = trace_stack_member(t, raw, "category");

	ts->by_id = grow(ts->by_id, id, &ts->n_ids, &ts->cap_ids);
	ts->frames = xgrow(ts->frames, &ts->cap_frames, (size_t)ts->n_frames + 1,
			   sizeof *ts->frames);
	ts->frames[ts->n_frames++] = frame;
	ts->by_id[id] = ts->n_frames;
	track_builder_stack_frame(
		t->b,
		&(struct track_stack_frame){ .id = text_of(t, id),
					     .name = text_of(t, frame.name),
					     .category = text_of(t, category),
					     .parent = text_of(t, frame.parent) });
}

bool trace_stack_frames_read(struct trace *t)
{
	bool is_first = true;
	struct str key, raw;

	if (!scan_open(t->s, '{'))
		return false;
	while (scan_key(t->s, &is_first, &key)) {
		text_id id = trace_text_raw(&t->texts, key, memchr(key.p, '\\', key.len));

		if (scan_peek(t->s) != '{') {
			builder_warn(t->b, WARN_STACK_FRAME, scan_offset(t->s));
			if (!scan_skip(t->s))
				return false;
			continue;
		}
		if (!scan_raw(t->s, VALUE_MOST, &raw))
			return false;
		if (id)
			add_frame(t, id, raw);
	}
	return t->err->kind == ERR_NONE;
}

static void add_use(struct trace *t, struct str raw, int64_t offset)
{
	struct trace_stacks *ts = stacks_of(t);
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

uint32_t trace_stack_find(const struct trace *t, text_id id)
{
	const struct trace_stacks *ts = t->stacks;

	return ts && id && id < ts->n_ids ? ts->by_id[id] : 0;
}

struct trace_stack_frame *trace_stack_frame(struct trace *t, uint32_t frame)
{
	return &t->stacks->frames[frame - 1];
}

/* The state of the stack with that innermost frame, computed for it and its callers. */
static enum state state_of(struct trace *t, uint32_t first)
{
	enum state state = STATE_WHOLE;
	uint32_t frame = first;

	while (frame && trace_stack_frame(t, frame)->state == STATE_UNKNOWN) {
		struct trace_stack_frame *f = trace_stack_frame(t, frame);

		f->state = STATE_IN_WORK;
		frame = trace_stack_find(t, f->parent);
		if (!frame && f->parent)
			state = STATE_MISSING;
	}
	if (frame) {
		state = (enum state)trace_stack_frame(t, frame)->state;
		if (state == STATE_IN_WORK)
			state = STATE_CYCLE;
	}
	for (frame = first; frame && trace_stack_frame(t, frame)->state == STATE_IN_WORK;
	     frame = trace_stack_find(t, trace_stack_frame(t, frame)->parent))
		trace_stack_frame(t, frame)->state = (uint8_t)state;
	return state;
}

void trace_stack_finish(struct trace *t)
{
	for (uint32_t i = 0; t->stacks && i < t->stacks->n_uses; i++) {
		const struct stack_use *use = &t->stacks->uses[i];
		uint32_t frame = trace_stack_find(t, use->id);
		enum state state = frame ? state_of(t, frame) : STATE_MISSING;

		for (uint64_t k = 0; k < use->n && state != STATE_WHOLE; k++)
			builder_warn(t->b,
				     state == STATE_CYCLE ? WARN_STACK_CYCLE : WARN_STACK_FRAME,
				     use->offset);
	}
}
