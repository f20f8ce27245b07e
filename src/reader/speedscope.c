/* SPDX-License-Identifier: GPL-2.0-or-later */
/* speedscope's own files: `shared.frames`, and `profiles` that are either `evented` (a frame is
 * opened and closed at a time) or `sampled` (stacks and their weights). Each profile is a lane.
 * Frames may come behind the profiles, so profiles wait until the document ends.
 *
 * Times are in the profile's unit. It comes before them in every file that is known; where it
 * does not, they are read as if it were microseconds, and set right later. */
#include "config.h"

#include "reader/reader.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "build/cpu_builder.h"
#include "json/json_text.h"
#include "reader/documents.h"
#include "reader/stack_lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST ((size_t)256 << 20)

struct scope_frame {
	str_id name, file;
	int64_t line, column; /* count from 1; 0: unknown */
};

struct scope_profile {
	struct stack_lane lane;
	str_id name, unit;
	int64_t start, end;
	bool has_start, has_end;
	int64_t offset;   /* where it stands in the document */
	int64_t *weights; /* sampled */
	size_t n_weights, cap_weights;
	bool has_samples;
};

struct scope_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct intern texts;
	struct scope_frame *frames;
	size_t n_frames, cap_frames;
	struct scope_profile *profiles;
	size_t n_profiles, cap_profiles;
	uint32_t *stack; /* evented: open nodes */
	size_t n_stack, cap_stack;
	int64_t last; /* evented: time of the event before */
	int scale;    /* of the profile being read: 10^-scale of its unit is a nanosecond */
};

static bool is_key(struct str key, const char *name)
{
	return key.len == strlen(name) && memcmp(key.p, name, key.len) == 0;
}

static struct scope_profile *current(struct scope_reader *r)
{
	return &r->profiles[r->n_profiles - 1];
}

/* ---- values ---- */

static bool read_text(struct scope_reader *r, str_id *id)
{
	struct buf text = { 0 };
	struct str raw;

	*id = 0;
	if (scan_peek(r->s) != '"')
		return scan_skip(r->s);
	if (!scan_raw(r->s, TEXT_MOST, &raw))
		return false;
	if (!memchr(raw.p, '\\', raw.len))
		*id = intern_add(&r->texts, raw.p + 1, raw.len - 2);
	else if (json_text_decode(raw.p, raw.len, &text))
		*id = intern_add(&r->texts, buf_text(&text), text.len);
	buf_done(&text);
	return true;
}

/* A time or weight; has: whether it is one that can be used. */
static bool read_value(struct scope_reader *r, int64_t *value, bool *has)
{
	enum number_kind kind;
	bool is_text;

	if (!scan_number(r->s, r->scale, value, &kind, &is_text))
		return false;
	*has = kind == NUMBER_INTEGER || kind == NUMBER_ROUNDED;
	if (*value > STACK_LANE_TIME_MAX || *value < -STACK_LANE_TIME_MAX)
		*has = false;
	return true;
}

/* A frame's number plus one; 0, the frame (unknown), for what is none. */
static bool read_frame_index(struct scope_reader *r, uint32_t *frame)
{
	int64_t offset = scan_offset(r->s), value;
	enum number_kind kind;
	bool is_text;

	if (!scan_number(r->s, 0, &value, &kind, &is_text))
		return false;
	*frame = 0;
	if (kind == NUMBER_INTEGER && value >= 0 && value < CPU_NODES_MAX)
		*frame = (uint32_t)value + 1;
	else
		builder_warn(r->b, WARN_ODD_INDEX, offset);
	return true;
}

