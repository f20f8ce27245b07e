/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which words fit depends on the words before: the first word, after a count, is a command. The
 * file of an export is the rest of its line; files of a comparison are words. */
#include "config.h"

#include "ui/line/complete.h"

#include "base/alloc.h"
#include "ui/line/command_parse.h"
#include "ui/line/file_words.h"
#include "ui/line/setting.h"

#include <stdlib.h>
#include <string.h>

/* What is being completed. */
struct completion {
	const struct app *app;
	struct str begin; /* of the word at the cursor */
	struct complete_list *list;
};

static void try(struct completion *c, const char *word)
{
	struct complete_list *list = c->list;

	if (strncmp(word, c->begin.p, c->begin.len) != 0 || strlen(word) < c->begin.len)
		return;
	list->words = xrealloc(list->words, (size_t)list->n + 1, sizeof *list->words);
	list->words[list->n++] = xstrdup(word);
}

static void try_commands(struct completion *c)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (command_parse_is_named(id))
			try(c, command_get(id)->name);
}

static void try_settings(struct completion *c)
{
	for (size_t i = 0; setting_row(i); i++)
		try(c, setting_row(i)->name);
}

static void try_values(struct completion *c, struct str name)
{
	struct error err = ERROR_INIT;
	const struct setting *s = setting_find(name, &err);

	for (unsigned i = 0; s && setting_word(c->app, s, i); i++)
		try(c, setting_word(c->app, s, i));
}

static void try_formats(struct completion *c)
{
	const struct app_host *host = c->app->host;

	for (unsigned i = 0; host && host->export_word && host->export_word(i); i++)
		try(c, host->export_word(i));
}

/* The words after a command. words: those between the command and the cursor. */
static void try_args(struct completion *c, enum command_id id, struct str words)
{
	struct str first = command_parse_word(&words);
	bool is_first = !first.len, is_second = first.len && !words.len;

	if ((id == CMD_HELP && is_first) || (id == CMD_BIND && is_second))
		try_commands(c);
	else if (id == CMD_EXPORT && is_first)
		try_formats(c);
	else if (id == CMD_SET && is_first)
		try_settings(c);
	else if (id == CMD_SET && is_second)
		try_values(c, first);
}

static bool is_count(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if (word.p[i] < '0' || word.p[i] > '9')
			return false;
	return word.len > 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void found_file(void *ctx, const char *path)
{
	try(ctx, path);
}

/* The first word of a line, without a count before it and without its `!`. */
static struct str take_command(struct str *line)
{
	struct str word = command_parse_word(line);

	if (is_count(word))
		word = command_parse_word(line);
	if (word.len && word.p[word.len - 1] == '!')
		word.len--;
	return word;
}

/* Whether the cursor is in the name of a file: all that follows the format of an export or the word
 * `save`, blanks, too; or one of the files of a comparison. *from: where the name begins. */
static bool is_in_file(const char *line, size_t cursor, size_t *from, bool *is_word)
{
	struct str rest = { line, cursor };
	enum command_id id = command_parse_name(take_command(&rest));

	*is_word = id == CMD_DIFF;
	if (*is_word && (rest.len || (cursor > 0 && line[cursor - 1] == ' '))) {
		*from = file_words_last((struct str){ line, cursor });
		return true;
	}
	if (id != CMD_EXPORT && id != CMD_SAVE)
		return false;
	if ((id == CMD_EXPORT && !command_parse_word(&rest).len) ||
	    (!rest.len && line[cursor - 1] != ' '))
		return false;
	/* The rest of a line comes without the blanks at its ends. */
	*from = rest.len ? (size_t)(rest.p - line) : cursor;
	return true;
}

static void found_word(void *ctx, const char *path)
{
	struct buf word = { 0 };

	file_words_add(path, &word);
	try(ctx, buf_text(&word));
	buf_done(&word);
}

static void try_files(struct completion *c, bool is_word)
{
	const struct app_host *host = c->app->host;
	struct str text = c->begin;
	struct buf begin = { 0 };

	if (is_word)
		file_words_next(&text, &begin);
	else
		buf_add(&begin, text.p, text.len);
	c->list->is_files = true;
	if (host && host->find_files)
		host->find_files(host->ctx, buf_text(&begin), is_word ? found_word : found_file, c);
	buf_done(&begin);
}

size_t complete_find(const struct app *app, const char *line, size_t cursor, bool has_files,
		     struct complete_list *list)
{
	struct completion c = { .app = app, .list = list };
	struct str before, word;
	size_t from = cursor;
	bool is_word, is_file = is_in_file(line, cursor, &from, &is_word);

	while (!is_file && from > 0 && line[from - 1] != ' ')
		from--;
	c.begin = (struct str){ line + from, cursor - from };
	before = (struct str){ line, from };
	word = take_command(&before);
	if (is_file && has_files)
		try_files(&c, is_word);
	else if (is_file)
		return from;
	else if (word.len)
		try_args(&c, command_parse_name(word), before);
	else
		try_commands(&c);
	if (list->n)
		qsort(list->words, (size_t)list->n, sizeof *list->words, compare);
	return from;
}

void complete_done(struct complete_list *list)
{
	for (int i = 0; i < list->n; i++)
		free(list->words[i]);
	free(list->words);
	*list = (struct complete_list){ 0 };
}

size_t complete_common(const struct complete_list *list)
{
	const char *first = list->words[0], *last = list->words[list->n - 1];
	size_t n = 0;

	while (first[n] && first[n] == last[n])
		n++;
	/* No part of a character. */
	while (n > 0 && ((unsigned char)first[n] & 0xC0) == 0x80)
		n--;
	return n;
}
