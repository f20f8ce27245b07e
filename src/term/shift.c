/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A few rows that differ are compared under each possible shift. A shift scores the cells that are
 * right with it and wrong without it, so that rows of one colour do not count.
 *
 * The best tail of a row for a shift is the one with the largest sum, from the last column on, of
 * cells that the shift makes right, less those that it makes wrong. */
#include "config.h"

#include "term/shift.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SAMPLES 6
#define TAIL_SAMPLES 3
#define MIN_GAIN 8 /* cells of a row; a shift takes 10 bytes, a cell 1 to 24 */

static const struct painted blank = { .ch = ' ',
				      .paint = { .fg = PAINT_DEFAULT, .bg = PAINT_DEFAULT } };

bool shift_is_same(const struct painted *a, const struct painted *b)
{
	return a->ch == b->ch && a->mark == b->mark && a->paint.fg == b->paint.fg &&
		a->paint.bg == b->paint.bg && a->paint.attrs == b->paint.attrs;
}

/* The columns [*first, *end) that a shift fills with cells of the row; the others are new. */
static void kept_columns(int cols, int shift, int *first, int *end)
{
	*first = shift < 0 ? -shift : 0;
	*end = shift > 0 ? cols - shift : cols;
}

static int count_different(const struct painted *before, const struct painted *after, int cols)
{
	int n = 0;

	for (int i = 0; i < cols; i++)
		n += !shift_is_same(&before[i], &after[i]);
	return n;
}

static uint32_t hash(const struct painted *p)
{
	uint32_t h = p->ch * 0x9e3779b1u + p->mark;

	h = h * 31 + (uint32_t)p->paint.fg;
	h = h * 31 + (uint32_t)p->paint.bg;
	return h * 31 + p->paint.attrs;
}

/* The cells that must stay when a row or tail is shifted. tmux 3.3 does not blank all cells that it
 * inserts if fewer stay than are inserted. */
static int least_kept(int shift)
{
	return shift < 0 ? -shift : 0;
}

/* ---- one row ---- */

/* The cells of a row that a shift makes right; 0: it is not worth it, or would cut a wide
 * character.
 */
static int row_gain(const struct painted *row, const struct painted *after, int cols, int shift)
{
	int first, end, gain;

	kept_columns(cols, shift, &first, &end);
	if (cols - abs(shift) < least_kept(shift) || row[first + shift].ch == 0 ||
	    (end + shift < cols && row[end + shift].ch == 0))
		return 0;
	gain = count_different(row, after, cols);
	for (int i = 0; i < cols; i++)
		gain -= !shift_is_same(i >= first && i < end ? &row[i + shift] : &blank, &after[i]);
	return gain < MIN_GAIN ? 0 : gain;
}

/* ---- the shift ---- */

struct samples {
	int n, cols;
	int most;                 /* rows that there is room for */
	uint32_t *before, *after; /* n * cols */
	int n_different;
};

static void open_samples(struct samples *s, int most, int cols)
{
	size_t size = (size_t)most * (size_t)cols;

	*s = (struct samples){ .cols = cols, .most = most };
	s->before = xcalloc(size, sizeof *s->before);
	s->after = xcalloc(size, sizeof *s->after);
}

static void close_samples(struct samples *s)
{
	free(s->before);
	free(s->after);
}

/* Take some rows that differ in more than 1/part of their cells, less those that `shift` makes
 * right, evenly spread. */
static void take_samples(struct samples *s, const struct painted *before,
			 const struct painted *after, int rows, int part, int shift)
{
	int *candidates = xcalloc((size_t)rows, sizeof *candidates), n = 0;

	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)s->cols;
		int wrong = count_different(before + at, after + at, s->cols);

		if (wrong > s->cols / part && shift)
			wrong -= row_gain(before + at, after + at, s->cols, shift);
		if (wrong > s->cols / part)
			candidates[n++] = row;
	}
	s->n = n < s->most ? n : s->most;
	for (int i = 0; i < s->n; i++) {
		size_t from = (size_t)candidates[i * n / s->n] * (size_t)s->cols,
		       to = (size_t)i * (size_t)s->cols;

		for (size_t c = 0; c < (size_t)s->cols; c++) {
			s->before[to + c] = hash(&before[from + c]);
			s->after[to + c] = hash(&after[from + c]);
			s->n_different += s->before[to + c] != s->after[to + c];
		}
	}
	free(candidates);
}

static int count_gained(const struct samples *s, int shift)
{
	int first, end, n = 0;

	kept_columns(s->cols, shift, &first, &end);
	for (int row = 0; row < s->n; row++) {
		const uint32_t *before = s->before + (size_t)row * (size_t)s->cols;
		const uint32_t *after = s->after + (size_t)row * (size_t)s->cols;

		for (int i = first; i < end; i++)
			n += (after[i] == before[i + shift]) & (after[i] != before[i]);
	}
	return n;
}

