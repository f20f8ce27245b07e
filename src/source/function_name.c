/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two small readers of tokens, one to the right and one to the left. The right one finds what kind
 * of function begins at the position; of one without a name of its own, the left one finds the
 * variable, property or member to which it is assigned. */
#include "config.h"

#include "source/function_name.h"

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* ==== look ====
 *
 * Going left, the end of a line comment cannot be seen before its beginning is: the line is read
 * from its start then, with its strings. */

/* Whether a byte belongs to a word: a letter, a digit, `_`, `$`, `#`, or not ASCII. */
static bool look_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '$' || c == '#' || (unsigned char)c >= 0x80;
}

static bool look_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct look {
	struct str text;
	size_t low, high; /* the range that may be read */
};

/* The byte at i, or in front of i; 0: that is beyond the range. */
static char look_at(const struct look *l, size_t i)
{
	return i < l->high ? l->text.p[i] : 0;
}

static char look_before(const struct look *l, size_t i)
{
	return i > l->low && i <= l->high ? l->text.p[i - 1] : 0;
}

/* The first byte from i on that is no blank and in no comment. */
static size_t look_skip_blanks(const struct look *l, size_t i)
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

/* The word at i, or the word that ends at i; empty when there is none. */
static struct str look_word(const struct look *l, size_t i)
{
	size_t end = i;

	while (end < l->high && look_is_word(l->text.p[end]))
		end++;
	return (struct str){ l->text.p + i, end - i };
}

/* Behind the bracket that closes the one at i; 0: it is not in the range. Strings are passed. */
static size_t look_skip_brackets(const struct look *l, size_t i)
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

/* The end of what is in front of the blanks and comments that end at i. */
static size_t look_skip_left(const struct look *l, size_t i)
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

static struct str look_word_before(const struct look *l, size_t i)
{
	size_t from = i;

	while (from > l->low && look_is_word(l->text.p[from - 1]))
		from--;
	return (struct str){ l->text.p + from, i - from };
}

/* The key that ends at i: a word, or a string, without its quotes. */
static struct str look_key_before(const struct look *l, size_t i)
{
	char quote = i > l->low ? l->text.p[i - 1] : 0;
	size_t from;

	if (quote != '"' && quote != '\'')
		return look_word_before(l, i);
	for (from = i - 1; from > l->low && l->text.p[from - 1] != quote;)
		from--;
	return (struct str){ l->text.p + from, i - 1 - from };
}

/* ==== function name ==== */

#define REACH 4096u        /* bytes that are read on either side */
#define CLASS_REACH 65536u /* the class around a constructor */

/* ---- to the right ---- */

static bool is_one_of(struct str word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(word, list[i]))
			return true;
	return false;
}

/* Words that are in front of the name of a member. */
static bool is_modifier(struct str word)
{
	static const char *const list[] = { "async",    "static",   "get",       "set",
					    "public",   "private",  "protected", "readonly",
					    "abstract", "override", "export",    "default",
					    "accessor", "declare" };

	return is_one_of(word, list, sizeof(list) / sizeof(list[0]));
}

/* Words in front of a parenthesis that name no function. */
static bool is_keyword(struct str word)
{
	static const char *const list[] = { "await",     "case",  "catch",  "const",   "delete",
					    "do",        "else",  "export", "extends", "for",
					    "if",        "in",    "let",    "new",     "return",
					    "switch",    "throw", "typeof", "var",     "void",
					    "while",     "with",  "yield",  "default", "as",
					    "instanceof" };

	return is_one_of(word, list, sizeof(list) / sizeof(list[0]));
}

/* Behind type parameters, `<T extends object>`, if there are any at i. */
static size_t skip_types(const struct look *l, size_t i)
{
	size_t depth = 0;

	if (look_at(l, i) != '<')
		return i;
	for (size_t k = i; k < l->high; k++) {
		char c = l->text.p[k];

		if (c == '<')
			depth++;
		else if (c == '>' && k && l->text.p[k - 1] != '=' && --depth == 0)
			return look_skip_blanks(l, k + 1);
		else if (c == ';')
			break;
	}
	return i;
}

/* Whether the parenthesis at i holds the parameters of an arrow function: `=>` follows, perhaps
 * behind the type of its result. */
static bool is_arrow(const struct look *l, size_t i)
{
	size_t end = look_skip_brackets(l, i);

	if (!end)
		return false;
	end = look_skip_blanks(l, end);
	if (look_at(l, end) == ':') {
		for (; end < l->high; end++) {
			char c = l->text.p[end];

			if (c == ';' || c == '\n' ||
			    (c == '{' && look_at(l, look_skip_blanks(l, end + 1)) != '}'))
				return false;
			if (c == '=')
				break;
		}
	}
	return look_at(l, end) == '=' && look_at(l, end + 1) == '>';
}

/* ---- to the left ---- */

/* What stands left of an `=` that ends at i: `x`, `this.x`, `a.b.c`, `a.<computed>` of `a[b]`.
 * TypeScript: `x: Type`. */
