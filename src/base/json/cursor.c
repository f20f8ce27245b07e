/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings are searched 16 bytes at a time, nested values 64 at a time: from the quotes of a block
 * follows, bit by bit, which bytes are inside strings; the brackets outside them are counted one by
 * one. Reads may go past the end of the text by CURSOR_PAD bytes. */
#include "config.h"

#include "base/json/cursor.h"

#include "base/json/json_number.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The first quote or backslash from p on; a pointer at or after the end when there is none. */
static const unsigned char *find_special(const unsigned char *p, const unsigned char *end)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');

	for (; p < end; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		int hit = _mm_movemask_epi8(
			_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)));

		if (hit)
			return p + __builtin_ctz((unsigned)hit);
	}
#else
	while (p < end && *p != '"' && *p != '\\')
		p++;
#endif
	return p;
}

bool cursor_string_far(struct cursor *c, struct str *text, bool *has_escape)
{
	const unsigned char *from = c->p + 1, *p = from;

	*has_escape = false;
	for (;;) {
		p = find_special(p, c->end);
		if (p >= c->end)
			return cursor_cut(c);
		if (*p == '"')
			break;
		*has_escape = true;
		p += 2;
	}
	*text = (struct str){ (const char *)from, (size_t)(p - from) };
	c->p = p + 1;
	return true;
}

/* Depth of brackets, and the kinds of the outermost 64: 1 for a brace. */
struct nesting {
	uint64_t kinds;
	size_t depth;
};

/* Count a bracket. Returns true when it closes the value, or when it does not match; then *why is
 * set. */
static bool count_bracket(struct nesting *n, unsigned char c, const char **why)
{
	if (c == '{' || c == '[') {
		if (n->depth++ < 64)
			n->kinds = n->kinds << 1 | (c == '{');
		return false;
	}
	if (n->depth <= 64) {
		if ((n->kinds & 1) != (c == '}'))
			*why = c == '}' ? "'}' closes a '['" : "']' closes a '{'";
		n->kinds >>= 1;
	}
	return --n->depth == 0 || *why;
}

#ifdef __SSE2__
struct block {
	uint64_t quotes, slashes, brackets;
};

static __m128i load16(const unsigned char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static __m128i same16(__m128i v, char c)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

static inline uint64_t bits64(__m128i a, __m128i b, __m128i c, __m128i d)
{
	uint64_t low = (unsigned)_mm_movemask_epi8(a) | (unsigned)_mm_movemask_epi8(b) << 16,
		 high = (unsigned)_mm_movemask_epi8(c) | (unsigned)_mm_movemask_epi8(d) << 16;

	return low | high << 32;
}

/* '[' and '{', ']' and '}' differ in one bit. */
static inline __m128i brackets16(__m128i v)
{
	v = _mm_or_si128(v, _mm_set1_epi8(0x20));
	return _mm_or_si128(same16(v, '{'), same16(v, '}'));
}

/* Loops over parts and bits are written out: the compiler would leave them as they are. */
static inline struct block look(const unsigned char *p)
{
	__m128i a = load16(p), b = load16(p + 16), c = load16(p + 32), d = load16(p + 48);
	__m128i sa = same16(a, '\\'), sb = same16(b, '\\'), sc = same16(c, '\\'),
		sd = same16(d, '\\');
	struct block block = {
		.quotes = bits64(same16(a, '"'), same16(b, '"'), same16(c, '"'), same16(d, '"')),
		.brackets = bits64(brackets16(a), brackets16(b), brackets16(c), brackets16(d)),
	};

	/* Few blocks have one. */
	if (_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(sa, sb), _mm_or_si128(sc, sd))))
		block.slashes = bits64(sa, sb, sc, sd);
	return block;
}

/* Remove the quotes that a backslash escapes. *carry: the first byte of the next block is
 * escaped. */
