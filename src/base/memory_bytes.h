/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes in memory, read as a file is. */
#ifndef FLAMETTY_BASE_MEMORY_BYTES_H
#define FLAMETTY_BASE_MEMORY_BYTES_H

#include "base/error.h"

#include <stddef.h>

struct memory_bytes {
	const unsigned char *data; /* borrowed */
	size_t len, at;
	size_t fail_at; /* reading fails after that many bytes; SIZE_MAX: never */
};

/* Copy up to `size` bytes and go on behind them. Returns how many; 0 at the end; -1 and err
 * (ERR_IO) on failure. */
ptrdiff_t memory_bytes_read(struct memory_bytes *m, void *out, size_t size, struct error *err);

#endif
