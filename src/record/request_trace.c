/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All texts of a thread are read before anything is written, as a request has its route only at its
 * end. */
#include "config.h"

#include "record/request_trace.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/json/json_writer.h"
#include "base/sink.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/run.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The promise that goes on after an answer runs this long after it at most, in us. */
#define ANSWER_BEFORE 50
#define ANSWER_AFTER 5000
/* A request lies unread so long at most, in us. */
#define UNREAD_MAX 60000000
/* Headers and the rest of a short answer are read within this time; a request arrives within it; in
 * us. */
#define AT_ONCE 8000
#define PORTS 65536
/* The same of a connection that goes on when its name is looked up. */
#define NAME_BEFORE 50
#define NAME_AFTER 5000
/* What ended so long before the range may still tell of what is in it, in us. */
#define FORGET_AFTER 5000000

/* ---- names ---- */

static const char *protocol_of(const char *address)
{
	static const struct {
		const char *port, *name;
	} ports[] = { { ":5432", "pg " },       { ":3306", "mysql " },      { ":6379", "redis " },
		      { ":27017", "mongodb " }, { ":11211", "memcached " }, { ":5672", "amqp " },
		      { ":9092", "kafka " },    { ":1433", "mssql " } };
	const char *colon = strrchr(address, ':');

	for (size_t i = 0; colon && i < sizeof ports / sizeof *ports; i++)
		if (strcmp(colon, ports[i].port) == 0)
			return ports[i].name;
	return "";
}

/* The type of a resource of Node.js, in words. */
static const char *job_name(const char *type)
{
	static const struct {
		const char *begin, *name;
	} jobs[] = { { "FSREQ", "file" },
		     { "GETADDRINFO", "dns lookup" },
		     { "GETNAMEINFO", "dns lookup" },
		     { "PBKDF2", "crypto pbkdf2" },
		     { "SCRYPT", "crypto scrypt" },
		     { "RANDOM", "crypto random" },
		     { "HASH", "crypto hash" },
		     { "SIGN", "crypto sign" },
		     { "KEY", "crypto key" },
		     { "DERIVE", "crypto derive" },
		     { "CIPHER", "crypto cipher" },
		     { "ZLIB", "zlib" } };

	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		if (strncmp(type, jobs[i].begin, strlen(jobs[i].begin)) == 0)
			return jobs[i].name;
	return type;
}

static void name_item(const struct request_reader *t, const struct request_item *x, struct buf *out)
{
	const struct intern *s = &t->strings;

	buf_clear(out);
	if (x->kind != REQUEST_CONNECTION)
		buf_addf(out, "%s ", x->method ? intern_text(s, x->method) : "?");
	if (x->kind != REQUEST_SERVED)
		buf_adds(out, intern_text(s, x->host));
	if (x->route)
		buf_adds(out, intern_text(s, x->route));
	else
		text_add_route(out, intern_text(s, x->path), intern_len(s, x->path));
	if (!out->len)
		buf_adds(out, "connection");
}

static void name_wait(const struct request_reader *t, const struct request_wait *w, struct buf *out)
{
	const char *text = intern_text(&t->strings, w->name);

	buf_clear(out);
	buf_adds(out, w->letter == 'Q' ? protocol_of(text) : "");
	buf_adds(out, w->letter == 'T' ? job_name(text) : text);
	if (!out->len)
		buf_adds(out, "unknown");
}

/* ---- writing ---- */

struct out {
	struct json_writer w;
	struct sink *sink;
	const struct request_source *source;
	struct request_range range;
	struct buf name, id, owner;
};

/* Cut [t0, t1) to the range. False: nothing of it is there. */
static bool cut(const struct out *o, int64_t *t0, int64_t *t1)
{
	if (*t1 < o->range.t0 || *t0 >= o->range.t1)
		return false;
	*t0 = *t0 < o->range.t0 ? o->range.t0 : *t0;
	*t1 = *t1 > o->range.t1 ? o->range.t1 : *t1;
	return true;
}

