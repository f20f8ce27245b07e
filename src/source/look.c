/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Going left, the end of a line comment cannot be seen before its beginning is: the line is read
 * from its start then, with its strings. */
#include "config.h"

#include "source/look.h"

bool look_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '$' || c == '#' || (unsigned char)c >= 0x80;
}

bool look_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

char look_at(const struct look *l, size_t i)
{
	return i < l->high ? l->text.p[i] : 0;
}

char look_before(const struct look *l, size_t i)
{
	return i > l->low && i <= l->high ? l->text.p[i - 1] : 0;
}

size_t look_skip_blanks(const struct look *l, size_t i)
{
	for (;;) {
		while (i < l->high && look_is_blank(l->text.p[i]))
			i++;
		if (look_at(l, i) == '/' && look_at(l, i + 1) == '/') {
			while (i < l->high && l->text.p[i] != '\n')
				i++;
		} else if (look_at(l, i) == '/' && look_at(l, i + 1) == '*') {
			i += 2;
			while (i < l->high && !(l->text.p[i] == '*' && look_at(l, i + 1) == '/'))
				i++;
			i = i < l->high ? i + 2 : i;
		} else {
			return i < l->high ? i : l->high;
		}
	}
}

struct str look_word(const struct look *l, size_t i)
{
	size_t end = i;

	while (end < l->high && look_is_word(l->text.p[end]))
		end++;
	return (struct str){ l->text.p + i, end - i };
}

size_t look_skip_brackets(const struct look *l, size_t i)
{
	size_t depth = 0;

	for (; i < l->high; i++) {
		char c = l->text.p[i];

		if (c == '"' || c == '\'' || c == '`') {
			for (i++; i < l->high && l->text.p[i] != c; i++)
				i += l->text.p[i] == '\\';
		} else if (c == '/' && (look_at(l, i + 1) == '/' || look_at(l, i + 1) == '*')) {
			i = look_skip_blanks(l, i) - 1;
		} else if (c == '(' || c == '[' || c == '{') {
			depth++;
		} else if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
			return i + 1;
		}
	}
	return 0;
}

/* Where a line comment begins in the line that ends at `end`; `end`: there is none. */
static size_t line_comment(const struct look *l, size_t end)
{
	size_t from = end;
	char quote = 0;

	while (from > l->low && l->text.p[from - 1] != '\n')
		from--;
	for (size_t i = from; i < end; i++) {
		char c = l->text.p[i];

		if (quote) {
			if (c == '\\')
				i++;
			else if (c == quote)
				quote = 0;
		} else if (c == '"' || c == '\'' || c == '`') {
			quote = c;
		} else if (c == '/' && i + 1 < end && l->text.p[i + 1] == '/') {
			return i;
		}
	}
	return end;
}

size_t look_skip_left(const struct look *l, size_t i)
{
	while (i > l->low) {
		char c = l->text.p[i - 1];

		if (c == '\n') {
			i = line_comment(l, i - 1);
		} else if (look_is_blank(c)) {
			i--;
		} else if (c == '/' && i - l->low > 3 && l->text.p[i - 2] == '*') {
			for (i -= 3;
			     i > l->low && !(l->text.p[i] == '*' && l->text.p[i - 1] == '/');)
				i--;
			i = i > l->low ? i - 1 : i;
		} else {
			break;
		}
	}
	return i;
}

struct str look_word_before(const struct look *l, size_t i)
{
	size_t from = i;

	while (from > l->low && look_is_word(l->text.p[from - 1]))
		from--;
	return (struct str){ l->text.p + from, i - from };
}

struct str look_key_before(const struct look *l, size_t i)
{
	char quote = i > l->low ? l->text.p[i - 1] : 0;
	size_t from;

	if (quote != '"' && quote != '\'')
		return look_word_before(l, i);
	for (from = i - 1; from > l->low && l->text.p[from - 1] != quote;)
		from--;
	return (struct str){ l->text.p + from, i - 1 - from };
}
