/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects trace data as its reader passes it on. Nothing is examined before the end: events come
 * in any order, and names often come last. */
#include "config.h"

#include "model/build/track_builder.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/sort.h"
#include "base/thread.h"
#include "model/build/builder_state.h"
#include "model/build/lane_order.h"
#include "model/build/slice_lane.h"
#include "model/build/stray.h"
#include "model/build/subset.h"
#include "model/request.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ==== counter lane ====
 *
 * Values are sorted by time. Values with equal times stay in the order of the file, and the last
 * one holds. */

struct value {
	int64_t t;
	double value;
};

static bool is_earlier(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct value *)a)->t < ((const struct value *)b)->t;
}

/* Stable: of several values at one time the last one holds. */
static void sort_series(struct raw_series *s)
{
	size_t n = s->n, i = 1;
	struct value *all;

	while (i < n && s->t[i - 1] <= s->t[i])
		i++;
	if (i >= n)
		return;
	all = xmalloc(n * sizeof *all);
	for (i = 0; i < n; i++)
		all[i] = (struct value){ s->t[i], s->value[i] };
	sort_stable(all, n, sizeof *all, is_earlier, NULL);
	for (i = 0; i < n; i++) {
		s->t[i] = all[i].t;
		s->value[i] = all[i].value;
	}
	free(all);
}

/* Add the lane of a counter that has values. Takes over the arrays of its series. */
static void counter_lane_build(struct builder *b, struct raw_counter *c)
{
	struct lane *lane;

	if (c->n_series == 0)
		return;
	lane = builder_lane(b, LANE_COUNTER, c->input, c->pid, LANE_NO_ID);
	lane->title = c->name;
	lane->series = xcalloc(c->n_series, sizeof *lane->series);
	lane->n_series = c->n_series;
	lane->t0 = INT64_MAX;
	lane->t1 = INT64_MIN;
	for (uint32_t i = 0; i < c->n_series; i++) {
		struct raw_series *from = &c->series[i];

		sort_series(from);
		lane->series[i] = (struct series){ .name = from->name,
						   .n = from->n,
						   .t = from->t,
						   .value = from->value };
		from->t = NULL;
		from->value = NULL;
		series_index(&lane->series[i]);
		if (lane->series[i].t[0] < lane->t0)
			lane->t0 = lane->series[i].t[0];
		if (lane->series[i].t[from->n - 1] > lane->t1)
			lane->t1 = lane->series[i].t[from->n - 1];
	}
	for (uint32_t i = 0; i < lane->n_series; i++)
		for (size_t k = 0; k < lane->series[i].n; k++)
			lane->series[i].t[k] -= lane->t0;
}

/* ==== track lanes ====
 *
 * Makes the lanes of all tracks and counters. Tracks are independent of each other, so two threads
 * take them in turn; the lanes are put into the profile in the order of the tracks. */

#define MANY_SLICES 200000u /* from here on two threads are faster */

/* Threads take tracks one by one, large ones first. */
struct work {
	struct raw_track *tracks;
	struct slice_lanes *made; /* by track */
	const uint32_t *order;
	uint32_t n;
	atomic_uint next;
	struct progress_shared progress; /* in slices */
};

static void work_on(void *ctx)
{
	struct work *w = ctx;
	struct slice_arena room = { 0 };
	unsigned i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->n) {
		struct raw_track *track = &w->tracks[w->order[i]];

		track->room = &room;
		slice_lane_make_all(track, &w->made[w->order[i]], &w->progress);
		track->room = NULL;
	}
	slice_arena_done(&room);
}

struct size {
	size_t n;
	uint32_t track;
};

static int larger_first(const void *a, const void *b)
{
	const struct size *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

/* Sort the tracks by size. Returns the number of all slices. */
static size_t order_tracks(const struct tracks *t, uint32_t *order)
{
	struct size *sizes = xmalloc((size_t)t->n * sizeof *sizes);
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		sizes[i] = (struct size){ t->tracks[i].n, i };
		n += t->tracks[i].n;
	}
	qsort(sizes, t->n, sizeof *sizes, larger_first);
	for (uint32_t i = 0; i < t->n; i++)
		order[i] = sizes[i].track;
	free(sizes);
	return n;
}

