/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 1. An item has as many bytes as `length` of its header says. Without a length it ends with its
 *    line.
 * 2. Items of a type that begins with `profile` are read as one JSON value, which ends where it
 *    ends, whatever the length says. All others are passed without a look at what they are.
 * 3. What is expected to be the header of an item and is not, as behind a wrong length, is passed
 *    line by line, with WARN_TRAILING. */
#include "config.h"

#include "read/sentry_envelope.h"

#include "base/json/json_read.h"
#include "model/build/builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LENGTH_NONE (-1)
#define LINE_END_MOST 2 /* bytes */

struct envelope {
	const struct documents *d;
	struct scan *s;
	int64_t n_passed, first_passed; /* bytes by rule 3, and where the first one is */
};

struct item {
	struct scan *s;
	bool has_type, is_profile;
	int64_t length;
};

bool sentry_envelope_is(const struct outline *o)
{
	static const char type[] = "\"type\"";
	const char *end = o->text + o->len, *line = memchr(o->text, '\n', o->len), *stop;
	bool has_type = false;

	if (o->top != '{' || outline_has(o, "ph", 0) || !line || ++line == end || *line != '{')
		return false;
	stop = memchr(line, '\n', (size_t)(end - line));
	for (; stop && !has_type && line + sizeof type - 1 < stop; line++)
		has_type = memcmp(line, type, sizeof type - 1) == 0;
	return has_type &&
		(outline_has(o, "event_id", 0) || outline_has(o, "sent_at", 0) ||
		 outline_has(o, "dsn", 0) || outline_has(o, "sdk", 0) || o->n_keys == 0);
}

/* ---- passing text ---- */

/* Pass `n` bytes. Returns how many are missing. */
static int64_t pass_bytes(struct scan *s, int64_t n)
{
	struct str ahead;

	while (n > 0 && scan_window(s, 1, &ahead) && ahead.len > 0) {
		size_t many = (uint64_t)n < ahead.len ? (size_t)n : ahead.len;

		s->p += many;
		n -= (int64_t)many;
	}
	return n;
}

/* Pass the rest of the line, and its end. */
static void pass_line(struct scan *s)
{
	struct str ahead;

	while (scan_window(s, 1, &ahead) && ahead.len > 0) {
		const char *end = memchr(ahead.p, '\n', ahead.len);

		s->p += end ? (size_t)(end - ahead.p) + 1 : ahead.len;
		if (end)
			return;
	}
}

/* Pass the line if only blanks are left on it. */
static void pass_line_end(struct scan *s)
{
	struct str ahead;

	while (scan_window(s, 1, &ahead) && ahead.len > 0 && memchr(" \t\r", *ahead.p, 3))
		s->p++;
	if (ahead.len > 0 && *ahead.p == '\n')
		s->p++;
}

/* Pass the rest of a line by rule 3. from: where what is passed begins. */
static void pass_odd_line(struct envelope *e, int64_t from)
{
	if (e->n_passed == 0)
		e->first_passed = from;
	pass_line(e->s);
	e->n_passed += scan_offset(e->s) - from;
}

/* ---- items ---- */

static bool read_header_member(void *ctx, struct str key)
{
	struct item *item = ctx;
	struct json_read_number number;
	struct str type;

	if (str_is(key, "length")) {
		if (!json_read_number(item->s, 0, INT64_MAX / 2, &number))
			return false;
		item->length = number.is_usable && number.value >= 0 ? number.value : LENGTH_NONE;
		return true;
	}
	if (!str_is(key, "type") || scan_peek(item->s) != '"')
		return scan_skip(item->s);
	if (!scan_raw(item->s, JSON_READ_TEXT_MAX, &type))
		return false;
	item->has_type = true;
	item->is_profile = type.len > 8 && memcmp(type.p, "\"profile", 8) == 0;
	return true;
}

static void set_error(const struct documents *d, struct error *err)
{
	*d->err = d->s->err = err;
}

/* Whether reading can go on behind an error. */
static bool is_of_text(const struct error *err)
{
	return err->kind == ERR_SYNTAX || err->kind == ERR_FORMAT;
}

/* Read the header of an item, and pass its line. *is_header: it is one. */
static bool read_header(struct envelope *e, struct item *item, bool *is_header)
{
	struct error odd = ERROR_INIT, *own = *e->d->err;
	bool ok;

	set_error(e->d, &odd);
	ok = json_read_object(e->s, read_header_member, item);
	set_error(e->d, own);
	if (!ok && !is_of_text(&odd)) {
		*own = odd;
		return false;
	}
	*is_header = ok && item->has_type;
	if (*is_header)
		pass_line_end(e->s);
	return true;
}

static bool read_profile(struct envelope *e, const struct item *item, struct error *problem)
{
	struct error odd = ERROR_INIT, *own = *e->d->err;
	int64_t from = scan_offset(e->s), left;
	bool ok;

	if (scan_peek(e->s) != '{')
		return true;
	set_error(e->d, &odd);
	ok = documents_read_one(e->d);
	set_error(e->d, own);
	if (ok)
		return true;
	if (!is_of_text(&odd)) {
		*own = odd;
		return false;
	}
	builder_warn_text(e->d->b, WARN_TRAILING, from, odd.text);
	if (problem->kind == ERR_NONE)
		*problem = odd;
	left = item->length - (scan_offset(e->s) - from);
	if (item->length != LENGTH_NONE && left > 0)
		pass_bytes(e->s, left);
	else if (item->length == LENGTH_NONE || left < -LINE_END_MOST)
		pass_line(e->s);
	return true;
}

static void pass_item(struct envelope *e, const struct item *item)
{
	int64_t from = scan_offset(e->s);
	int64_t missing = item->length > 0 ? pass_bytes(e->s, item->length) : 0;

	if (item->length == LENGTH_NONE)
		pass_line(e->s);
	else if (missing > 0)
		builder_warn_text(e->d->b, WARN_CUT_OFF, from,
				  "an item is shorter than its length");
}

/* Read the item at the scanner. */
static bool read_item(struct envelope *e, struct error *problem)
{
	struct item item = { .s = e->s, .length = LENGTH_NONE };
	bool is_header = false, ok = true;
	int64_t from = scan_offset(e->s);

	if (scan_peek(e->s) != '{') {
		pass_odd_line(e, from);
		return true;
	}
	if (!read_header(e, &item, &is_header))
		return false;
	if (!is_header)
		pass_odd_line(e, from);
	else if (item.is_profile)
		ok = read_profile(e, &item, problem);
	else
		pass_item(e, &item);
	return ok;
}

bool sentry_envelope_read(const struct documents *d, struct error *problem)
{
	struct envelope e = { .d = d, .s = d->s };
	bool ok = scan_skip(e.s);
	char detail[64];

	while (ok && scan_peek(e.s))
		ok = read_item(&e, problem) && (*d->err)->kind == ERR_NONE;
	if (e.n_passed) {
		snprintf(detail, sizeof detail, "%" PRId64 " bytes", e.n_passed);
		builder_warn_text(d->b, WARN_TRAILING, e.first_passed, detail);
	}
	return ok && (*d->err)->kind == ERR_NONE;
}
