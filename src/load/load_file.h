/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads one file into a builder, with the reader of its format. */
#ifndef FLAMETTY_LOAD_LOAD_FILE_H
#define FLAMETTY_LOAD_LOAD_FILE_H

#include "base/error.h"
#include "base/progress.h"
#include "base/stream.h"
#include "build/builder.h"
#include "reader/reader.h"

#include <stdbool.h>

/* Load one file ("-": standard input) into `b`. forced: the reader to use; NULL: the one that
 * recognises the content. On failure `b` may hold a part of the file. */
bool load_file(const char *path, const struct reader *forced, struct builder *b,
	       struct progress *progress, struct error *err);

/* load_file() of an open stream, for tests. The caller has called builder_input(). */
bool load_file_stream(struct stream *stream, const struct file_hints *hints,
		      const struct reader *forced, struct builder *b, struct error *err);

#endif
