/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes as base64 text (RFC 4648, section 4). */
#ifndef FLAMETTY_BASE_BASE64_H
#define FLAMETTY_BASE_BASE64_H

#include "base/buf.h"

/* Append `len` bytes as base64, padded with `=` to a multiple of four characters. */
void base64_add(struct buf *out, const void *bytes, size_t len);

#endif
