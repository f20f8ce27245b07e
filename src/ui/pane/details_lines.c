/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values begin in one column. Wrapped lines go on below the value. */
#include "config.h"

#include "ui/pane/details_lines.h"

#include "base/text.h"
#include "base/units.h"
#include "draw/lines.h"
#include "ui/state.h"

#include <string.h>

#define VALUE_MOST 65536 /* bytes of a value that are shown */
#define KEY_CELLS 14

void details_lines_head(struct details_lines *p, const char *text)
{
	if (p->lines->n)
		lines_add(p->lines, "", 0, p->cols, 0, false);
	lines_add(p->lines, text, strlen(text), p->cols, 0, true);
}

void details_lines_pair(struct details_lines *p, const char *key, const char *value, size_t len)
{
	size_t shown = len < VALUE_MOST ? len : VALUE_MOST;
	char more[UNITS_MAX];
	struct buf line = { 0 };

	buf_adds(&line, key);
	for (int i = (int)strlen(key); i < KEY_CELLS; i++)
		buf_addc(&line, ' ');
	/* Not inside a character. */
	for (int i = 0; i < 3 && shown < len && ((unsigned char)value[shown] & 0xC0) == 0x80; i++)
		shown--;
	text_visible(&line, value, shown);
	if (shown < len) {
		units_count(len - shown, more);
		buf_addf(&line, "\342\200\246 %s more bytes", more);
	}
	lines_add(p->lines, buf_text(&line), line.len, p->cols, KEY_CELLS, false);
	buf_done(&line);
}

void details_lines_text(struct details_lines *p, const char *key, const char *value)
{
	if (*value)
		details_lines_pair(p, key, value, strlen(value));
}

void details_lines_time(struct details_lines *p, const char *key, int64_t ns)
{
	char text[UNITS_MAX];

	profile_exact(p->app->s.profile, ns, text);
	details_lines_text(p, key, text);
}

void details_lines_count(struct details_lines *p, const char *key, uint64_t n)
{
	char text[UNITS_MAX];

	units_count(n, text);
	details_lines_text(p, key, text);
}

void details_lines_block(struct details_lines *p, const struct buf *text)
{
	const char *at = buf_text(text), *end = at + text->len;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((stop ? stop : end) - at);
		int indent = 0;

		while ((size_t)indent < len && at[indent] == ' ')
			indent++;
		lines_add(p->lines, at, len, p->cols, indent + 4, false);
		at += len + 1;
	}
}
