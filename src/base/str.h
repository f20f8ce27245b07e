/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that the struct does not own, without a NUL after them. The function that hands out a str
 * says who owns the bytes and how long they are valid. */
#ifndef FLAMETTY_BASE_STR_H
#define FLAMETTY_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct str {
	const char *p;
	size_t len;
};

/* Whether the bytes are those of a NUL-terminated text. The length is the text's, as compilers
 * compare a known number of bytes without a call. */
static inline bool str_is(struct str s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.p, text, strlen(text)) == 0;
}

static inline bool str_begins(struct str s, const char *text)
{
	return s.len >= strlen(text) && memcmp(s.p, text, strlen(text)) == 0;
}

static inline bool str_ends(struct str s, const char *text)
{
	return s.len >= strlen(text) && memcmp(s.p + s.len - strlen(text), text, strlen(text)) == 0;
}

static inline struct str str_of(const char *text)
{
	return (struct str){ text, strlen(text) };
}

/* Whether the bytes are those of one of the texts of an array. */
#define STR_IN(s, texts) str_in((s), (texts), sizeof(texts) / sizeof *(texts))

static inline bool str_in(struct str s, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(s, texts[i]))
			return true;
	return false;
}

/* What follows the last byte `c`; all if there is none. */
static inline struct str str_after_last(struct str s, char c)
{
	size_t at = s.len;

	while (at > 0 && s.p[at - 1] != c)
		at--;
	return (struct str){ s.p + at, s.len - at };
}

#endif
