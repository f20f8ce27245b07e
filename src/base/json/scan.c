/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scanner's window is the stretch of text that the stream gave last, with the end of the
 * stretch before it in front. Invariants:
 * 1. buf <= p <= end. *end is NUL, and SCAN_PAD - 1 more NULs follow: loops may look ahead by a
 *    vector, and stop at the NUL without comparing pointers.
 * 2. When p reaches end, scan_more() has the stream place the bytes from the pin (or p) on in front
 *    of the next stretch. When these bytes are too many, they are moved to a buffer of the
 *    scanner's own, which grows, and the text is copied after them.
 * 3. Pointers into the window are invalid after the next call that may read. */
#include "config.h"

#include "base/json/scan.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/json/cursor.h"
#include "base/json/digits.h"
#include "base/json/json_number.h"
#include "base/json/json_read.h"
#include "base/str.h"
#include "base/stream/stream.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static bool scan_more(struct scan *s);

/* ==== scan inner ====
 *
 * What numbers and documents share. */

/* The longest number or word, and the longest string that may hold a number. */
#define SCAN_WORD_MAX ((size_t)1 << 20)

static bool scan_is_blank(unsigned char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* ==== scan number ====
 *
 * Numbers of a document: one at a time, or long arrays of whole numbers, which make up most of a
 * CPU profile. scan_number_list() has two loops: short_numbers() reads numbers of at most 8 digits
 * (7 without SSE2) without blanks between them; the other loop reads whole numbers of at most 9
 * digits. The function stops at any other element, which the caller reads with scan_number(). */

static const int64_t power10[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

bool scan_number(struct scan *s, int scale, int64_t *value, enum number_kind *kind, bool *is_text)
{
	struct str raw = { NULL, 0 };
	int c = scan_peek(s);

	*value = 0;
	*kind = NUMBER_NONE;
	*is_text = false;
	if (c != '"' && c != '-' && !(c >= '0' && c <= '9'))
		return scan_skip(s);
	if (!scan_raw(s, SCAN_WORD_MAX, &raw))
		return false;
	if (c == '"')
		*is_text = json_number_parse(raw.p + 1, raw.len - 2, scale, value, kind);
	else
		json_number_parse(raw.p, raw.len, scale, value, kind);
	return true;
}

#if defined __SSE2__ && defined DIGITS_BY_EIGHT

#define BLOCK 64

/* Which bytes of a block are commas, and which are neither digits nor commas. */
struct places {
	uint64_t commas, others;
};

static struct places find_places(const unsigned char *p)
{
	const __m128i comma = _mm_set1_epi8(','), below = _mm_set1_epi8('0' - 1),
		      above = _mm_set1_epi8('9' + 1);
	struct places places = { 0, 0 };

	for (int i = 0; i < BLOCK; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		__m128i is_comma = _mm_cmpeq_epi8(v, comma);
		/* Signed: bytes from 128 on are below. */
		__m128i known = _mm_or_si128(
			is_comma,
			_mm_and_si128(_mm_cmpgt_epi8(v, below), _mm_cmplt_epi8(v, above)));

		places.commas |= (uint64_t)(unsigned)_mm_movemask_epi8(is_comma) << i;
		places.others |= (uint64_t)(0xFFFFu ^ (unsigned)_mm_movemask_epi8(known)) << i;
	}
	return places;
}

/* Read numbers between the commas of a block, the first of which is at p, while they have at most 8
 * digits. out: room for BLOCK / 2. Returns how many; *used: bytes up to the comma behind the last
 * one. */
static size_t block_numbers(const unsigned char *p, int64_t factor, int64_t *out, size_t *used)
{
	struct places places = find_places(p);
	uint64_t ends = places.commas & ~UINT64_C(1);
	unsigned from = 1;
	size_t n = 0;

	if (places.others)
		ends &= (places.others & (0 - places.others)) - 1;
	for (; ends; ends &= ends - 1) {
		unsigned end = (unsigned)__builtin_ctzll(ends), len = end - from;
		uint64_t v;

		if (len - 1 > 7 || (p[from] == '0' && len > 1))
			break;
		memcpy(&v, p + from, sizeof v);
		out[n++] = (int64_t)digits_value(v ^ UINT64_C(0x3030303030303030), len) * factor;
		from = end + 1;
	}
	*used = from - 1;
	return n;
}

/* The common case of scan_number_list(): `,123` of at most 8 digits with a comma after it, all in
 * the window. Where numbers begin follows from the commas of a whole block, so that a number need
 * not wait for the one before it. */
static size_t short_numbers(struct scan *s, int64_t factor, int64_t *out, size_t most)
{
	size_t n = 0, more = 1, used;

	/* A number that begins in the block may be loaded from up to 8 bytes after it. */
	while (more > 0 && most - n >= BLOCK / 2 && s->end - s->p >= BLOCK + 8 && *s->p == ',') {
		more = block_numbers(s->p, factor, out + n, &used);
		s->p += used;
		n += more;
	}
	return n;
}

#else

/* The same, one number after the other, of at most 7 digits. */
static size_t short_numbers(struct scan *s, int64_t factor, int64_t *out, size_t most)
{
	size_t n = 0;
	const unsigned char *p = s->p;

	for (; n < most && s->end - p >= 16 && *p == ','; n++) {
		uint64_t v;
		unsigned len = digits_read(p + 1, &v);

		if (len == 0 || len == 8 || p[1 + len] != ',' || (p[1] == '0' && len > 1))
			break;
		out[n] = (int64_t)v * factor;
		p += 1 + len;
	}
	s->p = p;
	return n;
}

#endif

size_t scan_number_list(struct scan *s, int scale, int64_t *out, size_t most, bool *is_first)
{
	const int64_t factor = power10[scale];
	size_t n = 0;

	while (n < most && s->err->kind == ERR_NONE) {
		const unsigned char *p = s->p, *digits;
		bool is_negative;
		int64_t v = 0;

		if (!*is_first) {
			n += short_numbers(s, factor, out + n, most - n);
			if (n == most)
				break;
			p = s->p;
		}
		/* A number with everything around it must be in the window. */
		if (s->end - p < 64 && !s->is_eof) {
			scan_more(s); /* the window may have moved, even at the end */
			continue;
		}
		while (scan_is_blank(*p))
			p++;
		if (!*is_first) {
			if (*p != ',')
				break;
			p++;
			while (scan_is_blank(*p))
				p++;
		}
		is_negative = *p == '-';
		p += is_negative;
		digits = p;
		while (*p >= '0' && *p <= '9' && p - digits < 10)
			v = v * 10 + (*p++ - '0');
		/* Leading zeros, fractions, more than 9 digits, and the end of the document are
		 * left to scan_number(). */
		if (p == digits || p - digits > 9 || (*digits == '0' && p - digits > 1) ||
		    !(*p == ',' || *p == ']' || *p == '}' || scan_is_blank(*p)))
			break;
		v *= factor;
		out[n++] = is_negative ? -v : v;
		*is_first = false;
		s->p = p;
	}
	return n;
}

/* ==== scan ==== */

/* The least that is read into the scanner's own buffer at a time. */
#define SCAN_STEP ((size_t)1 << 16)
#define SCAN_PAD 32
#define KEY_BYTES_MAX ((size_t)16 << 20)
#define DEPTH_WORDS 1024u

void scan_init(struct scan *s, struct stream *stream, struct error *err)
{
	static const unsigned char nothing[SCAN_PAD];

	*s = (struct scan){ .stream = stream, .err = err, .first_trailing = -1 };
	s->buf = s->p = s->end = nothing;
}

void scan_over(struct scan *s, const char *text, size_t len, int64_t base, struct error *err)
{
	if (len + SCAN_PAD > s->cap || !s->own) {
		s->cap = len + len / 2 + SCAN_PAD;
		s->own = xrealloc(s->own, s->cap + SCAN_PAD, 1);
	}
	memcpy(s->own, text, len);
	memset(s->own + len, 0, SCAN_PAD);
	s->err = err;
	s->buf = s->p = s->own;
	s->end = s->own + len;
	s->pin = NULL;
	s->base = base;
	s->is_eof = true;
	s->is_cut = false;
}

static bool failed(const struct scan *s)
{
	return s->err->kind != ERR_NONE;
}

static bool fail_at(struct scan *s, const unsigned char *at, const char *text)
{
	if (cursor_is_comment(at, s->end))
		text = CURSOR_COMMENT;
	return error_set(s->err, ERR_SYNTAX, s->base + (at - s->buf), "%s", text);
}

static bool fail_cut(struct scan *s, const char *where)
{
	if (!failed(s))
		s->is_cut = true;
	return error_set(s->err, ERR_SYNTAX, s->base + (s->end - s->buf), "the file ends %s",
			 where);
}

/* Read into the scanner's own buffer, after the `kept` bytes at `from`, which are moved there. */
static ptrdiff_t read_own(struct scan *s, const unsigned char *from, size_t kept,
			  unsigned char **text)
{
	bool is_own = s->own && s->buf == s->own;

	/* Growing copies the buffer: move the kept bytes to the front first, so that only they are
	 * copied. */
	if (is_own)
		memmove(s->own, from, kept);
	if (kept + SCAN_STEP > s->cap) {
		s->cap = 2 * kept + SCAN_STEP * 4;
		s->own = xrealloc(s->own, s->cap + SCAN_PAD, 1);
	}
	assert(s->own);
	if (!is_own)
		memcpy(s->own, from, kept);
	*text = s->own + kept;
	return stream_read(s->stream, *text, s->cap - kept, s->err);
}

/* Read more of the document into the window, which may move. Returns false at the end of the
 * document and on failure. */
static bool scan_more(struct scan *s)
{
	const unsigned char *from = s->pin ? s->pin : s->p;
	size_t kept = (size_t)(s->end - from), at = (size_t)(s->p - from);
	unsigned char *text;
	ptrdiff_t n;

	if (s->is_eof || failed(s))
		return false;
	if (s->pin && kept > s->pin_most)
		return error_set(s->err, ERR_LIMIT, s->base + (s->pin - s->buf),
				 "a value of more than %zu bytes", s->pin_most);
	s->base += from - s->buf;
	if (kept <= STREAM_KEPT)
		n = stream_next(s->stream, from, kept, &text, s->err);
	else
		n = read_own(s, from, kept, &text);
	if (n <= 0) {
		s->is_eof = true;
		n = 0;
	}
	s->buf = text - kept;
	s->p = s->buf + at;
	if (s->pin)
		s->pin = s->buf;
	s->end = text + n;
	memset(text + n, 0, SCAN_PAD);
	return n > 0;
}

bool scan_window(struct scan *s, size_t size, struct str *out)
{
	s->pin = s->p;
	s->pin_most = SIZE_MAX;
	while ((size_t)(s->end - s->p) < size && scan_more(s))
		;
	s->pin = NULL;
	*out = (struct str){ (const char *)s->p, (size_t)(s->end - s->p) };
	return !failed(s);
}

int scan_peek_far(struct scan *s)
{
	for (;;) {
		unsigned char c = *s->p;

		if (scan_is_blank(c))
			s->p++;
		else if (c)
			return failed(s) ? 0 : c;
		else if (s->p < s->end)
			return failed(s) ? 0 : 1;
		else if (!scan_more(s))
			return 0;
	}
}

/* Fail because something else was expected at the next token. Always returns false. */
static bool expected(struct scan *s, const char *what)
{
	int c = scan_peek(s);

	if (failed(s))
		return false;
	if (c == 0)
		return fail_cut(s, "too early");
	if (cursor_is_comment(s->p, s->end))
		return fail_at(s, s->p, CURSOR_COMMENT);
	if (c > 0x20 && c < 0x7F)
		return error_set(s->err, ERR_SYNTAX, scan_offset(s), "expected %s, found '%c'",
				 what, c);
	return error_set(s->err, ERR_SYNTAX, scan_offset(s), "expected %s, found byte 0x%02X", what,
			 *s->p);
}

bool scan_open(struct scan *s, char open)
{
	if (scan_peek(s) != open)
		return expected(s, open == '{' ? "'{'" : "'['");
	s->p++;
	return true;
}

/* Move p from the byte after an opening quote to the closing one. */
static bool find_quote(struct scan *s, bool *has_escape)
{
	for (;;) {
#ifdef __SSE2__
		const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');

		while (s->end - s->p >= 16) {
			__m128i v = _mm_loadu_si128((const __m128i *)(const void *)s->p);
			int hit = _mm_movemask_epi8(
				_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)));

			if (hit) {
				s->p += __builtin_ctz((unsigned)hit);
				break;
			}
			s->p += 16;
		}
#endif
		while (s->p < s->end && *s->p != '"' && *s->p != '\\')
			s->p++;
		if (s->p == s->end) {
			if (!scan_more(s))
				return failed(s) ? false : fail_cut(s, "inside a string");
			continue;
		}
		if (*s->p == '"')
			return true;
		*has_escape = true;
		if (s->end - s->p < 2 && !scan_more(s))
			return failed(s) ? false : fail_cut(s, "inside a string");
		s->p += 2;
	}
}

