/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that a process serves, in the trace that a recording with --requests has: async events
 * with args, which tell by an id the request that caused them (formats(5), TRACES). An event may
 * come before that of its request, so all are kept until the end. Trace logs of Node.js have such
 * events, too: without what requests waited for, and when the thread ran for them. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct served_event {
	enum trace_served_kind kind;
	uint64_t id, request; /* hashes; request: 0: none */
	int64_t t0, t1;       /* t1: INT64_MIN: it has no end */
	int64_t pid, tid, offset, status, socket, unread;
	int64_t after; /* its end is so long after that of its events */
	text_id name, path, route, error, trace, method;
	size_t latest; /* of the first event of an id: the index of the last one so far */
	bool was_open, is_open, is_aborted, is_sampled;
	bool is_logged; /* by Node.js, whose events have no name: it is made of method and path */
};

struct trace_serveds {
	struct served_event *all;
	size_t n, cap;
	struct hash_table index; /* by id */
};

enum trace_served_kind trace_served_kind_of(struct str category)
{
	for (unsigned i = 0; served_category(i); i++)
		if (str_is(category, served_category(i)))
			return (enum trace_served_kind)(i + TRACE_SERVED);
	return TRACE_SERVED_NOT;
}

enum trace_served_kind trace_served_of(const struct trace *t, text_id cat, text_id name)
{
	const struct trace_text *text = trace_text_get(&t->texts, name);
	uint8_t kind = trace_text_get(&t->texts, cat)->served;

	if (kind == TRACE_SERVED_NOT && text->meaning == MEANS_HTTP)
		return text->p[strlen("http.")] == 's' ? TRACE_SERVED : TRACE_SERVED_CALL;
	return (enum trace_served_kind)kind;
}

static void free_served(struct trace *t)
{
	if (!t->served)
		return;
	free(t->served->all);
	hash_table_done(&t->served->index);
	free(t->served);
	t->served = NULL;
}

static struct served_event *find(struct trace_serveds *s, uint64_t id)
{
	struct hash_probe probe = hash_probe(id);

	while (hash_table_next(&s->index, &probe))
		if (s->all[probe.index].id == id)
			return &s->all[probe.index];
	return NULL;
}

/* Remember the id of the event that was added last. Ids may come again, and then the first event of
 * each stands for all: a chain of equal hashes would have to be passed for each of them. */
static void add_id(struct trace_serveds *s, uint64_t id)
{
	struct served_event *first = find(s, id);

	if (first)
		first->latest = s->n - 1;
	else
		hash_table_add(&s->index, id, (uint32_t)s->n - 1);
}

/* As the id of an event is read. */
static uint64_t id_of(const struct json_value *args)
{
	const char *text;
	size_t len;

	return json_tree_text(args, "request", &text, &len) ? hash_bytes(text, len) | 1 : 0;
}

/* What a log of Node.js says of a request: some of it in its first event, some in its last. */
static void take_logged(struct trace *t, struct served_event *x, const struct json_value *args)
{
	const struct json_value *data = json_tree_member(args, "data", JSON_OBJECT);
	text_id method = trace_text_in(t, data, "method"), url = trace_text_in(t, data, "url"),
		path = url ? url : trace_text_in(t, data, "path");

	x->is_logged = true;
	x->method = method ? method : x->method;
	x->path = path ? path : x->path;
	x->status = trace_text_number(data, "statusCode", 0, x->status);
}

/* A length in us; 0: it is none. */
static int64_t length_of(const struct json_value *args, const char *key)
{
	int64_t ns = trace_text_number(args, key, 3, 0);

	return ns > 0 ? ns : 0;
}

void trace_served_event(struct trace *t, const struct trace_event *e, enum trace_served_kind kind)
{
	struct trace_serveds *s = TRACE_KEPT(t, served);
	bool is_logged = trace_text_get(&t->texts, trace_resolve_category(t, e))->served ==
		TRACE_SERVED_NOT;
	/* A log has numbers for ids, which other processes have, too. */
	uint64_t id = is_logged ? trace_mix(e->id, (uint64_t)e->pid) : e->id;
	struct served_event *x = e->ph == 'e' ? find(s, id) : NULL;
	const struct json_value *args = trace_text_json(t, e->args);

	x = x ? &s->all[x->latest] : NULL;
	if (x && x->t1 == INT64_MIN && e->ts >= x->t0) {
		x->t1 = e->ts + x->after;
		if (is_logged)
			take_logged(t, x, args);
	}
	if ((e->ph != 'b' && e->ph != 'X') || !e->args.len)
		return;
	s->all = xgrow(s->all, &s->cap, s->n + 1, sizeof *s->all);
	s->all[s->n] = (struct served_event){
		.kind = kind,
		.id = e->ph == 'b' ? id : 0,
		.request = id_of(args),
		.t0 = e->ts - length_of(args, "before"),
		.t1 = e->ph == 'X' && e->has & HAS_DUR && e->dur > 0 ? e->ts + e->dur : INT64_MIN,
		.pid = e->pid,
		.tid = e->tid,
		.offset = e->offset,
		.status = trace_text_number(args, "status", 0, 0),
		.after = length_of(args, "after"),
		.unread = length_of(args, "unread"),
		.socket = trace_text_number(args, kind == TRACE_SERVED_JOB ? "threads" : "socket",
					    0, 0),
		.name = e->name,
		.path = trace_text_in(t, args, "path"),
		.route = trace_text_in(t, args, "route"),
		.error = trace_text_in(t, args, "error"),
		.trace = trace_text_in(t, args, "trace"),
		.was_open = trace_text_is_true(args, "open"),
		.is_open = trace_text_is_true(args, "unfinished"),
		.is_aborted = trace_text_is_true(args, "aborted"),
		.is_sampled = trace_text_is_true(args, "sampled"),
		.latest = s->n,
	};
	if (is_logged)
		take_logged(t, &s->all[s->n], args);
	s->n++;
	if (e->ph == 'b')
		add_id(s, id);
}

