/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packed bytes wait in a buffer. The first four bytes decide the format. Plain bytes that the
 * buffer holds after this check are copied; all later ones are read straight into the caller's
 * memory. */
#include "config.h"

#include "base/stream/unpack.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/stream/byte_source.h"
#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_LZ4
#include <lz4.h>
#include <lz4frame.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

/* ==== unlz4 ====
 *
 * Decompresses frames of LZ4 (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), given
 * piece by piece. Of a frame that is cut off, also the beginning of its last block is decompressed.
 * A frame needs about 13 MB at most: its blocks have up to 4 MiB.
 *
 * The library decompresses whole blocks and checks them. Beside it, this file follows the form of
 * the frame over the same bytes, and keeps those of the current block: where the file ends within
 * it, they are decompressed as far as they go. lz4(1) writes blocks of 4 MiB, so without this a
 * shorter file that is cut off would have no beginning at all.
 *
 * A frame is a header, blocks, and a block size of 0; each block is its size in 4 bytes (the
 * highest bit: it is not compressed), data, and a checksum if the header says so. */

struct unlz4;

/* What became of a piece. */
enum unlz4_status {
	UNLZ4_GOOD,
	UNLZ4_OTHER,    /* no frame begins here; an earlier one may have ended */
	UNLZ4_CHECKSUM, /* a checksum is wrong */
	UNLZ4_DAMAGED,
	UNLZ4_MEMORY /* there is not enough memory */
};

#ifdef HAVE_LZ4

#define BLOCK_MAX ((size_t)4 << 20)
#define HISTORY ((size_t)64 << 10) /* what a block may refer back to */
#define NOT_COMPRESSED 0x80000000u
#define MAGIC "\x04\x22\x4D\x18"

enum part {
	PART_MAGIC,
	PART_HEADER, /* after the magic number, up to a third byte that says how long it is */
	PART_HEADER_REST,
	PART_BLOCK_SIZE,
	PART_BLOCK,
	PART_BLOCK_END, /* its checksum */
	PART_END,       /* that of the frame */
	PART_SKIPPED_SIZE,
	PART_SKIPPED
};

struct unlz4 {
	LZ4F_dctx *frame;
	bool is_between;
	/* The part of the frame that comes next, and how many of its bytes are missing. */
	enum part part;
	size_t missing;
	unsigned char head[4]; /* the last bytes of parts of up to 4 bytes */
	bool has_links, has_block_end, has_end;
	bool is_plain;    /* the block is not compressed: the library passes it on at once */
	struct buf block; /* else: its bytes so far */
	struct buf history;
	char *rest; /* of the last block, decompressed: [rest_at, rest_len) */
	size_t rest_at, rest_len;
};

/* NULL: this program was built without liblz4. */
static struct unlz4 *unlz4_new(void)
{
	struct unlz4 *z = xcalloc(1, sizeof *z);

	if (LZ4F_isError(LZ4F_createDecompressionContext(&z->frame, LZ4F_VERSION)))
		alloc_failed();
	z->is_between = true;
	z->missing = 4;
	return z;
}

static void unlz4_free(struct unlz4 *z)
{
	if (!z)
		return;
	LZ4F_freeDecompressionContext(z->frame);
	buf_done(&z->block);
	buf_done(&z->history);
	free(z->rest);
	free(z);
}

/* ---- the form of the frame ---- */

static void begin_part(struct unlz4 *z, enum part part, size_t bytes)
{
	z->part = part;
	z->missing = bytes;
}

