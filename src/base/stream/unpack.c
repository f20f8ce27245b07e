/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packed bytes wait in a buffer. The first four bytes decide the format. Plain bytes that the
 * buffer holds after this check are copied; all later ones are read straight into the caller's
 * memory. */
#include "config.h"

#include "base/stream/unpack.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/stream/byte_source.h"
#include "base/stream/unlz4.h"
#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

/* ==== gzip ====
 *
 * zlib takes at most UINT_MAX bytes at once. */

#define WINDOW_BITS (15 + 16) /* the largest window, with the header of gzip */
#define MEMORY_LEVEL 8
#define PIECE 16384

/* Memory for zlib that cannot fail (alloc.h). */
static void *gzip_alloc(void *ctx, uInt count, uInt size)
{
	(void)ctx;
	return xcalloc(count, size);
}

static void gzip_free(void *ctx, void *p)
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

/* ==== unpack ==== */

#define UNPACK_RATIO 300
#define PACKED_SIZE ((size_t)256 << 10)
#define MAGIC_SIZE 4u

void unpack_init(struct unpack *u, struct byte_source from)
{
	*u = (struct unpack){ .from = from };
}

void unpack_done(struct unpack *u)
{
	if (u->is_gzip_open)
		inflateEnd(&u->gzip);
#ifdef HAVE_ZSTD
	ZSTD_freeDStream(u->zstd);
#endif
	unlz4_free(u->lz4);
	free(u->packed);
	*u = (struct unpack){ 0 };
}

/* Have packed bytes in the buffer. Returns false at the end or on failure (then err is set). */
static bool fill(struct unpack *u, struct error *err)
{
	ptrdiff_t n;

	if (u->at < u->len)
		return true;
	if (u->is_source_end)
		return false;
	n = byte_source_read(&u->from, u->packed, PACKED_SIZE, err);
	u->at = 0;
	u->len = n > 0 ? (size_t)n : 0;
	u->n_packed += (int64_t)u->len;
	u->is_source_end = n <= 0;
	return n > 0;
}

static ptrdiff_t read_plain(struct unpack *u, void *out, size_t size, struct error *err)
{
	size_t left = u->len - u->at;

	if (left == 0)
		return u->is_source_end ? 0 : byte_source_read(&u->from, out, size, err);
	if (size > left)
		size = left;
	memcpy(out, u->packed + u->at, size);
	u->at += size;
	return (ptrdiff_t)size;
}

/* After the end of a gzip member: begin the next one, if one follows. */
static bool next_member(struct unpack *u, struct error *err)
{
	if (!fill(u, err))
		return false;
	if (u->packed[u->at] != 0x1F) {
		/* Tapes and block devices leave a padding of NUL bytes. */
		u->damage = u->packed[u->at] ? "other bytes after the gzip data" : NULL;
		return false;
	}
	return inflateReset(&u->gzip) == Z_OK;
}

static ptrdiff_t read_gzip(struct unpack *u, void *out, size_t size, struct error *err)
{
	z_stream *z = &u->gzip;

	z->next_out = out;
	z->avail_out = size > UINT32_MAX ? UINT32_MAX : (uInt)size;
	while (z->avail_out == size && !u->is_end) {
		int rc;

		if (!fill(u, err)) {
			if (err->kind != ERR_NONE)
				return -1;
			u->damage = "gzip data is cut off";
			u->is_end = true;
			break;
		}
		z->next_in = u->packed + u->at;
		z->avail_in = (uInt)(u->len - u->at);
		rc = inflate(z, Z_NO_FLUSH);
		u->at = u->len - z->avail_in;
		if (rc == Z_STREAM_END) {
			u->is_end = !next_member(u, err);
		} else if (rc != Z_OK && rc != Z_BUF_ERROR) {
			u->damage = z->msg && strstr(z->msg, "check") ? "gzip checksum is wrong"
								      : "gzip data is damaged";
			u->is_end = true;
		}
	}
	if (err->kind != ERR_NONE)
		return -1;
	return (ptrdiff_t)(size - z->avail_out);
}

