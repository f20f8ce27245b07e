/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks stand at most MARK_BYTES and a token apart, so that a line in the middle of a long file, or
 * the middle of a long line, is highlighted after a look at little more than itself. */
#include "config.h"

#include "model/source_text.h"

#include "base/alloc.h"

#include <string.h>

/* ==== source lex ====
 *
 * A token is read by the mode that the tokens before it left. The mode of a template with an open
 * `${` is kept as a count of braces: at the brace that closes it, the template goes on.
 *
 * A `/` begins a regular expression where no value ends and another `/` follows on its line. */

/* Read a token that begins at `at` < len: returns where it ends, and sets its kind. No token has
 * more than SOURCE_LEX_MAX bytes or a line break inside: longer ones come in parts. A line break
 * is the last byte of its token. */
#define SOURCE_LEX_MAX ((size_t)4096)
#define REGEXP_MAX ((size_t)1000) /* bytes in which the end of a regular expression is sought */

enum mode { CODE, BLOCK_COMMENT, LINE_COMMENT, SINGLE, DOUBLE, TEMPLATE };

static bool is_break(char c)
{
	return c == '\n' || c == '\r';
}

/* In the order of strcmp(). */
static const struct {
	const char *word;
	/* VALUE: a value ends after it. NAME: it is a name as well, and counts only where
	 * another word follows on the line, as in `type Name =`, `async function`, `for (const x of
	 * list)`. */
	enum { WORD, VALUE, NAME } is;
} keywords[] = {
	/* clang-format off */
	{ "abstract", NAME },      { "as", NAME },            { "async", NAME },
	{ "await", WORD },         { "break", WORD },         { "case", WORD },
	{ "catch", WORD },         { "class", WORD },         { "const", WORD },
	{ "continue", WORD },      { "debugger", WORD },      { "declare", NAME },
	{ "default", WORD },       { "delete", WORD },        { "do", WORD },
	{ "else", WORD },          { "enum", WORD },          { "export", WORD },
	{ "extends", WORD },       { "false", VALUE },        { "finally", WORD },
	{ "for", WORD },           { "from", NAME },          { "function", WORD },
	{ "if", WORD },            { "implements", WORD },    { "import", WORD },
	{ "in", WORD },            { "instanceof", WORD },    { "interface", WORD },
	{ "let", WORD },           { "namespace", NAME },     { "new", WORD },
	{ "null", VALUE },         { "of", NAME },            { "private", NAME },
	{ "protected", NAME },     { "public", NAME },        { "readonly", NAME },
	{ "return", WORD },        { "satisfies", NAME },     { "static", NAME },
	{ "super", VALUE },        { "switch", WORD },        { "this", VALUE },
	{ "throw", WORD },         { "true", VALUE },         { "try", WORD },
	{ "type", NAME },          { "typeof", WORD },        { "undefined", VALUE },
	{ "using", NAME },         { "var", WORD },           { "void", WORD },
	{ "while", WORD },         { "with", WORD },          { "yield", WORD },
	/* clang-format on */
};

