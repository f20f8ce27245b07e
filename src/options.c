/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To add an option: a row in the table, and an entry in man/flametty.1 (tests/man.sh compares
 * them). A value follows its long option as --name=value or --name value; `--` ends the options. */
#include "config.h"

#include "options.h"

#include "base/alloc.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELP_COLUMN 32
#define HELP_CELLS 68

enum take_how {
	TAKE_TEXT,
	TAKE_FLAG,
	TAKE_WORD,  /* one of the option's words */
	TAKE_WORDS, /* several of them, separated by commas */
	TAKE_STEP,
	TAKE_TOP,
	TAKE_ROWS,
	TAKE_SIZE,
	TAKE_COMMAND
};

/* In `value` and `help`, {|} stands for the words of the option with a | between them, {, } for the
 * same with a comma and a blank, and so on; a second pair of braces for the option's second list of
 * words. */
static const struct {
	enum take_how how;
	size_t what; /* the member of the options; TAKE_STEP, TAKE_COMMAND: which one */
	char letter; /* 0: none */
	const char *name;
	const char *value; /* NULL: takes none */
	const char *help;
} table[] = {
	{ TAKE_TEXT, offsetof(struct options, format), 'f', "format", "NAME",
	  "report: {, }; export: {, }" },
	{ TAKE_TEXT, offsetof(struct options, output), 'o', "output", "FILE",
	  "export: the file to write; standard output by default" },
	{ TAKE_FLAG, offsetof(struct options, is_forced), 0, "force", NULL,
	  "export: replace an existing file" },
	{ TAKE_FLAG, offsetof(struct options, is_samples), 0, "samples", NULL,
	  "export of traces: write samples as samples, not as slices" },
	{ TAKE_WORDS, offsetof(struct options, with), 0, "with", "{,}",
	  "report: add these to JSON" },
	{ TAKE_WORD, offsetof(struct options, table), 0, "table", "NAME",
	  "report: the table for CSV: { }" },
	{ TAKE_FLAG, offsetof(struct options, is_raw_csv), 0, "raw-csv", NULL,
	  "report: no apostrophe before text in CSV that begins like a formula" },
	{ TAKE_TOP, 0, 0, "top", "N", "report: the number of rows of each table (10)" },
	{ TAKE_ROWS, 0, 0, "max-rows", "N",
	  "report: rows of a whole call tree or list of spans (1000000); 0: no limit" },
	{ TAKE_WORD, offsetof(struct options, sort), 0, "sort", "{|}",
	  "report: one table of functions, sorted by this" },
	{ TAKE_TEXT, offsetof(struct options, filter), 0, "filter", "RE",
	  "report: only rows whose name, URL or package matches" },
	{ TAKE_TEXT, offsetof(struct options, lane), 0, "lane", "WHICH,...",
	  "only these lanes: a number, main, PID:TID, RE or all" },
	{ TAKE_TEXT, offsetof(struct options, from), 0, "from", "TIME",
	  "start of the range: 1.2s, 350ms, 1200us or 40% from the start" },
	{ TAKE_TEXT, offsetof(struct options, to), 0, "to", "TIME", "end of the range" },
	{ TAKE_STEP, STEP_FOCUS, 0, "focus", "RE",
	  "only calls that match, as outermost calls, and what they call" },
	{ TAKE_STEP, STEP_ONLY, 0, "only", "RE", "only stacks with a match, whole" },
	{ TAKE_STEP, STEP_DROP, 0, "drop", "RE", "no stacks with a match" },
	{ TAKE_STEP, STEP_HIDE, 0, "hide", "RE",
	  "remove calls that match: their time goes to their callers" },
	{ TAKE_STEP, STEP_COLLAPSE, 0, "collapse", "RE",
	  "remove the callees of calls that match: their time goes to the match" },
	{ TAKE_FLAG, offsetof(struct options, has_folded_packages), 0, "fold-packages", NULL,
	  "join calls within a package into one call" },
	{ TAKE_FLAG, offsetof(struct options, has_merged_recursion), 0, "merge-recursion", NULL,
	  "join recursive calls with the outermost one" },
	{ TAKE_FLAG, offsetof(struct options, is_without_idle), 0, "no-idle", NULL,
	  "drop idle time" },
	{ TAKE_WORD, offsetof(struct options, group), 0, "group", "{|}",
	  "what rows and boxes stand for" },
	{ TAKE_FLAG, offsetof(struct options, has_idle), 0, "idle", NULL,
	  "count idle time in percentages" },
	{ TAKE_FLAG, offsetof(struct options, is_raw), 0, "raw-samples", NULL,
	  "leave garbage collection at row 0 and single (program) samples as they are" },
	{ TAKE_TEXT, offsetof(struct options, max_memory), 0, "max-memory", "SIZE",
	  "memory limit: 6G, 800M, 50%, or 0 for none. Of files that need more, --from, --to or "
	  "--lane load a part" },
	{ TAKE_TEXT, offsetof(struct options, max_unpacked), 0, "max-unpacked", "SIZE",
	  "limit of compressed data that becomes 300 times as much and more (1 GiB); 0: none" },
	{ TAKE_TEXT, offsetof(struct options, format_in), 0, "format-in", "NAME",
	  "the format of the input; detected by default (flametty formats)" },
	{ TAKE_SIZE, 0, 0, "render", "COLSxROWS",
	  "print the screen as text and exit; needs no terminal" },
	{ TAKE_TEXT, offsetof(struct options, keys), 0, "keys", "KEYS",
	  "press these keys first, as in 'wwl<Enter>'" },
	{ TAKE_FLAG, offsetof(struct options, has_roles), 0, "roles", NULL,
	  "with --render: also print what each cell means" },
	{ TAKE_WORD, offsetof(struct options, color), 0, "color", "{|}",
	  "use colours; auto obeys NO_COLOR" },
	{ TAKE_TEXT, offsetof(struct options, theme), 0, "theme", "{|}|FILE",
	  "the colours; auto asks the terminal for its background" },
	{ TAKE_FLAG, offsetof(struct options, is_ascii), 0, "ascii", NULL,
	  "draw with ASCII characters only" },
	{ TAKE_COMMAND, COMMAND_HELP, 'h', "help", NULL, "print this help and exit" },
	{ TAKE_COMMAND, COMMAND_VERSION, 'V', "version", NULL, "print the version and exit" },
};

