/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two walks over the tokens. The first one only answers whether the value is valid: nearly all
 * values are, and are then copied as they stand. It must be fast: strings are looked at 16 bytes at
 * a time. The second one writes the value token by token, with whatever JSON wants between them.
 *
 * Both keep the kinds of the open brackets as bits, 1 for a brace. */
#include "config.h"

#include "base/json/json_repair.h"

#include "base/json/cursor.h"
#include "base/text.h"

#include <string.h>

struct nesting {
	uint64_t kinds[JSON_REPAIR_DEPTH / 64 + 1];
	size_t depth;
};

static void open_bracket(struct nesting *n, bool is_object)
{
	uint64_t bit = UINT64_C(1) << (n->depth % 64), *word = &n->kinds[n->depth / 64];

	*word = is_object ? *word | bit : *word & ~bit;
	n->depth++;
}

static bool is_in_object(const struct nesting *n)
{
	return n->depth > 0 && n->kinds[(n->depth - 1) / 64] >> ((n->depth - 1) % 64) & 1;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Length of the escape at p, which is a backslash; 0: JSON does not know it. */
static size_t escape_length(const char *p, const char *end)
{
	if (end - p >= 2 && p[1] && strchr("\"\\/bfnrt", p[1]))
		return 2;
	if (end - p >= 6 && p[1] == 'u' && is_hex(p[2]) && is_hex(p[3]) && is_hex(p[4]) &&
	    is_hex(p[5]))
		return 6;
	return 0;
}

static const char *word_end(const char *p, const char *end)
{
	while (p < end && !memchr(",]}:[{\" \n\t\r", *p, 11))
		p++;
	return p;
}

static bool is_word(const char *p, size_t n)
{
	return json_number_is(p, n) ||
		(n == 4 && (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0)) ||
		(n == 5 && memcmp(p, "false", 5) == 0);
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* ---- valid or not ---- */

/* The next byte of a string that needs a closer look: a quote, a backslash, a control character, or
 * a part of a character that is not ASCII. */
static const char *next_special(const char *p, const char *end)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
		      least = _mm_set1_epi8(0x20), del = _mm_set1_epi8(0x7F);

	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		/* As signed numbers, bytes that are not ASCII are less than 0x20. */
		__m128i hit = _mm_or_si128(
			_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)),
			_mm_or_si128(_mm_cmplt_epi8(v, least), _mm_cmpeq_epi8(v, del)));
		unsigned mask = (unsigned)_mm_movemask_epi8(hit);

		if (mask)
			return p + __builtin_ctz(mask);
	}
#endif
	while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20 &&
	       (unsigned char)*p < 0x7F)
		p++;
	return p;
}

/* The byte after a string whose opening quote is at p; NULL: it is not valid, or has controls. */
static const char *valid_string(const char *p, const char *end)
{
	for (p++;;) {
		const char *from;
		uint32_t cp;

		p = next_special(p, end);
		if (p == end)
			return NULL;
		if (*p == '"')
			return p + 1;
		if (*p == '\\') {
			size_t n = escape_length(p, end);

			if (n == 0)
				return NULL;
			p += n;
			continue;
		}
		from = p;
		cp = text_next(&p, end);
		if (text_is_control(cp) || text_is_ill_formed(cp, from, p))
			return NULL;
	}
}

/* The byte after a key and its colon; NULL: there is none. */
static const char *valid_key(const char *p, const char *end)
{
	p = skip_blanks(p, end);
	if (p == end || *p != '"' || !(p = valid_string(p, end)))
		return NULL;
	p = skip_blanks(p, end);
	return p < end && *p == ':' ? p + 1 : NULL;
}

/* Pass a value, or an opening bracket with the first key after it. Returns the byte after it; NULL:
 * it is not valid. *is_open: another value follows. */
static const char *valid_value(struct nesting *n, const char *p, const char *end, bool *is_open)
{
	const char *from = p = skip_blanks(p, end);
	bool is_object;

	*is_open = false;
	if (p == end)
		return NULL;
	if (*p == '"')
		return valid_string(p, end);
	if (*p != '{' && *p != '[') {
		p = word_end(p, end);
		return is_word(from, (size_t)(p - from)) ? p : NULL;
	}
	is_object = *p == '{';
	p = skip_blanks(p + 1, end);
	if (p < end && *p == *from + 2)
		return n->depth < JSON_REPAIR_DEPTH ? p + 1 : NULL;
	if (n->depth == JSON_REPAIR_DEPTH)
		return NULL;
	open_bracket(n, is_object);
	*is_open = true;
	return is_object ? valid_key(p, end) : p;
}

