/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merge sort from the bottom up. A run is a stretch of items that is in order; two neighbouring
 * runs of `width` items are merged into one. Two runs that follow each other in order are copied
 * without a merge. */
#include "config.h"

#include "base/sort.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- in steps ---- */

#define COMPARISON_WORK 8 /* units of work of a comparison, which may be of two names */
#define COPY_MAX 1024     /* items that are copied for one look at the budget */

struct sorting {
	sort_before *before;
	const void *ctx;
	size_t size, n;
	char *items, *spare;
	char *from, *to; /* this pass merges runs of `width` items from one to the other */
	size_t width;    /* 0: the check for items that are in order already has not ended */
	size_t at;       /* items that are checked, or merged in this pass */
	size_t left, mid, right, end; /* of the runs that are being merged: items that are left */
};

static char *item(const struct sorting *s, char *base, size_t i)
{
	return base + i * s->size;
}

struct sorting *sort_begin(void *items, size_t n, size_t size, sort_before *before, const void *ctx)
{
	struct sorting *s = xcalloc(1, sizeof *s);

	*s = (struct sorting){ .before = before, .ctx = ctx, .size = size, .n = n, .items = items };
	s->from = items;
	s->at = 1;
	return s;
}

void sort_end(struct sorting *s)
{
	if (!s)
		return;
	free(s->spare);
	free(s);
}

/* Look for two neighbours that are not in order. Returns false when the budget is spent. */
static bool check_order(struct sorting *s, struct budget *budget)
{
	while (s->at < s->n &&
	       !s->before(item(s, s->from, s->at), item(s, s->from, s->at - 1), s->ctx)) {
		s->at++;
		if (budget_use(budget, COMPARISON_WORK))
			return false;
	}
	if (s->at >= s->n) {
		s->width = s->n;
		return true;
	}
	s->spare = s->to = xmalloc(s->n * s->size);
	s->width = 1;
	s->at = s->right = s->end = s->left = s->mid = 0;
	return true;
}

/* Copy what only one run has left, at most COPY_MAX items. */
static size_t copy_rest(struct sorting *s)
{
	size_t *rest = s->left < s->mid ? &s->left : &s->right,
	       n = (s->left < s->mid ? s->mid : s->end) - *rest;

	n = n < COPY_MAX ? n : COPY_MAX;
	memcpy(item(s, s->to, s->at), item(s, s->from, *rest), n * s->size);
	*rest += n;
	return n;
}

/* Merge the next items of a pass. The left item goes first unless the right one is before it: that
 * makes the sort stable. Returns false when the budget is spent. */
static bool merge_pass(struct sorting *s, struct budget *budget)
{
	while (s->at < s->n) {
		uint32_t work = COMPARISON_WORK;

		if (s->left == s->mid && s->right == s->end) {
			/* Take the next two runs: the left one, and the one behind it. Runs that
			 * follow each other in order are only copied. */
			s->left = s->at;
			s->mid = s->n - s->at < s->width ? s->n : s->at + s->width;
			s->right = s->mid;
			s->end = s->n - s->mid < s->width ? s->n : s->mid + s->width;
			if (s->right < s->end &&
			    !s->before(item(s, s->from, s->mid), item(s, s->from, s->mid - 1),
				       s->ctx))
				s->mid = s->right = s->end;
		}
		if (s->left < s->mid && s->right < s->end) {
			bool is_right = s->before(item(s, s->from, s->right),
						  item(s, s->from, s->left), s->ctx);

			memcpy(item(s, s->to, s->at),
			       item(s, s->from, is_right ? s->right : s->left), s->size);
			s->right += is_right;
			s->left += !is_right;
			s->at++;
		} else {
			size_t n = copy_rest(s);

			s->at += n;
			work = (uint32_t)n;
		}
		if (budget_use(budget, work))
			return false;
	}
	return true;
}

bool sort_step(struct sorting *s, struct budget *budget)
{
	if (s->width == 0 && !check_order(s, budget))
		return false;
	while (s->width < s->n) {
		char *swap = s->from;

		if (!merge_pass(s, budget))
			return false;
		s->from = s->to;
		s->to = swap;
		s->width *= 2;
		s->at = s->left = s->mid = s->right = s->end = 0;
	}
	if (s->from != s->items)
		memcpy(s->items, s->from, s->n * s->size);
	s->from = s->items;
	return true;
}

/* ---- numbers ----
 *
 * A radix sort, from the lowest digit that is not the same in all numbers to the highest. */

#define DIGIT_BITS 8u
#define DIGITS (1u << DIGIT_BITS)

struct number_sorting {
	uint64_t *items, *spare;
	size_t n, at;    /* items that are done in this pass */
	bool has_bits;   /* it is known */
	uint64_t differ; /* in which bits the numbers differ */
	unsigned shift;  /* of the digit */
	bool is_counted; /* the places of the digit are known: */
	size_t place[DIGITS];
	bool is_in_spare; /* what is sorted up to the digit is there */
};

struct number_sorting *sort_numbers_begin(uint64_t *items, size_t n)
{
	struct number_sorting *s = xcalloc(1, sizeof *s);

