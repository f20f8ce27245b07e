/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder's part for what traces state. Nothing is looked at before the end:
 * events come in any order, names often last. */
#include "config.h"

#include "build/tracks.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/parallel.h"
#include "base/text.h"
#include "build/cpu_raw.h"
#include "build/partial/part.h"
#include "build/partial/slice_place.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static str_id text_of(struct builder *b, const char *text, size_t len)
{
	struct buf clean = { 0 };
	str_id id;

	if (!text_repair(&clean, text, len)) {
		id = intern_add(&b->profile->strings, text, len);
	} else {
		id = intern_add(&b->profile->strings, clean.data, clean.len);
		builder_warn(b, WARN_TEXT, -1);
	}
	buf_done(&clean);
	return id;
}

static uint32_t this_input(const struct builder *b)
{
	return b->profile->n_inputs - 1;
}

void tracks_done(struct tracks *tracks)
{
	for (uint32_t i = 0; i < tracks->n; i++) {
		free(tracks->tracks[i].slices);
		free(tracks->tracks[i].more);
		time_survey_free(tracks->tracks[i].survey);
		if (tracks->tracks[i].place)
			slice_place_done(tracks->tracks[i].place);
		free(tracks->tracks[i].place);
	}
	for (uint32_t i = 0; i < tracks->n_counters; i++) {
		for (uint32_t k = 0; k < tracks->counters[i].n_series; k++) {
			free(tracks->counters[i].series[k].t);
			free(tracks->counters[i].series[k].value);
		}
		free(tracks->counters[i].series);
	}
	free(tracks->tracks);
	free(tracks->counters);
	free(tracks->flows);
	free(tracks->left_flows);
	free(tracks->names);
	hash_table_done(&tracks->name_index);
	*tracks = (struct tracks){ 0 };
}

/* ---- facts and names ---- */

void builder_fact(struct builder *b, bool is_loss, const char *format, ...)
{
	struct input *in = &b->profile->inputs[this_input(b)];
	char text[600];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	in->facts = xgrow(in->facts, &in->cap_facts, in->n_facts + 1, sizeof *in->facts);
	in->facts[in->n_facts++] = (struct fact){ text_of(b, text, strlen(text)), is_loss };
}

void builder_accept_empty(struct builder *b)
{
	b->tracks.is_empty_ok = true;
}

static uint64_t name_hash(int64_t pid, int64_t tid)
{
	return hash_u64(hash_u64((uint64_t)pid) ^ (uint64_t)tid);
}

static struct raw_name *find_name(const struct tracks *t, int64_t pid, int64_t tid)
{
	struct hash_probe probe = hash_probe(name_hash(pid, tid));

	while (hash_table_next(&t->name_index, &probe))
		if (t->names[probe.index].pid == pid && t->names[probe.index].tid == tid)
			return &t->names[probe.index];
	return NULL;
}

const struct raw_name *tracks_name(const struct tracks *t, int64_t pid, int64_t tid)
{
	return find_name(t, pid, tid);
}

static struct raw_name *name_of(struct builder *b, int64_t pid, int64_t tid)
{
	struct tracks *t = &b->tracks;
	struct raw_name *name = find_name(t, pid, tid);

	if (name)
		return name;
	t->names = xgrow(t->names, &t->cap_names, t->n_names + 1, sizeof *t->names);
	t->names[t->n_names] = (struct raw_name){ .pid = pid, .tid = tid, .rank = 2 };
	hash_table_add(&t->name_index, name_hash(pid, tid), (uint32_t)t->n_names);
	return &t->names[t->n_names++];
}

void builder_process(struct builder *b, int64_t pid, const char *name, size_t len)
{
	name_of(b, pid, -1)->name = text_of(b, name, len);
}

void builder_process_sort(struct builder *b, int64_t pid, int64_t sort_index)
{
	name_of(b, pid, -1)->sort = sort_index;
}

