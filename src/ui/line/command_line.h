/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: a prompt for commands by name. app->prompt has the text, this module what
 * follows from it. */
#ifndef FLAMETTY_UI_LINE_COMMAND_LINE_H
#define FLAMETTY_UI_LINE_COMMAND_LINE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "ui/command.h"
#include "ui/line/prompt.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- command parse ----
 *
 * A command line as a command: `callee`, `5 callee`, `set color package`, `1.5s`, `2s,3s`, `2 s 3
 * s`. */

struct command_request {
	enum command_id id; /* CMD_NONE: the line is blank */
	int count;          /* from 1 */
	bool is_forced;     /* `!` follows the name */
	struct str args;    /* what follows, without blanks at its ends; borrowed from the line */
};

/* Read a line. False, with err: it names no command, or gives one what it does not take. */
bool command_parse(const char *line, struct command_request *request, struct error *err) MUST_USE;

/* Append what is wrong with `word`, which is no `kind`: `no command 'calee'; did you mean callee?`.
 * name(i): the words it could be, NULL after the last one. */
void command_parse_refuse(const char *kind, struct str word, const char *(*name)(unsigned i),
			  struct error *err);

/* The next time of `text`: a word, with a unit that follows it, as in `1.5 s`. As for
 * command_parse_word(), but a comma ends it, too. */
struct str command_parse_time(struct str *text);

/* The next word of `text`, which moves past it and the blanks before it. Empty: there is none. */
struct str command_parse_word(struct str *text);

/* ---- command line ---- */

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

/* Accepting makes the command of the line app->line.next; a line that is none gives a message. */
extern const struct prompt_user command_line_prompt;

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
