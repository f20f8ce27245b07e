/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window on the time line. Invariants, after any call:
 * 1. t_min <= t0 < t1 <= t_max.
 * 2. t1 - t0 >= VIEWPORT_MIN_NS, unless the whole is shorter.
 *
 * Only clamped values are added, so no argument can cause an overflow. Products are divided while
 * they are computed. */
#include "config.h"

#include "draw/viewport.h"

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
	return x < low ? low : x > high ? high : x;
}

/* Returns part * scale / whole, rounded down; 0 <= part <= whole < 2^62, scale >= 0. It is computed
 * bit by bit, as the product may need 128 bits. */
static int64_t scaled(int64_t part, int64_t scale, int64_t whole)
{
	int64_t quotient = 0, rest = 0;

	for (int bit = 62; bit >= 0; bit--) {
		quotient *= 2;
		rest *= 2;
		if (rest >= whole) {
			rest -= whole;
			quotient++;
		}
		if (!(scale >> bit & 1))
			continue;
		rest += part;
		if (rest >= whole) {
			rest -= whole;
			quotient++;
		}
	}
	return quotient;
}

/* Set a window of `len` at t0, moved and shortened to stay inside the limits. */
static void place(struct viewport *v, int64_t t0, int64_t len)
{
	int64_t all = v->t_max - v->t_min;

	len = clamp(len, all < VIEWPORT_MIN_NS ? all : VIEWPORT_MIN_NS, all);
	v->t0 = clamp(t0, v->t_min, v->t_max - len);
	v->t1 = v->t0 + len;
}

void viewport_init(struct viewport *v, int64_t t_min, int64_t t_max)
{
	v->t_min = t_min;
	v->t_max = t_max > t_min ? t_max : t_min + 1;
	v->t0 = v->t_min;
	v->t1 = v->t_max;
	v->scroll = 0;
	v->top_scroll = -1;
	v->top_lane = v->top_depth = 0;
}

void viewport_set(struct viewport *v, int64_t t0, int64_t t1)
{
	int64_t all = v->t_max - v->t_min, len;

	if (t1 < t0) {
		int64_t swap = t0;

		t0 = t1;
		t1 = swap;
	}
	t0 = clamp(t0, v->t_min - all, v->t_max + all);
	t1 = clamp(t1, v->t_min - all, v->t_max + all);
	len = t1 - t0;
	/* A stretch that is too short to show stays in the middle. */
	if (len < VIEWPORT_MIN_NS) {
		t0 -= (VIEWPORT_MIN_NS - len) / 2;
		len = VIEWPORT_MIN_NS;
	}
	place(v, t0, len);
}

void viewport_zoom(struct viewport *v, int64_t at, int num, int den)
{
	int64_t len = v->t1 - v->t0, all = v->t_max - v->t_min, new_len;

	if (num <= 0 || den <= 0 || num == den)
		return;
	at = clamp(at, v->t0, v->t1);
	if (len / den > all / num)
		new_len = all;
	else
		new_len = len / den * num + len % den * num / den;
	/* Rounding must not keep a short window at its length. */
	if (num > den && new_len <= len)
		new_len = len + 1;
	new_len = clamp(new_len, all < VIEWPORT_MIN_NS ? all : VIEWPORT_MIN_NS, all);
	place(v, at - scaled(at - v->t0, new_len, len), new_len);
}

void viewport_pan(struct viewport *v, int64_t ns)
{
	ns = clamp(ns, v->t_min - v->t0, v->t_max - v->t1);
	v->t0 += ns;
	v->t1 += ns;
}

static bool is_inside(const struct viewport *v, int64_t t)
{
	return t >= v->t0 && t < v->t1;
}

void viewport_reveal(struct viewport *v, int64_t t0, int64_t t1)
{
	int64_t len = v->t1 - v->t0;

	t0 = clamp(t0, v->t_min, v->t_max - 1);
	t1 = clamp(t1, t0 + 1, v->t_max);
	if (t1 - t0 > len) {
		if (!is_inside(v, t0) && !is_inside(v, t1 - 1) && !is_inside(v, t0 + (t1 - t0) / 2))
			place(v, t0, len);
	} else if (t0 < v->t0) {
		place(v, t0, len);
	} else if (t1 > v->t1) {
		place(v, t1 - len, len);
	}
}

int64_t viewport_time(const struct viewport *v, int col, int cols)
{
	int64_t len = v->t1 - v->t0;

	if (cols <= 0)
		return v->t0;
	return v->t0 + len / cols * col + len % cols * col / cols;
}

int viewport_col(const struct viewport *v, int64_t t, int cols)
{
	int low = 0, high = cols;

	/* Find the last column that begins at or before t. */
	while (high - low > 1) {
		int middle = low + (high - low) / 2;

		if (viewport_time(v, middle, cols) <= t)
			low = middle;
		else
			high = middle;
	}
	return low;
}
