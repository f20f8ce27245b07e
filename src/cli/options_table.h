/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options, for the files of options.h. */
#ifndef FLAMETTY_OPTIONS_TABLE_H
#define FLAMETTY_OPTIONS_TABLE_H

#include "cli/options.h"

#include <stddef.h>

enum take_how {
	TAKE_TEXT,
	TAKE_FLAG,
	TAKE_WORD,  /* one of the option's words */
	TAKE_GROUP, /* the same, or label:KEY */
	TAKE_WORDS, /* several of them, separated by commas */
	TAKE_STEP,
	TAKE_LIST, /* one more text of a struct option_list */
	TAKE_RUNS, /* all arguments up to the next option: files of a side of diff */
	TAKE_TOP,
	TAKE_ROWS,
	TAKE_SIZE,
	TAKE_COMMAND
};

/* In `value` and `help`, {|} stands for the words of the option with a | between them, {, } for the
 * same with a comma and a blank, and so on; a second pair of braces for the option's second list of
 * words. */
struct option_row {
	enum take_how how;
	size_t what; /* the member of the options; TAKE_STEP, TAKE_COMMAND: which one */
	char letter; /* 0: none */
	const char *name;
	const char *value; /* NULL: takes none */
	const char *help;  /* NULL: the option is for the build, and not listed */
};

/* Row i of the table; NULL after the last one. There are at most 64 (options.given). */
const struct option_row *options_table_row(size_t i);

/* The number of the row with that name; SIZE_MAX: there is none. */
size_t options_table_find(const char *name);

/* The n-th list of words for an option; NULL: there is none. */
const struct option_words *options_table_words(const struct option_words *words, const char *option,
					       int n);

/* Append a text of the table, with the words of the option instead of braces. */
void options_table_text(const char *option, const char *text, const struct option_words *words,
			struct buf *out);

#endif
