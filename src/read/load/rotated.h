/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds files that are one trace because Node.js rotated its log: node_trace.1.log and so on, or
 * other names by --trace-event-file-pattern. */
#ifndef FLAMETTY_LOAD_ROTATED_H
#define FLAMETTY_LOAD_ROTATED_H

#include "base/buf.h"
#include "read/load/set_file.h"

#include <stddef.h>
#include <stdint.h>

/* Find such files among `n` files, of which n_parts is 1. They are moved to the place of the first
 * of them, and ordered by their numbers. Files belong together if they are of one directory, have
 * names that differ in one number only, are traces that begin as Node.js writes them (or have the
 * extension .log after the number), have a process in common, and follow each other in time. */
void rotated_find(struct set_file *files, size_t n);

/* Append the path of `n` files that belong together: `node_trace.{1,2,3}.log`. */
void rotated_path(const struct set_file *files, size_t n, struct buf *out);

/* The number of files that are missing between a file and the next one, and the name of the first
 * of them, which is appended. */
uint64_t rotated_missing(const struct set_file *file, struct buf *name);

#endif
