/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stretch of bytes that it does not own, without a NUL at its end. Where the bytes belong, and
 * how long they stay, is said where a str is handed out. */
#ifndef FLAMETTY_BASE_STR_H
#define FLAMETTY_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct str {
	const char *p;
	size_t len;
};

/* Whether the bytes are those of a NUL-terminated text. */
static inline bool str_is(struct str s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.p, text, s.len) == 0;
}

#endif
