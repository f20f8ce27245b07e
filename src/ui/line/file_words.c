/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/line/file_words.h"

static bool is_escape(const char *p, const char *end)
{
	return *p == '\\' && p + 1 < end && (p[1] == ' ' || p[1] == '\\');
}

bool file_words_next(struct str *text, struct buf *name)
{
	const char *p = text->p, *end = text->p + text->len, *start;

	while (p < end && *p == ' ')
		p++;
	for (start = p; p < end && *p != ' '; p++) {
		p += is_escape(p, end);
		buf_addc(name, *p);
	}
	*text = (struct str){ p, (size_t)(end - p) };
	return p > start;
}

void file_words_add(const char *name, struct buf *out)
{
	for (; *name; name++) {
		if (*name == ' ' || (*name == '\\' && (name[1] == ' ' || name[1] == '\\')))
			buf_addc(out, '\\');
		buf_addc(out, *name);
	}
}

size_t file_words_last(struct str text)
{
	const char *p = text.p, *end = text.p + text.len;
	size_t from = 0;

	for (; p < end; p++)
		if (is_escape(p, end))
			p++;
		else if (*p == ' ')
			from = (size_t)(p + 1 - text.p);
	return from;
}
