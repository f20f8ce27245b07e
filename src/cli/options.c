/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value follows its long option as --name=value or --name value; `--` ends the options, and the
 * command that `flametty run` starts does. The table of options is option_list.h. */
#include "config.h"

#include "cli/options.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/option_table.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== options help ====
 *
 * The text of --help, from the table of options. */

#define HELP_COLUMN 32
#define HELP_CELLS 68

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
	const struct option_row *r;

	buf_adds(
		out,
		"usage: flametty [OPTION...] FILE...          show CPU profiles of JavaScript in the terminal\n"
		"       flametty report [OPTION...] FILE...   print where the time went\n"
		"       flametty export [OPTION...] FILE...   write them in the format of another program\n"
		"       flametty diff [OPTION...] BEFORE AFTER   compare runs of a program\n"
		"       flametty fleet [OPTION...] DIR...     what many recordings of many hosts say together\n"
#ifdef HAVE_REMOTE
		"       flametty attach [OPTION...] PROCESS...  record running processes, then show that\n"
		"       flametty run [OPTION...] -- COMMAND...  record all that a command starts\n"
		"       flametty watch [OPTION...] PROCESS...   print what makes running processes stall\n"
		"       flametty live [OPTION...] PROCESS...    show what they do, every second\n"
#endif
		"       flametty formats | keys | guide | schema   lists; how to begin; schemas of JSON\n"
		"\nFILE is a profile (plain, gzip, zstd or lz4), a directory of profiles, or - for standard input.\n\n");
	for (size_t i = 0; (r = option_table_row(i)); i++) {
		BUF_LOCAL left = { 0 }, help = { 0 };

		if (!r->help)
			continue;
		if (r->letter)
			buf_addf(&left, "-%c, ", r->letter);
		buf_addf(&left, "--%s%s", r->name, r->value ? "=" : "");
		option_table_text(r->name, r->value ? r->value : "", words, &left);
		if (left.len <= HELP_COLUMN - 4)
			buf_addf(out, "  %-*s  ", HELP_COLUMN - 4, buf_text(&left));
		else
			buf_addf(out, "  %s\n%*s", buf_text(&left), HELP_COLUMN, "");
		option_table_text(r->name, r->help, words, &help);
		add_lines(buf_text(&help), out);
	}
	buf_adds(
		out,
		"\nExit status: 0 success, 1 an input or output failed, 2 wrong usage. See flametty(1).\n");
}

/* ==== options shell ==== */

/* How many arguments from this one on are about keys and pictures. */
static int count_left_out(const char *arg)
{
	static const char *const names[] = { "--keys", "--render" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t len = strlen(names[i]);

		if (strncmp(arg, names[i], len) == 0 && (!arg[len] || arg[len] == '='))
			return arg[len] ? 1 : 2;
	}
	return strcmp(arg, "--roles") == 0;
}

void options_shell_text(int argc, char **argv, struct buf *out)
{
	BUF_LOCAL name = { 0 };
	bool is_over = false; /* the options */

	buf_adds(out, "flametty");
	for (int i = 1; i < argc; i++) {
		int left_out = is_over ? 0 : count_left_out(argv[i]);

		if (strcmp(argv[i], "-") == 0) {
			buf_clear(out);
			break;
		}
		if (left_out) {
			i += left_out - 1;
		} else if (!is_over && strcmp(argv[i], "--") == 0) {
			is_over = true;
		} else {
			/* Behind `--` a file may begin with a dash. */
			buf_clear(&name);
			buf_addf(&name, "%s%s", is_over && *argv[i] == '-' ? "./" : "", argv[i]);
			buf_addc(out, ' ');
			text_shell(out, buf_text(&name));
		}
	}
}

/* ==== options ==== */

/* ---- words ---- */

