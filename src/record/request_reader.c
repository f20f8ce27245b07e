/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "record/request_reader.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#define FIELDS 16
/* No time is beyond, in us; a field of a record is below a tenth of it. */
#define TIME_MAX INT64_C(1000000000000000000)
#define OPEN_MAX 300000000 /* what is open for longer is forgotten, in us */
#define STRINGS_FEW 1000   /* texts that are never too many */

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

struct request_item *request_reader_find(const struct request_reader *t, int64_t id)
{
	struct hash_probe probe = hash_probe(hash_u64((uint64_t)id));

	while (hash_table_next(&t->index, &probe))
		if (t->items[probe.index].id == id)
			return &t->items[probe.index];
	return NULL;
}

/* Of items with one id, the first is found. */
static void index_item(struct request_reader *t, size_t i)
{
	int64_t id = t->items[i].id;

	if (!request_reader_find(t, id))
		hash_table_add(&t->index, hash_u64((uint64_t)id), (uint32_t)i);
}

static struct request_item *add_item(struct request_reader *t, enum request_kind kind, int64_t id,
				     int64_t at)
{
	t->items = xgrow(t->items, &t->cap_items, t->n_items + 1, sizeof *t->items);
	t->items[t->n_items] = (struct request_item){ .id = id,
						      .kind = kind,
						      .t0 = at,
						      .arrived = at,
						      .t1 = INT64_MIN,
						      .sent = INT64_MIN,
						      .headers = INT64_MIN };
	index_item(t, t->n_items);
	return &t->items[t->n_items++];
}

static void add_served(struct request_reader *t, const struct texts *texts, int64_t at,
		       const struct record *r)
{
	struct request_item *x = add_item(t, REQUEST_SERVED, r->field[1], at);

	x->method = text_of(texts, r->field[3]);
	x->path = text_of(texts, r->field[4]);
	x->remote = r->field[5];
	x->local = r->field[6];
	x->was_open = r->letter == 'O';
}

static void add_trace(struct request_reader *t, const struct record *r)
{
	struct request_item *x = request_reader_find(t, r->field[1]);

	for (size_t i = 0; x && i < ARRAY_LEN(x->trace); i++)
		x->trace[i] = (uint32_t)r->field[2 + i];
}

/* C has an owner, B has none. */
static void add_call(struct request_reader *t, const struct texts *texts, int64_t at,
		     const struct record *r)
{
	struct request_item *x = add_item(t, REQUEST_CALL, r->field[1], at);
	const int64_t *f = &r->field[r->letter == 'C' ? 4 : 3];

	x->owner = r->letter == 'C' ? r->field[2] : 0;
	x->method = text_of(texts, f[0]);
	x->host = text_of(texts, f[1]);
	x->path = text_of(texts, f[2]);
	x->was_open = r->letter == 'B';
}

static void end_item(struct request_reader *t, const struct texts *texts, int64_t at,
		     const struct record *r)
{
	struct request_item *x = request_reader_find(t, r->field[1]);

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

static void pass_item(struct request_reader *t, int64_t at, const struct record *r)
{
	struct request_item *x = request_reader_find(t, r->field[1]);

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
	if (x->kind == REQUEST_CALL && ports[0] > 0)
		x->remote = ports[0], x->local = ports[1];
}

static void add_wait(struct request_reader *t, const struct texts *texts, int64_t at,
		     const struct record *r)
{
	const int64_t *f = r->field;
	struct request_wait w = { .letter = r->letter, .t0 = at };

	if (r->letter == 'Q')
		w = (struct request_wait){ .letter = 'Q',
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

static void add_lookup(struct request_reader *t, const struct texts *texts, int64_t at,
		       const struct record *r)
{
	const struct request_item *x = request_reader_find(t, r->field[1]);

	if (!x)
		return;
	*ARRAY_ADD(t->lookups, t->n_lookups, t->cap_lookups) = (struct request_lookup){
		x->t0, at, x->owner > 0 ? x->owner : 0, text_of(texts, r->field[3])
	};
}

static void take(struct request_reader *t, const struct texts *texts, int64_t at,
		 const struct record *r)
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
		add_item(t, REQUEST_CONNECTION, r->field[1], at)->owner = r->field[2];
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
		*ARRAY_ADD(t->answers, t->n_answers, t->cap_answers) =
			(struct request_answer){ at, r->field[1], r->field[2] };
		break;
	case 'R':
		*ARRAY_ADD(t->runs, t->n_runs,
			   t->cap_runs) = (struct request_change){ at, r->field[1] };
		break;
	default: /* of a later script */
		break;
	}
}

/* The first record of a text. */
static bool read_head(const char *p, const char *end, struct request_reader *t, int64_t *from,
		      struct request_range range, struct request_counts *counts)
{
	struct record r = { 0 };

	if (end - p < 3 || memcmp(p, "v1,", 3) != 0 || !read_fields(&r, p + 3, end))
		return false;
	t->last = r.field[0];
	t->pool = r.field[10];
	*from = r.field[1];
	if (r.field[4] > 0 && t->last >= range.t0 && *from < range.t1)
		counts->n_lost += (uint64_t)r.field[4];
	counts->n_errors = (uint64_t)r.field[6];
	counts->n_unseen = (uint64_t)r.field[9];
	return true;
}

/* What the kernel told. False: it is damaged. */
static bool read_arrivals(struct request_reader *t, struct str text)
{
	const char *end = text.p + text.len;

	for (const char *p = text.p + 2; p < end;) {
		const char *stop = memchr(p + 1, ';', (size_t)(end - p - 1));
		struct record r = { 0 };

		stop = stop ? stop : end;
		if (*p != ';' || !read_fields(&r, p + 1, stop))
			return false;
		*ARRAY_ADD(t->arrivals, t->n_arrivals, t->cap_arrivals) =
			(struct request_arrival){ r.field[0], r.field[1], r.field[2], r.field[3] };
		p = stop;
	}
	return true;
}

/* False: it is damaged; what stands before is kept. */
static bool read_pull(struct request_reader *t, struct str text, struct request_range range,
		      struct request_counts *counts)
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
			is_good = read_head(p, stop, t, &at, range, counts);
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

void request_reader_take(struct request_reader *t, struct str texts, struct request_range range,
			 struct request_counts *counts)
{
	struct request_counts own = { 0 };
	const char *p = texts.p, *end = texts.p + texts.len;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		stop = stop ? stop : end;
		if (stop - p >= 2 && memcmp(p, "k1", 2) == 0)
			own.n_broken += !read_arrivals(t, (struct str){ p, (size_t)(stop - p) });
		else
			own.n_broken += !read_pull(t, (struct str){ p, (size_t)(stop - p) }, range,
						   &own);
		p = stop + 1;
	}
	counts->n_lost += own.n_lost;
	counts->n_errors += own.n_errors;
	counts->n_unseen += own.n_unseen;
	counts->n_broken += own.n_broken;
}

