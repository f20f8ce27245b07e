/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing text buffer: all code that builds text writes into one. */
#ifndef FLAMETTY_BASE_BUF_H
#define FLAMETTY_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* `data` is NUL-terminated once anything was added; `len` does not count the NUL. A zeroed struct
 * is an empty buffer. */
struct buf {
	char *data;
	size_t len;
	size_t cap;
};

#if defined(__GNUC__)
#define BUF_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define BUF_PRINTF
#endif

static inline void buf_done(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

/* The type of a local buffer that is freed where its block ends: BUF_LOCAL text = { 0 }; */
#define BUF_LOCAL __attribute__((cleanup(buf_done))) struct buf

static inline void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

/* The text; "" when nothing was added. Borrowed until the next change. */
static inline const char *buf_text(const struct buf *b)
{
	return b->data ? b->data : "";
}

void buf_add(struct buf *b, const char *text, size_t len);

/* Append what can be read from a file, until there are `most` bytes or a little more. False, with
 * errno: it cannot be read to its end; what was read before stays. */
bool buf_add_file(struct buf *b, int fd, size_t most);
static inline void buf_adds(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

static inline void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_addf(struct buf *b, const char *format, ...) BUF_PRINTF;

/* Write a code point to `out` as UTF-8, without a NUL. Returns the number of bytes. */
size_t buf_encode_utf8(uint32_t cp, char out[4]);

/* Append a code point as UTF-8. */
static inline void buf_add_utf8(struct buf *b, uint32_t cp)
{
	char out[4] = { 0 };

	buf_add(b, out, buf_encode_utf8(cp, out));
}

#endif