static bool refuse_word(const struct option_words *w, const char *value, struct error *err)
{
	BUF_LOCAL list = { 0 };

	option_table_join(w->word, ", ", " or ", &list);
	if (list.len && list.data[list.len - 1] == ':')
		buf_adds(&list, "KEY");
	return error_set(err, ERR_FORMAT, -1, "--%s wants %s, not '%s'", w->option, buf_text(&list),
			 value);
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

/* A word, or `label:` with a key. */
static bool take_group(struct options *o, const struct option_words *w, const char *value,
		       struct error *err)
{
	size_t n = strcspn(value, ":");

	o->group_label = NULL;
	if (value[n] == ':' && value[n + 1] && find_word(w, value, n + 1) >= 0) {
		o->group_label = value + n + 1;
		o->group = find_word(w, value, n + 1);
		return true;
	}
	return value[n] != ':' ? take_word(w, value, &o->group, err) : refuse_word(w, value, err);
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

/* Errors about the values of the options below have the kind ERR_USAGE. */
static bool take_bytes(const struct option_row *r, const char *value, int64_t *bytes,
		       struct error *err)
{
	bool is_memory = r->how == TAKE_MEMORY;

	*bytes = 0;
	return strcmp(value, "0") == 0 ||
		memory_parse(value, is_memory ? memory_available() : 0, bytes) ||
		error_set(err, ERR_USAGE, -1, "--%s wants a size like 6G%s, or 0, not '%s'",
			  r->name, is_memory ? ", 800M or 50%" : " or 800M", value);
}

static bool take_decimal(const struct option_row *r, const char *value, double *number,
			 struct error *err)
{
	char *end;
	double n = strtod(value, &end);

	*number = r->how == TAKE_SHARE ? n / 100 : n;
	if (r->how == TAKE_SHARE)
		return (end != value && (!*end || strcmp(end, "%") == 0) && n >= 0 && n < 100) ||
			error_set(err, ERR_USAGE, -1,
				  "--%s wants a percentage from 0 to below 100, not '%s'", r->name,
				  value);
	return (end != value && !*end && n > 0 && n <= 1000) ||
		error_set(err, ERR_USAGE, -1, "--%s needs pixels above 0 and up to 1000, not %s",
			  r->name, value);
}

static bool take_screen(struct options *o, const char *value, struct error *err)
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

/* The labels so far stand before this file. */
static void place_labels(struct options *o, int file)
{
	if (o->labels_before)
		o->labels_before[file] = (int)o->labels.n;
	o->labels_placed = o->labels.n;
}

/* Put a file behind those of the side, whose number is a member of the options. The files are where
 * the arguments were; those that were read before are as many at least. */
static bool take_run(struct options *o, const struct option_row *side, const char *file,
		     struct error *err)
{
	int *n = (int *)(void *)((char *)o + side->what), at = o->n_before;

	/* Of a fleet, a side is the recordings with a label. */
	if (o->command == COMMAND_FLEET && n == &o->n_noise)
		return error_set(err, ERR_FORMAT, -1,
				 "--noise is for flametty diff; in a fleet, hosts are the runs");
	if (o->command == COMMAND_FLEET) {
		*(n == &o->n_before ? &o->before_label : &o->after_label) = file;
		return true;
	}
	if (file[0] == '-' && file[1])
		return error_set(err, ERR_FORMAT, -1, "--%s wants a file", side->name);
	at += n != &o->n_before ? o->n_after : 0;
	at += n == &o->n_noise ? o->n_noise : 0;
	memmove(o->files + at + 1, o->files + at, (size_t)(o->n_files - at) * sizeof *o->files);
	o->files[at] = (char *)(uintptr_t)file;
	if (o->labels_before)
		memmove(o->labels_before + at + 1, o->labels_before + at,
			(size_t)(o->n_files - at) * sizeof *o->labels_before);
	place_labels(o, at);
	o->n_files++;
	(*n)++;
	return true;
}

/* Take an option without a value. */
static bool take_flag(const struct parser *p, const struct option_row *r)
{
	struct options *o = p->options;

	if (r->how == TAKE_COMMAND)
		o->command = (enum program_command)r->what;
	else
		*(bool *)((char *)o + r->what) = true;
	return true;
}

static bool take_value(const struct parser *p, const struct option_row *r, const char *value)
{
	struct options *o = p->options;
	char *member = (char *)o + r->what;
	const struct option_words *w = option_table_words(p->words, r->name, 0);
	struct option_list *list;

	switch (r->how) {
	case TAKE_TEXT:
		memcpy(member, &value, sizeof value);
		return true;
	case TAKE_BYTES:
	case TAKE_MEMORY:
		return take_bytes(r, value, (int64_t *)(void *)member, p->err);
	case TAKE_PIXELS:
	case TAKE_SHARE:
		return take_decimal(r, value, (double *)(void *)member, p->err);
	case TAKE_WORD:
		assert(w);
		return take_word(w, value, (int *)(void *)member, p->err);
	case TAKE_GROUP:
		assert(w);
		return take_group(o, w, value, p->err);
	case TAKE_WORDS:
		assert(w);
		return take_words(w, value, (unsigned *)(void *)member, p->err);
	case TAKE_STEP:
		if (o->n_steps == OPTION_STEPS_MAX)
			return error_set(p->err, ERR_LIMIT, -1,
					 "more than %d of --focus, --only, --drop, --hide, "
					 "--collapse and --during",
					 OPTION_STEPS_MAX);
		o->steps[o->n_steps++] = (struct option_step){ (enum option_step_kind)r->what,
							       value };
		return true;
	case TAKE_RUNS:
		return take_run(o, r, value, p->err);
	case TAKE_LIST:
		list = (struct option_list *)(void *)member;
		if (list->n == OPTION_STEPS_MAX)
			return error_set(p->err, ERR_LIMIT, -1, "more than %d of --%s",
					 OPTION_STEPS_MAX, r->name);
		list->items[list->n++] = value;
		return true;
	case TAKE_TOP:
		return take_top(o, value, p->err);
	case TAKE_ROWS:
		return take_rows(o, value, p->err);
	case TAKE_SCREEN:
		return take_screen(o, value, p->err);
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
	size_t row = option_table_find(name, len);
	const struct option_row *r = option_table_row(row);

	if (!r)
		return error_set(p->err, ERR_FORMAT, -1, "no option '%s'", p->argv[*i]);
	p->options->given[row / 64] |= UINT64_C(1) << row % 64;
	if (!r->value)
		return equal ? error_set(p->err, ERR_FORMAT, -1, "--%s takes no value", r->name)
			     : take_flag(p, r);
	if (equal)
		return take_value(p, r, equal + 1);
	if (*i + 1 >= p->argc)
		return error_set(p->err, ERR_FORMAT, -1, "--%s wants a value", r->name);
	return take_value(p, r, p->argv[++*i]);
}

/* One short option: its value is the rest of the argument, or the next argument. */
static bool take_short(const struct parser *p, int *i)
{
	const char *arg = p->argv[*i];
	const struct option_row *r;

	for (size_t row = 0; (r = option_table_row(row)); row++) {
		if (!r->letter || r->letter != arg[1])
			continue;
		if (!r->value)
			return arg[2] ? error_set(p->err, ERR_FORMAT, -1, "no option '%s'", arg)
				      : take_flag(p, r);
		if (arg[2])
			return take_value(p, r, arg + 2);
		if (*i + 1 >= p->argc)
			return error_set(p->err, ERR_FORMAT, -1, "-%c wants a value", arg[1]);
		return take_value(p, r, p->argv[++*i]);
	}
	return error_set(p->err, ERR_FORMAT, -1, "no option '%s'", arg);
}

static const struct {
	const char *name;
	enum program_command command;
} commands[] = {
	{ "view", COMMAND_VIEW },     { "report", COMMAND_REPORT }, { "export", COMMAND_EXPORT },
#ifdef HAVE_REMOTE
	{ "attach", COMMAND_ATTACH }, { "run", COMMAND_RUN },       { "watch", COMMAND_WATCH },
	{ "live", COMMAND_LIVE },
#endif
	{ "diff", COMMAND_DIFF },     { "fleet", COMMAND_FLEET },   { "formats", COMMAND_FORMATS },
	{ "keys", COMMAND_KEYS },     { "guide", COMMAND_GUIDE },   { "schema", COMMAND_SCHEMA },
};

/* Whether one typing error makes `b` of `a`: a letter too many, one too few, another one, or
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

const char *options_command_word(unsigned i)
{
	return i < ARRAY_LEN(commands) ? commands[i].name : NULL;
}

const char *options_command_like(const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (is_slip(word, commands[i].name))
			return commands[i].name;
	return NULL;
}

/* Which files diff compares. Without the options of sides, the first is before, the second after.
 */
static bool take_sides(struct options *o, struct error *err)
{
	int n_plain = o->n_files - o->n_before - o->n_after - o->n_noise;

	if (o->n_noise > 0 ? o->n_before + o->n_after + n_plain > 0
			   : o->n_before + o->n_after > 0 && n_plain > 0)
		return error_set(err, ERR_FORMAT, -1,
				 "diff wants BEFORE AFTER, or --before and --after, or --noise");
	if (o->is_opened && o->n_noise > 0)
		return error_set(err, ERR_FORMAT, -1, "-i wants two sides: --noise has none");
	if (o->n_noise == 1)
		return error_set(err, ERR_FORMAT, -1, "--noise wants two runs or more");
	if (o->n_noise > 0)
		return true;
	if (n_plain > 2)
		return error_set(err, ERR_FORMAT, -1,
				 "diff wants two runs, or --before and --after with several");
	/* One file may hold both sides. */
	if (n_plain == 1 && o->n_files == 1 && !o->is_two_sided) {
		if (o->labels_before)
			o->labels_before[1] = o->labels_before[0];
		o->files[o->n_files++] = o->files[0];
		o->is_two_sided = true;
		n_plain++;
	}
	if (n_plain == 2)
		o->n_before = o->n_after = 1;
	if (o->n_before == 0 || o->n_after == 0)
		return error_set(err, ERR_FORMAT, -1, "no run %s the change is given",
				 o->n_before || n_plain ? "after" : "before");
	return true;
}

/* The side that an option begins; NULL: none. */
static const struct option_row *find_side(const char *arg)
{
	size_t n = strcspn(arg, "=");
	const struct option_row *r = n > 2 ? option_table_row(option_table_find(arg + 2, n - 2))
					   : NULL;

	return r && r->how == TAKE_RUNS ? r : NULL;
}

bool options_parse(struct options *o, const struct option_words *words, int argc, char **argv,
		   struct error *err)
{
	const struct parser p = { o, words, argc, argv, err };
	const struct option_row *r, *side = NULL;
	bool has_ended = false;
	int first = 1; /* argument behind the command */

	*o = (struct options){ .files = argv, .max_rows = 1000000, .top = 10, .floor = 0.01 };
	for (size_t i = 0; (r = option_table_row(i)); i++) {
		char *member = (char *)o + r->what;

		if (r->how == TAKE_WORD || r->how == TAKE_GROUP)
			*(int *)(void *)member = -1;
		else if (r->how == TAKE_BYTES || r->how == TAKE_MEMORY)
			*(int64_t *)(void *)member = -1;
	}
	for (size_t i = 0; argc > 1 && first == 1 && i < ARRAY_LEN(commands); i++) {
		if (strcmp(argv[1], commands[i].name) == 0) {
			o->command = commands[i].command;
			first = 2;
		}
	}
	for (int i = first; i < argc; i++) {
		const char *arg = argv[i];
		bool is_file = has_ended || arg[0] != '-' || arg[1] == '\0';

		if (is_file && side) {
			if (!take_run(o, side, arg, err))
				return false;
		} else if (is_file) {
			place_labels(o, o->n_files);
			argv[o->n_files++] = argv[i];
			/* The rest are arguments of this command. */
			has_ended |= o->command == COMMAND_RUN;
		} else if (strcmp(arg, "--") == 0) {
			has_ended = true;
		} else {
			side = o->command == COMMAND_FLEET ? NULL : find_side(arg);
			if (!(arg[1] == '-' ? take_long(&p, &i) : take_short(&p, &i)))
				return false;
			if (o->labels.n && !o->labels_before)
				o->labels_before = xcalloc((size_t)argc + 1,
							   sizeof *o->labels_before);
		}
	}
	if (o->completion >= 0)
		o->command = COMMAND_COMPLETION;
	if (o->command != COMMAND_DIFF && o->n_before + o->n_after + o->n_noise > 0)
		return error_set(err, ERR_FORMAT, -1, "%s for flametty diff",
				 o->n_noise > 0 ? "--noise is" : "--before and --after are");
	if (o->command != COMMAND_DIFF && o->command != COMMAND_FLEET && o->is_opened)
		return error_set(err, ERR_FORMAT, -1, "-i is for flametty diff and flametty fleet");
	if (o->command == COMMAND_DIFF)
		return take_sides(o, err);
	if (o->n_files == 0 &&
	    (o->command == COMMAND_VIEW || o->command == COMMAND_REPORT ||
	     o->command == COMMAND_EXPORT || (o->command == COMMAND_FLEET && !o->sql)))
		return error_set(err, ERR_FORMAT, -1, "no file given");
	return true;
}

/* ---- files of settings ---- */

bool options_is_given(const struct options *o, const char *name)
{
	size_t row = option_table_find(name, strlen(name));

	return row != SIZE_MAX && o->given[row / 64] >> row % 64 & 1;
}

static bool refuse_option(const char *name, struct error *err)
{
	struct near_word near;
	BUF_LOCAL shown = { 0 };
	const struct option_row *r;

	if (option_table_find(name, strlen(name)) != SIZE_MAX)
		return error_set(err, ERR_FORMAT, -1, "--%s is not for files of settings", name);
	near_word_begin(&near, name, strlen(name));
	for (size_t i = 0; (r = option_table_row(i)); i++)
		if (r->flags & OPTION_SETTING)
			near_word_try(&near, r->name);
	text_fit(&shown, name, strlen(name), 40);
	error_set(err, ERR_FORMAT, -1, "no option '%s'%s%s%s", buf_text(&shown),
		  near.best ? "; did you mean " : "", near.best ? near.best : "",
		  near.best ? "?" : "");
	return false;
}

bool options_set(struct options *o, const struct option_words *words, const char *name,
		 const char *value, struct error *err)
{
	/* A wrong value changes nothing. */
	struct options next = *o;
	const struct parser p = { &next, words, 0, NULL, err };
	const struct option_row *r = option_table_row(option_table_find(name, strlen(name)));
	bool is_on = !value || strcmp(value, "on") == 0, ok;

	if (!r || !(r->flags & OPTION_SETTING))
		return refuse_option(name, err);
	/* A flag may be off. */
	if (!r->value)
		ok = is_on || strcmp(value, "off") == 0 ||
			error_set(err, ERR_FORMAT, -1, "--%s wants on or off", r->name);
	else
		ok = value ? take_value(&p, r, value)
			   : error_set(err, ERR_FORMAT, -1, "--%s wants a value", name);
	if (!r->value)
		*(bool *)((char *)&next + r->what) = is_on;
	if (ok && !options_is_given(o, name))
		*o = next;
	return ok;
}
