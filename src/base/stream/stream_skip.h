/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes to a place in the text of a stream, which can only be read from its beginning. */
#ifndef FLAMETTY_BASE_STREAM_SKIP_H
#define FLAMETTY_BASE_STREAM_SKIP_H

#include "base/stream/stream.h"

/* Read `bytes` bytes and drop them. Returns false and fills err if reading fails or the text ends
 * before. */
bool stream_skip(struct stream *s, int64_t bytes, struct error *err);

#endif
