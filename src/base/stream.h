/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes from a file, a pipe or memory, unpacked from gzip or zstd and turned into
 * UTF-8 on the way: what comes out is the text of a profile, front to back. The
 * file's text is never held whole.
 *
 * Threads: a stream belongs to the thread that opened it, and the progress callback runs
 * there. Behind the first 2 MiB a file is read ahead on a thread of the stream's own,
 * which gets no signals and is gone when stream_close() returns. */
#ifndef FLAMETTY_BASE_STREAM_H
#define FLAMETTY_BASE_STREAM_H

#include "base/error.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream;

#define STREAM_KEPT ((size_t)1 << 14)
#define STREAM_PAD ((size_t)64)
#define STREAM_STRETCHES 3u

/* Open a file ("-": standard input). progress may be NULL; it is told of the bytes of
 * the file as they are read, and may stop the stream, which then ends as if the file did, or with
 * ERR_CANCELLED if progress is given up. Returns NULL and fills err when it cannot be opened. */
struct stream *stream_open(const char *path, struct progress *progress, struct error *err);

/* A stream over `len` bytes at `data`, which must outlive it. It fails with ERR_IO
 * once fail_at bytes were read: for tests; SIZE_MAX for never. It is not read ahead. */
struct stream *stream_open_memory(const void *data, size_t len, size_t fail_at);

/* Read ahead once `from` bytes of text were given out (SIZE_MAX: never): for tests, whose
 * texts are short. To be called before the first read. */
void stream_set_ahead(struct stream *s, size_t from);

/* May be called at any time. Waits for a read that is under way, but not for bytes that a
 * pipe may bring. */
void stream_close(struct stream *s);

/* Read up to `size` bytes. Returns how many; 0 at the end; -1 and err on failure. */
ptrdiff_t stream_read(struct stream *s, void *out, size_t size, struct error *err);

/* The next stretch of text without a copy: up to 256 KiB at *text, with the `n_kept` bytes at
 * `kept` (at most STREAM_KEPT) put in front of it and STREAM_PAD bytes behind that may be
 * written. kept may lie in the stretch before. Returns how many; 0 at the end; -1 and
 * err on failure; *text is set in any case. The stream's, until the next call, or for
 * STREAM_STRETCHES - 1 more once it reads ahead. */
ptrdiff_t stream_next(struct stream *s, const void *kept, size_t n_kept, unsigned char **text,
		      struct error *err);

/* Whether a second thread for what is made of the text pays: the text is long, a thread reads ahead
 * by now, and leaves a processor to others. Unpacking takes one for itself. */
bool stream_leaves_room(const struct stream *s);

/* What the stream unpacked: "gzip", "zstd", or NULL. Known after the first read. */
const char *stream_compression(const struct stream *s);

/* Whether text was converted from UTF-16. */
bool stream_is_converted(const struct stream *s);

/* Whether progress said stop, so that there is more in the file. */
bool stream_is_stopped(const struct stream *s);

/* What was wrong with the compressed data (cut off, wrong checksum, other bytes behind
 * it) although all before it is good; NULL: nothing. Static text. Final at the end. */
const char *stream_damage(const struct stream *s);

/* Bytes of the file as it was opened; -1: it is no file. */
int64_t stream_file_size(const struct stream *s);

/* Bytes of the file behind the text so far, as they are stored; at the end: its size. */
int64_t stream_file_bytes(const struct stream *s);

#endif
