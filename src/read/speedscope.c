/* SPDX-License-Identifier: GPL-2.0-or-later */
/* speedscope's own files: `shared.frames`, and `profiles`, each of which becomes a lane. Frames may
 * come after the profiles, so lanes are made at the end of the document. */
#include "config.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/json/json_read.h"
#include "model/build/cpu_builder.h"
#include "read/documents.h"
#include "read/reader.h"
#include "read/stack_lane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== speedscope profile ====
 *
 * Times are in the profile's unit. All known writers put the unit before the times. If it comes
 * later, times are first read as microseconds, and rescaled when the unit is known.
 *
 * An evented profile becomes a sampled one: each event that changes the stack is a sample of the
 * stack that it leaves open. */

struct speedscope_frame {
	str_id name, file;
	int64_t line, column; /* count from 1; 0: unknown */
};

/* Frames of the lane's nodes are numbers of speedscope.frames, + 1; 0 is the frame (unknown). */
struct speedscope_profile {
	struct stack_lane lane;
	str_id name, unit;
	int64_t start, end; /* ns */
	bool has_start, has_end;
	int64_t offset;   /* in the document */
	int64_t *weights; /* ns; of a sampled profile */
	size_t n_weights, cap_weights;
	bool has_samples;
};

struct speedscope {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct intern texts;
	struct speedscope_frame *frames;
	size_t n_frames, cap_frames;
	struct speedscope_profile *profiles;
	size_t n_profiles, cap_profiles;

	/* Of the profile that is being read: */
	uint32_t *stack; /* open nodes, if it is evented */
	size_t n_stack, cap_stack;
	int64_t last; /* time of the event before */
	int scale;    /* a time times 10^scale is ns */
};

static struct speedscope_profile *current(struct speedscope *r)
{
	return &r->profiles[r->n_profiles - 1];
}

/* ---- values ---- */

/* Read a time or weight. *is_usable: it is a number in range. */
static bool read_value(struct speedscope *r, int64_t *value, bool *is_usable)
{
	struct json_read_number number;

	if (!json_read_number(r->s, r->scale, PROFILE_TIME_MAX, &number))
		return false;
	*value = number.value;
	*is_usable = number.is_usable;
	return true;
}

/* Read the number of a frame. *frame: it + 1; 0, the frame (unknown), for any other value. */
static bool read_frame_index(struct speedscope *r, uint32_t *frame)
{
	int64_t offset = scan_offset(r->s), index;

	if (!json_read_index(r->s, &index))
		return false;
	*frame = index >= 0 && index < CPU_NODES_MAX ? (uint32_t)index + 1 : 0;
	if (*frame == 0)
		builder_warn(r->b, WARN_ODD_INDEX, offset);
	return true;
}