void builder_thread(struct builder *b, int64_t pid, int64_t tid, const char *name, size_t len)
{
	name_of(b, pid, tid)->name = text_of(b, name, len);
}

void builder_thread_sort(struct builder *b, int64_t pid, int64_t tid, int64_t sort_index, int rank)
{
	struct raw_name *name = name_of(b, pid, tid);

	name->sort = sort_index;
	name->rank = rank;
}

void builder_window(struct builder *b, int64_t t0, int64_t t1)
{
	b->tracks.has_window = true;
	b->tracks.window_t0 = t0;
	b->tracks.window_t1 = t1;
}

/* ---- slices ---- */

static uint8_t color_of_name(const char *name, size_t len)
{
	for (unsigned i = 1; i < FRAME_COLORS; i++)
		if (strlen(frame_color_name(i)) == len &&
		    memcmp(frame_color_name(i), name, len) == 0)
			return (uint8_t)i;
	return 0;
}

frame_id builder_slice_frame(struct builder *b, const char *name, size_t len, const char *cname,
			     size_t cname_len)
{
	struct frame frame = { .category = CATEGORY_SLICE };
	struct frame *known;
	frame_id id;

	frame.name = len ? text_of(b, name, len) : intern_adds(&b->profile->strings, "(unnamed)");
	id = frame_table_add(&b->profile->frames, &frame);
	known = &b->profile->frames.frames[id];
	if (cname && cname_len && !known->color)
		known->color = color_of_name(cname, cname_len);
	return id;
}

uint32_t builder_track(struct builder *b, enum lane_kind kind, int64_t pid, int64_t tid,
		       const char *title, size_t len)
{
	struct tracks *t = &b->tracks;

	t->tracks = xgrow(t->tracks, &t->cap, (size_t)t->n + 1, sizeof *t->tracks);
	t->tracks[t->n] = (struct raw_track){ .kind = kind,
					      .pid = pid,
					      .tid = tid,
					      .input = this_input(b),
					      .title = len ? text_of(b, title, len) : 0 };
	track_begin_part(b, &t->tracks[t->n], t->n);
	return t->n++;
}

void track_add(struct raw_track *t, const struct raw_slice *slice, int64_t end_offset,
	       uint32_t group)
{
	if (t->n >= t->cap)
		t->slices = xgrow(t->slices, &t->cap, t->n + 1, sizeof *t->slices);
	t->slices[t->n] = *slice;
	if (end_offset >= 0 || t->kind == LANE_ASYNC || t->place) {
		t->more = xgrow(t->more, &t->cap_more, t->n_more + 1, sizeof *t->more);
		t->more[t->n_more++] = (struct raw_more){ end_offset, group };
		t->slices[t->n].more = (uint32_t)t->n_more;
	}
	t->n++;
}

void builder_slice(struct builder *b, uint32_t track, uint32_t group, int64_t t0, int64_t t1,
		   frame_id frame, int64_t offset, int64_t end_offset, unsigned flags)
{
	struct raw_track *t = &b->tracks.tracks[track];
	struct raw_slice slice;

	builder_begun(b);
	/* Room to count on: a year either way is beyond any recording. */
	if (t0 < -CPU_TIME_MAX || t0 > CPU_TIME_MAX || t1 > CPU_TIME_MAX) {
		builder_warn(b, WARN_TIME_RANGE, offset);
		t0 = t0 < -CPU_TIME_MAX ? -CPU_TIME_MAX : t0 > CPU_TIME_MAX ? CPU_TIME_MAX : t0;
		t1 = t1 > CPU_TIME_MAX ? CPU_TIME_MAX : t1;
	}
	if (t1 < t0)
		t1 = t0;
	slice = (struct raw_slice){ t0, t1, SLICE_WHERE(offset, flags), frame, 0 };
	if (!t->is_partial || track_keeps(t, &slice, end_offset))
		track_add(t, &slice, end_offset, group);
}

/* ---- counters ---- */

