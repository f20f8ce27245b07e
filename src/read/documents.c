/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Documents in a list and documents that follow each other are read by the same function, one().
 * The first document of a file reports its errors to the caller. Those after it, and elements of a
 * list, report to an error of their own, which decides between a warning and a failure. */
#include "config.h"

#include "read/documents.h"

#include "base/json/json_read.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What became of a document. CUT: it was kept, and the file ends in it. */
enum outcome { FAILED, COMPLETE, CUT };

static void warn(const struct documents *d, enum warning_kind kind, int64_t offset,
		 const char *detail)
{
	if (d->b)
		builder_warn_text(d->b, kind, offset, detail);
}

/* ---- one document ---- */

static bool read_members(const struct documents *d, int depth);

/* The list of a member, as the reader's struct has it. */
static size_t *list_n(const struct documents *d, const struct document_member *m)
{
	return (size_t *)((char *)d->ctx + m->n);
}

static void set_complete(const struct documents *d, const struct document_member *m, bool value)
{
	if (m->is_complete)
		*(bool *)((char *)d->ctx + m->is_complete) = value;
}

static bool read_list_member(const struct documents *d, const struct document_member *m)
{
	if (scan_peek(d->s) != '[')
		return scan_skip(d->s);
	*list_n(d, m) = 0;
	set_complete(d, m, false);
	if (!json_read_list(d->s, m->element, d->ctx))
		return false;
	set_complete(d, m, true);
	return true;
}

static bool read_member(const struct documents *d, struct str key, int depth)
{
	char name[32];

	for (const struct document_member *m = d->members; m->name; m++)
		if (str_is(key, m->name)) {
			if (!m->open || scan_peek(d->s) == m->open)
				return m->read ? m->read(d->ctx) : read_list_member(d, m);
			key = (struct str){ m->name, strlen(m->name) };
			break;
		}
	if (depth < DOCUMENTS_WRAPPER_DEPTH && !(d->is_found && d->is_found(d->ctx)) &&
	    outline_is_wrapper(key.p, key.len)) {
		snprintf(name, sizeof name, "%.*s", (int)key.len, key.p);
		if (scan_peek(d->s) == '{')
			return read_members(d, depth + 1);
		/* Looking at the value may have moved the window, with the key in it. */
		key = (struct str){ name, strlen(name) };
	}
	return d->other ? d->other(d->ctx, key) : scan_skip(d->s);
}

static bool read_members(const struct documents *d, int depth)
{
	bool is_first = true;
	struct str key;

	if (!scan_open(d->s, '{'))
		return false;
	while (scan_key(d->s, &is_first, &key))
		if (!read_member(d, key, depth))
			return false;
	return (*d->err)->kind == ERR_NONE;
}

static bool read_value(const struct documents *d)
{
	assert(d->list || !d->is_bare);
	if (d->list && scan_peek(d->s) == '[')
		return scan_open(d->s, '[') && d->list(d->ctx, false);
	return d->is_bare ? d->list(d->ctx, true) : read_members(d, 0);
}

static void begin(const struct documents *d)
{
	for (const struct document_member *m = d->members; m->name; m++) {
		if (m->element) {
			*list_n(d, m) = 0;
			set_complete(d, m, false);
		}
	}
	if (d->begin)
		d->begin(d->ctx);
}

static bool is_usable(const struct documents *d)
{
	if (d->is_usable)
		return d->is_usable(d->ctx);
	for (const struct document_member *m = d->members; m->name; m++)
		if (m->element && *list_n(d, m) > 0)
			return true;
	return false;
}

/* Rule 2. */
static bool keep_usable(const struct documents *d)
{
	struct error *err = *d->err;

	if (!d->s->is_cut || err->kind != ERR_SYNTAX || !is_usable(d))
		return false;
	warn(d, WARN_CUT_OFF, d->good_end ? *d->good_end : err->offset, err->text);
	*err = (struct error)ERROR_INIT;
	return true;
}

