/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stable sort with a context, which qsort() is not and does not have. */
#ifndef FLAMETTY_BASE_SORT_H
#define FLAMETTY_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether item `a` must stand before item `b`. */
typedef bool sort_before(const void *a, const void *b, const void *ctx);

/* Sort `n` items of `size` bytes. Items of which neither is before the other keep their order.
 * Items that are in order already cost one comparison each, and no memory; otherwise the sort
 * allocates as many bytes again as the items have. ctx: passed on to `before`. */
void sort_stable(void *items, size_t n, size_t size, sort_before *before, const void *ctx);

#endif
