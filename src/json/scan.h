/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pull scanner for JSON documents of any size: it walks members and elements, skips
 * what is not wanted, reads long arrays of numbers, and hands out the bytes of small
 * values for json-c. It keeps a window of the document, never all of it, and no
 * stack: nesting is the caller's, except in what is skipped.
 *
 * The bytes that a call hands out lie in the scanner's window: they are valid until the next call.
 * After any failure the scanner's error is set and every call fails. */
#ifndef FLAMETTY_JSON_SCAN_H
#define FLAMETTY_JSON_SCAN_H

#include "base/error.h"
#include "base/str.h"
#include "base/stream.h"
#include "json/json_number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	struct stream *stream;
	struct error *err;
	const unsigned char *buf; /* the window: the stream's, or `own` */
	unsigned char *
		own; /* where a value stands that is longer than the stream keeps; NULL: none yet */
	size_t cap;  /* of own */
	const unsigned char *p;   /* next byte */
	const unsigned char *end; /* behind the last byte of the window; *end is NUL */
	const unsigned char *pin; /* bytes from here on must stay in the window; NULL: from p on */
	size_t pin_most;          /* longest stretch that may be pinned */
	int64_t base;             /* offset of buf in the document */
	bool is_eof;
	bool is_cut;            /* the error is that the document ends too early */
	uint64_t n_trailing;    /* commas before closing brackets passed over */
	int64_t first_trailing; /* offset of the first of them */
	unsigned char *text;    /* decoded keys */
	size_t text_cap;
};

void scan_init(struct scan *s, struct stream *stream, struct error *err);
void scan_done(struct scan *s);

/* Scan `len` bytes in memory, which are copied, and which stand at `base` in the document. The
 * scanner was zeroed, or used like this before. */
void scan_over(struct scan *s, const char *text, size_t len, int64_t base, struct error *err);

/* Offset of the next byte in the document. */
int64_t scan_offset(const struct scan *s);

/* Have `size` bytes of the document, or all of it, in the window without passing
 * them. The slice is what there is. False on failure to read. */
bool scan_window(struct scan *s, size_t size, struct str *out);

/* The first byte of the next token, blanks passed over; 0 at the end of the document
 * (or on failure: look at err->kind). */
int scan_peek_far(struct scan *s);

static inline int scan_peek(struct scan *s)
{
	return *s->p > ' ' && s->err->kind == ERR_NONE ? *s->p : scan_peek_far(s);
}

/* Fail with what was expected, at the next token. Always false. */
bool scan_expected(struct scan *s, const char *what);

/* Pass `open`, which is '{' or '['. */
bool scan_open(struct scan *s, char open);

/* After scan_open('{'), or after a member's value: the next key, quotes and escapes
 * resolved, standing before its value. False at the closing brace (passed) and on
 * failure. is_first: true before the first, updated. */
bool scan_key(struct scan *s, bool *is_first, struct str *key);

/* After scan_open('['), or after an element: whether another one follows. */
bool scan_element(struct scan *s, bool *is_first);

/* Pass any value. Strings are honoured, brackets must match, words are not looked at. */
bool scan_skip(struct scan *s);

/* Pass any value and give its bytes as they stand in the document. Fails with ERR_LIMIT
 * beyond `most` bytes. */
bool scan_raw(struct scan *s, size_t most, struct str *out);

/* ---- numbers ---- */

/* Pass one value: a number, or a string or other thing that is none. value: the number times
 * 10^scale, 0 <= scale <= 9, rounded half away from zero. is_text: it stood in
 * quotes. Fails on what is no JSON value (`NaN`, `+2`, `010`). */
bool scan_number(struct scan *s, int scale, int64_t *value, enum number_kind *kind, bool *is_text);

/* Within an array, before an element: read up to `most` plain whole numbers, times
 * 10^scale, as long as they follow each other without surprises. Returns how many; the next
 * element (if any) is then for scan_element() and scan_number(). is_first as there. */
size_t scan_number_list(struct scan *s, int scale, int64_t *out, size_t most, bool *is_first);

#endif
