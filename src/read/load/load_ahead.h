/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads small profiles of a set before their turn, on all processors: each as a whole by one
 * thread. The profile of all files is the same as without this. */
#ifndef FLAMETTY_READ_LOAD_LOAD_AHEAD_H
#define FLAMETTY_READ_LOAD_LOAD_AHEAD_H

#include "model/build/builder.h"
#include "read/load/file_set.h"

#include <stdbool.h>
#include <stddef.h>

struct load_ahead;

/* Start to read the files of a set for a builder; both must outlive this. NULL: that would not pay,
 * or is not possible. */
struct load_ahead *load_ahead_start(const struct file_set *set, const struct builder *b);

/* Whether file i is read ahead. NULL is allowed. */
bool load_ahead_has(const struct load_ahead *a, size_t i);

/* Give that file, whose labels the builder knows, to the builder. i grows from call to call. False:
 * it must be read in its turn. */
bool load_ahead_give(struct load_ahead *a, size_t i, struct builder *b, struct set_file *file);

/* Wait for the threads, and free everything. NULL is allowed. */
void load_ahead_stop(struct load_ahead *a);

#endif
