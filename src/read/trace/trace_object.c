/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects: N creates one, O states what it is like, D deletes it. The events of one process, scope,
 * type and id are those of one object at a time, and are read in the order of time at the end of
 * the trace. The type is the name of the event or, for a snapshot, its `base_type`: a snapshot is
 * named by the class of the object, N and D by the class that announces it.
 *
 * A lifetime is one group of slices for the builder: the lifetime first, then its marks. An id may
 * be used again after D. What is malformed keeps all of its events:
 *
 * 1. An object without N lives from the start of the trace, one without D to its end.
 * 2. N while the object lives ends it, and begins another one.
 * 3. O or D after D begin another object at their time.
 *
 * The args of these events are not kept: snapshots hold images. */
#include "config.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/profile.h"
#include "read/trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== trace counter ====
 *
 * Counters: each number among the args of a C event is a value of a series. A series that an
 * event leaves out is 0 from that event on. */

struct counter_series {
	text_id name;
	uint64_t seen; /* number of the last event with a value of it */
};

struct trace_counter {
	int64_t pid;
	uint64_t id;
	text_id name;
	uint32_t counter;
	struct counter_series *series;
	size_t n, cap;
};

struct trace_counters {
	struct trace_counter *all;
	size_t n, cap, last;
	struct hash_table index; /* by process, name and id */
	uint64_t n_events;
};

/* An id is part of the counter's title. */
static uint32_t make_counter(struct trace *t, int64_t pid, text_id name, struct str id)
{
	const struct trace_text *text = trace_text_get(&t->texts, name);
	BUF_LOCAL title = { 0 };

	buf_add(&title, text->p, text->len);
	if (id.len) {
		struct str is = trace_text_str(&t->texts, trace_text_quoted(&t->texts, id));

		buf_addc(&title, ' ');
		buf_add(&title, is.p, is.len);
	}
	return track_builder_counter(t->b, pid, buf_text(&title), title.len);
}

/* No user can look at more counters. The rest is left out. */
#define COUNTERS_MAX 4096

/* NULL: there are too many. */
static struct trace_counter *counter_of(struct trace *t, int64_t pid, text_id name, uint64_t id,
					struct str id_text)
{
	struct trace_counters *cs = TRACE_KEPT(t, counters);
	uint64_t hash = trace_mix(trace_mix(hash_u64((uint64_t)pid), name), id);
	struct hash_probe probe = hash_probe(hash);

	while (cs->all && hash_table_next(&cs->index, &probe)) {
		struct trace_counter *c = &cs->all[probe.index];

		if (c->pid == pid && c->name == name && c->id == id)
			return c;
	}
	if (cs->n == COUNTERS_MAX)
		return NULL;
	hash_table_add(&cs->index, hash, (uint32_t)cs->n);
	*ARRAY_ADD(cs->all, cs->n, cs->cap) =
		(struct trace_counter){ .pid = pid,
					.id = id,
					.name = name,
					.counter = make_counter(t, pid, name, id_text) };
	return &cs->all[cs->n - 1];
}

/* Each event costs time for all series, and a real counter has few. */
#define SERIES_MAX 256

static struct counter_series *series_of(struct trace_counter *c, text_id name)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->series[i].name == name)
			return &c->series[i];
	if (c->n >= SERIES_MAX)
		return NULL;
	*ARRAY_ADD(c->series, c->n, c->cap) = (struct counter_series){ name, 0 };
	return &c->series[c->n - 1];
}

static bool value_of(struct str raw, double *value)
{
	char text[64];

	if (!json_number_is(raw.p, raw.len) || raw.len >= sizeof text)
		return false;
	memcpy(text, raw.p, raw.len);
	text[raw.len] = '\0';
	*value = strtod(text, NULL);
	return isfinite(*value);
}

static void add_value(struct trace *t, struct trace_counter *c, text_id name, int64_t ts,
		      double value)
{
	const struct trace_text *text = trace_text_get(&t->texts, name);

	track_builder_counter_value(t->b, c->counter, text->p, text->len, ts, value);
}

