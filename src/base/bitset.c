/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One bit per number, and one mark per word. Draining examines eight marks at once, and only the
 * words that are marked. */
#include "config.h"

#include "base/bitset.h"

#include "base/alloc.h"

#include <string.h>

#define AT_ONCE 8u

void bitset_init(struct bitset *s, size_t n)
{
	s->n_marks = (n / 64 / AT_ONCE + 1) * AT_ONCE;
	s->words = xcalloc(s->n_marks, sizeof *s->words);
	s->marks = xcalloc(s->n_marks, 1);
}

/* Eight marks in one number, the first in its lowest byte. */
static uint64_t read_marks(const uint8_t *marks)
{
	uint64_t all;

	memcpy(&all, marks, sizeof all);
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	all = __builtin_bswap64(all);
#endif
	return all;
}

/* Write the numbers of a word. The number of set bits is unpredictable for the processor, so two
 * numbers are written without a branch, whether they exist or not. */
static size_t drain_word(uint64_t w, uint32_t first, uint32_t *list)
{
	size_t n = 0;

	for (int k = 0; k < 2; k++) {
		list[n] = first + (uint32_t)__builtin_ctzll(w | UINT64_C(1) << 63);
		n += w != 0;
		w &= w - 1;
	}
	for (; w; w &= w - 1)
		list[n++] = first + (uint32_t)__builtin_ctzll(w);
	return n;
}

size_t bitset_drain(struct bitset *s, uint32_t *list)
{
	size_t n = 0;

	for (size_t at = 0; at < s->n_marks; at += AT_ONCE) {
		uint64_t marks = read_marks(s->marks + at);

		if (!marks)
			continue;
		memset(s->marks + at, 0, AT_ONCE);
		for (; marks; marks &= marks - 1) {
			size_t i = at + (size_t)__builtin_ctzll(marks) / 8;

			n += drain_word(s->words[i], (uint32_t)(i * 64), list + n);
			s->words[i] = 0;
		}
	}
	return n;
}
