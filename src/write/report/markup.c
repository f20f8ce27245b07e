/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters, not bytes, are looked at, as bytes that are not UTF-8 must not reach the file. */
#include "config.h"

#include "write/report/markup.h"

#include "base/text.h"

#include <string.h>

/* The visible form has < and >. XML permits few of these characters, and a viewer obeys others. */
static void add_control(struct buf *out, uint32_t cp)
{
	char seen[12];

	text_control(cp, seen);
	if (*seen == '<')
		buf_addf(out, "&lt;%.*s&gt;", (int)strlen(seen) - 2, seen + 1);
	else
		buf_adds(out, seen);
}

void markup_text(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *from = text;
		uint32_t cp = text_next(&text, end);

		if (cp == '<')
			buf_adds(out, "&lt;");
		else if (cp == '>')
			buf_adds(out, "&gt;");
		else if (cp == '&')
			buf_adds(out, "&amp;");
		else if (text_is_ill_formed(cp, from, text))
			buf_add_utf8(out, TEXT_REPLACEMENT);
		else if (text_is_control(cp) && cp != '\n')
			add_control(out, cp);
		else
			buf_add(out, from, (size_t)(text - from));
	}
}
