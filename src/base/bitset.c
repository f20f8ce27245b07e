/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One bit per number, and one mark per BITSET_STRETCH words. Draining examines only the words of
 * marked stretches. */
#include "config.h"

#include "base/bitset.h"

#include "base/alloc.h"

#include <stdlib.h>

void bitset_init(struct bitset *s, size_t n)
{
	s->n_marks = n / (64 * BITSET_STRETCH) + 1;
	s->words = xcalloc(s->n_marks * BITSET_STRETCH, sizeof *s->words);
	s->marks = xcalloc(s->n_marks, 1);
}

void bitset_done(struct bitset *s)
{
	free(s->words);
	free(s->marks);
	*s = (struct bitset){ 0 };
}

size_t bitset_drain(struct bitset *s, uint32_t *list)
{
	size_t n = 0;

	for (size_t mark = 0; mark < s->n_marks; mark++) {
		if (!s->marks[mark])
			continue;
		s->marks[mark] = 0;
		for (size_t i = mark * BITSET_STRETCH; i < (mark + 1) * BITSET_STRETCH; i++) {
			uint64_t w = s->words[i];

			s->words[i] = 0;
			/* The number of set bits is unpredictable for the processor, so two numbers
			 * are written without a branch, whether they exist or not. */
			for (int k = 0; k < 2; k++) {
				list[n] = (uint32_t)(i * 64) +
					(uint32_t)__builtin_ctzll(w | UINT64_C(1) << 63);
				n += w != 0;
				w &= w - 1;
			}
			for (; w; w &= w - 1)
				list[n++] = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(w);
		}
	}
	return n;
}
