/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns the bytes of a document into UTF-8 text: a byte order mark is removed, UTF-16 is converted.
 * UTF-8 is not checked; it passes through unchanged. */
#ifndef FLAMETTY_BASE_DECODE_H
#define FLAMETTY_BASE_DECODE_H

#include "base/stream/byte_source.h"

#include <stdbool.h>
#include <stddef.h>

enum decode_encoding { DECODE_UTF8, DECODE_UTF16_LE, DECODE_UTF16_BE };

/* Whether a document that begins with these bytes is not plain UTF-8: it has a byte order mark, or
 * is UTF-16 or UTF-32. 4 bytes are enough. */
bool decode_is_needed(const void *head, size_t len);

/* Embedded; initialised by decode_init(). Only `encoding` is for others to read. */
struct decode {
	enum decode_encoding encoding; /* known after the first read */

	struct byte_source from;
	bool is_begun;
	unsigned char head[4]; /* the first bytes, still to be returned: [head_at, head_len) */
	size_t head_at, head_len;
	unsigned char *wide; /* UTF-16 that is not converted yet: [wide_at, wide_len) */
	size_t wide_at, wide_len;
	bool is_source_end;
};

void decode_init(struct decode *d, struct byte_source from);
void decode_done(struct decode *d);

/* Read up to `size` bytes of text, size >= 4. Returns how many; 0 at the end; -1 and err when the
 * source fails, or (ERR_FORMAT) when the document is UTF-32. */
ptrdiff_t decode_read(struct decode *d, void *out, size_t size, struct error *err) MUST_USE;

#endif
