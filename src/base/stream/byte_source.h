/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a stage of a stream gets its bytes: the function and the state of the stage before it. */
#ifndef FLAMETTY_BASE_STREAM_BYTE_SOURCE_H
#define FLAMETTY_BASE_STREAM_BYTE_SOURCE_H

#include "base/error.h"

#include <stddef.h>

struct byte_source {
	/* Read up to `size` bytes to `out`. Returns how many; 0 at the end; -1 and err on failure.
	 */
	ptrdiff_t (*read)(void *ctx, void *out, size_t size, struct error *err);
	void *ctx; /* borrowed */
};

static inline ptrdiff_t byte_source_read(const struct byte_source *source, void *out, size_t size,
					 struct error *err)
{
	return source->read(source->ctx, out, size, err);
}

#endif
