/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing inside a code span is markup, except for two things: backticks, which end it, and in a
 * table the bar, which ends the cell. Text with one of these is an element <code> instead, in which
 * all punctuation is written as character references. References never become markup. */
#include "config.h"

#include "write/report/markdown.h"

#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* What can be markup within a word. A slash or a colon can be that of a URL. */
#define SPECIAL "`*_[]<>|\\~#@$&:/!{}^"
/* What can be markup at the start of a line, too. */
#define STARTS "+-=>#"
#define ENDS ".,;:!?)\"'"

static void add_references(struct buf *out, const char *text, size_t len)
{
	buf_adds(out, "<code>");
	for (size_t i = 0; i < len; i++)
		if (ispunct((unsigned char)text[i]) && (unsigned char)text[i] < 0x80)
			buf_addf(out, "&#%d;", text[i]);
		else
			buf_addc(out, text[i]);
	buf_adds(out, "</code>");
}

/* The text is visible. */
static void add_code(struct buf *out, const char *text, size_t len)
{
	bool is_plain = !memchr(text, '`', len) && !memchr(text, '|', len);

	if (len == 0)
		return;
	if (!is_plain) {
		add_references(out, text, len);
		return;
	}
	buf_addc(out, '`');
	buf_add(out, text, len);
	buf_addc(out, '`');
}

void markdown_code(struct buf *out, const char *text, size_t len)
{
	struct buf visible = { 0 };

	text_visible(&visible, text, len);
	add_code(out, buf_text(&visible), visible.len);
	buf_done(&visible);
}

static bool is_special(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (strchr(SPECIAL, word[i]))
			return true;
	return len > 4 && strncmp(word, "www.", 4) == 0;
}

/* Whether a word at the start of a line makes something else of it, such as a list. */
static bool is_start(const char *word)
{
	size_t digits = strspn(word, "0123456789");

	return strchr(STARTS, word[0]) || (digits && (word[digits] == '.' || word[digits] == ')'));
}

/* The length of a word without the punctuation of the sentence around it. */
static size_t bare(const char *word, size_t len)
{
	while (len && strchr(ENDS, word[len - 1]))
		len--;
	return len;
}

static void add_word(struct buf *out, const char *word, size_t len, bool is_first)
{
	size_t own = bare(word, len);

	if (!is_special(word, own ? own : len) && !(is_first && is_start(word))) {
		buf_add(out, word, len);
		return;
	}
	own = own ? own : len;
	if (own > 1 && word[0] == '(') {
		buf_addc(out, '(');
		word++;
		own--;
		len--;
	}
	add_code(out, word, own);
	buf_add(out, word + own, len - own);
}

void markdown_words(struct buf *out, const char *text, size_t len)
{
	struct buf visible = { 0 };
	const char *word, *end;
	bool is_first = true;

	text_visible(&visible, text, len);
	for (word = buf_text(&visible); *word; word = *end ? end + 1 : end) {
		end = word + strcspn(word, " ");
		if (end == word)
			continue;
		buf_adds(out, is_first ? "" : " ");
		add_word(out, word, (size_t)(end - word), is_first);
		is_first = false;
	}
	buf_done(&visible);
}
