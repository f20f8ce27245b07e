/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The open prompt: what its keys do, and what it shows. app->prompt has the text; what follows from
 * that of a command line is here, too. */
#ifndef FLAMETTY_UI_LINE_COMMAND_LINE_H
#define FLAMETTY_UI_LINE_COMMAND_LINE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "draw/lines.h"
#include "ui/command.h"
#include "ui/key.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- command parse ---- */

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

/* ---- file words ---- */

/* Append the next name of `text`, which moves past it and the blanks before it. False: there is
 * none. */
bool file_words_next(struct str *text, struct buf *name);

/* ---- search line ----
 *
 * The open prompt, of a search or another one, as a line to be drawn. */

/* Zeroed before its first use. */
struct search_line {
	struct prompt_line line;
	struct buf answers[3];
};

/* Make the line, which borrows from `texts`; NULL: no prompt is open. */
const struct prompt_line *search_line_make(const struct app *app, struct search_line *texts);

static inline void search_line_done(struct search_line *line)
{
	for (int i = 0; i < 3; i++)
		buf_done(&line->answers[i]);
}

/* Append the text of the status line about the search, in `room` cells. */
void search_line_status(const struct app *app, int room, struct buf *out);

/* Insert the character of a key that is not a command into the open prompt. Returns app_effect
 * bits. */
unsigned search_keys_insert(struct app *app, key_code key);

#endif