static uint64_t without_escaped(uint64_t quotes, uint64_t slashes, bool *carry)
{
	uint64_t escaped = *carry ? 1 : 0;

	slashes &= ~escaped;
	*carry = false;
	while (slashes) {
		uint64_t bit = slashes & (0 - slashes);

		*carry = bit >> 63;
		escaped |= bit << 1;
		slashes &= ~(bit | bit << 1);
	}
	return quotes & ~escaped;
}

/* Bit i of the result: the parity of the bits 0 to i. */
static uint64_t parities(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}

static bool skip_nested(struct cursor *c)
{
	struct nesting n = { 0, 0 };
	uint64_t carried = 0;
	bool carry = false;
	unsigned char tail[64];

	for (;;) {
		size_t left = (size_t)(c->end - c->p);
		const unsigned char *p = c->p;
		struct block b;
		uint64_t inside;

		if (left == 0)
			return cursor_cut(c);
		if (left < 64) {
			memset(tail, 0, sizeof tail);
			memcpy(tail, p, left);
			p = tail;
		}
		b = look(p);
		if (b.slashes || carry)
			b.quotes = without_escaped(b.quotes, b.slashes, &carry);
		inside = parities(b.quotes) ^ carried;
		for (uint64_t bits = b.brackets & ~inside; bits; bits &= bits - 1) {
			int at = __builtin_ctzll(bits);

			if (!count_bracket(&n, p[at], &c->why))
				continue;
			c->p += at;
			if (c->why)
				return false;
			c->p++;
			return true;
		}
		carried = inside >> 63 ? ~UINT64_C(0) : 0;
		if (left < 64)
			return cursor_cut(c);
		c->p += 64;
	}
}
#else
static bool skip_nested(struct cursor *c)
{
	struct nesting n = { 0, 0 };
	struct str text;
	bool has_escape;

	while (c->p < c->end) {
		if (*c->p == '"') {
			if (!cursor_string(c, &text, &has_escape))
				return false;
			continue;
		}
		if (strchr("{}[]", *c->p) && *c->p && count_bracket(&n, *c->p, &c->why)) {
			c->p += !c->why;
			return !c->why;
		}
		c->p++;
	}
	return cursor_cut(c);
}
#endif

#ifdef __SSE2__
/* Bit i of the result: whether byte i of 16 is inside a string (the opening quote is, the closing
 * one is not), by the bits of the quotes: each is the parity of the bits up to it. */
static unsigned inside_strings(unsigned quotes)
{
	quotes ^= quotes << 1;
	quotes ^= quotes << 2;
	quotes ^= quotes << 4;
	return (quotes ^ quotes << 8) & 0xFFFF;
}
#endif

/* The same of objects of any text, byte by byte. */
static size_t flat_object(const unsigned char *from, const unsigned char *end)
{
	bool is_inside = false;

	for (const unsigned char *p = from + 1; p < end; p++) {
		if (*p == '"')
			is_inside = !is_inside;
		else if (is_inside)
			p += *p == '\\';
		else if (*p == '}')
			return (size_t)(p - from) + 1;
		else if (*p == '\\' || *p == '{' || *p == '[' || *p == ']')
			return 0;
	}
	return 0;
}

size_t cursor_flat_object(const unsigned char *from, const unsigned char *end)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
		      close = _mm_set1_epi8('}'), open = _mm_set1_epi8('{');
	unsigned carried = 0;

	for (const unsigned char *p = from + 1; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		unsigned quotes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, quote));
		unsigned inside = inside_strings(quotes) ^ carried;
		/* '[' and '{', ']' and '}' differ in one bit. */
		__m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
		unsigned ends = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(folded, close)) &
			~inside;
		unsigned opens = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(folded, open)) &
			~inside;
		unsigned slashes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, slash));
		unsigned before = ends ? (ends & (0u - ends)) - 1 : 0xFFFF;

		if (slashes & before)
			return flat_object(from, end);
		if (opens & before)
			return 0;
		if (ends) {
			size_t at = (size_t)__builtin_ctz(ends);

			return p[at] == '}' ? (size_t)(p - from) + at + 1 : 0;
		}
		carried = inside & 0x8000 ? 0xFFFF : 0;
	}
	return 0;
