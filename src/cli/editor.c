/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How editors take a place: a row of the table each. The most specific form that the known line and
 * column allow is used; without a line, only the path. */
#include "config.h"

#include "cli/editor.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

/* In the words of a form, %l is the line, %c the column, and %f the path. A blank separates words;
 * an underscore stands for a blank in a word. */
struct form {
	const char *with_column, *with_line;
};

static const struct form by_line = { "+%l %f", "+%l %f" };
static const struct form by_cursor = { "+call_cursor(%l,%c) %f", "+%l %f" };
static const struct form by_plus_colon = { "+%l:%c %f", "+%l %f" };
static const struct form by_plus_comma = { "+%l,%c %f", "+%l %f" };
static const struct form by_plus_after = { "%f +%l:%c", "%f +%l" };
static const struct form by_colons = { "%f:%l:%c", "%f:%l" };
static const struct form by_goto = { "-g %f:%l:%c", "-g %f:%l" };
static const struct form by_options = { "--line %l --column %c %f", "--line %l %f" };

/* Of editors that are not here, most know +LINE FILE. */
static const struct {
	const char *name;
	const struct form *form;
} editors[] = {
	{ "vim", &by_cursor },
	{ "nvim", &by_cursor },
	{ "gvim", &by_cursor },
	{ "mvim", &by_cursor },
	{ "nano", &by_plus_comma },
	{ "emacs", &by_plus_colon },
	{ "emacsclient", &by_plus_colon },
	{ "kak", &by_plus_after },
	{ "micro", &by_colons },
	{ "hx", &by_colons },
	{ "helix", &by_colons },
	{ "zed", &by_colons },
	{ "subl", &by_colons },
	{ "code", &by_goto },
	{ "code-insiders", &by_goto },
	{ "code-oss", &by_goto },
	{ "codium", &by_goto },
	{ "vscodium", &by_goto },
	{ "cursor", &by_goto },
	{ "kate", &by_options },
};

const char *editor_choose(const char *visual, const char *editor)
{
	if (visual && visual[strspn(visual, " \t\n")])
		return visual;
	return editor && editor[strspn(editor, " \t\n")] ? editor : "vi";
}

const char *editor_name(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash ? slash + 1 : program;
}

static void push(struct editor_words *words, const char *text)
{
	words->list = xgrow(words->list, &words->cap, words->n + 2, sizeof *words->list);
	words->list[words->n++] = xstrdup(text);
	words->list[words->n] = NULL;
}

/* ---- the command ---- */

/* Take a quoted text that begins after the quote. Returns what follows it; NULL: it has no end. */
static const char *take_quoted(const char *p, char quote, struct buf *word)
{
	for (; *p != quote; p++) {
		if (quote == '"' && *p == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		if (!*p)
			return NULL;
		buf_addc(word, *p);
	}
	return p + 1;
}

/* Take a word. Returns what follows it; NULL: a quote has no end. */
static const char *take_word(const char *p, struct buf *word)
{
	buf_clear(word);
	while (p && *p && !strchr(" \t\n", *p)) {
		if (*p == '\'' || *p == '"') {
			p = take_quoted(p + 1, *p, word);
		} else {
			p += *p == '\\' && p[1];
			buf_addc(word, *p++);
		}
	}
	return p;
}

static bool split(const char *command, struct editor_words *words, struct error *err)
{
	struct buf word = { 0 };
	const char *p = command;

	while (p && *(p += strspn(p, " \t\n"))) {
		p = take_word(p, &word);
		if (p)
			push(words, buf_text(&word));
	}
	buf_done(&word);
	if (!p)
		return error_set(err, ERR_FORMAT, -1, "a quote has no end: %s", command);
	return (words->n && *words->list[0]) ||
		error_set(err, ERR_FORMAT, -1, "the editor has no name: %s", command);
}

/* ---- the place ---- */

static void add_form(const char *form, const struct editor_place *place, struct editor_words *words)
{
	struct buf word = { 0 };

	for (; *form; form++) {
		if (*form == '%' && form[1] == 'f')
			buf_addf(&word, "%s%s", strchr("-+", *place->path) ? "./" : "",
				 place->path);
		else if (*form == '%')
			buf_addf(&word, "%d", form[1] == 'l' ? place->line : place->column);
		else if (*form != ' ')
			buf_addc(&word, *form == '_' ? ' ' : *form);
		form += *form == '%';
		if (form[1] == ' ' || !form[1]) {
			push(words, buf_text(&word));
			buf_clear(&word);
		}
	}
	buf_done(&word);
}

bool editor_words_make(const char *command, const struct editor_place *place,
		       struct editor_words *words, struct error *err)
{
	const struct form *form = &by_line;

	*words = (struct editor_words){ 0 };
	if (!split(command, words, err))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(editors); i++)
		if (strcmp(editor_name(words->list[0]), editors[i].name) == 0)
			form = editors[i].form;
	add_form(place->line <= 0            ? "%f"
			 : place->column > 0 ? form->with_column
					     : form->with_line,
		 place, words);
	return true;
}

void editor_words_done(struct editor_words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct editor_words){ 0 };
}