bool json_repair_is_needed(struct str text)
{
	const char *p = text.p, *end = p + text.len;
	struct nesting n = { .depth = 0 };
	bool is_open = true;

	while (is_open) {
		p = valid_value(&n, p, end, &is_open);
		while (p && !is_open) {
			p = skip_blanks(p, end);
			if (n.depth == 0)
				return p != end;
			if (p == end)
				return true;
			if (*p == ',') {
				is_open = true;
				p = is_in_object(&n) ? valid_key(p + 1, end) : p + 1;
			} else if (*p++ == (is_in_object(&n) ? '}' : ']')) {
				n.depth--;
			} else {
				return true;
			}
		}
		if (!p)
			return true;
	}
	return true;
}

/* ---- repair ---- */

/* What may come next. */
enum expected { VALUE, KEY, COLON };

struct repair {
	struct buf *out;
	const char *p, *end;
	struct nesting n;
	enum expected expected;
	bool is_first; /* nothing is before it in its brackets */
};

static void put_comma(struct repair *r)
{
	if (!r->is_first)
		buf_addc(r->out, ',');
	r->is_first = false;
}

/* Copy the string at p, or as much as there is of it. */
static void put_string(struct repair *r)
{
	buf_addc(r->out, '"');
	r->p++;
	while (r->p < r->end && *r->p != '"') {
		const char *from = r->p;
		size_t n;

		while (r->p < r->end && *r->p != '"' && *r->p != '\\')
			r->p++;
		text_json(r->out, from, (size_t)(r->p - from));
		if (r->p == r->end || *r->p == '"')
			continue;
		n = escape_length(r->p, r->end);
		if (n)
			buf_add(r->out, r->p, n);
		else
			buf_adds(r->out, "\\\\");
		r->p += n ? n : 1;
	}
	r->p += r->p < r->end;
	buf_addc(r->out, '"');
}

static void put_word(struct repair *r, bool is_key)
{
	const char *from = r->p;
	size_t n;

	r->p = word_end(from, r->end);
	n = (size_t)(r->p - from);
	if (!is_key && is_word(from, n)) {
		buf_add(r->out, from, n);
		return;
	}
	buf_addc(r->out, '"');
	text_json(r->out, from, n);
	buf_addc(r->out, '"');
}

static void put_close(struct repair *r)
{
	if (r->expected == COLON)
		buf_adds(r->out, ":null");
	else if (r->expected == VALUE && is_in_object(&r->n))
		buf_adds(r->out, "null");
	buf_addc(r->out, is_in_object(&r->n) ? '}' : ']');
	r->n.depth--;
	r->is_first = false;
	r->expected = is_in_object(&r->n) ? KEY : VALUE;
}

static void put_open(struct repair *r)
{
	bool is_object = *r->p == '{';
	struct cursor c = cursor_of((struct str){ r->p, (size_t)(r->end - r->p) });

	if (r->n.depth == JSON_REPAIR_DEPTH) {
		buf_adds(r->out, "null");
		r->p = cursor_skip(&c) ? (const char *)c.p : r->end;
		return;
	}
	buf_addc(r->out, *r->p++);
	open_bracket(&r->n, is_object);
	r->is_first = true;
	r->expected = is_object ? KEY : VALUE;
}

static void put_value(struct repair *r)
{
	bool is_member = is_in_object(&r->n);

	if (!is_member)
		put_comma(r);
	r->expected = is_member ? KEY : VALUE;
	if (*r->p == '"')
		put_string(r);
	else if (*r->p == '{' || *r->p == '[')
		put_open(r);
	else
		put_word(r, false);
}

/* Write the token at p, or what is missing before it. */
static void put_token(struct repair *r)
{
	bool is_member = is_in_object(&r->n);

	switch (*r->p) {
	case '}':
	case ']':
		r->p++;
		put_close(r);
		break;
	case ':':
		r->p++;
		if (r->expected == COLON) {
			buf_addc(r->out, ':');
			r->expected = VALUE;
		}
		break;
	case ',':
		r->p++;
		if (is_member && r->expected != KEY) {
			buf_adds(r->out, r->expected == COLON ? ":null" : "null");
			r->expected = KEY;
		}
		break;
	default:
		if (r->expected == KEY) {
			put_comma(r);
			r->expected = COLON;
			if (*r->p == '"')
				put_string(r);
			else if (*r->p == '{' || *r->p == '[')
				buf_adds(r->out, "\"\"");
			else
				put_word(r, true);
		} else if (r->expected == VALUE) {
			put_value(r);
		} else {
			/* `{"a" 1}`: the next value is probably that of the key. */
			buf_addc(r->out, ':');
			r->expected = VALUE;
		}
	}
}

void json_repair(struct str text, struct buf *out)
{
	struct repair r = { .out = out, .p = text.p, .end = text.p + text.len, .is_first = true };
	size_t before = out->len;

	do {
		r.p = skip_blanks(r.p, r.end);
		if (r.p == r.end)
			break;
		if (r.n.depth == 0 && strchr(",:]}", *r.p) && *r.p)
			r.p++;
		else
			put_token(&r);
	} while (r.n.depth > 0 || out->len == before);
	while (r.n.depth > 0)
		put_close(&r);
	if (out->len == before)
		buf_adds(out, "null");
}
