/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All texts of a thread are read before anything is written, as a request has its route only at its
 * end. Two tables: what began and has an id (struct item), and what comes as a whole (struct wait);
 * and the changes of the request that the thread runs for. */
#include "config.h"

#include "record/request_trace.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/intern.h"
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

#define FIELDS 16
/* The promise that goes on after an answer runs this long after it at most, in us. */
#define ANSWER_BEFORE 50
#define ANSWER_AFTER 5000
/* A request lies unread so long at most, in us. */
#define UNREAD_MAX 60000000
/* Headers and the rest of a short answer are read within this time; a request arrives within it; in
 * us. */
#define AT_ONCE 8000
#define PORTS 65536
/* No time is beyond, in us; a field of a record is below a tenth of it. */
#define TIME_MAX INT64_C(1000000000000000000)
/* The same of a connection that goes on when its name is looked up. */
#define NAME_BEFORE 50
#define NAME_AFTER 5000

enum item_kind { SERVED, CALL, CONNECTION };

/* A request, a call or a connection; times in us. */
struct item {
	int64_t id, owner;
	int64_t t0, t1;        /* t1: INT64_MIN: it has not ended */
	int64_t sent, headers; /* INT64_MIN: not told */
	int64_t arrived;       /* served: when its bytes came; t0: not before they were read */
	int64_t status;        /* 0: none */
	int64_t remote, local; /* ports; of a call: of its connection, 0: not known */
	int64_t unread;        /* call: for so long before its end the answer lay unread */
	str_id method, host, path, route, error;
	uint32_t trace[4]; /* served: the 128 bits of its id; 0: not known */
	enum item_kind kind;
	bool was_open, is_aborted, is_reused, is_left; /* is_left: not followed to its end */
};

struct wait {
	char letter; /* of its record: Q, D, I, T */
	int64_t t0, us, owner, socket, writes, bytes;
	int64_t remote, local, unread; /* Q: as of an item */
	str_id name;
};

struct change {
	int64_t t, owner;
};

/* A name that a connection waited for. */
struct lookup {
	int64_t t0, t1, owner;
	str_id name;
};

/* The request that went on after an answer. */
struct answer {
	int64_t t, socket, owner;
};

/* At `seen` bytes of a connection lie unread; arrived: the last of them; 0: none do
 * (record/remote/socket_watch.h). */
struct arrival {
	int64_t remote, local, seen, arrived;
};

struct thread {
	struct intern strings;
	struct item *items;
	size_t n_items, cap_items;
	struct hash_table index; /* of items, by id */
	struct wait *waits;
	size_t n_waits, cap_waits;
	struct change *runs;
	size_t n_runs, cap_runs;
	struct answer *answers;
	size_t n_answers, cap_answers;
	struct arrival *arrivals;
	size_t n_arrivals, cap_arrivals;
	struct lookup *lookups;
	size_t n_lookups, cap_lookups;
	int64_t last; /* of the last text */
	int64_t pool; /* threads of the pool; 0: not known */
};

struct record {
	char letter;
	int64_t field[FIELDS]; /* 0: not given */
};

/* The texts of one pull: by number. 0 and 1 are no texts. */
struct texts {
	str_id *all;
	size_t n, cap;
};

/* ---- reading ---- */

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* %XX stands for a byte. */
static str_id read_text(struct intern *strings, const char *p, const char *end)
{
	struct buf text = { 0 };
	str_id id;

	for (; p < end; p++) {
		if (*p == '%' && end - p > 2 && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0) {
			buf_addc(&text, (char)(hex_digit(p[1]) * 16 + hex_digit(p[2])));
			p += 2;
		} else {
			buf_addc(&text, *p);
		}
	}
	id = intern_add(strings, buf_text(&text), text.len);
	buf_done(&text);
	return id;
}

