/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way from a path to lanes: open the file, choose the reader, let it read. */
#include "config.h"

#include "load/load_file.h"

#include "base/alloc.h"
#include "build/track_builder.h"
#include "load/file_hints.h"
#include "load/not_a_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A growing part of the document is examined, from LOOK_FIRST bytes to LOOK_MOST, until its
 * format is known. */
#define LOOK_FIRST ((size_t)64 << 10)
#define LOOK_MOST ((size_t)64 << 20)

/* The reader with the highest score for a document, or NULL. */
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

/* Report what a document without a reader is. */
static void refuse(const struct outline *outline, const char *kind, struct error *err)
{
	if (!kind && outline->err.kind == ERR_SYNTAX)
		error_set(err, ERR_UNKNOWN, outline->err.offset, "%s", outline->err.text);
	else
		error_set(err, ERR_UNKNOWN, 0, "%s", kind ? kind : not_a_profile_json(outline));
}

static const struct reader *pick(struct scan *s, struct error *err)
{
	struct outline *outline = xmalloc(sizeof *outline);
	const struct reader *best = NULL;

	for (size_t size = LOOK_FIRST; !best; size *= 8) {
		struct str head;
		const char *kind;
		bool is_last, is_known;

		if (!scan_window(s, size, &head))
			break;
		kind = head.len == 0 && stream_damage(s->stream)
			? stream_damage(s->stream)
			: not_a_profile_bytes(head.p, head.len);
		is_last = head.len < size || size >= LOOK_MOST;
		outline_look(outline, head.p, head.len, head.len < size);
		best = ask(outline);
		/* The first line is enough to name text that is not JSON. */
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

static void note_stream(struct stream *stream, const struct scan *s, struct builder *b)
{
	if (stream_damage(stream))
		builder_warn_text(b, WARN_COMPRESSION, -1, stream_damage(stream));
	if (stream_is_converted(stream))
		builder_warn(b, WARN_ENCODING, 0);
	for (uint64_t i = 0; i < s->n_trailing; i++)
		builder_warn(b, WARN_TRAILING_COMMA, s->first_trailing);
}

bool load_file_stream(struct stream *stream, const struct file_hints *hints,
		      const struct reader *forced, struct builder *b, struct error *err)
{
	const struct reader *reader = forced;
	struct scan s;
	bool ok;

	scan_init(&s, stream, err);
	if (!reader)
		reader = pick(&s, err);
	ok = reader && reader->read(&s, b, hints, err);
	if (ok)
		note_stream(stream, &s, b);
	if (stream_is_stopped(stream) && ok) {
		builder_warn_stopped(b);
	} else if (stream_is_stopped(stream)) {
		*err = (struct error)ERROR_INIT;
		ok = error_set(err, ERR_CANCELLED, -1, "stopped before there was anything to show");
	}
	/* On failure the read position is past the error, so report the file size instead. */
	if (reader)
		builder_input_format(b, reader->name, stream_compression(stream),
				     ok || stream_file_size(stream) < 0 ? stream_file_bytes(stream)
									: stream_file_size(stream));
	scan_done(&s);
	return ok && err->kind == ERR_NONE;
}

/* Node.js numbers the workers of a process from 1 on. Thread 0 is the main thread. */
static void name_thread(struct builder *b, const struct file_hints *hints)
{
	char name[32];

	if (hints->pid >= 0 && hints->tid > 0)
		track_builder_thread(
			b, hints->pid, hints->tid, name,
			(size_t)snprintf(name, sizeof name, "worker %" PRId64, hints->tid));
}

/* Replace the fingerprint of the earlier reading, which the stream does not need any more, by that
 * of this one. */
static void note_fingerprint(struct stream *stream, struct builder *b, struct fingerprint *print)
{
	struct fingerprint now;

	stream_take_fingerprint(stream, &now);
	builder_input_fingerprint(b, &now);
	if (!print) {
		fingerprint_done(&now);
		return;
	}
	fingerprint_done(print);
	*print = now;
}

bool load_file(const struct load_file_order *order, struct builder *b, struct progress *progress,
	       struct fingerprint *print, struct error *err)
{
	const char *path = order->path;
	struct stream *stream;
	struct file_hints hints;
	bool ok;

	file_hints_parse(path, &hints);
	stream = print && print->is_known ? stream_open_again(path, print, progress, err)
					  : stream_open(path, progress, err);
	if (!stream)
		return false;
	stream_set_max_unpacked(stream, order->max_unpacked);
	if (print && !print->is_known)
		*print = stream_identity(stream);
	builder_input(b, path);
	if (hints.has_date)
		builder_input_date(b, hints.date_s);
	name_thread(b, &hints);
	ok = load_file_stream(stream, &hints, order->reader, b, err) && stream_compare(stream, err);
	note_fingerprint(stream, b, print);
	stream_close(stream);
	return ok;
}
