/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each function is a few calls of the scanner. */
#include "config.h"

#include "base/json/json_read.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/json/cursor.h"
#include "base/json/scan.h"
#include "base/str.h"
#include "base/text.h"

#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct parse {
	struct json_tree *tree;
	struct cursor c;
};

static bool parse_value(struct parse *p, unsigned depth, struct json_value **value);

/* ==== json tree ====
 *
 * The text is copied, and its strings are decoded in place: a decoded string is never longer than
 * the string in the text. All values stand in one array, with room for as many as the text can
 * have, so that pointers to them stay valid: each value is the first one, stands behind an opening
 * bracket, or behind a comma. Those inside strings do not count: a text may consist of commas. */

/* ---- strings ---- */

/* The value of four hexadecimal digits; -1: they are none. */
static int32_t hex4(const char *p, const char *end)
{
	int32_t v = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int c = (unsigned char)p[i], letter = c | 0x20;

		if (c >= '0' && c <= '9')
			v = v * 16 + (c - '0');
		else if (letter >= 'a' && letter <= 'f')
			v = v * 16 + (letter - 'a' + 10);
		else
			return -1;
	}
	return v;
}

/* Read the digits of a \u escape, and the escape after it if the two are a surrogate pair. A
 * surrogate alone gives the replacement character. Returns their end; NULL: they are no digits. */
