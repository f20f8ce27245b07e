/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of readers, and the way from a path to lanes.
 *
 * To add a format: 1. write reader/<format>.c with one struct reader; 2. add its row
 * below; 3. put a small true example into data/ and a golden case into tests/golden;
 * 4. describe it in man/flametty-formats.5. */
#include "config.h"

#include "reader/reader.h"

#include "base/alloc.h"
#include "base/text.h"
#include "load/not_a_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct reader *const readers[] = {
	&reader_cpuprofile, &reader_trace,  &reader_self_profile,
	&reader_speedscope, &reader_folded, NULL,
};

/* How much of a document is looked at to tell its format: the first size that tells. */
#define LOOK_FIRST ((size_t)64 << 10)
#define LOOK_MOST ((size_t)64 << 20)

const struct reader *reader_find(const char *name)
{
	for (size_t i = 0; readers[i]; i++)
		if (strcmp(readers[i]->name, name) == 0)
			return readers[i];
	return NULL;
}

/* The reader that is surest of a document, or NULL. */
static const struct reader *ask(const struct outline *outline)
{
	const struct reader *best = NULL;
	int score = 0;

	for (size_t i = 0; readers[i]; i++) {
		int n = readers[i]->sniff(outline);

		if (n > score) {
			score = n;
			best = readers[i];
		}
	}
	return best;
}

/* Say what this is that nobody takes. */
static void refuse(const struct outline *outline, const char *kind, struct error *err)
{
	if (!kind && outline->err.kind == ERR_SYNTAX)
		error_set(err, ERR_UNKNOWN, outline->err.offset, "%s", outline->err.text);
	else
		error_set(err, ERR_UNKNOWN, 0, "%s", kind ? kind : kind_of_json(outline));
}

static const struct reader *pick(struct scan *s, struct error *err)
{
	struct outline *outline = xmalloc(sizeof *outline);
	const struct reader *best = NULL;

	for (size_t size = LOOK_FIRST; !best; size *= 8) {
		struct slice head;
		const char *kind;
		bool is_last, is_known;

		if (!scan_window(s, size, &head))
			break;
		kind = kind_of_bytes(head.p, head.len);
		is_last = head.len < size || size >= LOOK_MOST;
		outline_look(outline, head.p, head.len, head.len < size);
		best = ask(outline);
		/* Of text that is no JSON a first line tells enough. */
		is_known = kind ? memchr(head.p, '\n', head.len) != NULL ||
				memchr(head.p, '\0', head.len) != NULL
				: outline->is_whole;
		if (!best && (is_known || is_last)) {
			refuse(outline, kind, err);
			break;
		}
	}
	free(outline);
	return best;
}

bool reader_pass_rest(struct scan *s, struct builder *b)
{
	char detail[64];
	int64_t from;

	if (!scan_peek(s))
		return s->err->kind == ERR_NONE;
	from = scan_offset(s);
	while (scan_peek(s) && s->err->kind == ERR_NONE)
		s->p = s->end;
	snprintf(detail, sizeof detail, "%" PRId64 " bytes", scan_offset(s) - from);
	builder_warn_text(b, WARN_TRAILING, from, detail);
	return s->err->kind == ERR_NONE;
}

static void note_stream(struct stream *stream, const struct scan *s, struct builder *b)
{
	if (stream_damage(stream))
		builder_warn_text(b, WARN_COMPRESSION, -1, stream_damage(stream));
	if (stream_is_converted(stream))
		builder_warn(b, WARN_ENCODING, 0);
	for (uint64_t i = 0; i < s->n_trailing; i++)
		builder_warn(b, WARN_TRAILING_COMMA, s->first_trailing);
}

bool reader_load_stream(struct stream *stream, const struct file_facts *facts,
			const struct reader *forced, struct builder *b, struct error *err)
{
	const struct reader *reader = forced;
	struct scan s;
	bool ok;

	scan_init(&s, stream, err);
	if (!reader)
		reader = pick(&s, err);
	ok = reader && reader->read(&s, b, facts, err);
	if (ok)
		note_stream(stream, &s, b);
	if (stream_is_stopped(stream) && ok)
		builder_stopped(b);
	else if (stream_is_stopped(stream))
		*err = (struct error)ERROR_INIT,
		ok = error_set(err, ERR_CANCELLED, -1, "stopped before there was anything to show");
	/* Where it fails, the stream is somewhere ahead. */
	if (reader)
		builder_input_facts(b, reader->name, stream_compression(stream),
				    ok || stream_file_size(stream) < 0 ? stream_file_bytes(stream)
								       : stream_file_size(stream));
	scan_done(&s);
	return ok && err->kind == ERR_NONE;
}

/* Node numbers the workers of a process from 1 on; 0 is its main thread. */
static void name_thread(struct builder *b, const struct file_facts *facts)
{
	char name[32];

	if (facts->pid >= 0 && facts->tid > 0)
		builder_thread(b, facts->pid, facts->tid, name,
			       (size_t)snprintf(name, sizeof name, "worker %" PRId64, facts->tid));
}

bool reader_load(const char *path, const struct reader *forced, struct builder *b,
		 struct progress *progress, struct error *err)
{
	struct stream *stream;
	struct file_facts facts;
	bool ok;

	file_facts_parse(path, &facts);
	stream = stream_open(path, progress, err);
	if (!stream)
		return false;
	builder_input(b, path);
	if (facts.has_date)
		builder_input_date(b, facts.date_s);
	name_thread(b, &facts);
	ok = reader_load_stream(stream, &facts, forced, b, err);
	stream_close(stream);
	return ok;
}

static int64_t line_of(const char *path, int64_t offset)
{
	struct error err = ERROR_INIT;
	struct stream *stream;
	static const size_t size = 65536;
	int64_t line = 1, at = 0;
	struct stat st;
	char *block;

	/* A pipe cannot be read a second time. */
	if (offset < 0 || strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return 0;
	stream = stream_open(path, NULL, &err);
	if (!stream)
		return 0;
	block = xmalloc(size);
	while (at < offset) {
		ptrdiff_t n = stream_read(stream, block, size, &err);

		if (n <= 0)
			break;
		for (ptrdiff_t i = 0; i < n && at < offset; i++, at++)
			line += block[i] == '\n';
	}
	free(block);
	stream_close(stream);
	return line;
}

void reader_format_error(const char *path, const struct error *err, struct buf *out)
{
	bool is_placed = err->offset >= 0 && err->kind != ERR_CANCELLED;
	int64_t line = is_placed ? line_of(path, err->offset) : 0;

	text_visible(out, strcmp(path, "-") == 0 ? "(standard input)" : path,
		     strcmp(path, "-") == 0 ? 16 : strlen(path));
	buf_addc(out, ':');
	if (line > 0)
		buf_addf(out, "%" PRId64 ":", line);
	if (is_placed)
		buf_addf(out, " byte %" PRId64 ":", err->offset);
	buf_addc(out, ' ');
	text_visible(out, err->text, strlen(err->text));
}

void reader_complain(const char *path, const struct error *err, struct buf *out)
{
	buf_adds(out, "flametty: ");
	reader_format_error(path, err, out);
	buf_addc(out, '\n');
}
