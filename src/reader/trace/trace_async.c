/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Async events. Events with one key (event category, scope and id; for the old phases: name and id)
 * are a group, which is read in the order of time at the end of the trace. The slices between
 * the begin of an outermost slice, the root, and its end are one operation: one group of slices
 * for the builder, on the track of the process, category and root's name. A later operation may
 * use the same id. */
#include "config.h"

#include "reader/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* If an event category of a process has more names than this, names do not stand for kinds of
 * operations but for single ones. They share a track. */
#define TRACKS_OF_CATEGORY 8

struct async_event {
	int64_t ts, offset;
	uint32_t group, process; /* indices */
	text_id name, cat;
	frame_id mark; /* of n, T and p */
	uint32_t custom;
	char ph;
	uint8_t color;
};

struct async_group {
	uint64_t key;
};

/* The track of a process, event category and name. */
struct async_track {
	uint32_t process;
	text_id cat, name;
	uint32_t track, n_names;
};

struct async_slice {
	int64_t t0, t1, offset, end_offset;
	frame_id frame;
	uint32_t custom;
	unsigned flags;
	uint8_t color;
};

struct trace_async {
	struct async_event *events;
	size_t n, cap;
	struct async_group *groups;
	size_t n_groups, cap_groups;
	struct hash_table group_index; /* by key */
	bool is_sorted;

	struct async_track *tracks;
	size_t n_tracks, cap_tracks;
	struct hash_table track_index; /* by process, event category and name */

	struct async_slice *slices; /* of the open operation */
	size_t n_slices, cap_slices;
	size_t *open; /* indices into slices; open_names: their names */
	text_id *open_names;
	uint32_t *n_named; /* by name: the number of open slices */
	size_t n_open, cap_open, cap_open_names;
	uint32_t process; /* of its root */
	text_id cat, root;
	uint32_t n_operations;
};

void trace_async_free(struct trace *t)
{
	struct trace_async *a = t->async;

	if (!a)
		return;
	free(a->events);
	free(a->groups);
	hash_table_done(&a->group_index);
	free(a->tracks);
	hash_table_done(&a->track_index);
	free(a->slices);
	free(a->open);
	free(a->open_names);
	free(a->n_named);
	free(a);
	t->async = NULL;
}

/* ---- collecting ---- */

static bool is_old(char ph)
{
	return ph == 'S' || ph == 'T' || ph == 'p' || ph == 'F';
}

static uint64_t key_of(const struct trace_event *e, text_id cat)
{
	uint64_t key = trace_mix(is_old(e->ph) ? 1 : 2, e->id);

	key = trace_mix(key, is_old(e->ph) ? e->name : cat);
	if (e->id_kind == ID_LOCAL || e->id_kind == ID_NONE)
		key = trace_mix(key, (uint64_t)e->pid);
	return trace_mix(trace_mix(key, e->scope), e->id_kind == ID_LOCAL);
}

static uint32_t group_of(struct trace_async *a, uint64_t key)
{
	struct hash_probe probe = hash_probe(key);

	while (hash_table_next(&a->group_index, &probe))
		if (a->groups[probe.index].key == key)
			return probe.index;
	a->groups = xgrow(a->groups, &a->cap_groups, a->n_groups + 1, sizeof *a->groups);
	a->groups[a->n_groups].key = key;
	hash_table_add(&a->group_index, key, (uint32_t)a->n_groups);
	return (uint32_t)a->n_groups++;
}

/* The frame of a step. The old phases name their step in the args. */
static frame_id mark_of(struct trace *t, const struct trace_event *e)
{
	struct trace_event named;
	struct str raw;
	text_id step;

	if (e->ph != 'n' && e->ph != 'T' && e->ph != 'p')
		return FRAME_NONE;
	step = e->ph != 'n' && cursor_find(e->args, "step", &raw) ? trace_text_string(t, raw) : 0;
	named = *e;
	if (step) {
		struct buf tail = { 0 };

		buf_addf(&tail, ": %s", trace_text_get(&t->texts, step)->p);
		named.name = trace_frame_name_with(t, e->name, buf_text(&tail));
		buf_done(&tail);
	}
	return trace_frame_of_mark(t, trace_frame_name(t, &named));
}

