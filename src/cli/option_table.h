/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options (option_list.h), for the parser, --help and the completions of shells. */
#ifndef FLAMETTY_CLI_OPTION_TABLE_H
#define FLAMETTY_CLI_OPTION_TABLE_H

#include "cli/options.h"

#include "base/buf.h"

#include <stddef.h>

enum option_flags {
	OPTION_SETTING = 1 /* a file of settings may have it */
};

enum take_how {
	TAKE_TEXT,
	TAKE_BYTES,  /* 0: no limit */
	TAKE_MEMORY, /* the same, or a share of the memory of the machine */
	TAKE_PIXELS, /* above 0, up to 1000 */
	TAKE_SHARE,  /* a percentage; as a part of 1 */
	TAKE_FLAG,
	TAKE_WORD,  /* one of the option's words */
	TAKE_GROUP, /* the same, or label:KEY */
	TAKE_WORDS, /* several of them, separated by commas */
	TAKE_STEP,
	TAKE_LIST, /* one more text of a struct option_list */
	TAKE_RUNS, /* all arguments up to the next option: files of a side of diff */
	TAKE_TOP,
	TAKE_ROWS,
	TAKE_SCREEN,
	TAKE_COMMAND
};

/* In `value` and `help`, {|} stands for the words of the option with a | between them, {, } for the
 * same with a comma and a blank, and so on; a second pair of braces for the option's second list of
 * words. */
struct option_row {
	enum take_how how;
	size_t what; /* the member of the options; TAKE_STEP, TAKE_COMMAND: which one */
	enum option_flags flags;
	char letter; /* 0: none */
	const char *name;
	const char *value; /* NULL: takes none */
	const char *help;  /* NULL: the option is for the build, and not listed */
};

/* Row i of the table, 0 or more; NULL after the last one. Static. */
const struct option_row *option_table_row(size_t i);

/* The number of the row with that name, of `len` bytes; SIZE_MAX: there is none. */
size_t option_table_find(const char *name, size_t len);

/* The n-th list of words for an option; NULL: there is none. */
const struct option_words *option_table_words(const struct option_words *words, const char *option,
					      int n);

/* Append words with `separator` between them, and `last` before the last one. */
void option_table_join(const char *(*word)(unsigned i), const char *separator, const char *last,
		       struct buf *out);

/* Append a text of the table, with the words of the option instead of braces. */
void option_table_text(const char *option, const char *text, const struct option_words *words,
		       struct buf *out);

#endif
