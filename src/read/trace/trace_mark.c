/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracks of marks. Each is made when its first mark comes, so that no track stays empty. */
#include "config.h"

#include "read/trace/trace.h"

#include <string.h>

uint32_t trace_mark_track(struct trace *t, uint32_t *track, int64_t pid, int64_t tid,
			  const char *title)
{
	if (!*track)
		*track = track_builder_add(t->b, LANE_MARKS, pid, tid, title, strlen(title)) + 1;
	return *track - 1;
}

uint32_t trace_mark_thread(struct trace *t, const struct trace_event *e)
{
	return trace_mark_track(t, &trace_thread_get(t, e->pid, e->tid)->marks, e->pid, e->tid, "");
}

static uint32_t across(struct trace *t, uint32_t track)
{
	track_builder_across(t->b, track);
	return track;
}

uint32_t trace_mark_process(struct trace *t, int64_t pid)
{
	return across(
		t,
		trace_mark_track(t, &trace_process_get(t, pid)->marks, pid, LANE_NO_ID, "Marks"));
}

uint32_t trace_mark_all(struct trace *t)
{
	return across(t, trace_mark_track(t, &t->marks, LANE_NO_ID, LANE_NO_ID, "Marks"));
}

void trace_mark_add(struct trace *t, uint32_t track, const struct trace_event *e, text_id name)
{
	track_builder_slice(t->b, track,
			    &(struct track_slice){ .t0 = e->ts,
						   .t1 = e->ts,
						   .frame = trace_frame_of_mark(t, name),
						   .offset = e->offset,
						   .end_offset = -1,
						   .color = trace_color(e) });
}
