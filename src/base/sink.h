/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Destination of long output: standard output, or a file that gets its name only when it is
 * complete. Output that was written is not kept in memory. */
#ifndef FLAMETTY_BASE_SINK_H
#define FLAMETTY_BASE_SINK_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct sink;

/* Open a destination. path: NULL or "-" for standard output. An existing file is an error unless
 * is_forced: then that file is replaced, or the one that a symbolic link of this name leads to; its
 * mode is kept, and its owner as far as that is permitted ("draft" in sink.c says how). Devices and
 * pipes are written in place. Returns NULL and fills err on failure. */
struct sink *sink_open(const char *path, bool is_forced, struct error *err) MUST_USE;

/* The directory that sink_open() would make the file in. To be freed. */
char *sink_folder(const char *path);

/* Let only the user read the file, also where an old one was readable for others. */
void sink_hide(struct sink *s);

/* A sink that keeps everything in its buffer: for tests. */
struct sink *sink_open_memory(void);

/* The buffer to append output to. Borrowed from the sink. */
struct buf *sink_buf(struct sink *s);

/* Call this from time to time: it writes the buffer once that has grown large. Returns false after
 * a failure, when it is pointless to go on. */
bool sink_step(struct sink *s);

/* Have `watch` called from time to time by sink_step(), with the bytes of output so far. It returns
 * false to cancel: sink_step() then does so, too, and sink_close() fails with ERR_CANCELLED. */
void sink_watch(struct sink *s, bool (*watch)(void *ctx, int64_t bytes), void *ctx);

/* Fail when the output becomes longer than `bytes`; 0: no limit. sink_work() counts what is made
 * but is written in fewer bytes: before it is compressed, for example. */
void sink_limit(struct sink *s, int64_t bytes);
void sink_work(struct sink *s, size_t bytes);

/* Report a failure of the caller: sink_close() will fail with this error. */
void sink_fail(struct sink *s, const struct error *err);

/* Write the rest and give the file its name. Returns false and fills err when anything failed; then
 * no file is left behind. Frees the sink. */
bool sink_close(struct sink *s, struct error *err);

/* Free the sink and leave no file behind. NULL is allowed. */
void sink_drop(struct sink *s);

/* Write a text to a file descriptor (standard output or error), without a sink. */
bool sink_print(int fd, const struct buf *text, struct error *err);

#endif
