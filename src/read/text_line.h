/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a text, for formats that are not JSON. The text is not kept. */
#ifndef FLAMETTY_READ_TEXT_LINE_H
#define FLAMETTY_READ_TEXT_LINE_H

#include "base/error.h"
#include "base/json/scan.h"
#include "base/str.h"

#include <stdbool.h>

static inline bool text_line_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The line without blanks at its beginning and end. */
static inline struct str text_line_trimmed(struct str line)
{
	while (line.len && text_line_is_blank(line.p[line.len - 1]))
		line.len--;
	while (line.len && text_line_is_blank(*line.p)) {
		line.p++;
		line.len--;
	}
	return line;
}

/* Get the next line, without its newline, in the scanner's window. is_whole: it has a newline.
 * False at the end of the document, or with the error set: ERR_LIMIT for a line that is too long.
 */
bool text_line_next(struct scan *s, struct error *err, struct str *line, bool *is_whole);

/* Pass a line that text_line_next() got. */
static inline void text_line_pass(struct scan *s, struct str line)
{
	s->p += line.len + ((const char *)s->p + line.len < (const char *)s->end);
}

/* Take the first line of a text that lies in memory, without its newline. False at the end, which a
 * line without a newline is, too, unless is_all: such a line may be cut off. */
bool text_line_take(struct str *text, bool is_all, struct str *line);

#endif
