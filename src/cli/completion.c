/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that complete the command line in shells. Each knows the commands, the options, and of
 * options that take one of a few words these words. --format has two lists of them: one of reports
 * and one of exports. schema takes the name of a command. Everything else is a file. */
#include "config.h"

#include "cli/option_table.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <string.h>

/* The n-th list of words of an option; nothing if there is none. */
static bool add_words(const struct option_words *words, const char *option, int n, struct buf *out)
{
	const struct option_words *w = option_table_words(words, option, n);

	if (w)
		option_table_join(w->word, " ", " ", out);
	return w != NULL;
}

static bool has_words(const struct option_words *words, const struct option_row *r)
{
	return option_table_words(words, r->name, 0) != NULL;
}

/* Whether an option takes the name of a file, maybe beside words. */
static bool takes_file(const struct option_row *r)
{
	return r->value && (strstr(r->value, "FILE") || strcmp(r->name, "output") == 0);
}

/* ---- bash ---- */

/* The words of each option that has some. */
static void add_bash_values(const struct option_words *words, struct buf *out)
{
	const struct option_row *r;

	for (size_t i = 0; (r = option_table_row(i)); i++) {
		if (!r->help || !has_words(words, r))
			continue;
		buf_adds(out, "\t");
		if (r->letter)
			buf_addf(out, "-%c | ", r->letter);
		buf_addf(out, "--%s)\n\t\twords='", r->name);
		add_words(words, r->name, 0, out);
		buf_adds(out, "'\n");
		if (option_table_words(words, r->name, 1)) {
			buf_adds(out, "\t\t[ \"$command\" != export ] || words='");
			add_words(words, r->name, 1, out);
			buf_adds(out, "'\n");
		}
		buf_addf(out, "%s\t\t;;\n", takes_file(r) ? "" : "\t\tfiles=no\n");
	}
}

static void add_bash(const struct option_words *words, struct buf *out)
{
	const struct option_row *r;

	buf_adds(out,
		 "# What bash completes after flametty. Made by flametty --completion=bash.\n"
		 "_flametty()\n"
		 "{\n"
		 "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		 "\tlocal command=${COMP_WORDS[1]} words= files=yes name\n"
		 "\n"
		 "\t# --name=value comes as three words.\n"
		 "\tif [ \"$cur\" = = ]; then\n"
		 "\t\tcur=\n"
		 "\telif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
		 "\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n"
		 "\tfi\n"
		 "\tcase $prev in\n");
	add_bash_values(words, out);
	buf_adds(out, "\t*)\n\t\tcase $cur in\n\t\t-*)\n\t\t\twords='");
	for (size_t i = 0; (r = option_table_row(i)); i++)
		if (r->help)
			buf_addf(out, "%s--%s%s", i ? " " : "", r->name, r->value ? "=" : "");
	buf_adds(out,
		 "'\n\t\t\tfiles=no\n\t\t\t;;\n\t\t*)\n\t\t\t"
		 "[ \"$COMP_CWORD\" != 1 ] || words='");
	option_table_join(options_command_word, " ", " ", out);
	buf_adds(out, "'\n\t\t\t[ \"$COMP_CWORD $command\" != '2 schema' ] || { files=no; words='");
	option_table_join(options_schema_word, " ", " ", out);
	buf_adds(out,
		 "'; }\n\t\t\t;;\n\t\tesac\n\t\t;;\n\tesac\n"
		 "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
		 "\tcase ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
		 "\t[ $files = yes ] || return 0\n"
		 "\tcompopt -o filenames 2>/dev/null\n"
		 "\twhile IFS= read -r name; do\n"
		 "\t\tCOMPREPLY+=(\"$name\")\n"
		 "\tdone < <(compgen -f -- \"$cur\")\n"
		 "}\n"
		 "complete -F _flametty flametty\n");
}

/* ---- zsh ---- */

/* Append a text inside of '...[here]...': what has a meaning there is escaped. */
static void add_zsh_text(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (*text == '\'')
			buf_adds(out, "'\\''");
		else if (strchr("[]:\\", *text))
			buf_addf(out, "\\%c", *text);
		else
			buf_addc(out, *text);
	}
}

/* What stands after the description: `:name:(words)`, `:name:_files`. */
static void add_zsh_value(const struct option_row *r, const struct option_words *words,
			  struct buf *out)
{
	bool has_two = option_table_words(words, r->name, 1) != NULL;

	if (!r->value)
		return;
	buf_addf(out, ":%s:", r->name);
	if (has_two) {
		buf_adds(out, "($formats)");
	} else if (has_words(words, r) && takes_file(r)) {
		buf_addf(out, "_flametty_%s", r->name);
	} else if (has_words(words, r)) {
		buf_adds(out, "(");
		add_words(words, r->name, 0, out);
		buf_adds(out, ")");
	} else if (takes_file(r)) {
		buf_adds(out, "_files");
	} else {
		buf_adds(out, " ");
	}
}

static void add_zsh_option(const struct option_row *r, const struct option_words *words,
			   struct buf *out)
{
	/* The list of formats is a variable of the shell. */
	const char *quote = option_table_words(words, r->name, 1) ? "\"" : "'";
	BUF_LOCAL help = { 0 };