bool trace_counter_event(struct trace *t, const struct trace_event *e)
{
	struct trace_counter *c = counter_of(t, e->pid, e->name, e->id, e->id_text);
	uint64_t now = ++t->counters->n_events;
	struct cursor args = cursor_of(e->args);
	bool is_first = true, has_value = false, has_warned = false;
	struct str key, raw;

	if (!c || cursor_peek(&args) != '{') {
		return builder_warn_text(t->b, WARN_ODD_COUNTER, e->offset,
					 c ? "args are no object" : "too many counters");
	}
	args.p++;
	while (cursor_key(&args, &is_first, &key) && cursor_raw(&args, &raw)) {
		text_id name = trace_text_quoted(&t->texts, key);
		struct counter_series *s = NULL;
		double value;

		if (value_of(raw, &value))
			s = series_of(c, name);
		if (!s) {
			builder_warn(t->b, WARN_ODD_COUNTER, e->offset);
			has_warned = true;
			continue;
		}
		s->seen = now;
		has_value = true;
		add_value(t, c, name, e->ts, value);
	}
	if (args.why || args.is_cut)
		builder_warn_text(t->b, WARN_ODD_COUNTER, e->offset, "args are no valid JSON");
	else if (!has_value && !has_warned)
		builder_warn_text(t->b, WARN_ODD_COUNTER, e->offset, "args have no values");
	for (size_t i = 0; has_value && i < c->n; i++)
		if (c->series[i].seen != now)
			add_value(t, c, c->series[i].name, e->ts, 0);
	return true;
}

/* Name a number of UpdateCounters as the memory lane of DevTools does. Returns how many bytes 1 is;
 * 0: it is no size. */
static int name_memory(struct trace *t, struct str key, text_id *name)
{
	static const struct {
		const char *key, *name;
		int bytes;
	} shown[] = { { "jsHeapSizeUsed", "JS heap", 1 },
		      { "documents", "Documents", 0 },
		      { "nodes", "Nodes", 0 },
		      { "jsEventListeners", "Listeners", 0 },
		      { "gpuMemoryUsedKB", "GPU memory", 1000 } };
	size_t i = 0;

	while (i < ARRAY_LEN(shown) && !str_is(key, shown[i].key))
		i++;
	*name = i < ARRAY_LEN(shown)
		? trace_text_add(&t->texts, shown[i].name, strlen(shown[i].name))
		: trace_text_quoted(&t->texts, key);
	return i < ARRAY_LEN(shown) ? shown[i].bytes : 0;
}

bool trace_counter_update(struct trace *t, const struct trace_event *e)
{
	struct str data, key, raw;
	struct cursor args;
	bool is_first = true, has_value = false;

	if (!trace_event_find(t, e, e->args, "data", &data) || data.p[0] != '{') {
		return trace_event_no_value(t, e);
	}
	args = cursor_of(data);
	args.p++;
	/* Some values are bytes and some are counts, so each has a counter of its own. */
	while (cursor_key(&args, &is_first, &key) && cursor_raw(&args, &raw)) {
		static const struct str none = { NULL, 0 };
		text_id name;
		int bytes = name_memory(t, key, &name);
		struct trace_counter *c;
		double value;

		c = value_of(raw, &value) ? counter_of(t, e->pid, name, 0, none) : NULL;
		if (c)
			add_value(t, c, name, e->ts, bytes ? value * bytes : value);
		else
			builder_warn(t->b, WARN_ODD_COUNTER, e->offset);
		if (c && bytes)
			track_builder_counter_bytes(t->b, c->counter);
		has_value |= c != NULL;
	}
	if (args.why || args.is_cut)
		builder_warn_text(t->b, WARN_ODD_COUNTER, e->offset, "args are no valid JSON");
	return has_value;
}

/* ==== trace object ==== */