static void make_tracks(struct tracks *t, struct slice_lanes *made, struct progress *progress)
{
	uint32_t *order = xmalloc((size_t)t->n * sizeof *order);
	struct work work = { .tracks = t->tracks, .made = made, .order = order, .n = t->n };

	size_t n = order_tracks(t, order);

	progress_shared_begin(&work.progress, progress, "putting slices in order", (int64_t)n);
	if (n >= MANY_SLICES && t->n > 1)
		parallel_run(work_on, &work);
	else
		work_on(&work);
	progress_step(progress, NULL, 0);
	free(order);
}

/* Put the lanes of a track into the profile. */
static void add_lanes(struct builder *b, uint32_t number, struct slice_lanes *made)
{
	struct raw_track *track = &b->tracks.tracks[number];
	uint32_t first = b->profile->n_lanes;

	if (track->filter)
		track_filter_add_lanes(b, track, made);
	else
		for (size_t i = 0; i < made->n; i++)
			builder_lane_take(b, &made->lanes[i]);
	if (track->kind != LANE_MARKS)
		slice_cover_unite(b->profile->lanes + first, b->profile->n_lanes - first);
	for (uint32_t i = first; i < b->profile->n_lanes; i++) {
		b->sources[i].number = number;
		b->profile->lanes[i].is_across = track->is_across;
	}
	if (made->n_overlaps)
		builder_warn_times(b, WARN_OVERLAP, made->first_overlap, made->n_overlaps);
	if (made->n_too_deep)
		builder_warn_times(b, WARN_TOO_DEEP, -1, made->n_too_deep);
	free(made->lanes);
}

void track_lanes_build(struct builder *b)
{
	struct tracks *t = &b->tracks;
	struct slice_lanes *made = xcalloc(t->n, sizeof *made);

	t->variants.frames = &b->profile->frames;
	for (uint32_t i = 0; i < t->n; i++) {
		t->tracks[i].variants = &t->variants;
		track_filter_end(&t->tracks[i]);
	}
	make_tracks(t, made, b->options.progress);
	for (uint32_t i = 0; i < t->n; i++)
		add_lanes(b, i, &made[i]);
	free(made);
	for (uint32_t i = 0; i < t->n_counters; i++)
		counter_lane_build(b, &t->counters[i]);
}

/* ==== track builder ==== */

/* ---- names ---- */

static struct track_name *name_of(struct builder *b, int64_t pid, int64_t tid)
{
	return thread_names_get(&b->tracks.names, builder_this_input_index(b), pid, tid);
}

void track_builder_name(struct builder *b, int64_t pid, int64_t tid, const char *name, size_t len)
{
	name_of(b, pid, tid)->name = builder_input_text(b, name, len);
}

void track_builder_sort(struct builder *b, int64_t pid, int64_t tid, int64_t sort_index, int rank)
{
	struct track_name *name = name_of(b, pid, tid);

	name->sort = sort_index;
	name->rank = rank;
	name->has_sort = true;
}

void track_builder_page(struct builder *b, int64_t pid, int64_t tid, struct str title,
			struct str page)
{
	struct track_name *name = name_of(b, pid, tid);

	name->title = builder_input_text(b, title.p, title.len);
	name->page = page.len ? builder_input_text(b, page.p, page.len) : 0;
}

void track_builder_page_kind(struct builder *b, int64_t pid, int64_t tid, enum track_page kind)
{
	struct track_name *name = name_of(b, pid, LANE_NO_ID);

	name->page_kind = kind;
	name->page_tid = tid;
}

void track_builder_started(struct builder *b, int64_t t)
{
	stray_add_start(&b->times, t);
}

void track_builder_zero_is_void(struct builder *b)
{
	b->times.is_zero_void = true;
}

void track_builder_show_ns(struct builder *b)
{
	b->profile->has_ns = true;
}

void track_builder_window(struct builder *b, int64_t t0, int64_t t1)
{
	b->tracks.has_window = true;
	b->tracks.window_t0 = t0;
	b->tracks.window_t1 = t1;
	b->profile->crumbs = xgrow(b->profile->crumbs, &b->profile->cap_crumbs,
				   b->profile->n_crumbs + 1, sizeof *b->profile->crumbs);
	b->profile->crumbs[b->profile->n_crumbs++] = (struct crumb){ t0, t1 };
}

struct notes *track_builder_notes(struct builder *b, uint32_t *input)
{
	*input = builder_this_input_index(b);
	return &b->profile->notes;
}