/* ---- words ---- */

void options_join(const char *(*word)(unsigned i), const char *separator, const char *last,
		  struct buf *out)
{
	for (unsigned i = 0; word(i); i++) {
		if (i)
			buf_adds(out, word(i + 1) ? separator : last);
		buf_adds(out, word(i));
	}
}

/* The n-th list of words for an option; NULL: there is none. */
static const struct option_words *find_words(const struct option_words *words, const char *option,
					     int n)
{
	for (; words && words->option; words++)
		if (strcmp(words->option, option) == 0 && n-- == 0)
			return words;
	return NULL;
}

static bool refuse_word(const struct option_words *w, const char *value, struct error *err)
{
	struct buf list = { 0 };

	options_join(w->word, ", ", " or ", &list);
	error_set(err, ERR_FORMAT, -1, "--%s wants %s, not '%s'", w->option, buf_text(&list),
		  value);
	buf_done(&list);
	return false;
}

/* The number of the word [p, p + n); -1: it is none. */
static int find_word(const struct option_words *w, const char *p, size_t n)
{
	for (unsigned i = 0; w->word(i); i++)
		if (strlen(w->word(i)) == n && memcmp(w->word(i), p, n) == 0)
			return (int)i;
	return -1;
}

static bool take_word(const struct option_words *w, const char *value, int *number,
		      struct error *err)
{
	*number = find_word(w, value, strlen(value));
	return *number >= 0 || refuse_word(w, value, err);
}

static bool take_words(const struct option_words *w, const char *value, unsigned *bits,
		       struct error *err)
{
	*bits = 0;
	for (const char *p = value; *p;) {
		size_t n = strcspn(p, ",");
		int number = find_word(w, p, n);

		if (number < 0)
			return refuse_word(w, value, err);
		*bits |= 1u << number;
		p += n + (p[n] == ',');
	}
	return true;
}

/* ---- parsing ---- */

/* The command line that is being parsed. */
struct parser {
	struct options *options;
	const struct option_words *words;
	int argc;
	char **argv;
	struct error *err;
};

static bool take_size(struct options *o, const char *value, struct error *err)
{
	char *end;
	long cols = strtol(value, &end, 10), rows = *end == 'x' ? strtol(end + 1, &end, 10) : 0;

	if (*end || cols < 1 || rows < 1 || cols > 1000 || rows > 1000)
		return error_set(err, ERR_FORMAT, -1,
				 "--render wants COLSxROWS, up to 1000x1000, not '%s'", value);
	o->render_cols = (int)cols;
	o->render_rows = (int)rows;
	return true;
}

