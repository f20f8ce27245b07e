/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command line as a command: `callee`, `5 callee`, `set color package`, `1.5s`, `2s,3s`, `2 s 3
 * s`. */
#ifndef FLAMETTY_UI_LINE_COMMAND_PARSE_H
#define FLAMETTY_UI_LINE_COMMAND_PARSE_H

#include "base/error.h"
#include "base/str.h"
#include "ui/command.h"

struct command_request {
	enum command_id id; /* CMD_NONE: the line is blank */
	int count;          /* from 1 */
	bool is_forced;     /* `!` follows the name */
	struct str args;    /* what follows, without blanks at its ends; borrowed from the line */
};

/* Read a line. False, with err: it names no command, or gives one what it does not take. */
bool command_parse(const char *line, struct command_request *request, struct error *err) MUST_USE;

/* The command of that name, or of that other name for it; CMD_NONE: there is none. */
enum command_id command_parse_name(struct str name);

/* Whether a command can be run by its name: all except those that edit a prompt. */
bool command_parse_is_named(enum command_id id);

/* Append what is wrong with `word`, which is no `kind`: `no command 'calee'; did you mean callee?`.
 * name(i): the words it could be, NULL after the last one. */
void command_parse_refuse(const char *kind, struct str word, const char *(*name)(unsigned i),
			  struct error *err);

/* The next time of `text`: a word, with a unit that follows it, as in `1.5 s`. As for
 * command_parse_word(), but a comma ends it, too. */
struct str command_parse_time(struct str *text);

/* The next word of `text`, which moves past it and the blanks before it. Empty: there is none. */
struct str command_parse_word(struct str *text);

#endif
