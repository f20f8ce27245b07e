/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes keep their numbers, with these exceptions:
 * 1. A lane without a process gets one, the same for all lanes of one file.
 * 2. Thread 0, as Node.js numbers the main thread, gets the number of its process, as the operating
 *    system does; other programs take 0 for the idle thread of the machine.
 * 3. A thread has one lane of slices and the lanes joined to it. Another lane of spans gets a
 *    thread of its own, because its spans would overlap. Counters and marks need no thread of their
 *    own. Rows that the reader chose do not follow from times, so that each such lane has a thread,
 *    and events say which slices another thread takes self time from (add_covered()).
 * 4. Samples that are written as samples share the thread of slices, but a thread has one lane of
 *    them: DevTools keeps only the last profile of a thread. */
#include "config.h"

#include "write/export/export_ids.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/units.h"
#include "write/export/export.h"
#include "write/report/json_out.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The set of numbers that are in use. */
struct used {
	struct thread_number {
		int64_t pid, tid;
	} * list;
	size_t n, cap;
	struct hash_table index;
};

static bool add(struct used *u, int64_t pid, int64_t tid)
{
	uint64_t hash = hash_u64((uint64_t)pid * 31 + hash_u64((uint64_t)tid));
	struct hash_probe probe = hash_probe(hash);

	assert(u->list || u->n == 0);
	while (u->n && hash_table_next(&u->index, &probe))
		if (u->list[probe.index].pid == pid && u->list[probe.index].tid == tid)
			return false;
	u->list = xgrow(u->list, &u->cap, u->n + 1, sizeof *u->list);
	u->list[u->n] = (struct thread_number){ pid, tid };
	hash_table_add(&u->index, hash, (uint32_t)u->n++);
	return true;
}

/* Rule 1. */
static void make_processes(const struct profile *p, struct lane_ids *places, struct used *u)
{
	ALLOC_LOCAL int64_t *of_input = xcalloc(p->n_inputs ? p->n_inputs : 1, sizeof *of_input);
	int64_t next = 1;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		int64_t *pid = &of_input[p->lanes[i].input];

		if (places[i].pid != LANE_NO_ID)
			continue;
		while (*pid == 0)
			if (add(u, next++, LANE_NO_ID))
				*pid = next - 1;
		places[i].pid = *pid;
		if (places[i].tid == LANE_NO_ID)
			places[i].tid = *pid;
	}
}

/* Rules 3 and 4. */
static void part_lanes(const struct profile *p, struct lane_ids *places, struct used *u,
		       bool is_split)
{
	struct used samples = { 0 };

	/* Threads with slices come first: their samples get the new number. */
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < p->n_lanes; i++) {
			const struct lane *lane = &p->lanes[i];

			if (!export_ids_has_spans(lane) ||
			    (lane->kind == LANE_SLICES) != (pass == 0))
				continue;
			if (lane->is_joined && !lane->is_placed && i) {
				places[i].tid = places[i - 1].tid;
				continue;
			}
			if (places[i].tid == LANE_NO_ID)
				places[i].tid = places[i].pid;
			/* A number for a lane whose thread has such a lane: no operating system
			 * gives threads numbers from a thousand million. A lane that has no thread
			 * gets the next free number. */
			while (!add(pass == 1 && !is_split ? &samples : u, places[i].pid,
				    places[i].tid)) {
				if (!places[i].is_new && lane->tid != LANE_NO_ID)
					places[i].tid = INT64_C(1000000000);
				else
					places[i].tid = places[i].tid == INT64_MAX
						? 1
						: places[i].tid + 1;
				places[i].is_new = true;
			}
		}
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (places[i].tid == LANE_NO_ID)
			places[i].tid = places[i].pid;
	free(samples.list);
	hash_table_done(&samples.index);
}

struct lane_ids *export_ids_of(const struct profile *p, bool is_split)
{
	struct lane_ids *places = xcalloc(p->n_lanes ? p->n_lanes : 1, sizeof *places);
	struct used u = { 0 };

	/* Rule 2. It comes before numbers are invented, so that those are different. */
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		int64_t tid = lane->tid == 0 && lane->pid > 0 ? lane->pid : lane->tid;

		places[i] = (struct lane_ids){ lane->pid, tid, false };
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].pid != LANE_NO_ID)
			add(&u, p->lanes[i].pid, LANE_NO_ID);
	make_processes(p, places, &u);
	part_lanes(p, places, &u, is_split);
	free(u.list);
	hash_table_done(&u.index);
	return places;
}

/* ==== requests ====
 *
 * Events about requests that a process serves, with all that the profile knows of them: a slice is
 * one of these if its event in the file was. Of what the range cuts off, args have the time that
 * lies before and after. */