void track_builder_note(struct builder *b, const struct user_note *note)
{
	struct user_note own = *note;

	own.input = builder_this_input_index(b);
	notes_add(&b->profile->notes, &own);
}

/* ---- milestones ---- */

void track_builder_milestone(struct builder *b, const struct milestone *milestone)
{
	struct profile *p = b->profile;

	p->milestones = xgrow(p->milestones, &b->tracks.cap_milestones, p->n_milestones + 1,
			      sizeof *p->milestones);
	p->milestones[p->n_milestones] = *milestone;
	p->milestones[p->n_milestones++].input = builder_this_input_index(b);
}

void track_builder_load(struct builder *b, const struct page_load *load)
{
	struct profile *p = b->profile;

	p->loads = xgrow(p->loads, &b->tracks.cap_loads, p->n_loads + 1, sizeof *p->loads);
	p->loads[p->n_loads] = *load;
	p->loads[p->n_loads++].input = builder_this_input_index(b);
}

/* ---- slices ---- */

static frame_id frame_of(struct builder *b, enum category category, const char *name, size_t len)
{
	struct frame frame = { .category = category };

	frame.name = len ? builder_input_text(b, name, len)
			 : intern_adds(&b->profile->strings, "(unnamed)");
	return frame_table_add(&b->profile->frames, &frame);
}

frame_id track_builder_mark(struct builder *b, const char *name, size_t len)
{
	return frame_of(b, CATEGORY_MARK, name, len);
}

frame_id track_builder_mark_of(struct builder *b, frame_id frame)
{
	const struct frame_table *frames = &b->profile->frames;
	const struct raw_variant *variant = frame & RAW_VARIANT
		? &b->tracks.variants.list[frame & ~RAW_VARIANT]
		: NULL;
	struct frame mark = frames->frames[variant ? variant->frame : frame];

	mark = (struct frame){ .name = mark.name,
			       .category = CATEGORY_MARK,
			       .cat = variant ? variant->cat : mark.cat };
	return frame_table_add(&b->profile->frames, &mark);
}

frame_id track_builder_frame(struct builder *b, const char *name, size_t len)
{
	return frame_of(b, CATEGORY_SLICE, name, len);
}

/* The number of an event category; 0: there are too many. */
static event_cat cat_of(struct builder *b, struct str cat)
{
	struct profile *p = b->profile;
	str_id text = builder_input_text(b, cat.p, cat.len);
	struct hash_probe probe = hash_probe(hash_u64(text));
	const char *comma = memchr(cat.p, ',', cat.len);

	while (hash_table_next(&b->tracks.event_cats, &probe))
		if (p->event_cats[probe.index].text == text)
			return (event_cat)probe.index;
	if (p->n_event_cats > EVENT_CATS_MAX)
		return 0;
	p->n_event_cats += p->n_event_cats == 0;
	p->event_cats = xgrow(p->event_cats, &b->tracks.cap_event_cats, (size_t)p->n_event_cats + 1,
			      sizeof *p->event_cats);
	p->event_cats[0] = (struct event_cat_name){ 0, 0 };
	p->event_cats[p->n_event_cats] = (struct event_cat_name){
		text, comma ? builder_input_text(b, cat.p, (size_t)(comma - cat.p)) : text
	};
	hash_table_add(&b->tracks.event_cats, hash_u64(text), p->n_event_cats);
	return (event_cat)p->n_event_cats++;
}

void track_builder_frame_cat(struct builder *b, frame_id frame, struct str cat)
{
	event_cat number = cat.len ? cat_of(b, cat) : 0;

	if (!b->profile->frames.frames[frame].cat)
		b->profile->frames.frames[frame].cat = number;
}

frame_id track_builder_variant(struct builder *b, frame_id frame, struct str cat)
{
	struct raw_variants *v = &b->tracks.variants;
	event_cat number = cat.len ? cat_of(b, cat) : 0;

	if (v->n >= RAW_VARIANT - 1 || b->profile->frames.frames[frame].cat == number)
		return frame;
	v->list = xgrow(v->list, &v->cap, (size_t)v->n + 1, sizeof *v->list);
	v->list[v->n] = (struct raw_variant){ frame, number };
	return RAW_VARIANT | v->n++;
}

