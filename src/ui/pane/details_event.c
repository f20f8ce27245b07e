/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event comes as text, with the stacks that it names. Their frames are in the profile. */
#include "config.h"

#include "ui/pane/details_event.h"

#include "ui/state.h"

#include <string.h>

#define STACK_MOST 200

static const struct stack_frame *stack_frame(const struct profile *profile, const char *id,
					     size_t len)
{
	for (size_t i = 0; i < profile->n_stack_frames; i++) {
		const struct stack_frame *f = &profile->stack_frames[i];

		if (intern_len(&profile->strings, f->id) == len &&
		    memcmp(profile_text(profile, f->id), id, len) == 0)
			return f;
	}
	return NULL;
}

/* The stack that an event names by the id of its innermost frame. */
static void add_stack(struct details_lines *p, const struct buf *id)
{
	const struct profile *profile = p->app->s.profile;
	const struct stack_frame *f;

	if (!id->len || !profile->n_stack_frames)
		return;
	details_lines_head(p, "Stack, innermost first");
	f = stack_frame(profile, buf_text(id), id->len);
	if (!f)
		details_lines_text(p, "?", "the file has no such stack frame");
	/* STACK_MOST ends the loop if the parents form a cycle. */
	for (size_t n = 0; f && n < STACK_MOST; n++) {
		details_lines_text(p, "", profile_text(profile, f->name));
		f = f->parent ? stack_frame(profile, profile_text(profile, f->parent),
					    intern_len(&profile->strings, f->parent))
			      : NULL;
	}
	if (f)
		details_lines_text(p, "", "\342\200\246 and further");
}

static void add_event(struct details_lines *p, const struct lane *lane, int64_t offset,
		      const char *title)
{
	const struct event_source *from = &p->app->events;
	struct buf text = { 0 }, stack_frame = { 0 };

	if (offset < 0 || !from->read)
		return;
	if (!from->read(from->ctx, p->app->s.profile, lane->input, offset, &text, &stack_frame)) {
		p->app->details.is_waiting = true;
		buf_adds(&text, "reading the file\342\200\246");
	}
	details_lines_head(p, title);
	details_lines_block(p, &text);
	add_stack(p, &stack_frame);
	buf_done(&text);
	buf_done(&stack_frame);
}

void details_event_add(struct details_lines *p, const struct lane *lane, const struct span *span)
{
	size_t slice = slice_of_span(lane, span);
	unsigned flags;

	if (slice == SIZE_MAX)
		return;
	flags = slice_flags(&lane->slices, slice);
	if (lane->kind == LANE_OBJECTS) {
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
	add_event(p, lane, slice_offset(&lane->slices, slice), "Event");
	add_event(p, lane, slice_end_offset(&lane->slices, slice), "Event of its end");
}
