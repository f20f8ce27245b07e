/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: one table of options that the parser and --help read.
 *
 * Some options take one of a few words, such as the names of reports. Those words belong to other
 * modules, which this one does not know: the caller passes a list of them in. */
#ifndef FLAMETTY_CLI_OPTIONS_H
#define FLAMETTY_CLI_OPTIONS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum program_command {
	COMMAND_VIEW,
	COMMAND_REPORT,
	COMMAND_EXPORT,
	COMMAND_DIFF,
	COMMAND_ATTACH,
	COMMAND_RUN,
	COMMAND_WATCH,
	COMMAND_LIVE,
	COMMAND_FORMATS,
	COMMAND_KEYS,
	COMMAND_COMPLETION,
	COMMAND_HELP,
	COMMAND_VERSION
};

/* The words that an option takes: word(i) for i from 0 on, NULL after the last. */
struct option_words {
	const char *option; /* without dashes; NULL ends a list of these */
	const char *(*word)(unsigned i);
};

/* Transforms with a pattern, in the order of the arguments. */
enum option_step_kind { STEP_FOCUS, STEP_ONLY, STEP_DROP, STEP_HIDE, STEP_COLLAPSE };

#define OPTION_STEPS_MAX 32

struct option_step {
	enum option_step_kind kind;
	const char *pattern;
};

/* The texts of an option that may be given several times. */
struct option_list {
	const char *items[OPTION_STEPS_MAX];
	size_t n;
};

/* The time between samples: the default, and the shortest that --interval takes. */
#define OPTIONS_INTERVAL_US 1000
#define OPTIONS_INTERVAL_MIN_US 10

struct options {
	/* One for each row of the table. Texts are borrowed from the arguments. */
#define OPTION_MEMBERS
#define OPTION(how, type, member, ...) type member;
#define OPTION_OTHER(...)
#include "cli/option_list.h"
#undef OPTION_MEMBERS

	enum program_command command;
	char **files; /* borrowed from the arguments: n_before, n_after, n_noise, and plain ones */
	int n_files;
	bool is_two_sided; /* diff: the one file, which is there twice, is to hold both sides */
	const char *group_label; /* the key of --group=label:KEY; NULL: another group */
	struct option_step steps[OPTION_STEPS_MAX];
	int n_steps;
	int render_cols, render_rows; /* 0: no --render */
	uint64_t max_rows;            /* 0: no limit */
	int top;
	bool has_top;      /* --top was given */
	uint64_t given[2]; /* a bit for each row of the table that was on the command line */
};

/* Parse the arguments. On wrong usage: false, and what is wrong in err. */
bool options_parse(struct options *options, const struct option_words *words, int argc, char **argv,
		   struct error *err) MUST_USE;

/* The name of the i-th command; NULL: i is past the last one. */
const char *options_command_word(unsigned i);

/* The command that a word is nearly, as one typing error makes it; NULL: none. Static. */
const char *options_command_like(const char *word);

/* Set an option to the value of a file of settings; NULL: it has none there. One that was on the
 * command line stays. False, with err: no file can have this option, or the value is wrong. The
 * value is borrowed. */
bool options_set(struct options *options, const struct option_words *words, const char *name,
		 const char *value, struct error *err) MUST_USE;

/* Whether an option was on the command line. */
bool options_is_given(const struct options *options, const char *name);

/* Append the arguments, without --keys, --render and --roles, so that options may follow. Nothing
 * if one is standard input, which cannot be read again. */
void options_shell_text(int argc, char **argv, struct buf *out);

/* Append the text of --help. */
void options_help(const struct option_words *words, struct buf *out);

/* Append words with `separator` between them, and `last` before the last one. */
void options_join(const char *(*word)(unsigned i), const char *separator, const char *last,
		  struct buf *out);

enum option_flags {
	OPTION_SETTING = 1 /* a file of settings may have it */
};

enum take_how {
	TAKE_TEXT,
	TAKE_LIMIT, /* a text that is a size, or 0 for none */
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
	enum option_flags flags;
	char letter; /* 0: none */
	const char *name;
	const char *value; /* NULL: takes none */
	const char *help;  /* NULL: the option is for the build, and not listed */
};

/* Row i of the table; NULL after the last one. There are at most 128 (options.given). */
const struct option_row *options_table_row(size_t i);

/* The n-th list of words for an option; NULL: there is none. */
const struct option_words *options_table_words(const struct option_words *words, const char *option,
					       int n);

/* Append a text of the table, with the words of the option instead of braces. */
void options_table_text(const char *option, const char *text, const struct option_words *words,
			struct buf *out);

#endif
