/* SPDX-License-Identifier: GPL-2.0-or-later */
/* zlib takes at most UINT_MAX bytes at once. */
#include "config.h"

#include "base/stream/gzip.h"

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

#define WINDOW_BITS (15 + 16) /* the largest window, with the header of gzip */
#define MEMORY_LEVEL 8
#define PIECE 16384

void *gzip_alloc(void *ctx, uInt count, uInt size)
{
	(void)ctx;
	return xcalloc(count, size);
}

void gzip_free(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

void gzip_begin(struct gzip *g)
{
	*g = (struct gzip){ .stream = { .zalloc = gzip_alloc, .zfree = gzip_free } };
	if (deflateInit2(&g->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		alloc_failed();
}

static void compress_all(struct gzip *g, int flush, struct buf *out)
{
	unsigned char piece[PIECE];
	int status;

	do {
		g->stream.next_out = piece;
		g->stream.avail_out = sizeof piece;
		status = deflate(&g->stream, flush);
		buf_add(out, (const char *)piece, sizeof piece - g->stream.avail_out);
	} while (flush == Z_FINISH ? status == Z_OK : g->stream.avail_out == 0);
}

void gzip_add(struct gzip *g, const void *bytes, size_t len, struct buf *out)
{
	const unsigned char *at = bytes;

	while (len > 0) {
		size_t n = len < PIECE ? len : PIECE;

		g->stream.next_in = (unsigned char *)(uintptr_t)at;
		g->stream.avail_in = (unsigned)n;
		compress_all(g, Z_NO_FLUSH, out);
		at += n;
		len -= n;
	}
}

void gzip_end(struct gzip *g, struct buf *out)
{
	compress_all(g, Z_FINISH, out);
	deflateEnd(&g->stream);
}