	if (!r->help)
		return;
	option_table_text(r->name, r->help, words, &help);
	for (int is_long = r->letter ? 0 : 1; is_long < 2; is_long++) {
		buf_addf(out, " \\\n\t\t%s", quote);
		if (is_long)
			buf_addf(out, "--%s%s[", r->name, r->value ? "=" : "");
		else
			buf_addf(out, "-%c%s[", r->letter, r->value ? "+" : "");
		add_zsh_text(buf_text(&help), out);
		buf_adds(out, "]");
		add_zsh_value(r, words, out);
		buf_adds(out, quote);
	}
}

/* Functions for options that take words or files. */
static void add_zsh_functions(const struct option_words *words, struct buf *out)
{
	const struct option_row *r;

	for (size_t i = 0; (r = option_table_row(i)); i++) {
		if (!r->help || !has_words(words, r) || !takes_file(r))
			continue;
		buf_addf(out, "_flametty_%s() {\n\t_alternative 'words:word:(", r->name);
		add_words(words, r->name, 0, out);
		buf_adds(out, ")' 'files:file:_files'\n}\n");
	}
}

static void add_zsh(const struct option_words *words, struct buf *out)
{
	const struct option_row *r;

	buf_adds(out,
		 "#compdef flametty\n"
		 "# What zsh completes after flametty. Made by flametty --completion=zsh.\n");
	add_zsh_functions(words, out);
	buf_adds(out, "_flametty() {\n\tlocal formats='");
	add_words(words, "format", 0, out);
	buf_adds(out, "'\n\t[[ $words[2] != export ]] || formats='");
	add_words(words, "format", 1, out);
	buf_adds(out,
		 "'\n\tif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
		 "\t\t_alternative 'commands:command:(");
	option_table_join(options_command_word, " ", " ", out);
	buf_adds(out,
		 ")' 'files:file:_files'\n\t\treturn\n\tfi\n"
		 "\tif (( CURRENT == 3 )) && [[ $words[2] == schema ]]; then\n"
		 "\t\t_alternative 'commands:command:(");
	option_table_join(options_schema_word, " ", " ", out);
	buf_adds(out, ")'\n\t\treturn\n\tfi\n\t_arguments");
	for (size_t i = 0; (r = option_table_row(i)); i++)
		add_zsh_option(r, words, out);
	buf_adds(out,
		 " \\\n\t\t'*:file:_files'\n}\n"
		 "if [[ $funcstack[1] == _flametty ]]; then\n"
		 "\t_flametty \"$@\"\n"
		 "else\n"
		 "\tcompdef _flametty flametty\n"
		 "fi\n");
}

/* ---- fish ---- */

static void add_fish_text(const char *text, struct buf *out)
{
	buf_addc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *text);
	}
	buf_addc(out, '\'');
}

static void add_fish_option(const struct option_row *r, int n, const char *condition,
			    const struct option_words *words, struct buf *out)
{
	BUF_LOCAL help = { 0 };

	buf_adds(out, "complete -c flametty");
	if (r->letter)
		buf_addf(out, " -s %c", r->letter);
	buf_addf(out, " -l %s", r->name);
	if (condition)
		buf_addf(out, " -n '%s'", condition);
	/* -x: only these words; -r: files, too. */
	if (r->value)
		buf_adds(out, takes_file(r) ? " -r" : " -x");
	if (has_words(words, r)) {
		buf_adds(out, " -a '");
		add_words(words, r->name, n, out);
		buf_adds(out, "'");
	}
	option_table_text(r->name, r->help, words, &help);
	buf_adds(out, " -d ");
	add_fish_text(buf_text(&help), out);
	buf_addc(out, '\n');
}

static void add_fish(const struct option_words *words, struct buf *out)
{
	static const char export_only[] = "__fish_seen_subcommand_from export",
			  no_export[] = "not __fish_seen_subcommand_from export";
	const struct option_row *r;

	buf_adds(out,
		 "# What fish completes after flametty. Made by flametty --completion=fish.\n"
		 "complete -c flametty -n __fish_is_first_arg -a '");
	option_table_join(options_command_word, " ", " ", out);
	buf_adds(out, "'\ncomplete -c flametty -f -n '__fish_seen_subcommand_from schema' -a '");
	option_table_join(options_schema_word, " ", " ", out);
	buf_adds(out, "'\n");
	for (size_t i = 0; (r = option_table_row(i)); i++) {
		bool has_two = option_table_words(words, r->name, 1) != NULL;

		if (!r->help)
			continue;
		add_fish_option(r, 0, has_two ? no_export : NULL, words, out);
		if (has_two)
			add_fish_option(r, 1, export_only, words, out);
	}
}

/* ---- shells ---- */

static const struct {
	const char *name;
	void (*add)(const struct option_words *words, struct buf *out);
} shells[] = {
	{ "bash", add_bash },
	{ "zsh", add_zsh },
	{ "fish", add_fish },
};

const char *completion_word(unsigned i)
{
	return i < ARRAY_LEN(shells) ? shells[i].name : NULL;
}

void completion_format(unsigned shell, const struct option_words *words, struct buf *out)
{
	shells[shell].add(words, out);
}