/* How much of what lay unread before `end` is in [from, to). */
static int64_t cut_unread(int64_t unread, int64_t end, int64_t from, int64_t to)
{
	unread -= end - to;
	return unread < to - from ? unread : to - from;
}

static void set_id(const struct out *o, char letter, int64_t id, struct buf *to)
{
	buf_clear(to);
	buf_addf(to, "%c%" PRId64 ".%" PRId64 ".%" PRId64, letter, o->source->pid, o->source->tid,
		 id);
}

/* What all events have. The caller adds args and the end. */
static void begin_event(struct out *o, char ph, const char *cat, int64_t ts)
{
	const char letter[2] = { ph, '\0' };

	json_put(&o->w, json_begin(NULL, "{"), json_string("ph", letter), json_string("cat", cat),
		 json_text("name", buf_text(&o->name), o->name.len),
		 json_integer("pid", o->source->pid),
		 json_integer("tid", o->source->tid ? o->source->tid : o->source->pid),
		 json_integer("ts", ts));
	if (ph != 'X')
		json_put(&o->w, json_text("id", buf_text(&o->id), o->id.len));
}

static void end_async(struct out *o, const char *cat, int64_t ts)
{
	json_put(&o->w, json_end("}}"));
	begin_event(o, 'e', cat, ts);
	json_put(&o->w, json_begin("args", "{"), json_end("}}"));
	sink_step(o->sink);
}

static struct json_item member(const struct request_reader *t, const char *key, str_id text)
{
	return json_if(text != 0, json_string(key, intern_text(&t->strings, text)));
}

static void set_owner(struct out *o, int64_t owner)
{
	buf_clear(&o->owner);
	if (owner > 0)
		set_id(o, 'r', owner, &o->owner);
}

static void write_item(struct out *o, const struct request_reader *t, const struct request_item *x)
{
	static const char *const cats[] = { "http.server", "http.client", "connect" };
	static const char letters[] = "rcn";
	const char *cat = cats[x->kind];
	bool is_served = x->kind == REQUEST_SERVED;
	char trace[4 * 8 + 1];
	int64_t last = x->t0 > t->last ? x->t0 : t->last, end = x->t1 != INT64_MIN ? x->t1 : last;
	int64_t from = x->arrived, to = end, unread, sent, headers;

	if (!cut(o, &from, &to))
		return;
	sent = x->sent >= from ? x->sent - from : -1;
	headers = x->headers >= from ? x->headers - from : -1;
	unread = cut_unread(x->unread, end, from, to);
	name_item(t, x, &o->name);
	set_id(o, letters[x->kind], x->id, &o->id);
	set_owner(o, x->owner);
	snprintf(trace, sizeof trace, "%08x%08x%08x%08x", x->trace[0], x->trace[1], x->trace[2],
		 x->trace[3]);
	begin_event(o, 'b', cat, from);
	json_put(&o->w, json_begin("args", "{"), member(t, "method", x->method),
		 member(t, "host", x->host), member(t, "path", x->path),
		 member(t, "route", x->route),
		 json_if(x->status != 0, json_integer("status", x->status)),
		 json_if(from < x->t0, json_integer("unread", (x->t0 < to ? x->t0 : to) - from)),
		 json_if(unread > 0, json_integer("unread", unread)), member(t, "error", x->error),
		 json_if(o->owner.len > 0, json_string("request", buf_text(&o->owner))),
		 json_if(strspn(trace, "0") < strlen(trace), json_string("trace", trace)),
		 json_if(is_served && x->remote != 0, json_integer("remotePort", x->remote)),
		 json_if(is_served && x->local != 0, json_integer("port", x->local)),
		 json_if(sent >= 0, json_integer("sent", sent)),
		 json_if(headers >= 0, json_integer("headers", headers)),
		 json_if(x->is_reused, json_boolean("reused", true)),
		 json_if(x->is_aborted, json_boolean("aborted", true)),
		 json_if(x->was_open || x->arrived < from, json_boolean("open", true)),
		 json_if(x->t1 == INT64_MIN || to < end, json_boolean("unfinished", true)));
	end_async(o, cat, to);
}