/* Read the numbers of a record that ends at `end`. False: it has something else. */
static bool read_fields(struct record *r, const char *p, const char *end)
{
	for (size_t n = 0; n < FIELDS; n++) {
		bool is_negative = p < end && *p == '-';
		uint64_t value = 0;
		size_t digits = 0;

		for (p += is_negative; p < end && *p >= '0' && *p <= '9' && digits < 17; digits++)
			value = value * 10 + (uint64_t)(*p++ - '0');
		if (!digits)
			return false;
		r->field[n] = is_negative ? -(int64_t)value : (int64_t)value;
		if (p == end)
			return true;
		if (*p++ != ',')
			return false;
	}
	return false;
}

static str_id text_of(const struct texts *texts, int64_t number)
{
	return number >= 2 && (uint64_t)number - 2 < texts->n ? texts->all[number - 2] : 0;
}

static struct item *find_item(struct thread *t, int64_t id)
{
	struct hash_probe probe = hash_probe(hash_u64((uint64_t)id));

	while (hash_table_next(&t->index, &probe))
		if (t->items[probe.index].id == id)
			return &t->items[probe.index];
	return NULL;
}

static struct item *add_item(struct thread *t, enum item_kind kind, int64_t id, int64_t at)
{
	bool is_new = !find_item(t, id);

	t->items = xgrow(t->items, &t->cap_items, t->n_items + 1, sizeof *t->items);
	if (is_new)
		hash_table_add(&t->index, hash_u64((uint64_t)id), (uint32_t)t->n_items);
	t->items[t->n_items] = (struct item){ .id = id,
					      .kind = kind,
					      .t0 = at,
					      .arrived = at,
					      .t1 = INT64_MIN,
					      .sent = INT64_MIN,
					      .headers = INT64_MIN };
	return &t->items[t->n_items++];
}

static void add_served(struct thread *t, const struct texts *texts, int64_t at,
		       const struct record *r)
{
	struct item *x = add_item(t, SERVED, r->field[1], at);

	x->method = text_of(texts, r->field[3]);
	x->path = text_of(texts, r->field[4]);
	x->remote = r->field[5];
	x->local = r->field[6];
	x->was_open = r->letter == 'O';
}

static void add_trace(struct thread *t, const struct record *r)
{
	struct item *x = find_item(t, r->field[1]);

	for (size_t i = 0; x && i < ARRAY_LEN(x->trace); i++)
		x->trace[i] = (uint32_t)r->field[2 + i];
}

/* C has an owner, B has none. */
static void add_call(struct thread *t, const struct texts *texts, int64_t at,
		     const struct record *r)
{
	struct item *x = add_item(t, CALL, r->field[1], at);
	const int64_t *f = &r->field[r->letter == 'C' ? 4 : 3];

	x->owner = r->letter == 'C' ? r->field[2] : 0;
	x->method = text_of(texts, f[0]);
	x->host = text_of(texts, f[1]);
	x->path = text_of(texts, f[2]);
	x->was_open = r->letter == 'B';
}

static void end_item(struct thread *t, const struct texts *texts, int64_t at,
		     const struct record *r)
{
	struct item *x = find_item(t, r->field[1]);

	if (!x || x->t1 != INT64_MIN)
		return;
	switch (r->letter) {
	case 'F':
		x->status = r->field[2];
		x->route = text_of(texts, r->field[3]);
		break;
	case 'A':
		x->route = text_of(texts, r->field[2]);
		x->is_aborted = true;
		break;
	case 'K':
		x->host = text_of(texts, r->field[2]);
		break;
	case 'U':
		x->is_left = true;
		return;
	default: /* E, X */
		x->error = text_of(texts, r->field[2]);
		break;
	}
	x->t1 = at;
}

static void pass_item(struct thread *t, int64_t at, const struct record *r)
{
	struct item *x = find_item(t, r->field[1]);

	const int64_t *ports = &r->field[r->letter == 'W' ? 4 : 3];

	if (!x)
		return;
	if (r->letter == 'W') {
		x->sent = at;
		x->is_reused = r->field[3] != 0;
	} else {
		x->headers = at;
		x->status = r->field[2];
	}
	if (x->kind == CALL && ports[0] > 0)
		x->remote = ports[0], x->local = ports[1];
}

