/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are one trace: which they are, and how they are loaded as one input. */
#include "config.h"

#include "read/load/rotated.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "base/sort.h"
#include "base/stream/stream.h"
#include "base/text.h"
#include "read/load/load_file.h"
#include "read/trace/trace_peek.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ==== rotated ====
 *
 * Finds files that are one trace because Node.js rotated its log: node_trace.1.log and so on, or
 * other names by --trace-event-file-pattern.
 *
 * A name may have several numbers, each of which may be that of the rotation: `${pid}-${rotation}`.
 * They are tried one after another, the last one first. Files with names that differ in that number
 * only are a family. Within a family, in the order of the numbers, each file is compared with the
 * one before it: a process may have written its log over that of an earlier one, which was longer,
 * and so have left its last files.
 *
 * Only files of a family of two or more are opened. */

#define GLANCE ((size_t)32 << 10) /* bytes at each end */
#define NUMBERS 4                 /* of a name, from its end */
#define DIGITS 15                 /* of a number */
#define LISTED 4                  /* numbers in the path of all */

/* A file with one of the numbers in its name. */
struct candidate {
	const char *path;
	size_t file, folder;
	size_t at, len; /* of the number */
	int64_t number;
};

/* ---- names ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Find the k-th number of a name, from the end. */
static bool find_number(const struct set_file *file, size_t i, int k, struct candidate *c)
{
	const char *slash = strrchr(file->path, '/'), *name = slash ? slash + 1 : file->path;
	const char *p = name + strlen(name), *end = p;

	for (int n = 0; n <= k; n++) {
		while (p > name && !is_digit(p[-1]))
			p--;
		end = p;
		while (p > name && is_digit(p[-1]))
			p--;
	}
	*c = (struct candidate){ .path = file->path,
				 .file = i,
				 .folder = file->folder,
				 .at = (size_t)(p - file->path),
				 .len = (size_t)(end - p) };
	if (c->len == 0 || c->len > DIGITS)
		return false;
	c->number = strtoll(p, NULL, 10);
	return true;
}

static const char *tail_of(const struct candidate *c)
{
	return c->path + c->at + c->len;
}

/* The order of families. 0: they are of one. */
static int compare_family(const struct candidate *a, const struct candidate *b)
{
	int order;

	if (a->folder != b->folder)
		return a->folder < b->folder ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	order = memcmp(a->path, b->path, a->at);
	return order ? order : strcmp(tail_of(a), tail_of(b));
}

static int compare(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	int order = compare_family(a, b);

	if (order)
		return order;
	return SORT_BY_2(a->number, b->number, a->file, b->file);
}

/* ---- contents ---- */

#define HEAD 64 /* bytes that tell most other files */

/* Whether a file may be a trace of Node.js, or is packed. This is cheap. */
static bool may_be_trace(const struct set_file *file)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	char text[HEAD + CURSOR_PAD] = "";
	ssize_t n = fd < 0 ? -1 : read(fd, text, HEAD);

	if (fd >= 0)
		close(fd);
	return n <= 0 || !trace_peek_is_other((struct str){ text, (size_t)n });
}

/* Look at a file. False: it is not of a trace that may be rotated. Node.js puts the number before
 * the extension .log if the user does not choose; in other names it must be V8 that wrote it. */
static bool look(const struct set_file *file, const char *tail, struct trace_peek *g)
{
	bool is_log = strcmp(tail, ".log") == 0 || strcmp(tail, ".log.gz") == 0 ||
		strcmp(tail, ".log.zst") == 0 || strcmp(tail, ".log.lz4") == 0;
	struct error err = ERROR_INIT;
	struct stream *stream;
	char *text;
	size_t len = 0;
	ptrdiff_t n;
	bool ok;

	if (!may_be_trace(file))
		return false;
	stream = stream_open(file->path, NULL, &err);
	text = xcalloc(1, GLANCE + CURSOR_PAD);
	while (stream && len + 4 <= GLANCE &&
	       (n = stream_read(stream, text + len, GLANCE - len, &err)) > 0)
		len += (size_t)n;
	ok = stream && !stream_facts(stream).is_converted &&
		trace_peek_begin((struct str){ text, len }, g) && (is_log || g->is_v8);
	if (ok && !stream_facts(stream).compression) {
		int fd = -1;

		n = (ptrdiff_t)len;
		if (file->bytes > n) {
			fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
			n = fd < 0
				? -1
				: pread(fd, text, GLANCE, (off_t)(file->bytes - (int64_t)GLANCE));
		}
		if (fd >= 0)
			close(fd);
		if (n > 0)
			trace_peek_end((struct str){ text, (size_t)n }, g);
	}
	stream_close(stream);
	free(text);
	return ok;
}

/* ---- families ---- */

/* Take files that belong together; `first` has the number of the first one of each file, + 1. */
static void take(struct set_file *files, size_t *first, const struct candidate *c, size_t n)
{
	size_t least = c[0].file;

	for (size_t i = 1; i < n; i++)
		if (c[i].file < least)
			least = c[i].file;
	for (size_t i = 0; i < n; i++) {
		struct set_file *file = &files[c[i].file];

		first[c[i].file] = least + 1;
		file->n_parts = i == 0 ? n : 0;
		file->number = c[i].number;
		file->number_at = c[i].at;
		file->number_len = c[i].len;
	}
}

/* Divide a family into traces. Its files that are none are left out, and so are other files with a
 * number that another one has. */