frame_id track_builder_run_of(struct builder *b, frame_id event, frame_id run)
{
	struct frame_table *frames = &b->profile->frames;
	struct frame frame = frames->frames[run];

	frame.event = frames->frames[event].name;
	frame.cat = frames->frames[event].cat;
	frame.color = 0;
	return frame_table_add(frames, &frame);
}

frame_id track_builder_run(struct builder *b, const struct track_run *run)
{
	struct profile *p = b->profile;
	str_id event = p->frames.frames[run->event].name;
	struct frame frame = { .category = run->is_mark ? CATEGORY_MARK : CATEGORY_SLICE,
			       .event = event,
			       .name = event };
	struct buf file = { 0 };
	frame_id id;

	frame.url = run->url.len ? builder_input_text(b, run->url.p, run->url.len) : 0;
	if (run->name.len) {
		frame.name = builder_input_text(b, run->name.p, run->name.len);
	} else if (!run->is_plain) {
		profile_file_name(p, frame.url, &file);
		frame.name = intern_add(&p->strings, buf_text(&file), file.len);
		buf_done(&file);
	}
	frame.script = run->script.len ? builder_input_text(b, run->script.p, run->script.len) : 0;
	frame.line = run->line;
	frame.column = run->column;
	id = frame_table_add(&p->frames, &frame);
	if (!p->frames.frames[id].cat)
		track_builder_frame_cat(b, id, run->cat);
	return id;
}

uint32_t track_builder_add(struct builder *b, enum lane_kind kind, int64_t pid, int64_t tid,
			   const char *title, size_t len)
{
	struct tracks *t = &b->tracks;

	t->tracks = xgrow(t->tracks, &t->cap, (size_t)t->n + 1, sizeof *t->tracks);
	t->tracks[t->n] = (struct raw_track){ .kind = kind,
					      .pid = pid,
					      .tid = tid,
					      .input = builder_this_input_index(b),
					      .title = len ? builder_input_text(b, title, len)
							   : 0 };
	track_filter_begin(b, &t->tracks[t->n], t->n);
	return t->n++;
}

void track_builder_across(struct builder *b, uint32_t track)
{
	b->tracks.tracks[track].is_across = true;
}

void track_builder_placed(struct builder *b, uint32_t track)
{
	b->tracks.tracks[track].is_placed = true;
}

void track_builder_cover(struct builder *b, uint32_t track, const struct track_cover *cover)
{
	struct raw_track *t = &b->tracks.tracks[track];

	t->covers = xgrow(t->covers, &t->cap_covers, t->n_covers + 1, sizeof *t->covers);
	t->covers[t->n_covers++] = *cover;
}

static void add_color(struct builder *b, struct raw_slice *slice, unsigned color)
{
	frame_id id = slice->frame & RAW_VARIANT
		? b->tracks.variants.list[slice->frame & ~RAW_VARIANT].frame
		: slice->frame;
	struct frame *frame = &b->profile->frames.frames[id];

	slice->where = raw_where_with(slice->where, color);
	frame->color = (uint8_t)(frame->color && frame->color != color ? FRAME_COLOR_MIXED : color);
}

void track_builder_slice(struct builder *b, uint32_t track, const struct track_slice *s)
{
	struct raw_track *t = &b->tracks.tracks[track];
	int64_t t0 = s->t0, t1 = s->t1;
	struct raw_slice slice;

	builder_begun(b);
	/* Clamp so that later arithmetic cannot overflow. */
	if (t0 < -PROFILE_TIME_MAX || t0 > PROFILE_TIME_MAX || t1 > PROFILE_TIME_MAX) {
		builder_warn(b, WARN_TIME_RANGE, s->offset);
		t0 = t0 < -PROFILE_TIME_MAX     ? -PROFILE_TIME_MAX
			: t0 > PROFILE_TIME_MAX ? PROFILE_TIME_MAX
						: t0;
		t1 = t1 > PROFILE_TIME_MAX ? PROFILE_TIME_MAX : t1;
	}
	if (t1 < t0)
		t1 = t0;
	builder_stray_slice(b, t->kind, s);
	slice = (struct raw_slice){ t0, t1, SLICE_WHERE(s->offset, s->flags), s->frame, 0 };
	if (s->color)
		add_color(b, &slice, s->color);
	if (b->has_kept && !stray_drop_keeps(builder_this_input(b), t->kind, &slice))
		return;
	if (t->filter)
		track_filter_slice(t, &slice, s->end_offset);
	else
		track_raw_add(t, &slice, s->end_offset, s->group);
}

