/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads several files as one input: a trace whose writer rotated its log (rotated.h). */
#ifndef FLAMETTY_LOAD_LOAD_PARTS_H
#define FLAMETTY_LOAD_LOAD_PARTS_H

#include "base/buf.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "model/build/builder.h"
#include "read/load/set_file.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
