/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that Node.js wrote one after another because its log was full: they are read as one trace.
 */
#ifndef FLAMETTY_READ_LOAD_ROTATED_H
#define FLAMETTY_READ_LOAD_ROTATED_H

#include "base/buf.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "model/build/builder.h"
#include "read/load/file_set.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>

struct rotated {
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

/* Find such files among `n` files, of which n_parts is 1. They are moved to the place of the first
 * of them, and ordered by their numbers. Files belong together if they are of one directory, have
 * names that differ in one number only, are traces that begin as Node.js writes them (or have the
 * extension .log after the number), have a process in common, and follow each other in time. */
void rotated_find(struct set_file *files, size_t n);

/* Load the files into `b`. What was read of a file that fails is kept, and so are the files after
 * it, unless reading was given up or there is more than can be counted. */
void rotated_load(struct rotated *parts, struct builder *b, struct progress *progress);

#endif
