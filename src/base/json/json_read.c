/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each function is a few calls of the scanner. */
#include "config.h"

#include "base/json/json_read.h"

#include "base/json/json_tree.h"

#include <string.h>

bool json_read_text(struct scan *s, struct intern *texts, str_id *id)
{
	struct buf text = { 0 };
	struct str raw;

	*id = 0;
	if (scan_peek(s) != '"')
		return scan_skip(s);
	if (!scan_raw(s, JSON_READ_TEXT_MAX, &raw))
		return false;
	if (!memchr(raw.p, '\\', raw.len))
		*id = intern_add(texts, raw.p + 1, raw.len - 2);
	else if (json_tree_decode(raw.p, raw.len, &text))
		*id = intern_add(texts, buf_text(&text), text.len);
	buf_done(&text);
	return true;
}

bool json_read_index(struct scan *s, int64_t *index)
{
	enum number_kind kind;
	bool is_text;

	if (!scan_number(s, 0, index, &kind, &is_text))
		return false;
	if (kind != NUMBER_INTEGER || *index < 0)
		*index = JSON_INDEX_BAD;
	return true;
}

bool json_read_position(struct scan *s, int64_t *position)
{
	enum number_kind kind;
	bool is_text;

	if (!scan_number(s, 0, position, &kind, &is_text))
		return false;
	if (kind == NUMBER_NONE || kind == NUMBER_HUGE || *position < 1)
		*position = 0;
	return true;
}

bool json_read_number(struct scan *s, int scale, int64_t limit, struct json_read_number *number)
{
	enum number_kind kind;

	if (!scan_number(s, scale, &number->value, &kind, &number->is_text))
		return false;
	number->is_usable = (kind == NUMBER_INTEGER || kind == NUMBER_ROUNDED) &&
		number->value <= limit && number->value >= -limit;
	if (!number->is_usable)
		number->value = 0;
	return true;
}

bool json_read_object(struct scan *s, json_read_member *member, void *ctx)
{
	bool is_first = true;
	struct str key;

	if (scan_peek(s) != '{')
		return scan_skip(s);
	if (!scan_open(s, '{'))
		return false;
	while (scan_key(s, &is_first, &key))
		if (!member(ctx, key))
			return false;
	return s->err->kind == ERR_NONE;
}

bool json_read_list(struct scan *s, json_read_element *element, void *ctx)
{
	bool is_first = true;

	if (scan_peek(s) != '[')
		return scan_skip(s);
	if (!scan_open(s, '['))
		return false;
	while (scan_element(s, &is_first))
		if (!element(ctx))
			return false;
	return s->err->kind == ERR_NONE;
}

static bool read_field(struct scan *s, const struct json_field *field, struct intern *texts,
		       char *out)
{
	void *value = out + field->offset;

	switch (field->kind) {
	case JSON_FIELD_TEXT:
		return json_read_text(s, texts, value);
	case JSON_FIELD_INDEX:
		return json_read_index(s, value);
	case JSON_FIELD_POSITION:
		return json_read_position(s, value);
	}
	return scan_skip(s);
}

bool json_read_fields(struct scan *s, const struct json_field *fields, size_t n,
		      struct intern *texts, void *out)
{
	bool is_first = true;
	struct str key;

	if (scan_peek(s) != '{')
		return scan_skip(s);
	if (!scan_open(s, '{'))
		return false;
	while (scan_key(s, &is_first, &key)) {
		size_t i = 0;

		while (i < n && !str_is(key, fields[i].name))
			i++;
		if (!(i < n ? read_field(s, &fields[i], texts, out) : scan_skip(s)))
			return false;
	}
	return s->err->kind == ERR_NONE;
}
