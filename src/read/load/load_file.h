/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads one file into a builder, with the reader of its format. */
#ifndef FLAMETTY_READ_LOAD_LOAD_FILE_H
#define FLAMETTY_READ_LOAD_LOAD_FILE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/json/outline.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/stream/stream.h"
#include "base/stream/unpack.h"
#include "model/build/apart.h"
#include "model/build/builder.h"
#include "read/reader.h"

#include <stdbool.h>

/* ---- sniff ----
 *
 * Recognises the format of a document by its beginning. */

/* Find the reader of a regular file by its first bytes; NULL: there is none. Quick, for directories
 * of many other files. Returns false when these bytes are not enough, or are compressed, or cannot
 * be read. */
bool sniff_file(const char *path, const struct reader **reader);

/* What to load, and how. */
struct load_file_order {
	const char *path;            /* "-": standard input */
	const struct reader *reader; /* NULL: the one that recognises the content */
	struct unpack_limits limits; /* see stream_set_unpack_limits() */
};

/* Load one file into `b`. print: the fingerprint of an earlier reading, or empty if this is the
 * first one, and then set to the identity of the file once that is open; replaced by the
 * fingerprint of this reading at its end, on failure as well. May be NULL. On failure `b` may
 * hold a part of the file. A file that has changed since the earlier reading is an ERR_IO. */
bool load_file(const struct load_file_order *order, struct builder *b, struct progress *progress,
	       struct fingerprint *print, struct error *err) MUST_USE;

/* load_file() for a file of a directory that is read apart, on any thread (model/build/apart.h).
 * NULL: for whatever reason, the file must be read in its turn; if the builder was used for it,
 * that has ended (apart_end()). */
struct apart_input *load_file_apart(const struct load_file_order *order, struct apart *a,
				    struct fingerprint *print);

/* Give it to the builder of the profile. False: the file must be read in its turn, too. */
bool load_file_give(const char *path, struct builder *b, struct apart_map *map,
		    struct apart_input *input);

/* Whether a file holds two sides of a comparison, as far as its beginning says. Standard input is
 * not looked at. */
bool load_file_has_sides(const char *path);

/* Replace the fingerprint of an earlier reading, which the stream does not need any more, by that
 * of this one, which the current input gets, too. print: NULL: nothing to replace. */
void load_file_fingerprint(struct stream *stream, struct builder *b, struct fingerprint *print);

/* Warn of oddities of a whole file: damaged compression, encoding, commas. */
void load_file_note(struct stream *stream, const struct scan *s, struct builder *b);

/* Fill `hints` from the name in `path`. */
void file_hints_parse(const char *path, struct file_hints *hints);

/* load_file() of an open stream, with the reader `forced` if it is not NULL: for tests. The caller
 * has called builder_input(). */
bool load_file_stream(struct stream *stream, const struct file_hints *hints,
		      const struct reader *forced, struct builder *b, struct error *err) MUST_USE;

/* The profile of n recordings in memory, as V8 gives them, CURSOR_PAD bytes after each of which are
 * readable. NULL: one is damaged, and err. The caller frees it. */
struct profile *load_file_memory(const struct str *texts, size_t n, struct error *err);

/* Append `path:line: byte offset: text` to `out`, the path in visible form ("-": standard input).
 * print: of the file that was read; NULL: it was not read. Line and offset are left out where they
 * are unknown: a pipe has no line, nor a file that has changed since. */
void file_error_format(const char *path, const struct fingerprint *print, const struct error *err,
		       struct buf *out);

/* The same as a line for standard error: `flametty: path: ...`. */
static inline void file_error_line(const char *path, const struct fingerprint *print,
				   const struct error *err, struct buf *out)
{
	buf_adds(out, "flametty: ");
	file_error_format(path, print, err, out);
	buf_addc(out, '\n');
}

#endif
