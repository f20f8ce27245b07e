/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member `samples`, which, with `stackFrames`, Hermes and converters for Linux perf write. The
 * samples of a thread become a CPU profile, whose nodes are the stack frames that they use
 * (trace_stack.c). Either member may come first, so both are kept until the end. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_MOST ((size_t)64 << 20)
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

static struct trace_samples *samples_of(struct trace *t)
{
	if (!t->samples)
		t->samples = xcalloc(1, sizeof *t->samples);
	return t->samples;
}

void trace_samples_free(struct trace *t)
{
	if (!t->samples)
		return;
	free(t->samples->samples);
	free(t->samples);
	t->samples = NULL;
}

/* ---- reading ---- */

static void add_sample(struct trace *t, struct str raw, int64_t offset)
{
	struct trace_samples *ts = samples_of(t);
	struct raw_sample s = { .at = ts->n, .frame = trace_stack_member(t, raw, "sf") };
	bool has_pid = trace_stack_number(raw, "pid", 0, &s.pid),
	     has_tid = trace_stack_number(raw, "tid", 0, &s.tid);

	if (!trace_stack_number(raw, "ts", 3, &s.ts) || s.ts > PROFILE_TIME_MAX ||
	    s.ts < -PROFILE_TIME_MAX) {
		builder_warn(t->b, WARN_TIME_MISSING, offset);
		return;
	}
	if (!has_pid || !has_tid)
		builder_warn(t->b, WARN_NO_IDS, offset);
	ts->samples = xgrow(ts->samples, &ts->cap, ts->n + 1, sizeof *ts->samples);
	ts->samples[ts->n++] = s;
}

bool trace_samples_read(struct trace *t)
{
	bool is_first = true;
	struct str raw;

	t->has_samples = true;
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
		if (!scan_raw(t->s, VALUE_MOST, &raw))
			return false;
		add_sample(t, raw, offset);
		t->good_end = scan_offset(t->s);
	}
	return t->err->kind == ERR_NONE;
}

/* ---- at the end ---- */

static int compare(const void *x, const void *y)
{
	const struct raw_sample *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

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
	while (frame && trace_stack_frame(t, frame)->used != now) {
		struct trace_stack_frame *e = trace_stack_frame(t, frame);
		uint32_t parent = trace_stack_find(t, e->parent);
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
	cpu_builder_by_function(t->b);
	cpu_builder_node(t->b, cpu_builder_slot(t->b, ROOT_SLOT), plain_frame(t, "(root)"), -1);
	for (size_t i = 0; i < n; i++) {
		uint32_t frame = trace_stack_find(t, samples[i].frame);
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

bool trace_samples_finish(struct trace *t)
{
	struct trace_samples *ts = t->samples;
	uint32_t now = 0, first_lane = track_builder_lanes(t->b);

	if (!ts || ts->n == 0)
		return true;
	qsort(ts->samples, ts->n, sizeof *ts->samples, compare);
	for (size_t from = 0, end; from < ts->n; from = end) {
		const struct raw_sample *first = &ts->samples[from];

		for (end = from + 1; end < ts->n && ts->samples[end].pid == first->pid &&
		     ts->samples[end].tid == first->tid;
		     end++)
			;
		if (!finish_thread(t, first, end - from, ++now))
			return false;
	}
	track_builder_sample_list(t->b, first_lane);
	return true;
}