bool trace_served_has(const struct trace *t, int64_t pid)
{
	for (size_t i = 0; t->served && i < t->served->n; i++)
		if (t->served->all[i].kind == TRACE_SERVED && t->served->all[i].pid == pid)
			return true;
	return false;
}

/* ---- at the end ---- */

static str_id text_of(struct trace *t, text_id id)
{
	const struct trace_text *text = trace_text_get(&t->texts, id);

	return id ? builder_input_text(t->b, text->p, text->len) : 0;
}

/* As recordings name requests: `GET /users/:n`. */
static str_id name_of(struct trace *t, const struct served_event *x)
{
	struct str method = trace_text_str(&t->texts, x->method),
		   path = trace_text_str(&t->texts, x->path);
	BUF_LOCAL name = { 0 };

	if (!x->is_logged || !path.len)
		return text_of(t, x->name);
	buf_add(&name, method.p, method.len);
	buf_adds(&name, method.len ? " " : "");
	text_add_route(&name, path.p, strcspn(path.p, "?"));
	return builder_input_text(t->b, buf_text(&name), name.len);
}

static int by_begin(const void *a, const void *b)
{
	const struct served_event *x = a, *y = b;

	return SORT_BY_2(x->t0, y->t0, x->offset, y->offset);
}

static uint32_t add_request(struct trace *t, const struct served_event *x)
{
	return track_builder_served(t->b,
				    &(struct served){
					    .pid = x->pid,
					    .tid = x->tid,
					    .t0 = x->t0,
					    .t1 = x->t1 != INT64_MIN ? x->t1 : t->last,
					    .offset = x->offset,
					    .name = name_of(t, x),
					    .path = text_of(t, x->path),
					    .trace = text_of(t, x->trace),
					    .status = x->status,
					    .unread = x->unread,
					    .was_open = x->was_open,
					    .is_open = x->is_open || x->t1 == INT64_MIN,
					    .is_aborted = x->is_aborted,
					    .is_sampled = x->is_sampled,
					    .is_guessed = !x->route,
				    });
}

static void add_wait(struct trace *t, const struct served_event *x, uint32_t served)
{
	track_builder_served_wait(
		t->b,
		&(struct served_wait){
			.served = served,
			.kind = (enum served_wait_kind)(x->kind - TRACE_SERVED_CALL),
			.t0 = x->t0,
			.t1 = x->t1 != INT64_MIN ? x->t1 : t->last,
			.name = name_of(t, x),
			.error = text_of(t, x->error),
			.status = x->status,
			.socket = x->socket,
			.pid = x->pid,
			.unread = x->unread,
			.offset = x->offset,
		});
}

static void finish_served(struct trace *t)
{
	struct trace_serveds *s = t->served;
	uint32_t *number;

	if (!s || !s->n)
		return;
	qsort(s->all, s->n, sizeof *s->all, by_begin);
	hash_table_done(&s->index);
	number = xcalloc(s->n, sizeof *number);
	for (size_t i = 0; i < s->n; i++) {
		if (s->all[i].kind != TRACE_SERVED)
			continue;
		if (!find(s, s->all[i].id))
			hash_table_add(&s->index, s->all[i].id, (uint32_t)i);
		number[i] = add_request(t, &s->all[i]);
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct served_event *x = &s->all[i],
					  *of = x->request ? find(s, x->request) : NULL;
		uint32_t served = of ? number[of - s->all] : SERVED_NONE;

		if (x->kind == TRACE_SERVED_RUN && of && x->t1 != INT64_MIN)
			track_builder_served_run(
				t->b, &(struct served_run){ 0, served, x->t0, x->t1, x->offset });
		else if (x->kind != TRACE_SERVED_RUN && x->kind != TRACE_SERVED)
			add_wait(t, x, served);
	}
	free(number);
}

const struct trace_part trace_served_part = { finish_served, free_served };