static bool add_target(const struct look *l, size_t i, struct buf *out)
{
	size_t end = look_skip_left(l, i), from = end;
	bool is_computed = end > l->low && l->text.p[end - 1] == ']';

	if (is_computed) {
		for (size_t depth = 0; from > l->low; from--) {
			char c = l->text.p[from - 1];

			depth += c == ']';
			if (c == '[' && --depth == 0)
				break;
		}
		end = from = from > l->low ? from - 1 : from;
	}
	while (from > l->low && (look_is_word(l->text.p[from - 1]) || l->text.p[from - 1] == '.'))
		from--;
	/* `const x: Type =`: a word, or one with type arguments, behind a colon. */
	for (size_t k = look_skip_left(l, from); k > l->low && end - k < 400; k--) {
		char c = l->text.p[k - 1];

		if (c == ':') {
			struct str name = look_word_before(l, look_skip_left(l, k - 1));
			size_t at = (size_t)(name.p - l->text.p);
			struct str before = look_word_before(l, look_skip_left(l, at));

			if (name.len &&
			    (str_is(before, "const") || str_is(before, "let") ||
			     str_is(before, "var") || is_modifier(before))) {
				buf_add(out, name.p, name.len);
				return true;
			}
		}
		if (c == ';' || c == '{' || c == '}' || c == '\n' || c == '?')
			break;
	}
	if (from == end)
		return false;
	buf_add(out, l->text.p + from, end - from);
	if (is_computed)
		buf_adds(out, ".<computed>");
	return true;
}

/* Whether the function that begins at i is called where it stands: the value is not the function.
 */
static bool is_called_at_once(const struct look *l, size_t i)
{
	struct look far = { l->text, l->low,
			    l->text.len - i > CLASS_REACH ? i + CLASS_REACH : l->text.len };
	size_t at = i;

	/* The parameters, and the body. */
	while (at < far.high && !strchr("({", look_at(&far, at)))
		at++;
	at = look_skip_brackets(&far, at);
	for (int n = 0; at && n < 2 && look_at(&far, at) != '('; n++) {
		at = look_skip_blanks(&far, at);
		if (look_at(&far, at) == '=' && look_at(&far, at + 1) == '>') {
			at = look_skip_blanks(&far, at + 2);
			if (look_at(&far, at) != '{')
				return false;
		}
		if (look_at(&far, at) == '{')
			at = look_skip_brackets(&far, at);
		else if (look_at(&far, at) == ')')
			at++;
	}
	return at && look_at(&far, look_skip_blanks(&far, at)) == '(';
}

/* The name of a function without one of its own that begins at i. */
static enum function_name name_from_left(const struct look *l, size_t i, struct buf *out)
{
	size_t end;

	for (end = look_skip_left(l, i); end > l->low && l->text.p[end - 1] == '(';)
		end = look_skip_left(l, end - 1);
	if (is_called_at_once(l, i))
		return FUNCTION_ANONYMOUS;
	/* In parentheses only when these are no call: `x = (function () {})`. */
	if (end > l->low && look_is_word(l->text.p[end - 1]))
		return FUNCTION_ANONYMOUS;
	if (end <= l->low + 1)
		return FUNCTION_ANONYMOUS;
	if (look_before(l, end) == '=' && !strchr("=!<>", look_before(l, end - 1))) {
		size_t before = end - 1;

		while (before > l->low && strchr("|&?+", l->text.p[before - 1]))
			before--;
		return add_target(l, before, out) ? FUNCTION_NAMED : FUNCTION_ANONYMOUS;
	}
	if (l->text.p[end - 1] == ':') {
		struct str key = look_key_before(l, look_skip_left(l, end - 1));
		size_t at = (size_t)(key.p - l->text.p);

		if (look_before(l, at) == '"' || look_before(l, at) == '\'')
			at--;
		/* `a ? b : function` is no property. */
		at = look_skip_left(l, at);
		if (key.len && at > l->low &&
		    (l->text.p[at - 1] == ',' || l->text.p[at - 1] == '{')) {
			buf_add(out, key.p, key.len);
			return FUNCTION_NAMED;
		}
	}
	return FUNCTION_ANONYMOUS;
}

/* ---- the function ---- */

/* The class around a constructor that begins at `at`: the last `class` in front of it. */
static enum function_name class_name(const struct look *l, size_t at, struct buf *out)
{
	struct look far = { l->text, at > CLASS_REACH ? at - CLASS_REACH : 0, l->high };

	for (size_t i = at; i >= far.low + 5; i--) {
		size_t from = i - 5;
		struct str name;

		if (memcmp(l->text.p + from, "class", 5) != 0 || !look_is_blank(look_at(l, i)) ||
		    (from > far.low && !strchr(" \t\n\r=(,;}{:", l->text.p[from - 1])))
			continue;
		name = look_word(&far, look_skip_blanks(&far, i));
		if (name.len && !str_is(name, "extends")) {
			buf_add(out, name.p, name.len);
			return FUNCTION_NAMED;
		}
		return name_from_left(&far, from, out);
	}
	return FUNCTION_UNKNOWN;
}

