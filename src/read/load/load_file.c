/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way from a path to lanes: open the file, choose the reader, let it read. */
#include "config.h"

#include "read/load/load_file.h"

#include "base/alloc.h"
#include "model/build/track_builder.h"
#include "read/load/file_hints.h"
#include "read/load/sniff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Examine a growing part of the document, until its format is known. */
static const struct reader *pick(struct scan *s, struct error *err)
{
	struct outline *outline = xmalloc(sizeof *outline);
	const struct reader *best = NULL;

	for (size_t size = SNIFF_FIRST; !best; size *= 8) {
		bool is_all;
		struct str head;

		if (!scan_window(s, size, &head))
			break;
		is_all = head.len < size;
		if (head.len == 0 && stream_damage(s->stream))
			error_set(err, ERR_UNKNOWN, 0, "%s", stream_damage(s->stream));
		else
			best = sniff_reader(outline, head, is_all, size >= SNIFF_MOST, err);
		if (err->kind != ERR_NONE)
			break;
	}
	free(outline);
	return best;
}

void load_file_note(struct stream *stream, const struct scan *s, struct builder *b)
{
	char detail[32];

	if (stream_damage(stream))
		builder_warn_text(b, WARN_COMPRESSION, -1, stream_damage(stream));
	if (stream_is_converted(stream))
		builder_warn(b, WARN_ENCODING, 0);
	if (stream_before(stream)) {
		snprintf(detail, sizeof detail, "%" PRId64 " bytes", stream_before(stream));
		builder_warn_text(b, WARN_PREFIX, 0, detail);
	}
	if (stream_is_quoted(stream))
		builder_warn(b, WARN_QUOTED, stream_before(stream));
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
		load_file_note(stream, &s, b);
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

bool load_file_has_sides(const char *path)
{
	struct error err = ERROR_INIT;
	struct stream *stream = strcmp(path, "-") == 0 ? NULL : stream_open(path, NULL, &err);
	const struct reader *reader;
	struct outline *outline;
	struct scan s;
	struct str head;
	bool has = false;

	if (!stream)
		return false;
	scan_init(&s, stream, &err);
	reader = pick(&s, &err);
	if (reader && reader->has_sides && scan_window(&s, SNIFF_FIRST, &head)) {
		outline = xcalloc(1, sizeof *outline);
		outline->text = head.p;
		outline->len = head.len;
		outline->is_all = head.len < SNIFF_FIRST;
		has = reader->has_sides(outline);
		free(outline);
	}
	scan_done(&s);
	stream_close(stream);
	return has;
}

/* Node.js numbers the workers of a process from 1 on. Thread 0 is the main thread. */
static void name_thread(struct builder *b, const struct file_hints *hints)
{
	char name[32];

	if (hints->pid != LANE_NO_ID && hints->tid > 0)
		track_builder_thread(
			b, hints->pid, hints->tid, name,
			(size_t)snprintf(name, sizeof name, "worker %" PRId64, hints->tid));
}

void load_file_fingerprint(struct stream *stream, struct builder *b, struct fingerprint *print)
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

/* What the name tells about the recording as a whole. */
static void note_hints(struct builder *b, const struct file_hints *hints)
{
	if (hints->has_date)
		builder_input_date(b, hints->date_s, hints->is_utc);
	else if (*hints->date_text)
		builder_input_date_text(b, hints->date_text);
	if (hints->seq >= 0)
		builder_input_seq(b, hints->seq);
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
	stream_set_unpack_limits(stream, &order->limits);
	if (print && !print->is_known)
		*print = stream_identity(stream);
	builder_input(b, path);
	note_hints(b, &hints);
	name_thread(b, &hints);
	ok = load_file_stream(stream, &hints, order->reader, b, err) && stream_compare(stream, err);
	load_file_fingerprint(stream, b, print);
	stream_close(stream);
	return ok;
}