SORT_ORDER(by_event, struct export_ids_event, SORT_BY_2(x->input, y->input, x->offset, y->offset))

void export_ids_served(struct export_ids_served *s, const struct profile *p)
{
	const struct served_all *all = &p->served;
	struct export_ids_event *x;

	*s = (struct export_ids_served){ .profile = p, .n = all->n + all->n_waits + all->n_runs };
	x = s->events = xmalloc((s->n + 1) * sizeof *x);
	for (size_t i = 0; i < all->n; i++)
		*x++ = (struct export_ids_event){ all->requests[i].input, all->requests[i].offset,
						  0, i };
	for (size_t i = 0; i < all->n_waits; i++)
		*x++ = (struct export_ids_event){ all->waits[i].input, all->waits[i].offset,
						  all->waits[i].kind + 1, i };
	for (size_t i = 0; i < all->n_runs; i++)
		*x++ = (struct export_ids_event){ all->runs[i].input, all->runs[i].offset,
						  SERVED_WAIT_KINDS + 1, i };
	qsort(s->events, s->n, sizeof *s->events, by_event);
}

const struct export_ids_event *export_ids_served_of(const struct export_ids_served *s,
						    const struct lane *lane,
						    const struct span *span)
{
	struct export_ids_event key = { lane->input, s->n ? slice_event(lane, span) : -1, 0, 0 };
	size_t lo = 0;

	SORT_BISECT(lo, s->n, mid, by_event(&s->events[mid], &key) < 0);
	return key.offset >= 0 && lo < s->n && by_event(&s->events[lo], &key) == 0 ? &s->events[lo]
										   : NULL;
}

void export_ids_put_id(const struct export_ids_served *s, const char *key,
		       const struct export_ids_event *e, struct json_writer *w)
{
	const struct served_all *all = &s->profile->served;
	bool is_wait = e->category != 0;
	int64_t t0 = is_wait ? all->waits[e->at].t0 : all->requests[e->at].t0;
	char id[48];

	/* Of other files, requests at the same place began at another time. */
	snprintf(id, sizeof id, "%c%" PRId64 ".%" PRId64, is_wait ? 'w' : 'r', e->offset,
		 (t0 + s->profile->origin_ns) / NS_PER_US);
	json_put(w, json_string(key, id));
}

/* The members of the args that a request has: its name is `GET /users/:id`. */
static void put_request(const struct profile *p, const struct served *s, struct json_writer *w)
{
	struct str name = { profile_text(p, s->name), intern_len(&p->strings, s->name) };
	const char *blank = memchr(name.p, ' ', name.len), *route = blank ? blank + 1 : name.p;

	json_put(w,
		 json_if(route > name.p, json_text("method", name.p, (size_t)(route - name.p) - 1)),
		 json_if(s->path, json_out_text("path", p, s->path)),
		 json_if(!s->is_guessed,
			 json_text("route", route, name.len - (size_t)(route - name.p))),
		 json_if(s->status, json_integer("status", s->status)),
		 json_if(s->trace, json_out_text("trace", p, s->trace)),
		 json_if(s->unread, json_us("unread", s->unread)),
		 json_if(s->is_aborted, json_boolean("aborted", true)),
		 json_if(s->is_sampled, json_boolean("sampled", true)),
		 json_if(s->was_open, json_boolean("open", true)),
		 json_if(s->is_open, json_boolean("unfinished", true)));
}

/* The same of a wait. A call is named `GET 10.0.0.7:8080/stock`. */
static void put_wait(const struct profile *p, const struct served_wait *x, struct json_writer *w)
{
	const char *name = profile_text(p, x->name), *host = strchr(name, ' ');

	if (x->kind == SERVED_CALL && host)
		json_put(w, json_text("method", name, (size_t)(host - name)),
			 json_text("host", host + 1, strcspn(host + 1, "/")));
	json_put(w, json_if(x->status, json_integer("status", x->status)),
		 json_if(x->unread, json_us("unread", x->unread)),
		 json_if(x->error, json_out_text("error", p, x->error)),
		 json_if(x->socket,
			 json_integer(x->kind == SERVED_JOB ? "threads" : "socket", x->socket)));
}