/* ---- counters ---- */

uint32_t track_builder_counter(struct builder *b, int64_t pid, const char *name, size_t len)
{
	struct tracks *t = &b->tracks;
	str_id id = builder_input_text(b, name, len);

	for (uint32_t i = t->n_counters; i-- > 0;)
		if (t->counters[i].pid == pid && t->counters[i].name == id &&
		    t->counters[i].input == builder_this_input_index(b))
			return i;
	t->counters = xgrow(t->counters, &t->cap_counters, (size_t)t->n_counters + 1,
			    sizeof *t->counters);
	t->counters[t->n_counters] = (struct raw_counter){ .pid = pid,
							   .input = builder_this_input_index(b),
							   .name = id };
	return t->n_counters++;
}

void track_builder_counter_value(struct builder *b, uint32_t counter, const char *series,
				 size_t len, int64_t t, double value)
{
	struct raw_counter *c = &b->tracks.counters[counter];
	str_id name = builder_input_text(b, series, len);
	struct raw_series *s = NULL;

	if (!isfinite(value)) {
		builder_warn(b, WARN_ODD_COUNTER, -1);
		return;
	}
	/* An event has a value for each series. */
	stray_add(&b->times, t, t, c->n_series == 0 || c->last != t, -1);
	c->last = t;
	if (b->has_kept && !stray_drop_keeps_time(builder_this_input(b), t))
		return;
	for (uint32_t i = 0; i < c->n_series && !s; i++)
		if (c->series[i].name == name)
			s = &c->series[i];
	if (!s) {
		c->series = xgrow(c->series, &c->cap_series, (size_t)c->n_series + 1,
				  sizeof *c->series);
		s = &c->series[c->n_series++];
		*s = (struct raw_series){ .name = name };
	}
	if (s->n >= s->cap) {
		size_t cap = s->cap;

		s->t = xgrow(s->t, &cap, s->n + 1, sizeof *s->t);
		s->value = xrealloc(s->value, cap, sizeof *s->value);
		s->cap = cap;
	}
	s->t[s->n] = t < -PROFILE_TIME_MAX ? -PROFILE_TIME_MAX
		: t > PROFILE_TIME_MAX     ? PROFILE_TIME_MAX
					   : t;
	s->value[s->n++] = value;
}

/* ---- flows, stacks ---- */

void track_builder_flow(struct builder *b, const struct track_flow *f)
{
	struct tracks *tr = &b->tracks;

	if ((b->has_kept && !stray_drop_keeps_time(builder_this_input(b), f->t)) ||
	    !track_filter_flow(b, f->flow, f->t))
		return;
	tr->flows = xgrow(tr->flows, &tr->cap_flows, tr->n_flows + 1, sizeof *tr->flows);
	tr->flows[tr->n_flows++] = (struct raw_flow){ f->flow,
						      f->pid,
						      f->tid,
						      f->t,
						      f->kind,
						      f->is_next,
						      builder_this_input_index(b),
						      f->initiator,
						      f->event };
}

void track_builder_request(struct builder *b, const struct request *request)
{
	struct profile *p = b->profile;

	p->requests = xgrow(p->requests, &b->tracks.cap_requests, p->n_requests + 1,
			    sizeof *p->requests);
	p->requests[p->n_requests] = *request;
	p->requests[p->n_requests++].input = builder_this_input_index(b);
}

void track_builder_stack_frame(struct builder *b, const struct track_stack_frame *f)
{
	struct profile *p = b->profile;

	p->stack_frames = xgrow(p->stack_frames, &b->tracks.cap_stack_frames, p->n_stack_frames + 1,
				sizeof *p->stack_frames);
	p->stack_frames[p->n_stack_frames++] = (struct stack_frame){
		builder_input_text(b, f->id.p, f->id.len),
		builder_input_text(b, f->name.p, f->name.len),
		f->category.len ? builder_input_text(b, f->category.p, f->category.len) : 0,
		f->parent.len ? builder_input_text(b, f->parent.p, f->parent.len) : 0,
		builder_this_input_index(b),
	};
}

uint32_t track_builder_lanes(const struct builder *b)
{
	return b->profile->n_lanes;
}

