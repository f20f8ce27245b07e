/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stream of text from a file, a pipe or memory: gzip and zstd are unpacked, UTF-16 is converted
 * to UTF-8, and a document is taken out of a line or string in which a program printed it
 * (quoted.h). The text is read from the beginning to the end and never held as a whole.
 *
 * Threads: a stream belongs to the thread that opened it, except for stream_help(), and the
 * progress callback runs there. After the first 2 MiB the text is read ahead on a thread of the
 * stream, which blocks signals and has ended when stream_close() returns. Plain text of a regular
 * file has no such thread: reading it is fast, and stream_help() does a part of it. */
#ifndef FLAMETTY_BASE_STREAM_STREAM_H
#define FLAMETTY_BASE_STREAM_STREAM_H

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/progress.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unpack_limits;
struct stream;

#define STREAM_KEPT ((size_t)1 << 14)
#define STREAM_PAD ((size_t)64)
#define STREAM_STRETCHES 6u

/* Open a file ("-": standard input). progress may be NULL. It gets the number of bytes read from
 * the file, and it may cancel: then the stream ends as if the file did, or with ERR_CANCELLED if
 * progress->is_given_up. Returns NULL and fills err when the file cannot be opened. */
struct stream *stream_open(const char *path, struct progress *progress, struct error *err) MUST_USE;

/* Open a file for a second reading. before: the fingerprint of the first reading, borrowed until
 * the stream is closed. Only the same regular file is opened, and opening does not wait (a FIFO
 * that has taken the place of the file would block). Reading fails with ERR_IO when the bytes
 * differ from those of the first reading; text that was read is known to be the same only after
 * stream_compare(). All readings of an input except the first one go through this function. */
struct stream *stream_open_again(const char *path, const struct fingerprint *before,
				 struct progress *progress, struct error *err) MUST_USE;

/* A stream over `len` bytes at `data`, which must outlive it. It fails with ERR_IO after fail_at
 * bytes (SIZE_MAX: never): for tests. It is not read ahead. */
struct stream *stream_open_memory(const void *data, size_t len, size_t fail_at);

/* Take the text for a long one after `from` bytes (SIZE_MAX: never), and a list of as many bytes
 * for a long one if it is shorter than others: for tests, whose texts are short. Call this before
 * the first read. */
void stream_set_ahead(struct stream *s, size_t from);

/* After the last read: compare the rest of the block that was being read with the first reading,
 * unless progress has stopped the stream. Returns false and fills err when anything that was read
 * differs. */
bool stream_compare(struct stream *s, struct error *err) MUST_USE;

/* The identity of the open file; empty when it is no regular file, or standard input. */
struct fingerprint stream_identity(const struct stream *s);

/* Get the fingerprint of what was read, as the last call before stream_close(). It is empty when
 * the source is no regular file, or standard input. fingerprint_done() by the caller. */
void stream_take_fingerprint(struct stream *s, struct fingerprint *print);

/* Set what compressed data may need (unpack.h). Call this before the first read. */
void stream_set_unpack_limits(struct stream *s, const struct unpack_limits *limits);

/* Close the stream. Waits for a read in progress, but not for bytes that a pipe may still deliver.
 * NULL is allowed. */
void stream_close(struct stream *s);

/* Read up to `size` bytes, size >= 4. Returns the number of bytes; 0 at the end; -1 and err on
 * failure. */
ptrdiff_t stream_read(struct stream *s, void *out, size_t size, struct error *err) MUST_USE;

/* Give the next stretch of text without a copy: up to 256 KiB at *text. The `n_kept` bytes at
 * `kept` (at most STREAM_KEPT; they may lie in the previous stretch) are placed in front of it;
 * STREAM_PAD bytes after it may be written to. Returns the number of bytes; 0 at the end; -1 and
 * err on failure; *text is set in any case. The memory belongs to the stream. It is valid until the
 * next call, or for STREAM_STRETCHES - 1 more calls once the text is long. */
ptrdiff_t stream_next(struct stream *s, const void *kept, size_t n_kept, unsigned char **text,
		      struct error *err) MUST_USE;

/* For any other thread that has nothing else to do: read the next stretch of plain text of a file
 * if it is not read yet. Returns false when there is nothing to read, or it is being read. No
 * thread may call this any more when the stream is compared or closed, or its fingerprint is taken.
 */
bool stream_help(struct stream *s);

/* Free the memory of stretches before the last one, if the whole file has been read. */
void stream_trim(struct stream *s);

/* Whether a second thread for processing a list pays, `n` bytes of which were processed: the list
 * and the text are long, and a processor is free. Unpacking occupies one processor. */
bool stream_leaves_room(const struct stream *s, int64_t n);

/* What is known of a stream, after its first read. */
struct stream_facts {
	const char *compression; /* "gzip", "zstd", "lz4"; NULL: none */
	bool is_converted;       /* from UTF-16 */
	/* Bytes of other text before the document, or before the string that has it; blanks replace
	 * them. */
	int64_t n_before;
	bool is_quoted;  /* the document is in a string, whose escapes are decoded */
	bool is_stopped; /* progress cancelled the stream, so that the file has more */
	/* What is wrong with the compressed data (cut off, wrong checksum, other bytes after it),
	 * although the text before it is good; NULL: nothing. Static text. Final at the end. */
	const char *damage;
	int64_t file_size; /* when it was opened; -1: not a regular file */
	/* Bytes of the file, as stored, that the text so far was made from; at the end, all. */
	int64_t file_bytes;
};

struct stream_facts stream_facts(const struct stream *s);

/* Read `bytes` bytes and drop them. Returns false and fills err if reading fails or the text ends
 * before. */
bool stream_skip(struct stream *s, int64_t bytes, struct error *err) MUST_USE;

#endif