void export_ids_put_args(const struct export_ids_served *s, const struct export_ids_event *e,
			 const struct span *span, struct json_writer *w)
{
	const struct served_all *all = &s->profile->served;
	uint32_t owner = SERVED_NONE;
	int64_t t0 = span->t0, t1 = span->t1;

	json_put(w, json_begin("args", "{"));
	if (e->category == 0) {
		t0 = all->requests[e->at].t0;
		t1 = all->requests[e->at].t1;
		put_request(s->profile, &all->requests[e->at], w);
	} else if (e->category <= SERVED_WAIT_KINDS) {
		const struct served_wait *x = &all->waits[e->at];

		t0 = x->t0;
		t1 = x->t1;
		owner = x->served;
		put_wait(s->profile, x, w);
	} else {
		owner = all->runs[e->at].served;
	}
	if (owner != SERVED_NONE)
		export_ids_put_id(
			s, "request",
			&(struct export_ids_event){ 0, all->requests[owner].offset, 0, owner }, w);
	json_put(w, json_if(t0 < span->t0, json_us("before", span->t0 - t0)),
		 json_if(t1 > span->t1, json_us("after", t1 - span->t1)), json_end("}"));
}

/* ==== notes ====
 *
 * DevTools names entries by numbers of events, which are known once the events are written. A label
 * of what it could not find, as calls of samples that are copied, becomes a labelled range. */

void export_ids_note_init(struct export_ids_notes *n, const struct profile *p,
			  const struct notes *notes)
{
	*n = (struct export_ids_notes){ .is_changed = false };
	notes_find_all(&n->found, p, notes);
	n->keys = xcalloc(notes->n + 1, sizeof *n->keys);
	for (size_t i = 0; i < notes->n; i++)
		n->is_changed |= notes->list[i].is_own;
}

void export_ids_note_done(struct export_ids_notes *n)
{
	for (size_t i = 0; i < n->found.notes->n; i++)
		free(n->keys[i]);
	free(n->keys);
	notes_found_done(&n->found);
}

static void set_key(struct export_ids_notes *n, size_t i, const char *key)
{
	if (!n->keys[i])
		n->keys[i] = xstrdup(key);
}

void export_ids_note_copied(struct export_ids_notes *n, uint32_t input, uint64_t first)
{
	for (size_t i = 0; i < n->found.notes->n; i++) {
		const struct user_note *note = &n->found.notes->list[i];
		char key[32];

		if (note->input != input || !note->key)
			continue;
		if (!first || notes_number(note) == UINT64_MAX) {
			set_key(n, i, note->key);
			continue;
		}
		snprintf(key, sizeof key, "%c-%" PRIu64, *note->key, notes_number(note) + first);
		set_key(n, i, key);
		n->is_changed = true;
	}
}

void export_ids_note_event(struct export_ids_notes *n, uint32_t lane, const struct span *span,
			   uint64_t number)
{
	for (size_t i = 0; i < n->found.notes->n; i++) {
		const struct span *of = &n->found.spans[i];
		char key[32];

		if (n->found.lanes[i] != lane || of->node != span->node || of->t0 > span->t0 ||
		    of->t1 < span->t1)
			continue;
		snprintf(key, sizeof key, "r-%" PRIu64, number);
		set_key(n, i, key);
	}
}

void export_ids_note_samples(struct export_ids_notes *n, uint32_t lane, const struct samples_out *s,
			     int64_t pid, int64_t tid)
{
	for (size_t i = 0; i < n->found.notes->n; i++) {
		size_t first = n->found.spans[i].first > s->first ? n->found.spans[i].first
								  : s->first;
		char key[96];

		if (n->found.lanes[i] != lane || !s->id[n->found.spans[i].node] ||
		    first >= s->end || n->found.spans[i].end <= s->first)
			continue;
		snprintf(key, sizeof key, "p-%" PRId64 "-%" PRId64 "-%zu-%" PRIu32, pid, tid,
			 first - s->first, s->id[n->found.spans[i].node]);
		set_key(n, i, key);
	}
}

bool export_ids_note_is_ranges(const struct profile *p, const struct lane *lane)
{
	return lane->kind == LANE_ASYNC && lane->pid == LANE_NO_ID &&
		strcmp(profile_text(p, lane->title), "Labelled ranges") == 0;
}

/* ---- the member ---- */

struct writing {
	const struct export_ids_notes *n;
	struct json_writer w;
	int64_t t0, t1, base;
	const struct lane *lane; /* of ranges */
};

/* The part of a window that is exported; of one that is not, the whole. */
static void put_window(struct writing *o, const char *key, int64_t t0, int64_t t1)
{
	t0 = t0 > o->t0 && t0 < o->t1 ? t0 : o->t0;
	t1 = t1 < o->t1 && t1 > t0 ? t1 : o->t1;
	json_put(&o->w, json_begin(key, "{"), json_us("min", t0 + o->base),
		 json_us("max", t1 + o->base), json_us("range", t1 - t0), json_end("}"));
}