void track_builder_sample_list(struct builder *b, uint32_t first)
{
	builder_this_input(b)->has_sample_list = true;
	for (uint32_t i = first; i < b->profile->n_lanes; i++)
		b->profile->lanes[i].is_beside_events = true;
}

/* ==== flow bind ====
 *
 * Binds the points of flows to slices, and indexes them by lane. Points are bound in the order of
 * the file, in which neighbours are near to each other in time, by two threads that take chunks in
 * turn; then they are sorted. */

/* Find the innermost slice of a lane at t. */
static bool enclosing(const struct lane *lane, int64_t t, struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t i;

	if (s->n == 0 || t < samples_time(s, 0) || t > samples_time(s, s->n))
		return false;
	i = samples_find(s, t);
	/* A slice that ends at t counts if no other is open there. */
	if (lane->tree.rows[s->leaf[i]] == 0 && i > 0 && samples_time(s, i) == t)
		i--;
	return span_of_sample(s, &lane->tree, i, lane->tree.rows[s->leaf[i]] - 1, out);
}

/* Find the first slice of a lane that begins at or after t. */
static bool beginning(const struct lane *lane, int64_t t, struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t from;

	if (s->n == 0 || t > samples_time(s, s->n))
		return false;
	from = samples_find(s, t);
	while (from > 0 && samples_time(s, from) >= t && samples_time(s, from - 1) >= t)
		from--;
	if (samples_time(s, from) < t)
		from++;
	while (from < s->n && lane_opens(lane, from) == 0)
		from++;
	if (from == s->n)
		return false;
	return span_of_sample(s, &lane->tree, from, from ? samples_shared(s, from - 1) : 0, out);
}

/* ---- which slice ---- */

/* A lane of slices and its thread. */
struct owned {
	uint32_t input, lane;
	int64_t pid, tid;
};

static int by_owner(const void *a, const void *b)
{
	const struct owned *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->input != y->input)
		return x->input < y->input ? -1 : 1;
	return (x->lane > y->lane) - (x->lane < y->lane);
}

struct binding {
	const struct profile *profile;
	const struct raw_flow *raw;
	struct flow_point *points; /* by index of the raw points; `flow` is 1, or 0 if the point has
				      no slice */
	struct owned *owned;       /* by_owner() */
	size_t n_owned;
};

