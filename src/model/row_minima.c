/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A range of nodes is the end of one block, whole blocks, and the beginning of another block. The
 * minima of whole blocks are a sparse table, whose size is small beside the nodes. */
#include "config.h"

#include "model/row_minima.h"

#include "base/alloc.h"

#include <stdlib.h>

void row_minima_begin(struct row_minima *m, const struct calltree *tree)
{
	size_t n = tree->n;

	*m = (struct row_minima){ .rows = tree->rows,
				  .n = n,
				  .n_blocks = (n + ROW_MINIMA_BLOCK - 1) / ROW_MINIMA_BLOCK };
	m->until = xmalloc(n * sizeof *m->until);
	m->since = xmalloc(n * sizeof *m->since);
	m->levels[0] = xmalloc(m->n_blocks * sizeof *m->levels[0]);
}

void row_minima_add(struct row_minima *m, size_t from, size_t end)
{
	const uint16_t *rows = m->rows;

	for (size_t block = from; block < end; block++) {
		size_t first = block * ROW_MINIMA_BLOCK, last = first + ROW_MINIMA_BLOCK - 1;
		uint16_t least = UINT16_MAX;

		last = last < m->n ? last : m->n - 1;
		for (size_t i = first; i <= last; i++) {
			least = rows[i] < least ? rows[i] : least;
			m->until[i] = least;
		}
		m->levels[0][block] = least;
		least = UINT16_MAX;
		for (size_t i = last + 1; i-- > first;) {
			least = rows[i] < least ? rows[i] : least;
			m->since[i] = least;
		}
	}
}

void row_minima_end(struct row_minima *m)
{
	for (int k = 1; (size_t)1 << k <= m->n_blocks; k++) {
		size_t half = (size_t)1 << (k - 1), n = m->n_blocks - 2 * half + 1;
		const uint16_t *below = m->levels[k - 1];
		uint16_t *level = xmalloc(n * sizeof *level);

		for (size_t j = 0; j < n; j++)
			level[j] = below[j] < below[j + half] ? below[j] : below[j + half];
		m->levels[k] = level;
	}
}

void row_minima_done(struct row_minima *m)
{
	free(m->until);
	free(m->since);
	for (int k = 0; k < ROW_MINIMA_LEVELS; k++)
		free(m->levels[k]);
	*m = (struct row_minima){ 0 };
}
