/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A token is read by the mode that the tokens before it left. The mode of a template with an open
 * `${` is kept as a count of braces: at the brace that closes it, the template goes on.
 *
 * A `/` begins a regular expression where no value ends and another `/` follows on its line. */
#include "config.h"

#include "model/source_lex.h"

#include "base/alloc.h"

#include <string.h>

#define REGEXP_MOST ((size_t)1000) /* bytes in which the end of a regular expression is sought */

enum mode { CODE, BLOCK_COMMENT, LINE_COMMENT, SINGLE, DOUBLE, TEMPLATE };

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_break(char c)
{
	return c == '\n' || c == '\r';
}

/* In the order of strcmp(). Words after which a value ends: `this` and the like. */
static const struct {
	const char *word;
	bool is_value;
} keywords[] = {
	{ "abstract", false },  { "as", false },         { "async", false },
	{ "await", false },     { "break", false },      { "case", false },
	{ "catch", false },     { "class", false },      { "const", false },
	{ "continue", false },  { "debugger", false },   { "declare", false },
	{ "default", false },   { "delete", false },     { "do", false },
	{ "else", false },      { "enum", false },       { "export", false },
	{ "extends", false },   { "false", true },       { "finally", false },
	{ "for", false },       { "from", false },       { "function", false },
	{ "if", false },        { "implements", false }, { "import", false },
	{ "in", false },        { "instanceof", false }, { "interface", false },
	{ "let", false },       { "namespace", false },  { "new", false },
	{ "null", true },       { "of", false },         { "private", false },
	{ "protected", false }, { "public", false },     { "readonly", false },
	{ "return", false },    { "satisfies", false },  { "static", false },
	{ "super", true },      { "switch", false },     { "this", true },
	{ "throw", false },     { "true", true },        { "try", false },
	{ "type", false },      { "typeof", false },     { "undefined", true },
	{ "using", false },     { "var", false },        { "void", false },
	{ "while", false },     { "with", false },       { "yield", false },
};

/* Words that are names as well: they count only where another word follows on the line, as in `type
 * Name =`, `async function`, `for (const x of list)`. */
static bool is_also_name(const char *word)
{
	static const char *const names[] = { "abstract",  "as",        "async",     "declare",
					     "from",      "namespace", "of",        "private",
					     "public",    "readonly",  "satisfies", "static",
					     "protected", "type",      "using" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], word) == 0)
			return true;
	return false;
}

