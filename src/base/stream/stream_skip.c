/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes are read in blocks, because a packed stream has no other way. */
#include "config.h"

#include "base/stream/stream_skip.h"

#include "base/alloc.h"

#include <stdlib.h>

#define BLOCK ((size_t)1 << 16)

bool stream_skip(struct stream *s, int64_t bytes, struct error *err)
{
	char *block = xmalloc(BLOCK);
	bool ok = true;

	while (ok && bytes > 0) {
		ptrdiff_t n = stream_read(s, block, bytes < (int64_t)BLOCK ? (size_t)bytes : BLOCK,
					  err);

		if (n <= 0)
			ok = error_set(err, ERR_IO, -1, "the file is shorter than it was");
		bytes -= n > 0 ? n : 0;
	}
	free(block);
	return ok;
}
