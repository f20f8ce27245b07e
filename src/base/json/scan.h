/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pull scanner for JSON documents of any size: it walks over members and elements, skips values
 * that are not needed, reads long arrays of numbers, and hands out the bytes of small values for
 * json_read.h. It holds a window of the document, never the whole. It has no stack: the caller
 * keeps track of nesting, except in values that are skipped. To pass a token or value is to move
 * past it.
 *
 * Bytes that a function hands out lie in the window: they are valid until the next call. After a
 * failure the scanner's error is set and every call fails. */
#ifndef FLAMETTY_BASE_JSON_SCAN_H
#define FLAMETTY_BASE_JSON_SCAN_H

#include "base/error.h"
#include "base/json/json_number.h"
#include "base/str.h"
#include "base/stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	struct stream *stream;
	struct error *err;
	const unsigned char *buf; /* the window: memory of the stream, or `own` */
	/* Memory for a value that is longer than the stream keeps; NULL: none yet. */
	unsigned char *own;
	size_t cap;               /* of own */
	const unsigned char *p;   /* next byte */
	const unsigned char *end; /* after the last byte of the window; *end is NUL */
	const unsigned char *pin; /* the window must keep the bytes from here on; NULL: from p on */
	size_t pin_most;          /* the most bytes that may be pinned */
	int64_t base;             /* offset of buf in the document */
	bool is_eof;
	bool is_cut;            /* the error is that the document ends too early */
	uint64_t n_trailing;    /* commas before closing brackets that were tolerated */
	int64_t first_trailing; /* offset of the first of them */
	unsigned char *text;    /* decoded keys */
	size_t text_cap;
};

void scan_init(struct scan *s, struct stream *stream, struct error *err);

static inline void scan_done(struct scan *s)
{
	free(s->own);
	free(s->text);
	*s = (struct scan){ 0 };
}

/* Scan a copy of `len` bytes of memory, which are at offset `base` of the document. The scanner
 * must be zeroed, or have been used by this function before. */
void scan_over(struct scan *s, const char *text, size_t len, int64_t base, struct error *err);

/* Offset of the next byte in the document. */
static inline int64_t scan_offset(const struct scan *s)
{
	return s->base + (s->p - s->buf);
}

/* Read until the window has `size` bytes of the document, or all that are left, without passing
 * them. out: the bytes in the window. Returns false when reading fails. */
bool scan_window(struct scan *s, size_t size, struct str *out);

/* Skip blanks. Returns the first byte of the next token; 0 at the end of the document, or on
 * failure (then err->kind is set). */
int scan_peek_far(struct scan *s);

static inline int scan_peek(struct scan *s)
{
	return *s->p > ' ' && s->err->kind == ERR_NONE ? *s->p : scan_peek_far(s);
}

/* Pass `open`, which is '{' or '['. */
bool scan_open(struct scan *s, char open);

/* After scan_open('{'), or after the value of a member: pass the next key and its colon. key:
 * decoded. Returns false at the closing brace, which is passed, and on failure. is_first: true
 * before the first key; updated. */
bool scan_key(struct scan *s, bool *is_first, struct str *key);

/* After scan_open('['), or after an element: whether another element follows. The closing bracket
 * is passed. is_first: as for scan_key(). */
bool scan_element(struct scan *s, bool *is_first);

/* Pass any value. Brackets inside strings do not count, other brackets must match. Words inside
 * nested values are not checked. */
bool scan_skip(struct scan *s);

/* Pass any value. out: its bytes. Fails with ERR_LIMIT when it is longer than `most` bytes. */
bool scan_raw(struct scan *s, size_t most, struct str *out);

/* ---- numbers ---- */

/* Pass one value: a number, a string that contains a number, or anything else. value: the number
 * times 10^scale, 0 <= scale <= 9, rounded half away from zero. is_text: the number was in quotes.
 * Fails on anything that is no JSON value (`NaN`, `+2`, `010`). */
bool scan_number(struct scan *s, int scale, int64_t *value, enum number_kind *kind, bool *is_text);

/* Within an array, before an element: read up to `most` whole numbers of at most 9 digits, times
 * 10^scale, as long as they follow each other. Returns how many. The next element, if any, must be
 * read with scan_element() and scan_number(). is_first: as for scan_key(). */
size_t scan_number_list(struct scan *s, int scale, int64_t *out, size_t most, bool *is_first);

#endif