/* Count brackets. The bits of `stack` are 1 for braces and 0 for square brackets. */
static bool skip_nested(struct scan *s)
{
	uint64_t stack[DEPTH_WORDS];
	size_t depth = 0;
	bool has_escape = false;

	for (;;) {
		unsigned char c = *s->p;

		if (c == '"') {
			s->p++;
			if (!find_quote(s, &has_escape))
				return false;
		} else if (c == '{' || c == '[') {
			if (depth < DEPTH_WORDS * 64) {
				uint64_t bit = UINT64_C(1) << (depth % 64);

				if (depth % 64 == 0)
					stack[depth / 64] = 0;
				stack[depth / 64] = c == '{' ? stack[depth / 64] | bit
							     : stack[depth / 64] & ~bit;
			}
			depth++;
		} else if (c == '}' || c == ']') {
			depth--;
			if (depth < DEPTH_WORDS * 64 &&
			    ((stack[depth / 64] >> (depth % 64)) & 1) != (c == '}'))
				return fail_at(s, s->p,
					       c == '}' ? "'}' closes a '['" : "']' closes a '{'");
			if (depth == 0) {
				s->p++;
				return true;
			}
		} else if (c == 0 && s->p == s->end) {
			if (!scan_more(s))
				return failed(s) ? false : fail_cut(s, "inside an object or array");
			continue;
		}
		s->p++;
	}
}

