/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line number of an error is found by reading the file a second time, up to the offset. */
#include "config.h"

#include "read/load/file_error.h"

#include "base/alloc.h"
#include "base/stream/stream.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
