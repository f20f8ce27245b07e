/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A member begins with its field number and the type of what follows. */
#include "config.h"

#include "write/export/protobuf.h"

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void protobuf_add_varint(struct buf *out, uint64_t value)
{
	char bytes[10];
	size_t n = 0;

	for (; value > 0x7F; value >>= 7)
		bytes[n++] = (char)(value | 0x80);
	bytes[n++] = (char)value;
	buf_add(out, bytes, n);
}

void protobuf_number(struct buf *out, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	protobuf_add_varint(out, field << 3 | WIRE_VARINT);
	protobuf_add_varint(out, value);
}

void protobuf_bytes(struct buf *out, unsigned field, const char *bytes, size_t len)
{
	protobuf_add_varint(out, field << 3 | WIRE_BYTES);
	protobuf_add_varint(out, len);
	buf_add(out, bytes, len);
}
