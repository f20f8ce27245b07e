/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tabulator or a carriage return at the beginning of a cell would make spreadsheets compute what
 * follows, too; in visible form they are `^I` and `^M`. */
#include "config.h"

#include "write/report/csv_cell.h"

#include "base/text.h"

#include <string.h>

#define PACKAGE_MOST 214 /* characters of a package name, by npm's rule */

/* The byte after a part of a package name that begins at p. npm allows more characters in names
 * from before 2015, among them parentheses: these are no names here. */
static const char *part_end(const char *p, const char *end)
{
	if (p < end && (*p == '.' || *p == '_'))
		return p;
	while (p < end &&
	       ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '-' || *p == '.' ||
		*p == '_'))
		p++;
	return p;
}

/* Whether the text is the name of a scoped package. */
static bool is_package(const char *text, size_t len)
{
	const char *end = text + len, *slash, *stop;

	if (len > PACKAGE_MOST || *text != '@')
		return false;
	slash = part_end(text + 1, end);
	if (slash == text + 1 || slash == end || *slash != '/')
		return false;
	stop = part_end(slash + 1, end);
	return stop > slash + 1 && stop == end;
}

/* Whether a spreadsheet may take the text for a formula, or for one behind an apostrophe. */
static bool is_formula(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && text[i] == '\'')
		i++;
	return i < len && strchr("=+-@", text[i]) && text[i] && !is_package(text, len);
}

/* Append visible text. */
static void add_quoted(struct buf *out, const char *text, size_t len)
{
	buf_addc(out, '"');
	while (len) {
		const char *quote = memchr(text, '"', len);
		size_t n = quote ? (size_t)(quote - text) + 1 : len;

		buf_add(out, text, n);
		if (quote)
			buf_addc(out, '"');
		text += n;
		len -= n;
	}
	buf_addc(out, '"');
}

void csv_cell_text(struct buf *out, const char *text, size_t len, bool is_raw)
{
	struct buf visible = { 0 };

	if (!is_raw && is_formula(text, len))
		buf_addc(&visible, '\'');
	text_visible(&visible, text, len);
	if (strpbrk(buf_text(&visible), ",\"") != NULL)
		add_quoted(out, visible.data, visible.len);
	else
		buf_add(out, buf_text(&visible), visible.len);
	buf_done(&visible);
}