static void put_label(struct writing *o, const struct span *span, const char *label)
{
	json_put(&o->w, json_begin(NULL, "{"));
	put_window(o, "bounds", span->t0, span->t1);
	json_put(&o->w, json_string("label", label), json_end("}"));
}

static bool put_range(void *ctx, const struct span *span)
{
	struct writing *o = ctx;
	const struct profile *p = o->n->found.profile;

	put_label(o, span, profile_text(p, profile_node_frame(p, o->lane, span->node)->name));
	return true;
}

static void put_crumbs(struct writing *o)
{
	const struct profile *p = o->n->found.profile;
	const struct crumb whole = { o->t0, o->t1 }, *c = p->n_crumbs ? p->crumbs : &whole;
	size_t n = 0, most = p->n_crumbs ? p->n_crumbs : 1;

	/* There has to be one. */
	for (; n < most && (!n || (c[n].t0 < o->t1 && c[n].t1 > o->t0)); n++) {
		json_put(&o->w, json_begin(n ? "child" : "initialBreadcrumb", "{"));
		put_window(o, "window", c[n].t0, c[n].t1);
	}
	json_put(&o->w, json_raw("child", "null"));
	while (n--)
		json_put(&o->w, json_end("}"));
}

/* The keys of the entries of a kind. */
static void put_keys(struct writing *o, const char *name, enum note_kind kind)
{
	json_put(&o->w, json_begin(name, "["));
	for (size_t i = 0; i < o->n->found.notes->n; i++)
		if (o->n->found.notes->list[i].kind == kind && o->n->keys[i])
			json_put(&o->w, json_string(NULL, o->n->keys[i]));
	json_put(&o->w, json_end("]"));
}

static void put_annotations(struct writing *o)
{
	const struct export_ids_notes *n = o->n;
	const struct user_note *list = n->found.notes->list;

	json_put(&o->w, json_begin("annotations", "{"), json_begin("entryLabels", "["));
	for (size_t i = 0; i < n->found.notes->n; i++)
		if (list[i].kind == NOTE_LABEL && *list[i].text && n->keys[i])
			json_put(&o->w, json_begin(NULL, "{"), json_string("entry", n->keys[i]),
				 json_string("label", list[i].text), json_end("}"));
	json_put(&o->w, json_end("]"), json_begin("labelledTimeRanges", "["));
	for (uint32_t i = 0; i < n->found.profile->n_lanes; i++) {
		o->lane = &n->found.profile->lanes[i];
		if (export_ids_note_is_ranges(n->found.profile, o->lane))
			cut_each_span(o->lane, o->t0, o->t1, true, put_range, o);
	}
	for (size_t i = 0; i < n->found.notes->n; i++) {
		const struct span *span = &n->found.spans[i];

		if (list[i].kind == NOTE_LABEL && *list[i].text && !n->keys[i] &&
		    n->found.lanes[i] != UINT32_MAX && span->t0 < o->t1 && span->t1 > o->t0)
			put_label(o, span, list[i].text);
	}
	json_put(&o->w, json_end("]"), json_begin("linksBetweenEntries", "["));
	for (size_t i = 0; i + 1 < n->found.notes->n; i++)
		if (list[i].kind == NOTE_LINK && n->keys[i] && n->keys[i + 1])
			json_put(&o->w, json_begin(NULL, "{"), json_string("entryFrom", n->keys[i]),
				 json_string("entryTo", n->keys[i + 1]), json_end("}"));
	json_put(&o->w, json_end("]}"));
}

void export_ids_note_write(const struct export_ids_notes *n, const struct scope *scope,
			   int64_t base, struct buf *out)
{
	struct writing o = { .n = n,
			     .w = { .out = out },
			     .t0 = scope->t0,
			     .t1 = scope->t1 < n->found.profile->t1 ? scope->t1
								    : n->found.profile->t1,
			     .base = base };
	bool has_ranges = false;

	for (uint32_t i = 0; i < n->found.profile->n_lanes; i++)
		has_ranges |= export_ids_note_is_ranges(n->found.profile,
							&n->found.profile->lanes[i]);
	if (!n->found.notes->n && !n->found.profile->n_crumbs && !has_ranges)
		return;
	json_put(&o.w, json_begin("modifications", "{"));
	put_crumbs(&o);
	json_put(&o.w, json_begin("entriesModifications", "{"));
	put_keys(&o, "hiddenEntries", NOTE_HIDDEN);
	put_keys(&o, "expandableEntries", NOTE_EXPANDABLE);
	json_put(&o.w, json_end("}"));
	put_annotations(&o);
	json_put(&o.w, json_end("}"));
}