static void add_wait(struct thread *t, const struct texts *texts, int64_t at,
		     const struct record *r)
{
	const int64_t *f = r->field;
	struct wait w = { .letter = r->letter, .t0 = at };

	if (r->letter == 'Q')
		w = (struct wait){ .letter = 'Q',
				   .t0 = at,
				   .us = f[3],
				   .owner = f[2],
				   .socket = f[1],
				   .writes = f[4],
				   .bytes = f[5],
				   .remote = f[7],
				   .local = f[8],
				   .name = text_of(texts, f[6]) };
	else
		w.us = f[1], w.name = text_of(texts, f[2]);
	if (r->letter == 'T')
		w.owner = f[3];
	if (w.us < 0)
		return;
	*ARRAY_ADD(t->waits, t->n_waits, t->cap_waits) = w;
}

static void add_lookup(struct thread *t, const struct texts *texts, int64_t at,
		       const struct record *r)
{
	const struct item *x = find_item(t, r->field[1]);

	if (!x || x->owner <= 0)
		return;
	*ARRAY_ADD(t->lookups, t->n_lookups, t->cap_lookups) =
		(struct lookup){ x->t0, at, x->owner, text_of(texts, r->field[3]) };
}

static void take(struct thread *t, const struct texts *texts, int64_t at, const struct record *r)
{
	switch (r->letter) {
	case 'S':
	case 'O':
		add_served(t, texts, at, r);
		break;
	case 'V':
		add_trace(t, r);
		break;
	case 'C':
	case 'B':
		add_call(t, texts, at, r);
		break;
	case 'N':
		add_item(t, CONNECTION, r->field[1], at)->owner = r->field[2];
		break;
	case 'L':
		add_lookup(t, texts, at, r);
		break;
	case 'W':
	case 'H':
		pass_item(t, at, r);
		break;
	case 'F':
	case 'A':
	case 'E':
	case 'K':
	case 'X':
	case 'U':
		end_item(t, texts, at, r);
		break;
	case 'Q':
	case 'D':
	case 'I':
	case 'T':
		add_wait(t, texts, at, r);
		break;
	case 'G':
		*ARRAY_ADD(t->answers, t->n_answers,
			   t->cap_answers) = (struct answer){ at, r->field[1], r->field[2] };
		break;
	case 'R':
		*ARRAY_ADD(t->runs, t->n_runs, t->cap_runs) = (struct change){ at, r->field[1] };
		break;
	default: /* of a later script */
		break;
	}
}

/* The first record of a text. */
static bool read_head(const char *p, const char *end, struct thread *t, int64_t *from,
		      struct request_counts *counts)
{
	struct record r = { 0 };

	if (end - p < 3 || memcmp(p, "v1,", 3) != 0 || !read_fields(&r, p + 3, end))
		return false;
	t->last = r.field[0];
	t->pool = r.field[10];
	*from = r.field[1];
	counts->n_lost += (uint64_t)r.field[4];
	counts->n_errors = (uint64_t)r.field[6];
	counts->n_unseen = (uint64_t)r.field[9];
	return true;
}

/* What the kernel told. False: it is damaged. */
static bool read_arrivals(struct thread *t, struct str text)
{
	const char *end = text.p + text.len;

	for (const char *p = text.p + 2; p < end;) {
		const char *stop = memchr(p + 1, ';', (size_t)(end - p - 1));
		struct record r = { 0 };

		stop = stop ? stop : end;
		if (*p != ';' || !read_fields(&r, p + 1, stop))
			return false;
		*ARRAY_ADD(t->arrivals, t->n_arrivals, t->cap_arrivals) =
			(struct arrival){ r.field[0], r.field[1], r.field[2], r.field[3] };
		p = stop;
	}
	return true;
}

