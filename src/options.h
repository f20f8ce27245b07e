/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: one table of options that the parser and --help read. */
#ifndef FLAMETTY_OPTIONS_H
#define FLAMETTY_OPTIONS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

enum program_command {
	COMMAND_VIEW,
	COMMAND_REPORT,
	COMMAND_EXPORT,
	COMMAND_FORMATS,
	COMMAND_KEYS,
	COMMAND_HELP,
	COMMAND_VERSION
};

/* What is done to the calls, in the order of the arguments; options without a pattern come after
 * these. */
enum option_step_kind { STEP_FOCUS, STEP_ONLY, STEP_DROP, STEP_HIDE, STEP_COLLAPSE };

#define OPTION_STEPS_MOST 32

struct option_step {
	enum option_step_kind kind;
	const char *pattern;
};

struct options {
	enum program_command command;
	char **files; /* borrowed from the arguments */
	int n_files;
	const char *format;    /* of the report (NULL: text) or the export (NULL: trace) */
	const char *output;    /* of the export; NULL: standard output */
	const char *format_in; /* NULL: look at the file */
	const char *from, *to; /* NULL: start, end */
	const char *keys;      /* NULL: none */
	const char *with;      /* NULL: nothing */
	const char *sort;      /* NULL: both tables */
	const char *table;     /* of CSV; NULL: functions */
	const char *filter;    /* NULL: all rows */
	const char *lane;      /* NULL: all */
	const char *group;     /* NULL: by function */
	struct option_step steps[OPTION_STEPS_MOST];
	int n_steps;
	const char *color, *theme;
	int render_cols, render_rows; /* 0: no --render */
	const char *max_memory;       /* NULL: what is there */
	int top;
	bool has_top; /* it was asked for */
	bool has_folded_packages, has_merged_recursion, is_without_idle;
	bool is_ascii, is_raw, is_forced, is_samples, has_roles, has_idle;
};

/* Parse the arguments. On wrong usage: false, and what is wrong in err. */
bool options_parse(struct options *options, int argc, char **argv, struct error *err);

/* The text of --help. */
void options_help(struct buf *out);

#endif
