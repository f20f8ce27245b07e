/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of small numbers that is filled in any order and emptied in ascending order.
 * To empty it costs little more than what is in it. */
#ifndef FLAMETTY_BASE_BITSET_H
#define FLAMETTY_BASE_BITSET_H

#include <stddef.h>
#include <stdint.h>

struct bitset {
	uint64_t *words;
	uint8_t *marks; /* one for BITSET_STRETCH words: not 0 where one may be set */
	size_t n_marks;
};

#define BITSET_STRETCH 8u

/* For the numbers 0 <= i < n. */
void bitset_init(struct bitset *s, size_t n);
void bitset_done(struct bitset *s);

static inline void bitset_add(struct bitset *s, uint32_t i)
{
	s->words[i / 64] |= UINT64_C(1) << i % 64;
	s->marks[i / (64 * BITSET_STRETCH)] = 1;
}

/* Write the numbers to `list` in ascending order; the set is empty then. Returns how many. The
 * list must have room for one more than there are. */
size_t bitset_drain(struct bitset *s, uint32_t *list);

#endif
