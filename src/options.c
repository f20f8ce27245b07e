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
	OPT_FORMAT, OPT_OUTPUT, OPT_FORCE, OPT_SAMPLES, OPT_WITH, OPT_TOP, OPT_SORT, OPT_FROM, OPT_TO, OPT_IDLE, OPT_RAW, OPT_FORMAT_IN,
	OPT_RENDER, OPT_KEYS, OPT_ROLES, OPT_COLOR, OPT_THEME, OPT_ASCII, OPT_HELP, OPT_VERSION
};

static const struct {
	enum option_id id;
	char letter;           /* 0: none */
	const char *name;
	const char *value;     /* NULL: takes none */
	const char *help;
} table[] = {
	{ OPT_FORMAT, 'f', "format", "text|json|trace|folded|speedscope", "how it is written: report the first two, export the others" },
	{ OPT_OUTPUT, 'o', "output", "FILE", "export: where to; standard output if there is none" },
	{ OPT_FORCE, 0, "force", NULL, "export: replace a file that is there" },
	{ OPT_SAMPLES, 0, "samples", NULL, "export of traces: samples as samples, not as slices" },
	{ OPT_WITH, 0, "with", "tree,bottomup,spans", "report: what JSON holds besides" },
	{ OPT_TOP, 0, "top", "N", "report: rows of each table (10)" },
	{ OPT_SORT, 0, "sort", "self|total|name", "report: one table, sorted so" },
	{ OPT_FROM, 0, "from", "TIME", "only from here: 1.2s 350ms 1200us 40%, counted from the start" },
	{ OPT_TO, 0, "to", "TIME", "only up to here" },
	{ OPT_IDLE, 0, "idle", NULL, "count idle time in shares" },
	{ OPT_RAW, 0, "raw-samples", NULL, "garbage collection at row 0, lone (program) samples kept" },
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

static bool take(struct options *o, size_t row, const char *value, struct error *err)
{
	switch (table[row].id) {
	case OPT_FORMAT:
		return take_word(&o->format, table[row].name, table[row].value, value, err);
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
		buf_addf(out, "  %-28s  %s\n", left, table[i].help);
	}
	buf_adds(out, "\nExit status: 0 all right, 1 an input or output failed, 2 wrong usage. See flametty(1).\n");
}
