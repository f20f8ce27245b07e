/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cursor over JSON in memory: no copies and no calls into a stream, for values that are read by
 * the million. CURSOR_PAD bytes after the text must be readable; their content does not matter.
 *
 * To pass a value is to move the cursor past it. The functions return false on failure; then either
 * is_cut or `why` is set. */
#ifndef FLAMETTY_BASE_JSON_CURSOR_H
#define FLAMETTY_BASE_JSON_CURSOR_H

#include "base/json/digits.h"
#include "base/json/json_number.h"
#include "base/json/scan.h"

#include <stdbool.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CURSOR_PAD 16

struct cursor {
	const unsigned char *p;
	const unsigned char *end;
	const char *why; /* what is wrong at p; static text */
	bool is_cut;     /* the text ends inside a value */
};

static inline struct cursor cursor_of(struct str text)
{
	if (!text.p)
		text.p = "";
	return (struct cursor){ (const unsigned char *)text.p,
				(const unsigned char *)text.p + text.len, NULL, false };
}

/* Skip blanks. Returns the first byte of the next token; 0 at the end. */
static inline int cursor_peek(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t' || *c->p == '\r'))
		c->p++;
	return c->p < c->end ? *c->p : 0;
}

static inline bool cursor_cut(struct cursor *c)
{
	c->p = c->end;
	c->is_cut = true;
	return false;
}

#define CURSOR_COMMENT "a comment, and JSON has no comments"

/* Whether a comment of another language begins at p. */
static inline bool cursor_is_comment(const unsigned char *p, const unsigned char *end)
{
	return end - p > 1 && p[0] == '/' && (p[1] == '/' || p[1] == '*');
}

/* Fail at the cursor. A comment is named, whatever was expected. */
static inline bool cursor_fail(struct cursor *c, const char *why)
{
	if (!c->why)
		c->why = cursor_is_comment(c->p, c->end) ? CURSOR_COMMENT : why;
	return false;
}

bool cursor_string_far(struct cursor *c, struct str *text, bool *has_escape);

#ifdef __SSE2__
/* Number of bytes from p to the next quote, less than 32; -1 when a backslash comes before it, or
 * when there is none that near. */
static inline int cursor_quote_near(const unsigned char *p)
{
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
	__m128i low = _mm_loadu_si128((const __m128i *)(const void *)p),
		high = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));
	unsigned hit = (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(low, quote),
								_mm_cmpeq_epi8(low, slash))) |
		(unsigned)_mm_movemask_epi8(
			_mm_or_si128(_mm_cmpeq_epi8(high, quote), _mm_cmpeq_epi8(high, slash)))
			<< 16;
	int n = hit ? __builtin_ctz(hit) : 0;

	return hit && p[n] == '"' ? n : -1;
}
#endif

/* Pass a string. text: the bytes between the quotes, with escapes as they are. */
static inline bool cursor_string(struct cursor *c, struct str *text, bool *has_escape)
{
#ifdef __SSE2__
	int n = c->end - c->p > 33 ? cursor_quote_near(c->p + 1) : -1;

	if (n >= 0) {
		*has_escape = false;
		*text = (struct str){ (const char *)c->p + 1, (size_t)n };
		c->p += n + 2;
		return true;
	}
#endif
	return cursor_string_far(c, text, has_escape);
}

/* Whether `len` bytes at p, 1 to 16, are those at `text`. 16 bytes can be read at both. */
static inline bool cursor_is_at(const unsigned char *p, const unsigned char *text, unsigned len)
{
#ifdef __SSE2__
	__m128i a = _mm_loadu_si128((const __m128i *)(const void *)p),
		b = _mm_loadu_si128((const __m128i *)(const void *)text);
	unsigned other = ~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));

	return other << (32 - len) == 0;
#else
	return memcmp(p, text, len) == 0;
#endif
}