static enum outcome one(const struct documents *d)
{
	int64_t offset = scan_offset(d->s);
	enum outcome outcome = COMPLETE;

	begin(d);
	if (!read_value(d))
		outcome = keep_usable(d) ? CUT : FAILED;
	if (outcome != FAILED && d->finish && !d->finish(d->ctx, offset))
		outcome = FAILED;
	if (outcome == FAILED && d->drop)
		d->drop(d->ctx);
	return outcome;
}

/* ---- errors of their own ---- */

static void swap_error(const struct documents *d, struct error *err)
{
	*d->err = d->s->err = err;
}

/* Whether an error says that the text is no document, rather than that reading must end. */
static bool is_of_text(const struct error *err)
{
	return err->kind == ERR_SYNTAX || err->kind == ERR_FORMAT || err->kind == ERR_UNKNOWN;
}

/* Read a document of which errors go to `odd`. */
static enum outcome one_apart(const struct documents *d, struct error *odd)
{
	struct error *own = *d->err;
	enum outcome outcome;

	*odd = (struct error)ERROR_INIT;
	swap_error(d, odd);
	outcome = one(d);
	swap_error(d, own);
	return outcome;
}

static void warn_passed(const struct documents *d, int64_t from, int64_t n)
{
	char detail[64];

	snprintf(detail, sizeof detail, "%" PRId64 " bytes", n);
	warn(d, WARN_TRAILING, from, detail);
}

/* ---- the file ---- */

/* Rule 4. */
static bool pass_text(const struct documents *d)
{
	int64_t from;

	if (!scan_peek(d->s))
		return (*d->err)->kind == ERR_NONE;
	from = scan_offset(d->s);
	while (scan_peek(d->s) && (*d->err)->kind == ERR_NONE)
		d->s->p = d->s->end;
	warn_passed(d, from, scan_offset(d->s) - from);
	return (*d->err)->kind == ERR_NONE;
}

/* Read what follows the first document or list: rules 3 and 4. */
static bool read_rest(const struct documents *d)
{
	struct error rest, *own = *d->err;
	enum outcome outcome = COMPLETE;
	int c;

	while (outcome == COMPLETE && ((c = scan_peek(d->s)) == '{' || (c == '[' && d->list))) {
		int64_t offset = scan_offset(d->s);

		outcome = one_apart(d, &rest);
		if (outcome == FAILED && is_of_text(&rest))
			warn(d, WARN_TRAILING, offset, rest.text);
		else if (outcome == FAILED)
			*own = rest;
		else if (!d->is_joined)
			warn(d, WARN_SECOND_PROFILE, offset, NULL);
	}
	return own->kind == ERR_NONE && (outcome != COMPLETE || pass_text(d));
}

/* Read a list of documents: rule 3. */
static bool read_list(const struct documents *d)
{
	struct error *err = *d->err;
	enum outcome outcome = COMPLETE;
	bool is_first = true;
	int64_t offset = 0;
	size_t n = 0;

	if (!scan_open(d->s, '['))
		return false;
	while (outcome == COMPLETE && scan_element(d->s, &is_first)) {
		bool is_object = scan_peek(d->s) == '{';

		offset = scan_offset(d->s);
		if (!is_object) {
			warn(d, WARN_ODD_NODE, offset, NULL);
			if (!scan_skip(d->s))
				return false;
			continue;
		}
		outcome = one(d);
		n += outcome != FAILED;
	}
	if (n > 0 && is_of_text(err)) {
		warn(d, WARN_CUT_OFF, offset, err->text);
		*err = (struct error)ERROR_INIT;
		return true;
	}
	/* The reader stopped. */
	if (outcome == FAILED && err->kind == ERR_NONE)
		return false;
	if (n == 0 && err->kind == ERR_NONE)
		return error_set(err, ERR_FORMAT, 0, "the array holds no %s", d->noun);
	return err->kind == ERR_NONE && (outcome == CUT || read_rest(d));
}