	s->items = items;
	s->n = n;
	s->spare = xmalloc(n * sizeof *s->spare);
	return s;
}

void sort_numbers_end(struct number_sorting *s)
{
	if (!s)
		return;
	free(s->spare);
	free(s);
}

/* The end of the next items of a pass, at most a step of the budget. */
static size_t next_end(const struct number_sorting *s, const struct budget *budget)
{
	return s->n - s->at < budget->step ? s->n : s->at + budget->step;
}

/* Do a pass over all numbers. Returns false when the budget is spent before its end. */
static bool number_pass(struct number_sorting *s, struct budget *budget,
			void (*work)(struct number_sorting *s, size_t end))
{
	while (s->at < s->n) {
		size_t from = s->at;

		work(s, next_end(s, budget));
		if (budget_use(budget, (uint32_t)(s->at - from)))
			return false;
	}
	s->at = 0;
	return true;
}

static void find_bits(struct number_sorting *s, size_t end)
{
	for (; s->at < end; s->at++)
		s->differ |= s->items[s->at] ^ s->items[0];
}

static void count_digits(struct number_sorting *s, size_t end)
{
	const uint64_t *from = s->is_in_spare ? s->spare : s->items;

	for (; s->at < end; s->at++)
		s->place[from[s->at] >> s->shift & (DIGITS - 1)]++;
}

static void move_numbers(struct number_sorting *s, size_t end)
{
	const uint64_t *from = s->is_in_spare ? s->spare : s->items;
	uint64_t *to = s->is_in_spare ? s->items : s->spare;

	for (; s->at < end; s->at++)
		to[s->place[from[s->at] >> s->shift & (DIGITS - 1)]++] = from[s->at];
}

/* From how many numbers have a digit to where the first of them goes. */
static void find_places(struct number_sorting *s)
{
	size_t place = 0;

	for (unsigned i = 0; i < DIGITS; i++) {
		size_t n = s->place[i];

		s->place[i] = place;
		place += n;
	}
	s->is_counted = true;
}

static bool sort_digit(struct number_sorting *s, struct budget *budget)
{
	if (!s->is_counted && !number_pass(s, budget, count_digits))
		return false;
	if (!s->is_counted)
		find_places(s);
	if (!number_pass(s, budget, move_numbers))
		return false;
	s->is_counted = false;
	memset(s->place, 0, sizeof s->place);
	s->is_in_spare = !s->is_in_spare;
	return true;
}

bool sort_numbers_step(struct number_sorting *s, struct budget *budget)
{
	if (!s->has_bits && !number_pass(s, budget, find_bits))
		return false;
	s->has_bits = true;
	while (s->shift < 64 && s->differ >> s->shift) {
		if ((s->differ >> s->shift & (DIGITS - 1)) && !sort_digit(s, budget))
			return false;
		s->shift += DIGIT_BITS;
	}
	if (s->is_in_spare)
		memcpy(s->items, s->spare, s->n * sizeof *s->items);
	s->is_in_spare = false;
	return true;
}

/* ---- at once ---- */

struct order {
	sort_before *before;
	const void *ctx;
	size_t size;
};

/* Merge the runs [from, mid) and [mid, end) of `items` into the same place of `to`. The left item
 * goes first unless the right one is before it: that makes the sort stable. */
static void merge(const struct order *s, const char *from, const char *mid, const char *end,
		  char *to)
{
	const char *left = from, *right = mid;

	if (right < end && s->before(right, right - s->size, s->ctx)) {
		while (left < mid && right < end) {
			bool is_right = s->before(right, left, s->ctx);

			memcpy(to, is_right ? right : left, s->size);
			to += s->size;
			right += is_right ? s->size : 0;
			left += is_right ? 0 : s->size;
		}
	}
	memcpy(to, left, (size_t)(mid - left));
	memcpy(to + (mid - left), right, (size_t)(end - right));
}

void sort_stable(void *items, size_t n, size_t size, sort_before *before, const void *ctx)
{
	const struct order s = { before, ctx, size };
	char *from = items, *spare, *to;
	size_t i = 1;

	while (i < n && !before(from + i * size, from + (i - 1) * size, ctx))
		i++;
	if (i >= n)
		return;
	spare = to = xmalloc(n * size);
	for (size_t width = 1; width < n; width *= 2) {
		char *swap = from;

		for (i = 0; i < n; i += 2 * width) {
			size_t mid = n - i < width ? n : i + width,
			       end = n - mid < width ? n : mid + width;

			merge(&s, from + i * size, from + mid * size, from + end * size,
			      to + i * size);
		}
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, n * size);
	free(spare);
}

size_t sort_search(const void *items, size_t n, size_t size, sort_before *before, const void *key)
{
	size_t low = 0;

	SORT_BISECT(low, n, mid, !before(key, (const char *)items + mid * size, NULL));
	return low;
}

/* ---- texts ---- */

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void sort_texts(char **texts, size_t n)
{
	if (n)
		qsort(texts, n, sizeof *texts, by_bytes);
}
