/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses a stream as gzip. The result depends on the bytes only: it has no name and no date. */
#ifndef FLAMETTY_BASE_GZIP_H
#define FLAMETTY_BASE_GZIP_H

#include "base/buf.h"

#include <stdbool.h>
#include <zlib.h>

/* Memory for zlib that cannot fail (alloc.h). */
void *gzip_alloc(void *ctx, uInt count, uInt size);
void gzip_free(void *ctx, void *p);

/* Embedded; initialised by gzip_begin(). */
struct gzip {
	z_stream stream;
};

void gzip_begin(struct gzip *gzip);

/* Compress `len` bytes; what is complete by then is appended to `out`. */
void gzip_add(struct gzip *gzip, const void *bytes, size_t len, struct buf *out);

/* Append the rest and free everything. */
void gzip_end(struct gzip *gzip, struct buf *out);

#endif
