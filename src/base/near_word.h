/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of some words a misspelt word most likely means, for "did you mean". */
#ifndef FLAMETTY_BASE_NEAR_WORD_H
#define FLAMETTY_BASE_NEAR_WORD_H

#include <stddef.h>

struct near_word {
	const char *word; /* the misspelt one; borrowed, not NUL-terminated */
	size_t len;
	const char *best; /* borrowed; NULL: no candidate is near */
	int distance;     /* of the best */
};

void near_word_begin(struct near_word *near, const char *word, size_t len);

/* Consider a candidate. Of equally near ones, the first stays the best. */
void near_word_try(struct near_word *near, const char *candidate);

#endif