static bool take_top(struct options *o, const char *value, struct error *err)
{
	char *end;
	long n = strtol(value, &end, 10);

	if (*end || end == value || n < 1 || n > 1000000)
		return error_set(err, ERR_FORMAT, -1,
				 "--top wants a number from 1 to 1000000, not '%s'", value);
	o->top = (int)n;
	o->has_top = true;
	return true;
}

static bool take_rows(struct options *o, const char *value, struct error *err)
{
	char *end;
	long long n = strtoll(value, &end, 10);

	if (*end || end == value || n < 0 || n == LLONG_MAX)
		return error_set(err, ERR_FORMAT, -1,
				 "--max-rows wants a number, or 0 for no limit, not '%s'", value);
	o->max_rows = (uint64_t)n;
	return true;
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

/* Take an option without a value. */
static bool take_flag(const struct parser *p, size_t row)
{
	struct options *o = p->options;

	if (table[row].how == TAKE_COMMAND)
		o->command = (enum program_command)table[row].what;
	else
		*(bool *)((char *)o + table[row].what) = true;
	return true;
}

static bool take_value(const struct parser *p, size_t row, const char *value)
{
	struct options *o = p->options;
	char *member = (char *)o + table[row].what;
	const struct option_words *w = find_words(p->words, table[row].name, 0);

	switch (table[row].how) {
	case TAKE_TEXT:
		memcpy(member, &value, sizeof value);
		return true;
	case TAKE_WORD:
		assert(w);
		return take_word(w, value, (int *)(void *)member, p->err);
	case TAKE_WORDS:
		assert(w);
		return take_words(w, value, (unsigned *)(void *)member, p->err);
	case TAKE_STEP:
		return take_step(o, (enum option_step_kind)table[row].what, value, p->err);
	case TAKE_TOP:
		return take_top(o, value, p->err);
	case TAKE_ROWS:
		return take_rows(o, value, p->err);
	case TAKE_SIZE:
		return take_size(o, value, p->err);
	case TAKE_FLAG:
	case TAKE_COMMAND:
		break;
	}
	return false;
}

/* One long option at argv[*i]; *i moves on if its value is the next argument. */
static bool take_long(const struct parser *p, int *i)
{
	const char *name = p->argv[*i] + 2, *equal = strchr(name, '=');
	size_t len = equal ? (size_t)(equal - name) : strlen(name);

	for (size_t row = 0; row < ARRAY_LEN(table); row++) {
		if (strlen(table[row].name) != len || memcmp(table[row].name, name, len) != 0)
			continue;
		if (!table[row].value)
			return equal ? error_set(p->err, ERR_FORMAT, -1, "--%s takes no value",
						 table[row].name)
				     : take_flag(p, row);
		if (equal)
			return take_value(p, row, equal + 1);
		if (*i + 1 >= p->argc)
			return error_set(p->err, ERR_FORMAT, -1, "--%s wants a value",
					 table[row].name);
		return take_value(p, row, p->argv[++*i]);
	}
	return error_set(p->err, ERR_FORMAT, -1, "no option '%s'", p->argv[*i]);
}

/* One short option: its value is the rest of the argument, or the next argument. */
static bool take_short(const struct parser *p, int *i)
{
	const char *arg = p->argv[*i];

	for (size_t row = 0; row < ARRAY_LEN(table); row++) {
		if (!table[row].letter || table[row].letter != arg[1])
			continue;
		if (!table[row].value)
			return arg[2] ? error_set(p->err, ERR_FORMAT, -1, "no option '%s'", arg)
				      : take_flag(p, row);
		if (arg[2])
			return take_value(p, row, arg + 2);
		if (*i + 1 >= p->argc)
			return error_set(p->err, ERR_FORMAT, -1, "-%c wants a value", arg[1]);
		return take_value(p, row, p->argv[++*i]);
	}
	return error_set(p->err, ERR_FORMAT, -1, "no option '%s'", arg);
}

static const struct {
	const char *name;
	enum program_command command;
} commands[] = {
	{ "view", COMMAND_VIEW },       { "report", COMMAND_REPORT }, { "export", COMMAND_EXPORT },
	{ "formats", COMMAND_FORMATS }, { "keys", COMMAND_KEYS },
};

/* Whether one slip of the hand makes `b` of `a`: a letter too many, one too few, another one, or
 * two that changed places. */
static bool is_slip(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), same = 0, end = 0;

	while (a[same] && a[same] == b[same])
		same++;
	while (end < la - same && end < lb - same && a[la - 1 - end] == b[lb - 1 - end])
		end++;
	la -= same + end;
	lb -= same + end;
	return (la <= 1 && lb <= 1) ||
		(la == 2 && lb == 2 && a[same] == b[same + 1] && a[same + 1] == b[same]);
}