static bool is_delimiter(unsigned char c)
{
	return c == ',' || c == ']' || c == '}' || c == ':' || scan_is_blank(c);
}

/* Ensure that the window holds the whole token. Returns its length. */
static size_t word_length(struct scan *s)
{
	size_t n = 0;

	s->pin = s->p;
	s->pin_most = SCAN_WORD_MAX;
	for (;;) {
		while (s->p + n < s->end && !is_delimiter(s->p[n]))
			n++;
		if (s->p + n < s->end || !scan_more(s))
			break;
	}
	s->pin = NULL;
	return failed(s) ? 0 : n;
}

static bool skip_word(struct scan *s)
{
	size_t n = word_length(s);
	const char *p = (const char *)s->p;

	if (failed(s))
		return false;
	/* The document is an object or array, so a word that ends with it is cut. */
	if (s->p + n == s->end)
		return fail_cut(s, "inside a value");
	if (!((n == 4 && (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0)) ||
	      (n == 5 && memcmp(p, "false", 5) == 0) || json_number_is((const char *)s->p, n)))
		return fail_at(s, s->p, "not a JSON value");
	s->p += n;
	return true;
}

bool scan_skip(struct scan *s)
{
	bool has_escape = false;

	switch (scan_peek(s)) {
	case 0:
		return expected(s, "a value");
	case '"':
		s->p++;
		if (!find_quote(s, &has_escape))
			return false;
		s->p++;
		return true;
	case '{':
	case '[':
		return skip_nested(s);
	default:
		return skip_word(s);
	}
}

