/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows are compared by their hashes under each possible distance. A row gains its differing cells
 * if it is right after the move and was wrong before it, and loses its written cells if it is the
 * other way round. The best stretch of rows for a distance is the one with the largest sum. The
 * rows that become blank lose what they had in common with the new picture.
 *
 * A wrong result costs bytes, never a wrong picture: what differs after the move is sent. */
#include "config.h"

#include "term/scroll.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_GAIN 48 /* cells; a scroll takes about 25 bytes, a cell 1 to 24 */
#define LEAST_ROWS 3  /* that differ */

static const struct painted blank = { .ch = ' ',
				      .paint = { .fg = PAINT_DEFAULT, .bg = PAINT_DEFAULT } };

struct row_state {
	uint32_t before, after; /* hashes */
	int n_different;        /* cells */
	int n_written;          /* cells of `after` that are not blank */
};

static uint32_t hash_row(const struct painted *row, int cols)
{
	uint32_t h = 0;

	for (int i = 0; i < cols; i++) {
		h = (h ^ row[i].ch) * 0x9e3779b1u + row[i].mark;
		h = (h ^ (uint32_t)row[i].paint.fg) * 0x85ebca6bu + row[i].paint.attrs;
		h = (h ^ (uint32_t)row[i].paint.bg) * 0xc2b2ae35u;
		h ^= h >> 15;
	}
	return h;
}

/* Returns how many rows differ. */
static int compare(const struct painted *before, const struct painted *after, int rows, int cols,
		   struct row_state *state)
{
	int n = 0;

	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)cols;

		for (int i = 0; i < cols; i++)
			state[row].n_different += !shift_is_same(before + at + i, after + at + i);
		n += state[row].n_different > 0;
	}
	if (n < LEAST_ROWS)
		return n;
	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)cols;

		for (int i = 0; i < cols; i++)
			state[row].n_written += !shift_is_same(&blank, after + at + i);
		state[row].before = hash_row(before + at, cols);
		state[row].after = state[row].n_different ? hash_row(after + at, cols)
							  : state[row].before;
	}
	return n;
}

static int gain_of(const struct row_state *state, int row, int by)
{
	bool is_right = state[row + by].before == state[row].after;
	bool was_right = state[row].n_different == 0;

	return is_right == was_right ? 0
		: is_right           ? state[row].n_different
				     : -state[row].n_written;
}

/* The best scroll by `by` rows. Returns the cells that it gains. */
static int best_for(const struct row_state *state, int rows, int by, struct scroll *scroll)
{
	int first = by < 0 ? -by : 0, end = by > 0 ? rows - by : rows;
	int sum = 0, from = first, most = 0;

	for (int row = first; row < end; row++) {
		if (sum <= 0) {
			sum = 0;
			from = row;
		}
		sum += gain_of(state, row, by);
		if (sum > most) {
			most = sum;
			*scroll = (struct scroll){ from, row + 1, by };
		}
	}
	if (!most)
		return 0;
	/* The rows that the moved ones come from belong to it; some of them become blank. */
	for (int i = 0; i < abs(by); i++) {
		int row = by > 0 ? scroll->end++ : --scroll->first;

		most -= state[row].n_written - state[row].n_different;
	}
	return most;
}

int scroll_find(const struct painted *before, const struct painted *after, int rows, int cols,
		struct scroll *scroll)
{
	struct row_state *state = xcalloc((size_t)rows, sizeof *state);
	int most = LEAST_GAIN;

	if (compare(before, after, rows, cols, state) >= LEAST_ROWS) {
		for (int by = 1 - rows; by < rows; by++) {
			struct scroll found;
			int gain = by ? best_for(state, rows, by, &found) : 0;

			if (gain > most) {
				most = gain;
				*scroll = found;
			}
		}
	}
	free(state);
	return most > LEAST_GAIN ? most : 0;
}

void scroll_apply(struct painted *cells, int cols, const struct scroll *scroll)
{
	size_t width = (size_t)cols, n = (size_t)abs(scroll->by) * width;
	struct painted *first = cells + (size_t)scroll->first * width;
	struct painted *end = cells + (size_t)scroll->end * width;
	size_t n_kept = (size_t)(end - first) - n;
	struct painted *empty = scroll->by > 0 ? end - n : first;

	if (scroll->by > 0)
		memmove(first, first + n, n_kept * sizeof *first);
	else
		memmove(first + n, first, n_kept * sizeof *first);
	for (size_t i = 0; i < n; i++)
		empty[i] = blank;
}