/* The distance for which most cells are right with it and wrong without it; *most: how many. */
static int find_distance(const struct samples *s, int *most)
{
	int best = 0;

	*most = 0;
	for (int distance = 1; s->n && distance < s->cols; distance++) {
		for (int sign = -1; sign <= 1; sign += 2) {
			int n = count_gained(s, sign * distance);

			if (n > *most) {
				*most = n;
				best = sign * distance;
			}
		}
	}
	return best;
}

int shift_find(const struct painted *before, const struct painted *after, int rows, int cols)
{
	struct samples s;
	int best, most;

	open_samples(&s, MAX_SAMPLES, cols);
	take_samples(&s, before, after, rows, 4, 0);
	best = find_distance(&s, &most);
	close_samples(&s);
	return most > s.n_different / 4 ? best : 0;
}

/* ---- rows ---- */

int shift_gain(const struct painted *before, const struct painted *after, int rows, int cols,
	       int shift)
{
	int gain = 0;

	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)cols;

		gain += row_gain(before + at, after + at, cols, shift);
	}
	return gain;
}

bool shift_row(struct painted *row, const struct painted *after, int cols, int shift)
{
	int first, end;

	if (!row_gain(row, after, cols, shift))
		return false;
	kept_columns(cols, shift, &first, &end);
	memmove(row + first, row + first + shift, (size_t)(end - first) * sizeof *row);
	for (int i = 0; i < cols; i++)
		if (i < first || i >= end)
			row[i] = blank;
	return true;
}

/* ---- tails ---- */

/* The cells that a shift of a tail makes right, less those that it makes wrong, and where the best
 * tail begins. All are hashes. */
static int best_tail(const uint32_t *before, const uint32_t *after, int cols, int shift, int *from)
{
	const uint32_t none = hash(&blank);
	int n = abs(shift), kept = 0, blanks = 0, most = 0;

	/* Where cells go to the left, the last ones become blank, whatever the tail is. */
	for (int i = cols - n; shift > 0 && i < cols; i++)
		kept += (after[i] == none) - (after[i] == before[i]);
	/* Where they go to the right, the first n of the tail become blank: [at, at + n). */
	for (int i = cols - n; shift < 0 && i < cols; i++)
		blanks += (after[i] == none) - (after[i] == before[i]);
	for (int at = cols - n - 1; at > 0; at--) {
		int to = shift > 0 ? at : at + n; /* the cell that joins the kept ones */

		kept += (after[to] == before[to + shift]) - (after[to] == before[to]);
		if (shift < 0)
			blanks += (after[at] == none) - (after[at] == before[at]) -
				(after[to] == none) + (after[to] == before[to]);
		if (kept + blanks > most && cols - at - n >= least_kept(shift)) {
			most = kept + blanks;
			*from = at;
		}
	}
	return most;
}

int shift_find_tail(const struct painted *before, const struct painted *after, int rows, int cols,
		    int shift)
{
	struct samples s;
	int best, most, gain = 0, from;

	open_samples(&s, TAIL_SAMPLES, cols);
	take_samples(&s, before, after, rows, 8, shift);
	best = find_distance(&s, &most);
	for (int row = 0; row < s.n && most >= MIN_GAIN; row++) {
		size_t at = (size_t)row * (size_t)cols;
		int tail = best_tail(s.before + at, s.after + at, cols, best, &from);

		gain += tail < MIN_GAIN ? 0 : tail;
	}
	close_samples(&s);
	return gain > 2 * MIN_GAIN ? best : 0;
}

int shift_tail_gain(const struct painted *before, const struct painted *after, int cols, int shift,
		    int *from)
{
	size_t n = (size_t)cols;
	uint32_t *hashes;
	bool cuts_wide;
	int gain;

	*from = 0;
	if (!shift || abs(shift) >= cols)
		return 0;
	hashes = xcalloc(2 * n, sizeof *hashes);
	for (size_t i = 0; i < n; i++) {
		hashes[i] = hash(&before[i]);
		hashes[n + i] = hash(&after[i]);
	}
	gain = best_tail(hashes, hashes + n, cols, shift, from);
	free(hashes);
	cuts_wide = before[*from].ch == 0 || before[(shift > 0 ? *from : cols) + shift].ch == 0;
	return gain < MIN_GAIN || cuts_wide ? 0 : gain;
}

void shift_tail(struct painted *row, int from, int cols, int shift)
{
	int n = abs(shift), n_kept = cols - from - n;
	int first = shift > 0 ? from : from + n;

	memmove(row + first, row + first + shift, (size_t)n_kept * sizeof *row);
	for (int i = shift > 0 ? cols - n : from; n > 0; n--, i++)
		row[i] = blank;
}
