/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of --help, from the table of options. */
#include "config.h"

#include "base/alloc.h"
#include "cli/options_table.h"

#include <stdio.h>
#include <string.h>

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
#ifdef HAVE_REMOTE
		"       flametty attach [OPTION...] PROCESS...  record running processes, then show that\n"
		"       flametty run [OPTION...] -- COMMAND...  record all that a command starts\n"
		"       flametty watch [OPTION...] PROCESS...   print what makes running processes stall\n"
		"       flametty live [OPTION...] PROCESS...    show what they do, every second\n"
#endif
		"       flametty formats | keys               list the input formats; list the keys\n"
		"\nFILE is a profile (plain, gzip, zstd or lz4), a directory of profiles, or - for standard input.\n\n");
	for (size_t i = 0; (r = options_table_row(i)); i++) {
		struct buf left = { 0 }, help = { 0 };

		if (!r->help)
			continue;
		if (r->letter)
			buf_addf(&left, "-%c, ", r->letter);
		buf_addf(&left, "--%s%s", r->name, r->value ? "=" : "");
		options_table_text(r->name, r->value ? r->value : "", words, &left);
		if (left.len <= HELP_COLUMN - 4)
			buf_addf(out, "  %-*s  ", HELP_COLUMN - 4, buf_text(&left));
		else
			buf_addf(out, "  %s\n%*s", buf_text(&left), HELP_COLUMN, "");
		options_table_text(r->name, r->help, words, &help);
		add_lines(buf_text(&help), out);
		buf_done(&left);
		buf_done(&help);
	}
	buf_adds(
		out,
		"\nExit status: 0 success, 1 an input or output failed, 2 wrong usage. See flametty(1).\n");
}
