/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way from a path to lanes: open the file, choose the reader, let it read. */
#include "config.h"

#include "read/load/load_file.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/date.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/progress.h"
#include "base/stream/stream.h"
#include "base/stream/unpack.h"
#include "base/text.h"
#include "model/build/builder.h"
#include "model/build/track_builder.h"
#include "read/load/sniff.h"
#include "read/reader.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== file error ====
 *
 * The line number of an error is found by reading the file a second time, up to the offset. */

static int64_t line_of(const char *path, const struct fingerprint *print, int64_t offset)
{
	struct error err = ERROR_INIT;
	struct stream *stream;
	static const size_t size = 65536;
	int64_t line = 1, at = 0;
	char *block;

	stream = print && offset >= 0 ? stream_open_again(path, print, NULL, &err) : NULL;
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
	if (!stream_compare(stream, &err))
		line = 0;
	stream_close(stream);
	return line;
}

void file_error_format(const char *path, const struct fingerprint *print, const struct error *err,
		       struct buf *out)
{
	bool is_placed = err->offset >= 0 && err->kind != ERR_CANCELLED;
	int64_t line = is_placed ? line_of(path, print, err->offset) : 0;

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

void file_error_line(const char *path, const struct fingerprint *print, const struct error *err,
		     struct buf *out)
{
	buf_adds(out, "flametty: ");
	file_error_format(path, print, err, out);
	buf_addc(out, '\n');
}

/* ==== file hints ====
 *
 * Node.js names its profiles PREFIX.YYYYMMDD.HHMMSS.PID.TID.SEQ[.EXT]. The prefix has no dot.
 * The date is the local time of the start. Deno uses CPU.MILLISECONDS.PID.cpuprofile. No other
 * name is understood. */

#define NO_NUMBER INT64_MIN

/* The number that the `len` bytes at `p` are; NO_NUMBER if they are not 1 to 15 digits. */
static int64_t number_part(const char *p, size_t len)
{
	int64_t v = 0;

	if (len == 0 || len > 15)
		return NO_NUMBER;
	for (size_t i = 0; i < len; i++) {
		if (p[i] < '0' || p[i] > '9')
			return NO_NUMBER;
		v = v * 10 + (p[i] - '0');
	}
	return v;
}

/* The same for the id of a process or thread, which may be negative. */
static int64_t id_part(const char *p, size_t len)
{
	bool is_negative = len > 1 && *p == '-';
	int64_t v = number_part(p + is_negative, len - is_negative);

	return is_negative && v != NO_NUMBER ? -v : v;
}

/* Take YYYYMMDD and HHMMSS as the date. Names made by hand may have any digits there: if they are
 * no date, they are only text. */
static void take_date(struct file_hints *hints, int64_t date, int64_t time)
{
	int64_t month = date / 100 % 100, day = date % 100;

	if (date / 10000 < 1970 || month < 1 || month > 12 || day < 1 || day > 31 ||
	    time / 10000 > 23 || time / 100 % 100 > 59 || time % 100 > 60) {
		snprintf(hints->date_text, sizeof hints->date_text, "%04d-%02d-%02d %02d:%02d:%02d",
			 (int)(date / 10000), (int)month, (int)day, (int)(time / 10000),
			 (int)(time / 100 % 100), (int)(time % 100));
		return;
	}
	hints->has_date = true;
	hints->date_s = date_days(date / 10000, month, day) * 86400 + time / 10000 * 3600 +
		time / 100 % 100 * 60 + time % 100;
}

static void take_deno(struct file_hints *hints, const char *name)
{
	size_t len, pid_len;
	int64_t ms, pid;

	if (strncmp(name, "CPU.", 4) != 0)
		return;
	name += 4;
	len = strcspn(name, ".");
	/* 13 digits are the years 2001 to 2286. Fewer could be a date. */
	if (len != 13 || !name[len])
		return;
	ms = number_part(name, len);
	name += len + 1;
	pid_len = strcspn(name, ".");
	pid = id_part(name, pid_len);
	if (ms < 0 || pid == NO_NUMBER || !strstr(name + pid_len, ".cpuprofile"))
		return;
	hints->pid = pid;
	hints->has_date = true;
	hints->is_utc = true;
	hints->date_s = ms / 1000;
}

void file_hints_parse(const char *path, struct file_hints *hints)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *at = name;
	int64_t part[6] = { 0 };
	size_t n = 0;

	*hints = (struct file_hints){ .pid = LANE_NO_ID, .tid = LANE_NO_ID, .seq = -1 };
	while (n < 6) {
		size_t len = strcspn(at, ".");

		/* The prefix may be any text. */
		part[n] = n == 0 ? 0 : n == 3 || n == 4 ? id_part(at, len) : number_part(at, len);
		if (part[n] == NO_NUMBER || (n == 1 && len != 8) || (n == 2 && len != 6))
			break;
		n++;
		if (!at[len])
			break;
		at += len + 1;
	}
	if (n < 6) {
		take_deno(hints, name);
		return;
	}
	hints->pid = part[3];
	hints->tid = part[4];
	hints->seq = part[5];
	take_date(hints, part[1], part[2]);
}

/* ==== load file ==== */

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
			best = sniff_reader(outline, head, is_all, size >= SNIFF_MAX, err);
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
