/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands: parse the options, then load and answer by the interface, a screen as text, a
 * report or an export. Exit status: 0 fine, 1 an input or output failed, 2 wrong usage. */
#include "config.h"

#include "options.h"
#include "run.h"
#include "scope_options.h"
#include "session.h"

#include "analysis/scoped.h"
#include "base/alloc.h"
#include "export/export.h"
#include "load/file_error.h"
#include "reader/reader.h"
#include "reader/trace/trace_copy.h"
#include "report/report.h"
#include "ui/keymap.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum term_color color_of(const char *word)
{
	return strcmp(word, "always") == 0   ? TERM_COLOR_ALWAYS
		: strcmp(word, "never") == 0 ? TERM_COLOR_NEVER
					     : TERM_COLOR_AUTO;
}

static enum term_theme theme_of(const char *word)
{
	return strcmp(word, "dark") == 0     ? TERM_THEME_DARK
		: strcmp(word, "light") == 0 ? TERM_THEME_LIGHT
					     : TERM_THEME_AUTO;
}

static bool parse_with(const char *words, unsigned *with)
{
	static const struct {
		const char *name;
		unsigned bit;
	} known[] = {
		{ "tree", REPORT_WITH_TREE },
		{ "bottomup", REPORT_WITH_BOTTOMUP },
		{ "spans", REPORT_WITH_SPANS },
	};

	*with = 0;
	while (words && *words) {
		size_t n = strcspn(words, ","), i = 0;

		while (i < ARRAY_LEN(known) &&
		       !(strlen(known[i].name) == n && memcmp(known[i].name, words, n) == 0))
			i++;
		if (i == ARRAY_LEN(known))
			return false;
		*with |= known[i].bit;
		words += n + (words[n] == ',');
	}
	return true;
}

static void report(struct run *run)
{
	const struct options *o = &run->options;
	const struct report *form = report_find(o->format ? o->format : "text");
	struct report_options ro = { .top = o->top,
				     .has_top = o->has_top,
				     .is_sorted = o->sort != NULL,
				     .table = o->table };
	struct scoped scoped;
	struct buf out = { 0 };

	if (o->sort)
		ro.sort = strcmp(o->sort, "total") == 0 ? ROWS_BY_TOTAL
			: strcmp(o->sort, "name") == 0  ? ROWS_BY_NAME
							: ROWS_BY_SELF;
	if (!parse_with(o->with, &ro.with)) {
		run_complain_usage(run, "--with wants tree, bottomup or spans, not '", o->with,
				   "'");
		return;
	}
	if (run_find_scope(run, &ro.scope)) {
		scoped_init(&scoped, run->profile, &ro.scope);
		form->write(&scoped, &ro, &out);
		scoped_done(&scoped);
		run_print(run, &out);
	}
	scope_done(&ro.scope);
	buf_done(&out);
}

/* What went wrong with the file that is written. */
static void complain_output(struct run *run, const struct error *err)
{
	struct buf text = { 0 };

	file_error_format(run->options.output ? run->options.output : "(standard output)", err,
			  &text);
	run_complain(run, buf_text(&text));
	buf_done(&text);
}

static void write_export(struct run *run, const struct export_options *eo)
{
	const struct options *o = &run->options;
	struct error err = ERROR_INIT;
	struct sink *sink = sink_open(o->output, o->is_forced, &err);
	struct scoped scoped;

	if (sink) {
		scoped_init(&scoped, run->profile, &eo->scope);
		export_find(o->format ? o->format : "trace")->write(scoped.profile, eo, sink);
		scoped_done(&scoped);
		sink_close(sink, &err);
	}
	if (err.kind != ERR_NONE)
		complain_output(run, &err);
}

static void export(struct run *run)
{
	struct export_options eo = { .is_samples = run->options.is_samples };

	if (run_find_scope(run, &eo.scope)) {
		/* Events as the file has them know of no transforms. */
		eo.copy = scope_is_plain(&eo.scope) ? trace_copy_input : NULL;
		write_export(run, &eo);
	}
	scope_done(&eo.scope);
}

static void list_formats(struct buf *out)
{
	for (size_t i = 0; readers[i]; i++)
		buf_addf(out, "%-12s  %s\n", readers[i]->name, readers[i]->help);
}

static void answer(struct run *run)
{
	const struct options *o = &run->options;
	struct buf out = { 0 };

	switch (o->command) {
	case COMMAND_HELP:
		options_help(&out);
		break;
	case COMMAND_VERSION:
		buf_adds(&out, "flametty " PACKAGE_VERSION "\n");
		break;
	case COMMAND_FORMATS:
		list_formats(&out);
		break;
	case COMMAND_KEYS:
		keymap_format(&out);
		break;
	case COMMAND_EXPORT:
		if (run_load(run))
			export(run);
		break;
	case COMMAND_VIEW:
	case COMMAND_REPORT:
		run->is_interactive = o->command == COMMAND_VIEW && !o->render_cols &&
			isatty(STDOUT_FILENO);
		if (run->is_interactive)
			session_interact(run);
		else if (!run_load(run))
			break;
		else if (o->render_cols)
			session_render(run);
		else
			report(run);
		break;
	}
	if (out.len)
		run_print(run, &out);
	buf_done(&out);
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	struct error err = ERROR_INIT;

	setlocale(LC_ALL, "");
	run.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	/* Numbers are written with a point everywhere. */
	setlocale(LC_NUMERIC, "C");
	if (!options_parse(&run.options, argc, argv, &err)) {
		run_complain_usage(&run, "", err.text, "\nTry 'flametty --help'.");
		return run.status;
	}
	if (run.options.format_in && !reader_find(run.options.format_in)) {
		run_complain_usage(&run, "no format '", run.options.format_in,
				   "' (flametty formats)");
		return run.status;
	}
	if (run.options.format &&
	    !(run.options.command == COMMAND_EXPORT ? export_find(run.options.format) != NULL
						    : report_find(run.options.format) != NULL)) {
		run_complain_usage(&run, "this command has no --format ", run.options.format,
				   run.options.command == COMMAND_EXPORT
					   ? "; it has trace, folded and speedscope"
					   : "; it has text, json and csv");
		return run.status;
	}
	if (!scope_options_check(&run.options, &err)) {
		run_complain_usage(&run, "", err.text, "");
		return run.status;
	}
	if (!csv_has_table(run.options.table)) {
		run_complain_usage(
			&run, "no --table ", run.options.table,
			" (functions, bottomup, topdown, packages, files, categories, lanes, gaps, busy, stack, lines)");
		return run.status;
	}
	run.term = (struct term_options){ color_of(run.options.color),
					  theme_of(run.options.theme) };
	answer(&run);
	profile_free(run.profile);
	return run.status;
}
