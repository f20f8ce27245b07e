/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Async events. Events with one key (event category, scope and id; for the old phases: name and id)
 * are a group, which is read in the order of time at the end of the trace. First each end finds the
 * innermost begin of its name. The slices from the begin of an outermost slice, the root, on until
 * none is open are one operation: one group of slices for the builder, on the track of the process,
 * category and root's name; slices that overlap are in parts of it, each a group. A slice without
 * an end, a loose one, ends with the slice around it. A later operation may use the same id. */
#include "config.h"

#include "base/sort.h"
#include "read/trace/trace.h"

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
	text_id request; /* what its args say of a request; 0: nothing */
	char ph;
	uint8_t color;
	size_t pair; /* of a begin: its end + 1, of an end: the begin's slice + 1; 0: none */
	size_t next; /* of a begin that waits for its end: the one of its name before it, + 1 */
};

/* The track of a process, event category and name. */
struct async_track {
	uint32_t process;
	text_id cat, name;
	uint32_t track, n_names;
};

struct async_slice {
	int64_t t0, t1, offset, end_offset;
	size_t around; /* the slice around it in its part of the operation + 1; 0: none */
	frame_id frame;
	uint32_t custom, part;
	unsigned flags;
	uint8_t color;
};

/* Slices of an operation that overlap are in parts of it, within which slices nest. Most operations
 * have one part. */
#define PARTS_MAX 512

struct trace_async {
	struct async_event *events;
	size_t n, cap;
	uint64_t *groups; /* their keys */
	size_t n_groups, cap_groups;
	struct hash_table group_index; /* by key */
	bool is_sorted;

	struct async_track *tracks;
	size_t n_tracks, cap_tracks;
	struct hash_table track_index; /* by process, event category and name */

	struct async_slice *slices; /* of the open operation */
	size_t n_slices, cap_slices;
	size_t n_open;
	size_t *loose; /* the open slices without an end: indices into slices */
	size_t n_loose, cap_loose;
	size_t *waiting; /* begins of the group: indices into events */
	size_t n_waiting, cap_waiting;
	size_t *last_named; /* by name: the innermost begin that waits + 1 */
	uint32_t process;   /* of its root */
	text_id cat, root;
	uint32_t n_parts;      /* of all operations so far */
	size_t top[PARTS_MAX]; /* by part of the operation: its innermost open slice + 1 */
};

static void free_async(struct trace *t)
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
	free(a->loose);
	free(a->waiting);
	free(a->last_named);
	free(a);
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
		if (a->groups[probe.index] == key)
			return probe.index;
	hash_table_add(&a->group_index, key, (uint32_t)a->n_groups);
	*ARRAY_ADD(a->groups, a->n_groups, a->cap_groups) = key;
	return (uint32_t)a->n_groups - 1;
}

/* The frame of a step. The old phases name their step in the args. */
static frame_id mark_of(struct trace *t, const struct trace_event *e)
{
	struct trace_event named;
	struct str raw;
	text_id step;

	if (e->ph != 'n' && e->ph != 'T' && e->ph != 'p')
		return FRAME_NONE;
	step = e->ph != 'n' && trace_event_find(t, e, e->args, "step", &raw)
		? trace_text_string(t, raw)
		: 0;
	if (e->ph != 'n' && !step)
		trace_event_no_value(t, e);
	named = *e;
	if (step) {
		struct str name = trace_text_str(&t->texts, e->name);
		BUF_LOCAL text = { 0 };

		buf_add(&text, name.p, name.len);
		buf_addf(&text, ": %s", trace_text_get(&t->texts, step)->p);
		named.name = trace_text_add(&t->texts, buf_text(&text), text.len);
	}
	return trace_frame_of_mark(t, trace_frame_name(t, &named));
}

bool trace_async_add(struct trace *t, const struct trace_event *e)
{
	struct trace_async *a = TRACE_KEPT(t, async);
	text_id cat = trace_resolve_category(t, e);
	bool has_detail = e->ph == 'b' && trace_text_get(&t->texts, cat)->is_user_timing;
	uint32_t custom = has_detail ? trace_custom_number(t, e) : 0;
	enum trace_served_kind served = trace_served_of(t, cat, e->name);
	struct async_event *x;

	if (served)
		trace_served_event(t, e, served);
	if (trace_text_get(&t->texts, e->name)->meaning == MEANS_EVENT_TIMING)
		trace_milestone_timing(t, e);
	if (e->ph == 'b' || e->ph == 'S')
		trace_frame_of(t, trace_frame_name(t, e));
	x = ARRAY_ADD(a->events, a->n, a->cap);
	*x = (struct async_event){ .ts = e->ts,
				   .offset = e->offset,
				   .group = group_of(a, key_of(e, cat)),
				   .name = e->name,
				   .cat = cat,
				   .mark = mark_of(t, e),
				   .custom = custom,
				   .request = trace_run_request(t, e),
				   .ph = e->ph,
				   .color = (uint8_t)trace_color(e) };
	trace_process_get(t, e->pid);
	x->process = t->last_process;
	return true;
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
	hash_table_add(&a->track_index, hash, (uint32_t)a->n_tracks);
	*ARRAY_ADD(a->tracks, a->n_tracks,
		   a->cap_tracks) = (struct async_track){ process, cat, name, UINT32_MAX, 0 };
	return &a->tracks[a->n_tracks - 1];
}