uint32_t builder_counter(struct builder *b, int64_t pid, const char *name, size_t len)
{
	struct tracks *t = &b->tracks;
	str_id id = text_of(b, name, len);

	for (uint32_t i = t->n_counters; i-- > 0;)
		if (t->counters[i].pid == pid && t->counters[i].name == id &&
		    t->counters[i].input == this_input(b))
			return i;
	t->counters = xgrow(t->counters, &t->cap_counters, (size_t)t->n_counters + 1,
			    sizeof *t->counters);
	t->counters[t->n_counters] =
		(struct raw_counter){ .pid = pid, .input = this_input(b), .name = id };
	return t->n_counters++;
}

void builder_counter_value(struct builder *b, uint32_t counter, const char *series, size_t len,
			   int64_t t, double value)
{
	struct raw_counter *c = &b->tracks.counters[counter];
	str_id name = text_of(b, series, len);
	struct raw_series *s = NULL;

	if (!isfinite(value)) {
		builder_warn(b, WARN_ODD_COUNTER, -1);
		return;
	}
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
	s->t[s->n] = t < -CPU_TIME_MAX ? -CPU_TIME_MAX : t > CPU_TIME_MAX ? CPU_TIME_MAX : t;
	s->value[s->n++] = value;
}

struct value {
	int64_t t;
	double value;
};

static bool is_earlier(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct value *)a)->t < ((const struct value *)b)->t;
}

/* Stable: of several values at one time, the last one counts. */
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

#define FAN 64

void series_index(struct series *s)
{
	const double *below = s->value;
	size_t n = s->n;

	s->least = s->most = 0;
	for (size_t i = 0; i < n; i++) {
		s->least = s->value[i] < s->least ? s->value[i] : s->least;
		s->most = s->value[i] > s->most ? s->value[i] : s->most;
	}
	while (n > FAN) {
		size_t m = (n + FAN - 1) / FAN;
		double *high = xmalloc(m * sizeof *high);

		for (size_t j = 0; j < m; j++) {
			high[j] = below[j * FAN];
			for (size_t i = j * FAN + 1; i < n && i < (j + 1) * FAN; i++)
				high[j] = below[i] > high[j] ? below[i] : high[j];
		}
		s->high = xrealloc(s->high, (size_t)s->n_high + 1, sizeof *s->high);
		s->high[s->n_high++] = high;
		below = high;
		n = m;
	}
}

static void counter_build(struct builder *b, struct raw_counter *c)
{
	struct lane *lane;

	if (c->n_series == 0)
		return;
	lane = builder_lane(b, LANE_COUNTER, c->input, c->pid, -1);
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

size_t series_find(const struct series *s, int64_t t)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->t[mid] <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : SIZE_MAX;
}

bool series_most(const struct series *s, int64_t t0, int64_t t1, double *most)
{
	size_t i = series_find(s, t0), end = series_find(s, t1 - 1);
	int k = 0;

	if (end == SIZE_MAX)
		return false;
	if (i == SIZE_MAX)
		i = 0;
	*most = s->value[i];
	/* Up while whole groups fit, down again at the end. */
	for (end++; i < end;) {
		const double *v;
		size_t step = 1;

		for (k = 0; k < s->n_high && i % (step * FAN) == 0 && i + step * FAN <= end; k++)
			step *= FAN;
		v = k ? s->high[k - 1] : s->value;
		*most = v[i / step] > *most ? v[i / step] : *most;
		i += step;
	}
	return true;
}

/* ---- flows, stacks ---- */

void builder_flow(struct builder *b, uint64_t flow, int kind, int64_t pid, int64_t tid, int64_t t,
		  bool is_next)
{
	struct tracks *tr = &b->tracks;

	if (!track_keeps_flow(b, flow, t))
		return;
	tr->flows = xgrow(tr->flows, &tr->cap_flows, tr->n_flows + 1, sizeof *tr->flows);
	tr->flows[tr->n_flows++] = (struct raw_flow){ flow, pid,     tid,          t,
						      kind, is_next, this_input(b) };
}

