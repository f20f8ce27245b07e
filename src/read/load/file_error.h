/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error messages about a file, in the one form that all of them have. */
#ifndef FLAMETTY_LOAD_FILE_ERROR_H
#define FLAMETTY_LOAD_FILE_ERROR_H

#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"

/* Append `path:line: byte offset: text` to `out`, the path in visible form ("-": standard input).
 * print: of the file that was read; NULL: it was not read. Line and offset are left out where they
 * are unknown: a pipe has no line, nor a file that has changed since. */
void file_error_format(const char *path, const struct fingerprint *print, const struct error *err,
		       struct buf *out);

/* The same as a line for standard error: `flametty: path: ...`. */
void file_error_line(const char *path, const struct fingerprint *print, const struct error *err,
		     struct buf *out);

#endif