bool scan_raw(struct scan *s, size_t most, struct str *out)
{
	bool ok;

	if (scan_peek(s) == 0)
		return expected(s, "a value");
	if (*s->p != '"' && *s->p != '{' && *s->p != '[') {
		size_t n = word_length(s);
		const unsigned char *at = s->p;

		if (failed(s) || !skip_word(s))
			return false;
		*out = (struct str){ (const char *)at, n };
		return true;
	}
	if (*s->p == '{') {
		size_t n = cursor_flat_object(s->p, s->end);

		if (n > 0 && n <= most) {
			*out = (struct str){ (const char *)s->p, n };
			s->p += n;
			return true;
		}
	}
	s->pin = s->p;
	s->pin_most = most;
	ok = scan_skip(s);
	*out = (struct str){ (const char *)s->pin, ok ? (size_t)(s->p - s->pin) : 0 };
	s->pin = NULL;
	return ok;
}

/* After a comma: tolerate and count a closing bracket. */
static bool trailing_comma(struct scan *s, int close)
{
	if (scan_peek(s) != close)
		return false;
	if (s->n_trailing++ == 0)
		s->first_trailing = scan_offset(s);
	s->p++;
	return true;
}

/* Go to the next element or key of a container that `close` ends; *c: its first byte. False: it has
 * no more, or `what`, which was expected, is missing. */
