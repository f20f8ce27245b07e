/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stable sort with a context, which qsort() is not and does not have; at once or in steps. */
#ifndef FLAMETTY_BASE_SORT_H
#define FLAMETTY_BASE_SORT_H

#include "base/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether item `a` must stand before item `b`. */
typedef bool sort_before(const void *a, const void *b, const void *ctx);

/* Sort `n` items of `size` bytes. Items of which neither is before the other keep their order.
 * Items that are in order already cost one comparison each, and no memory; otherwise the sort
 * allocates as many bytes again as the items have. ctx: passed on to `before`. */
void sort_stable(void *items, size_t n, size_t size, sort_before *before, const void *ctx);

/* Sort texts by their bytes. */
void sort_texts(char **texts, size_t n);

/* How many of n items, which are in this order, are before `key`, an item, or equal to it. */
size_t sort_search(const void *items, size_t n, size_t size, sort_before *before, const void *key);

/* Compare by up to five keys, for qsort(): SORT_BY_2(x->t, y->t, x->at, y->at) is below 0 if x->t
 * is less, or if it is equal and x->at is less. */
#define SORT_BY_1(a, b) (((a) > (b)) - ((a) < (b)))
#define SORT_BY_2(a, b, ...) ((a) != (b) ? ((a) < (b) ? -1 : 1) : SORT_BY_1(__VA_ARGS__))
#define SORT_BY_3(a, b, ...) ((a) != (b) ? ((a) < (b) ? -1 : 1) : SORT_BY_2(__VA_ARGS__))
#define SORT_BY_4(a, b, ...) ((a) != (b) ? ((a) < (b) ? -1 : 1) : SORT_BY_3(__VA_ARGS__))
#define SORT_BY_5(a, b, ...) ((a) != (b) ? ((a) < (b) ? -1 : 1) : SORT_BY_4(__VA_ARGS__))

/* Define a function that compares two items of `type` for qsort(): `order` is below 0 if the one
 * that x points to must stand before that of y. */
#define SORT_ORDER(name, type, order)                                                              \
	static int name(const void *a_, const void *b_)                                            \
	{                                                                                          \
		const type *x = a_, *y = b_;                                                       \
                                                                                                   \
		return order;                                                                      \
	}

/* The same for a sort_before without a context: whether x must stand before y. */
#define SORT_BEFORE(name, type, is_before)                                                         \
	static bool name(const void *a_, const void *b_, const void *ctx)                          \
	{                                                                                          \
		const type *x = a_, *y = b_;                                                       \
                                                                                                   \
		(void)ctx;                                                                         \
		return is_before;                                                                  \
	}

/* Make the index `lo` the first one up to `hi` for which `is_before`, an expression of the index
 * `mid`, is false. All indices from it on must be so. */
#define SORT_BISECT(lo, hi, mid, is_before)                                                        \
	do {                                                                                       \
		size_t end_ = (hi);                                                                \
                                                                                                   \
		while ((lo) < end_) {                                                              \
			size_t mid = (lo) + (end_ - (lo)) / 2;                                     \
                                                                                                   \
			if (is_before)                                                             \
				(lo) = mid + 1;                                                    \
			else                                                                       \
				end_ = mid;                                                        \
		}                                                                                  \
	} while (0)

/* The same sort in steps: begin, step until the result is true. `items`, which must not change
 * meanwhile, are in no useful order before. sort_end() may be called at any time. */
struct sorting;
struct sorting *sort_begin(void *items, size_t n, size_t size, sort_before *before,
			   const void *ctx);
bool sort_step(struct sorting *sorting, struct budget *budget);
void sort_end(struct sorting *sorting);

/* The same for numbers, by their digits: the time follows n and the bits that differ. Allocates as
 * many bytes again as the items have. */
struct number_sorting;
struct number_sorting *sort_numbers_begin(uint64_t *items, size_t n);
bool sort_numbers_step(struct number_sorting *sorting, struct budget *budget);
void sort_numbers_end(struct number_sorting *sorting);

#endif
