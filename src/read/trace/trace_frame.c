/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of the page: which were drawn, dropped, or shown in part, by the events of its layer tree.
 * The rules are those of DevTools (FramesHandler): a frame lasts until the next one that is drawn
 * or dropped, and none is drawn while one of the main thread is asked for and not committed. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

#define LOOKS_MAX 4096 /* frames that have begun, among which one is looked for */

struct frame_event {
	int64_t ts, offset, pid, tid;
	int64_t seq, layer; /* of the frame, and of its layer tree */
	text_id frame;      /* MEANS_LAYER: which page or frame of a page has that layer tree */
	enum meaning meaning;
	bool is_dropped, is_partial;
};

struct trace_frames {
	struct frame_event *all;
	size_t n, cap;
};

/* The state of a walk over all events. */
struct frames {
	struct frame_event *queue; /* that have begun and were not drawn */
	size_t n;
	int64_t layer, pid, tid;
	struct frame_event last; /* has_last: it has begun last */
	bool has_last, is_requested, is_begun, is_committed;
	uint32_t track; /* + 1 */
};

static void free_frames(struct trace *t)
{
	if (t->frames)
		free(t->frames->all);
	free(t->frames);
}

void trace_frame_event(struct trace *t, const struct trace_event *e)
{
	const struct json_value *args = e->args.len > 2 ? trace_text_json(t, e->args) : NULL,
				*data = json_tree_find(args, "data");
	struct frame_event x = { e->ts, e->offset, e->pid, e->tid, .frame = 0 };

	x.meaning = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	x.is_dropped = x.meaning == MEANS_DROPPED;
	x.is_partial = x.is_dropped && trace_text_is_true(args, "hasPartialUpdate");
	x.layer = trace_text_number(x.meaning == MEANS_LAYER ? data : args, "layerTreeId", 0, -1);
	if (x.layer < 0)
		return;
	x.seq = trace_text_number(args, "frameSeqId", 0, -1);
	x.frame = x.meaning == MEANS_LAYER ? trace_text_in(t, data, "frame") : 0;
	if (!t->frames)
		t->frames = xcalloc(1, sizeof *t->frames);
	*ARRAY_ADD(t->frames->all, t->frames->n, t->frames->cap) = x;
}

/* ---- at the end ---- */

static bool is_before(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct frame_event *)a)->ts < ((const struct frame_event *)b)->ts;
}

/* Begin a frame, which ends the one before it: `16.7 ms`, of a dropped one after a cross. */
static void start(struct trace *t, struct frames *f, const struct frame_event *x)
{
	const struct frame_event *last = &f->last;
	struct trace_process *p = trace_process_get(t, f->pid);
	char name[UNITS_MAX + 8] = "\303\227 ";
	size_t n = last->is_partial ? 4 : last->is_dropped ? 3 : 0;
	struct track_slice slice = { .t0 = last->ts,
				     .t1 = x->ts,
				     .offset = last->offset,
				     .end_offset = -1 };

	if (f->has_last && last->ts < x->ts) {
		if (!f->track)
			f->track = 1 +
				track_builder_add(t->b, LANE_ASYNC, f->pid,
						  p->has_page_tid ? p->page_tid : f->tid, "Frames",
						  strlen("Frames"));
		units_time(x->ts - last->ts, name + n);
		if (last->is_partial)
			memcpy(name, "\342\227\220 ", 4);
		slice.frame = track_builder_frame(t->b, name, strlen(name));
		slice.color = !last->is_dropped ? 0
			: last->is_partial      ? frame_color_find("bad", 3)
						: frame_color_find("terrible", 8);
		track_builder_slice(t->b, f->track - 1, &slice);
	}
	f->last = *x;
	f->has_last = true;
}

/* The place of a frame in the queue; f->n: it is not there. */
static size_t find(const struct frames *f, int64_t seq)
{
	size_t i = f->n;

	/* Mostly it is the last one, or would come after it. */
	while (i > 0 && f->n - i < LOOKS_MAX && f->queue[i - 1].seq > seq)
		i--;
	return i > 0 && f->queue[i - 1].seq == seq ? i - 1 : f->n;
}

static void draw(struct trace *t, struct frames *f, const struct frame_event *x)
{
	size_t at = find(f, x->seq);

	if (at < f->n && (f->is_committed || !f->is_requested)) {
		for (size_t i = 0; i <= at; i++)
			if (i == at || f->queue[i].is_dropped)
				start(t, f, &f->queue[i]);
		f->n -= at + 1;
		memmove(f->queue, f->queue + at + 1, f->n * sizeof *f->queue);
	}
	f->is_committed = false;
}

static void step(struct trace *t, struct frames *f, const struct frame_event *x)
{
	bool is_frame = x->meaning == MEANS_BEGIN || x->meaning == MEANS_DROPPED ||
		x->meaning == MEANS_DRAW;
	size_t at;

	if (x->meaning == MEANS_LAYER && (!t->main_frame || x->frame == t->main_frame)) {
		f->layer = x->layer;
		f->pid = x->pid;
		f->tid = x->tid;
	}
	if (x->meaning == MEANS_LAYER || x->layer != f->layer)
		return;
	if (is_frame && !f->has_last) {
		start(t, f, x);
		f->last.is_dropped = f->last.is_partial = false;
		if (x->meaning == MEANS_DRAW)
			return;
	}
	switch (x->meaning) {
	case MEANS_BEGIN:
	case MEANS_DROPPED:
		at = find(f, x->seq);
		if (at == f->n)
			f->queue[f->n++] = *x;
		if (x->is_dropped) {
			f->queue[at].is_dropped = true;
			f->queue[at].is_partial = x->is_partial;
		}
		break;
	case MEANS_DRAW:
		draw(t, f, x);
		break;
	case MEANS_REQUEST:
		f->is_requested |= f->has_last;
		break;
	case MEANS_BEGIN_MAIN:
		f->is_begun = true;
		break;
	default: /* MEANS_COMMIT */
		f->is_committed |= f->is_begun;
		f->is_requested &= !f->is_begun;
		f->is_begun = false;
		break;
	}
}

static void finish(struct trace *t)
{
	struct frames f = { .layer = INT64_MIN };

	if (!t->frames)
		return;
	sort_stable(t->frames->all, t->frames->n, sizeof *t->frames->all, is_before, NULL);
	f.queue = xcalloc(t->frames->n, sizeof *f.queue);
	for (size_t i = 0; i < t->frames->n; i++)
		step(t, &f, &t->frames->all[i]);
	free(f.queue);
}

const struct trace_part trace_frame_part = { finish, free_frames };
