/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompresses gzip, zstd and lz4, recognised by the first bytes; other bytes pass through
 * unchanged. Damaged data is not a failure: the bytes before the damage are returned, then the data
 * ends.
 *
 * A few bytes can unpack to any number. More than `max_unpacked` bytes are a failure if they are
 * also more than UNPACK_RATIO times as many as the packed ones; profiles reach a tenth of that. */
#ifndef FLAMETTY_BASE_STREAM_UNPACK_H
#define FLAMETTY_BASE_STREAM_UNPACK_H

#include "base/buf.h"
#include "base/stream/byte_source.h"

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

/* Compresses by zstd, or by gzip in a program without it. */
struct packer;

/* `.zst` or `.gz`. */
extern const char packer_suffix[];

struct packer *packer_new(void);

/* Compress more bytes, and append what is ready to `out`; is_end: there are no further ones. */
void packer_add(struct packer *packer, const void *bytes, size_t len, bool is_end, struct buf *out);
void packer_free(struct packer *packer);

/* Embedded; initialised by gzip_begin(). */
struct gzip {
	z_stream stream;
};

void gzip_begin(struct gzip *gzip);

/* Compress `len` bytes; what is complete by then is appended to `out`. */
void gzip_add(struct gzip *gzip, const void *bytes, size_t len, struct buf *out);

/* Append the rest and free everything. */
void gzip_end(struct gzip *gzip, struct buf *out);

/* Append a text of the program itself, which gzip has compressed to `len` bytes. */
void unpack_text(const void *packed, size_t len, struct buf *out);

#define UNPACK_MAX (INT64_C(1) << 30) /* max_unpacked, unless the user sets another */

struct unpack_limits {
	int64_t max_unpacked;   /* bytes; 0: no limit */
	bool has_large_windows; /* windows of zstd above 128 MiB are read, too */
};

enum unpack_format { UNPACK_PLAIN, UNPACK_GZIP, UNPACK_ZSTD, UNPACK_LZ4 };

/* The format of data that begins with these bytes; 4 are enough. */
enum unpack_format unpack_format_of(const void *head, size_t len);

/* Embedded; initialised by unpack_init(). Only `format` and `damage` are for others to read. */
struct unpack {
	enum unpack_format format;   /* known after the first read */
	const char *damage;          /* what is wrong with the packed data; NULL: nothing; static */
	struct unpack_limits limits; /* others may set them before the first read */

	struct byte_source from;
	unsigned char *packed; /* bytes of the source that are not decompressed yet: [at, len) */
	size_t at, len;
	int64_t n_packed, n_unpacked; /* bytes read, bytes returned */
	bool is_begun;
	bool is_source_end; /* the source has no more */
	bool is_end;        /* of the unpacked bytes */
	bool is_gzip_open;
	z_stream gzip;
	void *zstd;        /* ZSTD_DStream */
	struct unlz4 *lz4; /* NULL: the data is of another format */
	bool is_frame_open;
};

static inline void unpack_init(struct unpack *u, struct byte_source from)
{
	*u = (struct unpack){ .from = from };
}

void unpack_done(struct unpack *u);

/* Read up to `size` unpacked bytes. Returns how many; 0 at the end; -1 and err when the source
 * fails, or (ERR_FORMAT, ERR_LIMIT) when this data cannot be unpacked here. */
ptrdiff_t unpack_read(struct unpack *u, void *out, size_t size, struct error *err) MUST_USE;

/* ---- decode ----
 *
 * Turns the bytes of a document into UTF-8 text: a byte order mark is removed, UTF-16 is converted.
 * UTF-8 is not checked; it passes through unchanged. */

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

static inline void decode_init(struct decode *d, struct byte_source from)
{
	*d = (struct decode){ .from = from };
}

static inline void decode_done(struct decode *d)
{
	free(d->wide);
	*d = (struct decode){ 0 };
}

/* Read up to `size` bytes of text, size >= 4. Returns how many; 0 at the end; -1 and err when the
 * source fails, or (ERR_FORMAT) when the document is UTF-32. */
ptrdiff_t decode_read(struct decode *d, void *out, size_t size, struct error *err) MUST_USE;

#endif
