/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event comes as text, with the stacks that it names. Their frames are in the profile. The steps
 * of a slice are events of their own; each event takes a reading of the file, so that only the
 * first steps have theirs. The others have it when they are selected. */
#include "config.h"

#include "ui/pane/details_event.h"

#include "base/text.h"
#include "base/units.h"
#include "model/event_stack.h"
#include "ui/state.h"

#include <string.h>

#define STACK_MOST 200
#define STEPS_SHOWN 8         /* steps of a slice with their events; of others the time */
#define STEPS_MOST 100        /* steps that are listed */
#define STEPS_LOOKED_AT 10000 /* children among which they are found */
#define STEPS_BYTES 65536     /* of events; further steps have none */

/* The frame of an input with an id. Of several the last one counts. */
static const struct stack_frame *find_frame(const struct profile *profile, uint32_t input,
					    struct str id)
{
	for (size_t i = profile->n_stack_frames; i-- > 0;) {
		const struct stack_frame *f = &profile->stack_frames[i];

		if (f->input == input && intern_len(&profile->strings, f->id) == id.len &&
		    memcmp(profile_text(profile, f->id), id.p, id.len) == 0)
			return f;
	}
	return NULL;
}

static const struct stack_frame *caller_of(const struct profile *profile,
					   const struct stack_frame *frame)
{
	for (size_t i = profile->n_stack_frames; i-- > 0;) {
		const struct stack_frame *f = &profile->stack_frames[i];

		if (f->input == frame->input && f->id == frame->parent)
			return f;
	}
	return NULL;
}

static void add_frame(struct details_lines *p, const struct stack_frame *f)
{
	const struct profile *profile = p->app->s.profile;
	struct buf line = { 0 };

	buf_adds(&line, profile_text(profile, f->name));
	if (f->category)
		buf_addf(&line, "  (%s)", profile_text(profile, f->category));
	details_lines_pair(p, "", buf_text(&line), line.len);
	buf_done(&line);
}

static bool is_among(const struct stack_frame *const *frames, size_t n,
		     const struct stack_frame *frame)
{
	while (n-- > 0)
		if (frames[n] == frame)
			return true;
	return false;
}

/* The frames of a stack from f on, innermost first; is_missing: f would be one, but the file lacks
 * it. */
static void add_callers(struct details_lines *p, const struct stack_frame *f, bool is_missing)
{
	const struct profile *profile = p->app->s.profile;
	const struct stack_frame *seen[STACK_MOST] = { NULL };
	size_t n = 0;

	while (f && n < STACK_MOST && !is_among(seen, n, f)) {
		bool has_caller = f->parent != 0;

		add_frame(p, f);
		seen[n++] = f;
		f = has_caller ? caller_of(profile, f) : NULL;
		is_missing = has_caller && !f;
	}
	if (is_missing)
		details_lines_text(p, "?", "the file has no such stack frame");
	else if (f && n < STACK_MOST)
		details_lines_text(p, "", "\342\200\246 its callers form a cycle");
	else if (f)
		details_lines_text(p, "", "\342\200\246 and further");
}

static void add_frames(struct details_lines *p, uint32_t input, struct str id)
{
	const struct stack_frame *f = find_frame(p->app->s.profile, input, id);

	add_callers(p, f, !f);
}

/* A list has names, or ids of frames; the outermost frame may have callers of its own. */
static void add_list(struct details_lines *p, uint32_t input, const struct buf *stacks,
		     const struct event_stack *stack)
{
	const struct profile *profile = p->app->s.profile;
	size_t least = stack->n > STACK_MOST ? stack->n - STACK_MOST : 0;
	const struct stack_frame *f = NULL;

	for (size_t i = stack->n; i-- > least;) {
		struct str name = event_stack_text(stacks, stack, i);

		f = find_frame(profile, input, name);
		if (f)
			add_frame(p, f);
		else
			details_lines_pair(p, "", name.p, name.len);
	}
	if (least)
		details_lines_text(p, "", "\342\200\246 and further");
	else if (f && f->parent)
		add_callers(p, caller_of(profile, f), !caller_of(profile, f));
}

/* The stacks that an event names; is_end: the event is that of the end of a slice. */
static void add_stacks(struct details_lines *p, uint32_t input, const struct buf *stacks,
		       bool is_end)
{
	struct event_stack stack;

	for (size_t at = 0; event_stack_next(stacks, &at, &stack);) {
		if (!stack.n)
			continue;
		details_lines_head(p,
				   stack.is_at_end || is_end ? "Stack at its end, innermost first"
							     : "Stack, innermost first");
		if (stack.is_id)
			add_frames(p, input, event_stack_text(stacks, &stack, 0));
		else
			add_list(p, input, stacks, &stack);
	}
}