/* If a scope of a process has more types than this, names do not stand for types but for objects.
 * They share a track. */
#define TRACKS_OF_SCOPE 16

/* Objects with names of their own. Further ones have the name of their type. */
#define NAMES_MAX 65536u

struct object_event {
	int64_t ts, offset;
	uint32_t object; /* index */
	frame_id mark;
	char ph;
	uint8_t color;
};

/* All that have one process, scope, type and id. */
struct object {
	uint64_t key;
	uint32_t type; /* index */
	frame_id frame;
};

/* Objects with one process, scope and type. */
struct object_type {
	int64_t pid;
	text_id scope, name;
	uint32_t all;       /* the entry ALL_NAMES of the process and scope */
	uint32_t lane_of;   /* the entry whose lane they are on: this one, or `all` */
	uint32_t n;         /* of ALL_NAMES: types of the process and scope */
	uint32_t n_objects; /* on its lane */
	uint32_t track;
};

struct trace_objects {
	struct object_event *events;
	size_t n, cap;
	struct object *objects;
	size_t n_objects, cap_objects;
	struct hash_table index; /* of objects, by key */
	struct object_type *types;
	size_t n_types, cap_types;
	struct hash_table type_index;
	uint32_t n_lifetimes;
};

/* The lifetime that is open. */
struct lifetime {
	size_t first; /* its first event */
	int64_t t0;
	unsigned flags;
	bool is_open;
};

static void free_objects(struct trace *t)
{
	struct trace_objects *o = t->objects;
	struct trace_counters *cs = t->counters;

	if (cs) {
		for (size_t i = 0; i < cs->n; i++)
			free(cs->all[i].series);
		free(cs->all);
		hash_table_done(&cs->index);
		free(cs);
	}
	if (!o)
		return;
	free(o->events);
	free(o->objects);
	hash_table_done(&o->index);
	free(o->types);
	hash_table_done(&o->type_index);
	free(o);
}

/* ---- collecting ---- */

/* The type that announced the object of a snapshot. */
static text_id type_of(struct trace *t, const struct trace_event *e)
{
	struct str snapshot, raw;
	text_id base = 0;

	if (e->ph != 'O')
		return e->name;
	if (trace_event_find(t, e, e->args, "snapshot", &snapshot) &&
	    trace_event_find(t, e, snapshot, "base_type", &raw))
		base = trace_text_string(t, raw);
	if (!base)
		trace_event_no_value(t, e);
	return base ? base : e->name;
}

/* The name of the entry for all types of a scope. It must differ from 0, the absent name. */
#define ALL_NAMES UINT32_MAX

static uint32_t find_type(struct trace_objects *o, int64_t pid, text_id scope, text_id name)
{
	uint64_t hash = trace_mix(trace_mix((uint64_t)pid, scope), name);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&o->type_index, &probe)) {
		const struct object_type *x = &o->types[probe.index];

		if (x->pid == pid && x->scope == scope && x->name == name)
			return probe.index;
	}
	hash_table_add(&o->type_index, hash, (uint32_t)o->n_types);
	*ARRAY_ADD(o->types, o->n_types,
		   o->cap_types) = (struct object_type){ .pid = pid, .scope = scope, .name = name };
	return (uint32_t)o->n_types - 1;
}

/* The entry whose lane has the objects of a type. */
static uint32_t lane_of(struct trace_objects *o, int64_t pid, text_id scope, text_id name)
{
	uint32_t all = find_type(o, pid, scope, ALL_NAMES), type;
	size_t before = o->n_types;

	type = find_type(o, pid, scope, name);
	if (o->n_types > before) {
		o->types[type].all = o->types[all].all = all;
		o->types[type].lane_of = o->types[all].n++ < TRACKS_OF_SCOPE ? type : all;
	}
	return o->types[type].lane_of;
}

