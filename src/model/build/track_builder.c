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
#include "base/units.h"
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

SORT_BEFORE(is_earlier, struct value, x->t < y->t)

/* Stable: of several values at one time the last one holds. */
static void sort_series(struct raw_series *s)
{
	size_t n = s->n, i = 1;
	ALLOC_LOCAL struct value *all = NULL;

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
						   .value = from->value,
						   .is_bytes = c->is_bytes };
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

SORT_ORDER(larger_first, struct size, SORT_BY_2(y->n, x->n, x->track, y->track))

/* Sort the tracks by size. Returns the number of all slices. */
static size_t order_tracks(const struct tracks *t, uint32_t *order)
{
	ALLOC_LOCAL struct size *sizes = xmalloc((size_t)t->n * sizeof *sizes);
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		sizes[i] = (struct size){ t->tracks[i].n, i };
		n += t->tracks[i].n;
	}
	qsort(sizes, t->n, sizeof *sizes, larger_first);
	for (uint32_t i = 0; i < t->n; i++)
		order[i] = sizes[i].track;
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

/* ---- rows of requests and of waits ---- */

#define ROWS_MAX 200 /* routes or hosts with rows of their own; the others share the last ones */

struct row_sum {
	str_id name;
	uint32_t number; /* from 1: the order of the rows */
	int64_t ns;
};

/* Of a track: the name and time of each of its rows, as long as they are added. */
struct row_sums {
	struct row_sum *all;
	size_t n, cap, cap_rows;
};

SORT_ORDER(sum_by_name, struct row_sum, SORT_BY_1(x->name, y->name))

SORT_ORDER(sum_by_time, struct row_sum, SORT_BY_2(y->ns, x->ns, x->name, y->name))

SORT_ORDER(row_by_offset, struct raw_row, SORT_BY_1(x->offset, y->offset))

/* What a wait is for, without what tells calls to it apart: `10.0.0.7:8080`, `pg 10.0.0.9:5432`. */
static str_id host_of(struct builder *b, const struct served_wait *w)
{
	static const char *const jobs[] = { [SERVED_DNS] = "dns, connect",
					    [SERVED_CONNECT] = "dns, connect",
					    [SERVED_JOB] = "thread pool" };
	struct intern *strings = &b->profile->strings;
	const char *name = profile_text(b->profile, w->name), *host;
	BUF_LOCAL text = { 0 }; /* the table may move while it gets the text */

	if (w->kind == SERVED_SOCKET)
		return w->name;
	if (w->kind != SERVED_CALL)
		return intern_adds(strings, jobs[w->kind]);
	host = strchr(name, ' ');
	host = host ? host + 1 : name;
	buf_add(&text, host, strcspn(host, "/"));
	return text.len ? intern_add(strings, buf_text(&text), text.len) : w->name;
}

static uint64_t served_hash(enum lane_served served, uint32_t input, int64_t pid)
{
	return hash_u64(hash_u64((uint64_t)pid ^ (uint64_t)input << 32) + (uint64_t)served);
}

/* Add the row of an event to the track that serves it. */
static void add_row(struct tracks *t, const struct hash_table *index, struct row_sums *sums,
		    enum lane_served served, uint32_t input, int64_t pid, struct raw_row row,
		    int64_t ns)
{
	struct hash_probe probe = hash_probe(served_hash(served, input, pid));

	while (hash_table_next(index, &probe)) {
		struct raw_track *track = &t->tracks[probe.index];
		struct row_sums *of = &sums[probe.index];

		if (track->served != served || track->input != input || track->pid != pid)
			continue;
		*ARRAY_ADD(track->rows, track->n_rows, of->cap_rows) = row;
		if (row.name)
			*ARRAY_ADD(of->all, of->n, of->cap) = (struct row_sum){ row.name, 0, ns };
	}
}

/* Number the rows of a track in the order of the table of routes, or of waits. Those without a name
 * have no number. */
