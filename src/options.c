/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the command line. To add one: a row in the table, an
 * entry in man/flametty.1 (tests/man.sh compares them). Long options may be
 * written --name=value or --name value; `--` ends them. */
#include "config.h"

#include "options.h"

#include "base/alloc.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What becomes of an option. A word is one of those that stand for its value in the help, parted by
 * `|`. */
enum take_how { TAKE_TEXT, TAKE_FLAG, TAKE_WORD, TAKE_STEP, TAKE_TOP, TAKE_SIZE, TAKE_COMMAND };

static const struct {
	enum take_how how;
	size_t what; /* TAKE_TEXT, TAKE_FLAG, TAKE_WORD: member of the options; else which step or
			command */
	char letter; /* 0: none */
	const char *name;
	const char *value; /* NULL: takes none */
	const char *help;
} table[] = {
	{ TAKE_TEXT, offsetof(struct options, format), 'f', "format", "NAME",
	  "report: text, json, csv; export: trace, folded, speedscope" },
	{ TAKE_TEXT, offsetof(struct options, output), 'o', "output", "FILE",
	  "export: where to; standard output if there is none" },
	{ TAKE_FLAG, offsetof(struct options, is_forced), 0, "force", NULL,
	  "export: replace a file that is there" },
	{ TAKE_FLAG, offsetof(struct options, is_samples), 0, "samples", NULL,
	  "export of traces: samples as samples, not as slices" },
	{ TAKE_TEXT, offsetof(struct options, with), 0, "with", "tree,bottomup,spans",
	  "report: what JSON holds besides" },
	{ TAKE_TEXT, offsetof(struct options, table), 0, "table", "NAME",
	  "report: what CSV holds: functions bottomup topdown packages files\n"
	  "categories lanes gaps busy stack lines" },
	{ TAKE_TOP, 0, 0, "top", "N", "report: rows of each table (10)" },
	{ TAKE_WORD, offsetof(struct options, sort), 0, "sort", "self|total|name",
	  "report: one table, sorted so" },
	{ TAKE_TEXT, offsetof(struct options, filter), 0, "filter", "RE",
	  "report: only rows whose name, url or package matches" },
	{ TAKE_TEXT, offsetof(struct options, lane), 0, "lane", "WHICH,...",
	  "only these lanes: a number, main, PID:TID, or RE; all" },
	{ TAKE_TEXT, offsetof(struct options, from), 0, "from", "TIME",
	  "only from here: 1.2s 350ms 1200us 40%, counted from the start" },
	{ TAKE_TEXT, offsetof(struct options, to), 0, "to", "TIME", "only up to here" },
	{ TAKE_STEP, STEP_FOCUS, 0, "focus", "RE",
	  "only what runs below calls that match, as if they were outermost" },
	{ TAKE_STEP, STEP_ONLY, 0, "only", "RE", "only stacks with a match, whole" },
	{ TAKE_STEP, STEP_DROP, 0, "drop", "RE", "no stacks with a match" },
	{ TAKE_STEP, STEP_HIDE, 0, "hide", "RE",
	  "merge away what matches: its time goes to its callers" },
	{ TAKE_STEP, STEP_COLLAPSE, 0, "collapse", "RE",
	  "what runs below a match is its own time" },
	{ TAKE_FLAG, offsetof(struct options, has_folded_packages), 0, "fold-packages", NULL,
	  "calls within a package are one call" },
	{ TAKE_FLAG, offsetof(struct options, has_merged_recursion), 0, "merge-recursion", NULL,
	  "a function inside of itself is the one outside" },
	{ TAKE_FLAG, offsetof(struct options, is_without_idle), 0, "no-idle", NULL,
	  "drop idle time" },
	{ TAKE_WORD, offsetof(struct options, group), 0, "group",
	  "function|file|package|category|lane", "what rows and boxes stand for" },
	{ TAKE_FLAG, offsetof(struct options, has_idle), 0, "idle", NULL,
	  "count idle time in shares" },
	{ TAKE_FLAG, offsetof(struct options, is_raw), 0, "raw-samples", NULL,
	  "garbage collection at row 0, lone (program) samples kept" },
	{ TAKE_TEXT, offsetof(struct options, max_memory), 0, "max-memory", "SIZE",
	  "take no more than this: 6G, 800M, 50%; 0: no limit. What needs\nmore is loaded in part, with --from, --to or --lane" },
	{ TAKE_TEXT, offsetof(struct options, format_in), 0, "format-in", "NAME",
	  "take the input for this format (flametty formats)" },
	{ TAKE_SIZE, 0, 0, "render", "COLSxROWS",
	  "print the screen as text and end; no terminal is needed" },
	{ TAKE_TEXT, offsetof(struct options, keys), 0, "keys", "KEYS",
	  "press these keys first, as in 'wwl<Enter>'" },
	{ TAKE_FLAG, offsetof(struct options, has_roles), 0, "roles", NULL,
	  "with --render: print what each cell means, too" },
	{ TAKE_WORD, offsetof(struct options, color), 0, "color", "auto|always|never",
	  "colours; NO_COLOR is honoured" },
	{ TAKE_WORD, offsetof(struct options, theme), 0, "theme", "auto|dark|light",
	  "background of the terminal" },
	{ TAKE_FLAG, offsetof(struct options, is_ascii), 0, "ascii", NULL,
	  "no characters beyond ASCII" },
	{ TAKE_COMMAND, COMMAND_HELP, 'h', "help", NULL, "print this and end" },
	{ TAKE_COMMAND, COMMAND_VERSION, 'V', "version", NULL, "print the version and end" },
};

