/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Three bytes become four digits of six bits. */
#include "config.h"

#include "base/base64.h"

void base64_add(struct buf *out, const void *bytes, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = bytes;

	for (size_t i = 0; i < len; i += 3) {
		unsigned n = len - i < 3 ? (unsigned)(len - i) : 3, bits = 0;

		for (unsigned k = 0; k < 3; k++)
			bits = bits << 8 | (k < n ? from[i + k] : 0u);
		for (unsigned k = 0; k < 4; k++)
			buf_addc(out, k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=');
	}
}
