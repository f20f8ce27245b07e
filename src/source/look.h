/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens of JavaScript and TypeScript around a position, to the right and to the left. Comments are
 * blanks. */
#ifndef FLAMETTY_SOURCEMAP_LOOK_H
#define FLAMETTY_SOURCEMAP_LOOK_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct look {
	struct str text;
	size_t low, high; /* the range that may be read */
};

/* Whether a byte belongs to a word: a letter, a digit, `_`, `$`, `#`, or not ASCII. */
bool look_is_word(char c);

bool look_is_blank(char c);

/* The byte at i, or in front of i; 0: that is beyond the range. */
char look_at(const struct look *l, size_t i);
char look_before(const struct look *l, size_t i);

/* The first byte from i on that is no blank and in no comment. */
size_t look_skip_blanks(const struct look *l, size_t i);

/* The word at i, or the word that ends at i; empty when there is none. */
struct str look_word(const struct look *l, size_t i);
struct str look_word_before(const struct look *l, size_t i);

/* The key that ends at i: a word, or a string, without its quotes. */
struct str look_key_before(const struct look *l, size_t i);

/* Behind the bracket that closes the one at i; 0: it is not in the range. Strings are passed. */
size_t look_skip_brackets(const struct look *l, size_t i);

/* The end of what is in front of the blanks and comments that end at i. */
size_t look_skip_left(const struct look *l, size_t i);

#endif