static void add_event(struct details_lines *p, const struct lane *lane, int64_t offset,
		      const char *title, bool is_end)
{
	const struct event_source *from = &p->app->events;
	struct buf text = { 0 }, stacks = { 0 };

	if (offset < 0 || !from->read)
		return;
	if (!from->read(from->ctx, p->app->s.profile, lane->input, offset, &text, &stacks)) {
		p->app->details.is_waiting = true;
		buf_adds(&text, "reading the file\342\200\246");
	}
	details_lines_head(p, title);
	details_lines_block(p, &text);
	add_stacks(p, lane->input, &stacks, is_end);
	buf_done(&text);
	buf_done(&stacks);
}

/* Add a step of a slice: its event with name and time as the heading, or a line. */
static void add_step(struct details_lines *p, const struct lane *lane, const struct span *step,
		     int64_t offset)
{
	const struct profile *profile = p->app->s.profile;
	const struct frame *frame = profile_node_frame(profile, lane, step->node);
	char when[UNITS_MAX];
	struct buf title = { 0 };

	text_visible(&title, profile_text(profile, frame->name),
		     intern_len(&profile->strings, frame->name));
	profile_exact(profile, step->t0, when);
	buf_addf(&title, ", at %s", when);
	if (offset >= 0)
		add_event(p, lane, offset, buf_text(&title), false);
	else
		details_lines_text(p, "", buf_text(&title));
	buf_done(&title);
}

/* The steps of an async slice, or the snapshots of an object: the marks of the row below, without
 * those whose event is that of an end of the slice. */
static void add_steps(struct details_lines *p, const struct lane *lane, const struct span *span,
		      size_t slice)
{
	int64_t own = slice_offset(&lane->slices, slice),
		end = slice_end_offset(&lane->slices, slice);
	size_t before = p->lines->text.len, from = span->first;
	bool has_list = false;
	int n = 0, looked = 0;
	struct span step;

	for (; looked < STEPS_LOOKED_AT && n < STEPS_MOST &&
	     span_next(&lane->samples, &lane->tree, span->depth + 1, from, &step) &&
	     step.first < span->end;
	     from = step.end, looked++) {
		size_t at = slice_of_span(lane, &step);
		int64_t offset = at == SIZE_MAX ? -1 : slice_offset(&lane->slices, at);

		if (!profile_is_mark(p->app->s.profile, lane, step.node) ||
		    (offset >= 0 && (offset == own || offset == end)))
			continue;
		if (!has_list && (n >= STEPS_SHOWN || p->lines->text.len - before > STEPS_BYTES)) {
			details_lines_head(p, "Further steps");
			has_list = true;
		}
		n++;
		add_step(p, lane, &step, has_list ? -1 : offset);
	}
	if (n == STEPS_MOST || looked == STEPS_LOOKED_AT)
		details_lines_text(p, "", "\342\200\246 and further");
}

void details_event_add(struct details_lines *p, const struct lane *lane, const struct span *span)
{
	bool is_object = lane->kind == LANE_OBJECTS &&
		!profile_is_mark(p->app->s.profile, lane, span->node);
	size_t slice = slice_of_span(lane, span);
	unsigned flags;

	if (slice == SIZE_MAX)
		return;
	flags = slice_flags(&lane->slices, slice);
	if (is_object) {
		if (flags & SLICE_NOT_CREATED)
			details_lines_text(p, "not created", "the file does not say when");
		if (flags & SLICE_UNFINISHED)
			details_lines_text(p, "not deleted", "the file does not say when");
		flags = 0;
	}
	if (flags & SLICE_UNFINISHED)
		details_lines_text(
			p, "unfinished",
			"there is no end in the file: drawn until the recording, or what "
			"contains it, ends");
	if (flags & SLICE_CUT)
		details_lines_text(p, "cut",
				   "its end was missing: closed by the end of a slice around it");
	if (flags & SLICE_OVERLAPS)
		details_lines_text(p, "overlaps",
				   "begins inside a slice that it outlasts: on rows of its own");
	add_event(p, lane, slice_offset(&lane->slices, slice),
		  is_object ? "Event of its creation" : "Event", false);
	if (lane->n_marks)
		add_steps(p, lane, span, slice);
	add_event(p, lane, slice_end_offset(&lane->slices, slice),
		  is_object ? "Event of its deletion" : "Event of its end", true);
}
