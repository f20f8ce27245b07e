/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A block is taken as stripes of 128 bytes; each lane takes two words of a stripe, so that the
 * multiplications of the lanes do not wait for each other. A word is xored to its lane, which
 * is then multiplied by an odd number. Both steps can be reversed, so a change of one word always
 * changes the checksum. The lanes are rotated after each stripe, because multiplication moves bits
 * only upwards. A byte costs a third of an
 * instruction.
 *
 * The last stripe of a file is filled up with zeros, and the number of bytes is part of the
 * checksum. The result does not depend on how the bytes are divided between calls. */
#include "config.h"

#include "base/fingerprint.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>
#include <sys/stat.h>

static const uint64_t seeds[FINGERPRINT_LANES] = {
	UINT64_C(0xa0761d6478bd642f), UINT64_C(0xe7037ed1a0b428db), UINT64_C(0x8ebc6af09c88c6e3),
	UINT64_C(0x589965cc75374cc3), UINT64_C(0x1d8e4e27c47d124f), UINT64_C(0xeb44accab455d165),
	UINT64_C(0x9c6e6877736c46e3), UINT64_C(0xa2f9a3d1b7e5c84b)
};

void fingerprint_begin(struct fingerprint *f, const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return;
	f->is_known = true;
	f->device = (uint64_t)st->st_dev;
	f->inode = (uint64_t)st->st_ino;
	f->size = (int64_t)st->st_size;
	f->changed_s = (int64_t)st->st_mtime;
#ifdef __APPLE__
	f->changed_ns = (int64_t)st->st_mtimespec.tv_nsec;
#else
	f->changed_ns = (int64_t)st->st_mtim.tv_nsec;
#endif
	memcpy(f->lanes, seeds, sizeof f->lanes);
}

bool fingerprint_is_of(const struct fingerprint *f, const struct stat *st)
{
	struct fingerprint now = { 0 };

	fingerprint_begin(&now, st);
	return f->is_known && now.is_known && f->device == now.device && f->inode == now.inode &&
		f->size == now.size && f->changed_s == now.changed_s &&
		f->changed_ns == now.changed_ns;
}

static uint64_t step(uint64_t lane, const unsigned char *p)
{
	return (lane ^ hash_load64(p)) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t rotate(uint64_t x)
{
	return x << 23 | x >> 41;
}

/* Add whole stripes; len is a multiple of the size of a stripe. */
static void add_stripes(struct fingerprint *f, const unsigned char *p, size_t len)
{
	uint64_t a = f->lanes[0], b = f->lanes[1], c = f->lanes[2], d = f->lanes[3],
		 e = f->lanes[4], g = f->lanes[5], h = f->lanes[6], i = f->lanes[7];

	for (const unsigned char *end = p + len; p < end; p += FINGERPRINT_STRIPE) {
		a = rotate(step(step(a, p), p + 64));
		b = rotate(step(step(b, p + 8), p + 72));
		c = rotate(step(step(c, p + 16), p + 80));
		d = rotate(step(step(d, p + 24), p + 88));
		e = rotate(step(step(e, p + 32), p + 96));
		g = rotate(step(step(g, p + 40), p + 104));
		h = rotate(step(step(h, p + 48), p + 112));
		i = rotate(step(step(i, p + 56), p + 120));
	}
	memcpy(f->lanes, ((uint64_t[]){ a, b, c, d, e, g, h, i }), sizeof f->lanes);
}

/* Add bytes that do not go past the end of the block. */
static void add_bytes(struct fingerprint *f, const unsigned char *p, size_t len)
{
	size_t at = (size_t)f->n_bytes % FINGERPRINT_STRIPE, whole;

	f->n_bytes += (int64_t)len;
	if (at) {
		size_t n = len < FINGERPRINT_STRIPE - at ? len : FINGERPRINT_STRIPE - at;

		memcpy(f->stripe + at, p, n);
		if (at + n < FINGERPRINT_STRIPE)
			return;
		add_stripes(f, f->stripe, FINGERPRINT_STRIPE);
		p += n;
		len -= n;
	}
	whole = len / FINGERPRINT_STRIPE * FINGERPRINT_STRIPE;
	add_stripes(f, p, whole);
	memcpy(f->stripe, p + whole, len - whole);
}

/* The checksum of the block in progress as it is. */
static uint64_t sum_of(const struct fingerprint *f)
{
	struct fingerprint copy = *f;
	size_t at = (size_t)f->n_bytes % FINGERPRINT_STRIPE;
	uint64_t sum = (uint64_t)f->n_bytes;

	if (at) {
		memset(copy.stripe + at, 0, FINGERPRINT_STRIPE - at);
		add_stripes(&copy, copy.stripe, FINGERPRINT_STRIPE);
	}
	for (int i = 0; i < FINGERPRINT_LANES; i++)
		sum = hash_u64(sum ^ copy.lanes[i]);
	return sum;
}

static void end_block(struct fingerprint *f)
{
	*ARRAY_ADD(f->sums, f->n_sums, f->cap_sums) = sum_of(f);
	memcpy(f->lanes, seeds, sizeof f->lanes);
}

bool fingerprint_add(struct fingerprint *f, const struct fingerprint *before, const void *bytes,
		     size_t len)
{
	const unsigned char *p = bytes;
	int64_t end = before && before->is_known ? before->n_bytes : 0;
	bool is_same = true;

	while (f->is_known && len > 0) {
		size_t block = (size_t)(f->n_bytes / (int64_t)FINGERPRINT_BLOCK),
		       n = FINGERPRINT_BLOCK - (size_t)f->n_bytes % FINGERPRINT_BLOCK;

		/* What `before` has of its last block ends within a block. */
		if (f->n_bytes < end && (int64_t)n > end - f->n_bytes)
			n = (size_t)(end - f->n_bytes);
		n = n < len ? n : len;
		add_bytes(f, p, n);
		p += n;
		len -= n;
		if (before && f->n_bytes == end)
			is_same &= sum_of(f) == before->sums[block];
		if ((size_t)f->n_bytes % FINGERPRINT_BLOCK == 0) {
			end_block(f);
			if (before && f->n_bytes < end)
				is_same &= f->sums[block] == before->sums[block];
		}
	}
	return is_same;
}

void fingerprint_end(struct fingerprint *f)
{
	if ((size_t)f->n_bytes % FINGERPRINT_BLOCK)
		end_block(f);
}

void fingerprint_copy(struct fingerprint *to, const struct fingerprint *from)
{
	*to = *from;
	to->cap_sums = to->n_sums;
	to->sums = NULL;
	if (from->n_sums == 0)
		return;
	to->sums = xmalloc(from->n_sums * sizeof *to->sums);
	memcpy(to->sums, from->sums, from->n_sums * sizeof *to->sums);
}