/* A member: the words from the modifiers to the name, which is in front of the parenthesis. */
static enum function_name member_name(const struct look *l, size_t at, struct str name,
				      struct buf *out)
{
	size_t from = (size_t)(name.p - l->text.p);
	struct str before;

	if (str_is(name, "constructor"))
		return class_name(l, at, out);
	before = look_word_before(l, look_skip_left(l, from));
	if ((str_is(before, "get") || str_is(before, "set")) && before.p != name.p) {
		buf_add(out, before.p, before.len);
		buf_addc(out, ' ');
	}
	buf_add(out, name.p, name.len);
	return FUNCTION_NAMED;
}

/* A `function` whose keyword ends at i and begins at `from`. */
static enum function_name function_keyword(const struct look *l, size_t from, size_t i,
					   struct buf *out)
{
	struct str name, before;

	i = look_skip_blanks(l, i);
	if (look_at(l, i) == '*')
		i = look_skip_blanks(l, i + 1);
	name = look_word(l, i);
	if (name.len) {
		buf_add(out, name.p, name.len);
		return FUNCTION_NAMED;
	}
	before = look_word_before(l, look_skip_left(l, from));
	if (str_is(before, "async"))
		from = (size_t)(before.p - l->text.p);
	return name_from_left(l, from, out);
}

/* The parameters begin at i: what is in front of them? */
static enum function_name parameters(const struct look *l, size_t i, struct buf *out)
{
	size_t end = look_skip_left(l, i);
	struct str name = look_word_before(l, end);
	size_t from = (size_t)(name.p - l->text.p);

	if (is_arrow(l, i)) {
		if (str_is(name, "async"))
			i = from;
		return name_from_left(l, i, out);
	}
	if (str_is(name, "function"))
		return function_keyword(l, from, end, out);
	if (name.len && !is_keyword(name)) {
		struct str before = look_word_before(l, look_skip_left(l, from));

		if (str_is(before, "function")) {
			buf_add(out, name.p, name.len);
			return FUNCTION_NAMED;
		}
		return member_name(l, i, name, out);
	}
	name = look_key_before(l, end);
	if (name.len && end > l->low && (l->text.p[end - 1] == '"' || l->text.p[end - 1] == '\'')) {
		buf_add(out, name.p, name.len);
		return FUNCTION_NAMED;
	}
	return FUNCTION_UNKNOWN;
}

/* The words from i on, up to the parameters. */
static enum function_name words(const struct look *l, size_t i, struct buf *out)
{
	size_t from = i, next, end = look_skip_left(l, i);
	struct str word = look_word_before(l, end);

	if (str_is(word, "class")) {
		word = look_word(l, i);
		buf_add(out, word.p, word.len);
		return FUNCTION_NAMED;
	}
	/* The first parameter stands for its parenthesis. */
	if (end > l->low && l->text.p[end - 1] == '(' && is_arrow(l, end - 1))
		return parameters(l, end - 1, out);
	for (int n = 0; n < 8; n++) {
		word = look_word(l, i);
		if (!word.len && look_at(l, i) == '*') {
			i = look_skip_blanks(l, i + 1);
			continue;
		}
		if (!word.len)
			break;
		next = look_skip_blanks(l, i + word.len);
		if (str_is(word, "function"))
			return function_keyword(l, i, next, out);
		if (str_is(word, "class")) {
			struct str name = look_word(l, next);

			if (!name.len || str_is(name, "extends"))
				return name_from_left(l, i, out);
			buf_add(out, name.p, name.len);
			return FUNCTION_NAMED;
		}
		if (look_at(l, next) == '=' && look_at(l, next + 1) == '>')
			return name_from_left(l, from, out);
		next = skip_types(l, next);
		if (look_at(l, next) == '(') {
			if (str_is(word, "async") && is_arrow(l, next))
				return name_from_left(l, i, out);
			return is_keyword(word) ? FUNCTION_UNKNOWN : member_name(l, i, word, out);
		}
		if (look_at(l, next) == '=' || look_at(l, next) == ':') {
			/* `key = value` or `key: value`: the function is the value. */
			next = look_skip_blanks(l, next + 1);
			return words(l, next, out);
		}
		if (!is_modifier(word) && !is_keyword(word))
			break;
		i = next;
	}
	if (look_at(l, i) == '(')
		return is_arrow(l, i) ? name_from_left(l, i, out) : FUNCTION_UNKNOWN;
	return FUNCTION_UNKNOWN;
}

enum function_name function_name_at(struct str text, size_t at, struct buf *out)
{
	struct look l = { text, at > REACH ? at - REACH : 0,
			  text.len - at > REACH ? at + REACH : text.len };

	if (at >= text.len)
		return FUNCTION_UNKNOWN;
	at = look_skip_blanks(&l, at);
	if (look_at(&l, at) == '(')
		return parameters(&l, at, out);
	/* In the middle of a word: from its beginning. */
	while (look_is_word(look_at(&l, at)) && look_is_word(look_before(&l, at)))
		at--;
	return words(&l, at, out);
}