static bool is_before_word(const char *text, size_t at, size_t len)
{
	size_t from = at;

	while (at < len && at - from < 8 && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at > from && at < len && (is_word(text[at]) || strchr("\"'`{[*", text[at]) != NULL);
}

/* The row of a keyword; SIZE_MAX: the word is none. */
static size_t find_keyword(const char *word, size_t len)
{
	size_t low = 0, high = ARRAY_LEN(keywords);

	while (low < high) {
		size_t mid = (low + high) / 2;
		int c = strncmp(word, keywords[mid].word, len);

		if (c == 0 && keywords[mid].word[len])
			c = -1;
		if (c == 0)
			return mid;
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return SIZE_MAX;
}

static size_t read_word(struct source_lex *lex, const char *text, size_t at, size_t len,
			enum source_kind *kind)
{
	size_t end = at, row;

	while (end < len && end - at < SOURCE_LEX_MOST && is_word(text[end]))
		end++;
	lex->has_value = true;
	row = find_keyword(text + at, end - at);
	/* `a.default` is a name, and so is the key `default:`, except after `case`. */
	if (row == SIZE_MAX || (at > 0 && text[at - 1] == '.') ||
	    (is_also_name(keywords[row].word) && !is_before_word(text, end, len)))
		return end;
	*kind = SOURCE_KEYWORD;
	lex->has_value = keywords[row].is_value;
	return end;
}

/* The end of the regular expression that begins at `at`, with its flags; 0: none does. */
static size_t end_of_regexp(const char *text, size_t at, size_t len)
{
	bool in_class = false;
	size_t end = len - at > REGEXP_MOST ? at + REGEXP_MOST : len;

	for (size_t i = at + 1; i < end && !is_break(text[i]); i++) {
		if (text[i] == '\\' && i + 1 < end && !is_break(text[i + 1])) {
			i++;
		} else if (text[i] == '[') {
			in_class = true;
		} else if (text[i] == ']') {
			in_class = false;
		} else if (text[i] == '/' && !in_class) {
			for (i++; i < len && is_word(text[i]) && i < end;)
				i++;
			return i;
		}
	}
	return 0;
}

static void open_brace(struct source_lex *lex)
{
	uint8_t *n = lex->n_templates ? &lex->braces[lex->n_templates - 1] : NULL;

	lex->has_value = false;
	if (n && *n < UINT8_MAX)
		++*n;
}

static void close_brace(struct source_lex *lex)
{
	lex->has_value = true;
	if (!lex->n_templates)
		return;
	if (lex->braces[lex->n_templates - 1]) {
		lex->braces[lex->n_templates - 1]--;
		return;
	}
	lex->n_templates--;
	lex->mode = TEMPLATE;
}

/* A byte of code that begins no word. */
static size_t read_sign(struct source_lex *lex, const char *text, size_t at, size_t len,
			enum source_kind *kind)
{
	char c = text[at], next = at + 1 < len ? text[at + 1] : '\0';
	size_t end;

	if (c == '/' && (next == '/' || next == '*')) {
		lex->mode = next == '/' ? LINE_COMMENT : BLOCK_COMMENT;
		*kind = SOURCE_COMMENT;
		return at + 2;
	}
	if (c == '"' || c == '\'' || c == '`') {
		lex->mode = c == '"' ? DOUBLE : c == '\'' ? SINGLE : TEMPLATE;
		*kind = SOURCE_STRING;
		return at + 1;
	}
	if (c == '/' && !lex->has_value && (end = end_of_regexp(text, at, len)) > 0) {
		*kind = SOURCE_STRING;
		lex->has_value = true;
		return end;
	}
	if (c == '{') {
		open_brace(lex);
	} else if (c == '}') {
		close_brace(lex);
		/* It belongs to the template, as the `${` does. */
		if (lex->mode == TEMPLATE)
			*kind = SOURCE_STRING;
	} else if (c != ' ' && c != '\t' && !is_break(c)) {
		lex->has_value = c == ')' || c == ']';
	}
	return at + 1;
}

static size_t read_code(struct source_lex *lex, const char *text, size_t at, size_t len,
			enum source_kind *kind)
{
	*kind = SOURCE_PLAIN;
	/* `#!` is a comment, but only at the beginning. */
	if (at == 0 && len > 1 && text[0] == '#' && text[1] == '!') {
		lex->mode = LINE_COMMENT;
		*kind = SOURCE_COMMENT;
		return 2;
	}
	return is_word(text[at]) ? read_word(lex, text, at, len, kind)
				 : read_sign(lex, text, at, len, kind);
}

/* The mode ends: a value did. */
static void end_value(struct source_lex *lex)
{
	lex->mode = CODE;
	lex->has_value = true;
}

static size_t read_comment(struct source_lex *lex, const char *text, size_t at, size_t len)
{
	size_t end = at;

	while (end < len && end - at < SOURCE_LEX_MOST) {
		char c = text[end++];

		if (is_break(c)) {
			if (lex->mode == LINE_COMMENT)
				lex->mode = CODE;
			break;
		}
		if (lex->mode == BLOCK_COMMENT && c == '*' && end < len && text[end] == '/') {
			lex->mode = CODE;
			return end + 1;
		}
	}
	return end;
}

static size_t read_string(struct source_lex *lex, const char *text, size_t at, size_t len)
{
	char quote = lex->mode == DOUBLE ? '"' : lex->mode == SINGLE ? '\'' : '`';
	size_t end = at;

	while (end < len && end - at < SOURCE_LEX_MOST) {
		char c = text[end++];

		if (c == '\\' && end < len) {
			/* A line that ends with it goes on; `\r\n` is one break. */
			if (text[end] == '\r' && end + 1 < len && text[end + 1] == '\n')
				end++;
			if (is_break(text[end++]))
				break;
		} else if (is_break(c)) {
			if (quote != '`')
				lex->mode = CODE;
			break;
		} else if (c == quote) {
			end_value(lex);
			break;
		} else if (quote == '`' && c == '$' && end < len && text[end] == '{' &&
			   lex->n_templates < SOURCE_LEX_TEMPLATES) {
			lex->braces[lex->n_templates++] = 0;
			lex->mode = CODE;
			lex->has_value = false;
			return end + 1;
		}
	}
	return end;
}

size_t source_lex_next(struct source_lex *lex, const char *text, size_t at, size_t len,
		       enum source_kind *kind)
{
	switch ((enum mode)lex->mode) {
	case BLOCK_COMMENT:
	case LINE_COMMENT:
		*kind = SOURCE_COMMENT;
		return read_comment(lex, text, at, len);
	case SINGLE:
	case DOUBLE:
	case TEMPLATE:
		*kind = SOURCE_STRING;
		return read_string(lex, text, at, len);
	case CODE:
		break;
	}
	return read_code(lex, text, at, len, kind);
}
