/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line is read as tokens: in a copy of it, comments, strings and regular expressions are blank.
 * Each row of `builtins` is looked for in that copy, at the beginning of a word. */
#include "config.h"

#include "analysis/finding/finding_source.h"

#include "base/alloc.h"

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

bool finding_source_line(struct str text, struct buf *out)
{
	char code[LINE_MOST + 1];
	unsigned seen = 0, n = 0;

	if (text.len > LINE_MOST)
		return false;
	copy_code(text, code);
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

bool finding_source_calls(struct finding_window *w, frame_id function, int32_t line,
			  struct buf *out)
{
	const struct source_host *host = w->sources;
	const struct source_text *text;
	struct source_wanted wanted;

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
	return finding_source_line(source_text_line(text, (size_t)line - 1), out);
}