static void divide(struct set_file *files, size_t *first, struct candidate *c, size_t n)
{
	struct trace_peek before, now;
	size_t from = 0, end = 0;

	for (size_t i = 0; i < n; i++) {
		if (end > from && c[i].number == c[end - 1].number)
			continue;
		if (!look(&files[c[i].file], tail_of(&c[i]), &now))
			continue;
		if (end > from && !trace_peek_continues(&before, &now)) {
			if (end - from > 1)
				take(files, first, c + from, end - from);
			from = end;
		}
		/* The files of the present trace are c[from, end). */
		c[end++] = c[i];
		before = now;
	}
	if (end - from > 1)
		take(files, first, c + from, end - from);
}

static void find_by(struct set_file *files, size_t n, int k, struct candidate *all, size_t *first)
{
	size_t n_all = 0;

	for (size_t i = 0; i < n; i++)
		if (!first[i] && files[i].bytes > 0 && find_number(&files[i], i, k, &all[n_all]))
			n_all++;
	qsort(all, n_all, sizeof *all, compare);
	for (size_t from = 0, end; from < n_all; from = end) {
		for (end = from + 1; end < n_all && compare_family(&all[from], &all[end]) == 0;)
			end++;
		if (end - from > 1)
			divide(files, first, all + from, end - from);
	}
}

/* A file and the place to which it goes. */
struct move {
	struct set_file file;
	size_t to, from;
};

static int by_place(const void *x, const void *y)
{
	const struct move *a = x, *b = y;

	return SORT_BY_3(a->to, b->to, a->file.number, b->file.number, a->from, b->from);
}

static void order(struct set_file *files, size_t n, const size_t *first)
{
	ALLOC_LOCAL struct move *moves = xcalloc(n, sizeof *moves);

	for (size_t i = 0; i < n; i++)
		moves[i] = (struct move){ .file = files[i],
					  .to = first[i] ? first[i] - 1 : i,
					  .from = i };
	qsort(moves, n, sizeof *moves, by_place);
	for (size_t i = 0; i < n; i++)
		files[i] = moves[i].file;
}

void rotated_find(struct set_file *files, size_t n)
{
	ALLOC_LOCAL struct candidate *all = NULL;
	ALLOC_LOCAL size_t *first = NULL;

	if (n < 2)
		return;
	all = xcalloc(n, sizeof *all);
	first = xcalloc(n, sizeof *first);
	for (int k = 0; k < NUMBERS; k++)
		find_by(files, n, k, all, first);
	order(files, n, first);
}

/* ---- for the user ---- */

static void add_number(const struct set_file *file, struct buf *out)
{
	buf_add(out, file->path + file->number_at, file->number_len);
}

/* Append the path of `n` files that belong together: `node_trace.{1,2,3}.log`. */
static void path_of(const struct set_file *files, size_t n, struct buf *out)
{
	const struct set_file *last = &files[n - 1];
	bool is_gapless = last->number - files->number == (int64_t)n - 1;

	buf_add(out, files->path, files->number_at);
	buf_addc(out, '{');
	add_number(files, out);
	for (size_t i = 1; i < n && n <= LISTED; i++) {
		buf_addc(out, ',');
		add_number(&files[i], out);
	}
	if (n > LISTED) {
		buf_adds(out, is_gapless ? ".." : ",...,");
		add_number(last, out);
	}
	buf_addc(out, '}');
	buf_adds(out, files->path + files->number_at + files->number_len);
}

/* The number of files that are missing between a file and the next one, and the name of the first
 * of them, which is appended. */
static uint64_t n_missing(const struct set_file *file, struct buf *name)
{
	const char *slash = strrchr(file->path, '/'), *from = slash ? slash + 1 : file->path;
	int64_t n = file[1].number - file->number - 1;

	if (n <= 0)
		return 0;
	buf_add(name, from, (size_t)(file->path + file->number_at - from));
	buf_addf(name, "%0*" PRId64, (int)file->number_len, file->number + 1);
	buf_adds(name, file->path + file->number_at + file->number_len);
	return (uint64_t)n;
}

/* ==== load parts ====
 *
 * The reader asks for one file after another. While it reads, offsets are those in the input:
 * each file has a scanner whose offsets begin where those of the file before end. Messages about a
 * file have the offsets in that file. */

struct reading {
	struct rotated *parts;
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
	struct rotated *parts = r->parts;
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
	struct stream_facts facts;

	r->is_stopped |= stream_facts(r->stream).is_stopped;
	/* A file that ends because the user stopped is not damaged. */
	if (r->is_stopped && is_of_file(&r->err))
		r->err = (struct error)ERROR_INIT;
	if (r->err.kind == ERR_NONE && stream_compare(r->stream, &r->err))
		load_file_note(r->stream, &r->scan, r->b);
	load_file_fingerprint(r->stream, r->b, &file->print);
	facts = stream_facts(r->stream);
	if (!r->compression)
		r->compression = facts.compression;
	r->bytes += r->err.kind == ERR_NONE ? facts.file_bytes : facts.file_size;
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

void rotated_load(struct rotated *parts, struct builder *b, struct progress *progress)
{
	struct reading r = { .parts = parts, .b = b, .progress = progress, .err = ERROR_INIT };
	const struct reader_files files = { next_file, &r };
	struct buf path = { 0 };
	struct input *in;
	bool ok;
	struct buf name = { 0 };

	path_of(parts->files, parts->n, &path);
	builder_input(b, buf_text(&path));
	buf_done(&path);
	for (size_t i = 0; i + 1 < parts->n; i++) {
		uint64_t n;

		buf_clear(&name);
		n = n_missing(&parts->files[i], &name);
		if (n > 0)
			builder_warn_many(b, WARN_FILE_MISSING, -1, n, buf_text(&name));
	}
	buf_done(&name);
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
	in = builder_this_input(b);
	in->format = parts->reader->name;
	in->compression = r.compression;
	in->bytes = r.bytes;
	builder_input_note(b, false, "%zu rotated files are read as one trace", parts->n_loaded);
}
