/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where long output goes: standard output, or a file that appears under its name when it is
 * complete and never before. What was written is not kept. */
#ifndef FLAMETTY_BASE_SINK_H
#define FLAMETTY_BASE_SINK_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

struct sink;

/* path: NULL or "-" for standard output. A file that exists is an error unless is_forced. Returns
 * NULL and fills err on failure. */
struct sink *sink_open(const char *path, bool is_forced, struct error *err);

/* A sink that keeps all in its buffer: for tests. */
struct sink *sink_open_memory(void);

/* Append here. */
struct buf *sink_buf(struct sink *s);

/* To be called now and then: writes what has gathered. False after a failure, when there is no
 * sense in going on. */
bool sink_step(struct sink *s);

/* Something else went wrong: closing will fail with this. */
void sink_fail(struct sink *s, const struct error *err);

/* Write the rest and give the file its name. False and err when anything failed; nothing is left
 * behind then. Frees the sink. */
bool sink_close(struct sink *s, struct error *err);

/* Free the sink, and leave nothing behind. NULL is allowed. */
void sink_drop(struct sink *s);

#endif
