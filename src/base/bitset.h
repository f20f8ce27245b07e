/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of small numbers that is filled in any order and drained in ascending order. Draining costs
 * little more than the numbers in the set. */
#ifndef FLAMETTY_BASE_BITSET_H
#define FLAMETTY_BASE_BITSET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct bitset {
	uint64_t *words;
	uint8_t *marks; /* one for each word: 1 when any of its bits may be set */
	size_t n_marks; /* a multiple of 8 */
};

/* Make an empty set for the numbers 0 <= i < n. */
void bitset_init(struct bitset *s, size_t n);

static inline void bitset_done(struct bitset *s)
{
	free(s->words);
	free(s->marks);
	*s = (struct bitset){ 0 };
}

static inline void bitset_add(struct bitset *s, uint32_t i)
{
	s->words[i / 64] |= UINT64_C(1) << i % 64;
	s->marks[i / 64] = 1;
}

/* Write the numbers to `list` in ascending order and empty the set. Returns how many there were.
 * The list must have room for one more. */
size_t bitset_drain(struct bitset *s, uint32_t *list);

#endif