static int scale_of(const char *unit)
{
	static const struct {
		const char *name;
		int scale;
	} known[] = {
		{ "bytes", 0 },        { "nanoseconds", 0 }, { "microseconds", 3 },
		{ "milliseconds", 6 }, { "seconds", 9 },
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (strcmp(unit, known[i].name) == 0)
			return known[i].scale;
	return 3;
}

static int64_t rescaled(int64_t value, int from, int to)
{
	for (; from < to; from++)
		value = value > PROFILE_TIME_MAX / 10    ? PROFILE_TIME_MAX
			: value < -PROFILE_TIME_MAX / 10 ? -PROFILE_TIME_MAX
							 : value * 10;
	for (; from > to; from--)
		value /= 10;
	return value;
}

/* ---- profiles of samples ---- */

static bool read_sample(void *ctx)
{
	struct speedscope *r = ctx;
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

static bool read_weight(void *ctx)
{
	struct speedscope *r = ctx;
	struct speedscope_profile *p = current(r);
	int64_t offset = scan_offset(r->s), value;
	bool has;

	if (!read_value(r, &value, &has))
		return false;
	if (!has || value < 0) {
		builder_warn(r->b, WARN_ODD_WEIGHT, offset);
		value = 0;
	}
	*ARRAY_ADD(p->weights, p->n_weights, p->cap_weights) = value;
	return true;
}

/* Make times of the weights, from the start value on. */
static void sum_up(struct speedscope *r, struct speedscope_profile *p)
{
	int64_t t = p->has_start ? p->start : 0;

	if (p->n_weights < p->lane.n_samples)
		builder_warn_text(r->b, WARN_ODD_WEIGHT, p->offset, "fewer weights than samples");
	else if (p->n_weights > p->lane.n_samples)
		builder_warn_text(r->b, WARN_ODD_WEIGHT, p->offset, "more weights than samples");
	for (size_t i = 0; i < p->lane.n_samples; i++) {
		int64_t weight = i < p->n_weights ? p->weights[i] : 0;

		p->lane.times[i] = t;
		if (weight > PROFILE_TIME_MAX - t) {
			builder_warn(r->b, WARN_TIME_RANGE, p->offset);
			weight = PROFILE_TIME_MAX - t;
		}
		t += weight;
	}
	p->lane.end_ns = t;
	p->lane.has_end = true;
}

/* ---- profiles of events ---- */

/* Close the innermost open node of `frame`, and all nodes inside it. */
static void close_frame(struct speedscope *r, uint32_t frame, int64_t offset)
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

/* The event being read. */
struct draft_event {
	struct speedscope *r;
	str_id type;
	int64_t at;
	bool has_at;
	uint32_t frame;
};

static bool read_event_member(void *ctx, struct str key)
{
	struct draft_event *e = ctx;

	if (str_is(key, "type"))
		return json_read_text(e->r->s, &e->r->texts, &e->type);
	if (str_is(key, "at"))
		return read_value(e->r, &e->at, &e->has_at);
	if (str_is(key, "frame"))
		return read_frame_index(e->r, &e->frame);
	return scan_skip(e->r->s);
}

static bool open_frame(struct speedscope *r, uint32_t frame)
{
	uint32_t node;

	if (!stack_lane_child(&current(r)->lane, r->n_stack ? r->stack[r->n_stack - 1] : 0, frame,
			      &node, r->err))
		return false;
	*ARRAY_ADD(r->stack, r->n_stack, r->cap_stack) = node;
	return true;
}

static bool read_event(void *ctx)
{
	struct speedscope *r = ctx;
	struct draft_event e = { .r = r };
	int64_t offset = scan_offset(r->s);
	const char *type;
	struct stack_lane *lane;
	uint32_t node;

	if (scan_peek(r->s) != '{') {
		builder_warn(r->b, WARN_ODD_EVENT, offset);
		return scan_skip(r->s);
	}
	if (!json_read_object(r->s, read_event_member, &e))
		return false;
	if (!e.has_at)
		return builder_warn(r->b, WARN_TIME_MISSING, offset);
	/* Nesting follows the order of the file, so times must not decrease. */
	if (current(r)->lane.n_samples && e.at < r->last) {
		builder_warn(r->b, WARN_NEGATIVE_DELTA, offset);
		e.at = r->last;
	}
	type = intern_text(&r->texts, e.type);
	if (strcmp(type, "O") == 0) {
		if (!open_frame(r, e.frame))
			return false;
	} else if (strcmp(type, "C") == 0) {
		close_frame(r, e.frame, offset);
	} else
		return builder_warn(r->b, WARN_ODD_EVENT, offset);
	/* Add a sample of the present stack at `at`. It replaces a sample at the same time, which
	 * would have no length. */
	lane = &current(r)->lane;
	node = r->n_stack ? r->stack[r->n_stack - 1] : 0;
	if (lane->n_samples && lane->times[lane->n_samples - 1] == e.at)
		lane->samples[lane->n_samples - 1] = node;
	else if (!lane->n_samples || lane->samples[lane->n_samples - 1] != node)
		stack_lane_sample(lane, node, e.at);
	r->last = e.at;
	return true;
}

/* ---- profiles ---- */

static bool read_profile_member(void *ctx, struct str key)
{
	struct speedscope *r = ctx;
	struct speedscope_profile *p = current(r);

	if (str_is(key, "name"))
		return json_read_text(r->s, &r->texts, &p->name);
	if (str_is(key, "unit")) {
		int before = r->scale;

		/* Read the unit, and rescale what was read before it. */
		if (!json_read_text(r->s, &r->texts, &p->unit))
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
	if (str_is(key, "startValue"))
		return read_value(r, &p->start, &p->has_start);
	if (str_is(key, "endValue"))
		return read_value(r, &p->end, &p->has_end);
	if (str_is(key, "events"))
		return json_read_list(r->s, read_event, r);
	if (str_is(key, "weights"))
		return json_read_list(r->s, read_weight, r);
	if (str_is(key, "samples")) {
		p->has_samples = true;
		return json_read_list(r->s, read_sample, r);
	}
	return scan_skip(r->s);
}

static bool read_profile(void *ctx)
{
	struct speedscope *r = ctx;
	struct speedscope_profile *p;
	bool ok;

	if (scan_peek(r->s) != '{') {
		builder_warn(r->b, WARN_ODD_NODE, scan_offset(r->s));
		return scan_skip(r->s);
	}
	p = ARRAY_ADD(r->profiles, r->n_profiles, r->cap_profiles);
	*p = (struct speedscope_profile){ .offset = scan_offset(r->s) };
	stack_lane_init(&p->lane);
	r->n_stack = 0;
	r->scale = 3;
	ok = json_read_object(r->s, read_profile_member, r);
	/* The complete samples of a profile that is cut off are kept. */
	if (!ok && !r->s->is_cut)
		return false;
	if (p->lane.n_samples && p->has_samples) {
		sum_up(r, p);
	} else if (p->lane.n_samples) {
		struct stack_lane *lane = &p->lane;

		/* End the profile, and with it the nodes that are still open. */
		lane->end_ns = p->has_end && p->end > r->last ? p->end : r->last;
		lane->has_end = true;
		/* The time after the event that closed the last node is not part of the profile. */
		if (lane->n_samples > 1 && lane->samples[lane->n_samples - 1] == 0) {
			lane->end_ns = lane->times[--lane->n_samples];
		} else {
			for (size_t i = 0; i < r->n_stack; i++)
				builder_warn(r->b, WARN_UNFINISHED, p->offset);
		}
	}
	return ok;
}

/* Free all profiles. */
static void speedscope_profile_clear(struct speedscope *r)
{
	for (size_t i = 0; i < r->n_profiles; i++) {
		stack_lane_done(&r->profiles[i].lane);
		free(r->profiles[i].weights);
	}
	r->n_profiles = 0;
}

/* ==== speedscope ==== */

/* ---- frames ---- */

static bool read_frame(void *ctx)
{
	static const struct json_field fields[] = {
		{ "name", JSON_FIELD_TEXT, offsetof(struct speedscope_frame, name) },
		{ "file", JSON_FIELD_TEXT, offsetof(struct speedscope_frame, file) },
		{ "line", JSON_FIELD_POSITION, offsetof(struct speedscope_frame, line) },
		{ "col", JSON_FIELD_POSITION, offsetof(struct speedscope_frame, column) },
	};
	struct speedscope *r = ctx;
	struct speedscope_frame f = { 0 };
	bool ok;

	if (scan_peek(r->s) != '{')
		builder_warn(r->b, WARN_CALL_FRAME, scan_offset(r->s));
	ok = json_read_fields(r->s, fields, ARRAY_LEN(fields), &r->texts, &f);
	*ARRAY_ADD(r->frames, r->n_frames, r->cap_frames) = f;
	return ok;
}

static bool read_shared_member(void *ctx, struct str key)
{
	struct speedscope *r = ctx;

	if (!str_is(key, "frames"))
		return scan_skip(r->s);
	r->n_frames = 0;
	return json_read_list(r->s, read_frame, r);
}

static bool read_shared(void *ctx)
{
	struct speedscope *r = ctx;

	return json_read_object(r->s, read_shared_member, r);
}

/* ---- lanes ---- */

static uint32_t *pass_frames(struct speedscope *r)
{
	uint32_t *frames = xmalloc((r->n_frames + 1) * sizeof *frames);

	frames[0] = cpu_builder_named(r->b, "(unknown)", 9);
	for (size_t i = 0; i < r->n_frames; i++) {
		const struct speedscope_frame *f = &r->frames[i];

		frames[i + 1] = stack_lane_frame(r->b, &r->texts, f->name, f->file, f->line,
						 f->column);
	}
	return frames;
}

/* Bytes are the unit of the profile. */
static void note_unit(struct speedscope *r, const char *unit)
{
	static const struct cpu_value bytes = { .type = "weight",
						.type_len = 6,
						.unit = "bytes",
						.unit_len = 5,
						.unit_ns = 1 };

	if (strcmp(unit, "bytes") == 0)
		cpu_builder_value(r->b, &bytes);
	else if (strcmp(unit, "none") == 0 || !*unit)
		builder_input_note(r->b, false,
				   "weights without a unit, no times: 1 is drawn as 1 µs");
}

static bool make_lane(struct speedscope *r, struct speedscope_profile *p)
{
	uint32_t *frames;

	/* Stacks may refer to frames that the file does not have. */
	for (uint32_t i = 1; i < p->lane.map.n; i++) {
		if (p->lane.map.frame[i] > r->n_frames) {
			builder_warn(r->b, WARN_ODD_INDEX, -1);
			p->lane.map.frame[i] = 0;
		}
	}
	cpu_builder_clock(r->b, CPU_CLOCK_OWN);
	cpu_builder_begin(r->b);
	cpu_builder_form(r->b, CPU_NAMES_ONLY);
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

/* Read the list of profiles, and append them to r->profiles. What is read of a profile that is cut
 * off stays. */
static bool read_profiles(void *ctx)
{
	return json_read_list(((struct speedscope *)ctx)->s, read_profile, ctx);
}

static const struct document_member members[] = {
	{ "shared", .read = read_shared },
	{ "profiles", .read = read_profiles },
	{ .name = NULL },
};

static void begin(void *ctx)
{
	struct speedscope *r = ctx;

	speedscope_profile_clear(r);
	r->n_frames = 0;
}

/* The frames must be complete. They are, once a profile follows them. */
static bool is_usable(void *ctx)
{
	const struct speedscope *r = ctx;

	return r->n_frames && r->n_profiles;
}

static bool finish(void *ctx, int64_t offset)
{
	struct speedscope *r = ctx;
	size_t n = 0;

	(void)offset;
	for (size_t i = 0; i < r->n_profiles; i++) {
		struct speedscope_profile *p = &r->profiles[i];

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
	if (outline->top != '{')
		return 0;
	if (outline_has_list(outline, "profiles", "{") &&
	    (outline_has(outline, "shared", '{') || outline_has(outline, "$schema", '"')))
		return 95;
	/* The frames are so long that the profiles are after the text that was examined. */
	return !outline->is_whole && outline_has(outline, "shared", '{') &&
			outline_has(outline, "$schema", '"')
		? 40
		: 0;
}

static bool speedscope_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			    struct error *err)
{
	struct speedscope r = { .s = s, .b = b, .err = err, .hints = hints };
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
	ok = documents_read(&documents) && intern_fits(&r.texts, err);
	speedscope_profile_clear(&r);
	intern_done(&r.texts);
	free(r.frames);
	free(r.profiles);
	free(r.stack);
	return ok;
}

const struct reader reader_speedscope = {
	.name = "speedscope",
	.help = "speedscope's own JSON, evented or sampled; each profile a lane",
	.members = "shared $schema",
	.foreign = "traceEvents",
	.sniff = speedscope_sniff,
	.read = speedscope_read,
};