static void write_wait(struct out *o, const struct request_reader *t, const struct request_wait *w,
		       size_t number)
{
	const char *cat = w->letter == 'Q' ? "socket"
		: w->letter == 'D'         ? "dns"
		: w->letter == 'I'         ? "connect"
					   : "thread pool";
	int64_t from = w->t0, end = w->t0 + w->us, to = end, unread;

	if (!cut(o, &from, &to))
		return;
	unread = cut_unread(w->unread, end, from, to);
	name_wait(t, w, &o->name);
	set_id(o, 'w', (int64_t)number, &o->id);
	set_owner(o, w->owner);
	begin_event(o, 'b', cat, from);
	json_put(&o->w, json_begin("args", "{"),
		 json_if(o->owner.len > 0, json_string("request", buf_text(&o->owner))),
		 json_if(unread > 0, json_integer("unread", unread)),
		 json_if(w->letter == 'Q', json_integer("socket", w->socket)),
		 json_if(w->letter == 'Q', json_integer("writes", w->writes)),
		 json_if(w->letter == 'Q', json_integer("bytes", w->bytes)),
		 json_if(w->letter == 'T' && t->pool > 0, json_integer("threads", t->pool)));
	end_async(o, cat, to);
}

static void write_runs(struct out *o, struct request_reader *t)
{
	for (size_t i = 0; i < t->n_runs; i++) {
		int64_t begin = t->runs[i].t, end = i + 1 < t->n_runs ? t->runs[i + 1].t : t->last;
		const struct request_item *x = request_reader_find(t, t->runs[i].owner);

		if (!x || x->kind != REQUEST_SERVED || !cut(o, &begin, &end) || end <= begin)
			continue;
		name_item(t, x, &o->name);
		set_owner(o, x->id);
		begin_event(o, 'X', "request.cpu", begin);
		json_put(&o->w, json_integer("dur", end - begin), json_begin("args", "{"),
			 json_string("request", buf_text(&o->owner)), json_end("}}"));
		sink_step(o->sink);
	}
}

static int by_connection(const void *a, const void *b)
{
	const struct request_arrival *x = a, *y = b;

	return SORT_BY_3(x->remote, y->remote, x->local, y->local, x->seen, y->seen);
}

/* The request whose connection went on with a name when it was looked up; 0: none. A connection
 * asks for its name at once when it begins: of several, the last that began before is the one. */
static int64_t owner_of_name(const struct request_reader *t, const struct request_wait *w)
{
	int64_t end = w->t0 + w->us;
	size_t lo = 0, n = t->n_lookups;
	const struct request_lookup *found = NULL;

	SORT_BISECT(lo, n, mid, t->lookups[mid].t1 < end - NAME_BEFORE);
	for (; lo < t->n_lookups && t->lookups[lo].t1 <= end + NAME_AFTER; lo++) {
		const struct request_lookup *l = &t->lookups[lo];

		if (l->name == w->name && l->t0 <= w->t0 && (!found || l->t0 > found->t0))
			found = l;
	}
	return found ? found->owner : 0;
}

/* Of a wait whose answer some request went on with, that request is the owner; of one that was
 * written while another answer was handled, none is known to be. */
static void find_owners(struct request_reader *t)
{
	for (size_t k = 0; k < t->n_waits; k++) {
		struct request_wait *w = &t->waits[k];
		int64_t end = w->t0 + w->us,
			from = w->us > ANSWER_BEFORE ? end - ANSWER_BEFORE : w->t0;
		size_t a = 0;

		if (w->letter == 'D')
			w->owner = owner_of_name(t, w);
		if (w->letter != 'Q')
			continue;
		SORT_BISECT(a, t->n_answers, mid, t->answers[mid].t < from);
		for (; a < t->n_answers && t->answers[a].t <= end + ANSWER_AFTER; a++)
			if (t->answers[a].socket == w->socket) {
				w->owner = t->answers[a].owner;
				break;
			}
		if (w->owner < 0)
			w->owner = 0;
	}
}

