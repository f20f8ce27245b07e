/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: a prompt for commands by name. app->prompt has the text, this module what
 * follows from it. */
#ifndef FLAMETTY_UI_LINE_COMMAND_LINE_H
#define FLAMETTY_UI_LINE_COMMAND_LINE_H

#include "base/buf.h"
#include "base/str.h"
#include "ui/command.h"

#include <stdbool.h>
#include <stddef.h>

struct app;

/* Words that can stand at the cursor. Owned texts; zeroed: none. */
struct complete_list {
	char **words;
	int n;
	bool is_files; /* a blank would be part of the name, and a directory goes on */
};

struct command_line {
	/* The completion that is on; an edit ends it. */
	struct complete_list list;
	struct buf typed; /* the word before the completion */
	size_t from;      /* byte of the text where the word begins */
	int at;           /* the word of the list that is in the text; -1: another one */
	/* The command that was accepted; app_key() runs it (CMD_NONE: none). */
	enum command_id next;
	int count;
	/* For commands with COMMAND_ARGUMENTS, while they run. */
	struct buf args;
	bool is_forced; /* a `!` followed the name */
};

void command_line_done(struct command_line *line);
void command_line_open(struct app *app);

/* The text has changed. */
void command_line_changed(struct app *app);

/* Close the prompt. The command of the line is what app->line.next is; a line that is none gives a
 * message. */
void command_line_accept(struct app *app);
void command_line_cancel(struct app *app);

/* Complete the word before the cursor: as far as all words that fit agree, then by the next one or
 * the one before. */
void command_line_complete(struct app *app, bool is_next);

/* Append what the prompt shows at the right, in about `room` cells: the words that fit, or what the
 * command does. */
void command_line_answer(const struct app *app, int room, struct buf *out);

/* Append the next name of `text`, which moves past it and the blanks before it. False: there is
 * none. */
bool file_words_next(struct str *text, struct buf *name);

/* Append a name as it is written in a command line. */
void file_words_add(const char *name, struct buf *out);

/* The byte of `text` where its last word begins, which may be unfinished or empty. */
size_t file_words_last(struct str text);

#endif