/* The name of a text with more text, and with the event category of the event. */
static text_id name_with(struct trace *t, const struct trace_event *e, text_id name,
			 struct str more)
{
	const struct trace_text *text = trace_text_get(&t->texts, name);
	struct trace_event named = *e;
	BUF_LOCAL both = { 0 };

	if (text->len)
		buf_add(&both, text->p, text->len);
	else
		buf_adds(&both, "(unnamed)");
	buf_add(&both, more.p, more.len);
	named.name = trace_text_add(&t->texts, buf_text(&both), both.len);
	return trace_frame_name(t, &named);
}

static frame_id lifetime_frame(struct trace *t, const struct trace_event *e, text_id type)
{
	struct str id = trace_text_str(&t->texts, trace_text_quoted(&t->texts, e->id_text));
	BUF_LOCAL more = { 0 };
	text_id name;

	if (e->id && id.len && t->objects->n_objects < NAMES_MAX)
		buf_addf(&more, " %.*s", (int)(id.len < 1000 ? id.len : 1000), id.p);
	name = name_with(t, e, type, (struct str){ buf_text(&more), more.len });
	return trace_frame_of(t, name);
}

static uint32_t object_of(struct trace *t, const struct trace_event *e)
{
	struct trace_objects *o = t->objects;
	text_id scope = e->scope ? trace_text_quoted(&t->texts, e->scope_text) : 0;
	text_id type = type_of(t, e);
	uint64_t key = trace_mix(trace_mix(e->id, type), scope);
	struct hash_probe probe;
	struct object x;

	if (e->id_kind != ID_GLOBAL)
		key = trace_mix(key, (uint64_t)e->pid);
	key = trace_mix(key, e->id_kind);
	probe = hash_probe(key);
	while (hash_table_next(&o->index, &probe))
		if (o->objects[probe.index].key == key)
			return probe.index;
	x = (struct object){ key, lane_of(o, e->pid, scope, type), lifetime_frame(t, e, type) };
	o->types[x.type].n_objects++;
	hash_table_add(&o->index, key, (uint32_t)o->n_objects);
	*ARRAY_ADD(o->objects, o->n_objects, o->cap_objects) = x;
	return (uint32_t)o->n_objects - 1;
}

bool trace_object_add(struct trace *t, const struct trace_event *e)
{
	static const char *const tails[128] = { ['N'] = OBJECT_NAME_CREATED,
						['O'] = OBJECT_NAME_SNAPSHOT,
						['D'] = OBJECT_NAME_DELETED };
	const char *tail = tails[(unsigned char)e->ph];
	struct trace_objects *o = TRACE_KEPT(t, objects);
	text_id mark;

	if (e->id_kind == ID_NONE)
		builder_warn(t->b, WARN_OBJECT_ID, e->offset);
	mark = name_with(t, e, e->name, (struct str){ tail, strlen(tail) });
	*ARRAY_ADD(o->events, o->n,
		   o->cap) = (struct object_event){ .ts = e->ts,
						    .offset = e->offset,
						    .object = object_of(t, e),
						    .mark = trace_frame_of_mark(t, mark),
						    .ph = e->ph,
						    .color = (uint8_t)trace_color(e) };
	return true;
}

/* ---- tracks ---- */

static int by_scope(const void *a, const void *b)
{
	const struct object_type *x = *(struct object_type *const *)a,
				 *y = *(struct object_type *const *)b;
	bool x_shared = x->name == ALL_NAMES, y_shared = y->name == ALL_NAMES;

	if (x->all != y->all)
		return x->all < y->all ? -1 : 1;
	if (x_shared != y_shared)
		return x_shared ? 1 : -1;
	return x < y ? -1 : x > y;
}

static void make_track(struct trace *t, struct object_type *type)
{
	static const struct str none = { "", 0 };
	struct str name = none;
	BUF_LOCAL title = { 0 };

	if (type->name != ALL_NAMES && type->name)
		name = trace_text_str(&t->texts, type->name);
	object_name_title(trace_text_str(&t->texts, type->scope), name, &title);
	type->track = track_builder_add(t->b, LANE_OBJECTS, type->pid, LANE_NO_ID, buf_text(&title),
					title.len);
}