static uint32_t number_in(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The two bytes of flags say which members the header has: the size of the text, the number of a
 * dictionary, and a checksum always. */
static void begin_header(struct unlz4 *z)
{
	unsigned flags = z->head[2];

	z->has_links = !(flags & 1u << 5);
	z->has_block_end = flags & 1u << 4;
	z->has_end = flags & 1u << 2;
	buf_clear(&z->history);
	begin_part(z, PART_HEADER_REST, (flags & 1u << 3 ? 8u : 0u) + (flags & 1u ? 4u : 0u) + 1u);
}

static void begin_block(struct unlz4 *z)
{
	uint32_t size = number_in(z->head);

	buf_clear(&z->block);
	z->is_plain = size & NOT_COMPRESSED;
	size &= ~NOT_COMPRESSED;
	if (size)
		begin_part(z, PART_BLOCK, size);
	else if (z->has_end)
		begin_part(z, PART_END, 4);
	else
		begin_part(z, PART_MAGIC, 4);
}

static void next_part(struct unlz4 *z)
{
	switch (z->part) {
	case PART_MAGIC:
		if (memcmp(z->head, MAGIC, 4) == 0)
			begin_part(z, PART_HEADER, 2);
		else
			begin_part(z, PART_SKIPPED_SIZE, 4);
		break;
	case PART_HEADER:
		begin_header(z);
		break;
	case PART_BLOCK_SIZE:
		begin_block(z);
		break;
	case PART_BLOCK:
		if (z->has_block_end)
			begin_part(z, PART_BLOCK_END, 4);
		else
			begin_part(z, PART_BLOCK_SIZE, 4);
		break;
	case PART_HEADER_REST:
	case PART_BLOCK_END:
		begin_part(z, PART_BLOCK_SIZE, 4);
		break;
	case PART_SKIPPED_SIZE:
		begin_part(z, PART_SKIPPED, number_in(z->head));
		break;
	case PART_END:
	case PART_SKIPPED:
		begin_part(z, PART_MAGIC, 4);
		break;
	}
}

/* Follow n bytes that the library has used. */
static void follow(struct unlz4 *z, const unsigned char *in, size_t n)
{
	while (n > 0 || z->missing == 0) {
		size_t some = n < z->missing ? n : z->missing;

		if (z->part == PART_BLOCK && !z->is_plain)
			buf_add(&z->block, (const char *)in, some);
		for (size_t i = some < 4 ? 0 : some - 4; i < some; i++) {
			memmove(z->head, z->head + 1, 3);
			z->head[3] = in[i];
		}
		z->missing -= some;
		in += some;
		n -= some;
		if (z->missing == 0)
			next_part(z);
	}
}

/* Keep what later blocks may refer to. */
static void remember(struct unlz4 *z, const char *out, size_t n)
{
	struct buf *h = &z->history;

	if (!z->has_links)
		return;
	if (n >= HISTORY) {
		out += n - HISTORY;
		n = HISTORY;
	}
	if (h->len + n > HISTORY) {
		size_t old = h->len + n - HISTORY;

		memmove(h->data, h->data + old, h->len - old);
		h->len -= old;
	}
	buf_add(h, out, n);
}

/* ---- the text ---- */

/* Decompress some of the *n_in bytes at `in` to `out`. Sets *n_in to how many were used, and *size
 * to how many were written. With nothing used and written, it needs more bytes. */
static enum unlz4_status unlz4_read(struct unlz4 *z, const unsigned char *in, size_t *n_in,
				    void *out, size_t *size)
{
	size_t code;

	/* Neither a frame, nor one that is skipped, begins with this byte. */
	if (z->part == PART_MAGIC && z->missing == 4 && *n_in && *in != MAGIC[0] &&
	    (*in & 0xF0) != 0x50) {
		*n_in = *size = 0;
		return UNLZ4_OTHER;
	}
	/* Part by part: a call that fails has written nothing. */
	if (*n_in > z->missing)
		*n_in = z->missing;
	code = LZ4F_decompress(z->frame, out, size, in, n_in, NULL);
	if (LZ4F_isError(code)) {
		const char *name;

		*n_in = *size = 0;
		name = LZ4F_getErrorName(code);
		if (strstr(name, "allocation"))
			return UNLZ4_MEMORY;
		if (strstr(name, "hecksum"))
			return UNLZ4_CHECKSUM;
		return UNLZ4_DAMAGED;
	}
	follow(z, in, *n_in);
	remember(z, out, *size);
	if (*n_in || *size)
		z->is_between = z->part == PART_MAGIC;
	return UNLZ4_GOOD;
}

/* Whether all frames so far are complete. */
static bool unlz4_is_between(const struct unlz4 *z)
{
	return z->is_between;
}

/* ---- a block that is cut off ---- */

/* Decompress n bytes of the block. Negative: they end within a number. */
static int decompress(const struct unlz4 *z, size_t n)
{
	bool has_history = z->has_links && z->history.len > 0;

	if (!has_history)
		return LZ4_decompress_safe_partial(z->block.data, z->rest, (int)n, (int)BLOCK_MAX,
						   (int)BLOCK_MAX);
#if LZ4_VERSION_NUMBER >= 10904
	return LZ4_decompress_safe_partial_usingDict(z->block.data, z->rest, (int)n, (int)BLOCK_MAX,
						     (int)BLOCK_MAX, z->history.data,
						     (int)z->history.len);
#else
	return 0;
#endif
}

/* There are no more bytes: write what the last block has, in several calls. Returns how many bytes;
 * 0: that was all. */
static size_t unlz4_rest(struct unlz4 *z, void *out, size_t size)
{
	if (!z->rest && (z->part == PART_BLOCK || z->part == PART_BLOCK_END) && z->block.len) {
		size_t n = z->block.len < BLOCK_MAX ? z->block.len : BLOCK_MAX;
		int len = -1;

		z->rest = xmalloc(BLOCK_MAX);
		/* A long number has many bytes; only the last one may be missing. */
		for (size_t less = 0; len < 0 && less < n; less = 2 * less + 1)
			len = decompress(z, n - less);
		z->rest_len = len > 0 ? (size_t)len : 0;
	}
	if (!z->rest)
		return 0;
	if (size > z->rest_len - z->rest_at)
		size = z->rest_len - z->rest_at;
	if (size)
		memcpy(out, z->rest + z->rest_at, size);
	z->rest_at += size;
	return size;
}

#else

static struct unlz4 *unlz4_new(void)
{
	return NULL;
}

static void unlz4_free(struct unlz4 *z)
{
	(void)z;
}

static enum unlz4_status unlz4_read(struct unlz4 *z, const unsigned char *in, size_t *n_in,
				    void *out, size_t *size)
{
	(void)z;
	(void)in;
	(void)out;
	*n_in = *size = 0;
	return UNLZ4_DAMAGED;
}

static bool unlz4_is_between(const struct unlz4 *z)
{
	(void)z;
	return true;
}

static size_t unlz4_rest(struct unlz4 *z, void *out, size_t size)
{
	(void)z;
	(void)out;
	(void)size;
	return 0;
}

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

void unpack_text(const void *packed, size_t len, struct buf *out)
{
	unsigned char piece[PIECE];
	z_stream z = { .zalloc = gzip_alloc,
		       .zfree = gzip_free,
		       .next_in = (unsigned char *)(uintptr_t)packed,
		       .avail_in = (unsigned)len };
	int status = inflateInit2(&z, WINDOW_BITS);

	while (status == Z_OK) {
		z.next_out = piece;
		z.avail_out = sizeof piece;
		status = inflate(&z, Z_NO_FLUSH);
		buf_add(out, (const char *)piece, sizeof piece - z.avail_out);
	}
	inflateEnd(&z);
}

/* ==== packer ==== */

#ifdef HAVE_ZSTD_COMPRESS

const char packer_suffix[] = ".zst";

struct packer {
	ZSTD_CStream *stream;
};

struct packer *packer_new(void)
{
	struct packer *p = xcalloc(1, sizeof *p);

	p->stream = alloc_checked(ZSTD_createCStream());
	return p;
}

void packer_add(struct packer *p, const void *bytes, size_t len, bool is_end, struct buf *out)
{
	ZSTD_inBuffer in = { bytes, len, 0 };
	char piece[PIECE];
	size_t left;

	do {
		ZSTD_outBuffer to = { piece, sizeof piece, 0 };

		left = ZSTD_compressStream2(p->stream, &to, &in,
					    is_end ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			alloc_failed();
		buf_add(out, piece, to.pos);
	} while (is_end ? left > 0 : in.pos < in.size);
}

void packer_free(struct packer *p)
{
	if (p)
		ZSTD_freeCStream(p->stream);
	free(p);
}

#else

const char packer_suffix[] = ".gz";

struct packer {
	struct gzip gzip;
	bool has_ended;
};

struct packer *packer_new(void)
{
	struct packer *p = xcalloc(1, sizeof *p);

	gzip_begin(&p->gzip);
	return p;
}

void packer_add(struct packer *p, const void *bytes, size_t len, bool is_end, struct buf *out)
{
	gzip_add(&p->gzip, bytes, len, out);
	if (is_end)
		gzip_end(&p->gzip, out);
	p->has_ended |= is_end;
}

void packer_free(struct packer *p)
{
	struct buf rest = { 0 };

	if (p && !p->has_ended)
		gzip_end(&p->gzip, &rest);
	buf_done(&rest);
	free(p);
}

#endif

/* ==== unpack ==== */

#define UNPACK_RATIO 300
#define PACKED_SIZE ((size_t)256 << 10)
#define MAGIC_SIZE 4u

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

		if (status != UNLZ4_GOOD) {
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
				u->damage = u->packed[u->at] ? "other bytes after the lz4 data"
							     : NULL;
			else
				u->damage = "lz4 data is damaged";
			return 0;
		}
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
		/* zlib allocates its window late: without these, missing memory would look like
		 * damaged data. */
		u->gzip.zalloc = gzip_alloc;
		u->gzip.zfree = gzip_free;
		/* 15: the largest window; 16: with a gzip header. */
		if (inflateInit2(&u->gzip, 15 + 16) != Z_OK)
			return error_set(err, ERR_LIMIT, -1, "cannot start unpacking");
		u->format = UNPACK_GZIP;
		return u->is_gzip_open = true;
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

/* ==== decode ====
 *
 * The first four bytes decide the encoding: by a byte order mark, or by the NUL bytes beside the
 * bracket that a JSON document begins with. Half of a surrogate pair becomes U+FFFD. */

#define WIDE_SIZE ((size_t)64 << 10)

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
static bool begin_decoding(struct decode *d, struct error *err)
{
	d->is_begun = true;
	while (d->head_len < sizeof d->head) {
		ptrdiff_t n = byte_source_read(&d->from, d->head + d->head_len,
					       sizeof d->head - d->head_len, err);

		if (n < 0)
			return false;
		if (n == 0)
			break;
		d->head_len += (size_t)n;
	}
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
	if (!d->is_begun && !begin_decoding(d, err))
		return -1;
	if (d->encoding != DECODE_UTF8)
		return read_utf16(d, out, size, err);
	return read_bytes(d, out, size, err);
}