const char *options_command_like(const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (is_slip(word, commands[i].name))
			return commands[i].name;
	return NULL;
}

/* Returns the index of the first argument after the command. */
static int take_command(struct options *o, int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(commands); i++) {
		if (strcmp(argv[1], commands[i].name) == 0) {
			o->command = commands[i].command;
			return 2;
		}
	}
	return 1;
}

bool options_parse(struct options *o, const struct option_words *words, int argc, char **argv,
		   struct error *err)
{
	const struct parser p = { o, words, argc, argv, err };
	bool has_ended = false;

	*o = (struct options){ .files = argv,
			       .max_rows = 1000000,
			       .top = 10,
			       .color = -1,
			       .sort = -1,
			       .table = -1,
			       .group = -1 };
	for (int i = take_command(o, argc, argv); i < argc; i++) {
		const char *arg = argv[i];

		if (has_ended || arg[0] != '-' || arg[1] == '\0') {
			argv[o->n_files++] = argv[i];
		} else if (strcmp(arg, "--") == 0) {
			has_ended = true;
		} else if (!(arg[1] == '-' ? take_long(&p, &i) : take_short(&p, &i))) {
			return false;
		}
	}
	if (o->n_files == 0 &&
	    (o->command == COMMAND_VIEW || o->command == COMMAND_REPORT ||
	     o->command == COMMAND_EXPORT))
		return error_set(err, ERR_FORMAT, -1, "no file given");
	return true;
}

/* ---- help ---- */

/* A text of the table, with the option's words instead of braces. */
static void add_text(const char *option, const char *text, const struct option_words *words,
		     struct buf *out)
{
	for (int n = 0; *text; n++) {
		size_t before = strcspn(text, "{");
		const struct option_words *w = find_words(words, option, n);

		buf_add(out, text, before);
		text += before;
		if (*text == '{') {
			char separator[8] = "";
			size_t len = strcspn(++text, "}");

			memcpy(separator, text, len < sizeof separator ? len : 0);
			if (w)
				options_join(w->word, separator, separator, out);
			text += len + 1;
		}
	}
}

/* Lines of at most HELP_CELLS, one below the other. */
static void add_lines(const char *text, struct buf *out)
{
	int used = 0;

	for (size_t n; *text; text += n + (text[n] == ' ')) {
		n = strcspn(text, " ");
		if (used && used + 1 + (int)n > HELP_CELLS) {
			buf_addf(out, "\n%*s", HELP_COLUMN, "");
			used = 0;
		} else if (used) {
			buf_addc(out, ' ');
			used++;
		}
		buf_add(out, text, n);
		used += (int)n;
	}
	buf_addc(out, '\n');
}

void options_help(const struct option_words *words, struct buf *out)
{
	buf_adds(
		out,
		"usage: flametty [OPTION...] FILE...          show CPU profiles of JavaScript in the terminal\n"
		"       flametty report [OPTION...] FILE...   print where the time went\n"
		"       flametty export [OPTION...] FILE...   write them in the format of another program\n"
		"       flametty formats | keys               list the input formats; list the keys\n"
		"\nFILE is a profile (plain, gzip or zstd), a directory of profiles, or - for standard input.\n\n");
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct buf left = { 0 }, help = { 0 };

		if (table[i].letter)
			buf_addf(&left, "-%c, ", table[i].letter);
		buf_addf(&left, "--%s%s", table[i].name, table[i].value ? "=" : "");
		add_text(table[i].name, table[i].value ? table[i].value : "", words, &left);
		if (left.len <= HELP_COLUMN - 4)
			buf_addf(out, "  %-*s  ", HELP_COLUMN - 4, buf_text(&left));
		else
			buf_addf(out, "  %s\n%*s", buf_text(&left), HELP_COLUMN, "");
		add_text(table[i].name, table[i].help, words, &help);
		add_lines(buf_text(&help), out);
		buf_done(&left);
		buf_done(&help);
	}
	buf_adds(
		out,
		"\nExit status: 0 success, 1 an input or output failed, 2 wrong usage. See flametty(1).\n");
}
