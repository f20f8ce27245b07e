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

#define WRAPPER_DEPTH 8

/* What became of a document. CUT: it was kept, and the file ends in it. */
enum outcome { FAILED, COMPLETE, CUT };

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
		if (key.len == strlen(m->name) && memcmp(key.p, m->name, key.len) == 0)
			return m->read ? m->read(d->ctx) : read_list_member(d, m);
	if (depth < WRAPPER_DEPTH && !(d->is_found && d->is_found(d->ctx)) &&
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

static bool is_usable(const struct documents *d, int64_t *offset)
{
	if (d->is_usable)
		return d->is_usable(d->ctx, offset);
	for (const struct document_member *m = d->members; m->name; m++)
		if (m->element && *list_n(d, m) > 0)
			return true;
	return false;
}

/* Rule 2. */
static bool keep_usable(const struct documents *d)
{
	struct error *err = *d->err;
	int64_t offset = err->offset;

	if (!d->s->is_cut || err->kind != ERR_SYNTAX || !is_usable(d, &offset))
		return false;
	builder_warn_text(d->b, WARN_CUT_OFF, offset, err->text);
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

/* ---- the file ---- */

static void swap_error(const struct documents *d, struct error *err)
{
	*d->err = d->s->err = err;
}

/* Whether an error says that the text is no document, rather than that reading must end. */
static bool is_of_text(const struct error *err)
{
	return err->kind == ERR_SYNTAX || err->kind == ERR_FORMAT || err->kind == ERR_UNKNOWN;
}

/* Rule 4. */
static bool pass_text(const struct documents *d)
{
	char detail[64];
	int64_t from;

	if (!scan_peek(d->s))
		return (*d->err)->kind == ERR_NONE;
	from = scan_offset(d->s);
	while (scan_peek(d->s) && (*d->err)->kind == ERR_NONE)
		d->s->p = d->s->end;
	snprintf(detail, sizeof detail, "%" PRId64 " bytes", scan_offset(d->s) - from);
	builder_warn_text(d->b, WARN_TRAILING, from, detail);
	return (*d->err)->kind == ERR_NONE;
}

/* Read what follows the first document or list: rules 3 and 4. */
static bool read_rest(const struct documents *d)
{
	struct error rest = ERROR_INIT, *own = *d->err;
	enum outcome outcome = COMPLETE;
	int c;

	while (outcome == COMPLETE && ((c = scan_peek(d->s)) == '{' || (c == '[' && d->list))) {
		int64_t offset = scan_offset(d->s);

		swap_error(d, &rest);
		outcome = one(d);
		swap_error(d, own);
		if (outcome == FAILED && is_of_text(&rest))
			builder_warn_text(d->b, WARN_TRAILING, offset, rest.text);
		else if (outcome == FAILED)
			*own = rest;
		else if (!d->is_joined)
			builder_warn(d->b, WARN_SECOND_PROFILE, offset);
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
			builder_warn(d->b, WARN_ODD_NODE, offset);
			if (!scan_skip(d->s))
				return false;
			continue;
		}
		outcome = one(d);
		n += outcome != FAILED;
	}
	if (n > 0 && is_of_text(err)) {
		builder_warn_text(d->b, WARN_CUT_OFF, offset, err->text);
		*err = (struct error)ERROR_INIT;
		return true;
	}
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
