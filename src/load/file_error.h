/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error messages about a file, in the one form that all of them have. */
#ifndef FLAMETTY_LOAD_FILE_ERROR_H
#define FLAMETTY_LOAD_FILE_ERROR_H

#include "base/buf.h"
#include "base/error.h"

/* Append `path:line: byte offset: text` to `out`, the path in visible form ("-": standard input).
 * Line and offset are left out where they are unknown; a pipe has no line. */
void file_error_format(const char *path, const struct error *err, struct buf *out);

/* The same as a line for standard error: `flametty: path: ...`. */
void file_error_line(const char *path, const struct error *err, struct buf *out);

#endif
