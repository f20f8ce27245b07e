/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader asks for one file after another. While it reads, offsets are those in the input:
 * each file has a scanner whose offsets begin where those of the file before end. Messages about a
 * file have the offsets in that file. */
#include "config.h"

#include "read/load/load_parts.h"

#include "read/load/file_error.h"
#include "read/load/load_file.h"
#include "read/load/rotated.h"

#define MISSING_MOST 1000 /* counted at most */

struct reading {
	struct load_parts *parts;
	struct builder *b;
	struct progress *progress;
	struct error err; /* of the reader */
	size_t next;      /* the file to open next */
	size_t n_opened;
	/* The open file, which is the one before `next`. */
	struct stream *stream; /* NULL: none is open */
	struct scan scan;
	int64_t from; /* the offset in the input of its first byte */
	bool is_again;
	/* Of all files so far. */
	int64_t bytes;
	const char *compression;
	bool is_stopped; /* by the user */
	bool is_told;    /* `err` was reported */
};

/* Whether the other files can be read although one of them has this error. */
static bool is_of_file(const struct error *err)
{
	return err->kind != ERR_CANCELLED && err->kind != ERR_LIMIT;
}

/* Report that the current file failed. */
static void fail(struct reading *r)
{
	struct load_parts *parts = r->parts;
	struct set_file *file = &parts->files[r->next - 1];

	if (r->err.offset >= r->from)
		r->err.offset -= r->from;
	parts->has_lost |= r->is_again && r->err.kind == ERR_IO;
	if (r->err.kind == ERR_CANCELLED && r->progress->is_stopped)
		return;
	parts->n_failed++;
	file_error_line(file->path, &file->print, &r->err, parts->messages);
	/* As in file_set.c: a file that could not be used is no loss to the next reading. */
	if (r->err.kind != ERR_CANCELLED)
		fingerprint_done(&file->print);
	if (is_of_file(&r->err))
		r->err = (struct error)ERROR_INIT;
	else
		r->is_told = true;
}

static void end_file(struct reading *r)
{
	struct set_file *file = &r->parts->files[r->next - 1];

	r->is_stopped |= stream_is_stopped(r->stream);
	/* A file that ends because the user stopped is not damaged. */
	if (r->is_stopped && is_of_file(&r->err))
		r->err = (struct error)ERROR_INIT;
	if (r->err.kind == ERR_NONE && stream_compare(r->stream, &r->err))
		load_file_note(r->stream, &r->scan, r->b);
	load_file_fingerprint(r->stream, r->b, &file->print);
	if (!r->compression)
		r->compression = stream_compression(r->stream);
	r->bytes += r->err.kind == ERR_NONE ? stream_file_bytes(r->stream)
					    : stream_file_size(r->stream);
	if (r->err.kind == ERR_NONE)
		r->parts->n_loaded++;
	else
		fail(r);
	r->from = r->scan.base + (r->scan.end - r->scan.buf);
	scan_done(&r->scan);
	stream_close(r->stream);
	r->stream = NULL;
}

static void open_next(struct reading *r)
{
	struct set_file *file = &r->parts->files[r->next++];

	*r->parts->name = file->path;
	r->is_again = file->print.is_known;
	r->stream = r->is_again ? stream_open_again(file->path, &file->print, r->progress, &r->err)
				: stream_open(file->path, r->progress, &r->err);
	if (!r->stream) {
		fail(r);
		return;
	}
	stream_set_unpack_limits(r->stream, &r->parts->limits);
	if (!r->is_again)
		file->print = stream_identity(r->stream);
	r->n_opened++;
	builder_input_part(r->b, file->path, r->from);
	scan_init(&r->scan, r->stream, &r->err);
	r->scan.base = r->from;
}

static struct scan *next_file(void *ctx)
{
	struct reading *r = ctx;

	if (r->stream)
		end_file(r);
	while (!r->stream && r->err.kind == ERR_NONE && r->next < r->parts->n && !r->is_stopped)
		open_next(r);
	return r->stream ? &r->scan : NULL;
}

static void warn_of_missing(const struct load_parts *parts, struct builder *b)
{
	struct buf name = { 0 };

	for (size_t i = 0; i + 1 < parts->n; i++) {
		uint64_t n;

		buf_clear(&name);
		n = rotated_missing(&parts->files[i], &name);
		for (; n > 0; n = n > MISSING_MOST ? MISSING_MOST - 1 : n - 1)
			builder_warn_text(b, WARN_FILE_MISSING, -1, buf_text(&name));
	}
	buf_done(&name);
}

void load_parts(struct load_parts *parts, struct builder *b, struct progress *progress)
{
	struct reading r = { .parts = parts, .b = b, .progress = progress, .err = ERROR_INIT };
	const struct reader_files files = { next_file, &r };
	struct buf path = { 0 };
	bool ok;

	rotated_path(parts->files, parts->n, &path);
	builder_input(b, buf_text(&path));
	buf_done(&path);
	warn_of_missing(parts, b);
	ok = parts->reader->read_files(&files, b, &r.err);
	if (!ok && !r.is_told && !r.is_stopped && parts->n_failed == 0) {
		/* The files are readable, but the whole is not. */
		parts->n_failed++;
		file_error_line(parts->files->path, NULL, &r.err, parts->messages);
	}
	if (r.n_opened == 0) {
		builder_input_drop(b);
		return;
	}
	if (ok && r.is_stopped)
		builder_warn_stopped(b);
	builder_input_format(b, parts->reader->name, r.compression, r.bytes);
	builder_input_note(b, false, "%zu rotated files are read as one trace", parts->n_loaded);
}
