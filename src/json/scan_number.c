/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of a document: one at a time, or long arrays of whole numbers, which make up most of a
 * CPU profile. scan_number_list() has two loops: short_numbers() reads numbers of at most 7 digits
 * without blanks between them; the other loop reads whole numbers of at most 9 digits. The function
 * stops at any other element, which the caller reads with scan_number(). */
#include "config.h"

#include "json/scan.h"

#include "json/digits.h"
#include "json/scan_inner.h"

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

/* The common case of scan_number_list(): `,123` of at most 7 digits with a comma after it, all in
 * the window. */
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
