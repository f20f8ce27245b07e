/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line is read as tokens: in a copy of it, comments, strings and regular expressions are blank.
 * Each row of `builtins` is looked for in that copy, at the beginning of a word. */
#include "config.h"

#include "findings/finding_source.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MOST 400 /* bytes: on a longer line, time may be in much else */
#define CALLS_MOST 2
/* Bytes of a trace before its map: more is too much to read for this. */
#define MAP_FAR ((int64_t)16 << 20)

struct builtin {
	const char *begin; /* what stands before the rest of the name */
	const char *shown; /* what is shown instead of it */
	bool has_rest;     /* letters follow it, and are shown */
};

static const struct builtin builtins[] = {
	{ "JSON.parse", "JSON.parse", false },
	{ "JSON.stringify", "JSON.stringify", false },
	{ "structuredClone", "structuredClone", false },
	{ "new RegExp", "new RegExp", false },
	{ "new Intl.", "new Intl.", true },
	{ ".sort", "sort", false },
	{ ".toSorted", "toSorted", false },
	{ ".toLocale", "toLocale", true },
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Copy the text with a blank for each byte that is not code. */
static void copy_code(struct str text, char *code)
{
	struct source_lex lex = { 0 };
	size_t at = 0;

	while (at < text.len) {
		enum source_kind kind;
		size_t end = source_lex_next(&lex, text.p, at, text.len, &kind);

		for (; at < end; at++) {
			bool is_code = kind == SOURCE_PLAIN || kind == SOURCE_KEYWORD;

			code[at] = is_code && text.p[at] ? text.p[at] : ' ';
		}
	}
	code[text.len] = '\0';
}

/* ---- the part of a function ---- */

static int bracket_step(char c)
{
	return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* Behind the bracket that closes the one at `at`; the end of the code if that is on another line.
 */
static const char *behind_brackets(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		depth += bracket_step(*at);
		if (depth == 0)
			return at + 1;
	}
	return at;
}

static const char *behind_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* Behind a function that begins at `at`, by its parameters: `(a) { ... }`, `a => a + 1`. */
static const char *behind_function(const char *at)
{
	if (*at == '(')
		at = behind_brackets(at);
	else
		while (is_word(*at))
			at++;
	at = behind_blanks(at);
	if (strncmp(at, "=>", 2) == 0)
		at = behind_blanks(at + 2);
	if (*at == '{')
		return behind_brackets(at);
	for (int depth = 0; *at; at++) {
		depth += bracket_step(*at);
		if (depth < 0 || (depth == 0 && (*at == ',' || *at == ';')))
			break;
	}
	return at;
}

static void blank(char *from, const char *end)
{
	if (from < end)
		memset(from, ' ', (size_t)(end - from));
}

/* Make everything blank that is not code of the function itself. */
static void keep_part(struct str text, const struct finding_source_part *part, char *code)
{
	char *from = code +
		(part->column > 0 ? source_text_byte(text, (uint32_t)part->column - 1) : 0);
	char *end = code + text.len;

	if (part->column > 0)
		end = code + (behind_function(from) - code);
	/* Inner functions before outer ones: what is blank has no brackets. */
	for (size_t i = 0; i < part->n_others; i++) {
		char *other = code + source_text_byte(text, (uint32_t)part->others[i] - 1);

		if (other > from || part->column <= 0)
			blank(other, behind_function(other));
	}
	blank(code, from);
	blank(end, code + text.len);
}

/* ---- calls ---- */

/* If the call begins here, return the length of its name; 0: it does not. */
static size_t call_length(const struct builtin *b, const char *code, const char *at)
{
	size_t begin = strlen(b->begin), n = begin, blanks;

	if (strncmp(at, b->begin, begin) != 0)
		return 0;
	/* `myJSON.parse` and `my.JSON.parse` are other functions. */
	if (at > code && *at != '.' && (is_word(at[-1]) || at[-1] == '.'))
		return 0;
	while (b->has_rest && is_word(at[n]))
		n++;
	blanks = strspn(at + n, " \t");
	/* `items?.sort?.(...)` is a call, too. */
	if (strncmp(at + n + blanks, "?.(", 3) != 0 && at[n + blanks] != '(')
		return 0;
	return b->has_rest && n == begin ? 0 : n;
}

bool finding_source_line(struct str text, const struct finding_source_part *part, struct buf *out)
{
	char code[LINE_MOST + 1];
	unsigned seen = 0, n = 0;

	if (text.len > LINE_MOST)
		return false;
	copy_code(text, code);
	keep_part(text, part, code);
	for (const char *at = code; *at && n < CALLS_MOST; at++) {
		for (unsigned i = 0; i < ARRAY_LEN(builtins); i++) {
			const struct builtin *b = &builtins[i];
			size_t length = seen & 1u << i ? 0 : call_length(b, code, at);
			size_t begin = strlen(b->begin);

			if (!length)
				continue;
			buf_addf(out, "%s%s%.*s", n++ ? ", " : "", b->shown, (int)(length - begin),
				 at + begin);
			seen |= 1u << i;
			break;
		}
	}
	return n > 0;
}

static int by_column_down(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x < y) - (x > y);
}

/* The part of a line that is code of `function`, as far as frames of the profile tell. The caller
 * frees `others`. */
static struct finding_source_part part_of(const struct profile *p, frame_id function, int32_t line)
{
	const struct frame *f = &p->frames.frames[function];
	int32_t *others = NULL;
	size_t n = 0, cap = 0;

	for (frame_id i = 1; i < p->frames.n; i++) {
		const struct frame *other = &p->frames.frames[i];

		if (i == function || other->line != line || other->url != f->url ||
		    other->column <= 0)
			continue;
		others = xgrow(others, &cap, n + 1, sizeof *others);
		others[n++] = other->column;
	}
	if (n)
		qsort(others, n, sizeof *others, by_column_down);
	return (struct finding_source_part){ .column = f->line == line ? f->column : 0,
					     .others = others,
					     .n_others = n };
}

bool finding_source_calls(struct finding_window *w, frame_id function, int32_t line,
			  struct buf *out)
{
	const struct source_host *host = w->sources;
	const struct source_text *text;
	struct source_wanted wanted;
	struct finding_source_part part;
	bool has;

	if (!host || !host->read || line < 1 ||
	    !source_text_wanted(w->charge->profile, function, w->charge->lane->input, &wanted))
		return false;
	if (wanted.map_path && wanted.map_offset > MAP_FAR)
		return false;
	wanted.is_plain = true;
	text = host->read(host->ctx, &wanted);
	w->is_reading |= !text;
	if (!text || !text->is_found || text->is_newer)
		return false;
	part = part_of(w->charge->profile, function, line);
	has = finding_source_line(source_text_line(text, (size_t)line - 1), &part, out);
	free((void *)part.others);
	return has;
}
