/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library decompresses whole blocks and checks them. Beside it, this file follows the form of
 * the frame over the same bytes, and keeps those of the current block: where the file ends within
 * it, they are decompressed as far as they go. lz4(1) writes blocks of 4 MiB, so without this a
 * shorter file that is cut off would have no beginning at all.
 *
 * A frame is a header, blocks, and a block size of 0; each block is its size in 4 bytes (the
 * highest bit: it is not compressed), data, and a checksum if the header says so. */
#include "config.h"

#include "base/stream/unlz4.h"

#ifdef HAVE_LZ4

#include "base/alloc.h"
#include "base/buf.h"

#include <lz4.h>
#include <lz4frame.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

struct unlz4 *unlz4_new(void)
{
	struct unlz4 *z = xcalloc(1, sizeof *z);

	if (LZ4F_isError(LZ4F_createDecompressionContext(&z->frame, LZ4F_VERSION)))
		alloc_failed();
	z->is_between = true;
	z->missing = 4;
	return z;
}

void unlz4_free(struct unlz4 *z)
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

static enum unlz4_status status_of(size_t code)
{
	const char *name = LZ4F_getErrorName(code);

	if (strstr(name, "allocation"))
		return UNLZ4_MEMORY;
	if (strstr(name, "hecksum"))
		return UNLZ4_CHECKSUM;
	return UNLZ4_DAMAGED;
}

/* Whether a frame, or one that is skipped, begins with this byte. */
static bool may_begin(unsigned char byte)
{
	return byte == MAGIC[0] || (byte & 0xF0) == 0x50;
}

enum unlz4_status unlz4_read(struct unlz4 *z, const unsigned char *in, size_t *n_in, void *out,
			     size_t *size)
{
	size_t code;

	if (z->part == PART_MAGIC && z->missing == 4 && *n_in && !may_begin(*in)) {
		*n_in = *size = 0;
		return UNLZ4_OTHER;
	}
	/* Part by part: a call that fails has written nothing. */
	if (*n_in > z->missing)
		*n_in = z->missing;
	code = LZ4F_decompress(z->frame, out, size, in, n_in, NULL);
	if (LZ4F_isError(code)) {
		*n_in = *size = 0;
		return status_of(code);
	}
	follow(z, in, *n_in);
	remember(z, out, *size);
	if (*n_in || *size)
		z->is_between = z->part == PART_MAGIC;
	return UNLZ4_GOOD;
}

bool unlz4_is_between(const struct unlz4 *z)
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

static void unpack_rest(struct unlz4 *z)
{
	size_t n = z->block.len < BLOCK_MAX ? z->block.len : BLOCK_MAX;
	int len = -1;

	z->rest = xmalloc(BLOCK_MAX);
	/* A long number has many bytes; only the last one may be missing. */
	for (size_t less = 0; len < 0 && less < n; less = 2 * less + 1)
		len = decompress(z, n - less);
	z->rest_len = len > 0 ? (size_t)len : 0;
}

size_t unlz4_rest(struct unlz4 *z, void *out, size_t size)
{
	if (!z->rest && (z->part == PART_BLOCK || z->part == PART_BLOCK_END) && z->block.len)
		unpack_rest(z);
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

struct unlz4 *unlz4_new(void)
{
	return NULL;
}

void unlz4_free(struct unlz4 *z)
{
	(void)z;
}

enum unlz4_status unlz4_read(struct unlz4 *z, const unsigned char *in, size_t *n_in, void *out,
			     size_t *size)
{
	(void)z;
	(void)in;
	(void)out;
	*n_in = *size = 0;
	return UNLZ4_DAMAGED;
}

bool unlz4_is_between(const struct unlz4 *z)
{
	(void)z;
	return true;
}

size_t unlz4_rest(struct unlz4 *z, void *out, size_t size)
{
	(void)z;
	(void)out;
	(void)size;
	return 0;
}

#endif