/* The name of the entry for all names of an event category. It must differ from 0, the absent name.
 */
#define ALL_NAMES UINT32_MAX
#define ALL_SERVED (UINT32_MAX - 1) /* the same of served_track() */

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

/* The requests that a process serves are on one track, and what they wait for on another one. */
static uint32_t served_track(struct trace *t, uint32_t process, bool is_served)
{
	static const struct trace_text served = { .p = "Requests", .len = 8 },
				       waits = { .p = "Waits for", .len = 9 };
	struct async_track *entry = track_entry(t->async, process, is_served, ALL_SERVED);

	if (entry->track != UINT32_MAX)
		return entry->track;
	/* Requests stand above. */
	if (!is_served && trace_served_has(t, t->processes[process].pid))
		(void)served_track(t, process, true);
	entry = track_entry(t->async, process, is_served, ALL_SERVED);
	entry->track = make_track(t, process, is_served ? &served : &waits);
	track_builder_serves(t->b, entry->track, is_served ? LANE_SERVED : LANE_WAITS);
	return entry->track;
}

static uint32_t operation_track(struct trace *t, uint32_t process, text_id cat, text_id name)
{
	struct trace_async *a = t->async;
	const struct trace_text *category = trace_text_get(&t->texts, cat);
	enum trace_served_kind served = trace_served_of(t, cat, name);
	struct async_track *entry;

	if (served)
		return served_track(t, process, served == TRACE_SERVED);

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

/* ---- pairs ---- */

/* The innermost begin that waits, of the name or, without a name, of any. SIZE_MAX: none. */
static size_t find_begin(struct trace_async *a, text_id name)
{
	if (name)
		return a->last_named[name] ? a->last_named[name] - 1 : SIZE_MAX;
	while (a->n_waiting && a->events[a->waiting[a->n_waiting - 1]].pair)
		a->n_waiting--;
	return a->n_waiting ? a->waiting[a->n_waiting - 1] : SIZE_MAX;
}

/* Find the end of each begin among the events of a group. */
static void pair_events(struct trace_async *a, size_t from, size_t end)
{
	a->n_waiting = 0;
	for (size_t i = from; i < end; i++) {
		struct async_event *e = &a->events[i];
		size_t begin;

		if (e->ph == 'b' || e->ph == 'S') {
			*ARRAY_ADD(a->waiting, a->n_waiting, a->cap_waiting) = i;
			e->next = a->last_named[e->name];
			a->last_named[e->name] = i + 1;
		} else if (e->ph == 'e' || e->ph == 'F') {
			begin = find_begin(a, e->name);
			if (begin == SIZE_MAX)
				continue;
			a->events[begin].pair = i + 1;
			e->pair = 1; /* until its slice is known */
			a->last_named[a->events[begin].name] = a->events[begin].next;
		}
	}
	for (size_t i = from; i < end; i++)
		a->last_named[a->events[i].name] = 0;
}

/* ---- operations ---- */

static size_t add_slice(struct trace *t, const struct async_event *e, frame_id frame)
{
	struct trace_async *a = t->async;

	if (a->n_open == 0) {
		a->process = e->process;
		a->cat = e->cat;
		a->root = e->name;
	}
	*ARRAY_ADD(a->slices, a->n_slices,
		   a->cap_slices) = (struct async_slice){ .t0 = e->ts,
							  .t1 = e->ts,
							  .offset = e->offset,
							  .end_offset = -1,
							  .frame = frame,
							  .custom = e->custom,
							  .color = e->color };
	return a->n_slices - 1;
}

/* The frame of a slice. A request of Node.js is called by what its events say: `GET /users 200`.
 * What ends the text of the first event may begin that of the second: the url. */
static frame_id frame_of(struct trace *t, const struct async_event *e)
{
	struct str begin = trace_text_str(&t->texts, e->request),
		   end = trace_text_str(&t->texts,
					e->pair ? t->async->events[e->pair - 1].request : 0);
	struct track_run run = { .event = trace_frame_of(t, e->name) };
	BUF_LOCAL name = { 0 };
	uint32_t both = begin.len < end.len ? (uint32_t)begin.len : (uint32_t)end.len;

	/* Whole words. */
	while (both &&
	       (memcmp(begin.p + begin.len - both, end.p, both) != 0 ||
		(both < begin.len && begin.p[begin.len - both - 1] != ' ') ||
		(both < end.len && end.p[both] != ' ')))
		both--;
	buf_add(&name, begin.p, begin.len);
	buf_adds(&name, begin.len && end.len > both && !both ? " " : "");
	buf_add(&name, end.p + both, end.len - both);
	if (name.len) {
		run.name = (struct str){ buf_text(&name), name.len };
		run.cat = trace_text_str(&t->texts, e->cat);
		run.event = track_builder_run(t->b, &run);
	}
	return run.event;
}

static void on_begin(struct trace *t, const struct async_event *e)
{
	struct trace_async *a = t->async;
	size_t slice = add_slice(t, e, frame_of(t, e));

	a->n_open++;
	if (e->pair) {
		a->events[e->pair - 1].pair = slice + 1;
		return;
	}
	*ARRAY_ADD(a->loose, a->n_loose, a->cap_loose) = slice;
}

/* The order in which the builder nests slices: longer ones first. */
SORT_ORDER(by_start, struct async_slice,
	   SORT_BY_3(x->t0, y->t0, y->t1, x->t1, x->offset, y->offset))

/* Put slice i into the first part where it nests. Returns the number of parts. */
static uint32_t put_in_part(struct trace *t, size_t i, uint32_t n_parts)
{
	struct trace_async *a = t->async;
	struct async_slice *s = &a->slices[i];

	for (;; s->part++) {
		size_t *top = &a->top[s->part];

		if (s->part == n_parts) {
			a->top[n_parts++] = 0;
			break;
		}
		while (*top && a->slices[*top - 1].t1 <= s->t0)
			*top = a->slices[*top - 1].around;
		if (!*top || s->t1 <= a->slices[*top - 1].t1 || s->part + 1 == PARTS_MAX)
			break;
	}
	if (s->part > 0) {
		s->flags |= SLICE_OVERLAPS;
		builder_warn(t->b, WARN_OVERLAP, s->offset);
	}
	s->around = a->top[s->part];
	a->top[s->part] = i + 1;
	return n_parts;
}

/* Find the parts of the operation. Returns their number. */
static uint32_t find_parts(struct trace *t)
{
	struct trace_async *a = t->async;
	uint32_t n = 0;

	for (size_t i = 1; i < a->n_slices; i++)
		if (by_start(&a->slices[i - 1], &a->slices[i]) > 0) {
			qsort(a->slices, a->n_slices, sizeof *a->slices, by_start);
			break;
		}
	for (size_t i = 0; i < a->n_slices; i++)
		n = put_in_part(t, i, n);
	return n;
}

static void flush(struct trace *t)
{
	struct trace_async *a = t->async;
	uint32_t track = UINT32_MAX, n_parts = find_parts(t);

	for (size_t i = 0; i < a->n_slices; i++) {
		const struct async_slice *s = &a->slices[i];
		struct track_slice slice = { .t0 = s->t0,
					     .t1 = s->t1,
					     .frame = s->frame,
					     .group = a->n_parts + s->part,
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
	a->n_parts += n_parts;
	a->n_slices = 0;
}

/* End the loose slices that began with the slice with this index or after it. */
static void end_loose(struct trace *t, size_t first, int64_t ts)
{
	struct trace_async *a = t->async;

	while (a->n_loose && a->loose[a->n_loose - 1] >= first) {
		struct async_slice *s = &a->slices[a->loose[--a->n_loose]];

		s->t1 = ts;
		s->flags |= SLICE_UNFINISHED;
		builder_warn(t->b, WARN_ASYNC_UNMATCHED, s->offset);
		a->n_open--;
	}
}

static void on_end(struct trace *t, const struct async_event *e)
{
	struct trace_async *a = t->async;
	struct async_slice *s;

	if (!e->pair) {
		builder_warn(t->b, WARN_ASYNC_UNMATCHED, e->offset);
		return;
	}
	end_loose(t, e->pair - 1, e->ts);
	s = &a->slices[e->pair - 1];
	s->t1 = e->ts;
	s->end_offset = e->offset;
	if (--a->n_open == 0)
		flush(t);
}

SORT_ORDER(compare, struct async_event,
	   SORT_BY_3(x->group, y->group, x->ts, y->ts, x->offset, y->offset))

static void finish(struct trace *t)
{
	struct trace_async *a = t->async;

	if (!a)
		return;
	qsort(a->events, a->n, sizeof *a->events, compare);
	a->last_named = xcalloc(t->texts.n, sizeof *a->last_named);
	for (size_t from = 0, end; from < a->n; from = end) {
		for (end = from + 1; end < a->n && a->events[end].group == a->events[from].group;
		     end++)
			;
		pair_events(a, from, end);
		for (size_t i = from; i < end; i++) {
			const struct async_event *e = &a->events[i];

			if (e->ph == 'b' || e->ph == 'S') {
				on_begin(t, e);
			} else if (e->ph == 'e' || e->ph == 'F') {
				on_end(t, e);
			} else {
				add_slice(t, e, e->mark);
				if (a->n_open == 0)
					flush(t);
			}
		}
		end_loose(t, 0, a->events[end - 1].ts);
		if (a->n_slices)
			flush(t);
	}
}

const struct trace_part trace_async_part = { finish, free_async };
