/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first four bytes decide the encoding: by a byte order mark, or by the NUL bytes beside the
 * bracket that a JSON document begins with. Half of a surrogate pair becomes U+FFFD. */
#include "config.h"

#include "base/stream/decode.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#define WIDE_SIZE ((size_t)64 << 10)

void decode_init(struct decode *d, struct byte_source from)
{
	*d = (struct decode){ .from = from };
}

void decode_done(struct decode *d)
{
	free(d->wide);
	*d = (struct decode){ 0 };
}

/* The first bytes, then those of the source. */
static ptrdiff_t read_bytes(struct decode *d, void *out, size_t size, struct error *err)
{
	size_t left = d->head_len - d->head_at;

	if (left == 0)
		return byte_source_read(&d->from, out, size, err);
	if (size > left)
		size = left;
	memcpy(out, d->head + d->head_at, size);
	d->head_at += size;
	return (ptrdiff_t)size;
}

static bool fill_head(struct decode *d, struct error *err)
{
	while (d->head_len < sizeof d->head) {
		ptrdiff_t n = byte_source_read(&d->from, d->head + d->head_len,
					       sizeof d->head - d->head_len, err);

		if (n < 0)
			return false;
		if (n == 0)
			break;
		d->head_len += (size_t)n;
	}
	return true;
}

static bool is_utf32(const unsigned char *h, size_t len)
{
	return len >= 4 &&
		((h[0] == 0xFF && h[1] == 0xFE && h[2] == 0 && h[3] == 0) ||
		 (h[0] == 0 && h[1] == 0 && h[2] == 0xFE && h[3] == 0xFF));
}

/* The encoding by the first bytes. *mark: the length of the byte order mark. */
static enum decode_encoding find_encoding(const unsigned char *h, size_t len, size_t *mark)
{
	*mark = 0;
	if (len >= 3 && h[0] == 0xEF && h[1] == 0xBB && h[2] == 0xBF) {
		*mark = 3;
	} else if (len >= 2 && h[0] == 0xFF && h[1] == 0xFE) {
		*mark = 2;
		return DECODE_UTF16_LE;
	} else if (len >= 2 && h[0] == 0xFE && h[1] == 0xFF) {
		*mark = 2;
		return DECODE_UTF16_BE;
	} else if (len >= 2 && h[0] == 0 && (h[1] == '{' || h[1] == '[')) {
		return DECODE_UTF16_BE;
	} else if (len >= 2 && h[1] == 0 && (h[0] == '{' || h[0] == '[')) {
		return DECODE_UTF16_LE;
	}
	return DECODE_UTF8;
}

bool decode_is_needed(const void *head, size_t len)
{
	size_t mark;

	return is_utf32(head, len) || find_encoding(head, len, &mark) != DECODE_UTF8 || mark > 0;
}

/* Find out the encoding. */
static bool begin(struct decode *d, struct error *err)
{
	d->is_begun = true;
	if (!fill_head(d, err))
		return false;
	if (is_utf32(d->head, d->head_len))
		return error_set(err, ERR_FORMAT, 0, "UTF-32 text; convert it to UTF-8 first");
	d->encoding = find_encoding(d->head, d->head_len, &d->head_at);
	if (d->encoding != DECODE_UTF8)
		d->wide = xmalloc(WIDE_SIZE);
	return true;
}

static unsigned unit(const struct decode *d, size_t at)
{
	const unsigned char *p = d->wide + at;

	return d->encoding == DECODE_UTF16_LE ? p[0] | (unsigned)p[1] << 8
					      : p[1] | (unsigned)p[0] << 8;
}

/* Have a whole code point of UTF-16 in `wide`, as far as the source has one. */
static bool fill_wide(struct decode *d, struct error *err)
{
	while (d->wide_len - d->wide_at < 4 && !d->is_source_end) {
		ptrdiff_t n;

		memmove(d->wide, d->wide + d->wide_at, d->wide_len - d->wide_at);
		d->wide_len -= d->wide_at;
		d->wide_at = 0;
		n = read_bytes(d, d->wide + d->wide_len, WIDE_SIZE - d->wide_len, err);
		if (n < 0)
			return false;
		d->wide_len += (size_t)n;
		d->is_source_end = n == 0;
	}
	return d->wide_len - d->wide_at >= 2;
}

static ptrdiff_t read_utf16(struct decode *d, char *out, size_t size, struct error *err)
{
	size_t used = 0;

	while (size - used >= 4 && fill_wide(d, err)) {
		uint32_t cp = unit(d, d->wide_at);

		d->wide_at += 2;
		if (cp >= 0xD800 && cp < 0xDC00 && d->wide_len - d->wide_at >= 2) {
			unsigned low = unit(d, d->wide_at);

			if (low >= 0xDC00 && low < 0xE000) {
				cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
				d->wide_at += 2;
			}
		}
		if (cp >= 0xD800 && cp < 0xE000)
			cp = 0xFFFD;
		used += buf_encode_utf8(cp, out + used);
	}
	return err->kind != ERR_NONE ? -1 : (ptrdiff_t)used;
}

ptrdiff_t decode_read(struct decode *d, void *out, size_t size, struct error *err)
{
	if (!d->is_begun && !begin(d, err))
		return -1;
	if (d->encoding != DECODE_UTF8)
		return read_utf16(d, out, size, err);
	return read_bytes(d, out, size, err);
}