void builder_stack_frame(struct builder *b, const char *id, size_t id_len, const char *name,
			 size_t name_len, const char *parent, size_t parent_len)
{
	struct profile *p = b->profile;

	p->stack_frames = xgrow(p->stack_frames, &b->tracks.cap_stack_frames, p->n_stack_frames + 1,
				sizeof *p->stack_frames);
	p->stack_frames[p->n_stack_frames++] =
		(struct stack_frame){ text_of(b, id, id_len), text_of(b, name, name_len),
				      parent_len ? text_of(b, parent, parent_len) : 0 };
}

static int by_stack_id(const void *a, const void *b)
{
	const struct stack_frame *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* ---- all of it ---- */

struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid,
			  int64_t tid)
{
	struct profile *p = b->profile;
	struct lane *lane;

	p->lanes = xgrow(p->lanes, &p->cap_lanes, (size_t)p->n_lanes + 1, sizeof *p->lanes);
	lane = &p->lanes[p->n_lanes++];
	*lane = (struct lane){ .id = p->n_lanes,
			       .kind = kind,
			       .input = input,
			       .pid = pid,
			       .tid = tid,
			       .has_timeline = true,
			       .clock = kind == LANE_SAMPLES ? b->clock : 0 };
	return lane;
}

/* ---- the lanes of all tracks ---- */

#define MANY_SLICES 200000u /* from here on a second thread is worth its while */

/* Tracks are taken one by one, large ones first, by whoever is free. */
struct work {
	struct raw_track *tracks;
	struct slice_lanes *made; /* by track */
	const uint32_t *order;
	uint32_t n;
	atomic_uint next;
};

static void work_on(void *ctx)
{
	struct work *w = ctx;
	unsigned i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->n)
		slice_lanes_make(&w->tracks[w->order[i]], &w->made[w->order[i]]);
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

/* By size; returns all slices there are. */
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

static void make_tracks(struct tracks *t, struct slice_lanes *made)
{
	uint32_t *order = xmalloc((size_t)t->n * sizeof *order);
	struct work work = { .tracks = t->tracks, .made = made, .order = order, .n = t->n };

	if (order_tracks(t, order) >= MANY_SLICES && t->n > 1)
		parallel_run(work_on, &work);
	else
		work_on(&work);
	free(order);
}

/* Put the lanes of a track into the profile. */
static void add_lanes(struct builder *b, uint32_t track, struct slice_lanes *made)
{
	if (b->tracks.tracks[track].is_partial) {
		track_add_lanes(b, &b->tracks.tracks[track], made);
		return;
	}
	for (size_t i = 0; i < made->n; i++) {
		struct lane *lane = builder_lane(b, made->lanes[i].kind, made->lanes[i].input,
						 made->lanes[i].pid, made->lanes[i].tid);
		lane_id id = lane->id;

		*lane = made->lanes[i];
		lane->id = id;
		lane->source = track;
	}
	for (uint64_t i = 0; i < made->n_overlaps; i++)
		builder_warn(b, WARN_OVERLAP, made->first_overlap);
	for (uint32_t i = 0; i < made->n_too_deep; i++)
		builder_warn(b, WARN_TOO_DEEP, -1);
	free(made->lanes);
}

void tracks_build(struct builder *b)
{
	struct tracks *t = &b->tracks;
	struct profile *p = b->profile;
	struct slice_lanes *made = xcalloc(t->n, sizeof *made);

	for (uint32_t i = 0; i < t->n; i++)
		track_end_part(&t->tracks[i]);
	make_tracks(t, made);
	for (uint32_t i = 0; i < t->n; i++)
		add_lanes(b, i, &made[i]);
	free(made);
	for (uint32_t i = 0; i < t->n_counters; i++)
		counter_build(b, &t->counters[i]);
	if (p->n_stack_frames)
		qsort(p->stack_frames, p->n_stack_frames, sizeof *p->stack_frames, by_stack_id);
}