static const char *code_point(const char *p, const char *end, uint32_t *cp)
{
	int32_t high = hex4(p, end), low;

	if (high < 0)
		return NULL;
	p += 4;
	*cp = (uint32_t)high;
	if (high < 0xD800 || high > 0xDFFF)
		return p;
	*cp = TEXT_REPLACEMENT;
	if (high > 0xDBFF || end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return p;
	low = hex4(p + 2, end);
	if (low < 0xDC00 || low > 0xDFFF)
		return p;
	*cp = 0x10000u + ((uint32_t)(high - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
	return p + 6;
}

/* Decode the `*len` bytes between the quotes of a string in place. False: it has an unknown escape,
 * or a NUL. */
static bool decode(char *text, size_t *len)
{
	static const char escapes[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	const char *p = text, *end = text + *len, *known;
	char *to = text;
	uint32_t cp;

	while (p < end) {
		if (*p != '\\') {
			if (!*p)
				return false;
			*to++ = *p++;
			continue;
		}
		if (++p == end)
			return false;
		if (*p == 'u') {
			p = code_point(p + 1, end, &cp);
			if (!p)
				return false;
			to += buf_encode_utf8(cp, to);
			continue;
		}
		known = *p ? strchr(escapes, *p) : NULL;
		if (!known)
			return false;
		*to++ = means[known - escapes];
		p++;
	}
	*len = (size_t)(to - text);
	return true;
}

bool json_tree_decode(const char *raw, size_t len, struct buf *out)
{
	size_t before = out->len, n = len - 2;
	bool ok;

	if (len < 2)
		return false;
	buf_add(out, raw + 1, n);
	ok = n == 0 || decode(out->data + before, &n);
	out->len = ok ? before + n : before;
	if (out->data)
		out->data[out->len] = '\0';
	return ok;
}

/* ---- values ---- */

/* Pass a string and decode it. */
static bool parse_string(struct parse *p, struct str *text)
{
	char *from = p->tree->text + ((const char *)p->c.p - p->tree->text);
	bool has_escape;

	if (!cursor_string(&p->c, text, &has_escape))
		return false;
	if (decode(from + 1, &text->len))
		return true;
	p->c.p = (const unsigned char *)from;
	return cursor_fail(&p->c, "invalid string sequence");
}

static bool parse_key(struct parse *p, bool *is_first, struct str *key)
{
	if (!cursor_key(&p->c, is_first, key))
		return false;
	if (decode(p->tree->text + (key->p - p->tree->text), &key->len))
		return true;
	p->c.p = (const unsigned char *)key->p - 1;
	return cursor_fail(&p->c, "invalid string sequence");
}

static bool parse_object(struct parse *p, unsigned depth, struct json_value *object)
{
	const struct json_value **last = &object->first;
	bool is_first = true;
	struct str key;

	p->c.p++;
	while (parse_key(p, &is_first, &key)) {
		struct json_value *value;

		if (!parse_value(p, depth, &value))
			return false;
		value->key = key;
		*last = value;
		last = &value->next;
	}
	return !p->c.why && !p->c.is_cut;
}

/* Pass the sign between two elements. False at the closing bracket, which is passed, and on
 * failure. A comma before the bracket is forgiven. */
static bool next_element(struct cursor *c, bool is_first)
{
	int b = cursor_peek(c);

	if (b == ',' && !is_first) {
		c->p++;
		b = cursor_peek(c);
	} else if (b != ']' && !is_first) {
		return c->p == c->end ? cursor_cut(c)
				      : cursor_fail(c, "expected ',' or ']' in an array");
	}
	c->p += b == ']';
	return b != ']';
}

static bool parse_array(struct parse *p, unsigned depth, struct json_value *array)
{
	const struct json_value **last = &array->first;

	p->c.p++;
	while (next_element(&p->c, last == &array->first)) {
		struct json_value *value;

		if (!parse_value(p, depth, &value))
			return false;
		*last = value;
		last = &value->next;
	}
	return !p->c.why && !p->c.is_cut;
}

static bool parse_value(struct parse *p, unsigned depth, struct json_value **value)
{
	struct json_value *v = *value = &p->tree->values[p->tree->n++];

	*v = (struct json_value){ .type = JSON_NULL, .key = { "", 0 }, .text = { "", 0 } };
	switch (cursor_peek(&p->c)) {
	case '"':
		v->type = JSON_STRING;
		return parse_string(p, &v->text);
	case '{':
	case '[':
		v->type = *p->c.p == '{' ? JSON_OBJECT : JSON_ARRAY;
		if (depth == JSON_TREE_DEPTH)
			return cursor_fail(&p->c, "nesting too deep");
		return v->type == JSON_OBJECT ? parse_object(p, depth + 1, v)
					      : parse_array(p, depth + 1, v);
	default:
		if (!cursor_raw(&p->c, &v->text))
			return false;
		switch (v->text.p[0]) {
		case 't':
		case 'f':
			v->type = JSON_BOOLEAN;
			break;
		case 'n':
			v->text = (struct str){ "", 0 };
			break;
		default:
			v->type = JSON_NUMBER;
			break;
		}
		return true;
	}
}

/* The number of values that a text can have at most. */
static size_t most_values(struct str raw)
{
	bool is_inside = false;
	size_t n = 1;

	for (size_t i = 0; i < raw.len; i++) {
		char b = raw.p[i];

		if (b == '"')
			is_inside = !is_inside;
		else if (is_inside)
			i += b == '\\';
		else
			n += b == ',' || b == '{' || b == '[';
	}
	return n;
}

const struct json_value *json_tree_parse(struct json_tree *tree, struct str raw, size_t *bad_at,
					 const char **why)
{
	struct json_value *value;
	struct parse p;
	bool ok;

	tree->values = xgrow(tree->values, &tree->cap, most_values(raw), sizeof *tree->values);
	tree->text = xgrow(tree->text, &tree->cap_text, raw.len + 1 + CURSOR_PAD, 1);
	memcpy(tree->text, raw.p, raw.len);
	/* A word ends before something else, or it may be cut. */
	memset(tree->text + raw.len, ' ', 1 + CURSOR_PAD);
	tree->n = 0;
	p = (struct parse){ tree, cursor_of((struct str){ tree->text, raw.len + 1 }) };
	ok = parse_value(&p, 0, &value);
	*why = ok ? NULL : p.c.why ? p.c.why : "unexpected end of data";
	*bad_at = (size_t)((const char *)p.c.p - tree->text);
	if (*bad_at > raw.len)
		*bad_at = raw.len;
	if (!ok)
		return NULL;
	/* The byte behind a value has been read by now. */
	for (size_t i = 0; i < tree->n; i++) {
		const struct json_value *v = &tree->values[i];

		if (v->type == JSON_BOOLEAN || v->type == JSON_NUMBER || v->type == JSON_STRING)
			tree->text[(size_t)(v->text.p - tree->text) + v->text.len] = '\0';
	}
	return value;
}

/* ---- members ---- */

const struct json_value *json_tree_find(const struct json_value *object, const char *name)
{
	const struct json_value *found = NULL;

	if (!object || object->type != JSON_OBJECT)
		return NULL;
	for (const struct json_value *v = object->first; v; v = v->next)
		if (str_is(v->key, name))
			found = v;
	return found;
}

bool json_tree_text(const struct json_value *object, const char *name, const char **text,
		    size_t *len)
{
	const struct json_value *v = json_tree_find(object, name);
	bool has = v && (v->type == JSON_STRING || v->type == JSON_NUMBER);

	*text = has ? v->text.p : "";
	*len = has ? v->text.len : 0;
	return has;
}

bool json_tree_is_integer(const struct json_value *v, int64_t *value)
{
	char *end;
	double number;

	if (!v || (v->type != JSON_NUMBER && v->type != JSON_STRING))
		return false;
	if (v->type == JSON_NUMBER) {
		/* Beyond the range this gives the nearest value. */
		*value = strtoll(v->text.p, &end, 10);
		if (!*end)
			return true;
	}
	number = strtod(v->text.p, &end);
	if (end == v->text.p || *end || !isfinite(number) || fabs(number) > 9e18)
		return false;
	*value = (int64_t)number;
	return true;
}

/* ==== json text ====
 *
 * Pitfalls of json-c that are handled here: a number at the end of the input is "not finished"
 * until a NUL follows; NULL is the value null as well as a failure; the length is an int. */

const char *json_text_library(void)
{
	return json_c_version();
}

struct json_object *json_text_parse(struct json_tokener *tok, const char *raw, size_t len,
				    size_t *bad_at, const char **why)
{
	struct json_object *o;
	enum json_tokener_error e;
	size_t blanks = 0;

	*why = NULL;
	*bad_at = 0;
	if (len > INT_MAX) {
		*why = "value too large";
		return NULL;
	}
	json_tokener_reset(tok);
	o = json_tokener_parse_ex(tok, raw, (int)len);
	e = json_tokener_get_error(tok);
	if (e == json_tokener_continue) {
		o = json_tokener_parse_ex(tok, "", 1);
		e = json_tokener_get_error(tok);
	}
	while (blanks < len && raw[blanks] && strchr(" \t\r\n", raw[blanks]))
		blanks++;
	/* Versions before 0.17 call this a success, as they do null, also in capitals. */
	if (e == json_tokener_success && !o &&
	    !(blanks < len && (raw[blanks] == 'n' || raw[blanks] == 'N'))) {
		*why = "no memory";
	} else if (e != json_tokener_success) {
		*why = json_tokener_error_desc(e);
		*bad_at = json_tokener_get_parse_end(tok) < len ? json_tokener_get_parse_end(tok)
								: len;
	}
	return o;
}

/* ==== json read ==== */

bool json_read_text(struct scan *s, struct intern *texts, str_id *id)
{
	BUF_LOCAL text = { 0 };
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
	return true;
}

bool json_read_id(struct scan *s, struct intern *texts, str_id *id)
{
	struct str raw;
	int c = scan_peek(s);

	*id = 0;
	if (c == '"')
		return json_read_text(s, texts, id);
	if (c != '-' && !(c >= '0' && c <= '9'))
		return scan_skip(s);
	if (!scan_raw(s, JSON_READ_TEXT_MAX, &raw))
		return false;
	*id = intern_add(texts, raw.p, raw.len);
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

	number->offset = scan_offset(s);
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

struct fields_out {
	struct scan *s;
	const struct json_field *fields;
	size_t n;
	struct intern *texts;
	char *out;
};

static bool read_field(void *ctx, struct str key)
{
	const struct fields_out *f = ctx;
	const struct json_field *field = f->fields, *end = field + f->n;
	char *value;

	while (field < end && !str_is(key, field->name))
		field++;
	if (field == end)
		return scan_skip(f->s);
	value = f->out + field->offset;
	switch (field->kind) {
	case JSON_FIELD_TEXT:
		return json_read_text(f->s, f->texts, (void *)value);
	case JSON_FIELD_ID:
		return json_read_id(f->s, f->texts, (void *)value);
	case JSON_FIELD_INDEX:
		return json_read_index(f->s, (void *)value);
	case JSON_FIELD_POSITION:
		return json_read_position(f->s, (void *)value);
	case JSON_FIELD_FLAG:
		*value = (char)scan_peek(f->s);
		if (*value != 't' && *value != 'f')
			*value = 0;
		return scan_skip(f->s);
	default:
		return json_read_number(f->s, (int)(field->kind - JSON_FIELD_NUMBER),
					JSON_FIELD_LIMIT, (void *)value);
	}
}

bool json_read_fields(struct scan *s, const struct json_field *fields, size_t n,
		      struct intern *texts, void *out)
{
	return json_read_object(s, read_field, &(struct fields_out){ s, fields, n, texts, out });
}