/* Find the first arrival of a connection that was seen at this time or later. */
static size_t first_arrival(const struct request_reader *t, int64_t remote, int64_t local,
			    int64_t seen)
{
	const struct request_arrival from = { remote, local, seen, 0 };
	size_t lo = 0, n = t->n_arrivals;

	SORT_BISECT(lo, n, mid, by_connection(&t->arrivals[mid], &from) < 0);
	return lo;
}

/* What lies unread on a connection after the request before was answered is the next one. If that
 * one was sent earlier, it is what lies unread after the one before was read. */
static void find_arrivals(struct request_reader *t)
{
	const struct request_item **last = xcalloc(
		PORTS, sizeof(struct request_item *)); /* by remote port */

	for (size_t i = 0; i < t->n_items; i++) {
		struct request_item *x = &t->items[i];
		const struct request_item *y = NULL;
		int64_t from = x->t0 - UNREAD_MAX;

		if (x->kind != REQUEST_SERVED)
			continue;
		if (x->remote > 0 && x->remote < PORTS) {
			y = last[x->remote];
			last[x->remote] = x;
		}
		if (x->was_open)
			continue;
		if (y && y->t0 >= from)
			from = (y->t1 > y->t0 && y->t1 < x->t0 ? y->t1 : y->t0) + 1;
		for (size_t k = first_arrival(t, x->remote, x->local, x->t0); k-- > 0;) {
			const struct request_arrival *a = &t->arrivals[k];
			int64_t arrived = a->arrived > from ? a->arrived : from;

			/* The request before is not known if the script began after it. */
			if (a->remote != x->remote || a->local != x->local || a->seen < from ||
			    !a->arrived ||
			    (!y && x->arrived < x->t0 && arrived < x->arrived - AT_ONCE))
				break;
			if (arrived < x->arrived)
				x->arrived = arrived;
		}
	}
	free(last);
}

/* How long before `end` the answer to what was sent at `sent` lay unread, which was read at `read`.
 * What is seen last before that counts: when all is read, more may have come. */
static int64_t find_unread(const struct request_reader *t, int64_t remote, int64_t local,
			   int64_t sent, int64_t read, int64_t end)
{
	size_t k = first_arrival(t, remote, local, read);
	const struct request_arrival *a = k > 0 ? &t->arrivals[k - 1] : NULL;

	return a && local > 0 && a->remote == remote && a->local == local && a->seen > sent &&
			a->arrived > 0 && a->arrived < read
		? end - (a->arrived > sent ? a->arrived : sent)
		: 0;
}

