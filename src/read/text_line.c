/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line lies in the scanner's window, which grows until the line fits. */
#include "config.h"

#include "read/text_line.h"

#include <string.h>

#define LINE_FIRST ((size_t)64 << 10)
#define TEXT_LINE_MAX ((size_t)64 << 20)

bool text_line_next(struct scan *s, struct error *err, struct str *line, bool *is_whole)
{
	for (size_t size = LINE_FIRST;; size *= 4) {
		const char *end;

		if (!scan_window(s, size, line) || line->len == 0)
			return false;
		end = memchr(line->p, '\n', line->len);
		*is_whole = end != NULL;
		if (end || line->len < size) {
			if (end)
				line->len = (size_t)(end - line->p);
			return true;
		}
		if (size >= TEXT_LINE_MAX)
			return error_set(err, ERR_LIMIT, scan_offset(s),
					 "a line of more than %zu bytes", TEXT_LINE_MAX);
	}
}

bool text_line_take(struct str *text, bool is_all, struct str *line)
{
	const char *end = text->len ? memchr(text->p, '\n', text->len) : NULL;

	if (!end && (!is_all || !text->len))
		return false;
	*line = (struct str){ text->p, end ? (size_t)(end - text->p) : text->len };
	text->p += line->len + (end != NULL);
	text->len -= line->len + (end != NULL);
	return true;
}
