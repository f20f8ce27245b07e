/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks JSON that lies in memory, without copies and without calls into a stream: for
 * what is read by the million. The text must have CURSOR_PAD readable bytes behind it.
 *
 * After a failure either is_cut is set, or why. */
#ifndef FLAMETTY_JSON_CURSOR_H
#define FLAMETTY_JSON_CURSOR_H

#include "json/json_number.h"
#include "json/scan.h"

#include <stdbool.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CURSOR_PAD 16

struct cursor {
	const unsigned char *p;
	const unsigned char *end;
	const char *why; /* what is wrong at p */
	bool is_cut;     /* the text ends too early */
};

static inline struct cursor cursor_of(struct str text)
{
	if (!text.p)
		text.p = "";
	return (struct cursor){ (const unsigned char *)text.p,
				(const unsigned char *)text.p + text.len, NULL, false };
}

/* The first byte of the next token; 0 at the end. */
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

static inline bool cursor_fail(struct cursor *c, const char *why)
{
	if (!c->why)
		c->why = why;
	return false;
}

bool cursor_string_far(struct cursor *c, struct str *text, bool *has_escape);

#ifdef __SSE2__
/* How many bytes from p on, less than 32, come before a quote without a backslash among them; -1:
 * neither or not that near. */
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

/* Pass a string. text: what is between the quotes, escapes as they stand. */
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

/* Pass any value: strings are honoured, brackets must match to a depth of 64 and in number. */
bool cursor_skip(struct cursor *c);

/* The length of an object that begins at p, has no escapes and nothing nested in it, and ends
 * before `end`; 0: it is of another kind, or so near the end that nobody looked. */
size_t cursor_flat_object(const unsigned char *p, const unsigned char *end);

/* Pass a value and give its bytes. */
bool cursor_raw(struct cursor *c, struct str *raw);

bool cursor_key_far(struct cursor *c, bool *is_first, struct str *key);

/* After the '{' of an object, or a member's value: the next key, standing before its value. False
 * at the closing brace, which is passed, and on failure. A key with
 * escapes is given as it stands. */
static inline bool cursor_key(struct cursor *c, bool *is_first, struct str *key)
{
#ifdef __SSE2__
	const unsigned char *p = c->p;

	/* `,"key":` without blanks, or a brace: nearly all. */
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

/* Pass a value that may be a number, or a string that holds one. As scan_number(). */
bool cursor_number(struct cursor *c, int scale, int64_t *value, enum number_kind *kind,
		   bool *is_text);

/* Pass a plain whole number of at most 9 digits. False: it is something else, or ends with the
 * text; c is where it was. */
bool cursor_integer(struct cursor *c, int64_t *value);

/* The value of member `name` of the object `text`; false if there is none or it is no object. */
bool cursor_find(struct str text, const char *name, struct str *value);

#endif