static inline bool cursor_is_delimiter(unsigned char c)
{
	return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* p + n. *last: what n was before, which it mostly is again. The processor then goes on from the
 * sum with *last, by a branch that it predicts, and need not wait for n: in a row of short values,
 * waiting for the end of each is what takes the time. */
static inline __attribute__((always_inline)) const unsigned char *cursor_after(
	const unsigned char *p, unsigned n, unsigned *last)
{
	const unsigned char *guess = p + *last;

	/* The compiler must not see that both are the same. */
	__asm__("" : "+r"(guess));
	if (n == *last)
		return guess;
	*last = n;
	return p + n;
}

/* Pass 0, or a number of less than 16 digits and nothing else that does not begin with 0. Returns
 * false, and does not move, for any other value and near the end of the text. */
static inline bool cursor_skip_digits(struct cursor *c)
{
	static _Thread_local unsigned last;
	const unsigned char *p = c->p;
	uint64_t unused;
	unsigned n;

	if (c->end - p <= 16 || (*p == '0' && !cursor_is_delimiter(p[1])))
		return false;
	n = digits_read(p, &unused);
	if (n == 8)
		n += digits_read(p + 8, &unused);
	if (n == 0 || n == 16)
		return false;
	p = cursor_after(p, n, &last);
	if (!cursor_is_delimiter(*p))
		return false;
	c->p = p;
	return true;
}

/* Pass any value. Brackets inside strings do not count; the kinds of brackets must match down to a
 * depth of 64, and their numbers below. */
bool cursor_skip(struct cursor *c);

/* Length in bytes of the object at `from`, if it has no nested values and ends before `end`. 0: the
 * object is not so simple, or so near the end that it was not examined. */
size_t cursor_flat_object(const unsigned char *from, const unsigned char *end);

bool cursor_raw_far(struct cursor *c, struct str *raw);

/* Pass a value. raw: its bytes. */
static inline bool cursor_raw(struct cursor *c, struct str *raw)
{
	const unsigned char *p = c->p;

	if (c->end - p > 1 && p[0] == '{' && p[1] == '}') {
		*raw = (struct str){ (const char *)p, 2 };
		c->p += 2;
		return true;
	}
	return cursor_raw_far(c, raw);
}

bool cursor_key_far(struct cursor *c, bool *is_first, struct str *key);

/* After the '{' of an object, or after the value of a member: pass the next key and its colon.
 * Returns false at the closing brace, which is passed, and on failure. key: with escapes as they
 * are. */
static inline bool cursor_key(struct cursor *c, bool *is_first, struct str *key)
{
#ifdef __SSE2__
	const unsigned char *p = c->p;

	if (p < c->end && *p == '}') {
		c->p++;
		return false;
	}
	/* Nearly all keys: `,"key":` without blanks. */
	if (c->end - p > 40 && (*p == ',' || *is_first)) {
		p += !*is_first;
		if (*p == '"') {
			int n = cursor_quote_near(++p);

			if (n >= 0 && p[n + 1] == ':') {
				*is_first = false;
				*key = (struct str){ (const char *)p, (size_t)n };
				c->p = p + n + 2;
				return true;
			}
		}
	}
#endif
	return cursor_key_far(c, is_first, key);
}

/* Pass a number of at most 15 digits before the point, and after it no more than `scale`, at most
 * 3, of them: the numbers of nearly all events. *value: its product with 10^scale. Returns false,
 * and does not move, for any other value and near the end of the text. */
static inline __attribute__((always_inline)) bool cursor_short_number(struct cursor *c, int scale,
								      int64_t *value)
{
	static const uint64_t power10[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
	};
	static _Thread_local unsigned last;
	const unsigned char *p = c->p, *from;
	bool is_negative = *p == '-';
	uint64_t v, more;
	unsigned n;

	if (c->end - p < (scale ? 40 : 20))
		return false;
	from = p += is_negative;
	n = digits_read(p, &v);
	if (n == 8) {
		n = digits_read(p + 8, &more);
		if (n == 8)
			return false;
		v = v * power10[n] + more;
		p = cursor_after(p + 8, n, &last);
	} else {
		p += n;
	}
	if (p == from || (*from == '0' && p - from > 1))
		return false;
	v *= power10[scale];
	if (scale && *p == '.') {
		n = digits_read(++p, &more);
		if (n == 0 || n > (unsigned)scale)
			return false;
		v += more * power10[(unsigned)scale - n];
		p += n;
	}
	if (!cursor_is_delimiter(*p))
		return false;
	*value = is_negative ? -(int64_t)v : (int64_t)v;
	c->p = p;
	return true;
}

/* Pass a value that may be a number, or a string that contains one. Parameters as for
 * scan_number(). */
bool cursor_number(struct cursor *c, int scale, int64_t *value, enum number_kind *kind,
		   bool *is_text);

/* Pass a whole number of at most 9 digits. Returns false when the value is something else, or is so
 * near the end that it may be cut; c does not move then. */
static inline bool cursor_integer(struct cursor *c, int64_t *value)
{
	const unsigned char *p = c->p, *from;
	bool is_negative = *p == '-';
	uint64_t v;
	unsigned n;

	if (c->end - p < 20)
		return false;
	from = p += is_negative;
	n = digits_read(p, &v);
	p += n;
	if (n == 8 && *p >= '0' && *p <= '9')
		v = v * 10 + (uint64_t)(*p++ - '0');
	if (n == 0 || (*from == '0' && p - from > 1) || !cursor_is_delimiter(*p))
		return false;
	*value = is_negative ? -(int64_t)v : (int64_t)v;
	c->p = p;
	return true;
}

/* The value of member `name` of the object `text`; of a member that comes twice, the last one.
 * Returns false when there is none, or when `text` is no object. *is_damaged: the text is an
 * object, but not to its end. */
bool cursor_find_checked(struct str text, const char *name, struct str *value, bool *is_damaged);

static inline bool cursor_find(struct str text, const char *name, struct str *value)
{
	bool is_damaged;

	return cursor_find_checked(text, name, value, &is_damaged);
}

#endif