void trace_async_add(struct trace *t, const struct trace_event *e, uint32_t custom)
{
	struct trace_async *a = t->async;
	text_id cat = trace_resolve_category(t, e);
	struct async_event *x;

	if (!a)
		a = t->async = xcalloc(1, sizeof *a);
	if (e->ph == 'b' || e->ph == 'S')
		trace_frame_of(t, trace_frame_name(t, e));
	a->events = xgrow(a->events, &a->cap, a->n + 1, sizeof *a->events);
	x = &a->events[a->n++];
	*x = (struct async_event){ .ts = e->ts,
				   .offset = e->offset,
				   .group = group_of(a, key_of(e, cat)),
				   .name = e->name,
				   .cat = cat,
				   .mark = mark_of(t, e),
				   .custom = custom,
				   .ph = e->ph,
				   .color = (uint8_t)trace_color(e) };
	trace_process_get(t, e->pid);
	x->process = t->last_process;
}

/* ---- tracks ---- */

static struct async_track *track_entry(struct trace_async *a, uint32_t process, text_id cat,
				       text_id name)
{
	uint64_t hash = trace_mix(trace_mix(process, cat), name);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&a->track_index, &probe)) {
		struct async_track *x = &a->tracks[probe.index];

		if (x->process == process && x->cat == cat && x->name == name)
			return x;
	}
	a->tracks = xgrow(a->tracks, &a->cap_tracks, a->n_tracks + 1, sizeof *a->tracks);
	a->tracks[a->n_tracks] = (struct async_track){ process, cat, name, UINT32_MAX, 0 };
	hash_table_add(&a->track_index, hash, (uint32_t)a->n_tracks);
	return &a->tracks[a->n_tracks++];
}

/* The name of the entry for all names of an event category. It must differ from 0, the absent name.
 */
#define ALL_NAMES UINT32_MAX

static uint32_t make_track(struct trace *t, uint32_t process, const struct trace_text *title)
{
	return track_builder_add(t->b, LANE_ASYNC, t->processes[process].pid, LANE_NO_ID, title->p,
				 title->len);
}

static uint32_t shared_track(struct trace *t, struct async_track *all)
{
	static const struct trace_text timing = { .p = "User timing", .len = 11 },
				       console = { .p = "Console", .len = 7 };
	const struct trace_text *cat = trace_text_get(&t->texts, all->cat);

	if (all->track == UINT32_MAX)
		all->track = make_track(t, all->process,
					cat->is_user_timing       ? &timing
						: cat->is_console ? &console
								  : cat);
	return all->track;
}

static uint32_t operation_track(struct trace *t, uint32_t process, text_id cat, text_id name)
{
	struct trace_async *a = t->async;
	const struct trace_text *category = trace_text_get(&t->texts, cat);
	struct async_track *entry;

	/* A page may give its measures any names, so they share a track. */
	if (category->is_user_timing || category->is_console)
		return shared_track(t, track_entry(a, process, cat, ALL_NAMES));
	entry = track_entry(a, process, cat, name);
	if (entry->track == UINT32_MAX) {
		if (track_entry(a, process, cat, ALL_NAMES)->n_names++ >= TRACKS_OF_CATEGORY)
			return shared_track(t, track_entry(a, process, cat, ALL_NAMES));
		entry = track_entry(a, process, cat, name);
		entry->track = make_track(t, process, trace_text_get(&t->texts, name));
	}
	return entry->track;
}

/* ---- operations ---- */

