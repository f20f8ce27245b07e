/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompresses frames of LZ4 (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), given
 * piece by piece. Of a frame that is cut off, also the beginning of its last block is decompressed.
 * A frame needs about 13 MB at most: its blocks have up to 4 MiB. */
#ifndef FLAMETTY_BASE_UNLZ4_H
#define FLAMETTY_BASE_UNLZ4_H

#include <stdbool.h>
#include <stddef.h>

struct unlz4;

/* What became of a piece. */
enum unlz4_status {
	UNLZ4_GOOD,
	UNLZ4_OTHER,    /* no frame begins here; an earlier one may have ended */
	UNLZ4_CHECKSUM, /* a checksum is wrong */
	UNLZ4_DAMAGED,
	UNLZ4_MEMORY /* there is not enough memory */
};

/* NULL: this program was built without liblz4. */
struct unlz4 *unlz4_new(void);
void unlz4_free(struct unlz4 *z);

/* Decompress some of the *n_in bytes at `in` to `out`. Sets *n_in to how many were used, and *size
 * to how many were written. With nothing used and written, it needs more bytes. */
enum unlz4_status unlz4_read(struct unlz4 *z, const unsigned char *in, size_t *n_in, void *out,
			     size_t *size);

/* Whether all frames so far are complete. */
bool unlz4_is_between(const struct unlz4 *z);

/* There are no more bytes: write what the last block has, in several calls. Returns how many bytes;
 * 0: that was all. */
size_t unlz4_rest(struct unlz4 *z, void *out, size_t size);

#endif
