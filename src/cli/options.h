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
#include <stdlib.h>

enum program_command {
	COMMAND_VIEW,
	COMMAND_REPORT,
	COMMAND_EXPORT,
	COMMAND_DIFF,
	COMMAND_FLEET,
	COMMAND_ATTACH,
	COMMAND_RUN,
	COMMAND_WATCH,
	COMMAND_LIVE,
	COMMAND_FORMATS,
	COMMAND_KEYS,
	COMMAND_GUIDE,
	COMMAND_SCHEMA,
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
enum option_step_kind { STEP_FOCUS, STEP_ONLY, STEP_DROP, STEP_HIDE, STEP_COLLAPSE, STEP_DURING };

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
	const char *before_label, *after_label; /* fleet: KEY=VALUE of the sides; NULL: none */
	const char *group_label; /* the key of --group=label:KEY; NULL: another group */
	/* By file of the command line: how many of `labels` stand before it. Owned; NULL: there are
	 * no labels, or they stand behind all files. */
	int *labels_before;
	size_t labels_placed; /* how many of them stand before the last file */
	struct option_step steps[OPTION_STEPS_MAX];
	int n_steps;
	int render_cols, render_rows; /* 0: no --render */
	uint64_t max_rows;            /* 0: no limit */
	int top;
	bool has_top;      /* --top was given */
	uint64_t given[2]; /* a bit for each row of the table that was on the command line */
};

/* Parse the arguments. On wrong usage: false, and what is wrong in err. The caller ends the options
 * with options_done() in any case. */
bool options_parse(struct options *options, const struct option_words *words, int argc, char **argv,
		   struct error *err) MUST_USE;

static inline void options_done(struct options *options)
{
	free(options->labels_before);
	options->labels_before = NULL;
}

/* The name of the i-th command; NULL: i is past the last. Static. */
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

/* The page of flametty guide: which question, which command. */
extern const char options_guide[];

/* Append the JSON Schema of what a command prints as JSON, or nothing if it has none; of NULL, the
 * names of the commands that have one, a line each. options_schema_word(): the i-th of them; NULL:
 * i is past the last. */
void options_schema(const char *command, struct buf *out);
const char *options_schema_word(unsigned i);

/* Append the text of --help. */
void options_help(const struct option_words *words, struct buf *out);

/* The script for a shell that completes the command line there; `make install` puts it where the
 * shell looks for it. completion_word(): the name of the i-th shell; NULL: i is past the last. */
const char *completion_word(unsigned i);
void completion_format(unsigned shell, const struct option_words *words, struct buf *out);

#endif
