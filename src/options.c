/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the command line. To add one: a row in the table, a case in take(), an
 * entry in man/flametty.1 (tests/man.sh compares them). Long options may be
 * written --name=value or --name value; `--` ends them. */
#include "config.h"

#include "options.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
	OPT_FORMAT, OPT_OUTPUT, OPT_FORCE, OPT_SAMPLES, OPT_WITH, OPT_TABLE, OPT_TOP, OPT_SORT, OPT_FILTER, OPT_LANE, OPT_FROM, OPT_TO,
	OPT_FOCUS, OPT_ONLY, OPT_DROP, OPT_HIDE, OPT_COLLAPSE, OPT_FOLD_PACKAGES, OPT_MERGE_RECURSION, OPT_NO_IDLE, OPT_GROUP,
	OPT_IDLE, OPT_RAW, OPT_MAX_MEMORY, OPT_FORMAT_IN,
	OPT_RENDER, OPT_KEYS, OPT_ROLES, OPT_COLOR, OPT_THEME, OPT_ASCII, OPT_HELP, OPT_VERSION
};

static const struct {
	enum option_id id;
	char letter;           /* 0: none */
	const char *name;
	const char *value;     /* NULL: takes none */
	const char *help;
} table[] = {
	{ OPT_FORMAT, 'f', "format", "NAME", "report: text, json, csv; export: trace, folded, speedscope" },
	{ OPT_OUTPUT, 'o', "output", "FILE", "export: where to; standard output if there is none" },
	{ OPT_FORCE, 0, "force", NULL, "export: replace a file that is there" },
	{ OPT_SAMPLES, 0, "samples", NULL, "export of traces: samples as samples, not as slices" },
	{ OPT_WITH, 0, "with", "tree,bottomup,spans", "report: what JSON holds besides" },
	{ OPT_TABLE, 0, "table", "NAME", "report: what CSV holds: functions bottomup topdown packages files\n"
	  "categories lanes gaps busy stack lines" },
	{ OPT_TOP, 0, "top", "N", "report: rows of each table (10)" },
	{ OPT_SORT, 0, "sort", "self|total|name", "report: one table, sorted so" },
	{ OPT_FILTER, 0, "filter", "RE", "report: only rows whose name, url or package matches" },
	{ OPT_LANE, 0, "lane", "WHICH,...", "only these lanes: a number, main, PID:TID, or RE; all" },
	{ OPT_FROM, 0, "from", "TIME", "only from here: 1.2s 350ms 1200us 40%, counted from the start" },
	{ OPT_TO, 0, "to", "TIME", "only up to here" },
	{ OPT_FOCUS, 0, "focus", "RE", "only what runs below calls that match, as if they were outermost" },
	{ OPT_ONLY, 0, "only", "RE", "only stacks with a match, whole" },
	{ OPT_DROP, 0, "drop", "RE", "no stacks with a match" },
	{ OPT_HIDE, 0, "hide", "RE", "merge away what matches: its time goes to its callers" },
	{ OPT_COLLAPSE, 0, "collapse", "RE", "what runs below a match is its own time" },
	{ OPT_FOLD_PACKAGES, 0, "fold-packages", NULL, "calls within a package are one call" },
	{ OPT_MERGE_RECURSION, 0, "merge-recursion", NULL, "a function inside of itself is the one outside" },
	{ OPT_NO_IDLE, 0, "no-idle", NULL, "drop idle time" },
	{ OPT_GROUP, 0, "group", "WHAT", "what rows and boxes stand for: function, file, package, category, lane" },
	{ OPT_IDLE, 0, "idle", NULL, "count idle time in shares" },
	{ OPT_RAW, 0, "raw-samples", NULL, "garbage collection at row 0, lone (program) samples kept" },
	{ OPT_MAX_MEMORY, 0, "max-memory", "SIZE", "take no more than this: 6G, 800M, 50%; 0: no limit" },
	{ OPT_FORMAT_IN, 0, "format-in", "NAME", "take the input for this format (flametty formats)" },
	{ OPT_RENDER, 0, "render", "COLSxROWS", "print the screen as text and end; no terminal is needed" },
	{ OPT_KEYS, 0, "keys", "KEYS", "press these keys first, as in 'wwl<Enter>'" },
	{ OPT_ROLES, 0, "roles", NULL, "with --render: print what each cell means, too" },
	{ OPT_COLOR, 0, "color", "auto|always|never", "colours; NO_COLOR is honoured" },
	{ OPT_THEME, 0, "theme", "auto|dark|light", "background of the terminal" },
	{ OPT_ASCII, 0, "ascii", NULL, "no characters beyond ASCII" },
	{ OPT_HELP, 'h', "help", NULL, "print this and end" },
	{ OPT_VERSION, 'V', "version", NULL, "print the version and end" },
};

static bool take_size(struct options *o, const char *value, struct error *err)
{
	char rest;

	if (sscanf(value, "%4dx%4d%c", &o->render_cols, &o->render_rows, &rest) != 2 || o->render_cols < 1 || o->render_rows < 1 ||
	    o->render_cols > 1000 || o->render_rows > 1000)
		return error_set(err, ERR_FORMAT, -1, "--render wants COLSxROWS, up to 1000x1000, not '%s'", value);
	return true;
}

static bool take_top(struct options *o, const char *value, struct error *err)
{
	char *end;
	long n = strtol(value, &end, 10);

	if (*end || end == value || n < 1 || n > 1000000)
		return error_set(err, ERR_FORMAT, -1, "--top wants a number from 1 on, not '%s'", value);
	o->top = (int)n;
	o->has_top = true;
	return true;
}

