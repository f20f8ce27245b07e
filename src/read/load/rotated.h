/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds files that are one trace because Node.js rotated its log: node_trace.1.log and so on, or
 * other names by --trace-event-file-pattern. */
#ifndef FLAMETTY_LOAD_ROTATED_H
#define FLAMETTY_LOAD_ROTATED_H

#include "base/buf.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "model/build/builder.h"
#include "read/load/set_file.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Find such files among `n` files, of which n_parts is 1. They are moved to the place of the first
 * of them, and ordered by their numbers. Files belong together if they are of one directory, have
 * names that differ in one number only, are traces that begin as Node.js writes them (or have the
 * extension .log after the number), have a process in common, and follow each other in time. */
void rotated_find(struct set_file *files, size_t n);

struct load_parts {
	/* What to load; borrowed. */
	struct set_file *files; /* their fingerprints are used and set as load_file() does */
	size_t n;
	const struct reader *reader; /* one with read_files() */
	struct unpack_limits limits; /* see stream_set_unpack_limits() */
	const char **name;           /* set to the path of the file that is being read */
	struct buf *messages;        /* a line for each failure */
	/* The result. */
	size_t n_loaded, n_failed; /* files */
	bool has_lost;             /* a file that was read before could not be read again */
};

/* Load the files into `b`. What was read of a file that fails is kept, and so are the files after
 * it, unless reading was given up or there is more than can be counted. */
void load_parts(struct load_parts *parts, struct builder *b, struct progress *progress);

#endif