/* The first lane of a thread. */
static size_t first_owned(const struct binding *b, const struct raw_flow *raw)
{
	const struct owned key = { raw->input, 0, raw->pid, raw->tid };
	size_t lo = 0, hi = b->n_owned;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (by_owner(&b->owned[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Go out from a span to the one of an event, of those that begin with it. */
static void go_out(const struct profile *p, const struct lane *lane, frame_id event,
		   struct span *span)
{
	str_id name = p->frames.frames[event].name;
	struct span at = *span;

	while (frame_event(profile_node_frame(p, lane, at.node)) != name) {
		if (at.depth == 0 ||
		    !span_of_sample(&lane->samples, &lane->tree,
				    samples_find(&lane->samples, at.t0), at.depth - 1, &at) ||
		    at.t0 != span->t0)
			return;
	}
	*span = at;
}

/* A thread may have several layers, where slices overlap: the shortest slice counts, or the next
 * one. */
static bool bind(const struct binding *b, const struct raw_flow *raw, struct flow_point *point)
{
	bool has_found = false;
	struct span span;

	for (size_t i = first_owned(b, raw); i < b->n_owned; i++) {
		const struct owned *o = &b->owned[i];
		const struct lane *lane = &b->profile->lanes[o->lane];

		if (o->pid != raw->pid || o->tid != raw->tid || o->input != raw->input)
			break;
		if (!(raw->is_next ? beginning(lane, point->t, &span)
				   : enclosing(lane, point->t, &span)))
			continue;
		if (raw->event)
			go_out(b->profile, lane, raw->event, &span);
		if (has_found &&
		    (raw->is_next ? span.t0 >= point->span.t0
				  : span.t1 - span.t0 >= point->span.t1 - point->span.t0))
			continue;
		has_found = true;
		point->lane = o->lane;
		point->span = span;
	}
	return has_found;
}

static void bind_chunk(void *ctx, size_t from, size_t end)
{
	const struct binding *b = ctx;

	for (size_t i = from; i < end; i++) {
		const struct raw_flow *raw = &b->raw[i];
		struct flow_point *point = &b->points[i];

		*point = (struct flow_point){ .kind = raw->kind,
					      .initiator = raw->initiator,
					      .t = raw->t -
						      b->profile->inputs[raw->input].zero_ns };
		point->flow = bind(b, raw, point);
	}
}

/* ---- order ---- */

/* Sort key of a point: by flow, then time. */
struct key {
	uint64_t flow;
	int64_t t;
	uint32_t at; /* index of the point */
	uint32_t kind;
};

static int by_flow(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->flow != y->flow)
		return x->flow < y->flow ? -1 : 1;
	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind)
				  : (x->at > y->at) - (x->at < y->at);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The number of flows before `flow` of which no point was kept. *at: position in left_flows, which
 * is sorted. */
static uint32_t pass_left(const struct tracks *tr, size_t *at, uint64_t flow)
{
	uint32_t n = 0;

	for (; *at < tr->n_left_flows && tr->left_flows[*at] <= flow; ++*at)
		n += tr->left_flows[*at] < flow &&
			(*at + 1 == tr->n_left_flows ||
			 tr->left_flows[*at + 1] != tr->left_flows[*at]);
	return n;
}

/* Number the flows. from: the index of each point in sorted order, those without a slice last.
 * Returns the number of points that have a slice. */
static size_t number_flows(const struct tracks *tr, struct flow_point *points, struct key *keys,
			   uint32_t *from)
{
	size_t n = tr->n_flows, n_bound = 0, n_lost = 0, left = 0;
	uint32_t number = 0;

	qsort(keys, n, sizeof *keys, by_flow);
	for (size_t i = 0; i < n; i++) {
		struct flow_point *point = &points[keys[i].at];

		if (i == 0 || keys[i].flow != keys[i - 1].flow)
			number += 1 + pass_left(tr, &left, keys[i].flow);
		if (point->flow)
			from[n_bound++] = keys[i].at;
		else
			from[n - ++n_lost] = keys[i].at;
		point->flow = number;
	}
	return n_bound;
}

/* Move point from[i] to i, in place. The contents of `from` are destroyed. */
static void permute(struct flow_point *points, uint32_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct flow_point first = points[i];
		size_t at = i;

		if (from[i] == UINT32_MAX)
			continue;
		while (from[at] != i) {
			size_t next = from[at];

			points[at] = points[next];
			from[at] = UINT32_MAX;
			at = next;
		}
		points[at] = first;
		from[at] = UINT32_MAX;
	}
}

/* Sort by flow, then time. Returns the number of points that have a slice; they come first. */
static size_t sort_points(struct tracks *tr, struct flow_point *points)
{
	const struct raw_flow *raw = tr->flows;
	size_t n = tr->n_flows;
	struct key *keys = xmalloc(n * sizeof *keys);
	uint32_t *from = xmalloc(n * sizeof *from);
	size_t n_bound;

	for (size_t i = 0; i < n; i++)
		keys[i] = (struct key){ raw[i].flow, raw[i].t, (uint32_t)i, (uint32_t)raw[i].kind };
	if (tr->n_left_flows)
		qsort(tr->left_flows, tr->n_left_flows, sizeof *tr->left_flows, by_number);
	n_bound = number_flows(tr, points, keys, from);
	free(keys);
	permute(points, from, n);
	free(from);
	return n_bound;
}

struct flow_place {
	uint32_t at, lane;
	int64_t t;
	int depth;
};

static int by_place(const void *a, const void *b)
{
	const struct flow_place *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->depth != y->depth ? x->depth - y->depth : (x->at > y->at) - (x->at < y->at);
}

void flow_bind_index(struct profile *p)
{
	struct flow_place *places = xmalloc(p->n_flows * sizeof *places);

	for (size_t i = 0; i < p->n_flows; i++)
		places[i] = (struct flow_place){ (uint32_t)i, p->flows[i].lane, p->flows[i].span.t0,
						 p->flows[i].span.depth };
	qsort(places, p->n_flows, sizeof *places, by_place);
	p->flows_by_lane = xmalloc(p->n_flows * sizeof *p->flows_by_lane);
	for (size_t i = 0; i < p->n_flows; i++)
		p->flows_by_lane[i] = places[i].at;
	free(places);
}

void flow_bind(struct builder *b)
{
	struct tracks *tr = &b->tracks;
	struct profile *p = b->profile;
	struct binding all = { .profile = p, .raw = tr->flows };

	if (tr->n_flows == 0)
		return;
	all.owned = xmalloc((size_t)p->n_lanes * sizeof *all.owned);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SLICES)
			all.owned[all.n_owned++] = (struct owned){ p->lanes[i].input, i,
								   p->lanes[i].pid,
								   p->lanes[i].tid };
	qsort(all.owned, all.n_owned, sizeof *all.owned, by_owner);
	p->flows = all.points = xmalloc(tr->n_flows * sizeof *all.points);
	parallel_chunks(tr->n_flows, bind_chunk, &all);
	free(all.owned);
	p->n_flows = sort_points(tr, p->flows);
	if (p->n_flows < tr->n_flows)
		builder_input_note(b, true, "%llu flow events%s without a slice",
				   (unsigned long long)(tr->n_flows - p->n_flows),
				   b->options.subset ? " of those loaded" : "");
	p->flows = xrealloc(p->flows, p->n_flows, sizeof *p->flows);
	free(tr->flows);
	tr->flows = NULL;
	tr->n_flows = tr->cap_flows = 0;
	flow_bind_index(p);
}

void flow_bind_links(struct profile *p)
{
	const struct user_note *list = p->notes.list;
	uint32_t flow = p->n_flows ? p->flows[p->n_flows - 1].flow : 0;
	size_t n = p->n_flows;

	for (size_t i = 0; i + 1 < p->notes.n; i++) {
		struct flow_point from = { .kind = FLOW_START }, to = { .kind = FLOW_END };

		if (list[i].kind != NOTE_LINK || !notes_find(p, &list[i], &from.lane, &from.span) ||
		    !notes_find(p, &list[i + 1], &to.lane, &to.span))
			continue;
		from.flow = to.flow = ++flow;
		from.t = from.span.t0;
		to.t = to.span.t0;
		p->flows = xrealloc(p->flows, n + 2, sizeof *p->flows);
		p->flows[n++] = from;
		p->flows[n++] = to;
	}
	if (n == p->n_flows)
		return;
	p->first_link = p->flows[p->n_flows].flow;
	p->n_flows = n;
	free(p->flows_by_lane);
	flow_bind_index(p);
}

/* ==== request bind ====
 *
 * Finds the slices of requests, and makes a flow to each from the slice that sent it. */

static int by_offset(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	if (x->input != y->input)
		return x->input < y->input ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The innermost slice that sent a request. False: there is none. */
static bool find_sender(const struct profile *p, const struct request *r, struct flow_point *out)
{
	int64_t t = r->sent - p->inputs[r->input].zero_ns;
	bool has_found = false;
	struct span span;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (lane->kind != LANE_SLICES || lane->pid != r->pid || lane->tid != r->sent_tid ||
		    lane->input != r->input || !enclosing(lane, t, &span) ||
		    (has_found && span.t1 - span.t0 >= out->span.t1 - out->span.t0))
			continue;
		*out = (struct flow_point){ .lane = i, .t = t, .span = span };
		has_found = true;
	}
	return has_found;
}

void request_bind(struct builder *b)
{
	struct profile *p = b->profile;
	uint32_t flow = p->n_flows ? p->flows[p->n_flows - 1].flow : 0;
	size_t n = 0;

	p->flows = xrealloc(p->flows, p->n_flows + 2 * p->n_requests, sizeof *p->flows);
	for (size_t i = 0; i < p->n_requests; i++) {
		const struct request *r = &p->requests[i];
		struct flow_point *from = &p->flows[p->n_flows], to = { .kind = FLOW_END };

		/* It was not loaded. */
		if (!request_span(p, r, &to.lane, &to.span))
			continue;
		p->lanes[to.lane].has_requests = true;
		if (find_sender(p, r, from)) {
			from[0].flow = to.flow = ++flow;
			to.t = from->t;
			from[1] = to;
			p->n_flows += 2;
		}
		p->requests[n++] = *r;
	}
	p->n_requests = n;
	if (!n)
		return;
	qsort(p->requests, n, sizeof *p->requests, by_offset);
	free(p->flows_by_lane);
	flow_bind_index(p);
}
