/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-1 of a short text (RFC 3174). WebSocket servers prove with it that they understood the
 * request; it protects nothing. */
#ifndef FLAMETTY_BASE_SHA1_H
#define FLAMETTY_BASE_SHA1_H

#include <stddef.h>

#define SHA1_BYTES 20

void sha1(const void *bytes, size_t len, unsigned char out[SHA1_BYTES]);

#endif