/* ---- lifetimes ---- */

static int by_object(const void *x, const void *y)
{
	const struct object_event *a = x, *b = y;

	return SORT_BY_3(a->object, b->object, a->ts, b->ts, a->offset, b->offset);
}

static void add_slice(struct trace *t, uint32_t track, struct track_slice slice)
{
	slice.group = t->objects->n_lifetimes;
	track_builder_slice(t->b, track, &slice);
}

/* Pass on the lifetime of the events from its first one to `end`, which is not one of them, and
 * their marks. */
static void flush(struct trace *t, struct lifetime *life, size_t end, int64_t t1,
		  int64_t end_offset)
{
	struct trace_objects *o = t->objects;
	const struct object_event *first = &o->events[life->first];
	const struct object *object = &o->objects[first->object];
	uint32_t track = o->types[object->type].track;
	bool is_created = !(life->flags & SLICE_NOT_CREATED);

	if (end_offset < 0) {
		life->flags |= SLICE_UNFINISHED;
		builder_warn(t->b, WARN_OBJECT_NOT_DELETED, first->offset);
	}
	add_slice(t, track,
		  (struct track_slice){ .t0 = life->t0,
					.t1 = t1,
					.frame = object->frame,
					.offset = is_created ? first->offset : -1,
					.end_offset = end_offset,
					.flags = life->flags,
					.color = first->color });
	for (size_t i = life->first; i < end; i++)
		add_slice(t, track,
			  (struct track_slice){ .t0 = o->events[i].ts,
						.t1 = o->events[i].ts,
						.frame = o->events[i].mark,
						.offset = o->events[i].offset,
						.end_offset = -1,
						.color = o->events[i].color });
	o->n_lifetimes++;
	life->is_open = false;
}

/* Begin a lifetime with event i; is_reused: its id had one before. */
static void begin(struct trace *t, struct lifetime *life, size_t i, bool is_reused)
{
	const struct object_event *e = &t->objects->events[i];

	*life = (struct lifetime){ .first = i, .t0 = e->ts, .is_open = true };
	if (e->ph == 'N')
		return;
	life->flags = SLICE_NOT_CREATED;
	builder_warn(t->b, is_reused ? WARN_OBJECT_ORDER : WARN_OBJECT_NOT_CREATED, e->offset);
	if (!is_reused && t->first < life->t0)
		life->t0 = t->first;
}

static void finish(struct trace *t)
{
	struct trace_objects *o = t->objects;
	struct lifetime life = { 0 };
	struct object_type **types;
	size_t n = 0;

	if (!o)
		return;
	/* Make the tracks: those of one scope one below the other, in the order of their first
	 * events. */
	types = xmalloc(o->n_types * sizeof *types);
	for (size_t i = 0; i < o->n_types; i++)
		if (o->types[i].n_objects)
			types[n++] = &o->types[i];
	qsort(types, n, sizeof *types, by_scope);
	for (size_t i = 0; i < n; i++)
		make_track(t, types[i]);
	free(types);
	qsort(o->events, o->n, sizeof *o->events, by_object);
	for (size_t i = 0; i < o->n; i++) {
		const struct object_event *e = &o->events[i];
		bool is_first = i == 0 || e[-1].object != e->object;

		if (life.is_open && e->ph == 'N') {
			builder_warn(t->b, WARN_OBJECT_ORDER, e->offset);
			flush(t, &life, i, e->ts, -1);
		}
		if (!life.is_open)
			begin(t, &life, i, !is_first);
		if (e->ph == 'D')
			flush(t, &life, i + 1, e->ts, e->offset);
		else if (i + 1 == o->n || e[1].object != e->object)
			flush(t, &life, i + 1, t->last > e->ts ? t->last : e->ts, -1);
	}
}

const struct trace_part trace_object_part = { finish, free_objects };