/* `value` must be one of the words in `words`, parted by `|`. */
static bool take_word(const char **to, const char *name, const char *words, const char *value, struct error *err)
{
	size_t len = strlen(value);
	const char *p = words;

	while (*p) {
		size_t n = strcspn(p, "|");

		if (n == len && memcmp(p, value, n) == 0) {
			*to = value;
			return true;
		}
		p += n + (p[n] == '|');
	}
	return error_set(err, ERR_FORMAT, -1, "--%s wants %s, not '%s'", name, words, value);
}

static bool take_step(struct options *o, enum option_step_kind kind, const char *pattern, struct error *err)
{
	if (o->n_steps == OPTION_STEPS_MOST)
		return error_set(err, ERR_LIMIT, -1, "more than %d of --focus, --only, --drop, --hide and --collapse", OPTION_STEPS_MOST);
	o->steps[o->n_steps++] = (struct option_step){ kind, pattern };
	return true;
}

static bool take(struct options *o, size_t row, const char *value, struct error *err)
{
	switch (table[row].id) {
	case OPT_FORMAT:
		o->format = value;
		return true;
	case OPT_TABLE:
		o->table = value;
		return true;
	case OPT_FILTER:
		o->filter = value;
		return true;
	case OPT_LANE:
		o->lane = value;
		return true;
	case OPT_FOCUS:
		return take_step(o, STEP_FOCUS, value, err);
	case OPT_ONLY:
		return take_step(o, STEP_ONLY, value, err);
	case OPT_DROP:
		return take_step(o, STEP_DROP, value, err);
	case OPT_HIDE:
		return take_step(o, STEP_HIDE, value, err);
	case OPT_COLLAPSE:
		return take_step(o, STEP_COLLAPSE, value, err);
	case OPT_FOLD_PACKAGES:
		return o->has_folded_packages = true;
	case OPT_MERGE_RECURSION:
		return o->has_merged_recursion = true;
	case OPT_NO_IDLE:
		return o->is_without_idle = true;
	case OPT_GROUP:
		return take_word(&o->group, table[row].name, "function|file|package|category|lane", value, err);
	case OPT_SORT:
		return take_word(&o->sort, table[row].name, table[row].value, value, err);
	case OPT_COLOR:
		return take_word(&o->color, table[row].name, table[row].value, value, err);
	case OPT_THEME:
		return take_word(&o->theme, table[row].name, table[row].value, value, err);
	case OPT_OUTPUT:
		o->output = value;
		return true;
	case OPT_FORCE:
		return o->is_forced = true;
	case OPT_SAMPLES:
		return o->is_samples = true;
	case OPT_WITH:
		o->with = value;
		return true;
	case OPT_TOP:
		return take_top(o, value, err);
	case OPT_FROM:
		o->from = value;
		return true;
	case OPT_TO:
		o->to = value;
		return true;
	case OPT_MAX_MEMORY:
		o->max_memory = value;
		return true;
	case OPT_FORMAT_IN:
		o->format_in = value;
		return true;
	case OPT_RENDER:
		return take_size(o, value, err);
	case OPT_KEYS:
		o->keys = value;
		return true;
	case OPT_IDLE:
		return o->has_idle = true;
	case OPT_RAW:
		return o->is_raw = true;
	case OPT_ROLES:
		return o->has_roles = true;
	case OPT_ASCII:
		return o->is_ascii = true;
	case OPT_HELP:
		o->command = COMMAND_HELP;
		return true;
	case OPT_VERSION:
		o->command = COMMAND_VERSION;
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
			return equal ? error_set(err, ERR_FORMAT, -1, "--%s takes no value", table[row].name) : take(o, row, NULL, err);
		if (equal)
			return take(o, row, equal + 1, err);
		if (*i + 1 >= argc)
			return error_set(err, ERR_FORMAT, -1, "--%s wants a value", table[row].name);
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
			return arg[2] ? error_set(err, ERR_FORMAT, -1, "no option '%s'", arg) : take(o, row, NULL, err);
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
	static const struct { const char *name; enum program_command command; } commands[] = {
		{ "view", COMMAND_VIEW }, { "report", COMMAND_REPORT }, { "export", COMMAND_EXPORT }, { "formats", COMMAND_FORMATS }, { "keys", COMMAND_KEYS },
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
	if (n == 0 && (o->command == COMMAND_VIEW || o->command == COMMAND_REPORT || o->command == COMMAND_EXPORT))
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
	buf_adds(out, "usage: flametty [OPTION...] FILE...          look at CPU profiles of JavaScript in the terminal\n"
		      "       flametty report [OPTION...] FILE...   print where the time went\n"
		      "       flametty export [OPTION...] FILE...   write them for other programs, in one file\n"
		      "       flametty formats | keys               what can be read; which keys there are\n"
		      "\nFILE is a profile, packed with gzip or zstd or not, or a directory of them; - is standard input.\n\n");
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char left[96], letter[8] = "";

		if (table[i].letter)
			snprintf(letter, sizeof letter, "-%c, ", table[i].letter);
		snprintf(left, sizeof left, "%s--%s%s%s", letter, table[i].name, table[i].value ? "=" : "", table[i].value ? table[i].value : "");
		buf_addf(out, "  %-28s  ", left);
		add_help(out, table[i].help);
	}
	buf_adds(out, "\nExit status: 0 all right, 1 an input or output failed, 2 wrong usage. See flametty(1).\n");
}
