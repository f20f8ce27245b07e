/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event of a trace, on demand: loading keeps only where it begins. */
#ifndef FLAMETTY_READER_TRACE_EVENT_H
#define FLAMETTY_READER_TRACE_EVENT_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open the file again and append the JSON value that begins at byte `offset` of its (unpacked)
 * text to `out`: indented, in visible form, a newline behind each line. Beyond `most` bytes it
 * is cut, and a line says so. False when the file is gone or is not what it was, or was a
 * pipe; `out` is then as before. */
bool reader_event(const char *path, int64_t offset, size_t most, struct buf *out,
		  struct error *err);

#endif