static void number_rows(struct raw_track *t, struct row_sums *sums)
{
	struct row_sum *all = sums->all;
	size_t n = 0;

	if (!sums->n)
		return;
	qsort(all, sums->n, sizeof *all, sum_by_name);
	for (size_t i = 0; i < sums->n; i++)
		if (!n || all[n - 1].name != all[i].name)
			all[n++] = all[i];
		else
			all[n - 1].ns = units_sum(all[n - 1].ns, all[i].ns);
	qsort(all, n, sizeof *all, sum_by_time);
	for (size_t i = 0; i < n; i++)
		all[i].number = (uint32_t)(i + 1 < ROWS_MAX ? i + 1 : ROWS_MAX);
	qsort(all, n, sizeof *all, sum_by_name);
	for (size_t i = 0; i < t->n_rows; i++) {
		struct raw_row *row = &t->rows[i];
		size_t lo = 0;

		if (!row->name)
			continue;
		SORT_BISECT(lo, n, mid, all[mid].name < row->name);
		row->number = all[lo].number;
		row->name = row->number < ROWS_MAX ? row->name : 0;
	}
}

/* Find the rows of all tracks that serve. */
static void find_rows(struct builder *b)
{
	const struct served_all *all = &b->profile->served;
	struct tracks *t = &b->tracks;
	struct row_sums *sums = xcalloc(t->n, sizeof *sums);
	struct hash_table index = { 0 };

	for (uint32_t i = 0; i < t->n; i++)
		if (t->tracks[i].served)
			hash_table_add(&index,
				       served_hash(t->tracks[i].served, t->tracks[i].input,
						   t->tracks[i].pid),
				       i);
	for (size_t i = 0; i < all->n; i++) {
		const struct served *s = &all->requests[i];

		add_row(t, &index, sums, LANE_SERVED, s->input, s->pid,
			(struct raw_row){ s->offset, s->name, 0 },
			s->was_open || s->is_open ? 0 : s->t1 - s->t0);
	}
	for (size_t i = 0; i < all->n_waits; i++) {
		const struct served_wait *w = &all->waits[i];

		add_row(t, &index, sums, LANE_WAITS, w->input, w->pid,
			(struct raw_row){ w->offset, host_of(b, w), 0 },
			served_wait_end(w) - w->t0);
	}
	for (uint32_t i = 0; i < t->n; i++) {
		struct raw_track *track = &t->tracks[i];

		number_rows(track, &sums[i]);
		if (track->n_rows)
			qsort(track->rows, track->n_rows, sizeof *track->rows, row_by_offset);
		free(sums[i].all);
	}
	free(sums);
	hash_table_done(&index);
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
	if (track->kind != LANE_MARKS && first < b->profile->n_lanes)
		slice_cover_unite(b->profile->lanes + first, b->profile->n_lanes - first);
	for (uint32_t i = first; i < b->profile->n_lanes; i++) {
		b->sources[i].number = number;
		b->profile->lanes[i].is_across = track->is_across;
		b->profile->lanes[i].served = (uint8_t)track->served;
	}
	if (made->n_overlaps)
		builder_warn_times(b, WARN_OVERLAP, made->first_overlap, made->n_overlaps);
	if (made->n_too_deep)
		builder_warn_times(b, WARN_TOO_DEEP, -1, made->n_too_deep);
	free(made->lanes);
	free(track->rows);
	track->rows = NULL;
	track->n_rows = 0;
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
	find_rows(b);
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

void track_builder_page_order(struct builder *b, int64_t pid, int64_t tid, enum page_order order,
			      int rank)
{
	struct track_name *name = name_of(b, pid, LANE_NO_ID);

	name->page_order = order;
	name->page_rank = (uint8_t)rank;
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

void track_builder_keeps_all(struct builder *b)
{
	b->times.keeps_all = true;
}

void track_builder_show_ns(struct builder *b)
{
	b->profile->has_ns = true;
}

void track_builder_window(struct builder *b, int64_t t0, int64_t t1)
{
	struct profile *p = b->profile;

	b->tracks.has_window = true;
	b->tracks.window_t0 = t0;
	b->tracks.window_t1 = t1;
	/* Those of another file. */
	if (p->n_crumbs &&
	    (t0 < p->crumbs[p->n_crumbs - 1].t0 || t1 > p->crumbs[p->n_crumbs - 1].t1))
		p->n_crumbs = 0;
	*ARRAY_ADD(p->crumbs, p->n_crumbs, p->cap_crumbs) = (struct crumb){ t0, t1 };
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

void track_builder_serves(struct builder *b, uint32_t track, enum lane_served served)
{
	b->tracks.tracks[track].served = served;
}

void track_builder_placed(struct builder *b, uint32_t track)
{
	b->tracks.tracks[track].is_placed = true;
}

void track_builder_cover(struct builder *b, uint32_t track, const struct track_cover *cover)
{
	struct raw_track *t = &b->tracks.tracks[track];

	*ARRAY_ADD(t->covers, t->n_covers, t->cap_covers) = *cover;
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

void track_builder_counter_bytes(struct builder *b, uint32_t counter)
{
	b->tracks.counters[counter].is_bytes = true;
}

uint32_t track_builder_counter(struct builder *b, int64_t pid, const char *name, size_t len)
{
	struct tracks *t = &b->tracks;
	str_id id = builder_input_text(b, name, len);

	for (uint32_t i = t->n_counters; i-- > 0;)
		if (t->counters[i].pid == pid && t->counters[i].name == id &&
		    t->counters[i].input == builder_this_input_index(b))
			return i;
	*ARRAY_ADD(t->counters, t->n_counters,
		   t->cap_counters) = (struct raw_counter){ .pid = pid,
							    .input = builder_this_input_index(b),
							    .name = id };
	return t->n_counters - 1;
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
		s = ARRAY_ADD(c->series, c->n_series, c->cap_series);
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
	struct track_flow *to;

	if ((b->has_kept && !stray_drop_keeps_time(builder_this_input(b), f->t)) ||
	    !track_filter_flow(b, f->flow, f->t))
		return;
	to = ARRAY_ADD(tr->flows, tr->n_flows, tr->cap_flows);
	*to = *f;
	to->input = builder_this_input_index(b);
}

void track_builder_request(struct builder *b, const struct request *request)
{
	struct profile *p = b->profile;

	p->requests = xgrow(p->requests, &b->tracks.cap_requests, p->n_requests + 1,
			    sizeof *p->requests);
	p->requests[p->n_requests] = *request;
	p->requests[p->n_requests++].input = builder_this_input_index(b);
}

/* ---- what processes serve ---- */

static void clamp_times(int64_t *t0, int64_t *t1)
{
	*t0 = *t0 < -PROFILE_TIME_MAX    ? -PROFILE_TIME_MAX
		: *t0 > PROFILE_TIME_MAX ? PROFILE_TIME_MAX
					 : *t0;
	*t1 = *t1 < *t0 ? *t0 : *t1 > PROFILE_TIME_MAX ? PROFILE_TIME_MAX : *t1;
}

uint32_t track_builder_served(struct builder *b, const struct served *served)
{
	struct served_all *all = &b->profile->served;
	struct served *s;

	all->requests = xgrow(all->requests, &all->cap, all->n + 1, sizeof *all->requests);
	s = &all->requests[all->n];
	*s = *served;
	s->input = builder_this_input_index(b);
	clamp_times(&s->t0, &s->t1);
	return (uint32_t)all->n++;
}

void track_builder_served_wait(struct builder *b, const struct served_wait *wait)
{
	struct served_all *all = &b->profile->served;
	struct served_wait *w = ARRAY_ADD(all->waits, all->n_waits, all->cap_waits);

	*w = *wait;
	w->input = builder_this_input_index(b);
	clamp_times(&w->t0, &w->t1);
}

void track_builder_served_run(struct builder *b, const struct served_run *run)
{
	struct served_all *all = &b->profile->served;

	struct served_run *r = ARRAY_ADD(all->runs, all->n_runs, all->cap_runs);

	*r = *run;
	r->input = builder_this_input_index(b);
	clamp_times(&r->t0, &r->t1);
}

void track_builder_stall(struct builder *b, const struct stall_entry *entry)
{
	struct stall_list *list = &b->profile->stalls;
	struct stall_entry *e = ARRAY_ADD(list->all, list->n, list->cap);

	*e = *entry;
	e->input = builder_this_input_index(b);
	clamp_times(&e->t0, &e->t1);
}

void track_builder_stack_frame(struct builder *b, const struct track_stack_frame *f)
{
	struct profile *p = b->profile;

	*ARRAY_ADD(p->stack_frames, p->n_stack_frames,
		   b->tracks.cap_stack_frames) = (struct stack_frame){
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
