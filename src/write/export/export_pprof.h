/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of Protocol Buffers in their wire form
 * (https://protobuf.dev/programming-guides/encoding). A message inside another is written into a
 * buffer of its own first, because its length comes before it. Members with the default value, 0 or
 * "", are left out. */
#ifndef FLAMETTY_WRITE_EXPORT_EXPORT_PPROF_H
#define FLAMETTY_WRITE_EXPORT_EXPORT_PPROF_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* Append a number in the form of varint: 7 bits a byte, lowest first. Negative numbers of type
 * int64 are passed as their value modulo 2^64. */
void protobuf_add_varint(struct buf *out, uint64_t value);

/* Append a member: a number (types int64 and uint64), or bytes (strings, messages, packed numbers).
 * protobuf_bytes() also writes what is empty, as an element of a list. */
void protobuf_number(struct buf *out, unsigned field, uint64_t value);
void protobuf_bytes(struct buf *out, unsigned field, const char *bytes, size_t len);

#endif