static bool is_before_word(const char *text, size_t at, size_t len)
{
	size_t from = at;

	while (at < len && at - from < 8 && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at > from && at < len &&
		(source_is_word(text[at]) || strchr("\"'`{[*", text[at]) != NULL);
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

	while (end < len && end - at < SOURCE_LEX_MAX && source_is_word(text[end]))
		end++;
	lex->has_value = true;
	row = find_keyword(text + at, end - at);
	/* `a.default` is a name, and so is the key `default:`, except after `case`. */
	if (row == SIZE_MAX || (at > 0 && text[at - 1] == '.') ||
	    (keywords[row].is == NAME && !is_before_word(text, end, len)))
		return end;
	*kind = SOURCE_KEYWORD;
	lex->has_value = keywords[row].is == VALUE;
	return end;
}

/* The end of the regular expression that begins at `at`, with its flags; 0: none does. */
static size_t end_of_regexp(const char *text, size_t at, size_t len)
{
	bool in_class = false;
	size_t end = len - at > REGEXP_MAX ? at + REGEXP_MAX : len;

	for (size_t i = at + 1; i < end && !is_break(text[i]); i++) {
		if (text[i] == '\\' && i + 1 < end && !is_break(text[i + 1])) {
			i++;
		} else if (text[i] == '[') {
			in_class = true;
		} else if (text[i] == ']') {
			in_class = false;
		} else if (text[i] == '/' && !in_class) {
			for (i++; i < len && source_is_word(text[i]) && i < end;)
				i++;
			return i;
		}
	}
	return 0;
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
		uint8_t *n = lex->n_templates ? &lex->braces[lex->n_templates - 1] : NULL;

		lex->has_value = false;
		if (n && *n < UINT8_MAX)
			++*n;
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
	return source_is_word(text[at]) ? read_word(lex, text, at, len, kind)
					: read_sign(lex, text, at, len, kind);
}

static size_t read_comment(struct source_lex *lex, const char *text, size_t at, size_t len)
{
	size_t end = at;

	while (end < len && end - at < SOURCE_LEX_MAX) {
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

	while (end < len && end - at < SOURCE_LEX_MAX) {
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
			lex->mode = CODE;
			lex->has_value = true;
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

/* ==== source text ==== */

#define MARK_BYTES 4096u

/* ---- lines ---- */

/* Bytes of the line break at `at`; 0: there is none. */
static size_t break_at(const char *text, size_t at, size_t len)
{
	if (text[at] == '\n')
		return 1;
	if (text[at] == '\r')
		return at + 1 < len && text[at + 1] == '\n' ? 2 : 1;
	/* U+2028 and U+2029. */
	return len - at >= 3 && (unsigned char)text[at] == 0xE2 &&
			(unsigned char)text[at + 1] == 0x80 &&
			((unsigned char)text[at + 2] & 0xFE) == 0xA8
		? 3
		: 0;
}

static void add_line(struct source_text *text, size_t at)
{
	*ARRAY_ADD(text->lines, text->n_lines, text->cap_lines) = (uint32_t)at;
}

static void index_marks(struct source_text *text)
{
	const char *bytes = buf_text(&text->bytes);
	struct source_lex lex = { 0 };
	size_t next = 0;

	for (size_t at = 0; at < text->bytes.len || text->n_marks == 0;) {
		enum source_kind kind;

		if (at >= next) {
			*ARRAY_ADD(text->marks, text->n_marks,
				   text->cap_marks) = (struct source_mark){ (uint32_t)at, lex };
			next = at + MARK_BYTES;
		}
		if (at < text->bytes.len)
			at = source_lex_next(&lex, bytes, at, text->bytes.len, &kind);
	}
}

void source_text_index(struct source_text *text, bool has_highlight)
{
	const char *bytes = buf_text(&text->bytes);
	size_t len = text->bytes.len;

	add_line(text, 0);
	for (size_t at = 0; at < len;) {
		size_t n = 0;

		/* Most bytes are no line ends. */
		if (bytes[at] == '\n' || bytes[at] == '\r' || (unsigned char)bytes[at] == 0xE2)
			n = break_at(bytes, at, len);
		at += n ? n : 1;
		/* An empty last line does not count. */
		if (n && at < len)
			add_line(text, at);
	}
	if (has_highlight)
		index_marks(text);
}

struct str source_text_line(const struct source_text *text, size_t line)
{
	const char *bytes = buf_text(&text->bytes);
	size_t from, end;

	if (line >= text->n_lines)
		return (struct str){ bytes, 0 };
	from = text->lines[line];
	end = line + 1 < text->n_lines ? text->lines[line + 1] : text->bytes.len;
	while (end > from && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r'))
		end--;
	if (end - from >= 3 && break_at(bytes, end - 3, end) == 3)
		end -= 3;
	return (struct str){ bytes + from, end - from };
}

size_t source_text_byte(struct str line, uint32_t column)
{
	size_t at = 0;

	for (uint32_t units = 0; at < line.len && units < column;) {
		unsigned char c = (unsigned char)line.p[at++];

		/* Four bytes of UTF-8 are two units of UTF-16. */
		units += c >= 0xF0 ? 2 : 1;
		while (at < line.len && ((unsigned char)line.p[at] & 0xC0) == 0x80)
			at++;
	}
	return at;
}

size_t source_text_lex(const struct source_text *text, size_t from, struct source_lex *lex)
{
	size_t low = 0, high = text->n_marks;

	/* The last mark that is not behind `from`. */
	while (high - low > 1) {
		size_t mid = (low + high) / 2;

		if (text->marks[mid].at <= from)
			low = mid;
		else
			high = mid;
	}
	*lex = text->marks[low].lex;
	return text->marks[low].at;
}

/* ---- what is wanted ---- */

bool source_text_wanted(const struct profile *profile, frame_id id, uint32_t input,
			struct source_wanted *wanted)
{
	const struct frame *frame = profile_frame(profile, id);
	const struct frame *other = other_names_of(profile, id);

	if (!frame->url)
		return false;
	*wanted = (struct source_wanted){ .url = profile_text(profile, frame->url),
					  .length_s = profile->t1 / NS_PER_S };
	if (input < profile->n_inputs) {
		const struct input *in = &profile->inputs[input];

		wanted->input = profile_text(profile, in->path);
		wanted->has_date = in->has_date;
		wanted->is_utc = in->is_utc;
		wanted->date_s = in->date_s;
		wanted->changed_s = in->print.is_known ? in->print.changed_s : 0;
	}
	if (other && other->url && profile->other && !profile->other->is_source) {
		wanted->script = profile_text(profile, other->url);
		/* Note where one of the inputs has the map of a script; that of the function comes
		 * first. */
		for (uint32_t i = 0; i <= profile->n_inputs && !wanted->map_path; i++) {
			uint32_t n = i ? i - 1 : input;
			const struct input *in = n < profile->n_inputs ? &profile->inputs[n] : NULL;

			for (size_t k = 0; in && k < in->n_maps && !wanted->map_path; k++) {
				struct input_place place;

				if (in->maps[k].url != other->url)
					continue;
				place = input_place_at(in, in->maps[k].offset);
				wanted->map_path = profile_text(profile, place.path);
				wanted->map_print = place.print;
				wanted->map_offset = place.offset;
			}
		}
	}
	return true;
}
