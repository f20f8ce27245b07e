/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distance of two words is the number of letters to insert, delete or replace, and of
 * neighbours to swap (Damerau and Levenshtein, with each letter in at most one swap). A candidate
 * is near if that is at most a third of the longer word's letters, or if the word is its beginning.
 * Words of more than MOST bytes are near to none. */
#include "config.h"

#include "base/near_word.h"

#include <stdbool.h>
#include <string.h>

#define MOST 40

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int distance(const char *a, size_t n, const char *b, size_t m)
{
	int d[MOST + 1][MOST + 1];

	for (size_t i = 0; i <= n; i++)
		d[i][0] = (int)i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = (int)j;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			bool is_same = a[i - 1] == b[j - 1];

			d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
					d[i - 1][j - 1] + !is_same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[n][m];
}

void near_word_begin(struct near_word *near, const char *word, size_t len)
{
	*near = (struct near_word){ .word = word, .len = len, .distance = MOST };
}

void near_word_try(struct near_word *near, const char *candidate)
{
	size_t m = strlen(candidate), n = near->len;
	int limit = (int)((m > n ? m : n) / 3), d;

	if (n == 0 || n > MOST || m > MOST)
		return;
	d = distance(near->word, n, candidate, m);
	if (n >= 2 && m > n && memcmp(near->word, candidate, n) == 0) {
		limit = MOST;
		d = 1;
	}
	if (d <= (limit > 0 ? limit : 1) && d < near->distance) {
		near->best = candidate;
		near->distance = d;
	}
}