static bool take_size(struct options *o, const char *value, struct error *err)
{
	char rest;

	if (sscanf(value, "%4dx%4d%c", &o->render_cols, &o->render_rows, &rest) != 2 ||
	    o->render_cols < 1 || o->render_rows < 1 || o->render_cols > 1000 ||
	    o->render_rows > 1000)
		return error_set(err, ERR_FORMAT, -1,
				 "--render wants COLSxROWS, up to 1000x1000, not '%s'", value);
	return true;
}

static bool take_top(struct options *o, const char *value, struct error *err)
{
	char *end;
	long n = strtol(value, &end, 10);

	if (*end || end == value || n < 1 || n > 1000000)
		return error_set(err, ERR_FORMAT, -1, "--top wants a number from 1 on, not '%s'",
				 value);
	o->top = (int)n;
	o->has_top = true;
	return true;
}

/* Whether `value` is one of the words in `words`, parted by `|`. */
static bool is_word(const char *words, const char *value)
{
	size_t len = strlen(value);

	for (const char *p = words; *p;) {
		size_t n = strcspn(p, "|");

		if (n == len && memcmp(p, value, n) == 0)
			return true;
		p += n + (p[n] == '|');
	}
	return false;
}

static bool take_step(struct options *o, enum option_step_kind kind, const char *pattern,
		      struct error *err)
{
	if (o->n_steps == OPTION_STEPS_MOST)
		return error_set(err, ERR_LIMIT, -1,
				 "more than %d of --focus, --only, --drop, --hide and --collapse",
				 OPTION_STEPS_MOST);
	o->steps[o->n_steps++] = (struct option_step){ kind, pattern };
	return true;
}

static bool take(struct options *o, size_t row, const char *value, struct error *err)
{
	char *member = (char *)o + table[row].what;

	switch (table[row].how) {
	case TAKE_TEXT:
		memcpy(member, &value, sizeof value);
		return true;
	case TAKE_FLAG:
		*(bool *)member = true;
		return true;
	case TAKE_WORD:
		if (!is_word(table[row].value, value))
			return error_set(err, ERR_FORMAT, -1, "--%s wants %s, not '%s'",
					 table[row].name, table[row].value, value);
		memcpy(member, &value, sizeof value);
		return true;
	case TAKE_STEP:
		return take_step(o, (enum option_step_kind)table[row].what, value, err);
	case TAKE_TOP:
		return take_top(o, value, err);
	case TAKE_SIZE:
		return take_size(o, value, err);
	case TAKE_COMMAND:
		o->command = (enum program_command)table[row].what;
		return true;
	}
	return false;
}

