/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines are appended at once, so that none is lost however the program ends, and several programs
 * share the file. When it is full, it is written anew from the lines in memory, which are each
 * there once. */
#include "config.h"

#include "cli/line_history.h"

#include "base/text.h"
#include "cli/user_file.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MOST ((size_t)1 << 20) /* bytes that are read: the end of the file */

static int most_lines(const struct prompt_history *lines)
{
	return lines->most > 0 ? lines->most : PROMPT_HISTORY;
}

/* Whether the prompt could have made this text. */
static bool is_line(const char *text, size_t len)
{
	const char *end = text + len;

	if (len == 0 || len > PROMPT_MOST)
		return false;
	while (text < end) {
		const char *from = text;
		uint32_t cp = text_next(&text, end);

		if (text_is_control(cp) || text_is_ill_formed(cp, from, text))
			return false;
	}
	return true;
}

/* The beginning of the last `n` lines. */
static const char *last_lines(const char *text, size_t len, int n)
{
	const char *at = text + len;

	if (len && at[-1] == '\n')
		at--;
	while (at > text && !(at[-1] == '\n' && --n == 0))
		at--;
	return at;
}

static void take_lines(struct line_history *h, const struct buf *text, struct prompt_history *lines)
{
	const char *end = buf_text(text) + text->len;
	const char *at = last_lines(buf_text(text), text->len, most_lines(lines));

	h->n_in_file = at > buf_text(text) ? most_lines(lines) : 0;
	for (const char *stop; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		h->n_in_file += h->n_in_file < most_lines(lines);
		if (is_line(at, (size_t)(stop - at))) {
			char *line = strndup(at, (size_t)(stop - at));

			if (line)
				prompt_history_add(lines, line);
			free(line);
		}
	}
}

bool line_history_open(struct line_history *h, const char *path, struct prompt_history *lines,
		       struct error *err)
{
	struct buf text = { 0 };
	bool ok = user_file_read(path, FILE_MOST, true, &text, err) != USER_FILE_FAILED;

	if (ok) {
		take_lines(h, &text, lines);
		buf_adds(&h->path, path);
	}
	buf_done(&text);
	return ok;
}

void line_history_done(struct line_history *h)
{
	buf_done(&h->path);
	*h = (struct line_history){ 0 };
}

bool line_history_keep(struct line_history *h, const struct prompt_history *lines, const char *line,
		       struct error *err)
{
	struct buf text = { 0 };
	bool ok;

	if (!h->path.len)
		return true;
	if (h->n_in_file < most_lines(lines)) {
		buf_addf(&text, "%s\n", line);
		ok = user_file_append(buf_text(&h->path), &text, err);
		h->n_in_file++;
	} else {
		for (int i = 0; i < lines->n; i++)
			buf_addf(&text, "%s\n", lines->texts[i]);
		ok = user_file_replace(buf_text(&h->path), &text, err);
		h->n_in_file = lines->n;
	}
	/* It fails the next time, too. */
	if (!ok)
		buf_clear(&h->path);
	buf_done(&text);
	return ok;
}