/* False: it is damaged; what stands before is kept. */
static bool read_pull(struct thread *t, struct str text, struct request_counts *counts)
{
	const char *p = text.p, *end = text.p + text.len;
	struct texts texts = { 0 };
	bool is_head = true, is_good = true;
	int64_t at = 0;

	while (p < end && is_good) {
		const char *stop = memchr(p, ';', (size_t)(end - p));
		struct record r = { .letter = *p };

		stop = stop ? stop : end;
		if (is_head) {
			is_good = read_head(p, stop, t, &at, counts);
			is_head = false;
		} else if (*p == 's') {
			*ARRAY_ADD(texts.all, texts.n, texts.cap) = read_text(&t->strings, p + 1,
									      stop);
		} else {
			is_good = stop > p && read_fields(&r, p + 1, stop) &&
				!__builtin_add_overflow(at, r.field[0], &at) && at <= TIME_MAX &&
				at >= -TIME_MAX;
			if (is_good)
				take(t, &texts, at, &r);
		}
		p = stop + 1;
	}
	free(texts.all);
	return is_good;
}

static void read_thread(struct thread *t, struct str texts, struct request_counts *counts)
{
	struct request_counts own = { 0 };
	const char *p = texts.p, *end = texts.p + texts.len;

	intern_init(&t->strings);
	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		stop = stop ? stop : end;
		if (stop - p >= 2 && memcmp(p, "k1", 2) == 0)
			own.n_broken += !read_arrivals(t, (struct str){ p, (size_t)(stop - p) });
		else
			own.n_broken += !read_pull(t, (struct str){ p, (size_t)(stop - p) }, &own);
		p = stop + 1;
	}
	counts->n_lost += own.n_lost;
	counts->n_errors += own.n_errors;
	counts->n_unseen += own.n_unseen;
	counts->n_broken += own.n_broken;
}

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

static void name_item(const struct thread *t, const struct item *x, struct buf *out)
{
	const struct intern *s = &t->strings;

	buf_clear(out);
	if (x->kind != CONNECTION)
		buf_addf(out, "%s ", x->method ? intern_text(s, x->method) : "?");
	if (x->kind != SERVED)
		buf_adds(out, intern_text(s, x->host));
	if (x->route)
		buf_adds(out, intern_text(s, x->route));
	else
		text_add_route(out, intern_text(s, x->path), intern_len(s, x->path));
	if (!out->len)
		buf_adds(out, "connection");
}

static void name_wait(const struct thread *t, const struct wait *w, struct buf *out)
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

static struct json_item member(const struct thread *t, const char *key, str_id text)
{
	return json_if(text != 0, json_string(key, intern_text(&t->strings, text)));
}

static void set_owner(struct out *o, int64_t owner)
{
	buf_clear(&o->owner);
	if (owner > 0)
		set_id(o, 'r', owner, &o->owner);
}