static void open_slice(struct trace *t, const struct async_event *e)
{
	struct trace_async *a = t->async;

	if (a->n_open == 0) {
		a->process = e->process;
		a->cat = e->cat;
		a->root = e->name;
	}
	a->slices = xgrow(a->slices, &a->cap_slices, a->n_slices + 1, sizeof *a->slices);
	a->open = xgrow(a->open, &a->cap_open, a->n_open + 1, sizeof *a->open);
	a->open_names = xgrow(a->open_names, &a->cap_open_names, a->n_open + 1,
			      sizeof *a->open_names);
	a->open[a->n_open] = a->n_slices;
	a->open_names[a->n_open++] = e->name;
	a->n_named[e->name]++;
	a->slices[a->n_slices++] = (struct async_slice){
		e->ts, e->ts, e->offset, -1, trace_frame_of(t, e->name), e->custom, 0, e->color
	};
}

static void flush(struct trace *t)
{
	struct trace_async *a = t->async;
	uint32_t track = UINT32_MAX;

	for (size_t i = 0; i < a->n_slices; i++) {
		const struct async_slice *s = &a->slices[i];
		struct track_slice slice = { .t0 = s->t0,
					     .t1 = s->t1,
					     .frame = s->frame,
					     .group = a->n_operations,
					     .offset = s->offset,
					     .end_offset = s->end_offset,
					     .flags = s->flags,
					     .color = s->color };

		if (s->custom) {
			trace_custom_entry(t, s->custom, &slice);
			continue;
		}
		if (track == UINT32_MAX)
			track = operation_track(t, a->process, a->cat, a->root);
		track_builder_slice(t->b, track, &slice);
	}
	a->n_operations++;
	a->n_slices = 0;
}

/* Close the innermost n_open - depth slices at ts. All of them but the outermost are unfinished;
 * is_unfinished: that one, too. */
static void close_to(struct trace *t, size_t depth, int64_t ts, int64_t end_offset,
		     bool is_unfinished)
{
	struct trace_async *a = t->async;

	while (a->n_open > depth) {
		struct async_slice *s = &a->slices[a->open[--a->n_open]];

		a->n_named[a->open_names[a->n_open]]--;
		s->t1 = ts;
		if (a->n_open > depth || is_unfinished) {
			s->flags |= SLICE_UNFINISHED;
			builder_warn(t->b, WARN_ASYNC_UNMATCHED, s->offset);
		} else {
			s->end_offset = end_offset;
		}
	}
	if (a->n_open == 0)
		flush(t);
}

static void on_instant(struct trace *t, const struct async_event *e)
{
	struct trace_async *a = t->async;
	bool is_alone = a->n_open == 0;

	open_slice(t, e);
	a->slices[a->n_slices - 1].frame = e->mark;
	a->n_named[a->open_names[--a->n_open]]--;
	if (is_alone)
		flush(t);
}

static void on_end(struct trace *t, const struct async_event *e)
{
	struct trace_async *a = t->async;
	size_t depth = e->name && !a->n_named[e->name] ? 0 : a->n_open;

	/* An end without a name closes the innermost slice. */
	while (depth > 0 && e->name && a->open_names[depth - 1] != e->name)
		depth--;
	if (depth == 0)
		builder_warn(t->b, WARN_ASYNC_UNMATCHED, e->offset);
	else
		close_to(t, depth - 1, e->ts, e->offset, false);
}

static int compare(const void *x, const void *y)
{
	const struct async_event *a = x, *b = y;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

void trace_async_finish(struct trace *t)
{
	struct trace_async *a = t->async;

	if (!a)
		return;
	qsort(a->events, a->n, sizeof *a->events, compare);
	a->n_named = xcalloc(t->texts.n, sizeof *a->n_named);
	for (size_t i = 0; i < a->n; i++) {
		const struct async_event *e = &a->events[i];

		switch (e->ph) {
		case 'b':
		case 'S':
			open_slice(t, e);
			break;
		case 'e':
		case 'F':
			on_end(t, e);
			break;
		default:
			on_instant(t, e);
		}
		if ((i + 1 == a->n || a->events[i + 1].group != e->group) && a->n_open)
			close_to(t, 0, e->ts, -1, true);
	}
}