static inline bool next_item(struct scan *s, bool *is_first, int close, const char *what, int *c)
{
	*c = scan_peek(s);
	if (*c == close) {
		s->p++;
		return false;
	}
	if (!*is_first) {
		if (*c != ',')
			return expected(s, what);
		s->p++;
		if (trailing_comma(s, close))
			return false;
		*c = scan_peek(s);
	}
	*is_first = false;
	return true;
}

bool scan_element(struct scan *s, bool *is_first)
{
	int c;

	if (!next_item(s, is_first, ']', "',' or ']' in an array", &c))
		return false;
	if (c == 0)
		return expected(s, "a value");
	return !failed(s);
}

static bool decode_key(struct scan *s, struct str *key)
{
	BUF_LOCAL text = { 0 };
	bool ok = json_tree_decode(key->p - 1, key->len + 2, &text);

	if (!ok) {
		return fail_at(s, (const unsigned char *)key->p,
			       "a key with an escape that JSON does not know");
	}
	if (text.len + 1 > s->text_cap) {
		s->text_cap = text.len + 1;
		s->text = xrealloc(s->text, s->text_cap, 1);
	}
	memcpy(s->text, buf_text(&text), text.len);
	*key = (struct str){ (const char *)s->text, text.len };
	return true;
}

/* The common case of scan_key(): `,"key":` without blanks or escapes, the key shorter than 16
 * bytes, all of it in the window. */
static bool short_key(struct scan *s, bool *is_first, struct str *key)
{
#ifdef __SSE2__
	const unsigned char *p = s->p;
	__m128i v;
	unsigned hit;
	int n;

	if (s->end - p < 32 || s->err->kind != ERR_NONE)
		return false;
	if (!*is_first && *p++ != ',')
		return false;
	if (*p++ != '"')
		return false;
	v = _mm_loadu_si128((const __m128i *)(const void *)p);
	hit = (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
						       _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
	if (!hit)
		return false;
	n = __builtin_ctz(hit);
	if (p[n] != '"' || p[n + 1] != ':')
		return false;
	*key = (struct str){ (const char *)p, (size_t)n };
	*is_first = false;
	s->p = p + n + 2;
	return true;
#else
	(void)s;
	(void)is_first;
	(void)key;
	return false;
#endif
}

bool scan_key(struct scan *s, bool *is_first, struct str *key)
{
	bool has_escape = false, ok;
	size_t len;
	int c;

	if (short_key(s, is_first, key))
		return true;
	if (!next_item(s, is_first, '}', "',' or '}' in an object", &c))
		return false;
	if (c != '"')
		return expected(s, "a key in quotes");
	s->pin = s->p;
	s->pin_most = KEY_BYTES_MAX;
	s->p++;
	ok = find_quote(s, &has_escape);
	if (ok) {
		s->p++;
		len = (size_t)(s->p - s->pin) - 2;
		/* The colon may be in the next window: keep the key in this one. */
		ok = scan_peek(s) == ':' || expected(s, "':' after a key");
		*key = (struct str){ (const char *)s->pin + 1, len };
	}
	s->pin = NULL;
	if (!ok)
		return false;
	s->p++;
	return has_escape ? decode_key(s, key) : true;
}