bool documents_read(const struct documents *d)
{
	enum outcome outcome;

	if (!d->list && scan_peek(d->s) != '{')
		return read_list(d);
	outcome = one(d);
	return outcome == CUT || (outcome == COMPLETE && read_rest(d));
}

bool documents_read_one(const struct documents *d)
{
	return one(d) != FAILED;
}

/* ==== sentry envelope ====
 *
 * 1. An item has as many bytes as `length` of its header says. Without a length it ends with its
 *    line.
 * 2. Items of a type that begins with `profile` are read as one JSON value, which ends where it
 *    ends, whatever the length says. All others are passed without a look at what they are.
 * 3. What is expected to be the header of an item and is not, as behind a wrong length, is passed
 *    line by line, with WARN_TRAILING. */

#define LENGTH_NONE (-1)
#define LINE_END_MAX 2 /* bytes */

struct envelope {
	const struct documents *d;
	struct scan *s;
	struct error *problem;
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
	return has_type && (outline_has_any(o, "event_id sent_at dsn sdk") || o->n_keys == 0);
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

/* Read the header of an item, and pass its line if only blanks are left on it. *is_header: it is
 * one. */
static bool read_header(struct envelope *e, struct item *item, bool *is_header)
{
	struct error odd = ERROR_INIT, *own = *e->d->err;
	struct str ahead;
	bool ok;

	swap_error(e->d, &odd);
	ok = json_read_object(e->s, read_header_member, item);
	swap_error(e->d, own);
	if (!ok && !is_of_text(&odd)) {
		*own = odd;
		return false;
	}
	*is_header = ok && item->has_type;
	if (!*is_header)
		return true;
	while (scan_window(e->s, 1, &ahead) && ahead.len > 0 && memchr(" \t\r", *ahead.p, 3))
		e->s->p++;
	if (ahead.len > 0 && *ahead.p == '\n')
		e->s->p++;
	return true;
}

static bool read_profile(struct envelope *e, const struct item *item)
{
	int64_t from = scan_offset(e->s), left;
	struct error odd;

	if (scan_peek(e->s) != '{' || one_apart(e->d, &odd) != FAILED)
		return true;
	if (!is_of_text(&odd)) {
		**e->d->err = odd;
		return false;
	}
	warn(e->d, WARN_TRAILING, from, odd.text);
	if (e->problem->kind == ERR_NONE)
		*e->problem = odd;
	left = item->length - (scan_offset(e->s) - from);
	if (item->length != LENGTH_NONE && left > 0)
		pass_bytes(e->s, left);
	else if (item->length == LENGTH_NONE || left < -LINE_END_MAX)
		pass_line(e->s);
	return true;
}

/* Read the item at the scanner. */
static bool read_item(struct envelope *e)
{
	struct item item = { .s = e->s, .length = LENGTH_NONE };
	bool is_header = false;
	int64_t from = scan_offset(e->s);

	if (scan_peek(e->s) != '{') {
		pass_odd_line(e, from);
		return true;
	}
	if (!read_header(e, &item, &is_header))
		return false;
	if (is_header && item.is_profile)
		return read_profile(e, &item);
	if (!is_header) {
		pass_odd_line(e, from);
		return true;
	}
	from = scan_offset(e->s);
	if (item.length == LENGTH_NONE)
		pass_line(e->s);
	else if (pass_bytes(e->s, item.length) > 0)
		warn(e->d, WARN_CUT_OFF, from, "an item is shorter than its length");
	return true;
}

bool sentry_envelope_read(const struct documents *d, struct error *problem)
{
	struct envelope e = { .d = d, .s = d->s, .problem = problem };
	bool ok = scan_skip(e.s);

	while (ok && scan_peek(e.s))
		ok = read_item(&e) && (*d->err)->kind == ERR_NONE;
	if (e.n_passed)
		warn_passed(d, e.first_passed, e.n_passed);
	return ok && (*d->err)->kind == ERR_NONE;
}
