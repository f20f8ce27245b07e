/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes from a file, a pipe or memory, unpacked from gzip or zstd and turned into
 * UTF-8 on the way: what comes out is the text of a profile, front to back. The
 * file's text is never held whole. */
#ifndef FLAMETTY_BASE_STREAM_H
#define FLAMETTY_BASE_STREAM_H

#include "base/error.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream;

/* Open a file ("-": standard input). progress may be NULL; it is told of the bytes of
 * the file as they are read, and may stop the stream, which then ends with
 * ERR_CANCELLED. Returns NULL and fills err when it cannot be opened. */
struct stream *stream_open(const char *path, struct progress *progress, struct error *err);

/* A stream over `len` bytes at `data`, which must outlive it. It fails with ERR_IO
 * once fail_at bytes were read: for tests; SIZE_MAX for never. */
struct stream *stream_open_memory(const void *data, size_t len, size_t fail_at);

void stream_close(struct stream *s);

/* Read up to `size` bytes. Returns how many; 0 at the end; -1 and err on failure. */
ptrdiff_t stream_read(struct stream *s, void *out, size_t size, struct error *err);

/* What the stream unpacked: "gzip", "zstd", or NULL. Known after the first read. */
const char *stream_compression(const struct stream *s);

/* Whether text was converted from UTF-16. */
bool stream_is_converted(const struct stream *s);

/* What was wrong with the compressed data (cut off, wrong checksum, other bytes behind
 * it) although all before it is good; NULL: nothing. Static text. Final at the end. */
const char *stream_damage(const struct stream *s);

/* Bytes of the file read so far, as they are stored; at the end: its size. */
int64_t stream_file_bytes(const struct stream *s);

#endif