static void write_item(struct out *o, const struct thread *t, const struct item *x)
{
	static const char *const cats[] = { "http.server", "http.client", "connect" };
	static const char letters[] = "rcn";
	const char *cat = cats[x->kind];
	bool is_served = x->kind == SERVED;
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

static void write_wait(struct out *o, const struct thread *t, const struct wait *w, size_t number)
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

static void write_runs(struct out *o, struct thread *t)
{
	for (size_t i = 0; i < t->n_runs; i++) {
		int64_t begin = t->runs[i].t, end = i + 1 < t->n_runs ? t->runs[i + 1].t : t->last;
		const struct item *x = find_item(t, t->runs[i].owner);

		if (!x || x->kind != SERVED || !cut(o, &begin, &end) || end <= begin)
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
	const struct arrival *x = a, *y = b;

	return SORT_BY_3(x->remote, y->remote, x->local, y->local, x->seen, y->seen);
}

/* The request whose connection went on with a name when it was looked up; 0: none. */
static int64_t owner_of_name(const struct thread *t, const struct wait *w)
{
	int64_t end = w->t0 + w->us;
	size_t lo = 0, n = t->n_lookups;

	SORT_BISECT(lo, n, mid, t->lookups[mid].t1 < end - NAME_BEFORE);
	for (; lo < t->n_lookups && t->lookups[lo].t1 <= end + NAME_AFTER; lo++)
		if (t->lookups[lo].name == w->name && t->lookups[lo].t0 <= w->t0)
			return t->lookups[lo].owner;
	return 0;
}

/* Of a wait whose answer some request went on with, that request is the owner; of one that was
 * written while another answer was handled, none is known to be. */
static void find_owners(struct thread *t)
{
	for (size_t k = 0; k < t->n_waits; k++) {
		struct wait *w = &t->waits[k];
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
static size_t first_arrival(const struct thread *t, int64_t remote, int64_t local, int64_t seen)
{
	const struct arrival from = { remote, local, seen, 0 };
	size_t lo = 0, n = t->n_arrivals;

	SORT_BISECT(lo, n, mid, by_connection(&t->arrivals[mid], &from) < 0);
	return lo;
}

/* What lies unread on a connection after the request before was answered is the next one. If that
 * one was sent earlier, it is what lies unread after the one before was read. */
static void find_arrivals(struct thread *t)
{
	const struct item **last = xcalloc(PORTS, sizeof(struct item *)); /* by remote port */

	for (size_t i = 0; i < t->n_items; i++) {
		struct item *x = &t->items[i];
		const struct item *y = NULL;
		int64_t from = x->t0 - UNREAD_MAX;

		if (x->kind != SERVED)
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
			const struct arrival *a = &t->arrivals[k];
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
static int64_t find_unread(const struct thread *t, int64_t remote, int64_t local, int64_t sent,
			   int64_t read, int64_t end)
{
	size_t k = first_arrival(t, remote, local, read);
	const struct arrival *a = k > 0 ? &t->arrivals[k - 1] : NULL;

	return a && local > 0 && a->remote == remote && a->local == local && a->seen > sent &&
			a->arrived > 0 && a->arrived < read
		? end - (a->arrived > sent ? a->arrived : sent)
		: 0;
}

static void find_answers(struct thread *t)
{
	for (size_t i = 0; i < t->n_items; i++) {
		struct item *x = &t->items[i];
		bool is_ended = x->kind == CALL && x->t1 != INT64_MIN && !x->was_open,
		     is_short = is_ended && x->headers != INT64_MIN && x->t1 - x->headers < AT_ONCE;

		if (is_ended)
			x->unread = find_unread(t, x->remote, x->local,
						x->sent != INT64_MIN ? x->sent : x->t0,
						is_short ? x->headers : x->t1, x->t1);
	}
	for (size_t i = 0; i < t->n_waits; i++) {
		struct wait *w = &t->waits[i];
		int64_t end = w->t0 + w->us;

		w->unread = find_unread(t, w->remote, w->local, w->t0, end, end);
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

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
	struct thread t = { 0 };

	read_thread(&t, o->source->texts, counts);
	if (t.n_waits)
		qsort(t.waits, t.n_waits, sizeof *t.waits, by_begin);
	find_owners(&t);
	if (t.n_arrivals) {
		qsort(t.arrivals, t.n_arrivals, sizeof *t.arrivals, by_connection);
		find_arrivals(&t);
		find_answers(&t);
	}
	write_names(o);
	for (size_t i = 0; i < t.n_items; i++) {
		write_item(o, &t, &t.items[i]);
		counts->n_served += t.items[i].kind == SERVED;
		counts->n_calls += t.items[i].kind == CALL;
	}
	for (size_t i = 0; i < t.n_waits; i++)
		write_wait(o, &t, &t.waits[i], i);
	counts->n_waits += t.n_waits;
	write_runs(o, &t);
	intern_done(&t.strings);
	hash_table_done(&t.index);
	free(t.items);
	free(t.waits);
	free(t.runs);
	free(t.answers);
	free(t.arrivals);
	free(t.lookups);
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

/* Say what the trace of requests lacks. */
static void tell_counts(const struct request_counts *c)
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

	if (c->n_served + c->n_calls + c->n_waits == 0)
		run_warn("no requests were seen");
	for (size_t i = 0; i < ARRAY_LEN(lacks); i++)
		if (lacks[i].n)
			run_warn("%s %s", units_count(lacks[i].n, UNITS_ROOM), lacks[i].what);
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

	if (request_trace_file(sources, n, REQUEST_RANGE_ALL, path, run->options.is_forced, &counts,
			       &err))
		tell_counts(&counts);
	else
		run_complain_output(run, path, &err);
	return err.kind == ERR_NONE;
}
