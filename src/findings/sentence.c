/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `f app.js:3 54 %; GC 22 % (line 1: 92 %)` has three parts. What is in parentheses is one. */
#include "config.h"

#include "findings/sentence.h"

#include "base/text.h"

#include <string.h>

#define ELLIPSIS "\342\200\246"

/* Whether a part may end before `p`, which is not at the beginning. */
static bool is_end(const char *p)
{
	return *p == '\0' || (*p == ' ' && p[1] == '(') || (strchr(";,:", *p) && p[1] == ' ');
}

/* The length of the longest beginning of whole parts that fits; 0: none does. */
static size_t whole_parts(const char *text, int room)
{
	size_t fits = 0;
	int depth = 0;

	for (size_t i = 0; i == 0 || text[i - 1]; i++) {
		if (i && depth == 0 && is_end(text + i)) {
			if (text_cells(text, i) > room)
				break;
			fits = i;
		}
		depth += text[i] == '(' ? 1 : text[i] == ')' && depth > 0 ? -1 : 0;
	}
	return fits;
}

static size_t word_start(const char *text, size_t len)
{
	while (len && text[len - 1] != ' ')
		len--;
	return len;
}

static size_t without_blanks(const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	return len;
}

static bool has_digit(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] >= '0' && text[i] <= '9')
			return true;
	return false;
}

/* The length without the last word, if that has a digit: its end or its unit is missing. What
 * stands before it may be the thousands of the same number. */
static size_t without_number(const char *text, size_t len)
{
	size_t end = without_blanks(text, len), start = word_start(text, end);

	if (!start || !has_digit(text + start, end - start))
		return len;
	for (;;) {
		end = without_blanks(text, start);
		start = word_start(text, end);
		if (!start || strspn(text + start, "0123456789") < end - start)
			return end;
	}
}

int sentence_fit(struct buf *out, const char *text, int room)
{
	size_t len = strlen(text), fits = whole_parts(text, room);
	struct buf cut = { 0 };
	int cells;

	/* One word of several, such as `inside`, says nothing. */
	if (fits == len || (fits && memchr(text, ' ', fits)))
		return text_fit_start(out, text, fits, room);
	text_fit_start(&cut, text, len, room - (room > 1));
	cells = text_fit_start(out, buf_text(&cut), without_number(buf_text(&cut), cut.len), room);
	if (room > 1) {
		buf_adds(out, ELLIPSIS);
		cells++;
	}
	buf_done(&cut);
	return cells;
}

bool sentence_is_whole(const char *fitted)
{
	size_t len = strlen(fitted), mark = strlen(ELLIPSIS);

	return len < mark || strcmp(fitted + len - mark, ELLIPSIS) != 0;
}
