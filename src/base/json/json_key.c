/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/json/json_key.h"

#include <string.h>

/* The character of four hexadecimal digits; -1: there are not four. */
static int hex_value(const char *p)
{
	int value = 0;

	for (int i = 0; i < 4; i++) {
		char c = p[i];
		int digit = c >= '0' && c <= '9' ? c - '0'
			: c >= 'a' && c <= 'f'   ? c - 'a' + 10
			: c >= 'A' && c <= 'F'   ? c - 'A' + 10
						 : -1;

		if (digit < 0)
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

bool json_key_is(struct str key, const char *name)
{
	size_t len = strlen(name), at = 0;

	if (key.len <= len)
		return key.len == len && memcmp(key.p, name, len) == 0;
	/* It is longer, so it can only be equal with escapes. Letters have none but \u. */
	for (size_t i = 0; i < key.len; at++) {
		bool is_escape = key.p[i] == '\\' && key.len - i >= 6 && key.p[i + 1] == 'u';
		int c = is_escape ? hex_value(key.p + i + 2) : (unsigned char)key.p[i];

		if (at == len || c != (unsigned char)name[at])
			return false;
		i += is_escape ? 6 : 1;
	}
	return at == len;
}