/* zlib allocates its window late: without these, missing memory would look like damaged data. */
static bool begin_gzip(struct unpack *u, struct error *err)
{
	u->gzip.zalloc = gzip_alloc;
	u->gzip.zfree = gzip_free;
	/* 15: the largest window; 16: with a gzip header. */
	if (inflateInit2(&u->gzip, 15 + 16) != Z_OK)
		return error_set(err, ERR_LIMIT, -1, "cannot start unpacking");
	u->format = UNPACK_GZIP;
	return u->is_gzip_open = true;
}

#ifdef HAVE_ZSTD
/* Returns -1 with err when the data may be good but cannot be unpacked; otherwise it is damaged,
 * and ends here. */
static ptrdiff_t fail_zstd(struct unpack *u, ZSTD_ErrorCode code, struct error *err)
{
	if (code == ZSTD_error_memory_allocation)
		error_set(err, ERR_LIMIT, -1,
			  "not enough memory for the window of this zstd data; "
			  "--max-memory=SIZE sets another limit");
	else if (code == ZSTD_error_frameParameter_windowTooLarge && u->limits.has_large_windows)
		error_set(err, ERR_LIMIT, -1,
			  "zstd data with a larger window than this computer can have");
	else if (code == ZSTD_error_frameParameter_windowTooLarge)
		error_set(
			err, ERR_LIMIT, -1,
			"zstd data with a window above 128 MiB (zstd --long=28 and more): it needs "
			"as much memory, and is read with --max-memory=SIZE only");
	else
		u->damage = "zstd data is damaged";
	u->is_end = true;
	return err->kind == ERR_NONE ? 0 : -1;
}

static ptrdiff_t read_zstd(struct unpack *u, void *out, size_t size, struct error *err)
{
	ZSTD_outBuffer to = { out, size, 0 };

	while (to.pos == 0 && !u->is_end) {
		ZSTD_inBuffer from;
		size_t rc;

		if (!fill(u, err)) {
			if (err->kind != ERR_NONE)
				return -1;
			if (u->is_frame_open)
				u->damage = "zstd data is cut off";
			u->is_end = true;
			break;
		}
		from = (ZSTD_inBuffer){ u->packed + u->at, u->len - u->at, 0 };
		rc = ZSTD_decompressStream(u->zstd, &to, &from);
		u->at += from.pos;
		u->is_frame_open = rc != 0;
		if (ZSTD_isError(rc) && fail_zstd(u, ZSTD_getErrorCode(rc), err) < 0)
			return -1;
	}
	return (ptrdiff_t)to.pos;
}

static bool begin_zstd(struct unpack *u, struct error *err)
{
	ZSTD_bounds window = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);

	(void)err;
	u->format = UNPACK_ZSTD;
	u->zstd = alloc_checked(ZSTD_createDStream());
	/* By default windows above 128 MiB are errors: few bytes can have one. */
	if (u->limits.has_large_windows && !ZSTD_isError(window.error))
		(void)ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, window.upperBound);
	return true;
}
#else
static ptrdiff_t read_zstd(struct unpack *u, void *out, size_t size, struct error *err)
{
	(void)u;
	(void)out;
	(void)size;
	(void)err;
	return 0;
}

static bool begin_zstd(struct unpack *u, struct error *err)
{
	(void)u;
	return error_set(err, ERR_FORMAT, 0, "zstd data; this flametty was built without libzstd");
}
#endif

/* ---- lz4 ---- */

static bool begin_lz4(struct unpack *u, struct error *err)
{
	u->format = UNPACK_LZ4;
	u->lz4 = unlz4_new();
	return u->lz4 ||
		error_set(err, ERR_FORMAT, 0, "lz4 data; this flametty was built without liblz4");
}

/* Returns -1 with err when the data may be good; otherwise it is damaged, and ends here. */
static ptrdiff_t end_lz4(struct unpack *u, enum unlz4_status status, struct error *err)
{
	u->is_end = true;
	if (status == UNLZ4_MEMORY) {
		error_set(err, ERR_LIMIT, -1,
			  "not enough memory for the blocks of this lz4 data; "
			  "--max-memory=SIZE sets another limit");
		return -1;
	}
	if (status == UNLZ4_CHECKSUM)
		u->damage = "lz4 checksum is wrong";
	else if (status == UNLZ4_OTHER)
		/* A padding of NUL bytes is none. */
		u->damage = u->packed[u->at] ? "other bytes after the lz4 data" : NULL;
	else
		u->damage = "lz4 data is damaged";
	return 0;
}