static void find_answers(struct request_reader *t)
{
	for (size_t i = 0; i < t->n_items; i++) {
		struct request_item *x = &t->items[i];
		bool is_ended = x->kind == REQUEST_CALL && x->t1 != INT64_MIN && !x->was_open,
		     is_short = is_ended && x->headers != INT64_MIN && x->t1 - x->headers < AT_ONCE;

		if (is_ended)
			x->unread = find_unread(t, x->remote, x->local,
						x->sent != INT64_MIN ? x->sent : x->t0,
						is_short ? x->headers : x->t1, x->t1);
	}
	for (size_t i = 0; i < t->n_waits; i++) {
		struct request_wait *w = &t->waits[i];
		int64_t end = w->t0 + w->us;

		w->unread = find_unread(t, w->remote, w->local, w->t0, end, end);
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct request_wait *x = a, *y = b;

	return SORT_BY_1(x->t0, y->t0);
}

static void write_names(struct out *o)
{
	const struct request_source *s = o->source;
	int64_t tid = s->tid ? s->tid : s->pid;

	for (int i = 0; i < 2; i++) {
		const char *name = i == 0 ? s->process : s->tid ? s->thread : "requests on the CPU";

		if (*name)
			json_put(&o->w, json_begin(NULL, "{"), json_string("ph", "M"),
				 json_string("name", i == 0 ? "process_name" : "thread_name"),
				 json_integer("pid", s->pid), json_integer("tid", tid),
				 json_begin("args", "{"), json_string("name", name),
				 json_end("}}"));
	}
}

static void write_thread(struct out *o, struct request_counts *counts)
{
	struct request_reader own, *t = o->source->reader;

	if (!t) {
		request_reader_init(&own);
		t = &own;
	}
	request_reader_take(t, o->source->texts, o->range, counts);
	if (t != &own)
		request_reader_forget(t, o->range.t0 - FORGET_AFTER);
	if (t->n_waits)
		qsort(t->waits, t->n_waits, sizeof *t->waits, by_begin);
	find_owners(t);
	if (t->n_arrivals) {
		qsort(t->arrivals, t->n_arrivals, sizeof *t->arrivals, by_connection);
		find_arrivals(t);
		find_answers(t);
	}
	write_names(o);
	for (size_t i = 0; i < t->n_items; i++) {
		write_item(o, t, &t->items[i]);
		counts->n_served += t->items[i].kind == REQUEST_SERVED;
		counts->n_calls += t->items[i].kind == REQUEST_CALL;
	}
	for (size_t i = 0; i < t->n_waits; i++)
		write_wait(o, t, &t->waits[i], i);
	counts->n_waits += t->n_waits;
	write_runs(o, t);
	if (t == &own)
		request_reader_done(t);
}

void request_trace_write(const struct request_source *sources, size_t n, struct request_range range,
			 struct sink *sink, struct request_counts *counts)
{
	struct out o = { .w = { .out = sink_buf(sink) }, .sink = sink, .range = range };

	*counts = (struct request_counts){ 0 };
	json_put(&o.w, json_begin(NULL, "{"), json_begin("traceEvents", "["));
	for (size_t i = 0; i < n; i++) {
		o.source = &sources[i];
		write_thread(&o, counts);
	}
	json_put(&o.w, json_end("]}"));
	buf_addc(sink_buf(sink), '\n');
	buf_done(&o.name);
	buf_done(&o.id);
	buf_done(&o.owner);
}

/* ---- the file ---- */

void request_trace_lacks(const struct request_counts *c, void (*say)(void *ctx, const char *line),
			 void *ctx)
{
	const struct {
		uint64_t n;
		const char *what;
	} lacks[] = {
		{ c->n_lost, "events of requests are missing: too many came within a second" },
		{ c->n_unseen,
		  "requests of HTTP/2 are missing: Node.js 18 and 20 do not tell of them" },
		{ c->n_errors + c->n_broken, "events of requests could not be read" },
	};

	for (size_t i = 0; i < ARRAY_LEN(lacks); i++) {
		BUF_LOCAL line = { 0 };

		if (!lacks[i].n)
			continue;
		buf_addf(&line, "%s %s", units_count(lacks[i].n, UNITS_ROOM), lacks[i].what);
		say(ctx, buf_text(&line));
	}
}

void request_trace_warn(void *ctx, const char *line)
{
	(void)ctx;
	run_warn("%s", line);
}

bool request_trace_file(const struct request_source *sources, size_t n, struct request_range range,
			const char *path, bool is_forced, struct request_counts *counts,
			struct error *err)
{
	struct sink *sink = sink_open(path, is_forced, err);

	if (!sink)
		return false;
	request_trace_write(sources, n, range, sink, counts);
	return sink_close(sink, err);
}

bool request_trace_save(struct run *run, const struct request_source *sources, size_t n,
			const char *path)
{
	struct error err = ERROR_INIT;
	struct request_counts counts = { 0 };

	if (!request_trace_file(sources, n, REQUEST_RANGE_ALL, path, run->options.is_forced,
				&counts, &err))
		return run_complain_output(run, path, &err);
	if (counts.n_served + counts.n_calls + counts.n_waits == 0)
		run_warn("no requests were seen");
	request_trace_lacks(&counts, request_trace_warn, NULL);
	return true;
}