#else
	return flat_object(from, end);
#endif
}

static bool skip_word(struct cursor *c)
{
	const char *p = (const char *)c->p;
	size_t n = 0;

	while (c->p + n < c->end && !cursor_is_delimiter(c->p[n]))
		n++;
	/* A word that ends with the text may be cut. */
	if (c->p + n == c->end)
		return cursor_cut(c);
	if (!((n == 4 && (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0)) ||
	      (n == 5 && memcmp(p, "false", 5) == 0) || json_number_is(p, n)))
		return cursor_fail(c, "not a JSON value");
	c->p += n;
	return true;
}

bool cursor_skip(struct cursor *c)
{
	struct str text;
	bool has_escape;

	switch (cursor_peek(c)) {
	case 0:
		return c->p == c->end ? cursor_cut(c) : cursor_fail(c, "expected a value");
	case '"':
		return cursor_string(c, &text, &has_escape);
	case '{':
	case '[':
		if (c->end - c->p > 1 && c->p[1] == c->p[0] + 2) {
			c->p += 2;
			return true;
		}
		return skip_nested(c);
	default:
		return cursor_skip_digits(c) || skip_word(c);
	}
}

bool cursor_raw_far(struct cursor *c, struct str *raw)
{
	const unsigned char *from;

	cursor_peek(c);
	from = c->p;
	if (!cursor_skip(c))
		return false;
	*raw = (struct str){ (const char *)from, (size_t)(c->p - from) };
	return true;
}

bool cursor_key_far(struct cursor *c, bool *is_first, struct str *key)
{
	bool has_escape;
	int b = cursor_peek(c);

	if (b == ',' && !*is_first) {
		c->p++;
		b = cursor_peek(c);
	} else if (b && b != '}' && !*is_first) {
		return cursor_fail(c, "expected ',' or '}' in an object");
	}
	*is_first = false;
	if (b == '}') {
		c->p++;
		return false;
	}
	if (b != '"')
		return c->p == c->end ? cursor_cut(c) : cursor_fail(c, "expected a key in quotes");
	if (!cursor_string(c, key, &has_escape))
		return false;
	b = cursor_peek(c);
	if (b != ':')
		return c->p == c->end ? cursor_cut(c) : cursor_fail(c, "expected ':' after a key");
	c->p++;
	return true;
}

bool cursor_number(struct cursor *c, int scale, int64_t *value, enum number_kind *kind,
		   bool *is_text)
{
	struct str text;
	bool has_escape;
	int b = cursor_peek(c);

	*value = 0;
	*is_text = false;
	*kind = NUMBER_INTEGER;
	if (scale <= 3 && b && cursor_short_number(c, scale, value))
		return true;
	*kind = NUMBER_NONE;
	if (b == '"') {
		if (!cursor_string(c, &text, &has_escape))
			return false;
		*is_text = json_number_parse(text.p, text.len, scale, value, kind);
		return true;
	}
	text.p = (const char *)c->p;
	if (!cursor_skip(c))
		return false;
	text.len = (size_t)((const char *)c->p - text.p);
	json_number_parse(text.p, text.len, scale, value, kind);
	return true;
}

bool cursor_find_checked(struct str text, const char *name, struct str *value, bool *is_damaged)
{
	struct cursor c = cursor_of(text);
	bool is_first = true;
	bool found = false;
	struct str key, raw;

	*is_damaged = false;
	if (cursor_peek(&c) != '{')
		return false;
	c.p++;
	while (cursor_key(&c, &is_first, &key) && cursor_raw(&c, &raw)) {
		if (!json_key_is(key, name))
			continue;
		*value = raw;
		found = true;
	}
	*is_damaged = c.why || c.is_cut;
	return found;
}
