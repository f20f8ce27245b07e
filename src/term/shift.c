/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A few rows that differ are compared under each possible shift. A shift scores the cells that are
 * right with it and wrong without it, so that rows of one colour do not count. */
#include "config.h"

#include "term/shift.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLES 6
#define LEAST_GAIN 8 /* cells of a row; a shift takes 10 bytes, a cell 1 to 24 */

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

static int count_different_moved(const struct painted *before, const struct painted *after,
				 int cols, int shift)
{
	int first, end, n = 0;

	kept_columns(cols, shift, &first, &end);
	for (int i = 0; i < cols; i++)
		n += !shift_is_same(i >= first && i < end ? &before[i + shift] : &blank, &after[i]);
	return n;
}

static uint32_t hash(const struct painted *p)
{
	uint32_t h = p->ch * 0x9e3779b1u + p->mark;

	h = h * 31 + (uint32_t)p->paint.fg;
	h = h * 31 + (uint32_t)p->paint.bg;
	return h * 31 + p->paint.attrs;
}

/* ---- the shift ---- */

struct samples {
	int n, cols;
	uint32_t *before, *after; /* n * cols */
	int n_different;
};

/* Take some rows that differ in more than a quarter of their cells, evenly spread. */
static void take_samples(struct samples *s, const struct painted *before,
			 const struct painted *after, int rows)
{
	int *candidates = xcalloc((size_t)rows, sizeof *candidates), n = 0;

	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)s->cols;

		if (count_different(before + at, after + at, s->cols) > s->cols / 4)
			candidates[n++] = row;
	}
	s->n = n < MOST_SAMPLES ? n : MOST_SAMPLES;
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

int shift_find(const struct painted *before, const struct painted *after, int rows, int cols)
{
	size_t size = MOST_SAMPLES * (size_t)cols;
	struct samples s = { .cols = cols };
	int best = 0, most = 0;

	s.before = xcalloc(size, sizeof *s.before);
	s.after = xcalloc(size, sizeof *s.after);
	take_samples(&s, before, after, rows);
	for (int distance = 1; s.n && distance < cols; distance++) {
		for (int sign = -1; sign <= 1; sign += 2) {
			int n = count_gained(&s, sign * distance);

			if (n > most) {
				most = n;
				best = sign * distance;
			}
		}
	}
	free(s.before);
	free(s.after);
	return most > s.n_different / 4 ? best : 0;
}

/* ---- one row ---- */

static bool cuts_wide(const struct painted *row, int cols, int shift)
{
	int first, end;

	kept_columns(cols, shift, &first, &end);
	return row[first + shift].ch == 0 || (end + shift < cols && row[end + shift].ch == 0);
}

/* The cells of a row that a shift makes right; 0: it is not worth it, or would cut a wide
 * character.
 */
static int row_gain(const struct painted *row, const struct painted *after, int cols, int shift)
{
	int gain;

	if (cuts_wide(row, cols, shift))
		return 0;
	gain = count_different(row, after, cols) - count_different_moved(row, after, cols, shift);
	return gain < LEAST_GAIN ? 0 : gain;
}

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
