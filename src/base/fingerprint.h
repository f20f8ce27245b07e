/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fingerprint of a file: what a later reading compares to find out whether the file is still
 * the one that was read. It consists of the identity (device, inode, size, time of the last change)
 * and of a checksum of each block of FINGERPRINT_BLOCK bytes as they are stored. The checksums find
 * what the identity cannot show: bytes written in place, with the time put back afterwards. They
 * are no protection against an attacker who looks for equal checksums.
 *
 * A fingerprint of a file of n bytes takes 8 bytes per MiB. A zeroed struct is empty: nothing is
 * known of the file, as is the case for pipes. */
#ifndef FLAMETTY_BASE_FINGERPRINT_H
#define FLAMETTY_BASE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct stat;

#define FINGERPRINT_BLOCK ((size_t)1 << 20)
#define FINGERPRINT_STRIPE 128
#define FINGERPRINT_LANES 8

/* Embedded. Only is_known and n_bytes are for others to read. */
struct fingerprint {
	bool is_known; /* a regular file: it can be read a second time */
	uint64_t device, inode;
	int64_t size, changed_s, changed_ns;
	int64_t n_bytes; /* the checksums are of the first n_bytes bytes of the file */
	uint64_t *sums;  /* of the finished blocks; after fingerprint_end() of all */
	size_t n_sums, cap_sums;

	/* Of the block in progress: the sums of the lanes, and the bytes that are no whole stripe
	 * yet. */
	uint64_t lanes[FINGERPRINT_LANES];
	unsigned char stripe[FINGERPRINT_STRIPE];
};

/* Begin with the identity of an open file; `f` is empty. It stays empty when that is no regular
 * file. */
void fingerprint_begin(struct fingerprint *f, const struct stat *st);

/* A copy of the identity, without checksums, which owns nothing. */
static inline struct fingerprint fingerprint_identity(const struct fingerprint *f)
{
	return (struct fingerprint){ .is_known = f->is_known,
				     .device = f->device,
				     .inode = f->inode,
				     .size = f->size,
				     .changed_s = f->changed_s,
				     .changed_ns = f->changed_ns };
}

/* Whether a file has the identity in `f`. */
bool fingerprint_is_of(const struct fingerprint *f, const struct stat *st);

/* Add the next bytes of the file. before: the ended fingerprint of an earlier reading; NULL or
 * empty: nothing to compare with. Returns false when the bytes differ from those of `before`.
 * Differences are found when a block of `before` is complete. */
bool fingerprint_add(struct fingerprint *f, const struct fingerprint *before, const void *bytes,
		     size_t len);

/* Whether all bytes added so far were compared with `before`, or lie after its bytes. */
static inline bool fingerprint_is_compared(const struct fingerprint *f,
					   const struct fingerprint *before)
{
	return f->n_bytes >= before->n_bytes || (size_t)f->n_bytes % FINGERPRINT_BLOCK == 0;
}

/* No bytes follow: finish the last block. */
void fingerprint_end(struct fingerprint *f);

/* Make an empty `to` a copy of an ended fingerprint. */
void fingerprint_copy(struct fingerprint *to, const struct fingerprint *from);

static inline void fingerprint_done(struct fingerprint *f)
{
	free(f->sums);
	*f = (struct fingerprint){ 0 };
}

#endif
