/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of a document: one at a time, or long arrays of whole numbers, which make up most of a
 * CPU profile. scan_number_list() has two loops: short_numbers() reads numbers of at most 8 digits
 * (7 without SSE2) without blanks between them; the other loop reads whole numbers of at most 9
 * digits. The function stops at any other element, which the caller reads with scan_number(). */
#include "config.h"

#include "base/json/scan.h"

#include "base/json/digits.h"
#include "base/json/scan_inner.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
	if (!scan_raw(s, SCAN_WORD_MOST, &raw))
		return false;
	if (c == '"')
		*is_text = json_number_parse(raw.p + 1, raw.len - 2, scale, value, kind);
	else
		json_number_parse(raw.p, raw.len, scale, value, kind);
	return true;
}

static bool is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
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
		while (is_digit(*p) && p - digits < 10)
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