static int scale_of(const char *unit)
{
	static const struct {
		const char *name;
		int scale;
	} known[] = {
		{ "nanoseconds", 0 },
		{ "microseconds", 3 },
		{ "milliseconds", 6 },
		{ "seconds", 9 },
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (strcmp(unit, known[i].name) == 0)
			return known[i].scale;
	return 3;
}

static int64_t rescaled(int64_t value, int from, int to)
{
	for (; from < to; from++)
		value = value > STACK_LANE_TIME_MAX / 10    ? STACK_LANE_TIME_MAX
			: value < -STACK_LANE_TIME_MAX / 10 ? -STACK_LANE_TIME_MAX
							    : value * 10;
	for (; from > to; from--)
		value /= 10;
	return value;
}

/* The unit is known from here on: what was read before is set right. */
static bool read_unit(struct scope_reader *r)
{
	struct scope_profile *p = current(r);
	int before = r->scale;

	if (!read_text(r, &p->unit))
		return false;
	r->scale = scale_of(intern_text(&r->texts, p->unit));
	p->start = rescaled(p->start, before, r->scale);
	p->end = rescaled(p->end, before, r->scale);
	r->last = rescaled(r->last, before, r->scale);
	for (size_t i = 0; i < p->n_weights; i++)
		p->weights[i] = rescaled(p->weights[i], before, r->scale);
	for (size_t i = 0; i < p->lane.n_samples; i++)
		p->lane.times[i] = rescaled(p->lane.times[i], before, r->scale);
	return true;
}

/* ---- frames ---- */

static bool read_place(struct scope_reader *r, int64_t *place)
{
	enum number_kind kind;
	bool is_text;

	if (!scan_number(r->s, 0, place, &kind, &is_text))
		return false;
	if (kind == NUMBER_NONE || kind == NUMBER_HUGE || *place < 1)
		*place = 0;
	return true;
}

static bool read_frame(struct scope_reader *r)
{
	struct scope_frame f = { 0 };
	bool is_first = true, ok = true;
	struct str key;

	if (scan_peek(r->s) == '{') {
		if (!scan_open(r->s, '{'))
			return false;
		while (ok && scan_key(r->s, &is_first, &key)) {
			if (is_key(key, "name"))
				ok = read_text(r, &f.name);
			else if (is_key(key, "file"))
				ok = read_text(r, &f.file);
			else if (is_key(key, "line"))
				ok = read_place(r, &f.line);
			else if (is_key(key, "col"))
				ok = read_place(r, &f.column);
			else
				ok = scan_skip(r->s);
		}
	} else {
		builder_warn(r->b, WARN_CALL_FRAME, scan_offset(r->s));
		ok = scan_skip(r->s);
	}
	r->frames = xgrow(r->frames, &r->cap_frames, r->n_frames + 1, sizeof *r->frames);
	r->frames[r->n_frames++] = f;
	return ok && r->err->kind == ERR_NONE;
}

static bool each(struct scope_reader *r, bool (*read)(struct scope_reader *))
{
	bool is_first = true;

	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	if (!scan_open(r->s, '['))
		return false;
	while (scan_element(r->s, &is_first))
		if (!read(r))
			return false;
	return r->err->kind == ERR_NONE;
}

static bool read_shared(void *ctx)
{
	struct scope_reader *r = ctx;
	bool is_first = true, ok = true;
	struct str key;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	if (!scan_open(r->s, '{'))
		return false;
	while (ok && scan_key(r->s, &is_first, &key)) {
		if (is_key(key, "frames")) {
			r->n_frames = 0;
			ok = each(r, read_frame);
		} else {
			ok = scan_skip(r->s);
		}
	}
	return ok && r->err->kind == ERR_NONE;
}

/* ---- profiles of samples ---- */

static bool read_sample(struct scope_reader *r)
{
	struct stack_lane *lane = &current(r)->lane;
	uint32_t node = 0, frame;
	bool is_first = true;

	if (scan_peek(r->s) != '[') {
		builder_warn(r->b, WARN_ODD_SAMPLE, scan_offset(r->s));
		stack_lane_sample(lane, 0, 0);
		return scan_skip(r->s);
	}
	if (!scan_open(r->s, '['))
		return false;
	while (scan_element(r->s, &is_first))
		if (!read_frame_index(r, &frame) ||
		    !stack_lane_child(lane, node, frame, &node, r->err))
			return false;
	if (r->err->kind != ERR_NONE)
		return false;
	stack_lane_sample(lane, node, 0);
	return true;
}

static bool read_weight(struct scope_reader *r)
{
	struct scope_profile *p = current(r);
	int64_t offset = scan_offset(r->s), value;
	bool has;

	if (!read_value(r, &value, &has))
		return false;
	if (!has || value < 0) {
		builder_warn(r->b, WARN_ODD_WEIGHT, offset);
		value = 0;
	}
	p->weights = xgrow(p->weights, &p->cap_weights, p->n_weights + 1, sizeof *p->weights);
	p->weights[p->n_weights++] = value;
	return true;
}

/* Weights become times, from the start value on. */
static void sum_up(struct scope_reader *r, struct scope_profile *p)
{
	int64_t t = p->has_start ? p->start : 0;

	if (p->n_weights < p->lane.n_samples)
		builder_warn_text(r->b, WARN_ODD_WEIGHT, p->offset, "fewer weights than samples");
	else if (p->n_weights > p->lane.n_samples)
		builder_warn_text(r->b, WARN_ODD_WEIGHT, p->offset, "more weights than samples");
	for (size_t i = 0; i < p->lane.n_samples; i++) {
		int64_t weight = i < p->n_weights ? p->weights[i] : 0;

		p->lane.times[i] = t;
		if (weight > STACK_LANE_TIME_MAX - t) {
			builder_warn(r->b, WARN_TIME_RANGE, p->offset);
			weight = STACK_LANE_TIME_MAX - t;
		}
		t += weight;
	}
	p->lane.end_ns = t;
	p->lane.has_end = true;
}

/* ---- profiles of events ---- */

static void push(struct scope_reader *r, uint32_t node)
{
	r->stack = xgrow(r->stack, &r->cap_stack, r->n_stack + 1, sizeof *r->stack);
	r->stack[r->n_stack++] = node;
}

/* Close the innermost open `frame`, and what is open inside of it. */
static void close_frame(struct scope_reader *r, uint32_t frame, int64_t offset)
{
	const struct stack_lane *lane = &current(r)->lane;
	size_t n = r->n_stack;

	while (n > 0 && lane->map.frame[r->stack[n - 1]] != frame)
		n--;
	if (n == 0) {
		builder_warn(r->b, WARN_UNMATCHED_END, offset);
		return;
	}
	for (size_t i = n; i < r->n_stack; i++)
		builder_warn(r->b, WARN_CLOSED_BY_OUTER, offset);
	r->n_stack = n - 1;
}

/* From `at` on the stack is what it is now. What was so for no time at all leaves no sample. */
static void note_stack(struct scope_reader *r, int64_t at)
{
	struct stack_lane *lane = &current(r)->lane;
	uint32_t node = r->n_stack ? r->stack[r->n_stack - 1] : 0;

	if (lane->n_samples && lane->times[lane->n_samples - 1] == at)
		lane->samples[lane->n_samples - 1] = node;
	else if (!lane->n_samples || lane->samples[lane->n_samples - 1] != node)
		stack_lane_sample(lane, node, at);
	r->last = at;
}

static bool read_event(struct scope_reader *r)
{
	struct stack_lane *lane = &current(r)->lane;
	int64_t offset = scan_offset(r->s), at = 0;
	bool is_first = true, ok = true, has_at = false;
	uint32_t frame = 0, node;
	str_id type = 0;
	struct str key;

	if (scan_peek(r->s) != '{') {
		builder_warn(r->b, WARN_ODD_EVENT, offset);
		return scan_skip(r->s);
	}
	if (!scan_open(r->s, '{'))
		return false;
	while (ok && scan_key(r->s, &is_first, &key)) {
		if (is_key(key, "type"))
			ok = read_text(r, &type);
		else if (is_key(key, "at"))
			ok = read_value(r, &at, &has_at);
		else if (is_key(key, "frame"))
			ok = read_frame_index(r, &frame);
		else
			ok = scan_skip(r->s);
	}
	if (!ok || r->err->kind != ERR_NONE)
		return false;
	if (!has_at) {
		builder_warn(r->b, WARN_TIME_MISSING, offset);
		return true;
	}
	/* Nesting follows the order of the file: time may stand still, but not run back. */
	if (lane->n_samples && at < r->last) {
		builder_warn(r->b, WARN_NEGATIVE_DELTA, offset);
		at = r->last;
	}
	if (strcmp(intern_text(&r->texts, type), "O") == 0) {
		if (!stack_lane_child(lane, r->n_stack ? r->stack[r->n_stack - 1] : 0, frame, &node,
				      r->err))
			return false;
		push(r, node);
	} else if (strcmp(intern_text(&r->texts, type), "C") == 0) {
		close_frame(r, frame, offset);
	} else {
		builder_warn(r->b, WARN_ODD_EVENT, offset);
		return true;
	}
	note_stack(r, at);
	return true;
}

/* What is still open ends with the profile. */
static void close_events(struct scope_reader *r, struct scope_profile *p)
{
	struct stack_lane *lane = &p->lane;

	lane->end_ns = p->has_end && p->end > r->last ? p->end : r->last;
	lane->has_end = true;
	/* All that lies behind the last closing event is blank, and no sample. */
	if (lane->n_samples > 1 && lane->samples[lane->n_samples - 1] == 0) {
		lane->end_ns = lane->times[--lane->n_samples];
	} else {
		for (size_t i = 0; i < r->n_stack; i++)
			builder_warn(r->b, WARN_UNFINISHED, p->offset);
	}
}

/* ---- profiles ---- */

static bool read_profile_member(struct scope_reader *r, struct str key)
{
	struct scope_profile *p = current(r);

	if (is_key(key, "name"))
		return read_text(r, &p->name);
	if (is_key(key, "unit"))
		return read_unit(r);
	if (is_key(key, "startValue"))
		return read_value(r, &p->start, &p->has_start);
	if (is_key(key, "endValue"))
		return read_value(r, &p->end, &p->has_end);
	if (is_key(key, "events"))
		return each(r, read_event);
	if (is_key(key, "weights"))
		return each(r, read_weight);
	if (is_key(key, "samples")) {
		p->has_samples = true;
		return each(r, read_sample);
	}
	return scan_skip(r->s);
}

static bool read_profile(struct scope_reader *r)
{
	bool is_first = true, ok = true;
	struct scope_profile *p;
	struct str key;

	if (scan_peek(r->s) != '{') {
		builder_warn(r->b, WARN_ODD_NODE, scan_offset(r->s));
		return scan_skip(r->s);
	}
	r->profiles = xgrow(r->profiles, &r->cap_profiles, r->n_profiles + 1, sizeof *r->profiles);
	p = &r->profiles[r->n_profiles++];
	*p = (struct scope_profile){ .offset = scan_offset(r->s) };
	stack_lane_init(&p->lane);
	r->n_stack = 0;
	r->scale = 3;
	if (!scan_open(r->s, '{'))
		return false;
	while (ok && scan_key(r->s, &is_first, &key))
		ok = read_profile_member(r, key);
	ok = ok && r->err->kind == ERR_NONE;
	/* A profile that is cut off counts as far as it goes. */
	if (!ok && !r->s->is_cut)
		return false;
	if (p->lane.n_samples && p->has_samples)
		sum_up(r, p);
	else if (p->lane.n_samples)
		close_events(r, p);
	return ok;
}

/* ---- lanes ---- */

static uint32_t *pass_frames(struct scope_reader *r)
{
	uint32_t *frames = xmalloc((r->n_frames + 1) * sizeof *frames);

	frames[0] = cpu_builder_frame(r->b,
				      &(struct cpu_frame){ "(unknown)", 9, "", 0, "0", 1, -1, -1 });
	for (size_t i = 0; i < r->n_frames; i++) {
		const struct scope_frame *f = &r->frames[i];

		frames[i + 1] = cpu_builder_frame(
			r->b,
			&(struct cpu_frame){
				intern_text(&r->texts, f->name), intern_len(&r->texts, f->name),
				intern_text(&r->texts, f->file), intern_len(&r->texts, f->file),
				"0", 1, f->line - 1, f->column - 1 });
	}
	return frames;
}

/* Stacks that name frames that never came. */
static void check_frames(struct scope_reader *r, struct stack_lane *lane)
{
	for (uint32_t i = 1; i < lane->map.n; i++) {
		if (lane->map.frame[i] > r->n_frames) {
			builder_warn(r->b, WARN_ODD_INDEX, -1);
			lane->map.frame[i] = 0;
		}
	}
}

static void note_unit(struct scope_reader *r, const char *unit)
{
	if (strcmp(unit, "bytes") == 0)
		builder_input_note(r->b, false, "bytes, no times: 1 byte is drawn as 1 µs");
	else if (strcmp(unit, "none") == 0 || !*unit)
		builder_input_note(r->b, false,
				   "weights without a unit, no times: 1 is drawn as 1 µs");
}

static bool make_lane(struct scope_reader *r, struct scope_profile *p)
{
	uint32_t *frames;

	check_frames(r, &p->lane);
	cpu_builder_own_clock(r->b);
	cpu_builder_begin(r->b);
	cpu_builder_names_only(r->b);
	frames = pass_frames(r);
	stack_lane_emit(&p->lane, r->b, frames);
	free(frames);
	if (p->has_start)
		cpu_builder_start_time(r->b, p->start);
	if (p->has_end)
		cpu_builder_end_time(r->b, p->end);
	note_unit(r, intern_text(&r->texts, p->unit));
	if (p->name)
		cpu_builder_title(r->b, intern_text(&r->texts, p->name),
				  intern_len(&r->texts, p->name), false);
	if (cpu_builder_end(r->b, r->hints->pid, r->hints->tid, r->err))
		return true;
	if (r->err->offset < 0)
		r->err->offset = p->offset;
	return false;
}

/* ---- the document ---- */

static bool read_profiles(void *ctx)
{
	return each(ctx, read_profile);
}

static const struct document_member members[] = {
	{ "shared", read_shared },
	{ "profiles", read_profiles },
	{ NULL, NULL },
};

static void forget_profiles(struct scope_reader *r)
{
	for (size_t i = 0; i < r->n_profiles; i++) {
		stack_lane_done(&r->profiles[i].lane);
		free(r->profiles[i].weights);
	}
	r->n_profiles = 0;
}

static void begin(void *ctx)
{
	struct scope_reader *r = ctx;

	forget_profiles(r);
	r->n_frames = 0;
}

/* Cut off behind the frames: what there is of the profiles is good. */
static bool is_usable(void *ctx, int64_t *offset)
{
	const struct scope_reader *r = ctx;

	(void)offset;
	return r->n_frames && r->n_profiles;
}

static bool finish(void *ctx, int64_t offset)
{
	struct scope_reader *r = ctx;
	size_t n = 0;

	(void)offset;
	for (size_t i = 0; i < r->n_profiles; i++) {
		struct scope_profile *p = &r->profiles[i];

		if (p->lane.n_samples == 0) {
			builder_input_note(r->b, true, "profile %zu is empty: not shown", i + 1);
			continue;
		}
		if (!make_lane(r, p))
			return false;
		n++;
	}
	return n > 0 || error_set(r->err, ERR_FORMAT, -1, "the file has no samples");
}

static int speedscope_sniff(const struct outline *outline)
{
	if (outline->top != '{' || outline_has(outline, "traceEvents", 0))
		return 0;
	if (outline_has_list(outline, "profiles", "{") &&
	    (outline_has(outline, "shared", '{') || outline_has(outline, "$schema", '"')))
		return 95;
	/* So many frames that the profiles are out of sight. */
	return !outline->is_whole && outline_has(outline, "shared", '{') &&
			outline_has(outline, "$schema", '"')
		? 40
		: 0;
}

static bool speedscope_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			    struct error *err)
{
	struct scope_reader r = { .s = s, .b = b, .err = err, .hints = hints };
	const struct documents documents = { .s = s,
					     .b = b,
					     .err = &r.err,
					     .ctx = &r,
					     .noun = "speedscope file",
					     .members = members,
					     .begin = begin,
					     .is_usable = is_usable,
					     .finish = finish };
	bool ok;

	intern_init(&r.texts);
	ok = documents_read(&documents);
	forget_profiles(&r);
	intern_done(&r.texts);
	free(r.frames);
	free(r.profiles);
	free(r.stack);
	return ok;
}

const struct reader reader_speedscope = {
	"speedscope",
	"speedscope's own JSON, evented or sampled; each profile a lane",
	speedscope_sniff,
	speedscope_read,
};
