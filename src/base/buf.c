/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One allocation, which grows by half. */
#include "config.h"

#include "base/buf.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void reserve(struct buf *b, size_t more)
{
	b->data = xgrow(b->data, &b->cap, b->len + more + 1, 1);
}

void buf_add(struct buf *b, const char *text, size_t len)
{
	reserve(b, len);
	if (len)
		memcpy(b->data + b->len, text, len);
	b->len += len;
	b->data[b->len] = '\0';
}

bool buf_add_file(struct buf *b, int fd, size_t most)
{
	char part[4096];
	ssize_t n = 0;

	/* The file may grow meanwhile. */
	while (b->len < most &&
	       ((n = read(fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0)
			buf_add(b, part, (size_t)n);
	return n >= 0;
}

void buf_addf(struct buf *b, const char *format, ...)
{
	va_list ap;
	int n;

	reserve(b, 64);
	va_start(ap, format);
	n = vsnprintf(b->data + b->len, b->cap - b->len, format, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= b->cap - b->len) {
		reserve(b, (size_t)n);
		va_start(ap, format);
		n = vsnprintf(b->data + b->len, b->cap - b->len, format, ap);
		va_end(ap);
	}
	b->len += (size_t)n;
}

size_t buf_encode_utf8(uint32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 | (cp >> 6));
		out[1] = (char)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 | (cp >> 12));
		out[1] = (char)(0x80 | ((cp >> 6) & 0x3F));
		out[2] = (char)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | (cp >> 18));
	out[1] = (char)(0x80 | ((cp >> 12) & 0x3F));
	out[2] = (char)(0x80 | ((cp >> 6) & 0x3F));
	out[3] = (char)(0x80 | (cp & 0x3F));
	return 4;
}