void request_reader_count(struct str text, struct request_counts *counts)
{
	const char *end = text.p + text.len, *stop = memchr(text.p, ';', text.len);
	struct request_reader none = { 0 };
	int64_t from;

	read_head(text.p, stop ? stop : end, &none, &from, REQUEST_RANGE_ALL, counts);
}

/* ---- life of a reader ---- */

void request_reader_init(struct request_reader *t)
{
	*t = (struct request_reader){ 0 };
	intern_init(&t->strings);
}

void request_reader_done(struct request_reader *t)
{
	intern_done(&t->strings);
	hash_table_done(&t->index);
	free(t->items);
	free(t->waits);
	free(t->runs);
	free(t->answers);
	free(t->arrivals);
	free(t->lookups);
}

/* Keep the elements of a list for which `is_kept`, an expression of the index i, is true. */
#define KEEP(list, n, is_kept)                                                                     \
	do {                                                                                       \
		size_t n_kept_ = 0;                                                                \
                                                                                                   \
		for (size_t i = 0; i < (n); i++)                                                   \
			if (is_kept)                                                               \
				(list)[n_kept_++] = (list)[i];                                     \
		(n) = n_kept_;                                                                     \
	} while (0)

static void move_text(const struct intern *from, struct intern *to, str_id *id)
{
	*id = intern_add(to, intern_text(from, *id), intern_len(from, *id));
}

/* Free the texts that nothing has, when half of them may be such. */
static void tidy_strings(struct request_reader *t)
{
	struct intern old = t->strings;

	if (old.n < 2 * t->n_kept + STRINGS_FEW)
		return;
	intern_init(&t->strings);
	for (size_t i = 0; i < t->n_items; i++) {
		struct request_item *x = &t->items[i];
		str_id *const ids[] = { &x->method, &x->host, &x->path, &x->route, &x->error };

		for (size_t k = 0; k < ARRAY_LEN(ids); k++)
			move_text(&old, &t->strings, ids[k]);
	}
	for (size_t i = 0; i < t->n_waits; i++)
		move_text(&old, &t->strings, &t->waits[i].name);
	for (size_t i = 0; i < t->n_lookups; i++)
		move_text(&old, &t->strings, &t->lookups[i].name);
	intern_done(&old);
	t->n_kept = t->strings.n;
}

/* Forget what ended before a time. What the thread ran for later keeps its name. */
void request_reader_forget(struct request_reader *t, int64_t us)
{
	KEEP(t->runs, t->n_runs, i + 1 == t->n_runs || t->runs[i + 1].t >= us);
	for (size_t i = 0; i < t->n_runs; i++) {
		struct request_item *x = request_reader_find(t, t->runs[i].owner);

		if (x)
			x->has_run = true;
	}
	KEEP(t->items, t->n_items,
	     t->items[i].t0 > t->last - OPEN_MAX &&
		     (t->items[i].t1 == INT64_MIN || t->items[i].t1 >= us || t->items[i].has_run));
	hash_table_done(&t->index);
	for (size_t i = 0; i < t->n_items; i++) {
		t->items[i].has_run = false;
		index_item(t, i);
	}
	KEEP(t->waits, t->n_waits, t->waits[i].t0 + t->waits[i].us >= us);
	KEEP(t->answers, t->n_answers, t->answers[i].t >= us);
	KEEP(t->arrivals, t->n_arrivals, t->arrivals[i].seen >= us);
	KEEP(t->lookups, t->n_lookups, t->lookups[i].t1 >= us);
	tidy_strings(t);
}
