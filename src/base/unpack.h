/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompresses gzip and zstd, recognised by the first bytes; other bytes pass through unchanged.
 * Damaged data is not a failure: the bytes before the damage are returned, then the data ends. */
#ifndef FLAMETTY_BASE_UNPACK_H
#define FLAMETTY_BASE_UNPACK_H

#include "base/byte_source.h"

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

enum unpack_format { UNPACK_PLAIN, UNPACK_GZIP, UNPACK_ZSTD };

/* Embedded; initialised by unpack_init(). Only `format` and `damage` are for others to read. */
struct unpack {
	enum unpack_format format; /* known after the first read */
	const char *damage;        /* what is wrong with the packed data; NULL: nothing; static */

	struct byte_source from;
	unsigned char *packed; /* bytes of the source that are not decompressed yet: [at, len) */
	size_t at, len;
	bool is_begun;
	bool is_source_end; /* the source has no more */
	bool is_end;        /* of the unpacked bytes */
	bool is_gzip_open;
	z_stream gzip;
	void *zstd; /* ZSTD_DStream */
	bool is_frame_open;
};

void unpack_init(struct unpack *u, struct byte_source from);
void unpack_done(struct unpack *u);

/* Read up to `size` unpacked bytes. Returns how many; 0 at the end; -1 and err when the source
 * fails, or (ERR_FORMAT, ERR_LIMIT) when this format cannot be unpacked here. */
ptrdiff_t unpack_read(struct unpack *u, void *out, size_t size, struct error *err);

#endif
