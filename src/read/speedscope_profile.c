/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times are in the profile's unit. All known writers put the unit before the times. If it comes
 * later, times are first read as microseconds, and rescaled when the unit is known.
 *
 * An evented profile becomes a sampled one: each event that changes the stack is a sample of the
 * stack that it leaves open. */
#include "config.h"

#include "read/speedscope_profile.h"

#include "base/alloc.h"
#include "base/json/json_read.h"
#include "model/build/cpu_builder.h"

#include <stdlib.h>
#include <string.h>

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

/* Read the unit, and rescale what was read before it. */
static bool read_unit(struct speedscope *r)
{
	struct speedscope_profile *p = current(r);
	int before = r->scale;

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
	p->weights = xgrow(p->weights, &p->cap_weights, p->n_weights + 1, sizeof *p->weights);
	p->weights[p->n_weights++] = value;
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

static void push(struct speedscope *r, uint32_t node)
{
	r->stack = xgrow(r->stack, &r->cap_stack, r->n_stack + 1, sizeof *r->stack);
	r->stack[r->n_stack++] = node;
}

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

/* Add a sample of the present stack at `at`. It replaces a sample at the same time, which would
 * have no length. */
static void note_stack(struct speedscope *r, int64_t at)
{
	struct stack_lane *lane = &current(r)->lane;
	uint32_t node = r->n_stack ? r->stack[r->n_stack - 1] : 0;

	if (lane->n_samples && lane->times[lane->n_samples - 1] == at)
		lane->samples[lane->n_samples - 1] = node;
	else if (!lane->n_samples || lane->samples[lane->n_samples - 1] != node)
		stack_lane_sample(lane, node, at);
	r->last = at;
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
	push(r, node);
	return true;
}

static bool read_event(void *ctx)
{
	struct speedscope *r = ctx;
	struct draft_event e = { .r = r };
	int64_t offset = scan_offset(r->s);
	const char *type;

	if (scan_peek(r->s) != '{') {
		builder_warn(r->b, WARN_ODD_EVENT, offset);
		return scan_skip(r->s);
	}
	if (!json_read_object(r->s, read_event_member, &e))
		return false;
	if (!e.has_at) {
		builder_warn(r->b, WARN_TIME_MISSING, offset);
		return true;
	}
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
	} else {
		builder_warn(r->b, WARN_ODD_EVENT, offset);
		return true;
	}
	note_stack(r, e.at);
	return true;
}

/* End the profile, and with it the nodes that are still open. */
static void close_events(struct speedscope *r, struct speedscope_profile *p)
{
	struct stack_lane *lane = &p->lane;

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

/* ---- profiles ---- */

static bool read_profile_member(void *ctx, struct str key)
{
	struct speedscope *r = ctx;
	struct speedscope_profile *p = current(r);

	if (str_is(key, "name"))
		return json_read_text(r->s, &r->texts, &p->name);
	if (str_is(key, "unit"))
		return read_unit(r);
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
	r->profiles = xgrow(r->profiles, &r->cap_profiles, r->n_profiles + 1, sizeof *r->profiles);
	p = &r->profiles[r->n_profiles++];
	*p = (struct speedscope_profile){ .offset = scan_offset(r->s) };
	stack_lane_init(&p->lane);
	r->n_stack = 0;
	r->scale = 3;
	ok = json_read_object(r->s, read_profile_member, r);
	/* The complete samples of a profile that is cut off are kept. */
	if (!ok && !r->s->is_cut)
		return false;
	if (p->lane.n_samples && p->has_samples)
		sum_up(r, p);
	else if (p->lane.n_samples)
		close_events(r, p);
	return ok;
}

bool speedscope_profile_read(struct speedscope *r)
{
	return json_read_list(r->s, read_profile, r);
}

void speedscope_profile_clear(struct speedscope *r)
{
	for (size_t i = 0; i < r->n_profiles; i++) {
		stack_lane_done(&r->profiles[i].lane);
		free(r->profiles[i].weights);
	}
	r->n_profiles = 0;
}