/* The source has ended. */
static ptrdiff_t rest_of_lz4(struct unpack *u, void *out, size_t size)
{
	size_t n = 0;

	if (!unlz4_is_between(u->lz4)) {
		n = unlz4_rest(u->lz4, out, size);
		u->damage = "lz4 data is cut off";
	}
	u->is_end = n == 0;
	return (ptrdiff_t)n;
}

static ptrdiff_t read_lz4(struct unpack *u, void *out, size_t size, struct error *err)
{
	while (!u->is_end) {
		size_t n_in = u->len - u->at, n = size;
		enum unlz4_status status = unlz4_read(u->lz4, u->packed + u->at, &n_in, out, &n);

		if (status != UNLZ4_GOOD)
			return end_lz4(u, status, err);
		u->at += n_in;
		if (n > 0)
			return (ptrdiff_t)n;
		if (n_in == 0 && !fill(u, err))
			return err->kind != ERR_NONE ? -1 : rest_of_lz4(u, out, size);
	}
	return 0;
}

enum unpack_format unpack_format_of(const void *head, size_t len)
{
	if (len >= 2 && memcmp(head, "\x1F\x8B", 2) == 0)
		return UNPACK_GZIP;
	if (len >= 4 && memcmp(head, "\x28\xB5\x2F\xFD", 4) == 0)
		return UNPACK_ZSTD;
	if (len >= 4 && memcmp(head, "\x04\x22\x4D\x18", 4) == 0)
		return UNPACK_LZ4;
	return UNPACK_PLAIN;
}

/* Find out the format from the first bytes. */
static bool begin(struct unpack *u, struct error *err)
{
	u->is_begun = true;
	u->packed = xmalloc(PACKED_SIZE);
	/* A pipe may deliver the first bytes one by one. */
	while (u->len < MAGIC_SIZE && !u->is_source_end) {
		ptrdiff_t n = byte_source_read(&u->from, u->packed + u->len,
					       u->len ? MAGIC_SIZE - u->len : PACKED_SIZE, err);

		if (n < 0)
			return false;
		u->len += (size_t)n;
		u->n_packed += n;
		u->is_source_end = n == 0;
	}
	switch (unpack_format_of(u->packed, u->len)) {
	case UNPACK_GZIP:
		return begin_gzip(u, err);
	case UNPACK_ZSTD:
		return begin_zstd(u, err);
	case UNPACK_LZ4:
		return begin_lz4(u, err);
	case UNPACK_PLAIN:
		break;
	}
	return true;
}

/* Count `n` unpacked bytes. Returns n, or -1 and err when they are too many. */
static ptrdiff_t check_size(struct unpack *u, ptrdiff_t n, struct error *err)
{
	int64_t packed = u->n_packed - (int64_t)(u->len - u->at);
	char from[UNITS_MAX], to[UNITS_MAX];

	if (n <= 0)
		return n;
	u->n_unpacked += n;
	if (!u->limits.max_unpacked || u->n_unpacked <= u->limits.max_unpacked ||
	    u->n_unpacked / UNPACK_RATIO <= packed)
		return n;
	units_bytes(packed, from);
	units_bytes(u->n_unpacked, to);
	error_set(err, ERR_LIMIT, -1,
		  "%s of compressed data became %s, more than %d times as much: no profile does "
		  "that; --max-unpacked=SIZE allows more, 0 any size",
		  from, to, UNPACK_RATIO);
	return -1;
}

ptrdiff_t unpack_read(struct unpack *u, void *out, size_t size, struct error *err)
{
	if (!u->is_begun && !begin(u, err))
		return -1;
	switch (u->format) {
	case UNPACK_GZIP:
		return check_size(u, read_gzip(u, out, size, err), err);
	case UNPACK_ZSTD:
		return check_size(u, read_zstd(u, out, size, err), err);
	case UNPACK_LZ4:
		return check_size(u, read_lz4(u, out, size, err), err);
	case UNPACK_PLAIN:
		break;
	}
	return read_plain(u, out, size, err);
}