/* One long option at argv[*i]; *i moves on when its value is the next argument. */
static bool take_long(struct options *o, int argc, char **argv, int *i, struct error *err)
{
	const char *name = argv[*i] + 2, *equal = strchr(name, '=');
	size_t len = equal ? (size_t)(equal - name) : strlen(name);

	for (size_t row = 0; row < ARRAY_LEN(table); row++) {
		if (strlen(table[row].name) != len || memcmp(table[row].name, name, len) != 0)
			continue;
		if (!table[row].value)
			return equal ? error_set(err, ERR_FORMAT, -1, "--%s takes no value",
						 table[row].name)
				     : take(o, row, NULL, err);
		if (equal)
			return take(o, row, equal + 1, err);
		if (*i + 1 >= argc)
			return error_set(err, ERR_FORMAT, -1, "--%s wants a value",
					 table[row].name);
		return take(o, row, argv[++*i], err);
	}
	return error_set(err, ERR_FORMAT, -1, "no option '%s'", argv[*i]);
}

/* One short option: its value is the rest of the argument, or the next one. */
static bool take_short(struct options *o, int argc, char **argv, int *i, struct error *err)
{
	const char *arg = argv[*i];

	for (size_t row = 0; row < ARRAY_LEN(table); row++) {
		if (!table[row].letter || table[row].letter != arg[1])
			continue;
		if (!table[row].value)
			return arg[2] ? error_set(err, ERR_FORMAT, -1, "no option '%s'", arg)
				      : take(o, row, NULL, err);
		if (arg[2])
			return take(o, row, arg + 2, err);
		if (*i + 1 >= argc)
			return error_set(err, ERR_FORMAT, -1, "-%c wants a value", arg[1]);
		return take(o, row, argv[++*i], err);
	}
	return error_set(err, ERR_FORMAT, -1, "no option '%s'", arg);
}

bool options_parse(struct options *o, int argc, char **argv, struct error *err)
{
	static const struct {
		const char *name;
		enum program_command command;
	} commands[] = {
		{ "view", COMMAND_VIEW },     { "report", COMMAND_REPORT },
		{ "export", COMMAND_EXPORT }, { "formats", COMMAND_FORMATS },
		{ "keys", COMMAND_KEYS },
	};
	bool has_ended = false;
	int first = 1, n = 0;

	*o = (struct options){ .files = argv, .top = 10, .color = "auto", .theme = "auto" };
	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(commands); i++) {
		if (strcmp(argv[1], commands[i].name) == 0) {
			o->command = commands[i].command;
			first = 2;
		}
	}
	for (int i = first; i < argc; i++) {
		const char *arg = argv[i];

		if (has_ended || arg[0] != '-' || arg[1] == '\0') {
			argv[n++] = argv[i];
		} else if (strcmp(arg, "--") == 0) {
			has_ended = true;
		} else if (arg[1] != '-') {
			if (!take_short(o, argc, argv, &i, err))
				return false;
		} else if (!take_long(o, argc, argv, &i, err)) {
			return false;
		}
	}
	o->n_files = n;
	if (n == 0 &&
	    (o->command == COMMAND_VIEW || o->command == COMMAND_REPORT ||
	     o->command == COMMAND_EXPORT))
		return error_set(err, ERR_FORMAT, -1, "no file named");
	return true;
}

/* What goes on after a line break stands below its beginning. */
static void add_help(struct buf *out, const char *help)
{
	for (; *help; help++) {
		buf_addc(out, *help);
		if (*help == '\n')
			buf_addf(out, "%32s", "");
	}
	buf_addc(out, '\n');
}

void options_help(struct buf *out)
{
	buf_adds(
		out,
		"usage: flametty [OPTION...] FILE...          look at CPU profiles of JavaScript in the terminal\n"
		"       flametty report [OPTION...] FILE...   print where the time went\n"
		"       flametty export [OPTION...] FILE...   write them for other programs, in one file\n"
		"       flametty formats | keys               what can be read; which keys there are\n"
		"\nFILE is a profile, packed with gzip or zstd or not, or a directory of them; - is standard input.\n\n");
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char left[96], letter[8] = "";

		if (table[i].letter)
			snprintf(letter, sizeof letter, "-%c, ", table[i].letter);
		snprintf(left, sizeof left, "%s--%s%s%s", letter, table[i].name,
			 table[i].value ? "=" : "", table[i].value ? table[i].value : "");
		buf_addf(out, "  %-28s  ", left);
		if (strlen(left) > 28)
			buf_addf(out, "\n%32s", "");
		add_help(out, table[i].help);
	}
	buf_adds(
		out,
		"\nExit status: 0 all right, 1 an input or output failed, 2 wrong usage. See flametty(1).\n");
}
